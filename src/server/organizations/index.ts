// Owns the legal entities and rooftops of a customer, their facilities, and which users can switch to which.
// Doesn't own users (identity), lots (customers) or the emissions of facilities (carbon).
// Rules: specification, sections 3 and 7, and docs/decisions.
export { isOpenOrganization, requireOpenLot } from './archive.ts'
export { foundCustomer, type FoundedCustomer } from './found-customer.ts'
export { facilityHandlers } from './facilities/facilities.ts'
export { readFacilities } from './facilities/facility-rows.ts'
export { addFacility } from './facilities/facility-writes.ts'
export { organizationSource } from './organization-source.ts'
export {
  findableOrganizations,
  organizationHandlers,
  readOrganization,
  setTimeZone,
  type ZoneConsent,
} from './organizations.ts'
export { changeProfile, organizationProfileHandlers } from './profile/profiles.ts'
export { isReached, requireReach } from './reached.ts'
export { setUpHandlers, setUpLink, setUpState } from './profile/set-up.ts'
