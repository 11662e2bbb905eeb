import { QUIET_HOURS } from '#contract/carbon/activity/data-requests.ts'
import type { CellRow } from './request-cells.ts'

export type CellQuery = { sourceId: string; isAgain: boolean }
export type RequestKind = 'request' | 'reminder'
type ChosenCells = {
  /** By the person who is assigned. */
  people: Map<string, CellRow[]>
  left: { sourceId: string; message: string }[]
}

/**
 * Which of the wanted sources are written about, person by person, and why the others are not.
 * @param unreached why people cannot be written to, by their number.
 */
export function chooseCells(
  rows: readonly CellRow[],
  wanted: readonly CellQuery[],
  { kind, undeliverable }: { kind: RequestKind; undeliverable: ReadonlyMap<string, string> },
): ChosenCells {
  const known = new Map(rows.map((row) => [row.sourceId, row]))
  const chosen: ChosenCells = { people: new Map(), left: [] }
  for (const { sourceId, isAgain } of wanted) {
    const row = known.get(sourceId)
    const personId = row?.personId ?? null
    const message = row === undefined ? GONE : whyLeft(row, { kind, isAgain, undeliverable })
    if (message !== null) chosen.left.push({ sourceId, message })
    else if (row && personId !== null) {
      chosen.people.set(personId, [...(chosen.people.get(personId) ?? []), row])
    }
  }
  return chosen
}

const GONE = 'No figures are expected of this source any more.'

function whyLeft(
  { personId, personName, asked }: CellRow,
  {
    kind,
    isAgain,
    undeliverable,
  }: { kind: RequestKind; isAgain: boolean; undeliverable: ReadonlyMap<string, string> },
): string | null {
  if (personId === null) return 'Nobody is assigned.'
  const why = undeliverable.get(personId)
  if (why !== undefined) return why
  if (kind === 'reminder' && asked === null) return `${personName} was not asked yet.`
  if (kind === 'reminder' && asked?.answeredAt !== null) return `${personName} has answered.`
  if (asked?.isQuiet !== true || isAgain) return null
  return `${personName} was written to about it within the last ${QUIET_HOURS} hours.`
}
