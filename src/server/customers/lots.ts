import { sql, type SqlBool } from 'kysely'
import type { Lot, lots } from '#contract/customers/lots.ts'
import type { Received } from '#contract/endpoint.ts'
import { contains, orderBy } from '#server/database/paging.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { isViolation } from '#server/database/violations.ts'
import { conflict, notFound, refused, stale } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'

// Named one by one: a newer copy that adds a column must not break the statements of this one.
const shown = [
  'lots.id',
  'lots.organizationId',
  'organizations.name as organizationName',
  'lots.code',
  'lots.name',
  'lots.type',
  'lots.address',
  'lots.city',
  'lots.region',
  'lots.postalCode',
  'lots.phone',
  'lots.timeZone',
  'lots.makes',
  'lots.isPublic',
  'lots.version',
  'lots.updatedAt',
  'lots.updatedBy',
] as const

const sorts = {
  code: sql`lots.code`,
  name: sql`lower(lots.name)`,
  type: sql`lots.type`,
  city: sql`lower(lots.city)`,
  organizationName: sql`lower(organizations.name)`,
  updatedAt: sql`lots.updated_at`,
}

const searched = [
  ...['code', 'name', 'address', 'city', 'region', 'postal_code', 'phone'].map((column) =>
    sql.ref(`lots.${column}`),
  ),
  sql`array_to_string(lots.makes, ' ')`,
  sql.ref('organizations.name'),
]

/** Lots of the caller's organization, or of the whole customer for those whose reach is the customer. */
export const lotHandlers: Handlers<typeof lots> = {
  list: ({ db, actor, input }) => listLots(db, actor.customerId, input),

  get: ({ db, input }) => readLot(db, input.id),

  add: ({ db, input }) => addLot(db, input),

  async update({ db, input }) {
    const { id, version, ...changes } = input
    const lot = db.updateTable('lots').where('id', '=', id).returning('id')
    // An update needs at least one column, even where no field was sent.
    const change = lot.set({ version: sql`version`, ...changes })
    const changed = await explainRefusal(
      (version === undefined ? change : change.where('version', '=', version)).executeTakeFirst(),
    )
    const current = await readLot(db, id)
    if (changed === undefined) throw stale('This lot', current)
    return current
  },

  async remove({ db, input }) {
    const removed = await db.deleteFrom('lots').where('id', '=', input.id).returning('id').executeTakeFirst()
    if (removed === undefined) throw notFound('Lot')
    return null
  },
}

/** One page of the lots in reach. The customer is named again, beside row level security, so that the index serves. */
export async function listLots(db: Database, customerId: string, input: Received<typeof lots.list>) {
  const { page, pageSize, search, missing, sort = [{ field: 'name', descending: false }] } = input
  const reached = selectLots(db).where('lots.customerId', '=', customerId)
  const isMatch = sql.join<SqlBool>(
    [
      sql`true`,
      ...(missing === undefined ? [] : [sql`${sql.ref(`lots.${missing}`)} is null`]),
      ...(search ? [contains(searched, search)] : []),
    ],
    sql` and `,
  )
  const [results, counts] = await Promise.all([
    reached
      .where(isMatch)
      .select(shown)
      .orderBy(orderBy(sort, sorts, sql`lots.id`))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
      .execute(),
    reached
      .select((eb) => [eb.fn.countAll().filterWhere(isMatch).as('filtered'), eb.fn.countAll().as('total')])
      .executeTakeFirstOrThrow(),
  ])
  return { filteredRows: Number(counts.filtered), totalRows: Number(counts.total), results }
}

/**
 * Adds a lot inside the transaction's tenant; without an organization it belongs to the one acted in.
 * @throws Failure 409 when the code is in use, 400 when the organization is out of reach.
 */
export async function addLot(db: Database, input: Received<typeof lots.add>): Promise<Lot> {
  const added = await explainRefusal(
    db.insertInto('lots').values(input).returning('id').executeTakeFirstOrThrow(),
  )
  return readLot(db, added.id)
}

function selectLots(db: Database) {
  return db
    .selectFrom('lots')
    .innerJoin('organizations', (join) =>
      join
        .onRef('organizations.customerId', '=', 'lots.customerId')
        .onRef('organizations.id', '=', 'lots.organizationId'),
    )
}

async function readLot(db: Database, id: string) {
  const lot = await selectLots(db).select(shown).where('lots.id', '=', id).executeTakeFirst()
  if (lot === undefined) throw notFound('Lot')
  return lot
}

/** What the database's own rules refuse, in the words of the form. */
async function explainRefusal<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement
  } catch (error) {
    if (isViolation(error, 'unique')) {
      throw conflict('Another lot already has this code.', { code: 'This code is already in use.' })
    }
    if (isViolation(error, 'foreign key') || isViolation(error, 'row level security')) {
      throw refused('Some fields are not right.', { organizationId: 'Choose one of your organizations.' })
    }
    throw error
  }
}
