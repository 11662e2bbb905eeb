import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { Invitation, KnownParticipant } from '#contract/participants/invitations/participants.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { instant } from '#server/lists/json-text.ts'

/**
 * Joins one row by its key. As an ordinary join, PostgreSQL combines all people with all invitations and all emails first while it
 * has no statistics of them yet: 200 people added at once took longer than a request may.
 */
const byKey = (rows: RawBuilder<unknown>, name: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`join lateral (select x.* from ${rows} offset 0) ${name} on true`

/** A person `p` of a target: the target `t`, its organization `o` and facility `f`, who they are `ap`, the invitation `i`. */
export const ofPerson = sql`
    join assessment_targets t on t.customer_id = p.customer_id and t.id = p.target_id
    join organizations o on o.customer_id = t.customer_id and o.id = t.organization_id
    ${byKey(
      sql`assessment_participants x where x.customer_id = p.customer_id and x.id = p.participant_id`,
      sql`ap`,
    )}
    left ${byKey(sql`facilities x where x.customer_id = t.customer_id and x.id = t.facility_id`, sql`f`)}
    left ${byKey(
      sql`assessment_invitations x where x.customer_id = p.customer_id and x.target_id = p.target_id
        and x.participant_id = p.participant_id`,
      sql`i`,
    )}`

/** The people of targets who have no account, with their invitations. The condition is on `p` (person), `t` or `i`. */
export async function readInvitations(db: Database, condition: RawBuilder<SqlBool>): Promise<Invitation[]> {
  const { rows } = await sql<Invitation>`
    select p.id::text, p.target_id::text, coalesce(f.name, o.name) as target_name,
      o.name as organization_name, ap.id::text as participant_id, ap.name, ap.email, ap.language, p.role, p.is_delegate,
      case when i.id is null then 'created'
        when i.state in ('submitted', 'revoked') then i.state
        when i.expires_at <= app_now() then 'expired'
        else i.state end as state,
      i.invited_by, ${instant(sql`i.expires_at`)} as expires_at, ${instant(sql`i.sent_at`)} as sent_at,
      ${instant(sql`i.bounced_at`)} as bounced_at, ${instant(sql`i.opened_at`)} as opened_at,
      ${instant(sql`i.started_at`)} as started_at, ${instant(sql`i.submitted_at`)} as submitted_at,
      ${instant(sql`i.revoked_at`)} as revoked_at, m.state as mail_state
    from assessment_people p
    ${ofPerson}
    left ${byKey(sql`outbox_mails x where x.customer_id = i.customer_id and x.id = i.mail_id`, sql`m`)}
    where ${condition}
    order by o.name, target_name, p.target_id, p.role = 'owner' desc, ap.name, p.id`.execute(db)
  return Invitation.array().parse(rows)
}

/** People who were added before. The condition is on `assessment_participants`. */
export async function readParticipants(
  db: Database,
  condition: RawBuilder<SqlBool>,
): Promise<KnownParticipant[]> {
  const { rows } = await sql<KnownParticipant>`
    select id::text, organization_id::text, name, email, language from assessment_participants
    where ${condition} order by name, id limit 50`.execute(db)
  return KnownParticipant.array().parse(rows)
}
