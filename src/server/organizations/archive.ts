import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, notFound, refused } from '#server/http/failure.ts'
import { endSessionsIn } from '#server/identity/index.ts'

type Archived = { archivedAt: string | null; archivedBy: string | null }

/**
 * SQL: the organization isn't archived. What is archived is kept, but receives and sends nothing. Also true without one.
 * @param of its customer's and its own ID
 */
export const isOpenOrganization = (of: {
  customerId: RawBuilder<unknown>
  organizationId: RawBuilder<unknown>
}): RawBuilder<SqlBool> => sql<SqlBool>`not exists (select from organizations archived
  where archived.customer_id = ${of.customerId} and archived.id = ${of.organizationId} and archived.archived_at is not null)`

/**
 * Archives an organization with its lots. Its users stop working in it with the commit.
 * @throws Failure 404, or 409 for the caller's current organization and the last one of a customer
 */
export async function archiveOrganization(db: Database, actor: Member, id: string): Promise<Archived> {
  // All of them, so that two calls at once don't archive the last two.
  const { rows } = await sql<Archived & { id: string; name: string }>`
    select id::text, name, archived_at, archived_by from organizations where customer_id = ${actor.customerId}
    order by id for update`.execute(db)
  const found = rows.find((row) => row.id === id)
  if (found === undefined) throw notFound('Organization')
  const { name, archivedAt, archivedBy } = found
  if (archivedAt !== null) return { archivedAt, archivedBy }
  if (id === actor.organizationId)
    throw conflict(`You are working in ${name}. Switch to another organization before you archive it.`)
  if (rows.every((row) => row.id === id || row.archivedAt !== null))
    throw conflict(
      `${name} is the only organization that isn't archived. To close the whole customer, ask the staff of the platform.`,
    )
  const archived = await setArchived(db, id, actor.fullName)
  await endSessionsIn(db, { customerId: actor.customerId, organizationId: id })
  return archived
}

/** Restores an organization. @throws Failure 404 */
export async function restoreOrganization(db: Database, id: string): Promise<Archived> {
  return setArchived(db, id, null)
}

async function setArchived(db: Database, id: string, by: string | null): Promise<Archived> {
  const { rows } = await sql<Archived>`
    update organizations set archived_at = case when ${by}::text is null then null else app_now() end, archived_by = ${by}
    where id = ${id} returning archived_at, archived_by`.execute(db)
  const [row] = rows
  if (row === undefined) throw notFound('Organization')
  await db
    .updateTable('lots')
    .set({ isArchived: by !== null })
    .where('organizationId', '=', id)
    .execute()
  return row
}

/**
 * The lot that something is added to.
 * @param field of the input, for its message
 * @throws Failure 400 if it is out of reach, or its organization is archived
 */
export async function requireOpenLot(
  db: Database,
  lotId: string,
  field = 'lotId',
): Promise<{ id: string; name: string; organizationId: string }> {
  const lot = await db
    .selectFrom('lots')
    .select(['id', 'name', 'organizationId', 'isArchived'])
    .where('id', '=', lotId)
    .executeTakeFirst()
  if (lot === undefined) throw refused('Some fields are invalid.', { [field]: 'Choose one of your lots.' })
  if (lot.isArchived)
    throw refused('Some fields are invalid.', {
      [field]: `${lot.name} belongs to an archived organization. Choose another lot, or restore the organization.`,
    })
  return lot
}
