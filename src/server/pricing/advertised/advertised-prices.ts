import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Money, VehicleListing } from '#contract/channels/listings/vehicle-listing.ts'
import {
  ADVERTISED_LIST,
  AdvertisedPrice,
  type advertisedPrices,
  KEPT_YEARS,
  type ShownBeside,
} from '#contract/pricing/advertised/advertised-prices.ts'
import { canonicalRecord, PriceRecord, priceRecord } from '#contract/pricing/advertised/price-record.ts'
import type { PriceMeaning } from '#contract/pricing/totals/price-meanings.ts'
import type { DB } from '#server/database/schema.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { conflict, notFound } from '#server/http/failure.ts'
import type { Member } from '#server/http/actor.ts'
import { Download } from '#server/http/kinds.ts'
import type { Handlers } from '#server/http/serve.ts'
import { contains } from '#server/lists/contains.ts'
import type { ListSource } from '#server/lists/list-source.ts'
import { inOrder, isOneOf, readPage } from '#server/lists/read-list.ts'
import type { MakePdf } from '#server/printed-document.ts'
import { sha256Of } from '#server/snapshots/snapshot-files.ts'
import { linesShownTo } from '../rules/cost-rules.ts'
import { priceProof, recordFileName } from './price-documents.ts'

const column = (name: string) => ({ value: sql.ref(`a.${name}`) })

/** "500.00 USD Military offer: Students, until Nov 30, 2026", with its disclaimer on a line of its own. */
const OFFERS = sql<string | null>`(select string_agg(concat_ws(E'\\n',
    to_char((o ->> 'cents')::numeric / 100, 'FM999999999990.00') || ' ' || a.currency || ' ' || (o ->> 'name')
      || case when o ->> 'about' = '' then '' else ': ' || (o ->> 'about') end, o ->> 'disclaimer'), E'\\n\\n' order by at)
  from jsonb_array_elements(a.record::jsonb -> 'offers') with ordinality listed (o, at))`
const DISCLAIMERS = sql<string | null>`(select string_agg(words, E'\\n\\n' order by at)
  from jsonb_array_elements_text(a.record::jsonb -> 'disclaimers') with ordinality listed (words, at))`
/** A file must tell "none" from "not kept". */
const orNotKept = (value: RawBuilder<string | null>) =>
  sql<string | null>`case when a.record is null then 'Not kept' else ${value} end`

/** The advertised prices within reach. */
export const advertisedSource: ListSource<keyof typeof ADVERTISED_LIST.fields> = {
  list: ADVERTISED_LIST,
  from: sql`advertised_prices a`,
  within: (actor) => sql`a.customer_id = ${actor.customerId}`,
  id: sql`a.id`,
  title: sql`a.title`,
  fields: {
    title: { ...column('title'), isNeverNull: true },
    vin: column('vin'),
    stock: column('stock'),
    channelName: { ...column('channel_name'), isNeverNull: true },
    price: { ...column('price_cents'), isNeverNull: true },
    total: { ...column('total_cents'), isNeverNull: true },
    selling: { ...column('selling_cents'), isNeverNull: true },
    priceMeaning: { ...column('price_meaning'), isNeverNull: true },
    law: { ...column('law'), isNeverNull: true },
    fromAt: { ...column('from_at'), isNeverNull: true },
    untilAt: column('until_at'),
    page: { value: sql`a.record::jsonb ->> 'page'` },
    file: { value: sql`a.record::jsonb ->> 'file'` },
    msrp: { value: sql`(a.record::jsonb ->> 'msrpCents')::bigint` },
    offers: { value: OFFERS, shown: orNotKept(OFFERS) },
    disclaimers: { value: DISCLAIMERS, shown: orNotKept(DISCLAIMERS) },
    record: column('record'),
    sha256: column('record_sha256'),
  },
  search: (text) => contains([sql.ref('a.title'), sql.ref('a.vin'), sql.ref('a.stock')], text),
}

