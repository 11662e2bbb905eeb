import { sql } from 'kysely'
import { MAX_VALUE_MAPPINGS } from '#contract/feeds/values/value-mappings.ts'
import { acquireAdvisoryLock } from '#server/database/advisory-lock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { conflict } from '#server/http/failure.ts'

/** Checks data mappings that were just added. @throws Failure 409 if the customer has too many now */
export async function refuseTooManyMappings(db: Database, customerId: string): Promise<void> {
  // One at a time, because two concurrent requests could both add the last one.
  await acquireAdvisoryLock(db, `data mappings ${customerId}`)
  const { rows } = await sql<{ isOver: boolean }>`
    select count(*) > ${MAX_VALUE_MAPPINGS} as is_over from value_mappings where customer_id = ${customerId}`.execute(
    db,
  )
  if (rows[0]?.isOver) {
    throw conflict(
      `There can be at most ${MAX_VALUE_MAPPINGS.toLocaleString('en')} data mappings. Delete those that no feed needs anymore first.`,
    )
  }
}
