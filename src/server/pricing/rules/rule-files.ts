import type { Received } from '#contract/endpoint.ts'
import { type PricingRule, pricingRuleRecord } from '#contract/pricing/rules/pricing-rules.ts'
import { FiledRule, RuleFile, type ruleFiles, type RuleImport } from '#contract/pricing/rules/rule-files.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { sql } from 'kysely'
import { setImmediate as turn } from 'node:timers/promises'
import { readCondition } from '#contract/pricing/rules/rule-conditions.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, forbidden, refused } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { parseJson } from '#server/threads/parse-json.ts'
import { readPriceLimits, seesCost } from '#server/vehicles/index.ts'
import { isOnCosts, requireCosts } from './cost-rules.ts'
import { isForEvery, problemsOf, toRule } from './pricing-rules.ts'
import { requireAmounts } from './missing-amounts.ts'
import { requireConsent } from './rule-consent.ts'
import { compareRules, describeComparison, startsLater } from './rule-effects.ts'
import { readLowestPrices, tableStart, type WantedRule, writeLowestPrices } from './lowest-prices.ts'
import { refuseTooManyRules } from './rule-limits.ts'
import { ruleColumns } from './rule-rows.ts'
import { countStock } from './stock-prices.ts'

/** Characters of all conditions of a file. One of 2,000 can take 8 ms (`npm run parse-figures`); most have fewer than 100. */
const MAX_CONDITIONS = 50_000
/** Errors that a response lists. */
const MAX_LISTED = 10
const UPDATE = can(Func.pricingRules, Opr.update)

type Lots = Readonly<{ codeOf: ReadonlyMap<string, string>; idOf: ReadonlyMap<string, string> }>
/** What an import does to one rule; `current` is null for a new one. */
type Step = Readonly<{
  rule: PricingRule
  current: PricingRule | null
  change: 'added' | 'changed' | 'paused'
}>
type Options = Pick<Received<typeof ruleFiles.import>, 'isTrial' | 'confirmPrices' | 'confirmEvery'> & {
  isApproved: boolean
}

/** Files of price rules, and tables of minimum prices. */
export const ruleFileHandlers: Handlers<typeof ruleFiles> = {
  async export({ db, actor }) {
    const { codeOf } = await readLots(db, actor)
    const rules = (await readRules(db, actor)).filter((rule) => seesCost(actor) || !isOnCosts(rule))
    const named = rules.map(
      ({
        id: _id,
        version: _version,
        updatedAt: _at,
        updatedBy: _by,
        hidesAmounts: _hides,
        lotIds,
        ...rule
      }) => ({
        ...rule,
        lots: lotIds.flatMap((id) => codeOf.get(id) ?? []),
      }),
    )
    // Nor a rule on costs that the user doesn't see: a rule that names lots out of reach would match every vehicle without them.
    const whole = named.filter(({ lots }, at) => lots.length === rules[at]?.lotIds.length)
    const { currency } = await readPriceLimits(db, actor.customerId)
    return { format: 'forecourt-pricing-rules', version: 1, currency, rules: whole }
  },

  exportLowest: async ({ db, actor }) => writeLowestPrices(await readRules(db, actor)),

  import: ({ db, actor, input }) => importRuleFile(db, actor, input, false),

  importLowest: ({ db, actor, input }) => importLowestPrices(db, actor, input, false),
}

/** Imports a file of rules. @param isApproved a second user approved it */
export async function importRuleFile(
  db: Database,
  actor: Member,
  { text, ...options }: Received<typeof ruleFiles.import>,
  isApproved: boolean,
): Promise<RuleImport> {
  const { currency } = await readPriceLimits(db, actor.customerId)
  const read = readFile(text, currency)
  return importRules(db, actor, { ...read, options: { ...options, isApproved }, table: null })
}

/** Imports a table of minimum prices. @param isApproved a second user approved it */
export async function importLowestPrices(
  db: Database,
  actor: Member,
  { text, table, isNewOnly, dateOrder, lotIds, ...options }: Received<typeof ruleFiles.importLowest>,
  isApproved: boolean,
): Promise<RuleImport> {
  const lots = await codesOf(db, actor, lotIds)
  const read = await readLowestPrices(db, actor.customerId, { text, table, isNewOnly, dateOrder, lots })
  return importRules(db, actor, { ...read, options: { ...options, isApproved }, table })
}

/** Whether a file of rules has one on costs, or changes one. */
export async function isFileOnCosts(db: Database, text: string): Promise<boolean> {
  const { rows } = await sql<{
    key: string
  }>`select name_key as key from pricing_rules where is_on_costs`.execute(db)
  const onCosts = new Set(rows.map(({ key }) => key))
  const parsed = parseJson(text)
  const file = RuleFile.safeParse(parsed.kind === 'json' ? parsed.value : null)
  return (file.data?.rules ?? []).some((given) => {
    const { data: rule } = FiledRule.safeParse(given)
    return rule !== undefined && (isOnCosts(rule) || onCosts.has(rule.name.toLowerCase()))
  })
}

