import { type CustomField, customFieldName } from '#contract/customers/custom-fields/custom-fields.ts'
import { VEHICLE_FIELDS } from '#contract/vehicles/vehicles/vehicle-fields.ts'
import { dateOrderOf } from '#contract/parsing/date-order.ts'
import { compileSource } from './compile-source.ts'
import { DATE_FORMS, type DateForm, type FeedMapping, type FieldMapping } from './mapping.ts'
import { ruleColumns } from './rule-columns.ts'
import type { FeedRow } from './source-row.ts'
import { isPlaceholder } from './read-feed-number.ts'

const formsOf = (order: 'us' | 'eu'): DateForm[] => [
  order,
  ...DATE_FORMS.filter((form) => form !== 'us' && form !== 'eu' && form !== 'daysAgo'),
]

/** The fields whose dates are read without saying in which order. */
const undecided = (
  { fields }: FeedMapping,
  own: readonly CustomField[],
): (readonly [string, FieldMapping])[] => {
  const dates = new Set<string>([
    ...Object.entries(VEHICLE_FIELDS).flatMap(([name, { kind }]) => (kind === 'date' ? [name] : [])),
    ...own.filter(({ kind }) => kind === 'date').map(customFieldName),
  ])
  return Object.entries(fields).flatMap(([target, mapping]) =>
    mapping !== undefined && dates.has(target) && mapping.dates === undefined
      ? [[target, mapping] as const]
      : [],
  )
}

export const hasUndecidedDates = (mapping: FeedMapping, own: readonly CustomField[]): boolean =>
  undecided(mapping, own).length > 0

/**
 * A mapping in which each field with dates says their order, if days above 12 in its column prove it. Without a proof, dates
 * that may be two days are left blank, with a warning.
 */
export function withDateForms(
  mapping: FeedMapping,
  {
    columns,
    rows,
    own,
  }: { columns: readonly string[]; rows: readonly Pick<FeedRow, 'cells'>[]; own: readonly CustomField[] },
): FeedMapping {
  const names = ruleColumns(columns)
  const decided = undecided(mapping, own).flatMap(([target, field]) => {
    const read = compileSource(field.source, names, (text) => !isPlaceholder(text))
    const { order } = dateOrderOf(rows.flatMap((row) => read(row)))
    return order === null
      ? []
      : [[target, { ...field, dates: formsOf(order === 'mdy' ? 'us' : 'eu') }] as const]
  })
  return { ...mapping, fields: { ...mapping.fields, ...Object.fromEntries(decided) } }
}
