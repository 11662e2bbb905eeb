// Administration owns reading the audit log.
// It does not own what is logged: triggers and each domain's events write it.
// Its rules come from the specification, section 6, and docs/decisions.
export { changesOf } from './audit-changes.ts'
export type { Image } from './read-names.ts'
export { auditHandlers, auditSource } from './audit-log.ts'