/** @throws Failure 400 if the text isn't a file of rules, or its amounts are in another currency */
function readFile(text: string, currency: string): { wanted: WantedRule[]; problems: string[] } {
  const parsed = parseJson(text)
  const file = RuleFile.safeParse(parsed.kind === 'json' ? parsed.value : null)
  if (!file.success) throw refuse([file.error.issues[0]?.message ?? "This isn't a pricing rules file."])
  const { currency: filed = currency } = file.data
  if (filed !== currency) {
    throw refuse([`This file has amounts in ${filed}, but yours are in ${currency}. Convert them first.`])
  }
  const wanted: WantedRule[] = []
  const problems: string[] = []
  for (const [at, given] of file.data.rules.entries()) {
    const place = `Rule ${at + 1}`
    const read = FiledRule.safeParse(given)
    if (read.success) wanted.push({ place, rule: read.data })
    else problems.push(`${place}: ${read.error.issues[0]?.message ?? 'The rule is invalid.'}`)
  }
  const characters = wanted.reduce((sum, { rule: { condition = '' } }) => sum + condition.length, 0)
  if (characters > MAX_CONDITIONS) {
    throw refuse([
      `The conditions of a file can have at most ${MAX_CONDITIONS.toLocaleString('en')} characters together, and these have ${characters.toLocaleString('en')}. Import it in parts.`,
    ])
  }
  return { wanted, problems }
}

/**
 * Compares the wanted rules with those of the customer by name, and saves the differences: all or nothing.
 * @param table pauses the rules of the table that are not wanted anymore; null: other rules stay as they are
 * @throws Failure 400 with the rules that have errors, 409 for what needs confirmation
 */
async function importRules(
  db: Database,
  actor: Member,
  of: { wanted: readonly WantedRule[]; problems: readonly string[]; options: Options; table: string | null },
): Promise<RuleImport> {
  const { wanted, options, table } = of
  requireCosts(actor, ...wanted.map(({ rule }) => rule))
  if (!options.isTrial) await sql`select from pricing_rules order by id for update`.execute(db)
  const lots = await readLots(db, actor, { isHeld: !options.isTrial })
  const rules = await readRules(db, actor)
  // A turn each, so that other requests don't wait for all of them.
  for (const { rule } of wanted) {
    // oxlint-disable-next-line no-await-in-loop -- As above.
    await turn()
    readCondition(rule.condition ?? '')
  }
  const compared = compare(wanted, { rules, lots, actor })
  const problems = [...of.problems, ...compared.problems]
  if (problems.length > 0) throw refuse(problems)
  const steps = [...compared.steps, ...(table === null ? [] : pausedBy(table, wanted, rules))]
  if (steps.some(({ current }) => current !== null) && !actor.may(UPDATE))
    throw forbidden('This import changes rules. You may only add rules.')
  requireCosts(actor, ...steps.map(({ current }) => current))
  const drafts = steps.map(({ rule }) => rule)
  if (!options.isTrial && !options.confirmEvery) await requireEveryConfirmation(db, actor, steps)
  await refuseTooManyRules(db, actor.customerId, {
    added: steps.filter(({ current }) => current === null).length,
    longer: steps.reduce(
      (all, one) => all + one.rule.condition.length - (one.current?.condition.length ?? 0),
      0,
    ),
  })
  await requireAmounts(db, actor, drafts)
  const comparison = await compareRules(db, actor, drafts)
  if (!options.isTrial) {
    const own = await readPriceLimits(db, actor.customerId)
    await requireConsent(db, actor, { drafts, now: comparison }, options, own)
  }
  // As those see it who are asked about a rule that starts later.
  const effect = await describeComparison(
    db,
    actor,
    drafts.some(startsLater) ? await compareRules(db, actor, drafts, { isStarted: true }) : comparison,
  )
  if (!options.isTrial) for (const step of steps) await save(db, step)
  return {
    isSaved: !options.isTrial,
    rules: steps.map(({ rule: { name }, change }) => ({ name, change })),
    same: compared.same,
    effect,
  }
}

function compare(
  wanted: readonly WantedRule[],
  { rules, lots, actor }: { rules: readonly PricingRule[]; lots: Lots; actor: Member },
): { steps: Step[]; problems: string[]; same: number } {
  const byName = new Map(rules.map((rule) => [rule.name.toLowerCase(), rule]))
  const seen = new Map<string, string>()
  const steps: Step[] = []
  const problems: string[] = []
  let same = 0
  for (const { place, rule: filed } of wanted) {
    const { lots: codes, ...fields } = filed
    const unknown = codes.filter((code) => !lots.idOf.has(code.toUpperCase()))
    const rule = toRule({
      ...fields,
      lotIds: codes.flatMap((code) => lots.idOf.get(code.toUpperCase()) ?? []),
    })
    const key = rule.name.toLowerCase()
    const earlier = seen.get(key)
    const current = byName.get(key) ?? null
    const found = [
      earlier !== undefined && `has the same name as ${earlier}.`,
      unknown.length > 0 && `lot ${unknown[0]} doesn't exist.`,
      ...(unknown.length > 0 ? [] : lockOf(actor, lots, { rule, current })),
      ...Object.values(problemsOf(rule)),
    ].filter((problem) => problem !== false)
    problems.push(...found.map((problem) => `${place} (${rule.name}): ${problem}`))
    seen.set(key, place)
    if (current === null)
      steps.push({ rule: { ...rule, id: `new ${steps.length}` }, current, change: 'added' })
    else if (isSame(rule, current)) same += 1
    else steps.push({ rule: { ...rule, id: current.id }, current, change: 'changed' })
  }
  return { steps, problems, same }
}

