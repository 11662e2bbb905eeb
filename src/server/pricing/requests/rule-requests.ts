import { sql } from 'kysely'
import type { z } from 'zod'
import { type PricingRule, pricingRules, type RulePreview } from '#contract/pricing/rules/pricing-rules.ts'
import { ruleFiles } from '#contract/pricing/rules/rule-files.ts'
import type {
  RequestedChange,
  RuleRequest,
  ruleRequests,
  SettingChange,
} from '#contract/pricing/rules/rule-requests.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { lotTable } from '#server/customers/index.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, forbidden, notFound, refused } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { readOrganization } from '#server/organizations/index.ts'
import {
  addRule,
  changedRule,
  problemsOf,
  readRule,
  readRules,
  removeRule,
  requireLots,
  requireOwn,
  toRule,
  updateRule,
} from '../rules/pricing-rules.ts'
import { isOnCosts, requireCosts, settingsShownTo } from '../rules/cost-rules.ts'
import { previewRequest } from '../rules/rule-effects.ts'
import { importLowestPrices, importRuleFile, isFileOnCosts } from '../rules/rule-files.ts'
import { describeDifferences, readRuleTexts, type RuleTexts } from '../rules/rule-differences.ts'
import { previewSetting } from './setting-effects.ts'
import {
  changedFields,
  describeSettingRequest,
  isSettingChange,
  makeSettingChange,
  prepareSetting,
  requireSettingReach,
} from './setting-requests.ts'
import {
  decide,
  findRequestsAbout,
  isRequester,
  lockOpen,
  readRequest,
  replaceEarlier,
  REQUEST_COLUMNS,
  type StoredRequest,
  titleShownTo,
} from './stored-requests.ts'

/** Decided requests are listed for this long. */
const LISTED_DAYS = 30
const MAX_LISTED = 100
/** What the user confirms by approving. */
const CONFIRMED = { confirmPrices: true, confirmEvery: true }
const NEEDED = {
  add: can(Func.pricingRules, Opr.create),
  update: can(Func.pricingRules, Opr.update),
  remove: can(Func.pricingRules, Opr.delete),
  import: can(Func.pricingRules, Opr.create),
  importLowest: can(Func.pricingRules, Opr.create),
  details: can(Func.customerDetails, Opr.update),
  lot: can(Func.lots, Opr.update),
  organization: can(Func.organizationWizard, Opr.update),
} as const

/** Who sees what is waiting. */
const READING = {
  details: [can(Func.customerDetails, Opr.read)],
  lot: [can(Func.lots, Opr.read)],
  organization: [can(Func.organizations, Opr.read), can(Func.organizationWizard, Opr.read)],
  rule: [can(Func.pricingRules, Opr.read)],
} as const