/** What was advertised where and when. */
export function advertisedPriceHandlers({ pdfOf }: { pdfOf: MakePdf }): Handlers<typeof advertisedPrices> {
  return {
    async list({ db, actor, input }) {
      const { ids, ...counts } = await readPage(db, actor, advertisedSource, input)
      return { ...counts, results: await readPrices(db, actor, ids) }
    },

    get: ({ db, actor, input }) => readPrice(db, actor, input.id),

    async proof({ inTenant, actor, input }) {
      const price = await inTenant((db) => readPrice(db, actor, input.id))
      return new Download({
        name: `price-${price.vin ?? price.stock ?? price.vehicleId}.pdf`.replaceAll(/[^\w.-]+/g, '-'),
        type: 'application/pdf',
        body: await pdfOf(priceProof(price, actor.timeZone), actor.customerId),
      })
    },

    async record({ inTenant, actor, input }) {
      const { shown } = await inTenant((db) => readPrice(db, actor, input.id))
      if (shown === null) throw conflict(NOT_KEPT)
      const name = recordFileName(shown)
      return new Download({ name, type: 'application/json; charset=utf-8', body: Buffer.from(shown.record) })
    },

    async verify({ db, actor, input: { id, sha256 } }) {
      const { shown } = await readPrice(db, actor, id)
      if (shown === null) throw conflict(NOT_KEPT)
      const isIntact = sha256Of(shown.record) === shown.sha256
      if (sha256 === undefined) return { isIntact, matchesId: null }
      // The same content may have been advertised at other times, too.
      if (sha256 === shown.sha256) return { isIntact, matchesId: id }
      const { rows } = await sql<{ id: string }>`
        select id::text from advertised_prices
        where customer_id = ${actor.customerId} and record_sha256 = ${sha256} order by id desc limit 1`.execute(
        db,
      )
      return { isIntact, matchesId: rows[0]?.id ?? null }
    },
  }
}

const NOT_KEPT = 'This price was advertised before records were kept. Its amounts and fees are in the proof.'

/** @throws Failure 404 */
async function readPrice(db: Database, actor: Member, id: string): Promise<AdvertisedPrice> {
  const [price] = await readPrices(db, actor, [id])
  if (price === undefined) throw notFound('Price')
  return price
}

async function readPrices(db: Database, actor: Member, ids: readonly string[]): Promise<AdvertisedPrice[]> {
  const rows = await db
    .selectFrom('advertisedPrices as a')
    .select(['id', 'vehicleId', 'title', 'vin', 'stock', 'channelId', 'channelName', 'priceMeaning'])
    .select(['currency', 'law', 'sentence', 'fees', 'lines', 'fromAt', 'untilAt', 'record', 'recordSha256'])
    .select([
      sql`record::jsonb`.as('recorded'),
      sql<number | null>`base_cents::float8`.as('baseCents'),
      sql<number>`price_cents::float8`.as('priceCents'),
      sql<number>`selling_cents::float8`.as('sellingCents'),
      sql<number>`total_cents::float8`.as('totalCents'),
    ])
    .where('a.customerId', '=', actor.customerId)
    .where(isOneOf(advertisedSource, ids))
    .execute()
  const linesOf = await linesShownTo(db, actor)
  const prices = AdvertisedPrice.array().parse(
    inOrder(ids, rows).map((row) => ({ ...row, shown: shownBeside(row) })),
  )
  return prices.map((price) => ({ ...price, lines: linesOf(price.lines) }))
}

type Recorded = Readonly<{ record: string | null; recordSha256: string | null; recorded: unknown }>

function shownBeside({ record, recordSha256: sha256, recorded }: Recorded): ShownBeside | null {
  if (record === null || sha256 === null) return null
  const { page, file, offers, disclaimers, msrpCents = null } = PriceRecord.parse(recorded)
  return { page, file, offers, disclaimers, msrpCents, record, sha256 }
}

