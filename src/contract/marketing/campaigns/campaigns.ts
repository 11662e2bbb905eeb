import { z } from 'zod'
import { crud } from '#contract/crud.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant, Version } from '#contract/fields.ts'
import { defineList } from '#contract/lists/list.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { field, flag, optionalText, record, requiredText } from '#contract/record.ts'
import { Audience, AudienceCount, EVERYONE } from './audience.ts'
import { CampaignFunnel } from './funnel.ts'
import { RECIPIENT_STATES } from './recipients.ts'

export const CAMPAIGN_STATES = [
  { value: 'draft', label: 'Draft' },
  { value: 'scheduled', label: 'Scheduled' },
  { value: 'sending', label: 'Sending' },
  { value: 'paused', label: 'Paused' },
  { value: 'stopped', label: 'Stopped' },
  { value: 'finished', label: 'Finished' },
] as const
export type CampaignState = (typeof CAMPAIGN_STATES)[number]['value']

/** Why the product paused or stopped it. */
export const CAMPAIGN_REASONS = {
  missed: 'The time to start was missed by more than an hour. Resume to send now.',
  restored:
    'This installation was restored from a backup. Some of these emails may have been sent since. Resume to send the rest.',
  bounces: 'Stopped because 5% or more of the emails bounced.',
  complaints: 'Stopped because 0.3% or more of the recipients marked the email as spam.',
  vehicles: 'Stopped because none of its vehicles is for sale anymore.',
} as const
export type CampaignReason = keyof typeof CAMPAIGN_REASONS
const REASONS = ['missed', 'restored', 'bounces', 'complaints', 'vehicles'] as const

/** In one email. */
export const MAX_VEHICLES = 12
/** What marks the visits that a campaign brings. `utm_campaign` is the code of the campaign. */
export const CAMPAIGN_UTM = { source: 'newsletter', medium: 'email' } as const

const text = (label: string, max: number) =>
  field(label, {
    input: z
      .string(`${label} must be text.`)
      .trim()
      .max(max, `${label} may have at most ${max} characters.`)
      .optional(),
    stored: z.string(),
    blank: '',
  })
const reference = (label: string) =>
  field(label, { input: Id.nullable().optional(), stored: z.string().nullable(), blank: null })
const time = (label: string, initial: string) =>
  field(label, {
    input: z
      .string(`${label} must be a time.`)
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, `${label} must look like 09:00.`)
      .optional(),
    stored: z.string(),
    blank: initial,
  })

/** A campaign, with its fields in form order: the email, who gets it, and when. */
export const campaignRecord = record(
  {
    name: requiredText('Name', 100),
    lotId: field('Lot', {
      input: z.string('Choose a lot.').regex(/^\d{1,18}$/, 'Choose a lot.'),
      stored: z.string(),
      blank: '',
    }),
    /** Null: the default one. */
    handlerId: reference('Email handler'),
    subject: text('Subject', 120),
    headline: text('Headline', 120),
    text: text('Text', 4_000),
    vehicleIds: field('Vehicles', {
      input: z
        .array(Id, 'Vehicles must be a list.')
        .max(MAX_VEHICLES, `An email may show at most ${MAX_VEHICLES} vehicles.`)
        .optional(),
      stored: z.array(z.string()),
      blank: [],
    }),
    button: text('Button', 40),
    pageId: reference('Promo page'),
    disclaimer: optionalText('Disclaimer', 1_000),
    audience: field('Audience', { input: Audience.optional(), stored: Audience, blank: EVERYONE }),
    sendOn: field('First day', {
      input: z
        .union([z.null(), z.literal('').transform(() => null), z.iso.date('Enter a date.')], 'Enter a date.')
        .optional(),
      stored: z.string().nullable(),
      blank: null,
    }),
    sendAt: time('Start', '09:00'),
    weekdays: field('Days', {
      input: z
        .array(z.int().min(1).max(7), 'Choose days of the week.')
        .min(1, 'Choose at least one day of the week.')
        .max(7)
        .optional(),
      stored: z.array(z.number().int()),
      blank: [1, 2, 3, 4, 5, 6],
    }),
    windowFrom: time('Earliest', '09:00'),
    windowTo: time('Latest', '18:00'),
    perHour: field('Emails an hour', {
      input: z
        .int('Emails an hour must be a whole number.')
        .min(1, 'Send at least 1 email an hour.')
        .max(20_000, 'At most 20,000 emails an hour.')
        .optional(),
      stored: z.number().int(),
      blank: 500,
    }),
    rampsUp: flag('Start slowly (new sending domain)', { initial: false }),
  },
  {
    readOnly: {
      organizationId: z.string(),
      state: z.enum(CAMPAIGN_STATES.map(({ value }) => value)),
      reason: z.enum(REASONS).nullable(),
      /** `utm_campaign` of its visits, and the key of its short URL. */
      code: z.string(),
      lotName: z.string(),
      lotZone: z.string(),
      pageName: z.string().nullable(),
      startsAt: Instant.nullable(),
      startedAt: Instant.nullable(),
      endedAt: Instant.nullable(),
      /** Addresses that it is for, once it began to send. */
      recipients: z.number().int(),
      /** Of them, those whose email a mail server accepted. */
      sent: z.number().int(),
      unsubscribed: z.number().int(),
      /** People who clicked, without programs. */
      clicked: z.number().int(),
      /** Leads that came by it, as far as the reader may see them. */
      leads: z.number().int(),
      /** The chosen vehicles, by name. */
      vehicles: z.array(z.object({ id: z.string(), title: z.string(), isForSale: z.boolean() })),
    },
  },
)
export type Campaign = z.infer<typeof campaignRecord.schema>

