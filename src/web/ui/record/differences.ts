import { capitalize } from '#contract/capitalize.ts'
import { isEqual } from '#contract/questions/changes.ts'
import { isRecord } from '#web/api/read-json.ts'
import { showValue } from './show-record-value.ts'

/** The labels of a form's fields, in form order. */
export type Labels<Values> = Readonly<Record<keyof Values & string, string>>

/** The fields in which two versions of a form differ, in label order. */
export function findDifferences<Values extends Record<string, unknown>>(
  labels: Labels<Values>,
  mine: Values,
  theirs: Values,
): string[] {
  return Object.keys(labels).filter(
    (name) => mine[name] !== theirs[name] && !isEqual(mine[name], theirs[name]),
  )
}

/**
 * What differs between two versions of a structured value, in words that name its parts: "Colors, Red: 5 instead of 3". For
 * values that have no text of their own.
 */
export function describeDifferences(before: unknown, after: unknown): string[] {
  const [former, current] = [leavesOf(before), leavesOf(after)]
  return [...new Set([...current.keys(), ...former.keys()])].flatMap((path) => {
    const [was, is] = [former.get(path), current.get(path)]
    if (was === is) return []
    const start = path === '' ? '' : `${capitalize(path)}: `
    if (was === undefined) return [`${start}${is} added`]
    return [is === undefined ? `${start}${was} removed` : `${start}${is} instead of ${was}`]
  })
}

/** The plain values inside a value, by the names of the parts that lead to them. */
function leavesOf(value: unknown, path: readonly string[] = []): Map<string, string> {
  if (Array.isArray(value) && value.every(isRecord)) {
    const parts = value.flatMap((item, at) => [...leavesOf(item, [...path, nameOf(item) ?? `${at + 1}`])])
    return new Map(parts)
  }
  if (isRecord(value)) {
    return new Map(
      Object.entries(value).flatMap(([name, part]) => [...leavesOf(part, [...path, wordsOf(name)])]),
    )
  }
  return new Map(value == null ? [] : [[path.join(', '), showValue(value)]])
}

const nameOf = (item: Readonly<Record<string, unknown>>): string | undefined =>
  ['name', 'title', 'label', 'key', 'code', 'id']
    .map((key) => item[key])
    .find((name) => typeof name === 'string' && name !== '')
    ?.toString()

/** "skipRule" as "skip rule"; a name without a lowercase letter stays. */
const wordsOf = (name: string): string =>
  name.replaceAll(/([a-z\d])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`)
