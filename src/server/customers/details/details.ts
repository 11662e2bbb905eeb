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

/** The current customer's details, edited by its own users. */
export const customerDetailsHandlers: Handlers<typeof customerDetails> = {
  get: ({ db, actor }) => readDetails(db, actor),

  async update({ db, actor, input }) {
    const lock = reasonToLock(actor)
    if (lock !== null) throw forbidden(lock)
    const isDone = await changeDetails(db, actor.customerId, input)
    const current = await readDetails(db, actor)
    if (!isDone) throw stale('The details', current, { isMany: true })
    return current
  },

  activity: ({ db, actor }) => detailsActivity(db, actor.customerId),
}

/**
 * Updates the fields present.
 * @returns false, without a change, if the version is outdated.
 */
export async function changeDetails(
  db: Database,
  customerId: string,
  {
    version,
    contacts,
    fees,
    feeCaps,
    priceProfiles,
    disclaimers,
    customFields,
    priceLimits,
    ...columns
  }: Received<typeof customerDetails.update>,
): Promise<boolean> {
  await requireLots(db, customerId, fees)
  const own = db.updateTable('customers').where('id', '=', customerId).returning('id')
  // An update needs at least one column, even if no field was sent.
  const lists = toJsonColumns({ contacts, fees, feeCaps, priceProfiles, disclaimers, customFields })
  // A limit that was not sent stays as it is.
  const limits = priceLimits && {
    // No limit is left out, so that saving the same again is no change.
    priceLimits: sql<string>`jsonb_strip_nulls(price_limits || ${JSON.stringify(priceLimits)}::jsonb)`,
  }
  if (customFields !== undefined) await refuseLostFields(db, customerId, customFields)
  const change = own.set({ version: sql`version`, ...columns, ...lists, ...limits })
  const changed = await (
    version === undefined ? change : change.where('version', '=', version)
  ).executeTakeFirst()
  return changed !== undefined
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

async function readDetails(db: Database, actor: Member): Promise<CustomerDetails> {
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
