import { sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Difference } from '../user-types/permission-sets.ts'

/** A user's permission overrides. */
export function readDifferences(db: Database, userId: string): Promise<Difference[]> {
  return db
    .selectFrom('userPermissions')
    .select(['func', 'opr', 'isAllowed'])
    .where('userId', '=', userId)
    .orderBy('func')
    .orderBy('opr')
    .execute()
}

/** Replaces the stored overrides. Unchanged rows aren't touched, so the audit log shows only what changed. */
export async function storeDifferences(
  db: Database,
  userId: string,
  wanted: readonly Difference[],
): Promise<void> {
  const rows = sql`unnest(${wanted.map(({ func }) => func)}::int[], ${wanted.map(({ opr }) => opr)}::int[],
    ${wanted.map(({ isAllowed }) => isAllowed)}::boolean[]) wanted (func, opr, is_allowed)`
  await sql`
    delete from user_permissions p
    where p.user_id = ${userId} and not exists (select from ${rows} where wanted.func = p.func and wanted.opr = p.opr)
  `.execute(db)
  await sql`
    insert into user_permissions as p (user_id, func, opr, is_allowed)
    select ${userId}::bigint, wanted.func, wanted.opr, wanted.is_allowed from ${rows}
    on conflict (customer_id, user_id, func, opr) do update set is_allowed = excluded.is_allowed
    where p.is_allowed <> excluded.is_allowed`.execute(db)
}
