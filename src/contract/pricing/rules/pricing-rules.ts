import { z } from 'zod'
import { deletionOf, Seen } from '#contract/deletion.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Id, line } from '#contract/fields.ts'
import { Counted } from '#contract/lists/counted.ts'
import { defineList } from '#contract/lists/list.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { listQuery, queriedList } from '#contract/queried-list.ts'
import { choice, field, flag, optionalText, record, requiredText } from '#contract/record.ts'
import { ConfirmPrices } from '#contract/confirm-prices.ts'
import { SKIP_REASON_CODES } from './price-rule.ts'
import {
  ROUNDING_MODES,
  RULE_FIELD_CODES,
  RULE_KINDS,
  type RuleKind,
  WHEN_MISSING_CODES,
  type WhenMissing,
} from './rule-kinds.ts'

const MAX_CENTS = 100_000_000
const cents = (label: string) =>
  z
    .number(`${label} must be a number.`)
    .int(`${label} must be in whole cents.`)
    .min(-MAX_CENTS, `${label} can be at most 1,000,000.`)
    .max(MAX_CENTS, `${label} can be at most 1,000,000.`)
const Percent = z
  .number('Percentage must be a number.')
  .positive('Percentage must be more than 0.')
  .max(1000, 'Percentage can be at most 1,000.')
  .refine((percent) => isWhole(percent * 100), 'Percentage can have at most two decimals.')
  .nullable()
/** Whether a number is whole, apart from the error of binary fractions. */
const isWhole = (value: number): boolean => Math.abs(value - Math.round(value)) < 1e-6
/**
 * A minute in the time zone of each lot, of a day in the calendar: `Date.parse` takes February 30 for March 2, which the database
 * rejects when it calculates prices. Null: not set.
 */
export const Minute = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/, 'Enter a date and time, such as 2026-12-01T00:00.')
  .refine(isMinute, 'Enter a date and time that exist, from 1900 on.')
  .nullable()

function isMinute(text: string): boolean {
  const at = new Date(`${text}:00Z`)
  return text >= '1900' && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}

/** An amount from a number of days in stock on. */
const RuleStep = z.strictObject({
  days: z
    .number('From day must be a number.')
    .int('From day must be a whole number.')
    .min(0, "From day can't be negative.")
    .max(3650, 'From day can be at most 3,650.'),
  cents: cents('Amount'),
  percent: Percent.optional().default(null),
})

/** A price rule, with its fields in form order. What they mean: evaluate-price.ts. */
export const pricingRuleRecord = record(
  {
    name: requiredText('Name', 100),
    kind: choice('Kind', RULE_KINDS, { message: 'Choose what kind of rule it is.', initial: 'discount' }),
    isActive: flag('Active', { initial: true }),
    lotIds: field('Lots', {
      input: z.array(Id).max(200, 'A rule can name at most 200 lots.').optional(),
      stored: z.array(z.string()),
      blank: [],
    }),
    condition: field('Vehicles', {
      input: z.string().trim().max(4_000, 'The filter can have at most 4,000 characters.').optional(),
      stored: z.string(),
      blank: '',
    }),
    cents: field('Amount', { input: cents('Amount').optional(), stored: z.number().int(), blank: 0 }),
    percent: field('Percentage', { input: Percent.optional(), stored: z.number().nullable(), blank: null }),
    field: field('Of', {
      input: z.enum(RULE_FIELD_CODES, 'Choose what the percentage refers to.').nullable().optional(),
      stored: z.enum(RULE_FIELD_CODES).nullable(),
      blank: null,
    }),
    stepCents: field('Round to', {
      input: cents('Round to').positive('Round to must be more than 0.').nullable().optional(),
      stored: z.number().int().nullable(),
      blank: null,
    }),
    roundingMode: choice('Round', ROUNDING_MODES, {
      message: 'Choose whether prices are rounded down or to the nearest ending.',
      initial: 'down',
    }),
    steps: field('Amounts by days in stock', {
      input: z.array(RuleStep).max(20, 'A rule can have at most 20 steps.').optional(),
      stored: z.array(RuleStep),
      blank: [],
    }),
    aboveCostCents: field('Not below cost plus', {
      input: cents('Not below cost plus').nullable().optional(),
      stored: z.number().int().nullable(),
      blank: null,
    }),
    aboveInvoiceCents: field('Not below invoice plus', {
      input: cents('Not below invoice plus').nullable().optional(),
      stored: z.number().int().nullable(),
      blank: null,
    }),
    offMsrpPercent: field('At most % below MSRP', {
      input: Percent.refine(
        (percent) => percent === null || percent < 100,
        'The percentage below MSRP must be less than 100.',
      ).optional(),
      stored: z.number().nullable(),
      blank: null,
    }),
    keepsMinimum: flag('Not below the minimum price', { initial: false }),
    /** Left out for a new rule: `whenMissingOf` its kind. */
    whenMissing: field('If an amount is missing', {
      input: z.enum(WHEN_MISSING_CODES, 'Choose what happens if an amount is missing.').optional(),
      stored: z.enum(WHEN_MISSING_CODES),
      blank: undefined,
    }),
    exclusiveGroup: optionalText('Group', 100),
    fromMinute: field('From', { input: Minute.optional(), stored: z.string().nullable(), blank: null }),
    untilMinute: field('Until', { input: Minute.optional(), stored: z.string().nullable(), blank: null }),
    qualifier: optionalText('Who gets it', 200),
    label: optionalText('Name for buyers', 100),
    disclaimer: optionalText('Disclaimer', 500),
  },
  {
    readOnly: {
      /** Its amounts are not returned: it is calculated from costs, which the caller doesn't see. */
      hidesAmounts: z.boolean(),
    },
  },
)
export type PricingRule = z.infer<typeof pricingRuleRecord.schema>

