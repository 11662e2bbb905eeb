import { QUIET_HOURS } from '#contract/carbon/activity/data-requests.ts'
import type { CellRow } from './request-cells.ts'

export type Wanted = { sourceId: string; isAgain: boolean }
export type RequestKind = 'request' | 'reminder'
type Chosen = {
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
  wanted: readonly Wanted[],
  { kind, unreached }: { kind: RequestKind; unreached: ReadonlyMap<string, string> },
): Chosen {
  const known = new Map(rows.map((row) => [row.sourceId, row]))
  const chosen: Chosen = { people: new Map(), left: [] }
  for (const { sourceId, isAgain } of wanted) {
    const row = known.get(sourceId)
    const personId = row?.personId ?? null
    const message = row === undefined ? GONE : whyLeft(row, { kind, isAgain, unreached })
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
    unreached,
  }: { kind: RequestKind; isAgain: boolean; unreached: ReadonlyMap<string, string> },
): string | null {
  if (personId === null) return 'Nobody is assigned.'
  const why = unreached.get(personId)
  if (why !== undefined) return why
  if (kind === 'reminder' && asked === null) return `${personName} was not asked yet.`
  if (kind === 'reminder' && asked?.answeredAt !== null) return `${personName} has answered.`
  if (asked?.isQuiet !== true || isAgain) return null
  return `${personName} was written to about it within the last ${QUIET_HOURS} hours.`
}
