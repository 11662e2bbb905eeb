import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Instant } from '#contract/fields.ts'
import { defineList } from '#contract/lists/list.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { listQuery, queriedList } from '#contract/queried-list.ts'

/** What became of the email to one recipient: the furthest that is known. */
export const RECIPIENT_STATES = [
  { value: 'queued', label: 'Queued' },
  { value: 'sent', label: 'Sent' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'opened', label: 'Opened' },
  { value: 'clicked', label: 'Clicked' },
  { value: 'unsubscribed', label: 'Unsubscribed' },
  { value: 'in-doubt', label: 'In doubt' },
  { value: 'bounced', label: 'Bounced' },
  { value: 'complained', label: 'Marked as spam' },
  { value: 'not-sent', label: 'Not sent' },
  { value: 'left-out', label: 'Left out' },
] as const
export type RecipientState = (typeof RECIPIENT_STATES)[number]['value']

/** Why someone was left out when their turn came. */
export const LEFT_OUT_LATER = {
  email: 'The email address was removed.',
  placeholder: "The email address isn't a real one.",
  suppressed: 'The address was suppressed.',
  consent: 'There is no consent to marketing emails anymore.',
  declined: 'Declined marketing emails.',
  revoked: 'Withdrew consent before the email was sent.',
  gone: 'The person was deleted.',
  duplicate: 'The same person as another recipient.',
  stopped: 'The campaign was stopped first.',
} as const

/** A person or address that a campaign is or was for. */
export const Recipient = z.object({
  id: z.string(),
  campaignId: z.string(),
  campaignName: z.string(),
  personId: z.string().nullable(),
  name: z.string().nullable(),
  email: z.string(),
  state: z.enum(RECIPIENT_STATES.map(({ value }) => value)),
  /** Why they were left out, or what the mail server said. */
  why: z.string().nullable(),
  mailedAt: Instant.nullable(),
  unsubscribedAt: Instant.nullable(),
  /** The consent that was given last, and when: of an imported list, its source and date. */
  consent: z.string().nullable(),
  consentAt: Instant.nullable(),
})
export type Recipient = z.infer<typeof Recipient>

export const RECIPIENT_LIST = defineList({
  key: 'campaign-recipients',
  title: 'Recipients',
  nouns: ['recipient', 'recipients'],
  page: '/dvp/campaigns/recipients',
  allow: can(Func.leads, Opr.list),
  exports: can(Func.leads, Opr.export),
  sort: '-mailedAt',
  fields: {
    name: { title: 'Name', kind: 'text', isFixed: true },
    email: { title: 'Email', kind: 'text', isSortable: true },
    campaignName: { title: 'Campaign', kind: 'text', isSortable: true, isFacet: true },
    state: { title: 'Status', kind: 'choice', isFacet: true, choices: RECIPIENT_STATES },
    mailedAt: { title: 'Sent', kind: 'moment', isSortable: true },
    why: { title: 'Reason', kind: 'text' },
    unsubscribedAt: { title: 'Unsubscribed', kind: 'moment', isSortable: true, isHidden: true },
    consent: { title: 'Consent', kind: 'text', isHidden: true },
    consentAt: { title: 'Consented', kind: 'moment', isHidden: true },
  },
})

export const campaignRecipients = {
  list: endpoint({
    method: 'GET',
    path: '/api/dvp/get-campaign-recipients',
    allow: can(Func.leads, Opr.list),
    summary:
      'Lists the recipients of campaigns with what became of each email, and the consent that each gave. Searches name, email and campaign.',
    input: listQuery(RECIPIENT_LIST),
    output: queriedList(Recipient),
  }),
}
