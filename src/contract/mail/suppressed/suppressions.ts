import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { listQuery, queriedList } from '#contract/queried-list.ts'
import { SUPPRESSION_LIST } from './suppression-list.ts'

export const SUPPRESSION_REASONS = ['bounced', 'complained'] as const

/** An address that no longer receives the customer's emails. */
export const SuppressedAddress = z.object({
  id: z.string(),
  email: z.string(),
  reason: z.enum(SUPPRESSION_REASONS),
  /** The recipient server's message. */
  detail: z.string().nullable(),
  createdAt: Instant,
})
export type SuppressedAddress = z.infer<typeof SuppressedAddress>

export const suppressions = {
  list: endpoint({
    method: 'GET',
    path: '/api/administration/get-suppressed-addresses',
    allow: can(Func.emailHandlers, Opr.list),
    summary: 'Lists the addresses that no longer receive emails, as a queried list.',
    input: listQuery(SUPPRESSION_LIST),
    output: queriedList(SuppressedAddress),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/administration/delete-suppressed-address/{id}',
    allow: can(Func.emailHandlers, Opr.delete),
    summary: 'Removes an address from the list, so that emails are sent to it again.',
    input: z.strictObject({ id: Id }),
    changes: ['/api/administration/get-suppressed-addresses'],
  }),
}