/**
 * What a new rule does about missing amounts unless it says so: a minimum price protects what it can't calculate, and a reduction
 * leaves out the vehicle.
 */
export const whenMissingOf = (kind: RuleKind): WhenMissing => (kind === 'floor' ? 'stop' : 'skip')

type Settings = Pick<
  PricingRule,
  'kind' | 'cents' | 'percent' | 'field' | 'stepCents' | 'steps' | 'fromMinute' | 'untilMinute' | 'qualifier'
>

/** Error messages by field for settings that don't work together. */
export function ruleErrors(rule: Settings): Record<string, string> {
  const errors: Record<string, string> = {}
  const { kind, percent, steps, fromMinute, untilMinute } = rule
  if (percent !== null && rule.field === null) errors['field'] = 'Choose what the percentage refers to.'
  if (kind === 'rounding' && rule.stepCents === null)
    errors['stepCents'] = 'Enter what prices are rounded to.'
  if (kind !== 'base' && rule.cents < 0) errors['cents'] = "Amount can't be negative."
  if (kind === 'offer' && rule.qualifier === null) errors['qualifier'] = 'Enter who qualifies for the offer.'
  if (kind === 'base' && percent === null && rule.cents <= 0)
    errors['cents'] = 'Enter an amount or a percentage.'
  const isEmpty = rule.cents === 0 && percent === null && steps.length === 0
  if (isEmpty && kind !== 'rounding' && kind !== 'base') errors['cents'] = 'Enter an amount or a percentage.'
  if (fromMinute !== null && untilMinute !== null && untilMinute <= fromMinute) {
    errors['untilMinute'] = 'The end must be after the start.'
  }
  for (const [at, step] of steps.entries()) {
    if (steps.findIndex(({ days }) => days === step.days) < at)
      errors[`steps.${at}.days`] = 'Another amount already starts on this day.'
    if (step.cents < 0) errors[`steps.${at}.cents`] = "Amount can't be negative."
    if (step.percent !== null && rule.field === null)
      errors['field'] = 'Choose what the percentage refers to.'
  }
  return errors
}

export const PRICING_RULE_LIST = defineList({
  key: 'pricing-rules',
  title: 'Pricing rules',
  nouns: ['rule', 'rules'],
  page: '/inventory/pricing-rules',
  allow: can(Func.pricingRules, Opr.list),
  exports: can(Func.pricingRules, Opr.export),
  sort: 'name',
  fields: {
    name: { title: 'Rule', kind: 'text', isSortable: true, isFixed: true },
    kind: { title: 'Kind', kind: 'choice', isSortable: true, isFacet: true, choices: RULE_KINDS },
    condition: { title: 'Vehicles', kind: 'text' },
    isActive: { title: 'Active', kind: 'flag', isSortable: true },
    exclusiveGroup: { title: 'Group', kind: 'text', isHidden: true },
    fromMinute: { title: 'From', kind: 'text', isHidden: true },
    untilMinute: { title: 'Until', kind: 'text' },
    updatedAt: { title: 'Changed', kind: 'moment', isSortable: true },
    updatedBy: { title: 'Changed by', kind: 'text', isHidden: true },
  },
})

/** How two rules act on the same vehicles: both discounts lower the price, or a highest price is below a minimum price. */
const RuleConflict = z.object({
  how: z.enum(['adds', 'opposes']),
  ruleId: z.string(),
  name: z.string(),
  vehicles: z.number().int(),
})

