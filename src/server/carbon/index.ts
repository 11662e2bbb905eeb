// Carbon owns units, warming potentials, emission factors and what they are chosen by.
// It does not own vehicles (inventory) nor organizations, which it only refers to.
// Its rules come from the GHG Protocol and the publishers of factors; docs/decisions has ours.
export { factorSource } from './factor-rows.ts'
export { factorEditionHandlers } from './editions/editions.ts'
export { factorHandlers } from './factors.ts'
export { activityHandlers } from './ledger/activities.ts'
export { importedTotalHandlers } from './ledger/imported-totals.ts'
export { instrumentHandlers } from './ledger/instruments.ts'
export { ledgerHandlers } from './ledger/ledger.ts'
export { settleAll } from './ledger/settle.ts'
export { addInventory } from './inventories/inventory-writes.ts'
export { assignmentHandlers } from './inventories/assignments.ts'
export { chooseFacilities } from './inventories/inventory-facilities.ts'
export { inventoryHandlers } from './inventories/inventories.ts'
export { inventorySource } from './inventories/inventory-source.ts'
export { saveAssignments } from './inventories/save-assignments.ts'
export { loadLibrary } from './load-library.ts'
export { addOwnFactor } from './own-factors.ts'
