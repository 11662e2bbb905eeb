import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { isCustomFieldName } from '#contract/customers/custom-fields/custom-fields.ts'
import type { Received } from '#contract/endpoint.ts'
import { readPath } from '#contract/files/names.ts'
import {
  VEHICLE_FIELDS,
  type VehicleFieldName,
  VALUATIONS,
} from '#contract/vehicles/vehicles/vehicle-fields.ts'
import type { AnyFieldName } from '#contract/vehicles/vehicles/vehicle-input.ts'
import { BUYER_TEXTS, buyerTextFaults } from '#contract/pricing/totals/public-description.ts'
import { VehicleRecord, type vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { vinValuesOf, type VinFilledField } from '#contract/vehicles/vin/vin-values.ts'
import { clock } from '#server/clock.ts'
import type { Outside } from '#server/database/outside-transaction.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { brokenKey, isViolation } from '#server/database/violations.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, notFound, refused, stale } from '#server/http/failure.ts'
import { requireOpenLot } from '#server/organizations/index.ts'
import type { Handlers } from '#server/http/serve.ts'
import { keepDependents } from '#server/lists/dependents.ts'
import { readCustomValues } from './custom-fields/custom-fields.ts'
import { requirePriceConfirmation } from './price-limits.ts'
import type { VehiclePrices } from './vehicle-prices.ts'
import { decodeVin } from '../vin/decode-vin.ts'
import { readVehicle } from './vehicles.ts'

const STALE_SUBJECT = 'This vehicle'
const WRONG = 'Some fields are invalid.'
const CHANGES_COST = can(Func.vehicleCost, Opr.update)
const COSTS = ['costCents', 'invoiceCents'] as const

type Photos = Received<typeof vehicles.update>['photos']

/** Whether a media file of a customer is a picture that pages can show. */
type HasMediaPicture = (customerId: string, path: readonly string[]) => Promise<boolean>

/**
 * Checks that the files among photos are pictures that exist. Those in `known` were on the vehicle before: a file that was deleted since doesn't
 * stop other changes. For handlers without an open transaction.
 * @throws Failure 400 on each photo whose file isn't one, with its name
 */
async function requirePhotoFiles(
  hasPicture: HasMediaPicture,
  customerId: string,
  { photos = [], known = [] }: { photos: Photos; known?: readonly string[] },
): Promise<void> {
  const fields: Record<string, string> = {}
  for (const [at, { kind, place }] of photos.entries()) {
    if (kind !== 'file' || known.includes(place)) continue
    const path = readPath(place)
    // oxlint-disable-next-line no-await-in-loop
    if ('names' in path && (await hasPicture(customerId, path.names))) continue
    fields[`photos.${at}.place`] = `The media library has no picture ${place}.`
  }
  const [first] = Object.values(fields)
  if (first !== undefined) throw refused(first, fields)
}

/** Manual changes to a vehicle. The user becomes the source of each changed value, and by default the field is locked. */
export const makeVehicleEditing = (
  prices: VehiclePrices,
  hasPictureOf: (outside: Outside) => HasMediaPicture,
): Pick<Handlers<typeof vehicles>, 'add' | 'update' | 'remove'> => ({
  async add({ inTenantOnce, outside, actor, input }) {
    await requirePhotoFiles(hasPictureOf(outside), actor.customerId, { photos: input.photos })
    return inTenantOnce((db) => addVehicle(prices, { db, actor, input }))
  },

  async update({ inTenant, inTenantOnce, outside, actor, input }) {
    if (input.photos?.some(({ kind }) => kind === 'file') === true) {
      const known = await inTenant((db) => readPhotoPlaces(db, actor, input.id))
      await requirePhotoFiles(hasPictureOf(outside), actor.customerId, { photos: input.photos, known })
    }
    return inTenantOnce((db) => updateVehicle(prices, { db, actor, input }))
  },

  async remove({ db, actor, input }) {
    await lockVehicle(db, actor, input)
    await keepDependents(db, { table: 'vehicles', customerId: actor.customerId }, [input.id])
    await db
      .deleteFrom('vehicles')
      .where('customerId', '=', actor.customerId)
      .where('id', '=', input.id)
      .execute()
    return null
  },
})

type Editing<Input> = { db: Database; actor: Member; input: Input }

/** The files of a vehicle's photos. @throws Failure 404 */
async function readPhotoPlaces(db: Database, { customerId }: Member, id: string): Promise<string[]> {
  const { rows } = await sql<{ places: string[] }>`
    select array(select p ->> 'place' from jsonb_array_elements(v.photos) p where p ->> 'kind' = 'file') as places
    from vehicles v where v.customer_id = ${customerId} and v.id = ${id}`.execute(db)
  const [found] = rows
  if (found === undefined) throw notFound('Vehicle')
  return found.places
}

async function addVehicle(
  prices: VehiclePrices,
  {
    db,
    actor,
    input: { lotId, locksEdits, confirmPrices, fromVin, ...values },
  }: Editing<Received<typeof vehicles.add>>,
) {
  if (!confirmPrices) {
    await requirePriceConfirmation(db, actor.customerId, [
      { title: titleOf(values), beforeCents: null, afterCents: values.priceCents ?? null },
    ])
  }
  const place = await placeOn(db, lotId)
  const given = await withCustom(db, actor, withoutCosts(actor, values, null), null)
  const known = withValuations(actor, given, null)
  requireNoAmounts(known)
  const fields = fieldsIn(known).filter((name) => isGiven(valueOf(known, name)))
  const decoded = decodedFields(fromVin, known.vin, known)
  const added = await explainRefusal(
    db
      .insertInto('vehicles')
      .values({
        ...columnsOf(known, sql`'{}'::jsonb`),
        ...place,
        provenance: stamped(sql`'[]'::jsonb`, actor, fields, decoded),
        locked: locksEdits ? fields.filter((name) => !decoded.has(name)) : [],
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  await prices.storePricesNow(db, actor, [added.id])
  return readVehicle(db, actor, added.id)
}

async function updateVehicle(
  prices: VehiclePrices,
  { db, actor, input: { id, version, confirmPrices, ...change } }: Editing<Received<typeof vehicles.update>>,
) {
  const before = await lockVehicle(db, actor, { id, version })
  const { priceCents } = change
  if (!confirmPrices && priceCents !== undefined) {
    await requirePriceConfirmation(db, actor.customerId, [
      { title: titleOf(before), beforeCents: before.priceCents, afterCents: priceCents },
    ])
  }
  const sellingBefore = confirmPrices ? null : await prices.readSellingPrices(db, actor, [id])
  await writeVehicle(db, actor, before, change)
  if (sellingBefore !== null) await prices.requireUsualSellingPrices(db, actor, sellingBefore)
  await prices.storePricesNow(db, actor, [id])
  return readVehicle(db, actor, id)
}

type Named = Pick<Values, 'year' | 'make' | 'model' | 'stock'>

/** "2021 Ford Escape (FN10672)". */
function titleOf({ year, make, model, stock }: Named): string {
  const name =
    [year, make, model].filter((part) => part !== null && part !== undefined).join(' ') || 'Vehicle'
  return stock ? `${name} (${stock})` : name
}

type Change = Omit<Received<typeof vehicles.update>, 'id' | 'version' | 'confirmPrices' | 'fromVin'> & {
  fromVin?: readonly VinFilledField[]
}

/**
 * Saves a user's changes to a vehicle locked by `lockVehicle`. Records the user as the source of each changed value and
 * locks the field unless `locksEdits` is false. @throws Failure 400 or 409 with the invalid fields.
 */
export async function writeVehicle(
  db: Database,
  actor: Member,
  before: VehicleRecord,
  { lotId, locks, locksEdits, fromVin = [], ...values }: Change,
): Promise<void> {
  const given = await withCustom(db, actor, withoutCosts(actor, values, before), before)
  const wanted = withValuations(actor, given, before)
  const fields = fieldsIn(wanted).filter(
    (name) => !isDeepStrictEqual(valueOf(wanted, name), valueOf(before, name)),
  )
  // What a feed sent stays, and is left out of what buyers see.
  requireNoAmounts(newTexts(wanted, before))
  const decoded = decodedFields(fromVin, wanted.vin === undefined ? before.vin : wanted.vin, wanted)
  const locked = new Set([
    ...before.locked,
    ...(locksEdits ? fields.filter((name) => !decoded.has(name)) : []),
  ])
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
        provenance: stamped(sql`provenance`, actor, fields, decoded),
        locked: [...locked],
        // Makes the next feed run compare this vehicle again, even if its feed row hasn't changed.
        rowFingerprint: null,
      })
      .execute(),
  )
}

/** @throws Failure 400 at each text for buyers that names an amount which the price engine didn't calculate */
function requireNoAmounts(values: Parameters<typeof buyerTextFaults>[0]): void {
  const faults = buyerTextFaults(values)
  const [first] = Object.values(faults)
  if (first !== undefined) throw refused(first, faults)
}

/** The texts for buyers that differ from before. */
function newTexts(wanted: Values, before: VehicleRecord): Parameters<typeof buyerTextFaults>[0] {
  const alts = new Set(before.photos.map(({ alt }) => alt))
  return {
    ...Object.fromEntries(
      BUYER_TEXTS.flatMap((name) => (wanted[name] === before[name] ? [] : [[name, wanted[name]]])),
    ),
    options: wanted.options?.filter((option) => !before.options.includes(option)),
    photos: wanted.photos?.map(({ alt }) => ({ alt: alts.has(alt) ? '' : alt })),
  }
}

/** Locks the vehicle row until the end of the transaction. @throws Failure 404, or 409 with the current vehicle if `version` is stale. */
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
  if (version !== undefined && version !== found.version) throw stale(STALE_SUBJECT, current)
  return current
}

