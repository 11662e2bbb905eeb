import type { FactorGap } from '#contract/carbon/inventories/assignments.ts'
import { type Cell, keyOfCell } from './assignment-draft.ts'

/** The missing factors, by cell key. */
export type Gaps = ReadonlyMap<string, FactorGap>

export const gapsByCell = (gaps: readonly FactorGap[]): Gaps =>
  new Map(
    gaps.flatMap((gap) =>
      gap.facilityIds.map((facilityId) => [keyOfCell(facilityId, gap.sourceType), gap] as const),
    ),
  )

/** Whether a cell needs an automatic factor: none was selected manually, and its emissions aren't measured. */
export const lacksFactor = ({ method, factorId }: Cell): boolean => factorId === null && method !== 'direct'

/** "No published factor for US-CAMX". */
export const gapMessage = ({ region }: FactorGap): string => `No published factor for ${region}`

/** "The library has a factor for GB, but it isn't used for this region." */
export const otherRegionsMessage = ({ elsewhere }: FactorGap): string =>
  elsewhere.length === 0
    ? 'The library has no such factor for any region.'
    : `The library has a factor for ${elsewhere.join(', ')}, but it isn't used for this region.`

/** The missing factors of the given cells, each with the number of cells, in cell order. */
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
