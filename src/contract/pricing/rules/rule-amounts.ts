import type { PriceFacts, PriceRule, SkipReason } from './price-rule.ts'
import { shareOf } from './reduction-limits.ts'

/** The amount of a rule in cents, or why it has none. */
export function amountOf(
  rule: PriceRule,
  facts: PriceFacts,
  { before, minute }: { before: number; minute: string },
): number | SkipReason {
  if (rule.steps.length > 0 && facts.inStockOn === null) return 'unknown'
  const { cents, percent } = stepOf(rule, facts, minute) ?? { cents: null, percent: null }
  if (cents === null) return 'days'
  if (percent === null) return cents
  const value = rule.field === null || rule.field === 'price' ? before : facts[`${rule.field}Cents`]
  if (value !== null && value > 0) return cents + shareOf(value, percent)
  return insteadOf(rule, facts, { cents, percent }) ?? 'unknown'
}

/** The amount of a minimum price from the cost of the vehicle; null if the rule doesn't use it, or it is missing, too. */
function insteadOf(
  { kind, field, whenMissing }: PriceRule,
  { costCents }: PriceFacts,
  { cents, percent }: { cents: number; percent: number },
): number | null {
  if (kind !== 'floor' || whenMissing !== 'cost' || costCents === null || costCents <= 0) return null
  // A share of the MSRP is a discount, and the same share of the cost would be a loss.
  return field === 'invoice' ? cents + shareOf(costCents, percent) : costCents
}

/** The amount for the days in stock; null if the rule has steps and none is reached. */
function stepOf(
  { steps, cents, percent }: PriceRule,
  { inStockOn }: PriceFacts,
  minute: string,
): { cents: number; percent: number | null } | null {
  if (steps.length === 0) return { cents, percent }
  if (inStockOn === null) return null
  const elapsed = daysUntil(inStockOn, minute)
  return steps.reduce<(typeof steps)[number] | null>(
    (most, step) => (step.days <= elapsed && (most === null || step.days >= most.days) ? step : most),
    null,
  )
}

/** The days from a date to the date of a minute; negative if it is later. */
export const daysUntil = (day: string, minute: string): number =>
  Math.round((Date.parse(minute.slice(0, 10)) - Date.parse(day)) / 86_400_000)
