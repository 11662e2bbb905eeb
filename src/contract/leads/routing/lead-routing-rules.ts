import { z } from 'zod'
import { deletionOf } from '#contract/deletion.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant, line } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { choice, field, flag, record, requiredText } from '#contract/record.ts'
import { conditionProblem } from './lead-facts.ts'
import { LEAD_TYPE_CODES } from '../inbox/lead-list.ts'
import { HOURS, STRATEGIES, TRADE_INS } from './rule-choices.ts'

const MAX_PRICE_CENTS = 100_000_000
/** The most rules of a customer, and destinations of a rule. */
export const MAX_RULES = 200
const MAX_TARGETS = 50
const MAX_WEIGHT = 100
/** 30 days. */
const DEFAULT_DEDUPE_MINUTES = 43_200
/** A year. */
const MAX_DEDUPE_MINUTES = 525_600
/** How many leads a simulation routes again. */
export const SIMULATED_LEADS = [50, 200, 1_000] as const
const MAX_SIMULATED = 1_000

const words = (label: string, max = 60) =>
  field(label, {
    input: z
      .array(line(max, label), `${label} must be a list.`)
      .max(200, `${label} may have at most 200 entries.`)
      .optional(),
    stored: z.array(z.string()),
    blank: [],
  })
const ids = (label: string) =>
  field(label, {
    input: z
      .array(Id, `${label} must be a list.`)
      .max(200, `${label} may have at most 200 entries.`)
      .optional(),
    stored: z.array(z.string()),
    blank: [],
  })
const price = (label: string) =>
  field(label, {
    input: z
      .number(`${label} must be a number.`)
      .int(`${label} must be in whole cents.`)
      .min(0, `${label} can't be negative.`)
      .max(MAX_PRICE_CENTS, `${label} can be at most 1,000,000.`)
      .nullable()
      .optional(),
    stored: z.number().int().nullable(),
    blank: null,
  })
/** The name of the field in its messages. */
const WINDOW = "The time in “Don't send again within”"
const time = (label: string) =>
  field(label, {
    input: z
      .string(`${label} must be a time.`)
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, `${label} must look like 18:00.`)
      .nullable()
      .optional(),
    stored: z.string().nullable(),
    blank: null,
  })

const RuleTarget = z.strictObject({
  destinationId: Id,
  weight: z
    .number('Weight must be a number.')
    .int('Weight must be a whole number.')
    .min(1, 'Weight must be at least 1.')
    .max(MAX_WEIGHT, `Weight can be at most ${MAX_WEIGHT}.`)
    .optional()
    .default(1),
})

