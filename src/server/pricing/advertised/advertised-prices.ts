import { sql, type Kysely } from 'kysely'
import type { Money, VehicleListing } from '#contract/channels/listings/vehicle-listing.ts'
import {
  ADVERTISED_LIST,
  AdvertisedPrice,
  type advertisedPrices,
  KEPT_YEARS,
} from '#contract/pricing/advertised/advertised-prices.ts'
import type { DB } from '#server/database/schema.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { notFound } from '#server/http/failure.ts'
import type { Member } from '#server/http/actor.ts'
import { Download } from '#server/http/kinds.ts'
import type { Handlers } from '#server/http/serve.ts'
import { contains } from '#server/lists/contains.ts'
import type { ListSource } from '#server/lists/list-source.ts'
import { inOrder, isOneOf, readPage } from '#server/lists/read-list.ts'
import type { MakePdf } from '#server/printed-document.ts'
import { linesShownTo } from '../rules/cost-rules.ts'
import { priceProof } from './price-documents.ts'

const column = (name: string) => ({ value: sql.ref(`a.${name}`) })

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
  }
}

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
    .select(['currency', 'law', 'sentence', 'fees', 'lines', 'fromAt', 'untilAt'])
    .select([
      sql<number | null>`base_cents::float8`.as('baseCents'),
      sql<number>`price_cents::float8`.as('priceCents'),
      sql<number>`selling_cents::float8`.as('sellingCents'),
      sql<number>`total_cents::float8`.as('totalCents'),
    ])
    .where('a.customerId', '=', actor.customerId)
    .where(isOneOf(advertisedSource, ids))
    .execute()
  const linesOf = await linesShownTo(db, actor)
  const prices = AdvertisedPrice.array().parse(inOrder(ids, rows))
  return prices.map((price) => ({ ...price, lines: linesOf(price.lines) }))
}

/** A vehicle in the file of a run. */
export type ListedVehicle = {
  organizationId: string
  listing: VehicleListing
  /** The price field of the file. */
  price: Money
}

/** Notes the prices in the file of a run. They are advertised once the file is delivered. */
export async function stagePrices(
  db: Database,
  runId: string,
  listed: readonly ListedVehicle[],
): Promise<void> {
  const rows = listed.flatMap(({ organizationId, listing, price }) => {
    const { id, vin, stock, title, quote } = listing
    if (quote === null) return []
    const { baseCents, lines, sellingCents, totalCents, law, sentence, fees } = quote
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
        priceCents: String(price.cents),
        sellingCents: String(sellingCents),
        totalCents: String(totalCents),
        currency: price.currency,
        law,
        sentence,
        fees: JSON.stringify(fees),
      },
    ]
  })
  if (rows.length > 0) await db.insertInto('channelRunPrices').values(rows).execute()
}

const isSame = sql`p.customer_id = a.customer_id and p.vehicle_id = a.vehicle_id and p.price_cents = a.price_cents
  and p.total_cents = a.total_cents and p.fees = a.fees and p.law = a.law and p.vin is not distinct from a.vin
  and a.channel_name = ch.name and a.price_meaning = ch.price_meaning`

/** A run's file was delivered: its prices are advertised from now on, and those no longer in it have ended. */
export async function advertisePrices(db: Database, channelId: string, runId: string): Promise<void> {
  await sql`update advertised_prices a set until_at = app_now() from channels ch
    where ch.id = ${channelId} and ch.customer_id = a.customer_id and a.channel_id = ch.id and a.until_at is null
      and not exists (select from channel_run_prices p where p.run_id = ${runId} and ${isSame})`.execute(db)
  await sql`insert into advertised_prices (organization_id, vehicle_id, vin, stock, title, channel_id, channel_name, price_meaning,
      base_cents, lines, price_cents, selling_cents, total_cents, currency, law, sentence, fees)
    select p.organization_id, p.vehicle_id, p.vin, p.stock, p.title, ch.id, ch.name, ch.price_meaning,
      p.base_cents, p.lines, p.price_cents, p.selling_cents, p.total_cents, p.currency, p.law, p.sentence, p.fees
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
