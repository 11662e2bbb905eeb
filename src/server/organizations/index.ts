// Organizations owns the legal entities and rooftops of a customer and who may switch to which.
// It does not own people (identity) nor what stands in an organization (customers, carbon).
// Its rules come from the specification, sections 3 and 7, and docs/decisions.
export { foundCustomer, type FoundedCustomer } from './found-customer.ts'
export { findableOrganizations, organizationHandlers, organizationSource } from './organizations.ts'
export { setUpHandlers, setUpLink } from './set-up.ts'
