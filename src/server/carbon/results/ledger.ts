import type { ledger } from '#contract/carbon/results/ledger.ts'
import type { Handlers } from '#server/http/serve.ts'
import { explainResult, readLedger } from './ledger-rows.ts'
import { lockOpenInventoryRow } from '../inventories/lock-inventory-row.ts'
import { recalculateStale } from '../calculation/recalculate.ts'
import { readTotals } from './totals.ts'

/** The emissions of an inventory, and how they were calculated. */
export const ledgerHandlers: Handlers<typeof ledger> = {
  totals: ({ db, input }) => readTotals(db, input.inventoryId),
  rows: ({ db, input }) => readLedger(db, input),
  explain: ({ db, input }) => explainResult(db, input.id),
  async recalculate({ db, input: { inventoryId } }) {
    await lockOpenInventoryRow(db, inventoryId)
    return { pending: await recalculateStale(db, inventoryId) }
  },
}
