import { sql } from 'kysely'
import { EVERYONE } from '#contract/marketing/campaigns/audience.ts'
import { type Campaign, campaignRecord } from '#contract/marketing/campaigns/campaigns.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { makeOutbox } from '#server/mail/index.ts'
import {
  addCampaign,
  campaignTable,
  makeShortUrl,
  readSiteOf,
  saveImportedList,
  sendCampaignNow,
} from '#server/marketing/index.ts'
import type { Secrets } from '#server/secrets.ts'
import { type Chance, seededBy } from './chance.ts'

const HOUR_MS = 3_600_000
const VEHICLES_SHOWN = 4

type Of = Readonly<{ customerId: string; organizationId: string; secrets: Secrets; now: Date }>

/**
 * Three campaigns: a draft, one that has sent to everyone, with what followed, and one that is paused in the middle. Their emails are
 * the product's own; what mail servers and readers did is made up, because none exist.
 */
export async function addDemoCampaigns(db: Database, of: Of): Promise<void> {
  const { lotId, pageId, truckIds, usedIds } = await readParts(db, of)
  const base = {
    lotId,
    pageId,
    vehicleIds: truckIds,
    button: 'See the trucks',
    text: 'Hi {{ firstName }},\n\nthese have just come in at {{ lot }}. Each price is the total price: nothing of ours comes on top.',
    audience: EVERYONE,
    perHour: 200,
  }
  await add(db, {
    ...base,
    name: 'Winter tires and a check-up',
    subject: 'Ready for winter, {{ firstName }}?',
    headline: 'Ready for winter',
    text: 'Hi {{ firstName }},\n\nbook your winter check at {{ lot }}.',
    vehicleIds: [],
    button: '',
  })
  const truck = await add(db, {
    ...base,
    name: 'Truck weeks',
    subject: 'Trucks at {{ lot }}, with their total prices',
    headline: 'Trucks with their total prices',
  })
  const days = await run(db, of, truck, { most: 1_000, daysAgo: 9 })
  await pretendReaders(db, truck, { chance: seededBy('readers of trucks'), from: days })
  await sql`update campaigns set state = 'finished', ended_at = started_at + interval '4 hours' where id = ${truck.id}`.execute(
    db,
  )
  const paused = await add(db, {
    ...base,
    name: 'Used cars of the month',
    subject: 'Used cars that came in at {{ lot }}',
    headline: 'Used cars of the month',
    vehicleIds: usedIds,
    button: 'See all of them',
  })
  await run(db, of, paused, { most: 20, daysAgo: 1 })
  await sql`update campaigns set state = 'paused' where id = ${paused.id}`.execute(db)
  await addList(db, of, lotId)
}

/** People who signed up at an event, some with proof and some without. */
async function addList(db: Database, { organizationId }: Of, lotId: string): Promise<void> {
  const names = [
    'Priya Nair',
    'Tom Becker',
    'Luz Ortega',
    'Grace Kim',
    'Owen Hart',
    'Nadia Haddad',
    'Sam Whitlock',
    'Ivy Chen',
  ]
  const rows = names.map((name, at) => ({
    row: at + 2,
    name,
    email: `${name.toLowerCase().replace(' ', '.')}@mail.example`,
    firstName: null,
    lastName: null,
    source: at < 5 ? 'Spring event, sign-up sheet' : null,
    on: at < 5 ? '2026-04-18' : null,
  }))
  const problems = [
    { row: 6, text: 'Has the same address as row 3.' },
    { row: 11, text: "The email address isn't valid." },
  ]
  await saveImportedList(db, {
    name: 'Spring event sign-ups',
    lotId,
    organizationId,
    fileName: 'spring-event.csv',
    read: { rows, total: 10, invalid: 1, duplicates: 1, problems },
  })
}

const add = (db: Database, input: object): Promise<Campaign> =>
  addCampaign(db, campaignRecord.create.parse(input))

async function readParts(db: Database, { organizationId }: Of) {
  const { rows } = await sql<{ lotId: string; pageId: string; truckIds: string[]; usedIds: string[] }>`
    select l.id::text as lot_id, (select p.id::text from promo_pages p where p.slug = 'november-trucks') as page_id,
      array(select v.id::text from vehicles v where v.lot_id = l.id and v.publishable and v.make is not null order by v.body <> 'Truck', v.id
        limit ${VEHICLES_SHOWN}) as truck_ids,
      array(select v.id::text from vehicles v where v.lot_id = l.id and v.publishable and v.make is not null and v.condition = 'used' order by v.id
        limit ${VEHICLES_SHOWN}) as used_ids
    from lots l where l.organization_id = ${organizationId} and l.is_visible
    order by (select count(*) from vehicles v where v.lot_id = l.id and v.publishable) desc limit 1`.execute(
    db,
  )
  const [found] = rows
  if (found === undefined) throw new Error('There is no lot that could send campaigns.')
  return found
}

