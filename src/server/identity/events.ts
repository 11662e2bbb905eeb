import type { Kysely } from 'kysely'
import type { DB } from '#server/database/schema.ts'
import type { Actor } from '#server/http/actor.ts'
import type { SessionRow } from './sessions/sessions.ts'

export type Event = {
  /** The customer in whose audit log it stands. */
  customerId: string
  organizationId?: string | null
  /** Who did it; null for the product itself and for strangers. */
  by: Pick<Actor, 'userId' | 'fullName' | 'effectiveUserId' | 'effectiveFullName'> | null
  /** The contract's name of the call. */
  endpoint: string
  table: string
  rowId: string
  what: string
  /** What else belongs to it: how many rows, by which filter. */
  more?: Readonly<Record<string, unknown>>
}

/** Puts into the audit log what changes no row of a tenant: what was sent, shown or ended. */
export async function noteEvent(iam: Kysely<DB>, event: Event): Promise<void> {
  const { by } = event
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
      after: JSON.stringify({ event: event.what, ...event.more }),
    })
    .execute()
}

/** Puts the forced end of a session into the audit log of the customer it acted in. */
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
