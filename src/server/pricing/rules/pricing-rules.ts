import { sql } from 'kysely'
import type { Received } from '#contract/endpoint.ts'
import {
  PRICING_RULE_LIST,
  type PricingRule,
  pricingRuleRecord,
  type pricingRules,
  ruleErrors,
  type RuleBoundary,
  whenMissingOf,
} from '#contract/pricing/rules/pricing-rules.ts'
import { timeUseOf } from '#contract/pricing/rules/rule-conditions.ts'
import { clock } from '#server/clock.ts'
import type { Member } from '#server/http/actor.ts'
import { coveredName } from '#server/database/rule-names.ts'
import { holdRecords } from '#server/database/hold-records.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { isViolation } from '#server/database/violations.ts'
import { conflict, forbidden, notFound, refused, stale } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { contains } from '#server/lists/contains.ts'
import { readPageText } from '#server/lists/json-text.ts'
import { type ListSource, widened } from '#server/lists/list-source.ts'
import { findLostLot } from '#server/lists/read-loose-references.ts'
import { ruleProblem, seesCost } from '#server/vehicles/index.ts'
import { requireAmounts } from './missing-amounts.ts'
import { requireRuleConsent } from './rule-consent.ts'
import { previewRule, readEffects } from './rule-effects.ts'
import { requireCosts, ruleShownTo } from './cost-rules.ts'
import { refuseTooManyRules } from './rule-limits.ts'
import { ruleColumns, ruleColumnsFor } from './rule-rows.ts'
import { readVersions } from './rule-versions.ts'
import { countStock } from './stock-prices.ts'

/** The price rules of the customer; not restricted by organization. */
export const pricingRuleSource: ListSource<keyof typeof PRICING_RULE_LIST.fields> = {
  list: PRICING_RULE_LIST,
  from: sql`pricing_rules`,
  within: (actor) => sql`pricing_rules.customer_id = ${actor.customerId}`,
  id: sql`pricing_rules.id`,
  title: sql`pricing_rules.name`,
  fields: ruleColumns.listFields(PRICING_RULE_LIST, {
    name: { order: sql`pricing_rules.name_key`, isNeverNull: true },
    updatedAt: { isNeverNull: true },
  }),
  search: (text) => contains([sql.ref('pricing_rules.name'), sql.ref('pricing_rules.condition')], text),
  widen: async (_, actor, source) => (seesCost(actor) ? source : { ...source, ...COVERED }),
}

/** For users who don't see costs: nothing is found or sorted by the name of a rule on costs. */
const COVERED: Pick<ListSource, 'title' | 'search' | 'shape' | 'fields'> = {
  title: coveredName,
  shape: 'covered',
  fields: { ...pricingRuleSource.fields, name: { value: coveredName, isNeverNull: true } },
  search: (text) => contains([coveredName, sql.ref('pricing_rules.condition')], text),
}

/** The customer's price rules. Users of one organization change those that are limited to its lots. */
export const pricingRuleHandlers: Handlers<typeof pricingRules> = {
  list: async ({ db, actor, input }) =>
    readPageText<PricingRule, string>(
      db,
      actor,
      await widened(db, actor, pricingRuleSource),
      input,
      ruleColumnsFor,
    ),

  get: async ({ db, actor, input }) => ruleShownTo(actor, await readRule(db, input.id)),

  add: ({ db, actor, input }) => addRule(db, actor, input, false),
  update: ({ db, actor, input }) => updateRule(db, actor, input, false),
  async remove({ db, actor, input }) {
    await removeRule(db, actor, input, false)
    return null
  },

  effects: ({ db, actor }) => readEffects(db, actor),

  async versions({ db, actor, input }) {
    const rule = await readRule(db, input.id)
    return readVersions(db, actor, { rule, toRule })
  },

  calendar: ({ db, actor }) => readCalendar(db, actor),

  async preview({ db, actor, input: { id, rule, minute, together } }) {
    const draft = toRule(rule)
    requireCosts(actor, draft)
    if (id === null) {
      validateRule(draft)
      return previewRule(db, actor, draft, { minute, together })
    }
    const current = await readRule(db, id)
    requireCosts(actor, current)
    validateRule(draft)
    return previewRule(db, actor, { ...draft, id: current.id }, { minute, together })
  },
}

type Removal = { id: string; version?: number | undefined; confirmPrices: boolean }

/**
 * Adds a rule. @param isApproved a second user approved it
 * @throws Failure 400 with the invalid fields, 403 for lots of others, 409 if the name is in use or it needs consent
 */
