import { z } from 'zod'
import { Id, line } from '#contract/fields.ts'

/**
 * What a fee pays for, in form order. The price-law profile of a lot says which classes its total price includes. Source: the
 * charges that the FTC's letters of March 2026, California SB 766 and Canada's all-in price rules distinguish.
 */
export const FEE_CLASSES = [
  { value: 'document', label: 'Document processing' },
  { value: 'electronic-filing', label: 'Electronic filing' },
  { value: 'freight', label: 'Freight and delivery' },
  { value: 'preparation', label: 'Preparation' },
  { value: 'installed-item', label: 'Installed item' },
  { value: 'dealer', label: 'Other dealer fee' },
  { value: 'levy', label: 'Regulator or environmental levy' },
  { value: 'government', label: 'Tax, title and registration' },
] as const
export type FeeClass = (typeof FEE_CLASSES)[number]['value']
const CLASSES = FEE_CLASSES.map(({ value }) => value)

/** The vehicles a fee applies to. Certified and demonstrator vehicles are used ones. */
export const FEE_VEHICLES = [
  { value: 'all', label: 'All vehicles' },
  { value: 'new', label: 'New vehicles' },
  { value: 'used', label: 'Used vehicles' },
] as const
const VEHICLES = FEE_VEHICLES.map(({ value }) => value)

const cents = (label: string) =>
  z
    .number(`${label} must be a number.`)
    .int(`${label} must be in whole cents.`)
    .min(0, `${label} can't be negative.`)
    .max(100_000_000, `${label} can be at most 1,000,000.`)

const Day = z.iso.date('Enter a date, such as 2026-10-01.')

/**
 * A fee every buyer pays. Amounts are whole cents of the customer's currency. Of fees with the same name, the one with the
 * latest `from` that has been reached applies.
 */
export const MandatoryFee = z.strictObject({
  name: line(80, 'Name'),
  class: z.enum(CLASSES, 'Choose what the fee pays for.'),
  cents: cents('Amount'),
  /** At most this share of the selling price, in percent with up to two decimals; null: always the amount. */
  percent: z
    .number('Percentage must be a number.')
    .positive('Percentage must be more than 0.')
    .max(100, 'Percentage can be at most 100.')
    .refine(
      (value) => Number.isInteger(Math.round(value * 1e6) / 1e4),
      'Percentage can have at most two decimals.',
    )
    .nullable()
    .optional()
    .default(null),
  vehicles: z.enum(VEHICLES, 'Choose the vehicles.').optional().default('all'),
  /** The lots it applies to; empty: all. */
  lotIds: z.array(Id).max(200, 'A fee can name at most 200 lots.').optional().default([]),
  /** The first day, in the time zone of the lot; null: always. */
  from: Day.nullable().optional().default(null),
  /** Prices already contain it, so it isn't added again. */
  isInPrice: z.boolean('Choose whether prices already contain the fee.').optional().default(false),
})
export type MandatoryFee = z.output<typeof MandatoryFee>

/** The highest fee a law allows, as the customer entered it, with its source. An amount above it is reported, never cut. */
export const FeeCap = z.strictObject({
  class: z.enum(CLASSES, 'Choose a fee.'),
  /** The state or province whose lots it applies to, as in the lots' addresses: "CA". */
  region: line(60, 'State or province'),
  cents: cents('Highest amount'),
  source: line(200, 'Source'),
  from: Day,
})
export type FeeCap = z.output<typeof FeeCap>
