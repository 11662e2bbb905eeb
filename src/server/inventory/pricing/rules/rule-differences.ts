import { z } from 'zod'
import { type PricingRule, pricingRuleRecord } from '#contract/inventory/pricing/rules/pricing-rules.ts'
import { RULE_FIELDS, RULE_KINDS } from '#contract/inventory/pricing/rules/rule-kinds.ts'
import { amountText } from '#contract/inventory/vehicles/price-changes.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { readPriceLimits } from '../../vehicles/price-limits.ts'

type Difference = { field: string; before: string | null; after: string | null }

/** The fields in which two versions of a rule differ, as users read them. @param before null for a new rule: its fields that are set */
export async function describeDifferences(
  db: Database,
  customerId: string,
  before: PricingRule | null,
  after: PricingRule,
): Promise<Difference[]> {
  const { currency } = await readPriceLimits(db, customerId)
  const lots = await db
    .selectFrom('lots')
    .select(['id', 'name'])
    .where('customerId', '=', customerId)
    .execute()
  const names = new Map(lots.map(({ id, name }) => [id, name]))
  const valueOf = (rule: PricingRule | null, name: string): unknown =>
    new Map(Object.entries(rule ?? {})).get(name)
  return Object.entries(pricingRuleRecord.fields).flatMap(([name, { label }]) => {
    const show = (rule: PricingRule | null) => shown(name, valueOf(rule, name), { currency, names })
    const [old, now] = [show(before), show(after)]
    return old === now ? [] : [{ field: label, before: old, after: now }]
  })
}

const Steps = z.array(z.object({ days: z.number(), cents: z.number(), percent: z.number().nullable() }))

function shown(
  field: string,
  value: unknown,
  { currency, names }: { currency: string; names: ReadonlyMap<string, string> },
): string | null {
  if (value === null || value === undefined || value === '' || value === 0) return null
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (field === 'lotIds') {
    // Lots out of reach have no name here.
    const lots = z
      .array(z.string())
      .parse(value)
      .map((id) => names.get(id) ?? 'A lot of another organization')
    return lots.length === 0 ? null : lots.join(', ')
  }
  if (field === 'steps') {
    const steps = Steps.parse(value).map(({ days, cents, percent }) => {
      const amount = [percent !== null && `${percent}%`, cents !== 0 && amountText(cents, currency)]
      return `from day ${days}: ${amount.filter(Boolean).join(' + ')}`
    })
    return steps.length === 0 ? null : steps.join('; ')
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (field === 'kind') return RULE_KINDS.find((kind) => kind.value === value)?.label ?? text
  if (field === 'field') return RULE_FIELDS.find((one) => one.value === value)?.label ?? text
  if (field === 'cents' || field === 'stepCents') return amountText(Number(value), currency)
  if (field === 'percent') return `${Number(value)}%`
  return text
}
