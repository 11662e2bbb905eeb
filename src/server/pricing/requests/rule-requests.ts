import { sql } from 'kysely'
import { type PricingRule, pricingRules, type RulePreview } from '#contract/pricing/rules/pricing-rules.ts'
import { ruleFiles } from '#contract/pricing/rules/rule-files.ts'
import type {
  RequestedChange,
  RuleRequest,
  ruleRequests,
  SettingChange,
} from '#contract/pricing/rules/rule-requests.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, forbidden, notFound, refused } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
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
import { requireCosts, settingsShownTo } from '../rules/cost-rules.ts'
import { previewRequest } from '../rules/rule-effects.ts'
import { importLowestPrices, importRuleFile } from '../rules/rule-files.ts'
import { describeDifferences, readRuleTexts, type RuleTexts } from '../rules/rule-differences.ts'
import { previewSetting } from './setting-effects.ts'
import {
  isSettingChange,
  makeSettingChange,
  prepareSetting,
  requireSettingReach,
  settingDifferences,
} from './setting-requests.ts'

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

type StoredRequest = Omit<RuleRequest, 'differences' | 'isOwn'> & {
  input: RequestedChange
  requesterId: string
  effectiveRequesterId: string
}

/** Changes that wait for the approval of a second user because they move prices. */
export const ruleRequestHandlers: Handlers<typeof ruleRequests> = {
  async list({ db, actor }) {
    const { rows } = await sql<StoredRequest>`select ${columns} from pricing_rule_requests
      where customer_id = ${actor.customerId}
        and (state = 'open' or decided_at > app_now() - ${LISTED_DAYS} * interval '1 day')
      order by state <> 'open', case when state = 'open' then requested_at end, decided_at desc, id
      limit ${MAX_LISTED}`.execute(db)
    return show(db, actor, rows)
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
    const { target, title, changed } = isSettingChange(change)
      ? await prepare(db, actor, change)
      : await describe(db, actor, await withVersion(db, change))
    const ruleId = ruleIdOf(target)
    const { rows } = await sql<{ id: string }>`
      insert into pricing_rule_requests (kind, rule_id, title, input, changed, note, requested_by, requester_id, effective_requester_id)
      values (${change.kind}, ${ruleId}, ${title}, ${JSON.stringify(target)}::jsonb, ${changed}, ${note ?? null},
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
    await makeChange(db, actor, request.input)
    return decide(db, actor, { id, state: 'approved', reason: null })
  },

  async reject({ db, actor, input: { id, version, reason } }) {
    const request = await lockOpen(db, id, version)
    requirePermission(actor, request.input)
    // A request about a rule or a lot that was deleted meanwhile can still be rejected.
    if (actor.reach !== 'customer') await requireReach(db, actor, request.input)
    return decide(db, actor, { id, state: 'rejected', reason })
  },

  async withdraw({ db, actor, input: { id, version } }) {
    const request = await lockOpen(db, id, version)
    if (!isRequester(actor, request))
      throw forbidden('Only the user who requested this change can withdraw it.')
    return decide(db, actor, { id, state: 'withdrawn', reason: null })
  },
}

const columns = sql`id::text, kind, rule_id::text, title, input, changed, note, state, requested_at, requested_by,
  requester_id::text, effective_requester_id::text, decided_at, decided_by, reason, version`

/** @throws Failure 404 */
async function readRequest(db: Database, id: string): Promise<StoredRequest> {
  const { rows } = await sql<StoredRequest>`
    select ${columns} from pricing_rule_requests where id = ${id}`.execute(db)
  const [request] = rows
  if (request === undefined) throw notFound('Request')
  return request
}

/** Locks a request that is still open. @throws Failure 404, 409 if it was decided or changed meanwhile */
async function lockOpen(db: Database, id: string, version: number): Promise<StoredRequest> {
  await sql`select from pricing_rule_requests where id = ${id} for update`.execute(db)
  const request = await readRequest(db, id)
  if (request.state !== 'open') {
    throw conflict(`${request.decidedBy ?? 'Another user'} has already ${request.state} this change.`)
  }
  if (request.version !== version) throw conflict('This request has changed in the meantime. Reload it.')
  return request
}

/** While impersonating, neither the real user nor the effective user may approve their own request. */
function isRequester(actor: Member, request: StoredRequest): boolean {
  const requesters = [request.requesterId, request.effectiveRequesterId]
  return requesters.includes(actor.userId) || requesters.includes(actor.effectiveUserId)
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
async function makeChange(db: Database, actor: Member, change: RequestedChange): Promise<void> {
  if (isSettingChange(change)) {
    await makeSettingChange(db, actor, change)
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
  return previewRequest(db, actor, await draftOf(db, actor, change))
}

/** The rule as it would be. A rule that is deleted has no effect, like one that is paused. */
async function draftOf(
  db: Database,
  actor: Member,
  change: Exclude<RuleChange, Import>,
): Promise<PricingRule> {
  if (change.kind === 'add') {
    const added = toRule(change.rule)
    requireCosts(actor, added)
    return added
  }
  const current = await readRule(db, change.kind === 'remove' ? change.id : change.changes.id)
  const draft = change.kind === 'remove' ? { ...current, isActive: false } : changedBy(change, current)
  requireCosts(actor, current, draft)
  return draft
}

function changedBy({ changes }: Extract<RequestedChange, { kind: 'update' }>, current: PricingRule) {
  const { id: _id, version: _version, ...rest } = changes
  return changedRule(current, rest)
}

/** What a new request is about, as it is stored: with its title, and the number of prices that it changes. */
type Described = { target: RequestedChange; title: string; changed: number }

async function prepare(db: Database, actor: Member, given: SettingChange): Promise<Described> {
  const { title, change } = await prepareSetting(db, actor, given)
  const { lowered, raised } = await previewSetting(db, actor, change)
  return { target: change, title, changed: lowered + raised }
}

/** @throws Failure as the change itself */
async function describe(db: Database, actor: Member, change: RuleChange): Promise<Described> {
  if (change.kind === 'import' || change.kind === 'importLowest') {
    const { rules, effect } = await importFile(db, actor, change, { isTrial: true, ...CONFIRMED })
    const what = change.kind === 'import' ? 'a file' : change.table
    const title = `Import of ${what}: ${rules.length} ${rules.length === 1 ? 'rule' : 'rules'}`
    return { target: change, title, changed: effect.lowered + effect.raised }
  }
  const draft = await draftOf(db, actor, change)
  const problems = problemsOf(draft)
  if (Object.keys(problems).length > 0) throw refused('Some fields are invalid.', problems)
  const { lowered, raised } = await previewRequest(db, actor, draft)
  return { target: change, title: draft.name, changed: lowered + raised }
}

async function decide(
  db: Database,
  actor: Member,
  { id, state, reason }: { id: string; state: 'approved' | 'rejected' | 'withdrawn'; reason: string | null },
): Promise<RuleRequest> {
  await sql`update pricing_rule_requests set state = ${state}, reason = ${reason}, decided_at = app_now(),
    decided_by = ${actor.effectiveFullName} where id = ${id}`.execute(db)
  return showOne(db, actor, id)
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
    open.flatMap(({ ruleId }) => ruleId ?? []),
  )
  const shownOf = async (request: StoredRequest): Promise<RuleRequest> => {
    const { input, requesterId: _real, effectiveRequesterId: _effective, ...shown } = request
    const current = rules.get(request.ruleId ?? '') ?? null
    const isOwn = isRequester(actor, request)
    if (texts === null || request.state !== 'open') return { ...shown, isOwn, differences: [] }
    const differences = isSettingChange(input)
      ? await settingDifferences(db, actor, input, texts)
      : differencesOf(actor, input, { current, texts })
    return { ...shown, isOwn, differences }
  }
  const all: RuleRequest[] = []
  // oxlint-disable-next-line no-await-in-loop -- One connection answers one question at a time.
  for (const request of requests) all.push(await shownOf(request))
  return all
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
