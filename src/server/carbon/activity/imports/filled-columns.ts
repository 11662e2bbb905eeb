import type { ImportMapping } from '#contract/carbon/activity/import-mapping.ts'
import { filledPlaces, type SheetColumns } from './sheet-columns.ts'

/** Questions whose answers are places of columns: "3", or "3+4" for several. */
const OF_PLACES: ReadonlySet<string> = new Set(['quantity', 'cost', 'period'])
const PLACES = /^\d+(?:\+\d+)*$/

/**
 * A mapping as it is remembered: its columns counted without those that are empty. A column without values may be missing in the next
 * file of its layout, or be there once more. What is mapped to one is left out.
 */
export function withoutEmpty(mapping: ImportMapping, columns: SheetColumns): ImportMapping {
  const numbers = new Map(countedPlaces(columns).map((place, at) => [place, at]))
  return movedBy(mapping, (place) => numbers.get(place))
}

/** A remembered mapping as this file of its layout needs it. */
export function withEmpty(mapping: ImportMapping, columns: SheetColumns): ImportMapping {
  const places = countedPlaces(columns)
  return movedBy(mapping, (at) => places[at])
}

/** Columns of months are filled one after the other: all of them count. */
const countedPlaces = ({ titles, lines, isWide }: SheetColumns): number[] =>
  isWide ? [...titles.keys()] : filledPlaces(titles, lines)

function movedBy(mapping: ImportMapping, place: (from: number) => number | undefined): ImportMapping {
  const columns = Object.fromEntries(
    Object.entries(mapping.columns).flatMap(([field, from]) => {
      const to = place(from)
      return to === undefined ? [] : [[field, to]]
    }),
  )
  const answers = Object.fromEntries(
    Object.entries(mapping.answers).flatMap(([id, answer]) => {
      if (!OF_PLACES.has(id) || !PLACES.test(answer)) return [[id, answer]]
      const to = answer.split('+').map((one) => place(Number(one)))
      return to.includes(undefined) ? [] : [[id, to.join('+')]]
    }),
  )
  return { ...mapping, columns, answers, addends: mapping.addends.flatMap((from) => place(from) ?? []) }
}
