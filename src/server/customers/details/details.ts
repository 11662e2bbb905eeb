import { sql } from 'kysely'
import { CustomerDetails, type customerDetails } from '#contract/customers/details/details.ts'
import { MandatoryFee } from '#contract/customers/details/fees.ts'
import type { Received } from '#contract/endpoint.ts'
import { holdRecords } from '#server/database/hold-records.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { forbidden, notFound, refused, stale } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { refuseLostFields } from '../custom-fields/custom-fields.ts'
import type { PriceConsent } from '../price-consent.ts'
import { detailsActivity } from './details-activity.ts'

const shown = [
  'id',
  'name',
  'legalName',
  'website',
  'phone',
  'timeZone',
  'currency',
  'distanceUnit',
  'priceLaw',
  'priceLimits',
  'makes',
  'contacts',
  'fees',
  'feeCaps',
  'priceProfiles',
  'disclaimers',
  'customFields',
  'version',
  'updatedAt',
  'updatedBy',
] as const

/** The texts that a customer wants beside its prices and offers, in their order. `disclaimersOf` chooses those of a vehicle. */
export async function readDisclaimers(
  db: Database,
  customerId: string,
): Promise<CustomerDetails['disclaimers']> {
  const { rows } = await sql<{ disclaimers: unknown }>`
    select disclaimers from customers where id = ${customerId}`.execute(db)
  return CustomerDetails.shape.disclaimers.parse(rows[0]?.disclaimers ?? [])
}

type DetailsChange = Received<typeof customerDetails.update>

/** The current customer's details, edited by its own users. */
export const customerDetailsHandlers = (
  requirePriceConsent: PriceConsent,
): Handlers<typeof customerDetails> => ({
  get: ({ db, actor }) => readDetails(db, actor),
  update: ({ db, actor, input }) => updateDetails(db, actor, input, requirePriceConsent),
  activity: ({ db, actor }) => detailsActivity(db, actor.customerId),
})

/**
 * Updates the fields present.
 * @throws Failure 403 for users of one organization, 409 with the current details if the version is outdated, and what
 * `requirePriceConsent` throws
 */
export async function updateDetails(
  db: Database,
  actor: Member,
  changes: DetailsChange,
  requirePriceConsent: PriceConsent,
): Promise<CustomerDetails> {
  requireDetailsReach(actor)
  await sql`select from customers where id = ${actor.customerId} for no key update`.execute(db)
  const current = await readDetails(db, actor)
  if (changes.version !== undefined && changes.version !== current.version)
    throw stale('The details', current, { isMany: true })
  await requireLots(db, actor.customerId, changes.fees)
  await requirePriceConsent(db, actor, { kind: 'details', changes }, changes.confirmPrices)
  await changeDetails(db, actor.customerId, changes)
  return readDetails(db, actor)
}

/** Updates the fields present, whatever the version. */
export async function changeDetails(
  db: Database,
  customerId: string,
  {
    version: _version,
    confirmPrices: _confirmed,
    contacts,
    fees,
    feeCaps,
    priceProfiles,
    disclaimers,
    customFields,
    priceLimits,
    ...columns
  }: DetailsChange,
): Promise<void> {
  await requireLots(db, customerId, fees)
  // An update needs at least one column, even if no field was sent.
  const lists = toJsonColumns({ contacts, fees, feeCaps, priceProfiles, disclaimers, customFields })
  // A limit that was not sent stays as it is.
  const limits = priceLimits && {
    // No limit is left out, so that saving the same again is no change.
    priceLimits: sql<string>`jsonb_strip_nulls(price_limits || ${JSON.stringify(priceLimits)}::jsonb)`,
  }
  if (customFields !== undefined) await refuseLostFields(db, customerId, customFields)
  await db
    .updateTable('customers')
    .set({ version: sql`version`, ...columns, ...lists, ...limits })
    .where('id', '=', customerId)
    .execute()
}

/** @throws Failure 400 at a fee that names a lot that doesn't exist, and didn't name it before */
async function requireLots(
  db: Database,
  customerId: string,
  fees: readonly Readonly<{ lotIds: readonly string[] }>[] = [],
): Promise<void> {
  const named = fees.flatMap(({ lotIds }) => lotIds)
  if (named.length === 0) return
  const held = await holdRecords(db, 'lots', named)
  const { fees: saved } = await db
    .selectFrom('customers')
    .select('fees')
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow()
  const known = new Set([
    ...held,
    ...MandatoryFee.array()
      .parse(saved)
      .flatMap(({ lotIds }) => lotIds),
  ])
  const wrong = fees.flatMap(({ lotIds }, at) =>
    lotIds.every((id) => known.has(id)) ? [] : [[`fees.${at}.lotIds`, 'Choose lots that exist.']],
  )
  if (wrong.length > 0) throw refused('Some fields are invalid.', Object.fromEntries(wrong))
}

/** Serializes lists as JSON; those that were not sent are left out. */
function toJsonColumns(
  lists: Record<
    'contacts' | 'fees' | 'feeCaps' | 'priceProfiles' | 'disclaimers' | 'customFields',
    object | undefined
  >,
) {
  const present = Object.entries(lists).filter(([, list]) => list !== undefined)
  return Object.fromEntries(present.map(([name, list]) => [name, JSON.stringify(list)]))
}

/** The details apply to every rooftop, so users of a single rooftop can't change them. */
function reasonToLock({ reach }: Member): string | null {
  if (reach === 'customer') return null
  return 'Only users with access to the whole customer can change these details.'
}

/** @throws Failure 403 for users of one organization */
export function requireDetailsReach(actor: Member): void {
  const lock = reasonToLock(actor)
  if (lock !== null) throw forbidden(lock)
}

/** The details of the current customer. @throws Failure 404 */
export async function readDetails(db: Database, actor: Member): Promise<CustomerDetails> {
  const { customerId } = actor
  const found = await db
    .selectFrom('customers')
    .select(shown)
    .select((eb) => [
      eb
        .selectFrom('whiteLabels')
        .where('whiteLabels.customerId', '=', customerId)
        .select(sql<string[]>`coalesce(array_agg(domain order by domain), '{}')`.as('domains'))
        .as('domains'),
      eb
        .selectFrom('organizations')
        .where('organizations.customerId', '=', customerId)
        .select(sql<number>`count(*)::int`.as('n'))
        .as('organizations'),
      eb
        .selectFrom('users')
        .where('users.customerId', '=', customerId)
        .select(sql<number>`count(*)::int`.as('n'))
        .as('people'),
      eb
        .selectFrom('lots')
        .where('lots.customerId', '=', customerId)
        .select(sql<number>`count(*)::int`.as('n'))
        .as('lots'),
    ])
    .where('customers.id', '=', customerId)
    .executeTakeFirst()
  if (found === undefined) throw notFound('Customer')
  return CustomerDetails.parse({ ...found, lock: reasonToLock(actor) })
}