export async function addRule(
  db: Database,
  actor: Member,
  { confirmPrices, confirmEvery, ...input }: Received<typeof pricingRules.add>,
  isApproved: boolean,
): Promise<PricingRule> {
  await requireLots(db, actor, input.lotIds ?? [])
  const rule = toRule(input)
  requireCosts(actor, rule)
  validateRule(rule)
  if (!confirmEvery) await requireEveryConfirmation(db, actor, { rule, current: null })
  await refuseTooManyRules(db, actor.customerId, { added: 1, longer: rule.condition.length })
  await requireAmounts(db, actor, [rule])
  await requireRuleConsent(db, actor, rule, { confirmPrices, isApproved })
  return insertRule(db, input)
}

/** Changes a rule. @throws Failure as adding it does, 404, 409 if it is stale */
export async function updateRule(
  db: Database,
  actor: Member,
  { id, version, confirmPrices, confirmEvery, ...changes }: Received<typeof pricingRules.update>,
  isApproved: boolean,
): Promise<PricingRule> {
  await sql`select from pricing_rules where id = ${id} for update`.execute(db)
  const current = await readRule(db, id)
  await requireOwn(db, actor, current)
  requireCosts(actor, current, changedRule(current, changes))
  // A lot that was deleted since may stay: it matches no vehicle.
  const added = changes.lotIds?.filter((lotId) => !current.lotIds.includes(lotId)) ?? []
  if (added.length > 0 || changes.lotIds?.length === 0) await requireLots(db, actor, added)
  if (version !== undefined && version !== current.version) throw stale('This rule', current)
  const wanted = changedRule(current, changes)
  validateRule(wanted)
  if (wanted.condition !== current.condition) await requireLotsOf(db, wanted)
  if (!confirmEvery) await requireEveryConfirmation(db, actor, { rule: wanted, current })
  const longer = wanted.condition.length - current.condition.length
  await refuseTooManyRules(db, actor.customerId, { added: 0, longer })
  await requireAmounts(db, actor, [wanted])
  await requireRuleConsent(db, actor, wanted, { confirmPrices, isApproved })
  await explainRefusal(
    db
      .updateTable('pricingRules')
      .set({ version: sql`version`, ...ruleColumns.write(changes) })
      .where('id', '=', id)
      .execute(),
  )
  return readRule(db, id)
}

/** Deletes a rule. @throws Failure 403, 404, 409 if it is stale or needs consent */
export async function removeRule(
  db: Database,
  actor: Member,
  { id, version, confirmPrices }: Removal,
  isApproved: boolean,
): Promise<void> {
  await sql`select from pricing_rules where id = ${id} for update`.execute(db)
  const current = await readRule(db, id)
  await requireOwn(db, actor, current)
  requireCosts(actor, current)
  if (version !== undefined && version !== current.version) throw stale('This rule', current)
  await requireRuleConsent(db, actor, { ...current, isActive: false }, { confirmPrices, isApproved })
  const removed = await db.deleteFrom('pricingRules').where('id', '=', id).returning('id').executeTakeFirst()
  if (removed === undefined) throw notFound('Rule')
}

/** A rule with changes, not saved. */
export const changedRule = (current: PricingRule, changes: object): PricingRule =>
  pricingRuleRecord.schema.parse({ ...current, ...definedIn(changes) })

/**
 * Lots out of reach are not visible, so they count as unknown.
 * @throws Failure 403 if a user of one organization names no lots, 400 for lots that are unknown or out of reach.
 */
export async function requireLots(db: Database, actor: Member, lotIds: readonly string[]): Promise<void> {
  if (lotIds.length === 0) {
    if (actor.reach === 'customer') return
    throw forbidden(
      'Rules for all lots are managed by users with access to the whole customer. Choose your lots.',
    )
  }
  if ((await holdRecords(db, 'lots', lotIds)).size === new Set(lotIds).size) return
  throw refused('Some fields are invalid.', { lotIds: 'Choose lots of your organization.' })
}

async function readCalendar(db: Database, actor: Member): Promise<RuleBoundary[]> {
  const { rows } = await sql<RuleBoundary>`
    select b.minute, pricing_rules.id::text as rule_id,
      ${seesCost(actor) ? sql`pricing_rules.name` : coveredName} as name, b.what
    from pricing_rules join customers c on c.id = pricing_rules.customer_id
    cross join lateral (values (from_minute, 'starts'), (until_minute, 'ends')) b (minute, what)
    where pricing_rules.customer_id = ${actor.customerId} and is_active and b.minute > lot_minute(app_now(), c.time_zone)
    order by b.minute, name_key, b.what`.execute(db)
  return rows
}

/** Whether a rule applies to every vehicle. */
export const isForEvery = ({ isActive, lotIds, condition }: PricingRule): boolean =>
  isActive && lotIds.length === 0 && condition === ''

/**
 * Requires the user's confirmation for a rule that applies to every vehicle, unless it did so before.
 * @throws Failure 409 on `confirmEvery` with the number of vehicles.
 */
