import { CustomerDetailsChange } from '#contract/customers/details/details.ts'
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
import { describeSetting } from './describe-setting.ts'

/** What a change is about, as it is saved. `version`: null if others can't have changed it unseen. */
type Saved = Readonly<{
  title: string
  thing: string
  version: number | null
  fields: Readonly<Record<string, unknown>>
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

/** The change with its title, without the fields that stay the same, about the version that the user saw. */
export async function prepareSetting<C extends SettingChange>(
  db: Database,
  actor: Member,
  change: C,
): Promise<{ title: string; change: C }> {
  const { title, version, fields } = await readSaved(db, actor, change)
  const isKept = ([name, value]: [string, unknown]) =>
    value !== undefined && (name === 'id' || JSON.stringify(value) !== JSON.stringify(fields[name]))
  const { confirmPrices: _confirmed, ...given } = { confirmPrices: false, ...change.changes }
  const changes = Object.fromEntries(Object.entries(given).filter(isKept))
  return { title, change: { ...change, changes: { ...(version !== null && { version }), ...changes } } }
}

/** Makes a change that a second user approved. @throws Failure 409 if what it changes has changed since */
export async function makeSettingChange(db: Database, actor: Member, change: SettingChange): Promise<void> {
  const { version, thing } = await readSaved(db, actor, change)
  const asked = 'version' in change.changes ? change.changes.version : undefined
  if (version !== null && asked !== version)
    throw conflict(`${thing} changed after this was requested. Reject the request, or ask for a new one.`)
  if (change.kind === 'details') {
    await updateDetails(db, actor, CustomerDetailsChange.parse(change.changes), approved)
  } else if (change.kind === 'lot') {
    await updateLot(db, actor, lots.update.input.parse(change.changes), approved)
  } else {
    await setTimeZone(db, actor, change.changes)
  }
}

/** A second user approved it. */
const approved = async () => {}

/** What it changes, as users read it; empty if that no longer exists or is out of reach. */
export async function settingDifferences(
  db: Database,
  actor: Member,
  change: SettingChange,
  texts: RuleTexts,
): Promise<RuleRequest['differences']> {
  try {
    const { fields } = await readSaved(db, actor, change)
    return describeSetting(change.kind, { before: fields, after: change.changes }, texts)
  } catch (error) {
    if (error instanceof Failure && error.status === 404) return []
    throw error
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
