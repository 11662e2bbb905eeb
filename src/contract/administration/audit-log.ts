import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Id, Instant } from '../fields.ts'
import { can, Func, Opr } from '../permissions.ts'
import { listQuery, queriedList } from '../queried-list.ts'
import { AUDIT_LIST } from './audit-list.ts'

/** Who did what to which row, and when. Names are stored as they were at the time. */
export const AuditEntry = z.object({
  id: z.string(),
  at: Instant,
  /** The real user; null for the product itself and for callers who aren't signed in. */
  actor: z.string().nullable(),
  /** The impersonated user; null if none. */
  effective: z.string().nullable(),
  operation: z.enum(['insert', 'update', 'delete', 'event']),
  /** The table, for instance `lots`. */
  kind: z.string(),
  rowId: z.string(),
  /** The row's name at the time, or what happened; what kind of row it is if it has no name. */
  what: z.string(),
  /** The contract name of the endpoint, for instance `lots.update`. */
  call: z.string().nullable(),
  /** Where it was done from, and with what. Known for sign-ins, downloads and changes of what people may do. */
  address: z.string().nullable(),
  device: z.string().nullable(),
})
export type AuditEntry = z.infer<typeof AuditEntry>

/** Null if there was no value. Secrets are masked. */
const value = z.string().nullable()

export const AuditChange = z.object({
  /** The display name: "price", "postal code". */
  field: z.string(),
  before: value,
  after: value,
  /** The value is secret, and masked. */
  isCovered: z.boolean(),
})
export type AuditChange = z.infer<typeof AuditChange>

export const OpenAuditEntry = AuditEntry.extend({
  organizationName: z.string().nullable(),
  /** For a change, the fields that differ; for an added or deleted row, those with a value; for an event, its details. */
  changes: z.array(AuditChange),
})
export type OpenAuditEntry = z.infer<typeof OpenAuditEntry>

export const auditLog = {
  list: endpoint({
    method: 'GET',
    path: '/api/administration/get-audit-log',
    allow: can(Func.auditLog, Opr.list),
    summary:
      'Lists who did what, including impersonation, newest first, without the values before and after.',
    input: listQuery(AUDIT_LIST),
    output: queriedList(AuditEntry),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/administration/audit-log/{id}',
    allow: can(Func.auditLog, Opr.read),
    summary:
      'Returns one entry with the values before and after. Secrets are masked, and costs require permission.',
    input: z.strictObject({ id: Id }),
    output: OpenAuditEntry,
  }),
}
