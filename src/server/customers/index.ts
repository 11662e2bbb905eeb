// Customers owns the customer's own data: its lots, details and lead routing.
// It does not own vehicles (inventory) nor organizations, which it only refers to.
// Its rules come from the specification, section 2, and docs/decisions.
export { customerHandlers } from './customers.ts'
export { customerDetailsHandlers, changeDetails } from './details.ts'
export { addLot, listLots, lotHandlers } from './lots.ts'
export { setStatusOf } from './set-status.ts'
