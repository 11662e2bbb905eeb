// Home builds on all domains: the dashboard, global search and health checks.
// It owns no data; it reads what the domains own.
// Its rules come from the specification, section 2, and docs/decisions.
export { dashboardHandlers } from './dashboard.ts'
export { healthHandlers } from './health.ts'
export { beginOutgoing, outgoingHandlers, readOutgoing } from './outgoing.ts'
export { searchHandlers } from './search.ts'
export { tenantBadges } from './menu-badges.ts'
