import { sql } from 'kysely'
import { LOT_LIST } from '#contract/customers/lots/lot-list.ts'
import { lots, type Lot } from '#contract/customers/lots/lots.ts'
import type { Received } from '#contract/endpoint.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { brokenKey, isViolation } from '#server/database/violations.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, notFound, refused, stale } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { contains } from '#server/lists/contains.ts'
import { instant, readPageText } from '#server/lists/json-text.ts'
import type { FoundKind } from '#server/lists/found-kind.ts'
import type { ListSource } from '#server/lists/list-source.ts'

const column = (name: string) => ({ value: sql.ref(`lots.${name}`) })

/** Lots with the names of their organizations. */
export const lotSource: ListSource<keyof typeof LOT_LIST.fields> = {
  list: LOT_LIST,
  from: sql`lots left join organizations
    on organizations.customer_id = lots.customer_id and organizations.id = lots.organization_id`,
  table: sql`lots`,
  within: (actor) => sql`lots.customer_id = ${actor.customerId}`,
  id: sql`lots.id`,
  title: sql`lots.name`,
  fields: {
    name: { ...column('name'), isNeverNull: true },
    code: { ...column('code'), order: sql`lots.code`, isNeverNull: true },
    type: column('type'),
    address: column('address'),
    city: column('city'),
    region: column('region'),
    postalCode: column('postal_code'),
    phone: column('phone'),
    organizationId: { ...column('organization_id'), shown: sql`organizations.name`, joins: 'order' },
    makes: column('makes'),
    hours: { value: sql`hours_in_words(lots.hours)` },
    isPublic: column('is_public'),
    dealerIds: column('dealer_ids'),
    timeZone: column('time_zone'),
    updatedAt: { ...column('updated_at'), isNeverNull: true },
    updatedBy: column('updated_by'),
  },
  searchJoins: true,
  search: (text) =>
    contains(
      [
        ...['code', 'name', 'address', 'city', 'region', 'postal_code', 'phone'].map((name) =>
          sql.ref(`lots.${name}`),
        ),
        sql`array_to_string(lots.makes, ' ')`,
        sql`array_to_string(lots.dealer_ids, ' ')`,
        sql.ref('organizations.name'),
      ],
      text,
    ),
}

/** Searched by name, code and city. */
export const findableLots: FoundKind = {
  kind: 'lot',
  permission: lots.list.allow,
  source: lotSource,
  about: sql`concat_ws(', ', lots.code, organizations.name)`,
  path: (id) => `/customers/lots?lot=${id}`,
}

// Listed explicitly: a column added by a newer version must not break this one's statements.
const shown = sql`lots.id::text, lots.organization_id::text as "organizationId",
  organizations.name as "organizationName", lots.code, lots.name, lots.type, lots.address, lots.city, lots.region,
  lots.postal_code as "postalCode", lots.phone, lots.time_zone as "timeZone", lots.makes,
  lots.is_public as "isPublic", lots.dealer_ids as "dealerIds", lots.hours, lots.holidays,
  coalesce(lots.time_zone, organizations.time_zone, 'UTC') as zone, lots.version, ${instant(sql`lots.updated_at`)} as "updatedAt",
  lots.updated_by as "updatedBy"`

/** Lots of the caller's organization, or of the whole customer for callers with customer reach. */
export const lotHandlers: Omit<Handlers<typeof lots>, 'change' | 'removeMany'> = {
  list: ({ db, actor, input }) =>
    readPageText<Lot, keyof typeof LOT_LIST.fields>(db, actor, lotSource, input, () => shown),

  get: ({ db, input }) => readLot(db, input.id),

  add: ({ db, input }) => addLot(db, input),

  async update({ db, input }) {
    const { id, version, hours, holidays, ...changes } = input
    const lot = db.updateTable('lots').where('id', '=', id).returning('id')
    // An update needs at least one column, even if no field was sent.
    const change = lot.set({ version: sql`version`, ...changes, ...asJson({ hours, holidays }) })
    const changed = await explainRefusal(
      (version === undefined ? change : change.where('version', '=', version)).executeTakeFirst(),
    )
    const current = await readLot(db, id)
    if (changed === undefined) throw stale('This lot', current)
    return current
  },

  async remove({ db, actor, input }) {
    await refuseWithVehicles(db, actor, input.id)
    const lot = db.deleteFrom('lots').where('id', '=', input.id).returning('id').executeTakeFirst()
    const removed = await lot.catch((error: unknown) => {
      // A vehicle was added since the check.
      throw isViolation(error, 'foreign key') ? conflict('This lot has vehicles. Move them first.') : error
    })
    if (removed === undefined) throw notFound('Lot')
    return null
  },
}

/**
 * Adds a lot in the transaction's tenant. Without an organization, it belongs to the current one.
 * @throws Failure 409 if the code is in use, 400 if the organization is out of reach.
 */
export async function addLot(
  db: Database,
  { hours, holidays, ...input }: Received<typeof lots.add>,
): Promise<Lot> {
  const added = await explainRefusal(
    db
      .insertInto('lots')
      .values({ ...input, ...asJson({ hours, holidays }) })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  return readLot(db, added.id)
}

/** Serializes lists of objects as JSON for their columns. */
function asJson({ hours, holidays }: Pick<Received<typeof lots.add>, 'hours' | 'holidays'>) {
  return {
    ...(hours !== undefined && { hours: JSON.stringify(hours) }),
    ...(holidays !== undefined && { holidays: JSON.stringify(holidays) }),
  }
}

/** @throws Failure 409 with the number of vehicles. */
async function refuseWithVehicles(db: Database, { customerId }: Member, id: string): Promise<void> {
  const { count } = await db
    .selectFrom('vehicles')
    .where('customerId', '=', customerId)
    .where('lotId', '=', id)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  if (count === 1) throw conflict('This lot has 1 vehicle. Move it first.')
  if (count > 1) throw conflict(`${count} vehicles are on this lot. Move them first.`)
}

/** One lot as its form edits it. @throws Failure 404. */
export async function readLot(db: Database, id: string): Promise<Lot> {
  const { rows } = await sql<Lot>`select ${shown} from ${lotSource.from} where lots.id = ${id}`.execute(db)
  const [lot] = rows
  if (lot === undefined) throw notFound('Lot')
  return lot
}

/** Turns constraint violations into form errors. @throws Failure 409 or 400 in place of the database error. */
export async function explainRefusal<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement
  } catch (error) {
    if (brokenKey(error) === 'lot_dealer_ids_pkey') {
      throw conflict('Another lot already has one of these dealer IDs.', {
        dealerIds: 'Another lot already has one of these dealer IDs.',
      })
    }
    if (isViolation(error, 'unique')) {
      throw conflict('Another lot already has this code.', { code: 'This code is already in use.' })
    }
    if (isViolation(error, 'foreign key') || isViolation(error, 'row level security')) {
      throw refused('Some fields are invalid.', { organizationId: 'Choose one of your organizations.' })
    }
    throw error
  }
}
