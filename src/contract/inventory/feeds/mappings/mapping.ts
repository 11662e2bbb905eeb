import { z } from 'zod'
import {
  type CustomField,
  type CustomFieldName,
  customFieldName,
  isCustomFieldName,
} from '#contract/customers/custom-fields/custom-fields.ts'
import { VEHICLE_FIELDS, type VehicleFieldName } from '#contract/inventory/vehicles/vehicle-fields.ts'
import { FeedShape } from '../formats/feed-shape.ts'

/** What every mapping may fill: the fields of a vehicle, and `dealer`, the provider's number of the lot. */
export type FixedTarget = VehicleFieldName | 'dealer'
/** The same with the fields that a customer made for itself. */
export type FeedTarget = FixedTarget | CustomFieldName

export const FEED_TARGETS: readonly FixedTarget[] = [...fieldNames(), 'dealer']

const isTarget = (name: unknown): name is FeedTarget =>
  isCustomFieldName(name) || FEED_TARGETS.some((target) => target === name)
export const FeedTarget = z.custom<FeedTarget>(isTarget, 'There is no such field.')

/** The targets of a customer: those of all, and its own fields that are not archived. */
export function targetsWith(own: readonly CustomField[]): FeedTarget[] {
  return [...FEED_TARGETS, ...own.filter(({ isArchived }) => !isArchived).map(customFieldName)]
}

/** "Dealer at the provider", the titles of the fields, and the names of the customer's own. */
export function targetTitle(target: FeedTarget, own: readonly CustomField[] = []): string {
  if (target === 'dealer') return 'Dealer at the provider'
  if (!isCustomFieldName(target)) return VEHICLE_FIELDS[target].title
  return own.find((field) => customFieldName(field) === target)?.name ?? target
}

/** The forms of a date. `daysAgo`: a count of days in stock. `unix`: seconds or milliseconds since 1970. */
export const DATE_FORMS = ['iso', 'compact', 'us', 'eu', 'words', 'unix', 'daysAgo'] as const
export type DateForm = (typeof DATE_FORMS)[number]

const column = z.string('Name a column.').min(1, 'Name a column.').max(210)
const separators = z
  .string()
  .min(1, 'Name at least one separator.')
  .max(10, 'At most 10 separators, one sign each.')

/** Where the text of a field comes from. */
export const FeedSource = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('column'), column }),
  /** The first of these columns that is not empty. */
  z.strictObject({ kind: z.literal('firstOf'), columns: z.array(column).min(1).max(20) }),
  /** Of lists: all that these columns say, one after the other. */
  z.strictObject({ kind: z.literal('allOf'), columns: z.array(column).min(1).max(200) }),
  /** The nth part of a column, from 1; each sign of `separators` separates. */
  z.strictObject({
    kind: z.literal('part'),
    column,
    separators,
    part: z.number().int().min(1, 'Parts count from 1.').max(500),
  }),
  z.strictObject({
    kind: z.literal('constant'),
    value: z.string().trim().min(1, 'Give a value.').max(1_000),
  }),
  /** In the rule language, over the columns by their names in rules: `stock_type == "N" ? "new" : "used"`. */
  z.strictObject({
    kind: z.literal('rule'),
    rule: z.string().trim().min(1, 'Write a rule.').max(2_000, 'A rule may have at most 2000 characters.'),
  }),
])
export type FeedSource = z.infer<typeof FeedSource>

/** How one field is filled: where its text comes from, and how the text is read. */
export const FieldMapping = z.strictObject({
  source: FeedSource,
  /** Values to others, without regard to case, before anything else: "N" to "new"; '' empties the field. */
  map: z
    .array(z.strictObject({ from: z.string().max(200), to: z.string().max(200) }))
    .max(500, 'At most 500 values.')
    .optional(),
  /** Of lists: each sign separates. Without them commas, bars and the like, as they come. */
  separators: separators.optional(),
  /** Of numbers: the sign before the fraction, where "12.995" would be read wrong. */
  decimal: z.enum(['.', ','], 'Choose a point or a comma.').optional(),
  /** Of dates: the forms to try, in order. */
  dates: z.array(z.enum(DATE_FORMS)).min(1).max(DATE_FORMS.length).optional(),
  /** Of mileage: what it is in where the value does not say so itself. */
  unit: z.enum(['mi', 'km'], 'Choose miles or kilometres.').optional(),
  /** Of mileage: the column that says the unit. */
  unitColumn: column.optional(),
})
export type FieldMapping = z.infer<typeof FieldMapping>

/** How the rows of one provider become vehicles. */
export const FeedMapping = z.strictObject({
  shape: FeedShape.prefault({}),
  /** A second file of the same provider, joined by a column of each. */
  second: z
    .strictObject({ shape: FeedShape.prefault({}), column, secondColumn: column })
    .nullable()
    .default(null),
  fields: z.partialRecord(FeedTarget, FieldMapping).default({}),
  /** Rows this rule holds for are left out, with the reason. */
  leaveOut: z
    .strictObject({
      rule: z.string().trim().min(1, 'Write a rule.').max(2_000),
      reason: z.string().trim().min(1, 'Give a reason.').max(200),
    })
    .nullable()
    .default(null),
})
export type FeedMapping = z.infer<typeof FeedMapping>

/** The columns that a mapping names outside of rules. */
export function columnsOf({ source, unitColumn }: FieldMapping): string[] {
  const more = unitColumn === undefined ? [] : [unitColumn]
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
