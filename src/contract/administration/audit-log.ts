import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Id, Instant } from '../fields.ts'
import { can, Func, Opr } from '../permissions.ts'
import { listQuery, queriedList } from '../queried-list.ts'
import { AUDIT_LIST } from './audit-list.ts'

/** Who did what to which row, and when. Names are kept as they were. */
export const AuditEntry = z.object({
  id: z.string(),
  at: Instant,
  /** The real person; null for the product itself and for strangers. */
  actor: z.string().nullable(),
  /** In whose skin; null as oneself. */
  effective: z.string().nullable(),
  operation: z.enum(['insert', 'update', 'delete', 'event']),
  /** The table, for instance `lots`. */
  kind: z.string(),
  rowId: z.string(),
  /** What the row was called, or the event; the row's number where it has no name. */
  what: z.string(),
  /** The contract's name of the call, for instance `lots.update`. */
  call: z.string().nullable(),
})
export type AuditEntry = z.infer<typeof AuditEntry>

/** Null: nothing was there. What is secret stands covered. */
const value = z.string().nullable()

export const AuditChange = z.object({
  /** In words: "price", "postal code". */
  field: z.string(),
  before: value,
  after: value,
  /** It is kept covered: only that it is there can be told. */
  isCovered: z.boolean(),
})
export type AuditChange = z.infer<typeof AuditChange>

export const OpenAuditEntry = AuditEntry.extend({
  organizationName: z.string().nullable(),
  /** Of a change the fields that differ; of an added or deleted row those that hold something; of an event what it tells. */
  changes: z.array(AuditChange),
})
export type OpenAuditEntry = z.infer<typeof OpenAuditEntry>

export const auditLog = {
  list: endpoint({
    method: 'GET',
    path: '/api/administration/get-audit-log',
    allow: can(Func.auditLog, Opr.list),
    summary:
      'What was done, by whom and in whose skin, newest first; without what rows were before and after.',
    input: listQuery(AUDIT_LIST),
    output: queriedList(AuditEntry),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/administration/audit-log/{id}',
    allow: can(Func.auditLog, Opr.read),
    summary:
      'One entry, field by field before and after. Secrets are covered, costs are for those who may see them.',
    input: z.strictObject({ id: Id }),
    output: OpenAuditEntry,
  }),
}
