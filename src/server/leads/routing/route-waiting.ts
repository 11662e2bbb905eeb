import { sql, type Kysely } from 'kysely'
import { clock } from '#server/clock.ts'
import type { DB } from '#server/database/schema.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { routeLead } from './route-lead.ts'

/** Leads that are routed per run; the next run follows within seconds. */
const BATCH = 50
/** A lead whose routing fails is tried again after this time. */
const AGAIN_MS = 60_000

/**
 * Routes leads that could not be routed when they were received, such as during a fault of the rules. Safe on several servers: the lead
 * is locked, and one that is locked elsewhere is skipped.
 */
export function makeWaitingRouter({
  queue,
  within,
  onError,
}: {
  queue: Kysely<DB>
  within: <T>(customerId: string, work: (db: Database) => Promise<T>) => Promise<T>
  onError: (error: unknown) => void
}): { run: (isOver: () => boolean) => Promise<void> } {
  /** When leads whose routing failed are tried again. */
  const failed = new Map<string, number>()
  const route = async (customerId: string, id: string): Promise<void> => {
    try {
      await within(customerId, async (db) => {
        const { rows } = await sql`
          select from leads where id = ${id} and status = 'received' for update skip locked`.execute(db)
        if (rows.length > 0) await routeLead(db, id, clock.date())
      })
      failed.delete(id)
    } catch (error) {
      failed.set(id, clock.now() + AGAIN_MS)
      onError(error)
    }
  }
  return {
    async run(isOver) {
      const waiting = [...failed].flatMap(([id, until]) => (until > clock.now() ? [id] : []))
      const { rows } = await sql<{ customerId: string; id: string }>`
        select l.customer_id::text, l.id::text from leads l where l.status = 'received' and not l.is_test
          and l.id <> all(${waiting}::bigint[]) order by l.id limit ${BATCH}`.execute(queue)
      for (const { customerId, id } of rows) {
        if (isOver()) return
        // oxlint-disable-next-line no-await-in-loop -- Leads of a customer are routed one after another.
        await route(customerId, id)
      }
    },
  }
}