/** A rule, with its fields in form order. What they mean: match-rule.ts, choose-lead-destinations.ts. */
export const leadRoutingRuleRecord = record(
  {
    name: requiredText('Name', 100),
    isActive: flag('Active', { initial: true }),
    lotIds: ids('Lots'),
    leadTypes: field('Lead types', {
      input: z.array(z.enum(LEAD_TYPE_CODES, 'Choose lead types.')).optional(),
      stored: z.array(z.string()),
      blank: [],
    }),
    sources: words('Sources'),
    makes: words('Makes'),
    models: words('Models'),
    priceFromCents: price('Price from'),
    priceToCents: price('Price to'),
    campaigns: words('Campaigns', 100),
    formIds: ids('Forms'),
    postalCodes: words('ZIP codes', 20),
    languages: words('Languages', 20),
    hours: choice('When', HOURS, { message: 'Choose when the rule applies.', initial: 'any' }),
    fromTime: time('From'),
    untilTime: time('Until'),
    tradeIn: choice('Trade-in', TRADE_INS, {
      message: 'Choose whether there is a trade-in.',
      initial: 'any',
    }),
    condition: field('Filter', {
      input: z.string().trim().max(2_000, 'The filter can have at most 2,000 characters.').optional(),
      stored: z.string(),
      blank: '',
    }),
    storeId: field('Send to store', {
      input: Id.nullable().optional(),
      stored: z.string().nullable(),
      blank: null,
    }),
    strategy: choice('Strategy', STRATEGIES, {
      message: 'Choose how the destination is chosen.',
      initial: 'all',
    }),
    targets: field('Destinations', {
      input: z
        .array(RuleTarget, 'Destinations must be a list.')
        .max(MAX_TARGETS, `A rule can have at most ${MAX_TARGETS} destinations.`)
        .optional(),
      stored: z.array(RuleTarget),
      blank: [],
    }),
    stopsHere: flag('Stop after this rule', { initial: true }),
    dedupeMinutes: field("Don't send again within", {
      input: z
        .number(`${WINDOW} must be a number.`)
        .int(`${WINDOW} must be a whole number.`)
        .min(0, `${WINDOW} can't be negative.`)
        .max(MAX_DEDUPE_MINUTES, `${WINDOW} can be at most one year.`)
        .optional(),
      stored: z.number().int(),
      blank: DEFAULT_DEDUPE_MINUTES,
    }),
  },
  {
    readOnly: {
      /** From 1, in the order in which rules are tried. */
      number: z.number().int(),
      /** The last rule: every lead that no other rule has sent. It has no conditions and can't be paused or deleted. */
      isCatchAll: z.boolean(),
    },
  },
)
export type LeadRoutingRule = z.infer<typeof leadRoutingRuleRecord.schema>
export type LeadRoutingRuleInput = z.output<typeof leadRoutingRuleRecord.create>

/** The fields that the catch-all rule keeps empty. */
const CONDITION_FIELDS = [
  'lotIds',
  'leadTypes',
  'sources',
  'makes',
  'models',
  'priceFromCents',
  'priceToCents',
  'campaigns',
  'formIds',
  'postalCodes',
  'languages',
  'condition',
] as const satisfies readonly (keyof LeadRoutingRule)[]

/** Error messages by field for settings that don't work together. */
export function leadRuleErrors(rule: LeadRoutingRule): Record<string, string> {
  const errors: Record<string, string> = {}
  const { priceFromCents: from, priceToCents: to, hours, fromTime, untilTime, targets } = rule
  if (from !== null && to !== null && to < from)
    errors['priceToCents'] = 'Price to must not be below price from.'
  if (hours === 'between') {
    if (fromTime === null) errors['fromTime'] = 'Enter a time.'
    if (untilTime === null) errors['untilTime'] = 'Enter a time.'
    if (fromTime !== null && fromTime === untilTime) errors['untilTime'] = 'The two times must differ.'
  }
  if (rule.storeId === null && targets.length === 0) errors['targets'] = 'Add at least one destination.'
  if (rule.storeId !== null && targets.length > 0)
    errors['targets'] =
      'A rule that sends leads to a store has no destinations: the rules after it do the rest.'
  if (new Set(targets.map(({ destinationId }) => destinationId)).size < targets.length) {
    errors['targets'] = 'Each destination can be listed only once.'
  }
  const problem = conditionProblem(rule.condition)
  if (problem !== null) errors['condition'] = problem
  if (rule.isCatchAll) {
    for (const name of CONDITION_FIELDS) {
      const value = rule[name]
      const isEmpty = Array.isArray(value) ? value.length === 0 : value === null || value === ''
      if (!isEmpty) errors[name] = 'The last rule gets every other lead, so it has no conditions.'
    }
    if (hours !== 'any') errors['hours'] = 'The last rule applies at any time.'
    if (rule.storeId !== null) errors['storeId'] = 'The last rule sends leads to destinations.'
    if (rule.tradeIn !== 'any')
      errors['tradeIn'] = 'The last rule gets every other lead, so it has no conditions.'
    if (!rule.isActive) errors['isActive'] = "The last rule can't be paused, so that no lead is lost."
  }
  return errors
}

