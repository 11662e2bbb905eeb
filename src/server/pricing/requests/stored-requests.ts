import { sql } from 'kysely'
import {
  REJECTED_DAYS,
  type RequestedChange,
  type RuleRequest,
  SettingChange,
} from '#contract/pricing/rules/rule-requests.ts'
import { RULE_KINDS } from '#contract/pricing/rules/rule-kinds.ts'
import type { PricingRule } from '#contract/pricing/rules/pricing-rules.ts'
import { labelOf } from '#contract/record.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { acquireAdvisoryLock } from '#server/database/advisory-lock.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, notFound } from '#server/http/failure.ts'
import { seesCost } from '#server/vehicles/index.ts'
import { isOnCosts } from '../rules/cost-rules.ts'
import { labelsOf } from './describe-setting.ts'
import { changedFields, isSettingChange } from './setting-requests.ts'

export type StoredRequest = Omit<RuleRequest, 'differences' | 'isOwn' | 'fields' | 'outdated'> & {
  input: RequestedChange
  /** The values that a change of a setting replaces, as they were when it was requested. */
  before: Readonly<Record<string, unknown>> | null
  /** It is about a rule on costs, as it was or as it would be. */
  isOnCosts: boolean
  requesterId: string
  effectiveRequesterId: string
}

export const REQUEST_COLUMNS = sql`id::text, kind, rule_id::text, title, input, before, is_on_costs, changed, note, state, requested_at,
  requested_by, requester_id::text, effective_requester_id::text, decided_at, decided_by, reason, version`

/** @throws Failure 404 */
export async function readRequest(db: Database, id: string): Promise<StoredRequest> {
  const { rows } = await sql<StoredRequest>`
    select ${REQUEST_COLUMNS} from pricing_rule_requests where id = ${id}`.execute(db)
  const [request] = rows
  if (request === undefined) throw notFound('Request')
  return request
}

/** Locks a request that is still open. @throws Failure 404, 409 if it was decided or changed meanwhile */
export async function lockOpen(db: Database, id: string, version: number): Promise<StoredRequest> {
  await sql`select from pricing_rule_requests where id = ${id} for update`.execute(db)
  const request = await readRequest(db, id)
  if (request.state !== 'open') {
    throw conflict(`${request.decidedBy ?? 'Another user'} has already ${request.state} this change.`)
  }
  if (request.version !== version) throw conflict('This request has changed in the meantime. Reload it.')
  return request
}

/** While impersonating, neither the real user nor the effective user may approve their own request. */
export function isRequester(
  actor: Member,
  request: Pick<StoredRequest, 'requesterId' | 'effectiveRequesterId'>,
): boolean {
  const requesters = [request.requesterId, request.effectiveRequesterId]
  return requesters.includes(actor.userId) || requesters.includes(actor.effectiveUserId)
}

export async function decide(
  db: Database,
  actor: Member,
  { id, state, reason }: { id: string; state: 'approved' | 'rejected' | 'withdrawn'; reason: string | null },
): Promise<void> {
  await sql`update pricing_rule_requests set state = ${state}, reason = ${reason}, decided_at = app_now(),
    decided_by = ${actor.effectiveFullName} where id = ${id}`.execute(db)
}

/**
 * Finds the requests about the details, or about the lot, organization or rule with this ID, that are open or were decided lately,
 * newest first.
 */
export async function findRequestsAbout(
  db: Database,
  actor: Member,
  { kind, id = null }: { kind: 'details' | 'lot' | 'organization' | 'rule'; id?: string | null | undefined },
): Promise<StoredRequest[]> {
  const isAbout =
    kind === 'rule'
      ? sql`rule_id = ${id}`
      : sql`kind = ${kind} and (input #>> '{changes,id}') is not distinct from ${id}::text`
  const { rows } = await sql<StoredRequest>`select ${REQUEST_COLUMNS} from pricing_rule_requests
    where customer_id = ${actor.customerId} and ${isAbout}
      and (state = 'open' or decided_at > app_now() - ${REJECTED_DAYS} * interval '1 day')
    order by requested_at desc, id desc`.execute(db)
  return rows
}