/** Changes that wait for the approval of a second user because they move prices. */
export const ruleRequestHandlers: Handlers<typeof ruleRequests> = {
  async list({ db, actor }) {
    const { rows } = await sql<StoredRequest>`select ${REQUEST_COLUMNS} from pricing_rule_requests
      where customer_id = ${actor.customerId}
        and (state = 'open' or decided_at > app_now() - ${LISTED_DAYS} * interval '1 day')
      order by state <> 'open', case when state = 'open' then requested_at end, decided_at desc, id
      limit ${MAX_LISTED}`.execute(db)
    return show(db, actor, rows)
  },

  async waiting({ db, actor, input }) {
    if (!READING[input.kind].some((permission) => actor.may(permission)))
      throw forbidden("You don't have permission to see this.")
    await requireThing(db, input)
    const requests = await findRequestsAbout(db, actor, input)
    const open = requests.filter(({ state }) => state === 'open').toReversed()
    const [latest] = requests.filter((request) => isRequester(actor, request))
    const rejected = latest?.state === 'rejected' ? [latest] : []
    return show(db, actor, [...open, ...rejected])
  },

  async effect({ db, actor, input }) {
    const { input: change } = await readRequest(db, input.id)
    return previewChange(db, actor, change)
  },

  async preview({ db, actor, input: { change } }) {
    requirePermission(actor, change)
    await requireReach(db, actor, change)
    return previewSetting(db, actor, change)
  },

  async ask({ db, actor, input: { change, note } }) {
    requirePermission(actor, change)
    await requireReach(db, actor, change)
    const {
      target,
      before,
      title,
      changed,
      isOnCosts: areCosts,
    } = isSettingChange(change)
      ? await prepare(db, actor, change)
      : await describe(db, actor, await withVersion(db, change))
    const ruleId = ruleIdOf(target)
    const { rows } = await sql<{ id: string }>`
      insert into pricing_rule_requests (kind, rule_id, title, input, before, is_on_costs, changed, note, requested_by,
        requester_id, effective_requester_id)
      values (${change.kind}, ${ruleId}, ${title}, ${JSON.stringify(target)}::jsonb,
        ${before === null ? null : JSON.stringify(before)}::jsonb, ${areCosts}, ${changed}, ${note ?? null},
        ${actor.effectiveFullName}, ${actor.userId}, ${actor.effectiveUserId})
      returning id::text`.execute(db)
    return showOne(db, actor, rows[0]?.id ?? '')
  },

  async approve({ db, actor, input: { id, version } }) {
    const request = await lockOpen(db, id, version)
    requirePermission(actor, request.input)
    if (isRequester(actor, request)) {
      throw forbidden('You requested this change, so another user must approve it.')
    }
    await makeChange(db, actor, request)
    await decide(db, actor, { id, state: 'approved', reason: null })
    return showOne(db, actor, id)
  },

  async reject({ db, actor, input: { id, version, reason } }) {
    const request = await lockOpen(db, id, version)
    requirePermission(actor, request.input)
    // A request about a rule or a lot that was deleted meanwhile can still be rejected.
    if (actor.reach !== 'customer') await requireReach(db, actor, request.input)
    await decide(db, actor, { id, state: 'rejected', reason })
    return showOne(db, actor, id)
  },

  async withdraw({ db, actor, input: { id, version } }) {
    const request = await lockOpen(db, id, version)
    if (!isRequester(actor, request))
      throw forbidden('Only the user who requested this change can withdraw it.')
    await decide(db, actor, { id, state: 'withdrawn', reason: null })
    return showOne(db, actor, id)
  },
}

/** @throws Failure 404 if it doesn't exist or is out of reach */
async function requireThing(
  db: Database,
  { kind, id }: z.infer<typeof ruleRequests.waiting.input>,
): Promise<void> {
  if (kind === 'details') return
  if (id === undefined) throw refused('Some fields are invalid.', { id: 'Say which one.' })
  if (kind === 'lot') await lotTable.read(db, id)
  else if (kind === 'organization') await readOrganization(db, id)
  else await readRule(db, id)
}

/** @throws Failure 403 without the permission for the change itself */
function requirePermission({ may }: Member, { kind }: RequestedChange): void {
  if (!may(NEEDED[kind])) throw forbidden("You don't have permission to make this change.")
}

/** @throws Failure 403 if the change is about lots out of reach */
async function requireReach(db: Database, actor: Member, change: RequestedChange): Promise<void> {
  if (isSettingChange(change)) return requireSettingReach(db, actor, change)
  if (change.kind === 'add') return requireLots(db, actor, change.rule.lotIds ?? [])
  if (change.kind === 'update') return requireOwn(db, actor, await readRule(db, change.changes.id))
  if (change.kind === 'remove') return requireOwn(db, actor, await readRule(db, change.id))
  if (actor.reach !== 'customer') {
    throw forbidden('Only users with access to the whole customer can approve imports.')
  }
}

/** A change of price rules. */
type RuleChange = Exclude<RequestedChange, SettingChange>

/** A change of a rule refers to the version that the user saw. */
async function withVersion(db: Database, change: RuleChange): Promise<RuleChange> {
  if (change.kind === 'remove') return { version: (await readRule(db, change.id)).version, ...change }
  if (change.kind !== 'update') return change
  const { version } = await readRule(db, change.changes.id)
  return { ...change, changes: { version, ...change.changes } }
}

