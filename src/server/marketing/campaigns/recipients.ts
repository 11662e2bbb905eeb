import { type RawBuilder, sql } from 'kysely'
import { RECIPIENT_STATES, type RecipientState } from '#contract/marketing/campaigns/recipients.ts'
import type { Database } from '#server/database/tenant-transaction.ts'

/** SQL: a program opened a link, or a person did, in the email of the recipient `r`. */
const clickedBy = (
  kind: 'person' | 'any',
): RawBuilder<boolean> => sql<boolean>`exists (select from campaign_clicks k
  where k.customer_id = r.customer_id and k.campaign_id = r.campaign_id and k.recipient_id = r.id
    ${kind === 'person' ? sql`and k.kind = 'person'` : sql``})`

/** SQL: what became of the email to the recipient `r`, from its email `m` and what its reader did. */
export const recipientState: RawBuilder<RecipientState> = sql<RecipientState>`case
  when r.state = 'left-out' then 'left-out'
  when r.state = 'queued' then 'queued'
  when m.refusal = 'suppressed' then 'left-out'
  when m.outcome = 'complained' then 'complained'
  when r.unsubscribed_at is not null then 'unsubscribed'
  when ${clickedBy('person')} then 'clicked'
  when m.outcome = 'bounced' then 'bounced'
  when m.outcome in ('opened', 'clicked') then 'opened'
  when m.outcome = 'delivered' then 'delivered'
  when m.in_doubt then 'in-doubt'
  when m.state = 'sent' then 'sent'
  when m.state = 'waiting' then 'queued'
  when m.is_refused then 'bounced'
  else 'not-sent' end`

/** SQL: the email `m` of the recipient `r`. */
export const emailOfRecipient = sql`left join lateral (select o.state, o.outcome, o.in_doubt, o.error, o.sent_at, o.refusal,
      coalesce(o.refusal = 'server', false) as is_refused
    from outbox_mails o where o.customer_id = r.customer_id and o.id = r.mail_id) m on true`

/** SQL: recipients of a campaign with their emails. */
export const recipientsOf = (campaignId: string): RawBuilder<unknown> =>
  sql`campaign_recipients r ${emailOfRecipient} where r.campaign_id = ${campaignId}`

/** How many recipients of a campaign are in each state. */
export async function countRecipients(
  db: Database,
  id: string,
): Promise<{ state: RecipientState; count: number }[]> {
  const { rows } = await sql<{ state: RecipientState; count: number }>`
    select ${recipientState} as state, count(*)::int as count from ${recipientsOf(id)} group by 1`.execute(db)
  return RECIPIENT_STATES.flatMap(({ value }) => rows.find(({ state }) => state === value) ?? [])
}

/** What waits in the outbox, and no server sends now, goes back: its recipients are queued again. A mail server that deferred one doesn't have it. */
export async function takeBack(db: Database, campaignId: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update outbox_mails m set state = 'failed', next_attempt_at = null, error = 'The campaign was paused before this email left.'
    from campaign_recipients r
    where r.campaign_id = ${campaignId} and m.id = r.mail_id and m.customer_id = r.customer_id
      and m.state = 'waiting' and m.lease is null
    returning m.id::text`.execute(db)
  await sql`update campaign_recipients set state = 'queued', mail_id = null, mailed_at = null
    where campaign_id = ${campaignId} and mail_id = any(${rows.map(({ id }) => id)}::bigint[])`.execute(db)
}

/** SQL: the last consent to offers by email that the person of recipient `r` gave under any of their records. */
export const lastConsent = (
  columns: 'text' | 'at' | 'text, at',
) => sql`(select ${sql.raw(columns)} from consent_events e
  where e.customer_id = r.customer_id and e.person_id = any(array(select o.id from people p join people o
      on o.customer_id = p.customer_id and coalesce(o.merged_into_id, o.id) = coalesce(p.merged_into_id, p.id)
    where p.customer_id = r.customer_id and p.id = r.person_id))
    and e.kind = 'given' and e.purpose = 'marketing' and e.channel = 'email' order by e.at desc, e.id desc limit 1)`
