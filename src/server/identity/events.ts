import type { Kysely } from 'kysely'
import type { DB } from '#server/database/schema.ts'
import type { Actor, Origin, Participant } from '#server/http/actor.ts'
import type { SessionRow } from './sessions/sessions.ts'

/** A user, or a participant, who has no ID. */
type By = Pick<Actor, 'fullName' | 'effectiveFullName' | 'origin'> & {
  userId: string | null
  effectiveUserId: string | null
}

export type Event = {
  /** The customer whose audit log gets the event. */
  customerId: string
  organizationId?: string | null
  /** Who did it; null for the product itself and for anonymous callers. */
  by: By | null
  /** The endpoint's name in the contract. */
  endpoint: string
  table: string
  rowId: string
  what: string
  /** Where the request came from, if `by` doesn't say it. */
  origin?: Origin | null
  /** Further details, such as the number of rows or the filter. */
  more?: Readonly<Record<string, unknown>>
}

/**
 * Adds an event to the audit log for an action that changes no row of a tenant, such as something sent, shown
 * or ended.
 */
export async function noteEvent(iam: Kysely<DB>, event: Event): Promise<void> {
  const { by } = event
  const origin = by?.origin ?? event.origin
  await iam
    .insertInto('auditLog')
    .values({
      customerId: event.customerId,
      organizationId: event.organizationId ?? null,
      actorUserId: by?.userId ?? null,
      actorName: by?.fullName ?? null,
      effectiveUserId: by?.effectiveUserId ?? null,
      effectiveName: by === null || by.effectiveUserId === by.userId ? null : by.effectiveFullName,
      endpoint: event.endpoint,
      operation: 'event',
      tableName: event.table,
      rowId: event.rowId,
      address: origin?.address ?? null,
      device: origin?.device ?? null,
      after: JSON.stringify({ event: event.what, ...event.more }),
    })
    .execute()
}

/** Logs that a user or a participant took a file out. */
export function noteDownload(
  iam: Kysely<DB>,
  actor: Actor | Participant,
  { endpoint, name }: { endpoint: string; name: string },
): Promise<void> {
  const isUser = 'userId' in actor
  return noteEvent(iam, {
    customerId: actor.customerId,
    organizationId: isUser && actor.reach === 'customer' ? null : actor.organizationId,
    by: isUser ? actor : { ...NO_USER, fullName: actor.fullName, origin: actor.origin },
    endpoint,
    table: 'downloads',
    rowId: '',
    what: `downloaded ${name}`,
  })
}
const NO_USER = { userId: null, effectiveUserId: null, effectiveFullName: '' }

/** Logs the forced end of a session in the audit log of the customer it acted in. */
export function noteRevocation(iam: Kysely<DB>, session: SessionRow, what: string): Promise<void> {
  return noteEvent(iam, {
    customerId: session.actingCustomerId,
    organizationId: session.organizationId,
    by: session,
    endpoint: 'auth.refreshToken',
    table: 'sessions',
    rowId: session.id,
    what,
  })
}
