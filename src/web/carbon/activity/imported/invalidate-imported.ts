import { carbonAssignments } from '#contract/carbon/inventories/assignments.ts'
import { carbonInventories } from '#contract/carbon/inventories/inventories.ts'
import { importedTotals } from '#contract/carbon/activity/imported-totals.ts'
import { ledger } from '#contract/carbon/results/ledger.ts'
import { keyOf, queryClient } from '#web/api/query.ts'

/** Call after totals were imported or removed: they are part of every total, and may have assigned new sources. */
export async function invalidateImported(): Promise<void> {
  const all = [importedTotals.list, ledger.totals, carbonAssignments.sources, carbonInventories.get]
  await Promise.all(all.map((endpoint) => queryClient.invalidateQueries({ queryKey: keyOf(endpoint) })))
}