/** The title as this user may read it: the name of a rule on costs is for those who see costs. */
export function titleShownTo(
  actor: Member,
  { title, input, isOnCosts: wasOnCosts }: Pick<StoredRequest, 'title' | 'input' | 'isOnCosts'>,
  current: PricingRule | null,
): string {
  if (seesCost(actor) || isSettingChange(input)) return title
  // The title of an import has no names of rules.
  if (input.kind === 'import' || input.kind === 'importLowest') return title
  if (!wasOnCosts && (current === null || !isOnCosts(current))) return title
  const changed = input.kind === 'add' ? input.rule.kind : null
  const kind = (input.kind === 'update' ? input.changes.kind : changed) ?? current?.kind
  return kind === undefined ? 'Price rule' : labelOf(RULE_KINDS, kind)
}

type NewRequest = Pick<StoredRequest, 'before'> & { change: RequestedChange }

/**
 * Withdraws earlier requests of the caller about the same rule or the same fields, so that one decision is asked for.
 * Requests of one customer are made one after the other.
 * @returns the request with the other fields of those it replaces
 * @throws Failure 409 if another user has asked about them
 */
export async function replaceEarlier(db: Database, actor: Member, request: NewRequest): Promise<NewRequest> {
  const { change } = request
  await acquireAdvisoryLock(db, `requests for approval ${actor.customerId}`)
  const earlier = (await findEarlier(db, actor, change)).filter((one) => isAboutSame(one.input, change))
  const other = earlier.find((one) => !isRequester(actor, one))
  if (other !== undefined) {
    const title = titleShownTo(actor, other, null)
    throw conflict(`${describeOther({ ...other, title }, change)} Wait for the decision on it.`)
  }
  for (const { id } of earlier) {
    // oxlint-disable-next-line no-await-in-loop -- One connection answers one question at a time.
    await decide(db, actor, { id, state: 'withdrawn', reason: 'Replaced by a later request.' })
  }
  return earlier.reduce(takeOver, request)
}

async function findEarlier(db: Database, actor: Member, change: RequestedChange): Promise<StoredRequest[]> {
  const all = await findAbout(db, actor, change)
  return all.filter(({ state }) => state === 'open')
}

function findAbout(db: Database, actor: Member, change: RequestedChange): Promise<StoredRequest[]> {
  if (change.kind === 'update') return findRequestsAbout(db, actor, { kind: 'rule', id: change.changes.id })
  if (change.kind === 'remove') return findRequestsAbout(db, actor, { kind: 'rule', id: change.id })
  if (change.kind === 'details') return findRequestsAbout(db, actor, { kind: 'details' })
  if (!isSettingChange(change)) return Promise.resolve([])
  return findRequestsAbout(db, actor, { kind: change.kind, id: change.changes.id })
}

/** Two changes of a rule always are: each was written for the rule as it is. */
function isAboutSame(one: RequestedChange, other: RequestedChange): boolean {
  return !isSettingChange(one) || !isSettingChange(other) || sharedFields(one, other).length > 0
}

const sharedFields = (one: { changes: object }, other: { changes: object }): string[] =>
  changedFields(one).filter((name) => changedFields(other).includes(name))

/** "Luis Ortega has already asked for approval of a change of Mandatory fees." */
function describeOther({ requestedBy, title, input }: StoredRequest, change: RequestedChange): string {
  const what =
    isSettingChange(change) && isSettingChange(input)
      ? `a change of ${labelsOf(change.kind, sharedFields(input, change))}`
      : `a change of ${title}`
  return `${requestedBy} has already asked for approval of ${what}.`
}

/** Where both have a field, the later value and what it replaces. */
function takeOver({ change, before }: NewRequest, earlier: StoredRequest): NewRequest {
  const { input } = earlier
  if (!isSettingChange(change) || !isSettingChange(input)) return { change, before }
  const changes = { ...input.changes, ...change.changes }
  return {
    change: SettingChange.parse({ kind: change.kind, changes: { ...changes, version: undefined } }),
    before: { ...earlier.before, ...before },
  }
}
