import { z } from 'zod'
import { pricingRuleRecord } from '#contract/pricing/rules/pricing-rules.ts'
import { describeCondition } from '#contract/pricing/rules/rule-conditions.ts'
import { ROUNDING_MODES, RULE_FIELDS, RULE_KINDS, WHEN_MISSING } from '#contract/pricing/rules/rule-kinds.ts'
import { amountText } from '#contract/vehicles/vehicles/price-changes.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { readPriceLimits } from '#server/vehicles/index.ts'

type Difference = { field: string; before: string | null; after: string | null }
/** The settings of a rule by their names in the record; those that are missing count as not set. */
type Settings = Readonly<Record<string, unknown>> | null

/** What the values of rules need to be read by users. `lots`: the names of those within reach, by ID. */
export type RuleTexts = Readonly<{ currency: string; lots: ReadonlyMap<string, string> }>

export async function readRuleTexts(db: Database, customerId: string): Promise<RuleTexts> {
  const { currency } = await readPriceLimits(db, customerId)
  const lots = await db
    .selectFrom('lots')
    .select(['id', 'name'])
    .where('customerId', '=', customerId)
    .execute()
  return { currency, lots: new Map(lots.map(({ id, name }) => [id, name])) }
}

/**
 * The fields in which two versions of a rule differ, as users read them.
 * @param before null for a new rule: its fields that are set
 */
export function describeDifferences(before: Settings, after: Settings, texts: RuleTexts): Difference[] {
  return Object.entries(pricingRuleRecord.fields).flatMap(([name, { label }]) => {
    const [old, now] = [describeValue(name, before?.[name], texts), describeValue(name, after?.[name], texts)]
    return old === now ? [] : [{ field: label, before: old, after: now }]
  })
}

const LotIds = z.array(z.coerce.string())
const Steps = z.array(z.object({ days: z.number(), cents: z.number(), percent: z.number().nullish() }))

function describeValue(field: string, value: unknown, { currency, lots }: RuleTexts): string | null {
  if (value === null || value === undefined || value === '') return null
  // Not below the cost itself.
  if (field === 'aboveCostCents' || field === 'aboveInvoiceCents') return amountText(Number(value), currency)
  if (value === 0 || (field === 'keepsMinimum' && value === false)) return null
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (field === 'lotIds') {
    // Lots out of reach have no name here either.
    const names = LotIds.parse(value).map((id) => lots.get(id) ?? 'A lot that was deleted or is out of reach')
    return names.length === 0 ? null : names.join(', ')
  }
  if (field === 'condition' && typeof value === 'string')
    return describeCondition(value, (referred, id) => (referred === 'lots' ? lots.get(id) : null))
  if (field === 'steps') {
    const steps = Steps.parse(value).map(({ days, cents, percent }) => {
      const amount = [percent != null && `${percent}%`, cents !== 0 && amountText(cents, currency)]
      return `from day ${days}: ${amount.filter(Boolean).join(' + ')}`
    })
    return steps.length === 0 ? null : steps.join('; ')
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (field === 'kind') return RULE_KINDS.find((kind) => kind.value === value)?.label ?? text
  // Down is what rules do that round nothing.
  if (field === 'roundingMode')
    return value === 'down' ? null : (ROUNDING_MODES.find((mode) => mode.value === value)?.label ?? text)
  if (field === 'field') return RULE_FIELDS.find((one) => one.value === value)?.label ?? text
  if (field === 'cents' || field === 'stepCents') return amountText(Number(value), currency)
  if (field === 'whenMissing') return WHEN_MISSING.find((one) => one.value === value)?.label ?? text
  if (field === 'percent' || field === 'offMsrpPercent') return `${Number(value)}%`
  return text
}
