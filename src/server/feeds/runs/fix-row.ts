import { requireOpenLot } from '#server/organizations/index.ts'
import { sql } from 'kysely'
import type { Received } from '#contract/endpoint.ts'
import type { feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { VEHICLE_FIELDS, type VehicleFieldName } from '#contract/vehicles/vehicles/vehicle-fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, notFound, refused } from '#server/http/failure.ts'
import { checkPricesAgain } from './price-check.ts'
import { VehicleValues } from './reading/feed-values.ts'
import { loadLotAssignment } from './reading/lot-assignment.ts'
import { readCanonical } from './reading/read-canonical.ts'
import { compareRows, noSeenRows, insertRows } from './reading/stage-rows.ts'
import { makeImportStats } from './reading/import-stats.ts'
import { FIELD_NAMES } from './reading/vehicle-columns.ts'

const WRONG = 'Some fields are invalid.'

/** Counts a row that was rejected as what it is now. */
async function countFixed(
  db: Database,
  runId: string,
  staged: { kind: string; changesPrice: boolean } | undefined,
): Promise<void> {
  const isNew = staged?.kind === 'new'
  const isChanged = staged?.kind === 'changed'
  const one = (is: boolean, name: string) => sql<number>`${sql.ref(name)} + ${is ? 1 : 0}`
  await db
    .updateTable('feedRuns')
    .set({
      refusedCount: sql`refused_count - 1`,
      newCount: one(isNew, 'new_count'),
      changedCount: one(isChanged, 'changed_count'),
      priceCount: one(staged?.changesPrice ?? false, 'price_count'),
      unchangedCount: one(!isNew && !isChanged, 'unchanged_count'),
    })
    .where('id', '=', runId)
    .execute()
}

/**
 * Adds missing values to a rejected row, compares it like the others and stages it instead.
 * @returns the ID of the new row. @throws Failure 404; 409 if the run can no longer be changed; 400 with the reason if the row is
 * still not valid.
 */
export async function fixRow(
  db: Database,
  actor: Member,
  { runId, id, lotId, values }: Received<typeof feedRuns.fixRow>,
): Promise<string> {
  const run = await db
    .selectFrom('feedRuns')
    .select(['sourceId', 'status', 'mappingId', 'lotId', 'keepsStatus'])
    .where('id', '=', runId)
    .forUpdate()
    .executeTakeFirst()
  if (run === undefined) throw notFound('Feed run')
  if (run.status !== 'ready' && run.status !== 'review') throw conflict('This feed can no longer be changed.')
  const row = await db
    .selectFrom('feedRunRows')
    .select(['line', 'raw', 'dealer', 'after', 'warnings', 'kind'])
    .where('runId', '=', runId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) throw notFound('Row')
  if (row.kind !== 'refused') throw conflict('This row is no longer rejected.')
  const merged = { ...VehicleValues.parse(row.after), ...enteredValues(actor, values) }
  const [vin, stock] = [textOf(merged, 'vin'), textOf(merged, 'stock')]
  if (vin === null && stock === null) {
    throw refused(WRONG, { 'values.vin': 'Enter a VIN or a stock number.' })
  }
  await refuseRepeated(db, { runId, vin, stock })
  if (lotId !== undefined) await requireOpenLot(db, lotId)
  const lots = await loadLotAssignment(db, actor, { chosen: lotId ?? run.lotId, covered: [] })
  const ownWord = await readCanonical(db, { mappingId: run.mappingId })
  const reading = {
    today: clock.today(actor.timeZone),
    ownWord,
  }
  const importStats = makeImportStats()
  const [staged] = await compareRows(
    db,
    {
      customerId: actor.customerId,
      sourceId: run.sourceId,
      places: lots,
      reading,
      keepsStatus: run.keepsStatus,
      answers: {},
    },
    [
      {
        line: row.line ?? 1,
        raw: row.raw ?? '',
        values: merged,
        // A lot chosen by the user overrides the dealer ID.
        dealer: lotId === undefined ? row.dealer : null,
        status: null,
        leftOut: null,
        warnings: row.warnings,
        refusals: [],
      },
    ],
    { seenRows: noSeenRows(), importStats, isEnd: true },
  )
  const other = importStats.found('otherLot') ?? importStats.found('otherStock')
  if (other !== null) {
    const sentence = `The vehicle is already in stock on another lot: ${other.value}. Choose that lot, or move the vehicle first.`
    throw refused(sentence, { lotId: sentence })
  }
  if (staged?.kind === 'refused') {
    const sentence = staged.reasons.join(' ')
    throw refused(sentence, { lotId: sentence })
  }
  await db.deleteFrom('feedRunRows').where('runId', '=', runId).where('id', '=', id).execute()
  await countFixed(db, runId, staged)
  if (staged === undefined) throw conflict('The vehicle already exists with the same values.')
  const organizationId = actor.reach === 'customer' ? null : actor.organizationId
  await insertRows(db, { runId, organizationId }, [staged])
  const added = await db
    .selectFrom('feedRunRows')
    .select('id')
    .where('runId', '=', runId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  await dropMissing(db, { runId, vehicleId: staged.vehicleId })
  await checkPricesAgain(db, {
    customerId: actor.customerId,
    runId,
    sourceId: run.sourceId,
    lotId: run.lotId,
  })
  return added.id
}

const CHANGES_COST = can(Func.vehicleCost, Opr.update)

/** The entered values by field name. @throws Failure 400 for costs that the caller can't change. */
function enteredValues(actor: Member, values: Received<typeof feedRuns.fixRow>['values']): VehicleValues {
  const typed = new Map<string, unknown>(Object.entries(values))
  const kept: VehicleValues = {}
  for (const name of FIELD_NAMES) {
    const key = keyOf(name)
    const value = typed.get(key)
    if (value === undefined || value === null) continue
    if ((name === 'cost' || name === 'invoice') && !actor.may(CHANGES_COST)) {
      throw refused(WRONG, { [`values.${key}`]: "You don't have permission to change vehicle costs." })
    }
    kept[name] = value
  }
  return kept
}

const keyOf = (name: VehicleFieldName): string =>
  VEHICLE_FIELDS[name].kind === 'money' ? `${name}Cents` : name

const textOf = (values: VehicleValues, name: 'vin' | 'stock'): string | null => {
  const value = values[name]
  return typeof value === 'string' && value !== '' ? value : null
}

/** @throws Failure 400 if another row of the file is the same vehicle. */
async function refuseRepeated(
  db: Database,
  { runId, vin, stock }: { runId: string; vin: string | null; stock: string | null },
): Promise<void> {
  const other = await db
    .selectFrom('feedRunRows')
    .select('line')
    .where('runId', '=', runId)
    .where('kind', 'in', ['new', 'changed', 'same'])
    .where('line', 'is not', null)
    .where((where) =>
      vin === null
        ? where.and([where('vin', 'is', null), where('stock', '=', stock)])
        : where('vin', '=', vin),
    )
    .executeTakeFirst()
  if (other === undefined) return
  const sentence = `Line ${other.line} is already this vehicle.`
  throw refused(WRONG, { [vin === null ? 'values.stock' : 'values.vin']: sentence })
}

/** Removes the missing row of a vehicle that the fixed row refers to. */
async function dropMissing(
  db: Database,
  { runId, vehicleId }: { runId: string; vehicleId: string | null },
): Promise<void> {
  if (vehicleId === null) return
  const { numDeletedRows } = await db
    .deleteFrom('feedRunRows')
    .where('runId', '=', runId)
    .where('vehicleId', '=', vehicleId)
    .where('kind', '=', 'missing')
    .executeTakeFirst()
  if (numDeletedRows === 0n) return
  await db
    .updateTable('feedRuns')
    .set({ missingCount: sql`missing_count - 1` })
    .where('id', '=', runId)
    .execute()
}
