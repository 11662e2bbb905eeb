// Customers owns the customer's own data: its lots, details and lead routing.
// It does not own vehicles (inventory) nor organizations, which it only refers to.
// Its rules come from the specification, section 2, and docs/decisions.
export { changeLotsHandlers, lotJobs } from './change-lots.ts'
export { dealerIdHandlers, lotsByDealerId, noteUnmatchedDealers } from './dealer-ids.ts'
export { customerHandlers } from './customers.ts'
export { customerSource } from './customers-list.ts'
export { readCustomFields } from './custom-fields.ts'
export { customerDetailsHandlers, changeDetails } from './details.ts'
export { findableCustomers } from './customers-list.ts'
export { foundSource } from './find-people.ts'
export { addLot, findableLots, lotHandlers, lotSource } from './lots.ts'
export { setStatusOf } from './set-status.ts'
