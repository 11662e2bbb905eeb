// Home stands on top of all domains: the dashboard, the search and the product's health.
// It owns no data; it tells what the domains hold.
// Its rules come from the specification, section 2, and docs/decisions.
export { dashboardHandlers } from './dashboard.ts'
export { healthHandlers } from './health.ts'
export { searchHandlers } from './search.ts'
