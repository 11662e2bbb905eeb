import { sql } from 'kysely'
import type { z } from 'zod'
import type { Seen } from '#contract/deletion.ts'
import type { Factor, FactorInput } from '#contract/carbon/factors/factor-schema.ts'
import { readUnit, type ReadUnit } from '#contract/carbon/factors/unit-table.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { isViolation } from '#server/database/violations.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, type Failure, forbidden, notFound, refused, stale } from '#server/http/failure.ts'
import { isFrozen, STATUS_NAMES } from '#contract/carbon/inventories/inventory-schema.ts'
import { readFactor } from './factor-rows.ts'
import { readFactorUsers } from './factor-usage.ts'
import { lockAllOpenInventoryRows } from '../staleness/lock-inventory-row.ts'
import { markSourcesStale } from '../staleness/mark-sources-stale.ts'
import { readGwps, readUnitTable } from './measures.ts'

type Input = z.output<typeof FactorInput>
/** The current organization and the reach of the caller. */
type FactorEditor = Pick<Member, 'organizationId' | 'reach'>

const INVALID = 'Some fields are invalid.'

/**
 * Adds a custom factor, for the current organization or for all of the customer.
 * @param confirm checks what the caller has seen of its effect, while no record is added or approved.
 * @throws Failure 400 for an unknown unit or gas, 403 without access to all organizations, and what `confirm` throws.
 */
export async function addCustomFactor(
  db: Database,
  actor: FactorEditor,
  input: Input,
  confirm: () => Promise<void> = async () => {},
): Promise<Factor> {
  requireFactorReach(actor, input.isForAll)
  await lockAllOpenInventoryRows(db)
  await confirm()
  const id = await insertFactor(db, actor, input)
  return readFactor(db, id)
}

/**
 * Replaces the newest version of a custom factor with a new one. `confirm`: refuses a change that the caller hasn't confirmed.
 * @throws Failure 404, 409 with the newest if the version is stale, and as for adding.
 */
export async function replaceCustomFactor(
  db: Database,
  actor: FactorEditor,
  { id, version, factor }: { id: string; version?: number | undefined; factor: Input },
  confirm: (current: Factor) => Promise<void>,
): Promise<Factor> {
  await lockAllOpenInventoryRows(db)
  const newest = await lockCustomFactor(db, actor, await newestOf(db, id))
  const current = await readFactor(db, newest.id)
  const isStale = current.supersededBy !== null || (version !== undefined && version !== current.version)
  if (isStale) throw stale('This factor', await readFactor(db, await newestOf(db, id)))
  await confirm(current)
  const next = await insertFactor(db, actor, factor)
  await db.updateTable('emissionFactors').set({ supersededBy: next }).where('id', '=', newest.id).execute()
  return readFactor(db, next)
}

/**
 * Deletes a custom factor with the versions before it, if nothing uses any of them: one that became current again could change
 * figures that no one was shown.
 * @throws Failure 404, 409 if it was replaced by a newer version, with the current factor if the version is stale, or if a result, a source or a record uses it.
 */
export async function removeCustomFactor(
  db: Database,
  actor: FactorEditor,
  { id, version }: z.output<typeof Seen>,
): Promise<void> {
  await lockAllOpenInventoryRows(db)
  const former = await lockCustomFactor(db, actor, id)
  if (former.supersededBy !== null) {
    const { createdBy } = await readFactor(db, await newestOf(db, id))
    throw conflict(
      `${createdBy ?? 'Someone'} changed this factor in the meantime. The version before is kept for past results. Open the newest version to delete the factor.`,
    )
  }
  const current = await readFactor(db, id)
  if (version !== undefined && version !== current.version) throw stale('This factor', current)
  const versions = [id, ...current.replaces.map((earlier) => earlier.id)]
  const users = await readFactorUsers(db, versions)
  if (users.length > 0) throw inUse(users)
  await db
    .deleteFrom('emissionFactors')
    .where('id', 'in', versions)
    .execute()
    .catch((error: unknown) => {
      // The database also sees inventories of organizations that the caller can't access.
      throw isViolation(error, 'foreign key') ? inUse([]) : error
    })
}

/** The message names the inventories, frozen ones first, and says how to stop using the factor instead. */
function inUse(users: Awaited<ReturnType<typeof readFactorUsers>>): Failure {
  const named = users.slice(0, 3).map(({ name, status }) => `${name} (${STATUS_NAMES[status].toLowerCase()})`)
  const others = users.length - named.length
  const where = [...named, ...(others > 0 ? [`${others} other inventories`] : [])].join(', ')
  const advice = users.some(({ status }) => isFrozen(status))
    ? 'It is kept for the figures that were calculated with it. To stop using it, edit it and enter the last day it is valid.'
    : 'Choose another factor there first, or edit it and enter the last day it is valid.'
  return conflict(
    `This factor can't be deleted because it is in use${where === '' ? ' in another organization' : `: ${where}`}. ${advice}`,
  )
}

