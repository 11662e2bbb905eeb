import type { FactorGap } from '#contract/carbon/inventories/assignments.ts'
import { type Cell, keyOfCell } from './assignment-draft.ts'

/** What lacks a factor, by the key of each cell. */
export type Gaps = ReadonlyMap<string, FactorGap>

export const gapsByCell = (gaps: readonly FactorGap[]): Gaps =>
  new Map(
    gaps.flatMap((gap) =>
      gap.facilityIds.map((facilityId) => [keyOfCell(facilityId, gap.sourceType), gap] as const),
    ),
  )

/** A cell waits for a factor that is not there, unless one was chosen by hand or its emissions are measured. */
export const lacksFactor = ({ method, factorId }: Cell): boolean => factorId === null && method !== 'direct'

/** "No published factor for US-CAMX". */
export const gapWords = ({ region }: FactorGap): string => `No published factor for ${region}`

/** "The library has one for GB, and none stands in for it." */
export const elsewhereWords = ({ elsewhere }: FactorGap): string =>
  elsewhere.length === 0
    ? 'The library has none for anywhere.'
    : `The library has one for ${elsewhere.join(', ')}, which does not stand in for it.`

/** The gaps that cells fall into, in the order of the cells, each with how many of them do. */
export function openGaps(
  cells: Iterable<readonly [key: string, cell: Cell | null]>,
  gaps: Gaps,
): { gap: FactorGap; facilities: number }[] {
  const counts = new Map<FactorGap, number>()
  for (const [key, cell] of cells) {
    const gap = cell === null || !lacksFactor(cell) ? undefined : gaps.get(key)
    if (gap) counts.set(gap, (counts.get(gap) ?? 0) + 1)
  }
  return [...counts].map(([gap, facilities]) => ({ gap, facilities }))
}
