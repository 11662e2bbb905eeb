import { sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'
import { Failure, notFound } from '#server/http/failure.ts'

/** Why a lead isn't there: it doesn't exist, or it was moved from one of the user's stores to another one, which is said. */
export async function missingLead(db: Database, id: string): Promise<Failure> {
  const { rows } = await sql<{ toName: string; byName: string | null }>`
    select m.to_name, m.by_name from lead_moves m where m.lead_id = ${id} and not m.is_copy and m.undone_at is null
    order by m.id desc limit 1`.execute(db)
  const [move] = rows
  if (move === undefined) return notFound('Lead')
  return new Failure(404, `This lead is at ${move.toName} now. ${move.byName ?? 'A rule'} moved it there.`)
}
