import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { isCustomFieldName } from '#contract/customers/custom-fields/custom-fields.ts'
import type { Received } from '#contract/endpoint.ts'
import {
  VEHICLE_FIELDS,
  type VehicleFieldName,
  VALUATIONS,
} from '#contract/inventory/vehicles/vehicle-fields.ts'
import type { AnyFieldName } from '#contract/inventory/vehicles/vehicle-input.ts'
import { VehicleRecord, type vehicles } from '#contract/inventory/vehicles/vehicles.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { brokenKey, isViolation } from '#server/database/violations.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, notFound, refused, stale } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { readCustomValues } from './custom-fields.ts'
import { readVehicle } from './vehicles.ts'

const THING = 'This vehicle'
const WRONG = 'Some fields are not right.'
const CHANGES_COST = can(Func.vehicleCost, Opr.update)
const COSTS = ['costCents', 'invoiceCents'] as const

/** One vehicle by hand: what is typed comes from its person, and no feed writes over it unless they say so. */
export const vehicleEditing: Pick<Handlers<typeof vehicles>, 'add' | 'update' | 'remove'> = {
  async add({ db, actor, input: { lotId, locksEdits, ...values } }) {
    const place = await placeOn(db, lotId)
    const given = await withCustom(db, actor, withoutCosts(actor, values, null), null)
    const known = withValuations(actor, given, null)
    const fields = fieldsIn(known).filter((name) => isGiven(valueOf(known, name)))
    const added = await explainRefusal(
      db
        .insertInto('vehicles')
        .values({
          ...columnsOf(known, sql`'{}'::jsonb`),
          ...place,
          provenance: stamped(sql`'[]'::jsonb`, actor, fields),
          locked: locksEdits ? fields : [],
        })
        .returning('id')
        .executeTakeFirstOrThrow(),
    )
    return readVehicle(db, actor, added.id)
  },

  async update({ db, actor, input: { id, version, ...change } }) {
    await writeVehicle(db, actor, await lockVehicle(db, actor, { id, version }), change)
    return readVehicle(db, actor, id)
  },

  async remove({ db, actor, input }) {
    await lockVehicle(db, actor, input)
    await db
      .deleteFrom('vehicles')
      .where('customerId', '=', actor.customerId)
      .where('id', '=', input.id)
      .execute()
    return null
  },
}

type Change = Omit<Received<typeof vehicles.update>, 'id' | 'version'>

/**
 * Writes what a person changed of a vehicle that is held: what is another by now is stamped with their name and, unless
 * they say otherwise, locked. @throws Failure 400 and 409 on the fields that may not be so.
 */
export async function writeVehicle(
  db: Database,
  actor: Member,
  before: VehicleRecord,
  { lotId, locks, locksEdits, ...values }: Change,
): Promise<void> {
  const given = await withCustom(db, actor, withoutCosts(actor, values, before), before)
  const wanted = withValuations(actor, given, before)
  const fields = fieldsIn(wanted).filter(
    (name) => !isDeepStrictEqual(valueOf(wanted, name), valueOf(before, name)),
  )
  const locked = new Set([...before.locked, ...(locksEdits ? fields : [])])
  for (const [name, isLocked] of Object.entries(locks)) {
    if (!isFieldName(name) && !isCustomFieldName(name)) continue
    if (isLocked) locked.add(name)
    else locked.delete(name)
  }
  await explainRefusal(
    db
      .updateTable('vehicles')
      .where('customerId', '=', actor.customerId)
      .where('id', '=', before.id)
      .set({
        ...columnsOf(wanted, sql`custom`),
        ...(lotId !== undefined && lotId !== before.lotId && (await placeOn(db, lotId))),
        provenance: stamped(sql`provenance`, actor, fields),
        locked: [...locked],
        // Its feed is compared with what it is now, even where the feed says what it said before.
        rowPrint: null,
      })
      .execute(),
  )
}

