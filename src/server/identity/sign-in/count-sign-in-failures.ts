import { sql, type Kysely } from 'kysely'
import type { DB } from '#server/database/schema.ts'

/** Failed sign-ins of the last hour without a later success, by what they are counted for. */
export async function countSignInFailures(iam: Kysely<DB>): Promise<Record<string, number>> {
  const { rows } = await sql<{ kind: string; failures: number }>`
    select kind, sum(failures)::int as failures from iam.sign_in_failures
    where last_at > app_now() - interval '1 hour' group by kind`.execute(iam)
  return Object.fromEntries(rows.map(({ kind, failures }) => [kind, failures]))
}
