import type { Kysely } from 'kysely'
import type { DB } from '#server/database/schema.ts'
import type { SessionRow } from './sessions.ts'

/** Puts the forced end of a session into the audit log of the customer it acted in. */
export async function noteRevocation(iam: Kysely<DB>, session: SessionRow, what: string): Promise<void> {
  await iam
    .insertInto('auditLog')
    .values({
      customerId: session.actingCustomerId,
      organizationId: session.organizationId,
      actorUserId: session.userId,
      actorName: session.fullName,
      effectiveUserId: session.effectiveUserId,
      endpoint: 'auth.refreshToken',
      operation: 'event',
      tableName: 'sessions',
      rowId: session.id,
      after: JSON.stringify({ event: what }),
    })
    .execute()
}
