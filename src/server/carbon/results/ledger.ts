import type { ledger } from '#contract/carbon/results/ledger.ts'
import type { Handlers } from '#server/http/serve.ts'
import { inOrder, isOneOf, readPage } from '#server/lists/read-list.ts'
import { ledgerSource } from './ledger-source.ts'
import { explainResult, readLedger, readListedResults } from './ledger-rows.ts'
import { lockOpenInventoryRow } from '../staleness/lock-inventory-row.ts'
import { recalculateStale } from '../calculation/recalculate.ts'
import { readTotals } from './totals.ts'

/** The emissions of an inventory, and how they were calculated. */
export const ledgerHandlers: Handlers<typeof ledger> = {
  async list({ db, actor, input }) {
    const { ids, ...counts } = await readPage(db, actor, ledgerSource, input)
    const rows = await readListedResults(db, isOneOf(ledgerSource, ids))
    return { ...counts, results: inOrder(ids, rows) }
  },
  totals: ({ db, input }) => readTotals(db, input.inventoryId),
  rows: ({ db, input }) => readLedger(db, input),
  explain: ({ db, input }) => explainResult(db, input.id),
  async recalculate({ db, input: { inventoryId } }) {
    await lockOpenInventoryRow(db, inventoryId)
    return { pending: await recalculateStale(db, inventoryId) }
  },
}
