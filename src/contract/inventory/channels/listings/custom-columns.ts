import { z } from 'zod'
import { type CustomFieldName, isCustomFieldName } from '#contract/customers/custom-fields/custom-fields.ts'
import { line } from '#contract/fields.ts'
import { feedColumns, feedRow, type FeedFormat, type FeedRow } from './listing-row.ts'
import type { VehicleListing } from './vehicle-listing.ts'

/** Maximum number of columns in a custom file. */
export const MAX_COLUMNS = 100
/** Placeholders allowed in a value: the columns of the standard file. */
export const COLUMN_PARTS: readonly string[] = feedColumns('csv', 'both')

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
): Record<string, string> {
  const flaws: Record<string, string> = {}
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
