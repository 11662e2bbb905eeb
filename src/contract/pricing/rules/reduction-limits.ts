import type { PriceFacts, RuleLimits } from './price-rule.ts'
import type { RuleField, RuleKind, WhenMissing } from './rule-kinds.ts'

/** The kinds that lower prices, and so can have limits. */
export const LIMITED_KINDS: readonly RuleKind[] = ['base', 'discount', 'rebate']

/** Whether a rule has a limit. Other kinds ignore them. */
export const hasLimits = (rule: RuleLimits & { kind: RuleKind }): boolean =>
  LIMITED_KINDS.includes(rule.kind) &&
  (rule.aboveCostCents !== null ||
    rule.aboveInvoiceCents !== null ||
    rule.offMsrpPercent !== null ||
    rule.keepsMinimum)

/** A percentage of an amount, rounded to the nearest cent. In two parts, because their product may not fit a number exactly. */
export function shareOf(cents: number, percent: number): number {
  const [rate, rest] = [Math.round(percent * 100), cents % 10_000]
  return ((cents - rest) / 10_000) * rate + Math.round((rest * rate) / 10_000)
}

type LimitedRule = RuleLimits & Readonly<{ kind: RuleKind; whenMissing: WhenMissing }>

/**
 * The price below which a rule may not lower a price: the highest of its limits. Null: it has none. 'missing': the vehicle
 * doesn't have an amount that a limit needs.
 * @param minimum the minimum price of the vehicle; null if it has none
 */
export function limitOf(
  rule: LimitedRule,
  facts: PriceFacts,
  minimum: number | null,
): number | 'missing' | null {
  if (!hasLimits(rule)) return null
  const { aboveCostCents, aboveInvoiceCents, offMsrpPercent, keepsMinimum, whenMissing } = rule
  const cost = known(facts.costCents)
  const instead = whenMissing === 'cost' ? cost : null
  const limits: (number | null)[] = []
  if (aboveCostCents !== null) limits.push(cost === null ? null : cost + aboveCostCents)
  if (aboveInvoiceCents !== null) {
    const invoice = known(facts.invoiceCents) ?? instead
    limits.push(invoice === null ? null : invoice + aboveInvoiceCents)
  }
  if (offMsrpPercent !== null) {
    const msrp = known(facts.msrpCents)
    limits.push(msrp === null ? instead : msrp - shareOf(msrp, offMsrpPercent))
  }
  if (keepsMinimum && minimum !== null) limits.push(minimum)
  return limits.reduce<number | 'missing' | null>((most, one) => {
    if (one === null || most === 'missing') return 'missing'
    return most === null || one > most ? one : most
  }, null)
}

const known = (cents: number | null): number | null => (cents !== null && cents > 0 ? cents : null)

/** The amounts that a rule needs of each vehicle. With `whenMissing` "cost", the cost does in place of the others. */
export function neededFields(
  rule: LimitedRule &
    Readonly<{
      field: RuleField | null
      percent: number | null
      steps: readonly Readonly<{ percent: number | null }>[]
    }>,
): readonly Exclude<RuleField, 'price'>[] {
  const { field, percent, steps } = rule
  const isShare = steps.length === 0 ? percent !== null : steps.some((step) => step.percent !== null)
  const own = isShare && field !== null && field !== 'price' ? [field] : []
  if (!hasLimits(rule)) return own
  const limits = [
    ...(rule.aboveCostCents === null ? [] : (['cost'] as const)),
    ...(rule.aboveInvoiceCents === null ? [] : (['invoice'] as const)),
    ...(rule.offMsrpPercent === null ? [] : (['msrp'] as const)),
  ]
  return [...new Set([...own, ...limits])]
}

type NeedingRule = Parameters<typeof neededFields>[0]

/** Whether the cost does in place of this amount. */
const isReplaced = (rule: NeedingRule, field: RuleField): boolean =>
  rule.whenMissing === 'cost' && field !== 'cost' && (rule.kind === 'floor' || field !== rule.field)

/** The amounts that a rule needs and a vehicle lacks. */
export function lackedFields(rule: NeedingRule, facts: PriceFacts): Exclude<RuleField, 'price'>[] {
  const isKnown = (field: Exclude<RuleField, 'price'>): boolean => known(facts[`${field}Cents`]) !== null
  return neededFields(rule).filter(
    (field) => !isKnown(field) && !(isReplaced(rule, field) && isKnown('cost')),
  )
}

/** The same as a rule of the vehicle list; '' for a rule that needs no amounts. */
export function lackingRule(rule: NeedingRule): string {
  return neededFields(rule)
    .map((field) => (isReplaced(rule, field) ? `(!(${field} > 0) && !(cost > 0))` : `!(${field} > 0)`))
    .join(' || ')
}