/** What can still be changed while a campaign is paused: how fast it sends, not what or to whom. */
export const PACE_FIELDS = ['name', 'weekdays', 'windowFrom', 'windowTo', 'perHour', 'rampsUp'] as const

export const CAMPAIGN_LIST = defineList({
  key: 'campaigns',
  title: 'DVP campaigns',
  nouns: ['campaign', 'campaigns'],
  page: '/dvp/campaigns',
  allow: can(Func.dvpCampaigns, Opr.list),
  exports: can(Func.dvpCampaigns, Opr.export),
  sort: '-updatedAt',
  fields: {
    name: { title: 'Campaign', kind: 'text', isSortable: true, isFixed: true },
    state: { title: 'Status', kind: 'choice', isSortable: true, isFacet: true, choices: CAMPAIGN_STATES },
    lotName: { title: 'Lot', kind: 'text', isSortable: true },
    subject: { title: 'Subject', kind: 'text', isHidden: true },
    code: { title: 'Code', kind: 'text', isHidden: true },
    recipients: { title: 'Recipients', kind: 'integer', isSortable: true },
    sent: { title: 'Sent', kind: 'integer', isSortable: true },
    clicked: { title: 'Clicked', kind: 'integer', isSortable: true },
    leads: { title: 'Leads', kind: 'integer', isSortable: true },
    unsubscribed: { title: 'Unsubscribed', kind: 'integer', isSortable: true, isHidden: true },
    startsAt: { title: 'Starts', kind: 'moment', isSortable: true },
    endedAt: { title: 'Ended', kind: 'moment', isSortable: true, isHidden: true },
    updatedAt: { title: 'Changed', kind: 'moment', isSortable: true },
    updatedBy: { title: 'Changed by', kind: 'text', isHidden: true },
  },
})

const CHECK_IDS = [
  'message',
  'vehicles',
  'claims',
  'page',
  'address',
  'audience',
  'schedule',
  'handler',
  'domain',
] as const

/** What must be right before a campaign can be scheduled. */
export const CampaignCheck = z.object({
  id: z.enum(CHECK_IDS),
  title: z.string(),
  /** `warning`: it can be scheduled anyway. */
  state: z.enum(['ok', 'warning', 'error']),
  /** What was found, in sentences. */
  findings: z.array(z.string()),
})
export type CampaignCheck = z.infer<typeof CampaignCheck>

const ofRecord = crud(campaignRecord, {
  list: CAMPAIGN_LIST,
  func: Func.dvpCampaigns,
  summaries: {
    add: 'Adds a campaign as a draft. Its organization is that of its lot.',
    update:
      'Changes a campaign. Of one that is paused, only its pace and name; 409 for one that is scheduled, sending or over. Returns 409 with the current campaign if the version is outdated.',
    remove: 'Deletes a campaign that never sent. Returns 409 for others, whose figures are kept.',
  },
})