/** Why a user of one organization can't save a rule. */
function lockOf(
  { reach }: Member,
  { codeOf }: Lots,
  { rule, current }: { rule: PricingRule; current: PricingRule | null },
): string[] {
  if (reach === 'customer') return []
  if (rule.lotIds.length === 0) return ['name the lots of your organization.']
  const isOwn =
    current === null || (current.lotIds.length > 0 && current.lotIds.every((id) => codeOf.has(id)))
  return isOwn ? [] : ['a rule with this name applies to lots of other organizations.']
}

/** The active rules of a table that the file doesn't have, paused. */
function pausedBy(table: string, wanted: readonly WantedRule[], rules: readonly PricingRule[]): Step[] {
  const kept = new Set(wanted.map(({ rule }) => rule.name.toLowerCase()))
  const start = tableStart(table).toLowerCase()
  return rules
    .filter(({ name, isActive, kind }) => {
      const key = name.toLowerCase()
      return isActive && kind === 'floor' && key.startsWith(start) && !kept.has(key)
    })
    .map((rule) => ({ rule: { ...rule, isActive: false }, current: rule, change: 'paused' }))
}

const FIELDS = Object.keys(pricingRuleRecord.fields)

function isSame(wanted: object, current: object): boolean {
  const fieldsOf = (rule: object) =>
    JSON.stringify(
      FIELDS.map((name) => {
        const value: unknown = new Map(Object.entries(rule)).get(name)
        return name === 'lotIds' && Array.isArray(value)
          ? value.toSorted((one, other) => Number(one) - Number(other))
          : value
      }),
    )
  return fieldsOf(wanted) === fieldsOf(current)
}

async function requireEveryConfirmation(
  db: Database,
  { customerId }: Member,
  steps: readonly Step[],
): Promise<void> {
  const [first, ...others] = steps.filter(
    ({ rule, current }) => isForEvery(rule) && (current === null || !isForEvery(current)),
  )
  if (first === undefined) return
  const stock = await countStock(db, customerId)
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  throw conflict(
    `"${first.rule.name}"${more} have no conditions and apply to all ${stock.toLocaleString('en')} vehicles in stock with a price.`,
    { confirmEvery: 'Confirm that they apply to every vehicle, or add conditions.' },
  )
}

async function save(db: Database, { rule, current }: Step): Promise<void> {
  const { id: _id, version: _version, updatedAt: _at, updatedBy: _by, hidesAmounts: _hides, ...fields } = rule
  const columns = ruleColumns.write(fields)
  if (current === null) await db.insertInto('pricingRules').values(columns).execute()
  else
    await db
      .updateTable('pricingRules')
      .set({ version: sql`version`, ...columns })
      .where('id', '=', current.id)
      .execute()
}

/** @throws Failure 400 for lots that are unknown or out of reach */
async function codesOf(db: Database, actor: Member, lotIds: readonly string[]): Promise<string[]> {
  const { codeOf } = await readLots(db, actor)
  return lotIds.map((id) => {
    const code = codeOf.get(id)
    if (code === undefined) throw refused('Some fields are invalid.', { lotIds: 'Choose lots that exist.' })
    return code
  })
}

/** The lots within reach. `isHeld`: none is deleted before rules that name them are saved. */
async function readLots(
  db: Database,
  { customerId }: Member,
  { isHeld = false }: { isHeld?: boolean } = {},
): Promise<Lots> {
  const lots = await db
    .selectFrom('lots')
    .select(['id', 'code'])
    .where('customerId', '=', customerId)
    .orderBy('id')
    .$if(isHeld, (query) => query.forKeyShare())
    .execute()
  return {
    codeOf: new Map(lots.map(({ id, code }) => [id, code])),
    idOf: new Map(lots.map(({ id, code }) => [code.toUpperCase(), id])),
  }
}

async function readRules(db: Database, { customerId }: Member): Promise<PricingRule[]> {
  const { rows } = await sql<PricingRule>`select ${ruleColumns.select} from pricing_rules
    where customer_id = ${customerId} order by name_key`.execute(db)
  return pricingRuleRecord.schema.array().parse(rows)
}

function refuse(problems: readonly string[]) {
  const more = problems.length > MAX_LISTED ? ` ${problems.length - MAX_LISTED} more have errors.` : ''
  return refused('Nothing was imported.', { text: `${problems.slice(0, MAX_LISTED).join(' ')}${more}` })
}
