import type { RoutingDestination, RoutingRule } from './choose-lead-destinations.ts'
import { coversPostalCode, type RuleConditions } from './match-rule.ts'

/** What is wrong with a rule, as users read it. */
export type RuleWarning = Readonly<{
  kind: 'unreachable' | 'overlap' | 'no destination'
  text: string
  /** The other rule; null if there is none. */
  otherRuleId: string | null
}>

/**
 * Warns of rules that no lead reaches, because an earlier rule takes all of their leads; of rules whose leads an earlier rule
 * has already sent elsewhere; and of rules without an available destination. Compares conditions one by one, so a warning is
 * always true, but several rules that only together take all leads of another one are not noticed.
 */
export function warnOfRules(
  rules: readonly RoutingRule[],
  destinations: ReadonlyMap<string, RoutingDestination>,
): ReadonlyMap<string, RuleWarning> {
  const isAvailable = (id: string): boolean => {
    const one = destinations.get(id)
    return one !== undefined && one.isActive && !one.isCircuitOpen
  }
  const warnings = new Map<string, RuleWarning>()
  for (const [at, rule] of rules.entries()) {
    if (!rule.isActive && !rule.isCatchAll) continue
    const sending = rules.slice(0, at).filter(
      // A rule with daily caps lets leads pass once they are reached, and one with only users while they are off.
      (earlier) =>
        earlier.isActive &&
        earlier.targets.some(({ destinationId: id }) => isAvailable(id)) &&
        covers(earlier, rule),
    )
    // A lead that another rule sends to another store in between can pass an earlier rule about its former store.
    const passes = (earlier: RoutingRule): boolean =>
      (earlier.lotIds.length > 0 || earlier.hours !== 'any') &&
      rules.slice(rules.indexOf(earlier), at).some(({ isActive, storeId }) => isActive && storeId !== null)
    const isCapped = (earlier: RoutingRule): boolean =>
      earlier.targets.every(({ destinationId }) => {
        const one = destinations.get(destinationId)
        return one === undefined || one.dailyCap !== null || one.kind === 'user'
      })
    const taking = sending.find((earlier) => earlier.stopsHere && !isCapped(earlier) && !passes(earlier))
    if (taking !== undefined) {
      const text = rule.isCatchAll
        ? `${taking.name} takes every lead.`
        : `Never reached: ${taking.name} takes all of its leads.`
      if (!rule.isCatchAll) warnings.set(rule.id, { kind: 'unreachable', text, otherRuleId: taking.id })
      continue
    }
    if (rule.storeId !== null) continue
    if (!rule.targets.some(({ destinationId }) => isAvailable(destinationId))) {
      const text = rule.isCatchAll
        ? 'No destination is available. Leads wait unassigned in the inbox.'
        : 'No destination is available. The next rule gets its leads.'
      warnings.set(rule.id, { kind: 'no destination', text, otherRuleId: null })
      continue
    }
    const [other] = rule.isCatchAll ? [] : sending.filter(({ stopsHere }) => !stopsHere)
    if (other === undefined) continue
    const text = `Its leads go to the destinations of ${other.name} too.`
    warnings.set(rule.id, { kind: 'overlap', text, otherRuleId: other.id })
  }
  return warnings
}

/** Whether every lead that matches `narrow` matches `wide` too. False if that can't be told. */
export function covers(wide: RuleConditions, narrow: RuleConditions): boolean {
  return (
    includesAll(wide.lotIds, narrow.lotIds) &&
    includesAll(wide.leadTypes, narrow.leadTypes) &&
    includesAll(wide.sources, narrow.sources) &&
    includesAll(wide.makes, narrow.makes) &&
    includesAll(wide.models, narrow.models) &&
    includesAll(wide.campaigns, narrow.campaigns) &&
    includesAll(wide.formIds, narrow.formIds) &&
    includesAll(wide.languages, narrow.languages) &&
    coversPrices(wide, narrow) &&
    coversPostalCodes(wide, narrow) &&
    coversHours(wide, narrow) &&
    (wide.tradeIn === 'any' || wide.tradeIn === narrow.tradeIn) &&
    (wide.condition.trim() === '' || wide.condition.trim() === narrow.condition.trim())
  )
}

function includesAll(wide: readonly string[], narrow: readonly string[]): boolean {
  if (wide.length === 0) return true
  const words = new Set(wide.map((one) => one.toLowerCase()))
  return narrow.length > 0 && narrow.every((one) => words.has(one.toLowerCase()))
}

function coversPrices(wide: RuleConditions, narrow: RuleConditions): boolean {
  const hasBand = (rule: RuleConditions): boolean =>
    rule.priceFromCents !== null || rule.priceToCents !== null
  if (!hasBand(wide)) return true
  // A band never matches a lead without a price.
  if (!hasBand(narrow)) return false
  return (
    (wide.priceFromCents ?? 0) <= (narrow.priceFromCents ?? 0) &&
    (wide.priceToCents ?? Infinity) >= (narrow.priceToCents ?? Infinity)
  )
}

function coversPostalCodes(wide: RuleConditions, narrow: RuleConditions): boolean {
  if (wide.postalCodes.length === 0) return true
  return (
    narrow.postalCodes.length > 0 &&
    narrow.postalCodes.every((code) => wide.postalCodes.some((pattern) => coversPostalCode(pattern, code)))
  )
}

function coversHours(wide: RuleConditions, narrow: RuleConditions): boolean {
  if (wide.hours === 'any') return true
  if (wide.hours !== narrow.hours) return false
  if (wide.hours !== 'between') return true
  return wide.fromTime === narrow.fromTime && wide.untilTime === narrow.untilTime
}
