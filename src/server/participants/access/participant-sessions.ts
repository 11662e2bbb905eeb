import { sql, type Kysely } from 'kysely'
import { SESSION_IDLE_MINUTES } from '#contract/participants/area/participant-area.ts'
import type { DB } from '#server/database/schema.ts'
import { asIdentity, type Database } from '#server/database/tenant-transaction.ts'
import type { Participant, Visit } from '#server/http/actor.ts'
import { unauthenticated } from '#server/http/failure.ts'
import { originOf } from '#server/identity/index.ts'
import { hashSecret } from './hash-secret.ts'

/** Marks a participant's token, so that it is never mistaken for another. */
export const PARTICIPANT_TOKEN = 'fcp_'
const ENDED = 'Your session has ended. Open your invitation link again.'
/** From `assessment_participants p`, with its organization and customer. */
export const participantColumns = sql`p.id::text as participant_id, p.name as full_name, p.language, p.customer_id::text,
  p.organization_id::text, coalesce(o.time_zone, c.time_zone) as time_zone`
/** Only of those whose organization and customer are open. */
export const participantPlaces = sql`
  join organizations o on o.customer_id = p.customer_id and o.id = p.organization_id and o.archived_at is null
  join customers c on c.id = p.customer_id and c.status = 'active'`

/**
 * Identifies a participant by the token of their session. Access ends when all their invitations are revoked.
 * @throws Failure 401
 */
export async function authenticateParticipant(iam: Kysely<DB>, visit: Visit): Promise<Participant> {
  const { bearer } = visit
  if (bearer === null) throw unauthenticated('Open your invitation link to continue.')
  if (!bearer.startsWith(PARTICIPANT_TOKEN)) throw unauthenticated(ENDED)
  const { rows } = await sql<Participant & { isStale: boolean }>`
    select ${participantColumns}, s.last_active_at < app_now() - interval '1 minute' as is_stale,
      least(s.ends_at, s.last_active_at + ${SESSION_IDLE_MINUTES} * interval '1 minute')::text as session_expires_at
    from iam.participant_sessions s
    join assessment_participants p on p.customer_id = s.customer_id and p.id = s.participant_id
    ${participantPlaces}
    where s.token_hash = ${hashSecret(bearer)} and s.ends_at > app_now()
      and s.last_active_at > app_now() - ${SESSION_IDLE_MINUTES} * interval '1 minute'
      and exists (select from assessment_invitations i where i.customer_id = p.customer_id and i.participant_id = p.id
        and i.state <> 'revoked')`.execute(iam)
  const [found] = rows
  if (found === undefined) throw unauthenticated(ENDED)
  const { isStale, ...participant } = found
  if (isStale) {
    await sql`update iam.participant_sessions set last_active_at = app_now() where token_hash = ${hashSecret(bearer)}`.execute(
      iam,
    )
  }
  return { ...participant, origin: originOf(visit) }
}

/** Ends the session of a token. */
export async function endParticipantSession(db: Database, { bearer }: Visit): Promise<void> {
  await sql`delete from iam.participant_sessions where token_hash = ${hashSecret(bearer ?? '')}`.execute(
    asIdentity(db),
  )
}

/** Ends all sessions of a participant. */
export async function endSessionsOf(db: Database, customerId: string, participantId: string): Promise<void> {
  await sql`delete from iam.participant_sessions where customer_id = ${customerId}
    and participant_id = ${participantId}`.execute(asIdentity(db))
}

/** Ends the sessions that were begun with the links of invitations, when those are replaced or revoked. */
export async function endSessionsOfLinks(
  db: Database,
  customerId: string,
  invitationIds: readonly string[],
): Promise<void> {
  await sql`delete from iam.participant_sessions s where s.customer_id = ${customerId}
    and (s.invitation_id = any(${[...invitationIds]}::bigint[])
      or s.invitation_id is null and s.participant_id in (select i.participant_id from assessment_invitations i
        where i.customer_id = s.customer_id and i.id = any(${[...invitationIds]}::bigint[])))`.execute(
    asIdentity(db),
  )
}

/** Deletes sessions that have ended. Safe to run at any time. */
export async function sweepParticipantSessions(iam: Kysely<DB>): Promise<void> {
  await sql`delete from iam.participant_sessions where ends_at < app_now()
    or last_active_at < app_now() - ${SESSION_IDLE_MINUTES} * interval '1 minute'`.execute(iam)
}