/** What a rule did in the last 30 days, and what is wrong with it. */
export const LeadRuleEffect = z.object({
  ruleId: z.string(),
  /** Leads that it sent. */
  sent: z.number().int(),
  warning: z
    .object({ kind: z.enum(['unreachable', 'overlap', 'no destination']), text: z.string() })
    .nullable(),
})
export type LeadRuleEffect = z.infer<typeof LeadRuleEffect>

/** Why a lead went where it went, rule by rule. */
const LeadRoutingStep = z.object({
  ruleId: z.string(),
  name: z.string(),
  number: z.number().int(),
  outcome: z.enum(['sent', 'duplicate', 'unavailable', 'store', 'no match', 'paused', 'not reached']),
  /** "the source is AutoTrader"; "Round-robin of 3: Luis Ortega was next". */
  why: z.string(),
})
export const LeadRoute = z.object({
  steps: z.array(LeadRoutingStep),
  destinations: z.array(z.object({ destinationId: z.string(), name: z.string() })),
  /** When it was routed; null for a test. */
  at: Instant.nullable(),
})
export type LeadRoute = z.infer<typeof LeadRoute>

/** How a change of the rules would have sent the latest leads. Both sides start with a new turn of every strategy. */
export const LeadRoutingSimulation = z.object({
  /** Leads that were routed again, and when the first of them was received. */
  leads: z.number().int(),
  since: Instant.nullable(),
  /** Leads that the draft rule sends; null without one. */
  matched: z.number().int().nullable(),
  destinations: z.array(
    z.object({
      destinationId: z.string(),
      name: z.string(),
      before: z.number().int(),
      after: z.number().int(),
    }),
  ),
  /** Leads that would go elsewhere, and the latest of them. */
  moved: z.number().int(),
  examples: z.array(
    z.object({
      leadId: z.string(),
      name: z.string(),
      receivedAt: Instant,
      before: z.array(z.string()),
      after: z.array(z.string()),
    }),
  ),
  /** What would be wrong with the draft rule. */
  warning: z.string().nullable(),
})
export type LeadRoutingSimulation = z.infer<typeof LeadRoutingSimulation>

const Named = z.object({ id: z.string(), name: z.string() })
/** What rules and destinations can refer to, and whether the caller may change them. */
export const LeadRoutingSettings = z.object({
  /** Only users with access to the whole customer change routing. */
  canChange: z.boolean(),
  currency: z.string(),
  lots: z.array(Named),
  forms: z.array(Named),
  /** Users who can work on leads. */
  users: z.array(Named),
  /** Values of the customer's own leads and vehicles, the most frequent first. */
  sources: z.array(z.string()),
  makes: z.array(z.string()),
  models: z.array(z.string()),
  campaigns: z.array(z.string()),
  languages: z.array(z.string()),
})
export type LeadRoutingSettings = z.infer<typeof LeadRoutingSettings>

const LIST = '/api/customers/get-lead-routing-rules'
const ONE = '/api/customers/edit-lead-routing-rule/{id}'
const EFFECTS = '/api/customers/lead-routing-rule-effects'
const SHOWN = [LIST, ONE, EFFECTS] as const
const byId = z.strictObject({ id: Id })

const RuleChange = z
  .strictObject({
    ...leadRoutingRuleRecord.changes.shape,
    number: z.unknown().optional(),
    isCatchAll: z.unknown().optional(),
    updatedAt: z.unknown().optional(),
    updatedBy: z.unknown().optional(),
  })
  .transform(({ number: _number, isCatchAll: _last, updatedAt: _at, updatedBy: _by, ...change }) => change)

const RuleIds = z.array(Id).max(MAX_RULES, `There can be at most ${MAX_RULES} rules.`)