async function newestOf(db: Database, id: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with recursive later(id, superseded_by) as (
      select f.id, f.superseded_by from emission_factors f where f.id = ${id}
      union select f.id, f.superseded_by from emission_factors f join later on f.id = later.superseded_by)
    select id::text from later where superseded_by is null`.execute(db)
  return rows[0]?.id ?? id
}

/** Locks the row until the end of the transaction. Library factors and imported ones can't be edited. */
async function lockCustomFactor(
  db: Database,
  actor: FactorEditor,
  id: string,
): Promise<{ id: string; supersededBy: string | null }> {
  const found = await db
    .selectFrom('emissionFactors')
    .where('id', '=', id)
    .select(['organizationId', 'supersededBy', 'datasetId'])
    .executeTakeFirst()
  if (found === undefined) {
    const { rows } = await sql`select from library.emission_factors where id = ${id}`.execute(db)
    if (rows.length === 0) throw notFound('Emission factor')
    throw conflict("Library factors can't be changed. Add a custom factor, which takes precedence.")
  }
  if (found.organizationId === null && actor.reach === 'organization')
    throw forbidden('Only users with access to all organizations can change this factor.')
  // The lock requires the update permission, which the cases above don't have.
  const { rows } = await sql<{
    id: string
    supersededBy: string | null
  }>`select id::text, superseded_by::text from emission_factors where id = ${id} for update`.execute(db)
  const [locked] = rows
  if (locked === undefined) throw notFound('Emission factor')
  if (found.datasetId !== null)
    throw conflict("Imported factors can't be changed. Add a custom factor, which takes precedence.")
  return locked
}

/** @throws Failure 403 if the caller can't add a factor for all organizations */
function requireFactorReach({ reach }: Pick<Member, 'reach'>, isForAll: boolean): void {
  if (isForAll && reach === 'organization')
    throw forbidden('Only users with access to all organizations can add factors for all of them.')
}

async function insertFactor(db: Database, actor: FactorEditor, input: Input): Promise<string> {
  const { gases, isForAll, unit: typed, calorificBasis = null, table, rows, ...columns } = input
  requireFactorReach(actor, isForAll)
  const unit = readUnit(await readUnitTable(db), typed)
  const known = new Set((await readGwps(db)).map(({ gas }) => gas))
  const problems = problemsOf(input, unit, known)
  if ('problem' in unit || Object.keys(problems).length > 0) throw refused(INVALID, problems)
  const { id } = await db
    .insertInto('emissionFactors')
    .values({
      ...columns,
      organizationId: isForAll ? null : actor.organizationId,
      unit: unit.unit.code,
      calorificBasis: unit.basis ?? calorificBasis,
      sourceTable: table ?? null,
      sourceRows: rows ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => {
      if (!isViolation(error, 'row level security')) throw error
      throw forbidden('Only users with access to all organizations can add factors for all of them.')
    })
  await db
    .insertInto('emissionFactorGases')
    .values(gases.map((gas, at) => ({ ...gas, factorId: id, place: at + 1 })))
    .execute()
  await markSourcesStale(db, [input.activity])
  return id
}

/** Checks an input against the reference data and returns problems by field. `known`: gases that have a GWP. */
export function problemsOf(
  { calorificBasis, priceYear, gases }: Pick<Input, 'calorificBasis' | 'priceYear' | 'gases'>,
  read: ReadUnit | { problem: string },
  known: ReadonlySet<string>,
): Record<string, string> {
  const unknown = gases.flatMap(({ gas, basis }, at): [string, string][] =>
    basis === 'gas' && !known.has(gas)
      ? [[`gases.${at}.gas`, `There is no GWP for \u201c${gas}\u201d. Enter it in kg CO2e.`]]
      : [],
  )
  if ('problem' in read) return { unit: read.problem, ...Object.fromEntries(unknown) }
  const problems: Record<string, string> = Object.fromEntries(unknown)
  if (read.basis !== null && (calorificBasis ?? read.basis) !== read.basis)
    problems.calorificBasis = `The unit is in ${read.basis} calorific value.`
  if (read.unit.dimension !== 'energy' && (calorificBasis ?? null) !== null)
    problems.calorificBasis = 'Only energy units have a calorific value.'
  if (read.unit.dimension === 'money' && (priceYear ?? null) === null)
    problems.priceYear = 'Enter the price year.'
  return problems
}