/** What a rule does to the stock now. Only vehicles with a price that buyers could see: not sold, archived or removed. */
export const RuleEffect = z.object({
  ruleId: z.string(),
  /** Vehicles that match its lots and condition, and those whose price it changes or which get its offer. */
  matched: z.number().int(),
  applied: z.number().int(),
  /** Matching vehicles that the other figures leave out: rules on costs apply to them, and the caller doesn't see costs. */
  covered: z.number().int(),
  /** Vehicles for which its own limit, or a minimum price, takes back all or part of its reduction. */
  limited: z.number().int(),
  /** Vehicles whose price it raises. Only a minimum price raises prices beyond what the other rules lead to. */
  raised: z.number().int(),
  /** Matching vehicles that lack an amount which it needs. */
  missing: Counted,
  /** The most frequent reason why it doesn't apply to a matching vehicle; null if it applies to all. */
  reason: z.enum(SKIP_REASON_CODES).nullable(),
  /** If the reason is its group: the rule that most often applies instead. */
  by: z.object({ ruleId: z.string(), name: z.string() }).nullable(),
  /** The rule that it shares the most vehicles with in one of these ways. */
  conflict: RuleConflict.nullable(),
})
export type RuleEffect = z.infer<typeof RuleEffect>

/** How saving a rule would change selling prices. Amounts are integer cents. */
export const RulePreview = z.object({
  currency: z.string(),
  /** The later day on which these prices are compared; null: now. */
  day: z.string().nullable(),
  /** Vehicles in stock with a price, and those the rule matches. */
  stock: z.number().int(),
  /** The rule matches more vehicles; only the first 100,000 were evaluated. */
  isPartial: z.boolean(),
  matched: z.number().int(),
  lowered: z.number().int(),
  raised: z.number().int(),
  /** Changed vehicles that end at their minimum price, so that they change less than the rules say. */
  limited: z.number().int(),
  /** Vehicles for which the limit of a changed rule takes part or all of its reduction. */
  atLimit: z.number().int(),
  /** Vehicles that a changed rule would lower further than its limit or their minimum price allows, also if their price stays the same. */
  held: z.array(z.object({ vehicleId: z.string(), title: z.string(), sellingCents: z.number().int() })),
  /** Whether there are more of them. */
  hasMoreHeld: z.boolean(),
  /** Matching vehicles that lack an amount which a changed rule needs, with the path of the list of exactly these. */
  missing: Counted.extend({
    /** The first of them, with the amounts they lack. */
    vehicles: z.array(
      z.object({ vehicleId: z.string(), title: z.string(), fields: z.array(z.enum(RULE_FIELD_CODES)) }),
    ),
  }),
  /** Why the changed rules do nothing for vehicles they match, most frequent first. */
  skipped: z.array(z.object({ reason: z.enum(SKIP_REASON_CODES), vehicles: z.number().int() })),
  /** Matching vehicles that the other figures leave out: rules on costs apply to them, and the caller doesn't see costs. */
  covered: z.number().int(),
  /** The sum of all changes. */
  totalCents: z.number().int(),
  /** What the changed rules, and those previewed with them, do at that time: prices with them against prices without them. */
  own: z.object({
    lowered: z.number().int(),
    raised: z.number().int(),
    totalCents: z.number().int(),
    /** Vehicles that get an offer of theirs below the price. */
    offered: z.number().int(),
  }),
  /** The vehicles with the largest changes, largest first. */
  largest: z.array(
    z.object({
      vehicleId: z.string(),
      title: z.string(),
      beforeCents: z.number().int(),
      afterCents: z.number().int(),
      isLimited: z.boolean(),
    }),
  ),
})
export type RulePreview = z.infer<typeof RulePreview>

/** The user has seen how many vehicles a rule without conditions applies to. */
const ConfirmEvery = z.boolean('This must be true or false.').optional().default(false)

/** A version of a rule: who changed what and when. */
/** What users enter of a rule. */
export const RuleSettings = pricingRuleRecord.schema.omit({
  id: true,
  version: true,
  updatedAt: true,
  updatedBy: true,
  hidesAmounts: true,
})

export const RuleVersion = z.object({
  at: z.string(),
  /** Null for the system. */
  by: z.string().nullable(),
  isNew: z.boolean(),
  /** Labels of the fields, with the values before and after as users read them. */
  changes: z.array(
    z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() }),
  ),
  /** The rule as it was saved then. Null if it depends on costs that the caller doesn't see, or could not be saved like that today. */
  settings: RuleSettings.nullable(),
})
export type RuleVersion = z.infer<typeof RuleVersion>
/** The most price rules of a customer, and characters of all their conditions: every price is calculated with all of them. */
export const MAX_PRICING_RULES = 1_000
export const MAX_CONDITION_CHARACTERS = 100_000
/** The most versions that are returned. */
export const MAX_VERSIONS = 50

/** A start or end of an active rule that is still to come. */
export const RuleBoundary = z.object({
  /** In the time zone of each lot: `2026-12-01T00:00`. */
  minute: z.string(),
  ruleId: z.string(),
  name: z.string(),
  what: z.enum(['starts', 'ends']),
})
export type RuleBoundary = z.infer<typeof RuleBoundary>