/** Holds the vehicle until the end of the transaction. @throws Failure 404, and 409 with it when it is another by now. */
export async function lockVehicle(
  db: Database,
  actor: Member,
  { id, version }: { id: string; version?: number | undefined },
): Promise<VehicleRecord> {
  const found = await db
    .selectFrom('vehicles')
    .select('version')
    .where('customerId', '=', actor.customerId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (found === undefined) throw notFound('Vehicle')
  const current = VehicleRecord.parse(JSON.parse((await readVehicle(db, actor, id)).text))
  if (version !== undefined && version !== found.version) throw stale(THING, current)
  return current
}

/** A vehicle belongs to the organization of its lot. @throws Failure 400 on the lot when it is none of theirs. */
async function placeOn(db: Database, lotId: string): Promise<{ lotId: string; organizationId: string }> {
  const lot = await db
    .selectFrom('lots')
    .select(['id', 'organizationId'])
    .where('id', '=', lotId)
    .executeTakeFirst()
  if (lot === undefined) throw refused(WRONG, { lotId: 'Choose one of your lots.' })
  return { lotId: lot.id, organizationId: lot.organizationId }
}

type Values = Omit<Received<typeof vehicles.add>, 'lotId' | 'locksEdits'>

/**
 * What is sent without the costs that the caller may not change. Whoever does not see them was answered null and sends
 * that back: it means nothing. @throws Failure 400 when they name another amount.
 */
function withoutCosts(actor: Member, values: Values, before: VehicleRecord | null): Values {
  if (actor.may(CHANGES_COST)) return values
  const { costCents: _cost, invoiceCents: _invoice, ...rest } = values
  const wrong = COSTS.filter((name) => {
    const cents = values[name] ?? null
    return cents !== null && cents !== (before?.[name] ?? null)
  })
  if (wrong.length === 0) return rest
  throw refused(
    WRONG,
    Object.fromEntries(wrong.map((name) => [name, 'You may not change what a vehicle cost.'])),
  )
}

/** @throws Failure 400 on values that the customer's own fields do not take. */
async function withCustom(
  db: Database,
  actor: Member,
  values: Values,
  before: VehicleRecord | null,
): Promise<Values> {
  const { custom } = values
  if (custom === undefined || Object.keys(custom).length === 0) return values
  return { ...values, custom: await readCustomValues(db, actor, custom, before?.custom ?? {}) }
}

/** A worth that was typed anew is of today where no day was sent with it; who published it, and when, goes with it. */
function withValuations({ timeZone }: Member, values: Values, before: VehicleRecord | null): Values {
  const dated = { ...values }
  for (const { amount, source, on } of VALUATIONS) {
    const cents = values[`${amount}Cents`]
    if (cents === null) Object.assign(dated, { [source]: null, [on]: null })
    if (cents === undefined || cents === null || cents === (before?.[`${amount}Cents`] ?? null)) continue
    dated[source] ??= null
    dated[on] ??= clock.today(timeZone)
  }
  return dated
}

/** Photos travel to their column as JSON, amounts as text, because the driver writes a bigint so. */
function columnsOf(values: Values, before: ReturnType<typeof sql<string>>) {
  const { photos, costCents, invoiceCents, msrpCents, feedPriceCents, priceCents, ...others } = values
  const { marketPriceCents, bookValueCents, custom, ...columns } = others
  const prices = { costCents, invoiceCents, msrpCents, feedPriceCents, priceCents }
  const amounts = { ...prices, marketPriceCents, bookValueCents }
  const given = Object.entries(amounts).filter(([, cents]) => cents !== undefined)
  return {
    ...columns,
    ...Object.fromEntries(given.map(([name, cents]) => [name, cents === null ? null : String(cents)])),
    ...(photos !== undefined && { photos: JSON.stringify(photos) }),
    ...(custom !== undefined && { custom: patchOf(before, custom) }),
  }
}

/** What is sent of the customer's own fields goes beside those that are not; null takes a value away. */
const patchOf = (before: ReturnType<typeof sql<string>>, custom: object) =>
  sql<string>`jsonb_strip_nulls(${before} || ${JSON.stringify(custom)}::jsonb)`

const isFieldName = (name: string): name is VehicleFieldName => Object.hasOwn(VEHICLE_FIELDS, name)

/** The name under which a field's value travels: amounts say that they are cents. */
const keyOf = (name: VehicleFieldName): string =>
  VEHICLE_FIELDS[name].kind === 'money' ? `${name}Cents` : name

/** The fields whose value was sent. */
function fieldsIn(values: Values): AnyFieldName[] {
  return [
    ...Object.keys(VEHICLE_FIELDS)
      .filter(isFieldName)
      .filter((name) => valueOf(values, name) !== undefined),
    ...Object.keys(values.custom ?? {}).filter(isCustomFieldName),
  ]
}

function valueOf(values: Pick<Values, 'custom'>, name: AnyFieldName): unknown {
  if (isCustomFieldName(name)) return values.custom?.[name] ?? null
  return Object.entries(values).find(([key]) => key === keyOf(name))?.[1]
}

const isGiven = (value: unknown): boolean => value !== null && !(Array.isArray(value) && value.length === 0)

/** The stamps of a vehicle once its person wrote these fields. */
function stamped(before: ReturnType<typeof sql<string>>, { fullName }: Member, fields: readonly string[]) {
  return sql<string>`stamp_fields(${before}, ${[...fields]}::text[],
    jsonb_build_object('source', 'user', 'by', ${fullName}::text, 'at', to_char(app_now(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))`
}

/** What the database's own rules refuse, in the words of the form. */
async function explainRefusal<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement
  } catch (error) {
    const key = brokenKey(error)
    if (key === 'vehicles_vin') {
      throw conflict('A vehicle of this VIN is on the lot already.', {
        vin: 'This VIN is on the lot already.',
      })
    }
    if (key === 'vehicles_stock_without_vin') {
      throw conflict('A vehicle of this stock number, without a VIN as well, is on the lot already.', {
        stock: 'This stock number is on the lot already.',
      })
    }
    // The lot went meanwhile, or moved to another organization.
    if (isViolation(error, 'foreign key') || isViolation(error, 'row level security')) {
      throw refused(WRONG, { lotId: 'Choose one of your lots.' })
    }
    throw error
  }
}
