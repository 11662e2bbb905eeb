import { type RawBuilder, sql } from 'kysely'
import {
  type campaignRecipients,
  LEFT_OUT_LATER,
  Recipient,
  RECIPIENT_LIST,
} from '#contract/marketing/campaigns/recipients.ts'
import type { Handlers } from '#server/http/serve.ts'
import { contains } from '#server/lists/contains.ts'
import { instant } from '#server/lists/json-text.ts'
import type { ListSource } from '#server/lists/list-source.ts'
import { inOrder, isOneOf, readPage } from '#server/lists/read-list.ts'
import { emailOfRecipient, lastConsent, recipientState } from './recipients.ts'

/** SQL: the sentence about the reason why someone was left out, or what the mail server said. */
const why: RawBuilder<string | null> = sql`case ${sql.join(
  Object.entries(LEFT_OUT_LATER).map(
    ([reason, text]) => sql`when r.reason = ${sql.lit(reason)} then ${sql.lit(text)}`,
  ),
  sql` `,
)} when m.refusal = 'suppressed' then ${sql.lit(LEFT_OUT_LATER.suppressed)} else m.error end`

/** SQL: the consent on which the email was sent; before that, the last one. */
const consent = (column: 'text' | 'at') =>
  sql`case when r.mailed_at is null then ${lastConsent(column)} else ${sql.ref(`r.consent_${column}`)} end`

/** The recipients of the campaigns within reach. */
export const recipientSource: ListSource<keyof typeof RECIPIENT_LIST.fields> = {
  list: RECIPIENT_LIST,
  from: sql`campaign_recipients r join campaigns c on c.customer_id = r.customer_id and c.id = r.campaign_id ${emailOfRecipient}`,
  table: sql`campaign_recipients r`,
  within: (actor) => sql`r.customer_id = ${actor.customerId}`,
  id: sql`r.id`,
  title: sql`coalesce(r.name, r.email)`,
  fields: {
    name: { value: sql`coalesce(r.name, r.email)`, isNeverNull: true },
    email: { value: sql`r.email`, isNeverNull: true },
    campaignName: { value: sql`c.name`, joins: 'value', isNeverNull: true },
    state: { value: recipientState, joins: 'value', isNeverNull: true },
    why: { value: why, joins: 'value' },
    mailedAt: { value: sql`r.mailed_at` },
    unsubscribedAt: { value: sql`r.unsubscribed_at` },
    consent: { value: consent('text') },
    consentAt: { value: consent('at') },
  },
  searchJoins: true,
  search: (text) => contains([sql.ref('r.name'), sql.ref('r.email'), sql.ref('c.name')], text),
}

export const campaignRecipientHandlers: Handlers<typeof campaignRecipients> = {
  async list({ db, actor, input }) {
    const { ids, ...counts } = await readPage(db, actor, recipientSource, input)
    const { rows } = await sql<Recipient>`
      select r.id::text, c.id::text as campaign_id, c.name as campaign_name, r.person_id::text, r.name, r.email,
        ${recipientState} as state, ${why} as why, ${instant(sql`r.mailed_at`)} as mailed_at,
        ${instant(sql`r.unsubscribed_at`)} as unsubscribed_at, ${consent('text')} as consent, ${instant(consent('at'))} as consent_at
      from ${recipientSource.from} where r.customer_id = ${actor.customerId} and ${isOneOf(recipientSource, ids)}`.execute(
      db,
    )
    return { ...counts, results: inOrder(ids, Recipient.array().parse(rows)) }
  },
}
