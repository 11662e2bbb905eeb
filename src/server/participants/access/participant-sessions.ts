import { randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type pg from 'pg'
import { SESSION_HOURS, SESSION_IDLE_MINUTES } from '#contract/participants/area/participant-area.ts'
import { batched } from '#server/database/batched.ts'
import type { DB } from '#server/database/schema.ts'
import { asIdentity, type Database, inTenant } from '#server/database/tenant-transaction.ts'
import type { Participant, Visit } from '#server/http/actor.ts'
import { Failure, unauthenticated } from '#server/http/failure.ts'
import { participantScope } from '#server/http/scope-of.ts'
import { hashSecret } from './hash-secret.ts'

/** Marks a participant's token, so that it is never mistaken for another. */
const PREFIX = 'fcp_'
const ENDED = 'Your session has ended. Open your invitation link again.'
/** Nothing tells an unknown link from one that expired, was revoked, was replaced or was used. */
export const DEAD_LINK =
  "This link doesn't work. It may have expired or been replaced by a newer one. Ask the person who sent it for a new link."

type Row = Omit<Participant, 'sessionExpiresAt'>
/** From `assessment_participants p`, with its organization and customer. */
const person = sql`p.id::text as participant_id, p.name as full_name, p.language, p.customer_id::text,
  p.organization_id::text, coalesce(o.time_zone, c.time_zone) as time_zone`
const places = sql`join organizations o on o.customer_id = p.customer_id and o.id = p.organization_id and o.archived_at is null
  join customers c on c.id = p.customer_id and c.status = 'active'`

/**
 * Identifies a participant by the token of their session. Access ends when all their invitations are revoked.
 * @throws Failure 401
 */
export async function authenticateParticipant(iam: Kysely<DB>, { bearer }: Visit): Promise<Participant> {
  if (bearer === null) throw unauthenticated('Open your invitation link to continue.')
  if (!bearer.startsWith(PREFIX)) throw unauthenticated(ENDED)
  const { rows } = await sql<Participant & { isStale: boolean }>`
    select ${person}, s.last_active_at < app_now() - interval '1 minute' as is_stale,
      least(s.ends_at, s.last_active_at + ${SESSION_IDLE_MINUTES} * interval '1 minute')::text as session_expires_at
    from iam.participant_sessions s
    join assessment_participants p on p.customer_id = s.customer_id and p.id = s.participant_id
    ${places}
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
  return participant
}

type FoundLink = Row & { invitationId: string; targetId: string }

/** Opens invitation links. Links are looked up together, so that guessed ones take no connections from those who were invited. */
export function makeInvitationOpener({ iam, pool }: { iam: Kysely<DB>; pool: pg.Pool }) {
  const findLink = batched(async (hashes): Promise<ReadonlyMap<string, FoundLink>> => {
    const { rows } = await sql<FoundLink & { hash: string }>`
      select ${person}, i.id::text as invitation_id, i.target_id::text, encode(l.token_hash, 'hex') as hash
      from iam.participant_links l
      join assessment_invitations i on i.customer_id = l.customer_id and i.id = l.invitation_id
      join assessment_participants p on p.customer_id = i.customer_id and p.id = i.participant_id
      ${places}
      where l.token_hash = any(${hashes.map((hash) => Buffer.from(hash, 'hex'))}::bytea[]) and i.expires_at > app_now()
        and i.state not in ('submitted', 'revoked')`.execute(iam)
    return new Map(rows.map(({ hash, ...found }) => [hash, found]))
  })

  /**
   * Begins a session with the token of a link. It does not use up the link: only submitting does.
   * @throws Failure 404, always the same
   */
  return async (token: string): Promise<{ accessToken: string; participantId: string; targetId: string }> => {
    const linkHash = hashSecret(token)
    const found = await findLink(linkHash.toString('hex'))
    if (found === undefined) throw new Failure(404, DEAD_LINK)
    const { invitationId, targetId, ...participant } = found
    const accessToken = `${PREFIX}${randomBytes(32).toString('base64url')}`
    const scope = participantScope(
      { ...participant, sessionExpiresAt: '' },
      { endpoint: 'participantArea.open', isReadOnly: false },
    )
    await inTenant(pool, scope, async (db) => {
      // The invitation's row is locked before the link is read: whoever replaces or revokes it does the same.
      await sql`
        update assessment_invitations set opened_at = coalesce(opened_at, app_now()),
          state = case when state in ('created', 'sent', 'bounced') then 'opened' else state end
        where id = ${invitationId} and state not in ('submitted', 'revoked')`.execute(db)
      const { rows } = await sql`
        insert into iam.participant_sessions (token_hash, customer_id, participant_id, invitation_id, last_active_at, ends_at)
        select ${hashSecret(accessToken)}, customer_id, ${participant.participantId}, invitation_id, app_now(),
          app_now() + ${SESSION_HOURS} * interval '1 hour'
        from iam.participant_links where token_hash = ${linkHash} returning 1`.execute(asIdentity(db))
      // It was revoked, replaced or used at this moment.
      if (rows.length === 0) throw new Failure(404, DEAD_LINK)
    })
    return { accessToken, participantId: participant.participantId, targetId }
  }
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