function ruleIdOf(change: RequestedChange): string | null {
  if (change.kind === 'update') return change.changes.id
  return change.kind === 'remove' ? change.id : null
}

/** Makes a change that a second user approved. @throws Failure 409 if the rule changed since, and as the change itself */
async function makeChange(
  db: Database,
  actor: Member,
  { input: change, before }: StoredRequest,
): Promise<void> {
  if (isSettingChange(change)) {
    await makeSettingChange(db, actor, change, before)
  } else if (change.kind === 'add') {
    await addRule(db, actor, pricingRules.add.input.parse({ ...change.rule, ...CONFIRMED }), true)
  } else if (change.kind === 'update') {
    await requireSameVersion(db, change.changes)
    await updateRule(db, actor, pricingRules.update.input.parse({ ...change.changes, ...CONFIRMED }), true)
  } else if (change.kind === 'remove') {
    if (change.version !== undefined) await requireSameVersion(db, change)
    await removeRule(db, actor, { id: change.id, confirmPrices: true }, true)
  } else {
    await importFile(db, actor, change, { isTrial: false, ...CONFIRMED })
  }
}

/** @throws Failure 409 if the rule changed since, or was deleted */
async function requireSameVersion(
  db: Database,
  { id, version }: { id: string; version?: number | undefined },
): Promise<void> {
  const { rows } = await sql<{ version: number }>`
    select version from pricing_rules where id = ${id} for update`.execute(db)
  if (rows[0]?.version === version) return
  const what = rows.length === 0 ? 'was deleted' : 'changed'
  throw conflict(`The rule ${what} after this was requested. Reject the request, or ask for a new one.`)
}

type Import = Extract<RequestedChange, { kind: 'import' | 'importLowest' }>

function importFile(
  db: Database,
  actor: Member,
  { kind, ...given }: Import,
  options: { isTrial: boolean; confirmPrices: boolean; confirmEvery: boolean },
) {
  return kind === 'import'
    ? importRuleFile(db, actor, ruleFiles.import.input.parse({ ...given, ...options }), true)
    : importLowestPrices(db, actor, ruleFiles.importLowest.input.parse({ ...given, ...options }), true)
}

/** How a change would change the prices of the stock. */
async function previewChange(db: Database, actor: Member, change: RequestedChange): Promise<RulePreview> {
  if (isSettingChange(change)) return previewSetting(db, actor, change)
  if (change.kind === 'import' || change.kind === 'importLowest') {
    return (await importFile(db, actor, change, { isTrial: true, ...CONFIRMED })).effect
  }
  return previewRequest(db, actor, (await draftOf(db, actor, change)).draft)
}

/**
 * The rule as it would be, and whether it is on costs, now or then. A rule that is deleted has no effect, like one that is paused.
 * @throws Failure 403 for rules on costs, to users who don't see costs
 */
async function draftOf(
  db: Database,
  actor: Member,
  change: Exclude<RuleChange, Import>,
): Promise<{ draft: PricingRule; areCosts: boolean }> {
  if (change.kind === 'add') {
    const added = toRule(change.rule)
    requireCosts(actor, added)
    return { draft: added, areCosts: isOnCosts(added) }
  }
  const current = await readRule(db, change.kind === 'remove' ? change.id : change.changes.id)
  const draft = change.kind === 'remove' ? { ...current, isActive: false } : changedBy(change, current)
  requireCosts(actor, current, draft)
  return { draft, areCosts: isOnCosts(current) || isOnCosts(draft) }
}

function changedBy({ changes }: Extract<RequestedChange, { kind: 'update' }>, current: PricingRule) {
  const { id: _id, version: _version, ...rest } = changes
  return changedRule(current, rest)
}

/** What a new request is about, as it is stored: with its title, and the number of prices that it changes. */
type Described = Pick<StoredRequest, 'title' | 'changed' | 'before' | 'isOnCosts'> & {
  target: RequestedChange
}

async function prepare(db: Database, actor: Member, given: SettingChange): Promise<Described> {
  const { title, ...prepared } = await prepareSetting(db, actor, given)
  const { change: target, before } = await replaceEarlier(db, actor, prepared)
  const { lowered, raised } = isSettingChange(target)
    ? await previewSetting(db, actor, target)
    : { lowered: 0, raised: 0 }
  return { target, before, title, isOnCosts: false, changed: lowered + raised }
}

