import { type CustomField, customFieldName } from '#contract/customers/custom-fields/custom-fields.ts'
import { VEHICLE_FIELDS } from '#contract/vehicles/vehicles/vehicle-fields.ts'
import { dateOrderOf } from '#contract/parsing/date-order.ts'
import { compileSource } from './compile-source.ts'
import { DATE_FORMS, type DateForm, type FeedMapping, type FieldMapping } from './mapping.ts'
import { ruleColumns } from './rule-columns.ts'
import type { FeedRow } from './source-row.ts'
import { isPlaceholder } from './read-feed-number.ts'

/** The formats to try for dates in this order. */
export const formsOf = (order: 'us' | 'eu'): DateForm[] => [
  order,
  ...DATE_FORMS.filter((form) => form !== 'us' && form !== 'eu' && form !== 'daysAgo'),
]

const DATE_FIELDS = new Set<string>(
  Object.entries(VEHICLE_FIELDS).flatMap(([name, { kind }]) => (kind === 'date' ? [name] : [])),
)

/** Whether a field has dates. */
export const isDateField = (target: string, own: readonly CustomField[]): boolean =>
  DATE_FIELDS.has(target) || own.some((field) => field.kind === 'date' && customFieldName(field) === target)

/** The fields whose dates are read without saying in which order. */
const undecided = (
  { fields }: FeedMapping,
  own: readonly CustomField[],
): (readonly [string, FieldMapping])[] =>
  Object.entries(fields).flatMap(([target, mapping]) =>
    mapping !== undefined && mapping.dates === undefined && isDateField(target, own)
      ? [[target, mapping] as const]
      : [],
  )

export const hasUndecidedDates = (mapping: FeedMapping, own: readonly CustomField[]): boolean =>
  undecided(mapping, own).length > 0

/** In which order a column has its dates, and the date that shows it. */
export type ProvedOrder = { target: string; order: 'us' | 'eu'; proof: string }

/** The order of the dates of each field, if days above 12 in its column prove it. */
export function provedOrders(
  mapping: FeedMapping,
  {
    columns,
    rows,
    own,
  }: { columns: readonly string[]; rows: readonly Pick<FeedRow, 'cells'>[]; own: readonly CustomField[] },
): ProvedOrder[] {
  const names = ruleColumns(columns)
  return undecided(mapping, own).flatMap(([target, field]): ProvedOrder[] => {
    const read = compileSource(field.source, names, (text) => !isPlaceholder(text))
    const { order, proof } = dateOrderOf(rows.flatMap((row) => read(row)))
    return order === null || proof === null ? [] : [{ target, order: order === 'mdy' ? 'us' : 'eu', proof }]
  })
}

/**
 * A mapping in which each field with dates says their order, if days above 12 in its column prove it. Without a proof, dates
 * that may be two days are left blank, and asked about.
 */
export function withDateForms(mapping: FeedMapping, file: Parameters<typeof provedOrders>[1]): FeedMapping {
  return withOrders(mapping, provedOrders(mapping, file))
}

/** A mapping with proved orders of dates. */
export function withOrders(mapping: FeedMapping, orders: readonly ProvedOrder[]): FeedMapping {
  const decided = Object.entries(mapping.fields).flatMap(([target, field]) => {
    const found = orders.find((one) => one.target === target)
    return field === undefined || found === undefined
      ? []
      : [[target, { ...field, dates: formsOf(found.order) }] as const]
  })
  return { ...mapping, fields: { ...mapping.fields, ...Object.fromEntries(decided) } }
}
