import { z } from 'zod'
import { PRICE_LAW_CODES } from '#contract/customers/details/price-laws.ts'
import { PRICE_MEANING_CODES } from '../totals/price-meanings.ts'
import type { PriceQuote } from '../totals/price-quote.ts'

/**
 * What buyers saw of a price: the amount, and everything beside it. Nothing internal is in it, because it is handed to buyers and
 * regulators. A change of any of it ends the record and begins a new one. Amounts are integer cents.
 */
export const PriceRecord = z.object({
  format: z.literal(1),
  title: z.string(),
  vin: z.string().nullable(),
  stock: z.string().nullable(),
  /** The address of the page that showed the price; in the record of a file, the page that the file links to. */
  page: z.string().nullable(),
  /** The name of the file that had the price; null for a page. */
  file: z.string().nullable(),
  /** What the price field said, and what it means. */
  priceCents: z.number().int(),
  priceMeaning: z.enum(PRICE_MEANING_CODES),
  sellingCents: z.number().int(),
  totalCents: z.number().int(),
  currency: z.string(),
  law: z.enum(PRICE_LAW_CODES),
  sentence: z.string().nullable(),
  fees: z.array(z.object({ name: z.string(), cents: z.number().int() })),
  offers: z.array(
    z.object({
      name: z.string(),
      cents: z.number().int(),
      about: z.string(),
      disclaimer: z.string().nullable(),
    }),
  ),
  disclaimers: z.array(z.string()),
  /** The MSRP above the price, if the page showed it. Records from before it was kept don't have it. */
  msrpCents: z.number().int().optional(),
})
export type PriceRecord = z.infer<typeof PriceRecord>

/** Where a price was shown, and what stood beside it there. */
export type ShownAt = Pick<
  PriceRecord,
  'title' | 'vin' | 'stock' | 'page' | 'file' | 'priceCents' | 'priceMeaning' | 'currency'
> &
  Readonly<{ offers: PriceQuote['offers']; disclaimers: readonly string[]; msrpCents: number | null }>

/** The record of a price that buyers see. */
export function priceRecord(quote: PriceQuote, { msrpCents, ...shown }: ShownAt): PriceRecord {
  const { sellingCents, totalCents, law, sentence, fees } = quote
  return {
    ...shown,
    format: 1,
    sellingCents,
    totalCents,
    law,
    sentence,
    fees: fees.map(({ name, cents }) => ({ name, cents })),
    offers: [...shown.offers],
    disclaimers: [...shown.disclaimers],
    ...(msrpCents !== null && { msrpCents }),
  }
}

/**
 * The canonical form of a record, by RFC 8785 (JSON Canonicalization Scheme): names in the order of their UTF-16 code units, no
 * spaces or line breaks, texts escaped as `JSON.stringify` does. All numbers are integers. Its SHA-256, over UTF-8, is the checksum.
 */
export const canonicalRecord = ({ msrpCents, ...record }: PriceRecord): string =>
  canonical({ ...record, ...(msrpCents !== undefined && { msrpCents }) })

type Json = string | number | null | readonly Json[] | Readonly<{ [name: string]: Json }>

function canonical(value: Json): string {
  if (value === null || typeof value === 'string' || typeof value === 'number') return JSON.stringify(value)
  if (isList(value)) return `[${value.map(canonical).join(',')}]`
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `{${entries.map(([name, part]) => `${JSON.stringify(name)}:${canonical(part)}`).join(',')}}`
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)
