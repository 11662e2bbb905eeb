// Administration owns the reading of the audit log.
// It does not own what is written there: triggers and each domain's events do that.
// Its rules come from the specification, section 6, and docs/decisions.
export { changesOf, type Image } from './audit-changes.ts'
export { auditHandlers, auditSource } from './audit-log.ts'
