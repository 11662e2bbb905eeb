import { sql } from 'kysely'
import type { z } from 'zod'
import type { Factor, FactorInput } from '#contract/carbon/factors/factor-schema.ts'
import { readUnit, type ReadUnit } from '#contract/carbon/factors/unit-table.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { isViolation } from '#server/database/violations.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, forbidden, notFound, refused, stale } from '#server/http/failure.ts'
import { readFactor } from './factor-rows.ts'
import { holdEveryOpenInventory } from '../inventories/hold-inventory.ts'
import { markSourcesStale } from '../calculation/mark-sources-stale.ts'
import { readGwps, readUnitTable } from './measures.ts'

type Input = z.output<typeof FactorInput>
/** Where somebody acts, and how far they reach. */
type Reaching = Pick<Member, 'organizationId' | 'reach'>

const NOT_RIGHT = 'Some fields are not right.'

/**
 * Adds an own factor, for the organization acted in or for all of the customer.
 * @throws Failure 400 for a unit or a gas that is not known, 403 where somebody of one organization adds for all.
 */
export async function addOwnFactor(db: Database, actor: Reaching, input: Input): Promise<Factor> {
  await holdEveryOpenInventory(db)
  const id = await insertFactor(db, actor, input)
  return readFactor(db, id)
}

/**
 * Replaces an own factor, or the newest that took its place, by a new row.
 * @throws Failure 404, 409 with the newest where the version is another, and as for adding.
 */
export async function replaceOwnFactor(
  db: Database,
  actor: Reaching,
  { id, version, factor }: { id: string; version?: number | undefined; factor: Input },
): Promise<Factor> {
  await holdEveryOpenInventory(db)
  const newest = await holdOwn(db, actor, await newestOf(db, id))
  const current = await readFactor(db, newest.id)
  const isStale = current.supersededBy !== null || (version !== undefined && version !== current.version)
  if (isStale) throw stale('This factor', await readFactor(db, await newestOf(db, id)))
  const next = await insertFactor(db, actor, factor)
  await db.updateTable('emissionFactors').set({ supersededBy: next }).where('id', '=', newest.id).execute()
  return readFactor(db, next)
}

/**
 * Deletes an own factor; the one it replaced is current again.
 * @throws Failure 404, 409 where a newer row took its place.
 */
export async function removeOwnFactor(db: Database, actor: Reaching, id: string): Promise<void> {
  await holdEveryOpenInventory(db)
  const former = await holdOwn(db, actor, id)
  if (former.supersededBy !== null)
    throw conflict(
      'This factor was replaced and stays for what was calculated with it. Delete the newest one.',
    )
  await db.deleteFrom('emissionFactors').where('id', '=', id).execute()
}

async function newestOf(db: Database, id: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with recursive later(id, superseded_by) as (
      select f.id, f.superseded_by from emission_factors f where f.id = ${id}
      union select f.id, f.superseded_by from emission_factors f join later on f.id = later.superseded_by)
    select id::text from later where superseded_by is null`.execute(db)
  return rows[0]?.id ?? id
}

/** The row, held until the transaction ends. What stands in the library, or was imported, is not changed by hand. */
async function holdOwn(
  db: Database,
  actor: Reaching,
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
    throw conflict('Factors of the library are not changed here. Add an own factor: it comes first.')
  }
  if (found.organizationId === null && actor.reach === 'organization')
    throw forbidden('This factor is for every organization. Somebody who reaches all of them may change it.')
  // The lock asks for the right to update, which those above have not.
  const { rows } = await sql<{
    id: string
    supersededBy: string | null
  }>`select id::text, superseded_by::text from emission_factors where id = ${id} for update`.execute(db)
  const [held] = rows
  if (held === undefined) throw notFound('Emission factor')
  if (found.datasetId !== null)
    throw conflict('This factor was imported with its edition. Add an own factor: it comes first.')
  return held
}

async function insertFactor(db: Database, actor: Reaching, input: Input): Promise<string> {
  const { gases, isForAll, unit: typed, calorificBasis = null, table, rows, ...columns } = input
  if (isForAll && actor.reach === 'organization')
    throw forbidden('Only people who reach every organization add factors for all of them.')
  const unit = readUnit(await readUnitTable(db), typed)
  const known = new Set((await readGwps(db)).map(({ gas }) => gas))
  const problems = problemsOf(input, unit, known)
  if ('problem' in unit || Object.keys(problems).length > 0) throw refused(NOT_RIGHT, problems)
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
      throw forbidden('Only people who reach every organization add factors for all of them.')
    })
  await db
    .insertInto('emissionFactorGases')
    .values(gases.map((gas, at) => ({ ...gas, factorId: id, place: at + 1 })))
    .execute()
  await markSourcesStale(db, [input.activity])
  return id
}

/**
 * What the reference data say against an input, by its fields. `known`: gases that have a warming potential.
 */
export function problemsOf(
  { calorificBasis, priceYear, gases }: Pick<Input, 'calorificBasis' | 'priceYear' | 'gases'>,
  read: ReadUnit | { problem: string },
  known: ReadonlySet<string>,
): Record<string, string> {
  const unknown = gases.flatMap(({ gas, basis }, at): [string, string][] =>
    basis === 'gas' && !known.has(gas)
      ? [[`gases.${at}.gas`, `There is no warming potential of \u201c${gas}\u201d. Enter it in kg CO2e.`]]
      : [],
  )
  if ('problem' in read) return { unit: read.problem, ...Object.fromEntries(unknown) }
  const problems: Record<string, string> = Object.fromEntries(unknown)
  if (read.basis !== null && (calorificBasis ?? read.basis) !== read.basis)
    problems.calorificBasis = `The unit says ${read.basis} calorific value.`
  if (read.unit.dimension !== 'energy' && (calorificBasis ?? null) !== null)
    problems.calorificBasis = 'Only energy has a calorific value.'
  if (read.unit.dimension === 'money' && (priceYear ?? null) === null)
    problems.priceYear = 'Money needs the year of its prices.'
  return problems
}
