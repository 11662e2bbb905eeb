import { sql } from 'kysely'
import type { z } from 'zod'
import {
  MAX_VERSIONS,
  type PricingRule,
  pricingRuleRecord,
  RuleSettings,
  type RuleVersion,
} from '#contract/pricing/rules/pricing-rules.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { coveredRules, settingsShownTo } from './cost-rules.ts'
import { describeDifferences, readRuleTexts } from './rule-differences.ts'

/** A row of the audit log: the rule by its columns; null before it was added. */
type Image = Readonly<Record<string, unknown>> | null
/** With what is usual for settings that did not exist yet. */
type ToRule = (input: z.output<typeof pricingRuleRecord.create>) => PricingRule
type Entry = { at: string; by: string | null; operation: string; before: Image; after: Image }

/** Who changed a rule, newest first, with its settings after each change. For everybody who sees the rule. */
export async function readVersions(
  db: Database,
  actor: Member,
  { rule, toRule }: { rule: PricingRule; toRule: ToRule },
): Promise<RuleVersion[]> {
  // The name of a rule that is on costs now may be the one that it had before.
  const isCovered = coveredRules(actor, [rule]).has(rule.id)
  const shown = (image: Image): Image => (image === null || !isCovered ? image : { ...image, name: null })
  const texts = await readRuleTexts(db, actor.customerId)
  const { rows } = await sql<Entry>`
    select at, actor_name as by, operation, before, after from pricing_rule_history(${rule.id}::bigint)
    order by at desc, id desc limit ${MAX_VERSIONS}`.execute(db)
  return rows.map(({ at, by, operation, before, after }) => {
    const [old = null, now = null] = settingsShownTo(actor, settingsOf(before), settingsOf(after))
    const changes = describeDifferences(shown(old), shown(now), texts)
    return {
      at,
      by,
      isNew: operation === 'insert',
      changes,
      settings: isCovered ? null : savedSettings(actor, settingsOf(after), toRule),
    }
  })
}

/** The rule as it was saved; null if it depends on costs that the user doesn't see, or can't be saved like that any longer. */
function savedSettings(actor: Member, image: Image, toRule: ToRule): RuleVersion['settings'] {
  const [shown] = settingsShownTo(actor, image)
  if (shown === null || shown === undefined || shown !== image) return null
  const fields = Object.keys(pricingRuleRecord.create.shape)
  const given = Object.entries(shown).filter(([name]) => fields.includes(name))
  const { data } = pricingRuleRecord.create.safeParse(Object.fromEntries(given))
  return data === undefined ? null : RuleSettings.parse(toRule(data))
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
