import { sql } from 'kysely'
import {
  CAMPAIGN_LIST,
  campaignRecord,
  campaigns,
  type CampaignState,
} from '#contract/marketing/campaigns/campaigns.ts'
import { recordTable } from '#server/lists/record-table.ts'
import { instant } from '#server/lists/json-text.ts'
import { isPublishedOnLot } from '#server/vehicles/index.ts'

const zone = sql<string>`coalesce(lots.time_zone, organizations.time_zone, 'UTC')`
const ofCampaign = sql`r.customer_id = campaigns.customer_id and r.campaign_id = campaigns.id`
const recipients = sql<number>`(select count(*)::int from campaign_recipients r where ${ofCampaign})`
const sent = sql<number>`(select count(*)::int from campaign_recipients r join outbox_mails m on m.customer_id = r.customer_id
  and m.id = r.mail_id where ${ofCampaign} and m.state = 'sent')`
const unsubscribed = sql<number>`(select count(*)::int from campaign_recipients r where ${ofCampaign} and r.unsubscribed_at is not null)`
const clicked = sql<number>`(select count(distinct r.recipient_id)::int from campaign_clicks r where ${ofCampaign} and r.kind = 'person')`

/** SQL: the lead `l` came by the campaign `campaigns`: by its short URL, or with its code. */
export const isLeadOf = sql<boolean>`l.customer_id = campaigns.customer_id and not l.is_test and l.status <> 'quarantined'
  and l.campaign ->> 'utm_campaign' = campaigns.code and campaigns.started_at is not null`
const leads = sql<number>`(select count(*)::int from leads l where ${isLeadOf})`
const vehicles = sql`(select coalesce(jsonb_agg(jsonb_build_object('id', v.id::text,
    'title', concat_ws(', ', nullif(concat_ws(' ', v.year, v.make, v.model, v.trim), ''), v.stock),
    'isForSale', coalesce(${isPublishedOnLot}, false)) order by u.place), '[]')
  from unnest(campaigns.vehicle_ids) with ordinality u (id, place)
  join vehicles v on v.customer_id = campaigns.customer_id and v.id = u.id
  left join lots l on l.customer_id = v.customer_id and l.id = v.lot_id)`

const hasBegun: ReadonlySet<CampaignState> = new Set(['sending', 'paused', 'stopped', 'finished'])
export const isBegun = (state: CampaignState): boolean => hasBegun.has(state)

/** Campaigns of the organizations that the user reaches. */
export const campaignTable = recordTable(campaignRecord, campaigns, CAMPAIGN_LIST, 'campaigns', {
  name: 'campaigns',
  columns: {
    organizationId: 'id',
    lotId: 'id',
    handlerId: 'id',
    pageId: 'id',
    vehicleIds: sql`campaigns.vehicle_ids::text[]`,
    audience: 'json',
    sendOn: sql`to_char(campaigns.send_on, 'YYYY-MM-DD')`,
    lotName: sql`lots.name`,
    lotZone: zone,
    pageName: sql`promo_pages.name`,
    startsAt: instant(sql`campaigns.starts_at`),
    startedAt: instant(sql`campaigns.started_at`),
    endedAt: instant(sql`campaigns.ended_at`),
    recipients,
    sent,
    unsubscribed,
    clicked,
    leads,
    vehicles,
  },
  joins: sql`join organizations on organizations.customer_id = campaigns.customer_id and organizations.id = campaigns.organization_id
    join lots on lots.customer_id = campaigns.customer_id and lots.id = campaigns.lot_id
    left join promo_pages on promo_pages.customer_id = campaigns.customer_id and promo_pages.id = campaigns.page_id`,
  fields: {
    name: { order: sql`campaigns.name_key`, isNeverNull: true },
    state: { isNeverNull: true },
    lotName: { value: sql`lots.name`, joins: 'value', isNeverNull: true },
    recipients: { value: recipients, isNeverNull: true },
    sent: { value: sent, isNeverNull: true },
    clicked: { value: clicked, isNeverNull: true },
    leads: { value: leads, isNeverNull: true },
    unsubscribed: { value: unsubscribed, isNeverNull: true },
    startsAt: { value: sql`campaigns.starts_at` },
    endedAt: { value: sql`campaigns.ended_at` },
    updatedAt: { isNeverNull: true },
  },
  searches: [
    sql.ref('campaigns.name'),
    sql.ref('campaigns.subject'),
    sql.ref('campaigns.code'),
    sql.ref('lots.name'),
  ],
  searchJoins: true,
  constraints: {
    campaigns_customer_id_name_key_key: {
      message: 'Another campaign already has this name.',
      fields: { name: 'This name is already in use.' },
    },
    campaigns_customer_id_code_key: {
      message: 'Another campaign already has a name like this.',
      fields: { name: 'Another campaign has a name that is too similar.' },
    },
    campaigns_check: {
      message: 'The latest time is before the earliest.',
      fields: { windowTo: 'The latest time must be after the earliest.' },
    },
  },
  findKept: async (db, _actor, ids) => {
    const { rows } = await sql<{ id: string; state: CampaignState }>`
      select id::text, state from campaigns where id = any(${[...ids]}::bigint[]) for update`.execute(db)
    return new Map(
      rows.flatMap(({ id, state }): [string, string][] => {
        if (isBegun(state)) return [[id, 'It has sent emails, and its figures are kept.']]
        return state === 'scheduled' ? [[id, 'It is scheduled. Pause it first.']] : []
      }),
    )
  },
  restore: { kept: ['code', 'organization_id', 'short_url_id'], reason: () => 'Its name is in use again.' },
})
