import { sql } from 'kysely'
import type { Invitations } from '#server/assessments/index.ts'
import { type InTenant, type Mailer, readRecipients, sendInvitations } from './send-invitations.ts'

/** What assessments send to people without an account. */
export function makeInvitations(mailer: Mailer): Invitations {
  return {
    inviteWaiting: (inTenant, of) => inviteWaiting(mailer, inTenant, of),
    mailReturned: (inTenant, of) => mailReturned(mailer, inTenant, of),
    async invite(inTenant, { ids, byName }) {
      const recipients = await inTenant((db) => readRecipients(db, ids))
      await sendInvitations(mailer, inTenant, recipients, { byName, message: null })
    },
    async remind(inTenant, people) {
      const byNames = new Map(people.map(({ id, byName }) => [id, byName]))
      const recipients = await inTenant((db) => readRecipients(db, [...byNames.keys()]))
      for (const recipient of recipients) {
        // Each has their own sender.
        // oxlint-disable-next-line no-await-in-loop
        await sendInvitations(mailer, inTenant, [recipient], {
          byName: byNames.get(recipient.id) ?? '',
          message: null,
          key: 'assessment-missing',
        })
      }
    },
  }
}

/** Emails new links to those who may change a target that was returned to them. Their former links are used up. */
async function mailReturned(
  mailer: Mailer,
  inTenant: InTenant,
  { targetId, byName, reason, delegates = [] }: Parameters<Invitations['mailReturned']>[1],
): Promise<void> {
  const recipients = await inTenant(async (db) => {
    const { rows } = await sql<{ id: string }>`
      select p.id::text from assessment_people p
      join assessment_invitations i on i.customer_id = p.customer_id and i.target_id = p.target_id
        and i.participant_id = p.participant_id
      where p.target_id = ${targetId} and p.role in ('owner', 'contributor') and i.state <> 'revoked'
        and (not p.is_delegate or p.id = any(${[...delegates]}::bigint[]) or (${reason !== null} and exists (
          select from assessment_delegations d where d.target_id = p.target_id and d.assignee_id = p.id)))`.execute(
      db,
    )
    const ids = rows.map(({ id }) => id)
    return ids.length === 0 ? [] : readRecipients(db, ids)
  })
  const key = reason === null ? 'assessment-changes' : 'assessment-reopened'
  await sendInvitations(mailer, inTenant, recipients, { byName, message: reason, key })
}

/** Emails the people of an assessment who have no invitation yet: after it was opened. */
async function inviteWaiting(
  mailer: Mailer,
  inTenant: InTenant,
  { assessmentId, byName }: { assessmentId: string; byName: string },
): Promise<void> {
  const recipients = await inTenant(async (db) => {
    const { rows } = await sql<{ id: string }>`
      select p.id::text from assessment_people p
      join assessment_targets t on t.customer_id = p.customer_id and t.id = p.target_id
      where t.assessment_id = ${assessmentId} and p.participant_id is not null
        and not exists (select from assessment_invitations i where i.customer_id = p.customer_id
          and i.target_id = p.target_id and i.participant_id = p.participant_id)`.execute(db)
    if (rows.length === 0) return []
    return readRecipients(
      db,
      rows.map(({ id }) => id),
    )
  })
  await sendInvitations(mailer, inTenant, recipients, { byName, message: null })
}
