import { sql } from 'kysely'
import { LOT_LIST, type Lot, lotRecord, lots } from '#contract/customers/lots/lots.ts'
import type { Received } from '#contract/endpoint.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { brokenKey, isViolation } from '#server/database/violations.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, notFound, refused, stale } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { contains } from '#server/lists/contains.ts'
import { columnMap } from '#server/lists/column-map.ts'
import { readPageText } from '#server/lists/json-text.ts'
import type { FoundKind } from '#server/lists/found-kind.ts'
import type { ListSource } from '#server/lists/list-source.ts'

export const lotColumns = columnMap(lotRecord, 'lots', {
  id: 'id',
  organizationId: 'id',
  organizationName: sql`organizations.name`,
  hours: 'json',
  holidays: 'json',
  zone: sql`coalesce(lots.time_zone, organizations.time_zone, 'UTC')`,
  updatedAt: 'instant',
})

/** Lots with the names of their organizations. */
export const lotSource: ListSource<keyof typeof LOT_LIST.fields> = {
  list: LOT_LIST,
  from: sql`lots left join organizations
    on organizations.customer_id = lots.customer_id and organizations.id = lots.organization_id`,
  table: sql`lots`,
  within: (actor) => sql`lots.customer_id = ${actor.customerId}`,
  id: sql`lots.id`,
  title: sql`lots.name`,
  fields: lotColumns.listFields(LOT_LIST, {
    name: { isNeverNull: true },
    code: { order: sql`lots.code`, isNeverNull: true },
    organizationId: { shown: sql`organizations.name`, joins: 'order' },
    hours: { value: sql`hours_in_words(lots.hours)` },
    updatedAt: { isNeverNull: true },
  }),
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

/** Lots of the caller's organization, or of the whole customer for callers with customer reach. */
export const lotHandlers: Omit<Handlers<typeof lots>, 'change' | 'removeMany'> = {
  list: ({ db, actor, input }) =>
    readPageText<Lot, keyof typeof LOT_LIST.fields>(db, actor, lotSource, input, () => lotColumns.select),

  get: ({ db, input }) => readLot(db, input.id),

  add: ({ db, input }) => addLot(db, input),

  async update({ db, input }) {
    const { id, version, ...changes } = input
    const lot = db.updateTable('lots').where('id', '=', id).returning('id')
    // An update needs at least one column, even if no field was sent.
    const change = lot.set({ version: sql`version`, ...lotColumns.write(changes) })
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
export async function addLot(db: Database, input: Received<typeof lots.add>): Promise<Lot> {
  const added = await explainRefusal(
    db.insertInto('lots').values(lotColumns.write(input)).returning('id').executeTakeFirstOrThrow(),
  )
  return readLot(db, added.id)
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
  const { rows } =
    await sql<Lot>`select ${lotColumns.select} from ${lotSource.from} where lots.id = ${id}`.execute(db)
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
