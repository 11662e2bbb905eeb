// Customers owns the customer's own data: its lots, details and lead routing.
// It does not own vehicles (inventory) or organizations, which it only refers to.
// Its rules come from the specification, section 2, and docs/decisions.
export { changeLotsHandlers, lotJobs } from './lots/change-lots.ts'
export { dealerIdHandlers, lotsByDealerId, noteUnmatchedDealers } from './dealer-ids/dealer-ids.ts'
export { customerHandlers } from './customers/customers.ts'
export { customerSource } from './customers/customer-list.ts'
export { holdCustomFields, readCustomFields } from './custom-fields/custom-fields.ts'
export {
  customerDetailsHandlers,
  changeDetails,
  readDetails,
  readDisclaimers,
  requireDetailsReach,
  updateDetails,
} from './details/details.ts'
export { findableCustomers } from './customers/customer-list.ts'
export { foundSource } from './customers/find-users.ts'
export { findableLots, lotHandlers, lotTable, updateLot } from './lots/lots.ts'
export type { PriceConsent } from './price-consent.ts'
export { setStatusOf } from './customers/set-status.ts'
export { type LotZones, useCustomerTimeZone, useLotTimeZones } from './details/time-zone.ts'
