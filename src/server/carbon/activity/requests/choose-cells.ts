import { QUIET_HOURS } from '#contract/carbon/activity/data-requests.ts'
import type { CellRow } from './request-cells.ts'

export type CellQuery = { sourceId: string; isAgain: boolean }
export type RequestKind = 'request' | 'reminder'
type ChosenCells = {
  /** By the data owner's user ID. */
  people: Map<string, CellRow[]>
  left: { sourceId: string; message: string }[]
}

/**
 * Which of the requested sources to email about, by person, and why the others are left out.
 * @param undeliverable why people can't be emailed, by user ID.
 */
export function chooseCells(
  rows: readonly CellRow[],
  queries: readonly CellQuery[],
  { kind, undeliverable }: { kind: RequestKind; undeliverable: ReadonlyMap<string, string> },
): ChosenCells {
  const known = new Map(rows.map((row) => [row.sourceId, row]))
  const chosen: ChosenCells = { people: new Map(), left: [] }
  for (const { sourceId, isAgain } of queries) {
    const row = known.get(sourceId)
    const dataOwnerId = row?.dataOwnerId ?? null
    const message = row === undefined ? GONE : whyLeft(row, { kind, isAgain, undeliverable })
    if (message !== null) chosen.left.push({ sourceId, message })
    else if (row && dataOwnerId !== null) {
      chosen.people.set(dataOwnerId, [...(chosen.people.get(dataOwnerId) ?? []), row])
    }
  }
  return chosen
}

const GONE = 'This source no longer expects data.'

function whyLeft(
  { dataOwnerId, dataOwnerName, asked }: CellRow,
  {
    kind,
    isAgain,
    undeliverable,
  }: { kind: RequestKind; isAgain: boolean; undeliverable: ReadonlyMap<string, string> },
): string | null {
  if (dataOwnerId === null) return 'No data owner is assigned.'
  const why = undeliverable.get(dataOwnerId)
  if (why !== undefined) return why
  if (kind === 'reminder' && asked === null) return `${dataOwnerName} hasn't been asked yet.`
  if (kind === 'reminder' && asked?.answeredAt !== null) return `${dataOwnerName} has already responded.`
  if (asked?.isQuiet !== true || isAgain) return null
  return `${dataOwnerName} was emailed about it in the last ${QUIET_HOURS} hours.`
}