/** A vehicle belongs to the organization of its lot. @throws Failure 400 if the caller has no access to the lot. */
async function placeOn(db: Database, lotId: string): Promise<{ lotId: string; organizationId: string }> {
  const lot = await requireOpenLot(db, lotId)
  return { lotId: lot.id, organizationId: lot.organizationId }
}

type Values = Omit<Received<typeof vehicles.add>, 'lotId' | 'locksEdits' | 'confirmPrices' | 'fromVin'>

/**
 * Drops costs that the caller may not change. Callers who can't see costs received null and may send it back; this is
 * ignored. @throws Failure 400 if they send a different amount.
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
    Object.fromEntries(wrong.map((name) => [name, "You don't have permission to change vehicle costs."])),
  )
}

/** Validates custom field values. @throws Failure 400 for values that their field doesn't accept. */
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

/** A new valuation without a date gets today's date and drops the old source; clearing the amount clears source and date. */
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

/** Photos are sent as JSON; amounts as text, because the driver represents bigint as text. */
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

/** Merges custom field values into the existing ones; null removes a value. */
const patchOf = (before: ReturnType<typeof sql<string>>, custom: object) =>
  sql<string>`jsonb_strip_nulls(${before} || ${JSON.stringify(custom)}::jsonb)`

const isFieldName = (name: string): name is VehicleFieldName => Object.hasOwn(VEHICLE_FIELDS, name)

