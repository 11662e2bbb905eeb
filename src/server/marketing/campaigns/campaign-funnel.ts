import { sql } from 'kysely'
import type { Campaign } from '#contract/marketing/campaigns/campaigns.ts'
import type { CampaignFunnel, FunnelStep, FunnelStepName } from '#contract/marketing/campaigns/funnel.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { isPublishedOnLot } from '#server/vehicles/index.ts'
import { campaignTable, isLeadOf } from './campaign-table.ts'
import { recipientsOf } from './recipients.ts'

type Mailed = {
  sent: number
  delivered: number
  opened: number
  bounced: number
  inDoubt: number
  notSent: number
  unsubscribed: number
  clicked: number
  clickedSuspects: number
  clickedBots: number
}

/** What a campaign led to, step by step, beside the one before. */
export async function readFunnel(db: Database, campaign: Campaign): Promise<CampaignFunnel> {
  const mailed = await readMailed(db, campaign.id)
  const { rows } = await sql<{ currency: string }>`select currency from customers limit 1`.execute(db)
  return {
    steps: await readSteps(db, campaign, mailed),
    previous: await readPrevious(db, campaign),
    byLot: await readByLot(db, campaign.id),
    byVehicle: await readByVehicle(db, campaign),
    evidence: await readEvidence(db, campaign.id),
    currency: rows[0]?.currency ?? 'USD',
    unsubscribed: mailed.unsubscribed,
    inDoubt: mailed.inDoubt,
    notSent: mailed.notSent,
  }
}

async function readSteps(db: Database, campaign: Campaign, mailed: Mailed): Promise<FunnelStep[]> {
  const visits = await readVisits(db, campaign.id)
  const leads = await readLeads(db, campaign)
  const step = (name: FunnelStepName, people: number, more: Partial<FunnelStep> = {}): FunnelStep => ({
    step: name,
    people,
    suspects: 0,
    bots: 0,
    note: '',
    ...more,
  })
  return [
    step('sent', mailed.sent, {
      note: noteOf([
        [mailed.inDoubt, 'in doubt'],
        [mailed.notSent, 'not sent'],
      ]),
    }),
    step('delivered', mailed.delivered, { note: noteOf([[mailed.bounced, 'bounced']]) }),
    step('opened', mailed.opened, { note: 'Picture or click' }),
    step('clicked', mailed.clicked, {
      suspects: mailed.clickedSuspects,
      bots: mailed.clickedBots,
      note: 'Any link in the email',
    }),
    step('visited', visits.person, {
      suspects: visits.suspect,
      bots: visits.bot,
      note: campaign.pageName ?? '',
    }),
    step('started', leads.started, { note: 'At least one step sent' }),
    step('form', leads.forms, { note: noteOf([[leads.spam, 'quarantined as spam']]) }),
    step('lead', leads.leads),
    step('delivered-lead', leads.delivered),
    step('sold', leads.sold),
  ]
}

async function readPrevious(
  db: Database,
  { id, organizationId }: Campaign,
): Promise<CampaignFunnel['previous']> {
  const { rows } = await sql<{ id: string }>`
    select p.id::text from campaigns c join campaigns p on p.customer_id = c.customer_id and p.organization_id = c.organization_id
      and p.id <> c.id and p.started_at < c.started_at
    where c.id = ${id} and c.organization_id = ${organizationId} order by p.started_at desc limit 1`.execute(
    db,
  )
  const [found] = rows
  if (found === undefined) return null
  const previous = await campaignTable.read(db, found.id)
  const steps = await readSteps(db, previous, await readMailed(db, previous.id))
  return { id: previous.id, name: previous.name, steps: steps.map(({ step, people }) => ({ step, people })) }
}

const noteOf = (parts: readonly (readonly [number, string])[]): string =>
  parts
    .flatMap(([count, what]) => (count === 0 ? [] : [`${count.toLocaleString('en-US')} ${what}`]))
    .join(', ')

/** Without delivery events, what a mail server accepted and didn't return is delivered. A click shows that an email was opened. */
async function readMailed(db: Database, id: string): Promise<Mailed> {
  const { rows } = await sql<Mailed>`
    with r as (
      select r.id, r.unsubscribed_at, m.*, r.state as of_recipient,
        (select max(case k.kind when 'person' then 3 when 'suspect' then 2 else 1 end) from campaign_clicks k
          where k.customer_id = r.customer_id and k.campaign_id = r.campaign_id and k.recipient_id = r.id) as click
      from ${recipientsOf(id)}
    )
    select count(*) filter (where state = 'sent')::int as sent,
      count(*) filter (where state = 'sent' and outcome is distinct from 'bounced')::int as delivered,
      count(*) filter (where state = 'sent' and (outcome in ('opened', 'clicked') or click = 3))::int as opened,
      count(*) filter (where outcome = 'bounced' or is_refused)::int as bounced,
      count(*) filter (where in_doubt)::int as in_doubt,
      count(*) filter (where of_recipient = 'mailed' and (state = 'kept' or state = 'failed' and not in_doubt and not is_refused))::int as not_sent,
      count(*) filter (where unsubscribed_at is not null)::int as unsubscribed,
      count(*) filter (where click = 3)::int as clicked,
      count(*) filter (where click = 2)::int as clicked_suspects,
      count(*) filter (where click = 1)::int as clicked_bots
    from r`.execute(db)
  const none = { sent: 0, delivered: 0, opened: 0, bounced: 0, inDoubt: 0, notSent: 0, unsubscribed: 0 }
  return rows[0] ?? { ...none, clicked: 0, clickedSuspects: 0, clickedBots: 0 }
}

