import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Instant } from '../fields.ts'
import { can, Func, Opr } from '../permissions.ts'

/** Everything that leaves the product, or is fetched by it, without a user who waits for it. */
export const OUTGOING_KINDS = [
  { value: 'leads', label: 'Leads to CRM systems', about: 'Webhooks, ADF and email' },
  { value: 'emails', label: 'Emails', about: 'Replies, invitations, notices, links and codes' },
  { value: 'reminders', label: 'Reminders', about: 'Scheduled emails of inventories and assessments' },
  { value: 'channels', label: 'Channel files', about: 'Sent by SFTP, FTPS and HTTPS' },
  { value: 'feeds', label: 'Feeds', about: 'Fetched from servers, and deleted or moved there' },
] as const
export const OutgoingKind = z.enum(OUTGOING_KINDS.map(({ value }) => value))
export type OutgoingKind = z.infer<typeof OutgoingKind>

const count = z.number().int()

/** What waits of one kind, across customers that are active. */
export const WaitingWork = z.object({
  kind: OutgoingKind,
  /** Leaves as soon as the installation is the real one. */
  due: count,
  /**
   * What can be discarded: leads, emails and reminders from the backup, which the original may have sent since; files and feeds
   * whose time has passed, which then wait for their next scheduled time.
   */
  discardable: count,
  /** Since when the oldest is due; null if none is. */
  oldestAt: Instant.nullable(),
  /** When the next one is due that isn't yet; null if none will be. */
  nextAt: Instant.nullable(),
})
export type WaitingWork = z.infer<typeof WaitingWork>

export const OutgoingWork = z.object({
  /** When the backup was restored; null for the real installation, whose work doesn't wait and isn't listed. */
  restoredAt: Instant.nullable(),
  waiting: z.array(WaitingWork),
})
export type OutgoingWork = z.infer<typeof OutgoingWork>

/** How much was discarded, by kind. */
const OutgoingBegun = z.object({ discarded: z.array(z.object({ kind: OutgoingKind, count })) })
export type OutgoingBegun = z.infer<typeof OutgoingBegun>

export const outgoing = {
  get: endpoint({
    method: 'GET',
    path: '/api/administration/get-outgoing-work',
    allow: can(Func.customers, Opr.read),
    summary: 'Returns what waits in a restored copy, which sends and fetches nothing, across all customers.',
    output: OutgoingWork,
  }),
  begin: endpoint({
    method: 'POST',
    path: '/api/administration/begin-outgoing-work',
    allow: can(Func.customers, Opr.administer),
    summary:
      'Declares a restored copy the real installation: what waits leaves now, except what can be discarded of the given kinds. Returns 409 if it is the real one already.',
    input: z.strictObject({ discards: z.array(OutgoingKind).max(OUTGOING_KINDS.length) }),
    output: OutgoingBegun,
    changes: ['/api/administration/get-outgoing-work', '/api/administration/get-health', '/api/auth/me'],
  }),
}
