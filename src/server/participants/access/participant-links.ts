import { randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type pg from 'pg'
import { SESSION_HOURS } from '#contract/participants/area/participant-area.ts'
import type { DB } from '#server/database/schema.ts'
import { asIdentity, inTenant } from '#server/database/tenant-transaction.ts'
import type { Participant } from '#server/http/actor.ts'
import { Failure } from '#server/http/failure.ts'
import { participantScope } from '#server/http/scope-of.ts'
import { hashSecret } from './hash-secret.ts'
import { PARTICIPANT_TOKEN, participantColumns, participantPlaces } from './participant-sessions.ts'

/** Nothing tells an unknown link from one that expired, was revoked, was replaced or was used. */
const DEAD_LINK =
  "This link doesn't work. It may have expired or been replaced by a newer one. Ask the person who sent it for a new link."

type FoundLink = Omit<Participant, 'sessionExpiresAt'> & { invitationId: string; targetId: string }

/** Opens invitation links. Links are looked up together, so that guessed ones take no connections from those who were invited. */
export function makeInvitationOpener({ iam, pool }: { iam: Kysely<DB>; pool: pg.Pool }) {
  const findLink = batched(async (hashes): Promise<ReadonlyMap<string, FoundLink>> => {
    const { rows } = await sql<FoundLink & { hash: string }>`
      select ${participantColumns}, i.id::text as invitation_id, i.target_id::text, encode(l.token_hash, 'hex') as hash
      from iam.participant_links l
      join assessment_invitations i on i.customer_id = l.customer_id and i.id = l.invitation_id
      join assessment_participants p on p.customer_id = i.customer_id and p.id = i.participant_id
      ${participantPlaces}
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
    const accessToken = `${PARTICIPANT_TOKEN}${randomBytes(32).toString('base64url')}`
    const scope = participantScope(
      { ...participant, sessionExpiresAt: '' },
      { endpoint: 'participantArea.open', isReadOnly: false },
    )
    await inTenant(pool, scope, async (db) => {
      // The invitation's row is locked before the link is read: replacing and revoking it does the same.
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

/**
 * Looks keys up together: those that arrive while a lookup runs share the next one. However many arrive, one connection is used
 * at a time, so that guessed keys take none from others.
 * @param lookUp finds the values of some different keys. A key that doesn't exist has none.
 */
export function batched<Value>(
  lookUp: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): (key: string) => Promise<Value | undefined> {
  let current: Promise<unknown> = Promise.resolve()
  let next: { keys: Set<string>; found: Promise<ReadonlyMap<string, Value>> } | null = null
  return async (key) => {
    if (next === null) {
      const keys = new Set<string>()
      const found = current.then(() => {
        next = null
        return lookUp([...keys])
      })
      current = found.catch(() => {})
      next = { keys, found }
    }
    next.keys.add(key)
    return (await next.found).get(key)
  }
}
