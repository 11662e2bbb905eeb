import { carbonAssignments } from '#contract/carbon/inventories/assignments.ts'
import { factors } from '#contract/carbon/factors/factors.ts'
import { keyOf, queryClient } from '#web/api/query.ts'

/** Refetches what a factor change affects: the list, the editions with their counts, open factors, missing factors. */
export async function invalidateFactors(): Promise<void> {
  await Promise.all(
    [factors.list, factors.datasets, factors.get, carbonAssignments.factorGaps].map((endpoint) =>
      queryClient.invalidateQueries({ queryKey: keyOf(endpoint) }),
    ),
  )
}
