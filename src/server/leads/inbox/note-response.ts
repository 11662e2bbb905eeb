import { sql } from 'kysely'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { ownUserId } from './assign-lead.ts'
import { readLeadClock, responseTimes } from './lead-clock.ts'
import type { LockedLead } from './lock-lead.ts'

/**
 * Notes that a person answered the buyer. The first answer is measured; it also accepts the lead, for its owner or for the
 * user who answered a lead without one.
 */
export async function noteResponse(
  db: Database,
  lead: LockedLead,
  { actor, channel }: { actor: Member; channel: 'email' | 'call' },
): Promise<void> {
  const now = clock.date()
  const owner = ownUserId(actor)
  const isFirst = lead.firstResponseAt === null
  // No one could answer it while it was in quarantine.
  const from = new Date(lead.releasedAt ?? lead.receivedAt)
  const times = isFirst ? responseTimes(await readLeadClock(db, lead), from, now) : {}
  await db
    .updateTable('leads')
    .set({
      unansweredSince: null,
      ...(isFirst && {
        firstResponseAt: now.toISOString(),
        firstResponseBy: actor.effectiveFullName,
        firstResponseChannel: channel,
        ...times,
      }),
      acceptedAt: sql`coalesce(accepted_at, ${now.toISOString()})`,
      acceptBy: null,
      ...(lead.ownerId === null && owner !== null && { ownerId: owner, assignedAt: now.toISOString() }),
    })
    .where('id', '=', lead.id)
    .execute()
}
