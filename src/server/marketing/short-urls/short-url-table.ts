import { addressPriceFault, priceFault } from '#contract/marketing/pages/typed-prices.ts'
import { randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import {
  SHORT_URL_LIST,
  type ShortUrlStatus,
  shortUrlRecord,
  shortUrls,
  type TargetAnswer,
  type TargetCheck,
} from '#contract/marketing/short-urls/short-urls.ts'
import { VISIT_DAYS } from '#contract/marketing/visits.ts'
import { generateKey } from '#contract/marketing/short-urls/short-url-fields.ts'
import { OUT_OF_STOCK_STATUSES } from '#contract/vehicles/vehicles/stock-rules.ts'
import type { Received } from '#contract/endpoint.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { refused } from '#server/http/failure.ts'
import { instant } from '#server/lists/json-text.ts'
import { recordTable } from '#server/lists/record-table.ts'
import { isPublishedOnLot } from '#server/vehicles/index.ts'
import { liveOf } from '../pages/live-version.ts'

const { live, isOver } = liveOf('p')
/** Whether a short URL was opened by as many people as it may be. Clicks are added up only if it has a limit. */
export const usedUpOf = (table: string): RawBuilder<boolean> =>
  sql<boolean>`case when ${sql.ref(`${table}.max_clicks`)} is null then false else ${sql.ref(`${table}.max_clicks`)} <= ${peopleOf(table)} end`
/** All clicks of people on a short URL. */
const peopleOf = (
  table: string,
): RawBuilder<number> => sql<number>`(select coalesce(sum(u.clicks), 0)::int from short_url_clicks u
  where u.customer_id = ${sql.ref(`${table}.customer_id`)} and u.short_url_id = ${sql.ref(`${table}.id`)} and u.kind = 'person')`
/**
 * "Sold" is exactly what `readVehiclePage` answers with similar vehicles, whether or not the site ever showed it; on a hidden lot it
 * shows nothing. A vehicle or form of another organization is out of reach: about that, the reader isn't told.
 */
const status = sql<ShortUrlStatus>`case
  when short_urls.expires_on < today(c.time_zone) then 'expired'
  when ${usedUpOf('short_urls')} then 'usedUp'
  when short_urls.target = 'vehicle' and short_urls.vehicle_id is null or short_urls.target = 'form' and short_urls.form_id is null
    or short_urls.target = 'page' and short_urls.page_id is null
    then 'missing'
  when v.id is not null and not coalesce(${isPublishedOnLot}, false)
    then case when coalesce(l.is_visible, false) and v.status in ('pending', ${sql.join(OUT_OF_STOCK_STATUSES.map((one) => sql.lit(one)))}) then 'sold' else 'unpublished' end
  when f.id is not null and (f.published_number is null or f.closed_at is not null) then 'closed'
  when p.id is not null and (p.withdrawn_at is not null or live.number is null or coalesce(${isOver}, false)) then 'notShown'
  else 'active' end`
const vehicleTitle = sql<string>`concat_ws(', ', nullif(concat_ws(' ', v.year, v.make, v.model, v.trim), ''), v.stock)`
const targetTitle = sql<
  string | null
>`case short_urls.target when 'url' then short_urls.url when 'form' then f.name when 'page' then p.name
  else case when v.id is not null then ${vehicleTitle} end end`
const host = sql<
  string | null
>`(select w.domain from white_labels w where w.customer_id = short_urls.customer_id
  and w.purpose = 'public' and w.verified_at is not null order by (w.domain = short_urls.domain) desc nulls last, w.id limit 1)`
const clicks = sql<number>`(select coalesce(sum(n.clicks), 0)::int from short_url_clicks n where n.customer_id = short_urls.customer_id
  and n.short_url_id = short_urls.id and n.kind = 'person' and n.day > today(c.time_zone) - ${sql.lit(VISIT_DAYS)})`

const check = sql<TargetCheck | null>`case when k.answer is not null then jsonb_build_object('answer', k.answer, 'status', k.status,
  'redirectedTo', k.redirected_to, 'reason', k.reason, 'checkedAt', ${instant(sql`k.checked_at`)}, 'since', ${instant(sql`k.since`)}) end`
const answer = sql<TargetAnswer | null>`k.answer`

/** Short URLs with their targets. */
export const shortUrlTable = recordTable(shortUrlRecord, shortUrls, SHORT_URL_LIST, 'shortUrls', {
  name: 'shortUrls',
  columns: {
    organizationId: 'id',
    organizationName: sql`organizations.name`,
    vehicleId: 'id',
    formId: 'id',
    pageId: 'id',
    expiresOn: sql`to_char(short_urls.expires_on, 'YYYY-MM-DD')`,
    status,
    targetTitle,
    host,
    check,
    answer,
    clicks,
  },
  joins: sql`left join organizations
      on organizations.customer_id = short_urls.customer_id and organizations.id = short_urls.organization_id
    left join customers c on c.id = short_urls.customer_id
    left join vehicles v on v.customer_id = short_urls.customer_id and v.id = short_urls.vehicle_id
    left join lots l on l.customer_id = v.customer_id and l.id = v.lot_id
    left join forms f on f.customer_id = short_urls.customer_id and f.id = short_urls.form_id
    left join promo_pages p on p.customer_id = short_urls.customer_id and p.id = short_urls.page_id
    left join short_url_checks k on k.customer_id = short_urls.customer_id and k.short_url_id = short_urls.id
    left join lateral ${live} live on true`,
  fields: {
    name: { isNeverNull: true },
    key: { isNeverNull: true },
    target: { isNeverNull: true },
    targetTitle: { value: targetTitle, joins: 'value' },
    status: { value: status, joins: 'value', isNeverNull: true },
    answer: { value: answer, joins: 'value' },
    clicks: { value: clicks, joins: 'value', isNeverNull: true },
    organizationId: { shown: sql`organizations.name`, joins: 'order' },
    updatedAt: { isNeverNull: true },
  },
  searches: [
    ...['name', 'key', 'url', 'utm_source', 'utm_campaign'].map((name) => sql.ref(`short_urls.${name}`)),
    sql`array_to_string(short_urls.tags, ' ')`,
    vehicleTitle,
    sql.ref('f.name'),
    sql.ref('p.name'),
  ],
  searchJoins: true,
  constraints: {
    short_urls_customer_id_key_key: {
      message: 'Another short URL already has this key.',
      fields: { key: 'This key is already in use.' },
    },
  },
  restore: {
    where: sql`exists (select from organizations o where o.id = r.organization_id)`,
    reason: ({ key }) => `Its key ${String(key)} is in use again, or its organization no longer exists.`,
  },
})

type Target = Readonly<{
  target: 'vehicle' | 'form' | 'page' | 'url'
  vehicleId?: string | null | undefined
  formId?: string | null | undefined
  pageId?: string | null | undefined
  url?: string | null | undefined
  domain?: string | null | undefined
  previewTitle?: string | null | undefined
  /** Only a new one. */
  key?: string | undefined
}>

/**
 * The target alone, without what belongs to another kind. @throws Failure 400 if it is missing, out of reach, or leads in a circle, and
 * for a price in the key, which visitors see, or in the title that chats show
 */
export async function requireTarget(
  db: Database,
  { key, target, vehicleId, formId, pageId, url, domain, previewTitle }: Target,
) {
  const { rows } = await sql<{ hasVehicle: boolean; hasForm: boolean; hasPage: boolean; hosts: string[] }>`
    select exists (select from vehicles where id = ${vehicleId ?? null}) as has_vehicle,
      exists (select from forms where id = ${formId ?? null}) as has_form,
      exists (select from promo_pages where id = ${pageId ?? null}) as has_page,
      array(select domain from white_labels where purpose = 'public' and verified_at is not null) as hosts`.execute(
    db,
  )
  const none = { hasVehicle: false, hasForm: false, hasPage: false, hosts: [] }
  const { hasVehicle, hasForm, hasPage, hosts } = rows[0] ?? none
  const invalid = (fields: Record<string, string>) => refused('Some fields are invalid.', fields)
  const fault = priceFault(previewTitle ?? '')
  if (fault !== null) throw invalid({ previewTitle: fault })
  const keyFault = addressPriceFault(key ?? '')
  if (keyFault !== null) throw invalid({ key: keyFault })
  if (domain != null && !hosts.includes(domain))
    throw invalid({ domain: "This isn't one of your verified public domains." })
  if (target === 'vehicle' && !hasVehicle) throw invalid({ vehicleId: 'Choose one of your vehicles.' })
  if (target === 'form' && !hasForm) throw invalid({ formId: 'Choose one of your forms.' })
  if (target === 'page' && !hasPage) throw invalid({ pageId: 'Choose one of your promo pages.' })
  if (target === 'url') {
    if (url == null) throw invalid({ url: 'Web address is required.' })
    const { hostname, pathname } = new URL(url)
    if (hosts.includes(hostname) && pathname.toLowerCase().startsWith('/s/'))
      throw invalid({ url: 'A short URL must not lead to a short URL.' })
  }
  return {
    vehicleId: target === 'vehicle' ? vehicleId : null,
    formId: target === 'form' ? formId : null,
    pageId: target === 'page' ? pageId : null,
    url: target === 'url' && url != null ? new URL(url).href : null,
  }
}

/**
 * Adds a short URL, with a key if it has none.
 * @throws Failure 400 or 409 with the fields that are wrong
 */
export async function addShortUrl(db: Database, input: Received<typeof shortUrls.add>) {
  const target = await requireTarget(db, input)
  const key = input.key ?? generateKey(randomBytes(8))
  const added = await shortUrlTable.add(db, { ...input, ...target, key })
  await forgetUnknown(db, key)
  return added
}

/** A short URL has this key now. */
export async function forgetUnknown(db: Database, key: string): Promise<void> {
  await sql`delete from unknown_short_keys where key = ${key}`.execute(db)
}
