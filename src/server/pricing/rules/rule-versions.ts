import { sql } from 'kysely'
import { MAX_VERSIONS, type RuleVersion } from '#contract/pricing/rules/pricing-rules.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { settingsShownTo } from './cost-rules.ts'
import { describeDifferences, readRuleTexts } from './rule-differences.ts'

/** A row of the audit log: the rule by its columns; null before it was added. */
type Image = Readonly<Record<string, unknown>> | null
type Entry = { at: string; by: string | null; operation: string; before: Image; after: Image }

/** Who changed a rule, newest first, from the audit log. */
export async function readVersions(db: Database, actor: Member, id: string): Promise<RuleVersion[]> {
  const { customerId } = actor
  const texts = await readRuleTexts(db, customerId)
  const { rows } = await sql<Entry>`
    select at, actor_name as by, operation, before, after from audit_log
    where customer_id = ${customerId} and table_name = 'pricing_rules' and row_id = ${id}
      and operation in ('insert', 'update')
    order by at desc, id desc limit ${MAX_VERSIONS}`.execute(db)
  return rows.map(({ at, by, operation, before, after }) => {
    const [old = null, now = null] = settingsShownTo(actor, settingsOf(before), settingsOf(after))
    return { at, by, isNew: operation === 'insert', changes: describeDifferences(old, now, texts) }
  })
}

/** `stepCents` of the column `step_cents`. */
const settingsOf = (image: Image): Image =>
  image &&
  Object.fromEntries(
    Object.entries(image).map(([column, value]) => [
      column.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  )