/** A vehicle in the file of a run. */
export type ListedVehicle = {
  organizationId: string
  listing: VehicleListing
  /** The price field of the file, and what it means. */
  price: Money
  priceMeaning: PriceMeaning
  /** The name of the file. */
  file: string
}

/** Notes the prices in the file of a run. They are advertised once the file is delivered. */
export async function stagePrices(
  db: Database,
  runId: string,
  listed: readonly ListedVehicle[],
): Promise<void> {
  const rows = listed.flatMap(({ organizationId, listing, price, priceMeaning, file }) => {
    const { id, vin, stock, title, quote } = listing
    if (quote === null) return []
    const { baseCents, lines, sellingCents, totalCents, law, sentence, fees } = quote
    const { cents: priceCents, currency } = price
    // Files have no columns for offers and disclaimers. The page that a file links to has them.
    const shown = { title, vin, stock, page: listing.url, file, offers: [], disclaimers: [], msrpCents: null }
    const record = canonicalRecord(priceRecord(quote, { ...shown, priceCents, priceMeaning, currency }))
    return [
      {
        runId,
        vehicleId: id,
        organizationId,
        vin,
        stock,
        title,
        baseCents: String(baseCents),
        lines: JSON.stringify(lines),
        priceCents: String(priceCents),
        sellingCents: String(sellingCents),
        totalCents: String(totalCents),
        currency,
        law,
        sentence,
        fees: JSON.stringify(fees),
        record,
        recordSha256: sha256Of(record),
      },
    ]
  })
  if (rows.length > 0) await db.insertInto('channelRunPrices').values(rows).execute()
}

const isSame = sql`p.customer_id = a.customer_id and p.vehicle_id = a.vehicle_id and p.price_cents = a.price_cents
  and p.total_cents = a.total_cents and p.fees = a.fees and p.law = a.law and p.vin is not distinct from a.vin
  and a.channel_name = ch.name and a.price_meaning = ch.price_meaning and p.record_sha256 is not distinct from a.record_sha256`

/** A run's file was delivered: its prices are advertised from now on, and those no longer in it have ended. */
export async function advertisePrices(db: Database, channelId: string, runId: string): Promise<void> {
  await sql`update advertised_prices a set until_at = app_now() from channels ch
    where ch.id = ${channelId} and ch.customer_id = a.customer_id and a.channel_id = ch.id and a.until_at is null
      and not exists (select from channel_run_prices p where p.run_id = ${runId} and ${isSame})`.execute(db)
  await sql`insert into advertised_prices (organization_id, vehicle_id, vin, stock, title, channel_id, channel_name, price_meaning,
      base_cents, lines, price_cents, selling_cents, total_cents, currency, law, sentence, fees, record, record_sha256)
    select p.organization_id, p.vehicle_id, p.vin, p.stock, p.title, ch.id, ch.name, ch.price_meaning,
      p.base_cents, p.lines, p.price_cents, p.selling_cents, p.total_cents, p.currency, p.law, p.sentence, p.fees, p.record, p.record_sha256
    from channel_run_prices p join channels ch on ch.customer_id = p.customer_id and ch.id = ${channelId}
    where p.run_id = ${runId} and not exists (select from advertised_prices a
      where a.customer_id = p.customer_id and a.channel_id = ch.id and a.vehicle_id = p.vehicle_id and a.until_at is null)`.execute(
    db,
  )
}

/** Ends what a channel advertised: it was deleted, or its file can't be downloaded anymore. */
export async function stopAdvertising(db: Database, channelId: string): Promise<void> {
  await db
    .updateTable('advertisedPrices')
    .set({ untilAt: sql`app_now()` })
    .where('channelId', '=', channelId)
    .where('untilAt', 'is', null)
    .execute()
}

/** Deletes prices that ended more than two years ago, of all customers. */
export async function sweepAdvertisedPrices(queue: Kysely<DB>): Promise<void> {
  await sql`delete from advertised_prices where until_at < app_now() - ${KEPT_YEARS} * interval '1 year'`.execute(
    queue,
  )
}
