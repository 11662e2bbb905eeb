import { sql } from 'kysely'
import { type CustomerDetails, disclaimersOf } from '#contract/customers/details/details.ts'
import { belowMsrp } from '#contract/channels/listings/vehicle-listing.ts'
import { vehiclePath, type AddressFacts } from '#contract/marketing/site/vehicle-address.ts'
import { canonicalRecord, priceRecord } from '#contract/pricing/advertised/price-record.ts'
import type { PriceQuote } from '#contract/pricing/totals/price-quote.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { sha256Of } from '#server/snapshots/snapshot-files.ts'

/** How the proof of price names the pages of the public site. */
const SITE = 'Website'
/** Of all records in one statement, in characters: disclaimers can be long. */
const MOST_LETTERS = 8_000_000

/** What the public site shows beside prices, and its domain. */
export type SiteSetting = Readonly<{
  customerId: string
  currency: string
  domain: string
  disclaimers: CustomerDetails['disclaimers']
}>

type AdvertisedVehicle = AddressFacts & {
  vin: string | null
  stock: string | null
  title: string
  isNew: boolean
  msrpCents: number | null
}

/**
 * Notes the prices that the public site shows from now on, and ends those that it doesn't show anymore. A page shows a price
 * in the same second, because pages evaluate prices themselves. Whatever else a page shows differently beside a price ends its
 * record, too.
 * @param quotes what the page of each vehicle shows; null: the vehicle has no page
 */
export async function advertiseOnSite(
  db: Database,
  setting: SiteSetting,
  quotes: ReadonlyMap<string, PriceQuote | null>,
): Promise<void> {
  const { customerId } = setting
  const { rows } = await sql<AdvertisedVehicle & { openId: string | null; openSha256: string | null }>`
    select g.id::text, v.vin, v.stock, v.year, v.make, v.model, v.trim, coalesce(v.condition = 'new', false) as is_new,
      v.msrp_cents::float8 as msrp_cents,
      concat_ws(' ', v.year, v.make, v.model, v.trim) as title, a.id::text as open_id, a.record_sha256 as open_sha256
    from unnest(${[...quotes.keys()]}::bigint[]) g (id)
    left join vehicles v on v.customer_id = ${customerId} and v.id = g.id
    left join advertised_prices a on a.customer_id = ${customerId} and a.vehicle_id = g.id
      and a.channel_id is null and a.until_at is null`.execute(db)
  const changed = rows.flatMap(({ openId, openSha256, ...shown }) => {
    const quote = quotes.get(shown.id) ?? null
    const price = quote && recordedPrice(shown, quote, setting)
    const isSame = price === null ? openId === null : openId !== null && openSha256 === price.sha256
    return isSame ? [] : [{ openId, price }]
  })
  const ended = changed.flatMap(({ openId }) => openId ?? [])
  if (ended.length > 0) {
    await sql`update advertised_prices set until_at = app_now()
      where customer_id = ${customerId} and id = any(${ended}::bigint[])`.execute(db)
  }
  const added = changed.flatMap(({ price }) => price ?? [])
  // oxlint-disable-next-line no-await-in-loop -- One connection.
  for (const some of inParts(added)) await addPrices(db, setting, some)
}

type RecordedPrice = ReturnType<typeof recordedPrice>

function recordedPrice(
  shown: AdvertisedVehicle,
  quote: PriceQuote,
  { currency, domain, disclaimers }: SiteSetting,
) {
  const { id, title, vin, stock, isNew, msrpCents } = shown
  const money = (cents: number) => ({ cents, currency })
  const msrp = msrpCents === null ? null : money(msrpCents)
  const record = canonicalRecord(
    priceRecord(quote, {
      title,
      vin,
      stock,
      currency,
      page: `${domain}${vehiclePath(shown)}`,
      file: null,
      priceCents: quote.totalCents,
      priceMeaning: 'total',
      offers: quote.offers,
      disclaimers: disclaimersOf(disclaimers, [{ isNew, quote }]),
      msrpCents: belowMsrp({ isNew, msrp, price: money(quote.totalCents) })?.msrp.cents ?? null,
    }),
  )
  const { baseCents, lines, sellingCents, totalCents, law, sentence, fees } = quote
  const amounts = { baseCents, lines, sellingCents, totalCents, law, sentence, fees }
  return { id, ...amounts, record, sha256: sha256Of(record) }
}

function* inParts(all: readonly RecordedPrice[]): Generator<readonly RecordedPrice[]> {
  let some: RecordedPrice[] = []
  let letters = 0
  for (const one of all) {
    if (some.length > 0 && letters + one.record.length > MOST_LETTERS) {
      yield some
      some = []
      letters = 0
    }
    some.push(one)
    letters += one.record.length
  }
  if (some.length > 0) yield some
}

async function addPrices(
  db: Database,
  { customerId, currency }: SiteSetting,
  added: readonly RecordedPrice[],
): Promise<void> {
  await sql`insert into advertised_prices (organization_id, vehicle_id, vin, stock, title, channel_name, price_meaning,
      base_cents, lines, price_cents, selling_cents, total_cents, currency, law, sentence, fees, record, record_sha256)
    select v.organization_id, v.id, v.vin, v.stock, concat_ws(' ', v.year, v.make, v.model, v.trim), ${SITE}, 'total',
      g."baseCents", g.lines, g."totalCents", g."sellingCents", g."totalCents", ${currency}, g.law, g.sentence, g.fees, g.record, g.sha256
    from jsonb_to_recordset(${JSON.stringify(added)}::jsonb) g (id bigint, "baseCents" bigint, lines jsonb,
      "sellingCents" bigint, "totalCents" bigint, law text, sentence text, fees jsonb, record text, sha256 text)
    join vehicles v on v.customer_id = ${customerId} and v.id = g.id
    on conflict do nothing`.execute(db)
}
