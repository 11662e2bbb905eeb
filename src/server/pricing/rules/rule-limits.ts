import { sql } from 'kysely'
import { MAX_CONDITION_CHARACTERS, MAX_PRICING_RULES } from '#contract/pricing/rules/pricing-rules.ts'
import { acquireAdvisoryLock } from '#server/database/advisory-lock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { conflict } from '#server/http/failure.ts'

/**
 * Every price is calculated with all rules of the customer.
 * @param added rules that are about to be added @param longer characters by which their conditions grow
 * @throws Failure 409 if it would be too many
 */
export async function refuseTooManyRules(
  db: Database,
  customerId: string,
  { added, longer }: { added: number; longer: number },
): Promise<void> {
  if (added <= 0 && longer <= 0) return
  // One at a time, because two concurrent requests could both add the last one.
  await acquireAdvisoryLock(db, `price rules ${customerId}`)
  const { rows } = await sql<{ count: number; characters: number }>`
    select count(*)::int as count, coalesce(sum(length(condition)), 0)::int as characters from pricing_rules
    where customer_id = ${customerId}`.execute(db)
  const { count, characters } = rows[0] ?? { count: 0, characters: 0 }
  if (added > 0 && count + added > MAX_PRICING_RULES) {
    throw conflict(
      `There can be at most ${MAX_PRICING_RULES.toLocaleString('en')} price rules. Delete those that have ended first.`,
    )
  }
  if (longer > 0 && characters + longer > MAX_CONDITION_CHARACTERS) {
    const sentence = `The conditions of all price rules together can have at most ${MAX_CONDITION_CHARACTERS.toLocaleString('en')} characters. Shorten some, or delete rules that have ended.`
    throw conflict(sentence, { condition: sentence })
  }
}