/** Of the campaign's short URL: its page says whether a person uses it. */
async function readVisits(db: Database, id: string): Promise<Record<'person' | 'suspect' | 'bot', number>> {
  const { rows } = await sql<Record<'person' | 'suspect' | 'bot', number>>`
    select coalesce(sum(n.clicks) filter (where n.kind = 'person'), 0)::int as person,
      coalesce(sum(n.clicks) filter (where n.kind = 'suspect'), 0)::int as suspect,
      coalesce(sum(n.clicks) filter (where n.kind = 'bot'), 0)::int as bot
    from campaigns c join short_url_clicks n on n.customer_id = c.customer_id and n.short_url_id = c.short_url_id
    where c.id = ${id}`.execute(db)
  return rows[0] ?? { person: 0, suspect: 0, bot: 0 }
}

type Leads = { started: number; forms: number; spam: number; leads: number; delivered: number; sold: number }

async function readLeads(db: Database, { id, code }: Campaign): Promise<Leads> {
  const { rows } = await sql<Leads>`
    select
      (select count(*)::int from form_submissions s where s.campaign ->> 'utm_campaign' = ${code} and s.state <> 'quarantined' and not s.is_test) as started,
      (select count(*)::int from form_submissions s where s.campaign ->> 'utm_campaign' = ${code} and s.state = 'received' and not s.is_test) as forms,
      (select count(*)::int from form_submissions s where s.campaign ->> 'utm_campaign' = ${code} and s.state = 'quarantined' and not s.is_test) as spam,
      count(l.id)::int as leads, count(l.id) filter (where l.status = 'delivered')::int as delivered,
      count(l.id) filter (where l.outcome = 'sold')::int as sold
    from campaigns left join leads l on ${isLeadOf} where campaigns.id = ${id}`.execute(db)
  return rows[0] ?? { started: 0, forms: 0, spam: 0, leads: 0, delivered: 0, sold: 0 }
}

async function readByLot(db: Database, id: string): Promise<CampaignFunnel['byLot']> {
  const { rows } = await sql<CampaignFunnel['byLot'][number]>`
    with came as (
      select l.lot_id, count(*)::int as leads, count(*) filter (where l.status = 'delivered')::int as delivered,
        count(*) filter (where l.outcome = 'sold')::int as sold
      from campaigns join leads l on ${isLeadOf} where campaigns.id = ${id} group by 1
    ), clicked as (
      select case when k.vehicle_id is null then c.lot_id else v.lot_id end as lot_id, count(distinct k.recipient_id)::int as clicks
      from campaigns c join campaign_clicks k on k.customer_id = c.customer_id and k.campaign_id = c.id and k.kind = 'person'
      left join vehicles v on v.customer_id = k.customer_id and v.id = k.vehicle_id
      where c.id = ${id} group by 1
    )
    select coalesce(o.name, 'No lot') as lot, coalesce(k.clicks, 0) as clicks, coalesce(a.leads, 0) as leads,
      coalesce(a.delivered, 0) as delivered, coalesce(a.sold, 0) as sold
    from came a full join clicked k on k.lot_id = a.lot_id left join lots o on o.id = coalesce(a.lot_id, k.lot_id)
    order by 3 desc, 2 desc, 1`.execute(db)
  return rows
}

/** With what the latest email that shows it said. */
async function readByVehicle(
  db: Database,
  { id, vehicleIds }: Campaign,
): Promise<CampaignFunnel['byVehicle']> {
  if (vehicleIds.length === 0) return []
  const { rows } = await sql<CampaignFunnel['byVehicle'][number]>`
    select v.id::text, concat_ws(', ', nullif(concat_ws(' ', v.year, v.make, v.model, v.trim), ''), v.stock) as title,
      (select count(distinct k.recipient_id)::int from campaign_clicks k
        where k.campaign_id = campaigns.id and k.vehicle_id = v.id and k.kind = 'person') as clicks,
      (select count(*)::int from leads l where ${isLeadOf} and l.vehicle_id = v.id) as leads,
      (select (x ->> 'cents')::float8 from (select r.vehicles from campaign_recipients r where r.campaign_id = campaigns.id
          and r.vehicles @> jsonb_build_array(jsonb_build_object('id', v.id::text)) order by r.id desc limit 1) r
        cross join jsonb_array_elements(r.vehicles) x where x ->> 'id' = v.id::text) as "totalCents",
      coalesce(${isPublishedOnLot}, false) as "isForSale"
    from campaigns join vehicles v on v.customer_id = campaigns.customer_id and v.id = any(campaigns.vehicle_ids)
    left join lots l on l.customer_id = v.customer_id and l.id = v.lot_id
    where campaigns.id = ${id} order by 4 desc, 3 desc, 2`.execute(db)
  return rows
}

async function readEvidence(db: Database, id: string): Promise<CampaignFunnel['evidence']> {
  const { rows } = await sql<CampaignFunnel['evidence'][number]>`
    select case when evidence = 'scanner' then 'Link scanners, under 2 minutes' when evidence = 'program' then 'Known programs'
        when evidence = 'burst' then 'Several links in one second' when evidence = 'early' then 'Suspected: within 2 minutes'
        else 'Suspected: nothing shows a person' end as what, count(*)::int as count
    from campaign_clicks where campaign_id = ${id} and kind <> 'person' group by 1 order by 2 desc`.execute(
    db,
  )
  return rows
}