/** @throws Failure as the change itself */
async function describe(db: Database, actor: Member, change: RuleChange): Promise<Described> {
  if (change.kind === 'import' || change.kind === 'importLowest') {
    const { rules, effect } = await importFile(db, actor, change, { isTrial: true, ...CONFIRMED })
    const what = change.kind === 'import' ? 'a file' : change.table
    const title = `Import of ${what}: ${rules.length} ${rules.length === 1 ? 'rule' : 'rules'}`
    return {
      target: change,
      before: null,
      title,
      isOnCosts: change.kind === 'import' && (await isFileOnCosts(db, change.text)),
      changed: effect.lowered + effect.raised,
    }
  }
  const { draft, areCosts } = await draftOf(db, actor, change)
  const problems = problemsOf(draft)
  if (Object.keys(problems).length > 0) throw refused('Some fields are invalid.', problems)
  await replaceEarlier(db, actor, { change, before: null })
  const { lowered, raised } = await previewRequest(db, actor, draft)
  return { target: change, before: null, title: draft.name, isOnCosts: areCosts, changed: lowered + raised }
}

/** @throws Failure 404 */
async function showOne(db: Database, actor: Member, id: string): Promise<RuleRequest> {
  const [shown] = await show(db, actor, [await readRequest(db, id)])
  if (shown === undefined) throw notFound('Request')
  return shown
}

async function show(db: Database, actor: Member, requests: readonly StoredRequest[]): Promise<RuleRequest[]> {
  const open = requests.filter(({ state }) => state === 'open')
  const texts = open.length === 0 ? null : await readRuleTexts(db, actor.customerId)
  const rules = await readRules(
    db,
    requests.flatMap(({ ruleId }) => ruleId ?? []),
  )
  const shownOf = async (request: StoredRequest): Promise<RuleRequest> => {
    const {
      input,
      before,
      isOnCosts: _costs,
      requesterId: _real,
      effectiveRequesterId: _as,
      ...stored
    } = request
    const current = rules.get(request.ruleId ?? '') ?? null
    const shown = { ...stored, title: titleShownTo(actor, request, current) }
    const isOwn = isRequester(actor, request)
    const fields = isSettingChange(input) ? changedFields(input) : []
    if (texts === null || request.state !== 'open')
      return { ...shown, isOwn, fields, differences: [], outdated: null }
    if (isSettingChange(input)) {
      const described = await describeSettingRequest(db, actor, { input, before }, texts)
      return { ...shown, isOwn, ...described }
    }
    const differences = differencesOf(actor, input, { current, texts })
    return { ...shown, isOwn, fields, differences, outdated: whyRuleOutdated(input, current) }
  }
  const all: RuleRequest[] = []
  // oxlint-disable-next-line no-await-in-loop -- One connection answers one question at a time.
  for (const request of requests) all.push(await shownOf(request))
  return all
}

/** @param current the rule now; null for a new or a deleted one */
function whyRuleOutdated(change: RuleChange, current: PricingRule | null): string | null {
  if (change.kind !== 'update' && change.kind !== 'remove') return null
  if (current === null) return 'The rule was deleted after this was requested.'
  const { version } = change.kind === 'update' ? change.changes : change
  return version === undefined || version === current.version
    ? null
    : 'The rule changed after this was requested.'
}

/** @param current the rule now; null for a new or a deleted one */
function differencesOf(
  actor: Member,
  change: RuleChange,
  { current, texts }: { current: PricingRule | null; texts: RuleTexts },
): RuleRequest['differences'] {
  const compare = (old: PricingRule | null, now: PricingRule) => {
    const [before = null, after = null] = settingsShownTo(actor, old, now)
    return describeDifferences(before, after, texts)
  }
  if (change.kind === 'add') return compare(null, toRule(change.rule))
  return change.kind === 'update' && current !== null ? compare(current, changedBy(change, current)) : []
}