/** Sends it as the worker does, some days ago. @returns when it began */
async function run(
  db: Database,
  { customerId, secrets, now }: Of,
  { id }: Campaign,
  { most, daysAgo }: { most: number; daysAgo: number },
): Promise<Date> {
  const draft = await campaignTable.read(db, id)
  const began = await morningOf(db, draft, new Date(now.getTime() - daysAgo * 24 * HOUR_MS))
  const shortUrlId = await makeShortUrl(db, draft)
  await sql`update campaigns set state = 'scheduled', short_url_id = ${shortUrlId}, starts_at = app_now(), scheduled_at = app_now()
    where id = ${id}`.execute(db)
  const campaign = await campaignTable.read(db, id)
  const site = await readSiteOf(db, customerId)
  const { put } = makeOutbox({ iam: db, secrets, transport: null })
  await sendCampaignNow(db, { site, campaign, most }, { secrets, put, base: () => 'https://localhost' })
  await sql`update campaign_recipients set mailed_at = ${began.toISOString()}::timestamptz + id % 90 * interval '1 minute'
    where campaign_id = ${id} and state = 'mailed'`.execute(db)
  await sql`update campaigns set starts_at = ${began.toISOString()}, started_at = ${began.toISOString()},
    scheduled_at = ${began.toISOString()}::timestamptz - interval '1 hour' where id = ${id}`.execute(db)
  await sql`update outbox_mails m set state = 'sent', attempts = 1, sent_at = r.mailed_at, created_at = r.mailed_at, outcome = 'delivered'
    from campaign_recipients r where r.campaign_id = ${id} and m.customer_id = r.customer_id and m.id = r.mail_id`.execute(
    db,
  )
  return began
}

/** The start on that day in the zone of the lot, or on the day before if it is none of its days. */
async function morningOf(db: Database, { lotZone, sendAt, weekdays }: Campaign, day: Date): Promise<Date> {
  const { rows } = await sql<{ at: string }>`
    select ((d.day + ${sendAt}::time) at time zone ${lotZone})::text as at
    from (select (${day.toISOString()}::timestamptz at time zone ${lotZone})::date - n as day from generate_series(0, 6) n) d
    where extract(isodow from d.day)::int = any(${[...weekdays]}::int[]) order by d.day desc limit 1`.execute(
    db,
  )
  return new Date(rows[0]?.at ?? day)
}

type Recipient = { id: string; personId: string; mailId: string; at: string }

/** What readers and scanners did: opened, clicked, bounced, unsubscribed, and sent leads. */
async function pretendReaders(
  db: Database,
  { id, code, vehicleIds }: Campaign,
  { chance, from }: { chance: Chance; from: Date },
): Promise<void> {
  const { rows } = await sql<Recipient>`
    select id::text, person_id::text, mail_id::text, mailed_at as at from campaign_recipients
    where campaign_id = ${id} and state = 'mailed' order by id`.execute(db)
  const clicked: Recipient[] = []
  for (const [at, recipient] of rows.entries()) {
    if (at % 31 === 17) {
      await sql`update outbox_mails set outcome = 'bounced' where id = ${recipient.mailId}`.execute(db)
      continue
    }
    if (chance.happens(0.42))
      await sql`update outbox_mails set outcome = 'opened' where id = ${recipient.mailId}`.execute(db)
    if (chance.happens(0.2))
      await click(db, id, recipient, {
        minutes: 0.5,
        kind: 'bot',
        evidence: chance.oneOf(['scanner', 'program']),
      })
    if (chance.happens(0.06))
      await click(db, id, recipient, { minutes: 1.5, kind: 'suspect', evidence: 'early' })
    if (!chance.happens(0.16)) continue
    clicked.push(recipient)
    const vehicleId = chance.happens(0.5) ? chance.oneOf(vehicleIds) : null
    await click(db, id, recipient, {
      minutes: chance.whole(9, 2_000),
      kind: 'person',
      evidence: null,
      vehicleId,
    })
  }
  for (const recipient of rows.filter((_, at) => at % 41 === 3))
    await sql`update campaign_recipients set unsubscribed_at = mailed_at + interval '3 hours' where campaign_id = ${id} and id = ${recipient.id}`.execute(
      db,
    )
  await sql`insert into short_url_clicks (short_url_id, day, kind, clicks)
    select c.short_url_id, ${from.toISOString()}::date + k.days, k.kind, k.clicks from campaigns c,
      (values ('person', 0, ${Math.ceil(clicked.length * 0.6)}::int), ('person', 1, ${Math.ceil(clicked.length * 0.25)}::int),
        ('suspect', 0, 4), ('bot', 0, ${Math.ceil(rows.length / 6)}::int)) k (kind, days, clicks)
    where c.id = ${id}`.execute(db)
  // Leads that came in after it began now say that they came by it.
  await sql`
    with came as (
      select l.id, l.submission_id from leads l join campaigns c on c.customer_id = l.customer_id and c.id = ${id}
      where l.organization_id = c.organization_id and l.submission_id is not null and l.received_at > c.started_at and l.status <> 'quarantined'
      order by l.id limit 7
    ), marked as (
      update leads l set campaign = jsonb_build_object('utm_source', 'newsletter', 'utm_medium', 'email', 'utm_campaign', ${code}::text)
      from came where l.id = came.id returning l.id
    )
    update form_submissions s set campaign = jsonb_build_object('utm_source', 'newsletter', 'utm_medium', 'email', 'utm_campaign', ${code}::text)
    from came where s.id = came.submission_id and exists (select from marked)`.execute(db)
}

type Click = Readonly<{
  minutes: number
  kind: 'person' | 'suspect' | 'bot'
  evidence: 'scanner' | 'program' | 'early' | null
  vehicleId?: string | null
}>

async function click(
  db: Database,
  campaignId: string,
  { id }: Recipient,
  { minutes, kind, evidence, vehicleId = null }: Click,
): Promise<void> {
  await sql`insert into campaign_clicks (campaign_id, organization_id, recipient_id, vehicle_id, at, kind, evidence)
    select campaign_id, organization_id, id, ${vehicleId}, least(app_now(), mailed_at + ${minutes} * interval '1 minute'), ${kind}, ${evidence}
    from campaign_recipients where campaign_id = ${campaignId} and id = ${id}`.execute(db)
}
