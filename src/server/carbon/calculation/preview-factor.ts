import { sql } from 'kysely'
import type { z } from 'zod'
import type { FactorInput, FactorRow } from '#contract/carbon/factors/factor-schema.ts'
import type { FactorPreview, factors } from '#contract/carbon/factors/factors.ts'
import { resolve } from '#contract/carbon/factors/resolve.ts'
import { readUnit } from '#contract/carbon/factors/unit-table.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, refused } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { addCustomFactor, problemsOf, replaceCustomFactor } from '../factors/custom-factors.ts'
import { readFactor } from '../factors/factor-rows.ts'
import { usersOf } from '../factors/factor-usage.ts'
import { readGwps, readUnitTable } from '../factors/measures.ts'
import { type ChangedRecord, effectOf, findChangedRecords, requireConfirmed } from './change-effect.ts'
import { recalculateStale } from './recalculate.ts'

type Input = z.output<typeof FactorInput>

/** Higher than the ID of any saved factor: the one that is entered last takes precedence. */
const UNSAVED = '999999999999999999'

/**
 * What a new custom factor would change: every record of an open inventory whose result is another one with it, calculated by the
 * engine without saving anything.
 * @throws Failure 400 for an unknown unit or gas, as for adding.
 */
async function previewFactor(
  db: Database,
  { organizationId }: Pick<Member, 'organizationId'>,
  { replaces, ...input }: Input & { replaces?: string | undefined },
): Promise<FactorPreview> {
  const factor = await unsavedFactor(db, { organizationId }, input)
  const former = replaces === undefined ? null : await readFactor(db, replaces)
  const versions = former === null ? [] : [former.id, ...former.replaces.map(({ id }) => id)]
  const isForAll = input.isForAll || (former !== null && former.organizationId === null)
  const activities = [input.activity, ...(former === null ? [] : [former.activity])]
  const { rows: sources } = await sql<{ id: string; inventoryId: string; isOther: boolean }>`
    select s.id::text, s.inventory_id::text, i.organization_id is distinct from ${organizationId}::bigint as is_other from emission_sources s
    join carbon_inventories i on i.customer_id = s.customer_id and i.id = s.inventory_id
    where i.status in ('draft', 'collecting', 'in_review') and (
      (s.activity = any(${activities}) and (${isForAll} or i.organization_id = ${organizationId}::bigint))
      or (s.customer_id, s.id) in (select customer_id, id from ${usersOf(versions)} u)) order by s.inventory_id, s.id`.execute(
    db,
  )
  const { priceYear = null, gwpSet = null } = input
  const citation = { table: null, rows: null, priceYear, gwpSet }
  const changed: ChangedRecord[] = []
  for (const [inventoryId, own] of Map.groupBy(sources, (one) => one.inventoryId))
    // oxlint-disable-next-line no-await-in-loop -- One transaction, which has one connection.
    changed.push(
      ...(await findChangedRecords(db, {
        inventoryId,
        sourceIds: own.map(({ id }) => id),
        withFactor: {
          factor,
          citation,
          replaces,
          isForOthers: !input.isForAll && own.some(({ isOther }) => isOther),
        },
      })),
    )
  return {
    ...effectOf(changed),
    competing: (await findCompeting(db, factor)).filter(({ id }) => id !== replaces),
  }
}

/** The calls of the factors that calculate, which is above their folder. */
export const factorPreviewHandler: Pick<Handlers<typeof factors>, 'preview' | 'add' | 'update'> = {
  preview: ({ db, actor, input }) => previewFactor(db, actor, input),

  add: ({ db, actor, input: { affected = 0, ...input } }) =>
    addCustomFactor(db, actor, input, async () => {
      requireConfirmed('Adding this factor', await previewFactor(db, actor, input), affected)
    }),

  update: ({ db, actor, input: { affected = 0, ...input } }) =>
    replaceCustomFactor(db, actor, input, async ({ id, activity }) => {
      // Otherwise what a change of a moment ago affects would be compared with older results.
      await calculateWaiting(db, [activity, input.factor.activity])
      requireConfirmed(
        'Changing this factor',
        await previewFactor(db, actor, { ...input.factor, replaces: id }),
        affected,
      )
    }),
}

/** Calculates what waits for it of some activities. @throws Failure 409 if that is too much for one call */
async function calculateWaiting(db: Database, activities: readonly string[]): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select distinct q.inventory_id::text as id from stale_sources q
    join emission_sources s on s.customer_id = q.customer_id and s.id = q.source_id
    where s.activity = any(${[...activities]}) order by 1`.execute(db)
  for (const { id } of rows)
    // oxlint-disable-next-line no-await-in-loop -- One transaction, which has one connection.
    if ((await recalculateStale(db, id)) > 0)
      throw conflict('Many records are being calculated right now. Try again in a minute.')
}

async function unsavedFactor(
  db: Database,
  { organizationId }: Pick<Member, 'organizationId'>,
  { isForAll, unit: typed, gases, calorificBasis = null, validTo = null, ...input }: Input,
): Promise<FactorRow> {
  const unit = readUnit(await readUnitTable(db), typed)
  const gwps = await readGwps(db)
  const problems = problemsOf({ ...input, gases, calorificBasis }, unit, new Set(gwps.map(({ gas }) => gas)))
  if ('problem' in unit || Object.keys(problems).length > 0)
    throw refused('Some fields are invalid.', problems)
  const named = gases.map((gas) => ({ ...gas, isBiogenic: gas.isBiogenic }))
  const factor = {
    id: UNSAVED,
    origin: 'own' as const,
    organizationId: isForAll ? null : organizationId,
    datasetId: null,
    publisher: 'Custom',
    dataset: '',
    edition: '',
    year: Number(input.validFrom.slice(0, 4)),
    scopes: [...input.scopes],
    category: input.category,
    activity: input.activity,
    name: input.name,
    region: input.region,
    unit: unit.unit.code,
    calorificBasis: unit.basis ?? calorificBasis,
    boundary: input.boundary,
    use: 'inventory' as const,
    validFrom: input.validFrom,
    validTo,
    supersededBy: null,
    gases: named,
  }
  return { ...factor, co2e: resolve(factor, 'AR5', gwps).co2e }
}

/** Other custom factors for the same activity, place, unit and days, and for as many organizations. */
async function findCompeting(
  db: Database,
  { activity, region, unit, scopes, validFrom, validTo, organizationId }: FactorRow,
): Promise<FactorPreview['competing']> {
  const { rows } = await sql<FactorPreview['competing'][number]>`
    select f.id::text, f.name from emission_factors f
    where f.dataset_id is null and f.superseded_by is null and f.activity = ${activity} and f.region = ${region}
      and f.unit = ${unit} and f.scopes && ${scopes}::text[] and f.organization_id is not distinct from ${organizationId}::bigint
      and daterange(f.valid_from, f.valid_to, '[]') && daterange(${validFrom}::date, ${validTo}::date, '[]')
    order by f.id desc limit 20`.execute(db)
  return rows
}
