import { dayAfter } from '#contract/days.ts'
import { disclaimersOf, type CustomerDetails } from '#contract/customers/details/details.ts'
import { BUYER_DOCUMENTS, MAX_BUYER_DOCUMENTS } from '#contract/pricing/totals/buyer-document.ts'
import { explainPrice } from '#contract/pricing/totals/explain-price.ts'
import type { VehiclePrice, vehiclePrices } from '#contract/pricing/totals/vehicle-price.ts'
import type { Selection } from '#contract/lists/selection.ts'
import { labelOf } from '#contract/record.ts'
import { clock } from '#server/clock.ts'
import { readDisclaimers, useLotTimeZones } from '#server/customers/index.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, noneFound, refused } from '#server/http/failure.ts'
import { Download } from '#server/http/kinds.ts'
import type { Handlers } from '#server/http/serve.ts'
import { widened } from '#server/lists/list-source.ts'
import { readPage } from '#server/lists/read-list.ts'
import type { MakePdf } from '#server/printed-document.ts'
import { htmlOf } from '#server/printed-html.ts'
import { isOnCosts, readPriceEnd } from '#server/pricing/index.ts'
import { vehicleSource } from '#server/vehicles/index.ts'
import { listingOf, type ListingRow, publicOrigin, readListings } from '../listings/listings.ts'
import { buyerDocument, buyerVehicle, type BuyerVehicle } from './buyer-documents.ts'

/** Documents for buyers, of one vehicle or several, as PDF or HTML. */
export function buyerDocumentHandlers({
  pdfOf,
  base,
}: {
  pdfOf: MakePdf
  base: () => string
}): Pick<Handlers<typeof vehiclePrices>, 'documents'> {
  return {
    async documents({ inTenant, actor, input: { selection, kind, format, validUntil } }) {
      const vehicles = await inTenant(async (db) => {
        const read = await readBuyerVehicles(db, actor, { selection, base: base() })
        return kind === 'deal-sheet' ? withEnds(db, actor, { vehicles: read, validUntil }) : read
      })
      const days = vehicles.map(({ price }) => price.day).toSorted()
      if (validUntil !== null && validUntil < (days.at(-1) ?? '')) {
        throw refused('Some fields are invalid.', {
          validUntil: "Choose today or a later day of the lot's time zone.",
        })
      }
      if (kind === 'hang-tag' && vehicles.some(({ link }) => link === null)) throw conflict(NO_PAGES)
      const documents = vehicles.map((vehicle) => buyerDocument(kind, vehicle, validUntil))
      const [only] = vehicles
      const about =
        vehicles.length === 1 && only ? (only.listing.stock ?? only.listing.vin ?? '1') : vehicles.length
      const name = `${kind}-${about}-${days[0]}.${format}`.replaceAll(/[^\w.-]+/g, '-')
      if (format === 'html')
        return new Download({ name, type: 'text/html; charset=utf-8', body: Buffer.from(htmlOf(documents)) })
      return new Download({ name, type: 'application/pdf', body: await pdfOf(documents, actor.customerId) })
    },
  }
}

const NO_PAGES = `${labelOf(BUYER_DOCUMENTS, 'hang-tag')} need a public website, because their QR codes open its pages. Add its domain under Details, Domains.`

/** Deal sheets end before the price that they have is known to change. */
async function withEnds(
  db: Database,
  actor: Member,
  { vehicles, validUntil }: { vehicles: readonly BuyerVehicle[]; validUntil: string | null },
): Promise<BuyerVehicle[]> {
  const all: BuyerVehicle[] = []
  for (const vehicle of vehicles) {
    const before = `${dayAfter(validUntil ?? vehicle.price.day, 1)}T00:00`
    // oxlint-disable-next-line no-await-in-loop -- One connection.
    const end = await readPriceEnd(db, actor, { id: vehicle.listing.id, before })
    all.push({ ...vehicle, priceEnd: end })
  }
  return all
}

/** @throws Failure 404 if none is left, 409 for too many, and for vehicles without a price */
async function readBuyerVehicles(
  db: Database,
  actor: Member,
  { selection, base }: { selection: Selection; base: string },
): Promise<BuyerVehicle[]> {
  const ids = 'ids' in selection ? selection.ids : await readMatching(db, actor, selection)
  if (ids.length > MAX_BUYER_DOCUMENTS)
    throw conflict(`A file can have at most ${MAX_BUYER_DOCUMENTS} vehicles. Select fewer.`)
  const zone = await useLotTimeZones(db, actor.customerId)
  const rows = await readListings(db, { customerId: actor.customerId, rule: '', zone, ids })
  if (rows.length === 0) throw noneFound('vehicles')
  const origin = await publicOrigin(db, base)
  const disclaimers = await readDisclaimers(db, actor.customerId)
  const read = rows.map((row) => ({ row, vehicle: vehicleOf(row, { origin, disclaimers }) }))
  const unpriced = read
    .filter(({ vehicle }) => vehicle === null)
    .map(({ row }) => row.stock ?? row.vin ?? row.id)
  if (unpriced.length > 0) throw conflict(withoutPrice(unpriced, rows.length))
  return read.flatMap(({ vehicle }) => vehicle ?? [])
}

function withoutPrice(named: readonly string[], all: number): string {
  if (all === 1) return 'This vehicle has no price yet.'
  const first = named.slice(0, 10).join(', ')
  return `${named.length} of ${all} vehicles have no price yet: ${first}${named.length > 10 ? ' and more' : ''}. Leave them out of the selection.`
}

async function readMatching(
  db: Database,
  actor: Member,
  { except = [], search, filter }: Extract<Selection, { all: true }>,
): Promise<string[]> {
  const pageSize = MAX_BUYER_DOCUMENTS + except.length + 1
  const source = await widened(db, actor, vehicleSource)
  const { ids } = await readPage(db, actor, source, { page: 1, pageSize, search, filter })
  return ids.filter((id) => !except.includes(id))
}

/** Null without a price. The page has the same address before and while it is published. */
function vehicleOf(
  row: ListingRow,
  { origin, disclaimers }: { origin: string | null; disclaimers: CustomerDetails['disclaimers'] },
): BuyerVehicle | null {
  const price = explainPrice(
    { ...row, day: row.minute.slice(0, 10), caps: [], amounts: row },
    {
      currency: row.currency,
      at: clock.date().toISOString(),
      zone: row.zone,
      simulatedMinute: null,
      special: null,
      costCents: null,
      marketPriceCents: null,
      description: null,
      provenance: {},
    },
  )
  const listing = listingOf(row, { pageTemplate: null, pictureAddress: () => null })
  return buyerVehicle(
    { listing, price: withoutCostLines(price, row.rules) },
    {
      disclaimers: disclaimersOf(disclaimers, [listing]),
      link: origin === null ? null : `${origin}/v/${row.id}`,
      priceEnd: null,
    },
  )
}

/** What a rule on costs changed has no line of its own: its amount is a part of the cost. Offers are those of the page. */
function withoutCostLines(price: VehiclePrice, rules: ListingRow['rules']): VehiclePrice {
  const onCosts = new Set(rules.filter(isOnCosts).map(({ id }) => id))
  return {
    ...price,
    ruleLines: price.ruleLines.map((line) =>
      line.ruleId !== null && onCosts.has(line.ruleId) ? { ...line, label: null } : line,
    ),
  }
}
