import { z } from 'zod'
import { PRICE_LAW_CODES, PRICE_LAWS } from '#contract/customers/details/price-laws.ts'
import { FEE_CLASSES } from '#contract/customers/details/fees.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant } from '#contract/fields.ts'
import { defineList } from '#contract/lists/list.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { listQuery, queriedList } from '#contract/queried-list.ts'
import { PRICE_MEANING_CODES, PRICE_MEANINGS } from '#contract/pricing/totals/price-meanings.ts'
import { Sha256, SnapshotCheck } from '#contract/snapshots.ts'
import { PriceRuleLine } from '../totals/vehicle-price.ts'
import { PriceRecord } from './price-record.ts'

/** How long a price is kept after it ended. Source: California SB 766 requires two years. */
export const KEPT_YEARS = 2

/** What stood beside an advertised price, and the record of it that anyone can verify. */
export const ShownBeside = z.object({
  ...PriceRecord.pick({ page: true, file: true, offers: true, disclaimers: true }).shape,
  /** Null if the page showed none, and before it was kept. */
  msrpCents: z.number().int().nullable(),
  /** The canonical form of the whole record; see price-record.ts. */
  record: z.string(),
  /** Of the record, as lower-case hexadecimal digits. */
  sha256: Sha256,
})
export type ShownBeside = z.infer<typeof ShownBeside>

/** A price that a channel delivered, or that the public site showed. Amounts are integer cents. */
export const AdvertisedPrice = z.object({
  id: z.string(),
  vehicleId: z.string(),
  title: z.string(),
  vin: z.string().nullable(),
  stock: z.string().nullable(),
  /** Null: the vehicle's page on the public site. */
  channelId: z.string().nullable(),
  channelName: z.string(),
  priceMeaning: z.enum(PRICE_MEANING_CODES),
  /** What the price field said. */
  priceCents: z.number().int(),
  sellingCents: z.number().int(),
  totalCents: z.number().int(),
  currency: z.string(),
  /** The price before rules, and what each rule changed, in order. Null and empty for prices from before these were kept. */
  baseCents: z.number().int().nullable(),
  lines: z.array(PriceRuleLine),
  law: z.enum(PRICE_LAW_CODES),
  sentence: z.string().nullable(),
  /** The fees in the total price. */
  fees: z.array(
    z.object({
      name: z.string(),
      class: z.enum(FEE_CLASSES.map(({ value }) => value)),
      cents: z.number().int(),
    }),
  ),
  /** Null: advertised before this was kept. */
  shown: ShownBeside.nullable(),
  /**
   * When the file with it was delivered, and when the first one without it was; null: still advertised. On the public site, when
   * the page showed it first, and when it showed another or was gone.
   */
  fromAt: Instant,
  untilAt: Instant.nullable(),
})
export type AdvertisedPrice = z.infer<typeof AdvertisedPrice>

export const ADVERTISED_LIST = defineList({
  key: 'advertised-prices',
  title: 'Advertised prices',
  nouns: ['price', 'prices'],
  page: '/inventory/advertised-prices',
  allow: can(Func.vehicles, Opr.list),
  exports: can(Func.vehicles, Opr.export),
  sort: '-fromAt',
  fields: {
    title: { title: 'Vehicle', kind: 'text', isFixed: true },
    vin: { title: 'VIN', kind: 'text' },
    stock: { title: 'Stock number', kind: 'text' },
    channelName: { title: 'Channel', kind: 'text', isFacet: true },
    price: { title: 'Price', kind: 'money' },
    total: { title: 'Total price', kind: 'money', isHidden: true },
    selling: { title: 'Price without fees', kind: 'money', isHidden: true },
    priceMeaning: { title: 'Price field', kind: 'choice', choices: PRICE_MEANINGS, isHidden: true },
    law: { title: 'Price rules', kind: 'choice', choices: PRICE_LAWS },
    fromAt: { title: 'From', kind: 'moment', isSortable: true },
    untilAt: { title: 'Until', kind: 'moment' },
    page: { title: 'Page', kind: 'text', isHidden: true },
    file: { title: 'File', kind: 'text', isHidden: true },
    msrp: { title: 'MSRP beside the price', kind: 'money', isHidden: true },
    offers: { title: 'Offers', kind: 'text', isHidden: true },
    disclaimers: { title: 'Disclaimers', kind: 'text', isHidden: true },
    record: { title: 'Record', kind: 'text', isHidden: true },
    sha256: { title: 'SHA-256 of the record', kind: 'text', isHidden: true },
  },
})

export const advertisedPrices = {
  list: endpoint({
    method: 'GET',
    path: '/api/inventory/get-advertised-prices',
    allow: can(Func.vehicles, Opr.list),
    summary:
      'Lists the prices that channels and the public site advertised, newest first, for two years after they ended. Searches vehicle, VIN and stock number.',
    input: listQuery(ADVERTISED_LIST),
    output: queriedList(AdvertisedPrice),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/inventory/advertised-price/{id}',
    allow: can(Func.vehicles, Opr.read),
    summary: 'Returns one advertised price.',
    input: z.strictObject({ id: Id }),
    output: AdvertisedPrice,
  }),
  proof: endpoint({
    method: 'GET',
    path: '/api/inventory/price-proof/{id}',
    allow: can(Func.vehicles, Opr.read),
    kind: 'report',
    summary:
      'Returns proof of an advertised price as a PDF: where and when it was advertised, what it included, what stood beside it, and the record with its SHA-256 as an attached file.',
    input: z.strictObject({ id: Id }),
  }),
  record: endpoint({
    method: 'GET',
    path: '/api/inventory/price-record/{id}',
    allow: can(Func.vehicles, Opr.read),
    kind: 'download',
    summary:
      'Downloads the record of what buyers saw of an advertised price, as canonical JSON (RFC 8785), byte for byte as it was stored. Its SHA-256 is the one of the proof. Returns 409 for a price from before records were kept.',
    input: z.strictObject({ id: Id }),
  }),
  verify: endpoint({
    method: 'POST',
    path: '/api/inventory/verify-price-record',
    allow: can(Func.vehicles, Opr.read),
    writes: false,
    summary:
      'Checks that the record of an advertised price still has its SHA-256, and which record a file with the given SHA-256 is.',
    input: z.strictObject({ id: Id, sha256: Sha256.optional() }),
    output: SnapshotCheck,
  }),
}
