import { CustomerDetailsChange } from '#contract/customers/details/details.ts'
import { isEqual } from '#contract/questions/changes.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import type { RuleRequest, SettingChange } from '#contract/pricing/rules/rule-requests.ts'
import {
  lotTable,
  readDetails,
  requireDetailsReach,
  updateDetails,
  updateLot,
} from '#server/customers/index.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, Failure } from '#server/http/failure.ts'
import { requireCustomerReach } from '#server/http/whole-customer.ts'
import { readOrganization, setTimeZone } from '#server/organizations/index.ts'
import type { RuleTexts } from '../rules/rule-differences.ts'
import { describeSetting, labelsOf } from './describe-setting.ts'

type Settings = Readonly<Record<string, unknown>>

/** What a change is about, as it is saved. `version`: null if others can't have changed it unseen. */
type Saved = Readonly<{
  title: string
  thing: string
  version: number | null
  fields: Settings
}>

/** Whether a change is about what totals depend on besides price rules. */
export const isSettingChange = (change: { kind: string }): change is SettingChange =>
  change.kind === 'details' || change.kind === 'lot' || change.kind === 'organization'

/** @throws Failure 403 or 404 if what changes is out of reach */
export async function requireSettingReach(db: Database, actor: Member, change: SettingChange): Promise<void> {
  if (change.kind === 'details') return requireDetailsReach(actor)
  if (change.kind === 'organization') requireCustomerReach(actor, 'Time zones can only be changed')
  await readSaved(db, actor, change)
}

/** A change with its title, and the values that it replaces. */
type Prepared<C> = { title: string; change: C; before: Settings }

/**
 * The change with its title, without the fields that stay the same.
 * @throws Failure 409 if the user saw an older version, or if nothing would change
 */
export async function prepareSetting<C extends SettingChange>(
  db: Database,
  actor: Member,
  change: C,
): Promise<Prepared<C>> {
  const { title, thing, version, fields } = await readSaved(db, actor, change)
  const seen = 'version' in change.changes ? change.changes.version : undefined
  if (seen !== undefined && seen !== version)
    throw conflict(`${thing} changed in the meantime. Reload the page, then ask again.`)
  const isKept = ([name, value]: [string, unknown]) =>
    value !== undefined && (name === 'id' || !isEqual(value, fields[name]))
  const { confirmPrices: _confirmed, ...given } = { confirmPrices: false, ...change.changes }
  const changes = Object.fromEntries(Object.entries({ ...given, version: undefined }).filter(isKept))
  const names = changedFields({ changes })
  if (names.length === 0) throw conflict('These values are already saved.')
  const before = Object.fromEntries(names.map((name) => [name, fields[name] ?? null]))
  return { title, change: { ...change, changes }, before }
}

/** What is sent with the fields of a change. */
const ABOUT_CALL: ReadonlySet<string> = new Set(['id', 'version', 'confirmPrices'])

/** The fields that a change of a setting changes. */
export const changedFields = ({ changes }: { changes: object }): string[] =>
  Object.keys(changes).filter((name) => !ABOUT_CALL.has(name))

/**
 * Makes a change that a second user approved.
 * @param before the values that it replaces, as they were when it was requested
 * @throws Failure 409 if one of them has changed since
 */
export async function makeSettingChange(
  db: Database,
  actor: Member,
  change: SettingChange,
  before: Settings | null,
): Promise<void> {
  const saved = await readSaved(db, actor, change)
  const outdated = whyOutdated(saved, change, before)
  if (outdated !== null) throw conflict(`${outdated} Reject the request, or ask for a new one.`)
  const version = saved.version ?? undefined
  if (change.kind === 'details') {
    await updateDetails(db, actor, CustomerDetailsChange.parse({ ...change.changes, version }), approved)
  } else if (change.kind === 'lot') {
    await updateLot(db, actor, lots.update.input.parse({ ...change.changes, version }), approved)
  } else {
    await setTimeZone(db, actor, change.changes)
  }
}

/** "Mandatory fees changed after this was requested."; null if it can still be approved. */
function whyOutdated(saved: Saved, change: SettingChange, before: Settings | null): string | null {
  if (before === null) {
    // Requested before the values were kept.
    const asked = 'version' in change.changes ? change.changes.version : undefined
    const isSame = saved.version === null || asked === saved.version
    return isSame ? null : `${saved.thing} changed after this was requested.`
  }
  const others = Object.keys(before).filter((name) => !isEqual(saved.fields[name] ?? null, before[name]))
  if (others.length === 0) return null
  return `${labelsOf(change.kind, others)} changed after this was requested.`
}

/** A second user approved it. */
const approved = async () => {}

type RequestView = Pick<RuleRequest, 'differences' | 'fields' | 'outdated'>

/** What an open request changes, as users read it, and whether it still can. Without differences if that is gone or out of reach. */
export async function describeSettingRequest(
  db: Database,
  actor: Member,
  { input: change, before }: { input: SettingChange; before: Settings | null },
  texts: RuleTexts,
): Promise<RequestView> {
  const fields = changedFields(change)
  try {
    const saved = await readSaved(db, actor, change)
    const old = { ...saved.fields, ...before }
    return {
      fields,
      differences: describeSetting(change.kind, { before: old, after: change.changes }, texts),
      outdated: whyOutdated(saved, change, before),
    }
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== 404) throw error
    return { fields, differences: [], outdated: 'What it changes was deleted after this was requested.' }
  }
}

/** @throws Failure 404 */
async function readSaved(db: Database, actor: Member, change: SettingChange): Promise<Saved> {
  if (change.kind === 'details') {
    const details = await readDetails(db, actor)
    return { title: 'Company details', thing: 'The details', version: details.version, fields: details }
  }
  if (change.kind === 'lot') {
    const lot = await lotTable.read(db, change.changes.id)
    return { title: lot.name, thing: 'The lot', version: lot.version, fields: lot }
  }
  const organization = await readOrganization(db, change.changes.id)
  return { title: organization.name, thing: 'The organization', version: null, fields: organization }
}
