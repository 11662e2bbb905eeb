import { sql } from 'kysely'
import {
  MAX_VERSIONS,
  pricingRuleRecord,
  type RuleVersion,
} from '#contract/inventory/pricing/rules/pricing-rules.ts'
import { RULE_FIELDS, RULE_KINDS } from '#contract/inventory/pricing/rules/rule-kinds.ts'
import { amountText } from '#contract/inventory/vehicles/price-changes.ts'
import { changesOf, type Image } from '#server/administration/index.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { readPriceLimits } from '../../vehicles/price-limits.ts'

type Entry = { at: string; by: string | null; operation: string; before: Image; after: Image }

/** The audit log's names of the columns, with the labels of the form. Other columns are no setting of the rule. */
const LABELS: ReadonlyMap<string, string> = new Map(
  Object.entries(pricingRuleRecord.fields).map(([name, { label }]) => [
    name === 'stepCents' ? 'step' : name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
    label,
  ]),
)

/** Who changed a rule, newest first, from the audit log. */
export async function readVersions(db: Database, actor: Member, id: string): Promise<RuleVersion[]> {
  const { currency } = await readPriceLimits(db, actor.customerId)
  const { rows } = await sql<Entry>`
    select at, actor_name as by, operation, before, after from audit_log
    where customer_id = ${actor.customerId} and table_name = 'pricing_rules' and row_id = ${id}
      and operation in ('insert', 'update')
    order by at desc, id desc limit ${MAX_VERSIONS}`.execute(db)
  return rows.map(({ at, by, operation, before, after }) => ({
    at,
    by,
    isNew: operation === 'insert',
    changes: changesOf({ table: 'pricing_rules', before, after, may: actor.may }).flatMap((change) => {
      const label = LABELS.get(change.field)
      if (label === undefined) return []
      const show = (value: string | null) => shownValue(change.field, value, currency)
      return [{ field: label, before: show(change.before), after: show(change.after) }]
    }),
  }))
}

function shownValue(field: string, value: string | null, currency: string): string | null {
  if (value === null || value === '' || value === '[]') return null
  if (field === 'kind') return RULE_KINDS.find((kind) => kind.value === value)?.label ?? value
  if (field === 'field') return RULE_FIELDS.find((one) => one.value === value)?.label ?? value
  if (field === 'cents') return amountText(Number(value), currency)
  if (field === 'step') return amountText(Math.round(Number(value) * 100), currency)
  return value
}