async function requireEveryConfirmation(
  db: Database,
  { customerId }: Member,
  { rule, current }: { rule: PricingRule; current: PricingRule | null },
): Promise<void> {
  if (!isForEvery(rule) || (current !== null && isForEvery(current))) return
  const stock = await countStock(db, customerId)
  const vehicles = stock === 1 ? 'the 1 vehicle' : `all ${stock.toLocaleString('en')} vehicles`
  throw conflict(`This rule has no conditions. It applies to ${vehicles} in stock with a price.`, {
    confirmEvery: 'Confirm that the rule applies to every vehicle, or add conditions.',
  })
}

/** @throws Failure 403 if the rule applies to lots that the user can't reach. */
export async function requireOwn(db: Database, actor: Member, { lotIds }: PricingRule): Promise<void> {
  if (actor.reach === 'customer') return
  if (lotIds.length > 0 && (await areVisible(db, actor, lotIds))) return
  throw forbidden(
    'This rule applies to lots of other organizations. Only users with access to the whole customer can change it.',
  )
}

async function areVisible(db: Database, { customerId }: Member, lotIds: readonly string[]): Promise<boolean> {
  const found = await db
    .selectFrom('lots')
    .select('id')
    .where('customerId', '=', customerId)
    .where('id', 'in', lotIds)
    .execute()
  return found.length === new Set(lotIds).size
}

type RuleInput = Omit<Received<typeof pricingRules.add>, 'confirmPrices' | 'confirmEvery'>

/** Saves a new rule. @throws Failure 400 with the invalid fields, 409 if the name is in use. */
export async function insertRule(db: Database, input: RuleInput): Promise<PricingRule> {
  const rule = toRule(input)
  validateRule(rule)
  await requireLotsOf(db, rule)
  const { id } = await explainRefusal(
    db
      .insertInto('pricingRules')
      .values(ruleColumns.write({ ...input, whenMissing: rule.whenMissing }))
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  return readRule(db, id)
}

/** @throws Failure 400 if the conditions name a lot that doesn't exist */
async function requireLotsOf(db: Database, { condition }: PricingRule): Promise<void> {
  const problem = await findLostLot(db, condition)
  if (problem !== null) throw refused('Some fields are invalid.', { condition: problem })
}

/** A rule that isn't saved yet, with the defaults of the fields that were not sent. */
export function toRule(input: RuleInput): PricingRule {
  const unsent = {
    lotIds: [],
    condition: '',
    cents: 0,
    percent: null,
    field: null,
    stepCents: null,
    steps: [],
    aboveCostCents: null,
    aboveInvoiceCents: null,
    offMsrpPercent: null,
    whenMissing: whenMissingOf(input.kind),
  }
  const times = { exclusiveGroup: null, fromMinute: null, untilMinute: null }
  const texts = { qualifier: null, label: null, disclaimer: null }
  const saved = {
    id: 'new',
    version: 1,
    updatedAt: clock.date().toISOString(),
    updatedBy: null,
    hidesAmounts: false,
  }
  return pricingRuleRecord.schema.parse({ ...unsent, ...times, ...texts, ...definedIn(input), ...saved })
}

const definedIn = (input: object): object =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))

/** Messages by field for what is wrong with a rule. */
export function problemsOf(rule: PricingRule): Record<string, string> {
  const problem = conditionProblem(rule.condition)
  return { ...ruleErrors(rule), ...(problem !== null && { condition: problem }) }
}

function validateRule(given: object): void {
  const errors = problemsOf(pricingRuleRecord.schema.parse(given))
  if (Object.keys(errors).length > 0) throw refused('Some fields are invalid.', errors)
}

/** Why a price rule can't have this condition; null if it can. */
function conditionProblem(condition: string): string | null {
  const problem = ruleProblem(condition)
  if (problem !== null || !timeUseOf(condition).usesNow) return problem
  return "Price rules can't depend on the time of day. Use today(), or the rule's start and end."
}

/** One rule. @throws Failure 404 */
export async function readRule(db: Database, id: string): Promise<PricingRule> {
  const { rows } =
    await sql<PricingRule>`select ${ruleColumns.select} from pricing_rules where id = ${id}`.execute(db)
  const [rule] = rows
  if (rule === undefined) throw notFound('Rule')
  return pricingRuleRecord.schema.parse(rule)
}

/** Some rules by ID; those that don't exist are missing. */
export async function readRules(db: Database, ids: readonly string[]): Promise<Map<string, PricingRule>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<PricingRule>`
    select ${ruleColumns.select} from pricing_rules where id = any(${ids}::bigint[])`.execute(db)
  return new Map(
    pricingRuleRecord.schema
      .array()
      .parse(rows)
      .map((rule) => [rule.id, rule]),
  )
}

async function explainRefusal<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement
  } catch (error) {
    if (isViolation(error, 'unique')) {
      throw conflict('Another rule already has this name.', { name: 'This name is already in use.' })
    }
    throw error
  }
}
