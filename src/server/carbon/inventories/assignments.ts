import type { carbonAssignments } from '#contract/carbon/inventories/assignments.ts'
import type { Handlers } from '#server/http/serve.ts'
import { readSources } from './emission-sources.ts'
import { readFactorGaps } from './factor-gaps.ts'
import { lockOpenInventoryRow } from '../staleness/lock-inventory-row.ts'
import { chooseFacilities, readInventoryFacilities } from './inventory-facilities.ts'
import { readInventory } from './inventory-rows.ts'
import { saveAssignments } from './save-assignments.ts'

/** The facilities of an inventory, and the assignment of its sources to data owners. */
export const assignmentHandlers: Handlers<typeof carbonAssignments> = {
  facilities: ({ db, input }) => readInventoryFacilities(db, input.inventory),

  async choose({ db, actor, input: { inventoryId, choices } }) {
    const inventory = await lockOpenInventoryRow(db, inventoryId)
    await chooseFacilities(db, inventory, choices, actor)
    return readInventoryFacilities(db, inventoryId)
  },

  async sources({ db, input }) {
    // 404 if it isn't accessible, rather than an empty list.
    await readInventory(db, input.inventory)
    return readSources(db, input.inventory)
  },

  factorGaps: ({ db, input }) => readFactorGaps(db, input.inventory),

  async save({ db, input: { inventoryId, changes } }) {
    const inventory = await lockOpenInventoryRow(db, inventoryId)
    await saveAssignments(db, inventory, changes)
    return { sources: await readSources(db, inventoryId), inventory: await readInventory(db, inventoryId) }
  },
}