export const leadRoutingRules = {
  list: endpoint({
    method: 'GET',
    path: LIST,
    allow: can(Func.leadRouting, Opr.list),
    summary:
      'Lists the lead routing rules in the order in which they are checked; the catch-all rule is last.',
    output: z.array(leadRoutingRuleRecord.schema),
  }),
  get: endpoint({
    method: 'GET',
    path: ONE,
    allow: can(Func.leadRouting, Opr.read),
    summary: 'Returns one lead routing rule.',
    input: byId,
    output: leadRoutingRuleRecord.schema,
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/customers/add-lead-routing-rule',
    allow: can(Func.leadRouting, Opr.create),
    summary:
      'Adds a lead routing rule before the catch-all rule. Requires access to the whole customer. Returns 409 if the name is already in use.',
    input: leadRoutingRuleRecord.create,
    output: leadRoutingRuleRecord.schema,
    changes: SHOWN,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/customers/update-lead-routing-rule',
    allow: can(Func.leadRouting, Opr.update),
    summary:
      'Changes a lead routing rule. Requires access to the whole customer. A stale version returns 409 with the current rule.',
    input: RuleChange,
    output: leadRoutingRuleRecord.schema,
    changes: SHOWN,
  }),
  order: endpoint({
    method: 'POST',
    path: '/api/customers/order-lead-routing-rules',
    allow: can(Func.leadRouting, Opr.update),
    summary:
      'Reorders the rules. Names all of them except the catch-all rule, which stays last, in their new order and in the order they had before. Returns 409 if they have another order by now, or a rule was added or deleted.',
    input: z.strictObject({ ids: RuleIds, before: RuleIds }),
    output: z.array(leadRoutingRuleRecord.schema),
    changes: SHOWN,
  }),
  remove: endpoint({
    ...deletionOf(leadRoutingRuleRecord.schema),
    path: '/api/customers/delete-lead-routing-rule/{id}',
    allow: can(Func.leadRouting, Opr.delete),
    summary: 'Deletes a lead routing rule. Returns 409 for the catch-all rule.',
    changes: SHOWN,
  }),
  effects: endpoint({
    method: 'GET',
    path: EFFECTS,
    allow: can(Func.leadRouting, Opr.list),
    summary:
      'Returns for each rule how many leads it sent in the last 30 days, and warnings: never reached, overlapping, no destination.',
    output: z.array(LeadRuleEffect),
  }),
  simulate: endpoint({
    method: 'POST',
    path: '/api/customers/simulate-lead-routing',
    allow: can(Func.leadRouting, Opr.read),
    writes: false,
    summary:
      'Simulates the routing of the latest leads with the current rules and with a change to them, and returns the differences: a draft of one rule (`id` null: a new one), another order, or both. Sends nothing.',
    input: z.strictObject({
      id: Id.nullable().optional().default(null),
      rule: leadRoutingRuleRecord.create
        .extend({ name: line(100, 'Name').optional().default('New rule') })
        .optional(),
      /** The IDs of the rules in another order, without the catch-all rule. */
      order: z.array(Id).max(MAX_RULES, `There can be at most ${MAX_RULES} rules.`).optional(),
      leads: z
        .number('The number of leads must be a number.')
        .int('The number of leads must be a whole number.')
        .min(1, 'Simulate at least one lead.')
        .max(MAX_SIMULATED, `Simulate at most ${MAX_SIMULATED} leads.`)
        .optional()
        .default(200),
    }),
    output: LeadRoutingSimulation,
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/customers/test-lead-routing',
    allow: can(Func.leadRouting, Opr.read),
    writes: false,
    summary: 'Returns where a lead would go now, and why, rule by rule. Sends nothing.',
    input: byId,
    output: LeadRoute,
  }),
  explain: endpoint({
    method: 'GET',
    path: '/api/customers/lead-route/{id}',
    allow: can(Func.leads, Opr.read),
    summary: 'Returns where a lead went when it was received, and why. 404 if it was not routed.',
    input: byId,
    output: LeadRoute,
  }),
  settings: endpoint({
    method: 'GET',
    path: '/api/customers/lead-routing-settings',
    allow: can(Func.leadRouting, Opr.list),
    summary:
      'Returns what rules and destinations can refer to: lots, forms and users within reach, proposed values, and whether the caller may change routing.',
    output: LeadRoutingSettings,
  }),
}