const RuleChange = z
  .strictObject({
    ...pricingRuleRecord.changes.shape,
    updatedAt: z.unknown().optional(),
    updatedBy: z.unknown().optional(),
    confirmPrices: ConfirmPrices,
    confirmEvery: ConfirmEvery,
  })
  .transform(({ updatedAt: _at, updatedBy: _by, ...change }) => change)

const LIST = '/api/inventory/get-pricing-rules'
const EFFECTS = '/api/inventory/pricing-rule-effects'
const PRICES = ['/api/inventory/vehicle-price/{id}', '/api/inventory/vehicle-price-places/{id}'] as const
const CALENDAR = '/api/inventory/pricing-rule-calendar'
const VERSIONS = '/api/inventory/pricing-rule-versions/{id}'
/** The reads that every change of a rule makes stale. */
export const RULE_READS = [LIST, EFFECTS, CALENDAR, VERSIONS, ...PRICES] as const

export const pricingRules = {
  list: endpoint({
    method: 'GET',
    path: LIST,
    allow: can(Func.pricingRules, Opr.list),
    summary: 'Lists the price rules of the customer. Searches name and condition.',
    input: listQuery(PRICING_RULE_LIST),
    output: queriedList(pricingRuleRecord.schema),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/inventory/edit-pricing-rule/{id}',
    allow: can(Func.pricingRules, Opr.read),
    summary: 'Returns one price rule.',
    input: z.strictObject({ id: Id }),
    output: pricingRuleRecord.schema,
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/inventory/add-pricing-rule',
    allow: can(Func.pricingRules, Opr.create),
    summary:
      'Adds a price rule. Returns 409 if the name is already in use, if it applies to every vehicle and `confirmEvery` is missing, or if prices would change beyond the limits of the customer and `confirmPrices` is missing.',
    input: pricingRuleRecord.create.extend({ confirmPrices: ConfirmPrices, confirmEvery: ConfirmEvery }),
    output: pricingRuleRecord.schema,
    changes: RULE_READS,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/inventory/update-pricing-rule',
    allow: can(Func.pricingRules, Opr.update),
    summary:
      'Changes a price rule. A stale version returns 409 with the current rule; a rule that now applies to every vehicle without `confirmEvery`, and prices beyond the limits of the customer without `confirmPrices`, return 409 on that field.',
    input: RuleChange,
    output: pricingRuleRecord.schema,
    changes: RULE_READS,
  }),
  remove: endpoint({
    ...deletionOf(pricingRuleRecord.schema),
    path: '/api/inventory/delete-pricing-rule/{id}',
    allow: can(Func.pricingRules, Opr.delete),
    summary:
      'Deletes a price rule. A stale version returns 409 with the current rule; prices beyond the limits of the customer without `confirmPrices` return 409 on that field.',
    input: Seen.extend({
      confirmPrices: z
        .union([z.boolean(), z.enum(['true', 'false']).transform((word) => word === 'true')])
        .optional()
        .default(false),
    }),
    changes: RULE_READS,
  }),
  effects: endpoint({
    method: 'GET',
    path: EFFECTS,
    allow: can(Func.pricingRules, Opr.list),
    summary: 'Returns for each rule how many vehicles in stock it matches and changes now.',
    output: z.array(RuleEffect),
  }),
  versions: endpoint({
    method: 'GET',
    path: VERSIONS,
    allow: can(Func.pricingRules, Opr.read),
    summary:
      'Lists who changed a price rule, what and when, newest first, at most 50 versions, with its settings after each. To restore one, send them to `update-pricing-rule`.',
    input: z.strictObject({ id: Id }),
    output: z.array(RuleVersion),
  }),
  calendar: endpoint({
    method: 'GET',
    path: CALENDAR,
    allow: can(Func.pricingRules, Opr.list),
    summary:
      'Lists the starts and ends of active rules that are still to come, earliest first. Compares with the time of the customer.',
    output: z.array(RuleBoundary),
  }),
  preview: endpoint({
    method: 'POST',
    path: '/api/inventory/preview-pricing-rule',
    allow: can(Func.pricingRules, Opr.read),
    writes: false,
    summary:
      'Returns how a new rule, or a change to the rule `id`, would change the selling prices of the stock, now or at a given time in the time zone of each lot.',
    input: z.strictObject({
      id: Id.nullable(),
      /** A minute in the time zone of each lot, for a simulation; by default now. */
      minute: Minute.optional().default(null),
      /** Other rules whose effect is shown together with that of this one. */
      together: z.array(Id).max(20, 'At most 20 rules can be previewed together.').optional().default([]),
      rule: pricingRuleRecord.create.extend({ name: line(100, 'Name').optional().default('New rule') }),
    }),
    output: RulePreview,
  }),
}
