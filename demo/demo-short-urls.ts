import { sql } from 'kysely'
import {
  type ShortUrl,
  shortUrlRecord,
  type TargetAnswer,
} from '#contract/marketing/short-urls/short-urls.ts'
import { generateKey } from '#contract/marketing/short-urls/short-url-fields.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { addShortUrl } from '#server/marketing/index.ts'
import { type Chance, seededBy } from './chance.ts'

type New = Partial<Pick<ShortUrl, 'key' | 'url' | 'formId' | 'vehicleId' | 'tags' | 'expiresOn'>> &
  Pick<ShortUrl, 'name' | 'target'> & { utmSource?: string; utmMedium?: string; utmCampaign?: string }

const SITES: readonly New[] = [
  { name: 'November truck clearance', key: 'truck9', url: 'https://www.northgate.example/offers/trucks' },
  { name: 'Service coupon, $10 off', key: 'svc10', url: 'https://www.northgate.example/service/coupon' },
  { name: 'Technician jobs', key: 'careers', url: 'https://www.northgate.example/careers/technicians' },
  { name: 'Directions to Fulton Avenue', key: 'fulton', url: 'https://maps.example/northgate-fulton' },
  { name: 'EV evening', key: 'ev2026', url: 'https://www.northgate.example/events/ev-evening' },
  {
    name: 'October clearance',
    key: 'oct26',
    url: 'https://www.northgate.example/offers/october',
    expiresOn: '2026-10-31',
  },
].map((site) => ({ ...site, target: 'url', tags: ['print'], utmSource: 'print', utmMedium: 'qr' }))
/** The keys of the short URLs of forms. */
export const KEYS_OF_FORMS = { 'test-drive': 'testdrv', 'trade-in': 'trade' }
const MISPRINTS = ['truk9', 'svc1o', 'testdrive']

type Parts = Readonly<{
  customerId: string
  count: number
  /** Acts for an organization. */
  act: (organizationId: string) => Promise<void>
  organizationId: string
}>

/** Adds short URLs to offers, forms and vehicles, with the clicks of 30 days and some keys that were misprinted. */
export async function addDemoShortUrls(
  db: Database,
  { customerId, count, act, organizationId }: Parts,
): Promise<void> {
  const chance = seededBy(`short urls ${count}`)
  await act(organizationId)
  const ids: string[] = []
  const add = async (one: New) => ids.push((await addShortUrl(db, shortUrlRecord.create.parse(one))).id)
  for (const site of SITES) await add(site)
  for (const form of await readForms(db)) await add(form)
  for (const { of, ...vehicle } of await readVehicles(db, { customerId, most: count - ids.length })) {
    await act(of)
    // The same at every start.
    await add({ ...vehicle, key: generateKey(Uint8Array.from({ length: 8 }, () => chance.whole(0, 255))) })
  }
  await addClicks(db, { ids, chance })
  await addChecks(db)
  await sql`insert into unknown_short_keys (key, clicks, first_at, last_at)
    select key, 3 * at, app_now() - interval '9 days', app_now() - at * interval '7 hours'
    from unnest(${MISPRINTS}::text[]) with ordinality m (key, at)`.execute(db)
}

async function readForms(db: Database): Promise<New[]> {
  const { rows } = await sql<{ id: string; name: string; key: string }>`
    select id::text, name, key from forms where published_number is not null order by id`.execute(db)
  return rows.map(({ id, name, key }) => ({
    name,
    target: 'form',
    formId: id,
    tags: ['counter'],
    key: new Map(Object.entries(KEYS_OF_FORMS)).get(key) ?? key,
  }))
}

/** Vehicles that are for sale, and two that were sold since their hang tags were printed. */
async function readVehicles(
  db: Database,
  { customerId, most }: { customerId: string; most: number },
): Promise<(New & { of: string })[]> {
  const { rows } = await sql<{ id: string; of: string; name: string }>`
    select v.id::text, v.organization_id::text as of, left(concat_ws(' ', v.year, v.make, v.model, v.trim), 90) as name
    from vehicles v
    where v.customer_id = ${customerId} and v.make is not null
      and (v.publishable or v.id in (select id from vehicles where status = 'sold' order by id limit 2))
    order by v.publishable, v.id limit ${most}`.execute(db)
  return rows.map(({ id, of, name }) => ({
    name,
    of,
    target: 'vehicle',
    vehicleId: id,
    tags: ['hang tag'],
    utmSource: 'lot',
    utmMedium: 'qr',
  }))
}