const shown = [
  '/api/dvp/get-campaigns',
  '/api/dvp/edit-campaign/{id}',
  '/api/dvp/get-campaign-recipient-counts/{id}',
  '/api/dvp/get-campaign-recipients',
  '/api/dvp/get-campaign-checks/{id}',
] as const
const changing = (path: `/${string}`, summary: string) =>
  endpoint({
    method: 'POST',
    path,
    allow: can(Func.dvpCampaigns, Opr.execute),
    summary,
    input: z.strictObject({ id: Id, version: Version }),
    output: campaignRecord.schema,
    current: campaignRecord.schema,
    changes: shown,
  })

export const campaigns = {
  ...ofRecord,
  update: {
    ...ofRecord.update,
    changes: [...(ofRecord.update.changes ?? []), '/api/dvp/get-campaign-checks/{id}'] as const,
  },
  schedule: {
    ...changing(
      '/api/dvp/schedule-campaign',
      'Schedules a draft, or sends it from now on if its first day is over or blank. Makes its short URL. Returns 409 with the first check that fails.',
    ),
    outside: true as const,
  },
  pause: changing(
    '/api/dvp/pause-campaign',
    'Pauses a campaign. One that has not begun is a draft again. Emails that a mail server already has still arrive.',
  ),
  resume: changing(
    '/api/dvp/resume-campaign',
    'Continues a paused campaign with the recipients who are left.',
  ),
  stop: changing('/api/dvp/stop-campaign', 'Ends a campaign. Who has not been mailed gets nothing anymore.'),
  countAudience: endpoint({
    method: 'POST',
    path: '/api/dvp/count-campaign-audience',
    allow: can(Func.dvpCampaigns, Opr.read),
    summary:
      'Counts the addresses that would be mailed now, by the query that sends, and why others would not. Nothing is saved.',
    input: z.strictObject({ lotId: Id, audience: Audience }),
    output: AudienceCount,
    writes: false,
  }),
  people: endpoint({
    method: 'GET',
    path: '/api/dvp/get-campaign-people/{id}',
    allow: can(Func.leads, Opr.list),
    summary:
      'Returns up to 20 people of the audience who would be mailed, to preview the email as one of them.',
    input: z.strictObject({ id: Id, search: z.string().max(100).optional() }),
    output: z.array(z.object({ id: z.string(), name: z.string().nullable(), email: z.string() })),
  }),
  preview: endpoint({
    method: 'POST',
    path: '/api/dvp/preview-campaign',
    allow: can(Func.dvpCampaigns, Opr.read),
    summary:
      'Returns the saved email as one person would get it now, with the total prices of now. Links lead nowhere. Nothing is sent. As a person, it requires the permission to list leads: 403.',
    input: z.strictObject({ id: Id, personId: Id.nullable() }),
    output: z.object({
      subject: z.string(),
      html: z.string(),
      text: z.string(),
      /** The chosen vehicles that are not in it, with the reason. */
      without: z.array(z.string()),
      /** What decides that this person gets it, or why not. */
      facts: z.array(z.string()),
    }),
    writes: false,
  }),
  checks: endpoint({
    method: 'GET',
    path: '/api/dvp/get-campaign-checks/{id}',
    allow: can(Func.dvpCampaigns, Opr.read),
    summary: 'Returns what must be right before the campaign can be scheduled.',
    input: z.strictObject({ id: Id }),
    output: z.array(CampaignCheck),
    outside: true,
  }),
  recipientCounts: endpoint({
    method: 'GET',
    path: '/api/dvp/get-campaign-recipient-counts/{id}',
    allow: can(Func.dvpCampaigns, Opr.read),
    summary: 'Counts the recipients of a campaign by what became of their email.',
    input: z.strictObject({ id: Id }),
    output: z.array(
      z.object({ state: z.enum(RECIPIENT_STATES.map(({ value }) => value)), count: z.number().int() }),
    ),
  }),
  funnel: endpoint({
    method: 'GET',
    path: '/api/dvp/get-campaign-funnel/{id}',
    allow: can(Func.dvpCampaigns, Opr.read),
    summary:
      'Returns how many of a campaign were sent, delivered, opened, clicked, visited the page, sent a lead and bought, with programs apart, by lot and by vehicle.',
    input: z.strictObject({ id: Id }),
    output: CampaignFunnel,
  }),
}
