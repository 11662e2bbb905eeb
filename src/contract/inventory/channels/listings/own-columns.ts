import { z } from 'zod'
import { type CustomFieldName, isCustomFieldName } from '#contract/customers/custom-fields/custom-fields.ts'
import { line } from '#contract/fields.ts'
import { feedColumns, feedRow, type FeedFormat, type FeedRow } from './listing-row.ts'
import type { VehicleListing } from './vehicle-listing.ts'

/** So many columns a plain file may have. */
export const MAX_COLUMNS = 100
/** What stands between braces in a value: the columns of our own plain file. */
export const COLUMN_PARTS: readonly string[] = feedColumns('csv')

/** A column as its receiver wants it: `Asking price` with `{price}`, `Dealer` with `NG-0042`, `Name` with `{year} {make}`. */
export const OwnColumn = z.strictObject({
  name: line(80, 'Column'),
  value: z.string('The value must be text.').trim().max(500, 'A value may have at most 500 characters.'),
})
export type OwnColumn = z.infer<typeof OwnColumn>

export const OwnColumns = z
  .array(OwnColumn, 'Columns must be a list.')
  .max(MAX_COLUMNS, `A file may have at most ${MAX_COLUMNS} columns.`)

/** What is wrong with columns, a sentence for each field as in `columns.0.name`. Which fields a customer made, its server knows. */
export function flawsOfColumns(columns: readonly OwnColumn[], format: FeedFormat): Record<string, string> {
  const flaws: Record<string, string> = {}
  const names = new Set<string>()
  for (const [at, { name, value }] of columns.entries()) {
    if (names.has(name.toLowerCase())) flaws[`columns.${at}.name`] = 'Another column has this name.'
    names.add(name.toLowerCase())
    if (format === 'xml' && !/^(?!xml)[A-Za-z_][\w.-]*$/i.test(name)) {
      flaws[`columns.${at}.name`] =
        'In XML a name begins with a letter and has letters, digits, - . and _ only.'
    }
    const unknown = partsOf(value).find((part) => !COLUMN_PARTS.includes(part) && !isCustomFieldName(part))
    if (unknown !== undefined) {
      flaws[`columns.${at}.value`] =
        `There is no {${unknown}}. The list of the field has those there are, such as {price} and {stock}.`
    }
  }
  return flaws
}

/** An offer in columns of one's own. A value that is one part alone stays a list where that part is one. */
export function ownRow(columns: readonly OwnColumn[], offer: VehicleListing): FeedRow {
  const plain = { ...feedRow('csv', offer), ...offer.custom }
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

/** The customer's own fields that columns name, each with where. */
export function customPartsOf(columns: readonly OwnColumn[]): { at: number; name: CustomFieldName }[] {
  return columns.flatMap(({ value }, at) =>
    partsOf(value)
      .filter(isCustomFieldName)
      .map((name) => ({ at, name })),
  )
}

const PART = /\{([^{}]*)\}/g
const partsOf = (value: string): string[] => [...value.matchAll(PART)].map(([, part]) => part ?? '')
