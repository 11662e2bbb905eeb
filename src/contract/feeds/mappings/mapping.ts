import { trimmed } from '#contract/trimmed.ts'
import { z } from 'zod'
import {
  type CustomField,
  type CustomFieldName,
  customFieldName,
  isCustomFieldName,
} from '#contract/customers/custom-fields/custom-fields.ts'
import { VEHICLE_FIELDS, type VehicleFieldName } from '#contract/vehicles/vehicles/vehicle-fields.ts'
import { FeedShape } from './feed-shape.ts'

/**
 * What every mapping can fill: the fields of a vehicle, `status`, whether the feed offers it for sale, and `dealer`, the
 * provider's ID of the lot.
 */
export type FixedTarget = VehicleFieldName | 'status' | 'dealer'
/** The same plus custom fields. */
export type FeedTarget = FixedTarget | CustomFieldName

export const FEED_TARGETS: readonly FixedTarget[] = [...fieldNames(), 'status', 'dealer']

const isTarget = (name: unknown): name is FeedTarget =>
  isCustomFieldName(name) || FEED_TARGETS.some((target) => target === name)
export const FeedTarget = z.custom<FeedTarget>(isTarget, "This field doesn't exist.")

/** All targets of a customer: the standard ones and its custom fields that are not archived. */
export function targetsWith(own: readonly CustomField[]): FeedTarget[] {
  return [...FEED_TARGETS, ...own.filter(({ isArchived }) => !isArchived).map(customFieldName)]
}

/** The title of a vehicle field, the name of a custom field, "Status" or "Dealer ID". */
export function targetTitle(target: FeedTarget, own: readonly CustomField[] = []): string {
  if (target === 'dealer') return 'Dealer ID'
  if (target === 'status') return 'Status'
  if (!isCustomFieldName(target)) return VEHICLE_FIELDS[target].title
  return own.find((field) => customFieldName(field) === target)?.name ?? target
}

/** Date formats. `daysAgo`: a count of days in stock. `unix`: seconds or milliseconds since 1970. */
export const DATE_FORMS = ['iso', 'compact', 'us', 'eu', 'words', 'unix', 'daysAgo'] as const
export type DateForm = (typeof DATE_FORMS)[number]

const column = z.string('Choose a column.').min(1, 'Choose a column.').max(210)
const separators = z
  .string()
  .min(1, 'Enter at least one separator.')
  .max(10, 'Enter at most 10 separators, one character each.')

/** Where a field's text comes from. */
export const FeedSource = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('column'), column }),
  /** The first of these columns that isn't empty. */
  z.strictObject({ kind: z.literal('firstOf'), columns: z.array(column).min(1).max(20) }),
  /** Lists only: the values of all these columns, in order. */
  z.strictObject({ kind: z.literal('allOf'), columns: z.array(column).min(1).max(200) }),
  /** The nth part of a column, starting at 1. Each character of `separators` is a separator. */
  z.strictObject({
    kind: z.literal('part'),
    column,
    separators,
    part: z.number().int().min(1, 'Enter 1 or more.').max(500),
  }),
  z.strictObject({
    kind: z.literal('constant'),
    value: z.string().overwrite(trimmed).min(1, 'Enter a value.').max(1_000),
  }),
  /** In the rule language, with the rule names of the columns: `stock_type == "N" ? "new" : "used"`. */
  z.strictObject({
    kind: z.literal('rule'),
    rule: z
      .string()
      .overwrite(trimmed)
      .min(1, 'Enter a rule.')
      .max(2_000, 'A rule can have at most 2,000 characters.'),
  }),
])
export type FeedSource = z.infer<typeof FeedSource>

/** How one field is filled: where its text comes from and how the text is read. */
export const FieldMapping = z.strictObject({
  source: FeedSource,
  /** Value replacements, case-insensitive and applied first: "N" to "new"; '' clears the field. */
  map: z
    .array(z.strictObject({ from: z.string().max(200), to: z.string().max(200) }))
    .max(500, 'Enter at most 500 values.')
    .optional(),
  /** Lists only: each character is a separator. By default bars, semicolons, commas and the like are detected. */
  separators: separators.optional(),
  /** Numbers only: the decimal separator, for when "12.995" would be read wrong. */
  decimal: z.enum(['.', ','], 'Choose a period or a comma.').optional(),
  /** Dates only: the formats to try, in order. */
  dates: z.array(z.enum(DATE_FORMS)).min(1).max(DATE_FORMS.length).optional(),
  /** Mileage only: the unit of values that have none. */
  unit: z.enum(['mi', 'km'], 'Choose miles or kilometers.').optional(),
  /** Mileage only: the column that holds the unit. */
  unitColumn: column.optional(),
  /** Amounts only: the column that holds the currency code. */
  currencyColumn: column.optional(),
})
export type FieldMapping = z.infer<typeof FieldMapping>

/** How a provider's rows are turned into vehicles. */
export const FeedMapping = z.strictObject({
  shape: FeedShape.prefault({}),
  /** A second file from the same provider, joined on one column of each. */
  second: z
    .strictObject({ shape: FeedShape.prefault({}), column, secondColumn: column })
    .nullable()
    .default(null),
  fields: z.partialRecord(FeedTarget, FieldMapping).default({}),
  /** Rows that match this rule are skipped, with the reason. */
  skipRule: z
    .strictObject({
      rule: z.string().overwrite(trimmed).min(1, 'Enter a rule.').max(2_000),
      reason: z.string().overwrite(trimmed).min(1, 'Enter a reason.').max(200),
    })
    .nullable()
    .default(null),
})
export type FeedMapping = z.infer<typeof FeedMapping>

/** The columns that a mapping names outside rules. */
export function columnsOf({ source, unitColumn, currencyColumn }: FieldMapping): string[] {
  const more = [unitColumn, currencyColumn].filter((name) => name !== undefined)
  switch (source.kind) {
    case 'column':
    case 'part':
      return [source.column, ...more]
    case 'firstOf':
    case 'allOf':
      return [...source.columns, ...more]
    default:
      return more
  }
}

function fieldNames(): VehicleFieldName[] {
  const isName = (name: string): name is VehicleFieldName => Object.hasOwn(VEHICLE_FIELDS, name)
  return Object.keys(VEHICLE_FIELDS).filter(isName)
}