/** The JSON key of a field: amounts end in `Cents`. */
const keyOf = (name: VehicleFieldName): string =>
  VEHICLE_FIELDS[name].kind === 'money' ? `${name}Cents` : name

/** The fields with a value in the input. */
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

/** The fields of `fromVin` whose values are what the VIN decodes to. Any other value is the user's own. */
function decodedFields(
  fromVin: readonly VinFilledField[],
  vin: string | null | undefined,
  values: Values,
): ReadonlySet<AnyFieldName> {
  if (fromVin.length === 0 || !vin) return new Set()
  const decoded = vinValuesOf(decodeVin(vin, Number(clock.today('UTC').slice(0, 4))).values)
  return new Set(
    fromVin.filter((name) => decoded[name] !== undefined && decoded[name] === valueOf(values, name)),
  )
}

/** SQL for the provenance after the user has changed these fields, of which some are from the decoded VIN. */
function stamped(
  before: ReturnType<typeof sql<string>>,
  { fullName }: Member,
  fields: readonly AnyFieldName[],
  decoded: ReadonlySet<AnyFieldName>,
) {
  const stamp = (
    provenance: ReturnType<typeof sql<string>>,
    source: 'user' | 'vin',
    names: readonly AnyFieldName[],
  ) =>
    sql<string>`stamp_fields(${provenance}, ${[...names]}::text[], jsonb_build_object('source', ${source}::text,
      'by', ${source === 'user' ? fullName : null}::text, 'at', to_char(app_now(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))`
  const own = stamp(
    before,
    'user',
    fields.filter((name) => !decoded.has(name)),
  )
  return decoded.size === 0
    ? own
    : stamp(
        own,
        'vin',
        fields.filter((name) => decoded.has(name)),
      )
}

/** Converts constraint violations to error messages for the form. */
async function explainRefusal<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement
  } catch (error) {
    const key = brokenKey(error)
    if (key === 'vehicles_vin') {
      throw conflict('A vehicle with this VIN is already on the lot.', {
        vin: 'This VIN is already on the lot.',
      })
    }
    if (key === 'vehicles_stock_without_vin') {
      throw conflict('A vehicle with this stock number and no VIN is already on the lot.', {
        stock: 'This stock number is already on the lot.',
      })
    }
    // The lot was deleted or moved to another organization in the meantime.
    if (isViolation(error, 'foreign key') || isViolation(error, 'row level security')) {
      throw refused(WRONG, { lotId: 'Choose one of your lots.' })
    }
    throw error
  }
}