/** What sites answered that isn't just the page, by key. */
const ANSWERS: Readonly<
  Record<string, { answer: TargetAnswer; status?: number; to?: string; reason?: string; days: number }>
> = {
  careers: { answer: 'gone', status: 404, days: 9 },
  fulton: { answer: 'elsewhere', status: 200, to: 'directions.example', days: 20 },
  ev2026: {
    answer: 'certificate',
    reason: "The server's certificate has expired. Ask the provider to renew it.",
    days: 2,
  },
}

/** The sites don't exist, so what they answered is made up, and they aren't asked before tomorrow. */
async function addChecks(db: Database): Promise<void> {
  const told = Object.entries(ANSWERS)
  await sql`
    update short_url_checks k set answer = coalesce(g.answer, 'ok'), status = case when g.answer is null then 200 else g.status end,
      redirected_to = g.redirected_to, reason = g.reason, checked_at = app_clock_timestamp() - interval '3 hours',
      since = app_clock_timestamp() - coalesce(g.days, 25) * interval '1 day', next_check_at = app_clock_timestamp() + interval '21 hours'
    from short_urls s left join unnest(${told.map(([key]) => key)}::text[], ${told.map(([, { answer }]) => answer)}::text[],
      ${told.map(([, { status }]) => status ?? null)}::int[], ${told.map(([, { to }]) => to ?? null)}::text[],
      ${told.map(([, { reason }]) => reason ?? null)}::text[], ${told.map(([, { days }]) => days)}::int[])
      g (key, answer, status, redirected_to, reason, days) on g.key = s.key
    where s.customer_id = k.customer_id and s.id = k.short_url_id
      and k.customer_id = nullif(current_setting('app.customer_id', true), '')::bigint`.execute(db)
}

/** In one statement, so that the first start stays fast. */
async function addClicks(
  db: Database,
  { ids, chance }: { ids: readonly string[]; chance: Chance },
): Promise<void> {
  const rows = ids.flatMap((id, at) => {
    const usual = 40 / (at + 2)
    return Array.from({ length: 30 }, (_, daysAgo) => {
      const people = Math.round(chance.upTo(usual * 2))
      // A mail scanner opened every link of an email.
      const bots = Math.round(chance.upTo(usual / 2)) + (daysAgo === 3 ? 12 : 0)
      return [
        { id, daysAgo, kind: 'person', clicks: people },
        { id, daysAgo, kind: 'suspect', clicks: Math.round(chance.upTo(usual / 4)) },
        { id, daysAgo, kind: 'bot', clicks: bots },
      ]
    }).flat()
  })
  const counted = rows.filter(({ clicks }) => clicks > 0)
  await sql`insert into short_url_clicks (short_url_id, day, kind, clicks)
    select g.id, today(c.time_zone) - g.days_ago, g.kind, g.clicks
    from unnest(${counted.map(({ id }) => id)}::bigint[], ${counted.map(({ daysAgo }) => daysAgo)}::int[],
      ${counted.map(({ kind }) => kind)}::text[], ${counted.map(({ clicks }) => clicks)}::int[]) g (id, days_ago, kind, clicks)
      join customers c on c.id = nullif(current_setting('app.customer_id', true), '')::bigint`.execute(db)
  // Most scan a code with their phone; some come from an email or a site.
  await sql`insert into short_url_visits (short_url_id, day, device, referrer, people)
    select k.short_url_id, k.day, s.device, s.referrer, round(k.clicks * s.share)::int
    from short_url_clicks k cross join (values ('phone', '', 0.6), ('desktop', '', 0.15), ('phone', 'facebook.com', 0.12),
      ('desktop', 'google.com', 0.09), ('tablet', '', 0.04)) s (device, referrer, share)
    where k.kind = 'person' and k.short_url_id = any(${ids}::bigint[]) and round(k.clicks * s.share) > 0`.execute(
    db,
  )
}
