import { z } from 'zod'
import { type CustomFieldName, isCustomFieldName } from '#contract/customers/custom-fields/custom-fields.ts'
import { line } from '#contract/fields.ts'
import { feedColumns, feedRow, type FeedFormat, type FeedRow } from './listing-row.ts'
import type { PriceMeaning } from '#contract/pricing/totals/price-meanings.ts'
import type { VehicleListing } from './vehicle-listing.ts'

/** Maximum number of columns in a custom file. */
export const MAX_COLUMNS = 100
/** Placeholders allowed in a value: the columns of the standard file. */
const COLUMN_PARTS: readonly string[] = feedColumns('csv', 'both')
/** Prices of a vehicle that can be below the total price. */
const OTHER_PRICES: readonly string[] = ['price_without_fees', 'msrp']
const PRICE_HEADING =
  /^(?:(?:asking|sale|sales|selling|internet|our|special|final|total|vehicle|list(?:ing|ed)?)[\s_-]*)?price$/i
/** Whether a receiver shows the amount under this heading as the price: "Price", "Asking price", "sale_price". */
export const isPriceHeading = (name: string): boolean => PRICE_HEADING.test(name)

/** The placeholders that a file may use: those with fees apart only if its receiver knows that they are apart. */
export const columnParts = (meaning: PriceMeaning): readonly string[] =>
  meaning === 'total' ? feedColumns('csv', 'total') : COLUMN_PARTS

/** A column with the name its receiver expects: `Asking price` with `{price}`, `Dealer` with `NG-0042`, `Name` with `{year} {make}`. */
export const CustomColumn = z.strictObject({
  name: line(80, 'Column'),
  value: z.string('The value must be text.').trim().max(500, 'A value may have at most 500 characters.'),
})
export type CustomColumn = z.infer<typeof CustomColumn>

export const CustomColumns = z
  .array(CustomColumn, 'Columns must be a list.')
  .max(MAX_COLUMNS, `A file may have at most ${MAX_COLUMNS} columns.`)

/** Error messages by field, such as `columns.0.name`. Only the server can check whether a custom field exists. */
export function findColumnErrors(
  columns: readonly CustomColumn[],
  format: FeedFormat,
  meaning: PriceMeaning,
): Record<string, string> {
  const flaws: Record<string, string> = findPriceErrors(columns, meaning)
  const names = new Set<string>()
  for (const [at, { name, value }] of columns.entries()) {
    if (names.has(name.toLowerCase())) flaws[`columns.${at}.name`] = 'Another column has the same name.'
    names.add(name.toLowerCase())
    if (format === 'xml' && !/^(?!xml)[A-Za-z_][\w.-]*$/i.test(name)) {
      flaws[`columns.${at}.name`] =
        'XML names start with a letter and contain only letters, digits, hyphens, periods and underscores.'
    }
    const unknown = partsOf(value).find((part) => !COLUMN_PARTS.includes(part) && !isCustomFieldName(part))
    if (unknown !== undefined) {
      flaws[`columns.${at}.value`] =
        `{${unknown}} isn't a field. Choose one from the list, such as {price} or {stock}.`
    }
  }
  return flaws
}

/**
 * Columns that would give the receiver an amount below the total price as the price, by field. The price field means what the
 * channel says (`PriceMeaning`), and the proof of price records the same amount.
 */
export function findPriceErrors(
  columns: readonly CustomColumn[],
  meaning: PriceMeaning,
): Record<string, string> {
  const hasPrice = sendsPrice(columns)
  const errors = columns.flatMap(({ name, value }, at) => {
    const parts = partsOf(value)
    const part = parts.find((one) => OTHER_PRICES.includes(one))
    if (part === undefined) return []
    const path = `columns.${at}.value`
    if (part === 'price_without_fees' && meaning === 'total') {
      return [
        [
          path,
          "{price_without_fees} can be below the total price, and this channel's price field means the total price. Use {price}, or choose another meaning of the price field.",
        ],
      ]
    }
    if (!hasPrice)
      return [[path, `Add a column with {price}. {${part}} can't be the only price in the file.`]]
    const isPrice = isPriceHeading(name) && !parts.includes('price')
    // A receiver that adds the fees gets the price without them as its price.
    if (!isPrice || (part === 'price_without_fees' && meaning === 'without-fees')) return []
    return [[path, `Use {price} in a column named "${name}", or name what {${part}} is in the heading.`]]
  })
  return Object.fromEntries(errors)
}

/** Whether a file has the price that its channel's price field means. Without columns, it has the standard ones. */
export const sendsPrice = (columns: readonly CustomColumn[]): boolean =>
  columns.length === 0 || columns.some(({ value }) => partsOf(value).includes('price'))

/** A listing in custom columns. A value that is a single placeholder keeps its list, such as photo URLs. */
export function customRow(columns: readonly CustomColumn[], listing: VehicleListing): FeedRow {
  const plain = { ...feedRow('csv', listing), ...listing.custom }
  return Object.fromEntries(columns.map(({ name, value }) => [name, fill(value, plain)]))
}

function fill(value: string, plain: FeedRow): string | readonly string[] {
  const [, alone] = /^\{(\w+)\}$/.exec(value) ?? []
  if (alone !== undefined) return plain[alone] ?? ''
  return value.replaceAll(PART, (_, part: string) => {
    const given = plain[part] ?? ''
    return typeof given === 'string' ? given : given.join(' ')
  })
}

/** The custom fields used in columns, each with the index of its column. */
export function customPartsOf(columns: readonly CustomColumn[]): { at: number; name: CustomFieldName }[] {
  return columns.flatMap(({ value }, at) =>
    partsOf(value)
      .filter(isCustomFieldName)
      .map((name) => ({ at, name })),
  )
}

const PART = /\{([^{}]*)\}/g
const partsOf = (value: string): string[] => [...value.matchAll(PART)].map(([, part]) => part ?? '')
