import { carbonAssignments } from '#contract/carbon/inventories/assignments.ts'
import { factors } from '#contract/carbon/factors/factors.ts'
import { keyOf, queryClient } from '#web/api/query.ts'

/** What a change of a factor shows in: the list, the editions with their counts, every open row, what lacks one. */
export async function invalidateFactors(): Promise<void> {
  await Promise.all(
    [factors.list, factors.datasets, factors.get, carbonAssignments.factorGaps].map((endpoint) =>
      queryClient.invalidateQueries({ queryKey: keyOf(endpoint) }),
    ),
  )
}
