import { capitalize } from '#contract/capitalize.ts'
import { LEAD_TYPES } from '#contract/leads/inbox/lead-list.ts'
import type { LeadRoutingRule } from '#contract/leads/routing/lead-routing-rules.ts'
import type { RuleConditions } from '#contract/leads/routing/match-rule.ts'
import { labelOf } from '#contract/record.ts'
import { formatPrice } from '#web/vehicles/index.ts'
import { joinNames } from '#web/ui/layout/join-names.ts'

/** The names of what a rule refers to by ID. */
export type RuleNames = Readonly<{
  currency: string
  lots: ReadonlyMap<string, string>
  forms: ReadonlyMap<string, string>
  destinations: ReadonlyMap<string, string>
}>

/** What was deleted, or belongs to an organization that the reader has no access to. */
const UNKNOWN = { lots: 'another lot', forms: 'another form', destinations: 'a deleted destination' } as const

/** The conditions of a rule in form order, each as a phrase: "Ford or Toyota", "from AutoTrader", "with a trade-in". */
export function describeConditions(rule: RuleConditions, names: RuleNames): string[] {
  const named = (ids: readonly string[], what: 'lots' | 'forms') =>
    ids.map((id) => names[what].get(id) ?? UNKNOWN[what])
  const any = (values: readonly string[], before = '') =>
    values.length === 0 ? '' : `${before}${joinNames(values, 'or')}`
  return [
    any(named(rule.lotIds, 'lots'), 'at '),
    any(rule.leadTypes.map((type) => labelOf(LEAD_TYPES, type))),
    any(rule.sources, 'from '),
    any(rule.makes),
    any(rule.models),
    describePrices(rule, names.currency),
    any(rule.campaigns, 'campaign '),
    any(named(rule.formIds, 'forms'), 'form '),
    any(rule.postalCodes, 'ZIP code '),
    any(rule.languages.map(languageName), 'in '),
    describeHours(rule),
    describeTradeIn(rule.tradeIn),
    rule.condition.trim(),
  ].filter((phrase) => phrase !== '')
}

function describeTradeIn(tradeIn: RuleConditions['tradeIn']): string {
  if (tradeIn === 'any') return ''
  return tradeIn === 'with' ? 'with a trade-in' : 'without a trade-in'
}

function describePrices(
  { priceFromCents: from, priceToCents: to }: RuleConditions,
  currency: string,
): string {
  if (from !== null && to !== null) return `${formatPrice(from, currency)} to ${formatPrice(to, currency)}`
  if (from !== null) return `${formatPrice(from, currency)} or more`
  return to === null ? '' : `up to ${formatPrice(to, currency)}`
}

function describeHours({ hours, fromTime, untilTime }: RuleConditions): string {
  if (hours === 'any') return ''
  if (hours !== 'between') return `while the lot is ${hours}`
  return `from ${clockTime(fromTime)} to ${clockTime(untilTime)}`
}

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short', timeZone: 'UTC' })

/** "6:00 PM" or "18:00", by locale. */
function clockTime(time: string | null): string {
  const at = Date.parse(`1970-01-01T${time ?? ''}:00Z`)
  return Number.isNaN(at) ? 'no time' : clock.format(at)
}

/** "Spanish" for `es`. What is no language code stays as it is. */
export function languageName(code: string): string {
  try {
    return new Intl.DisplayNames(undefined, { type: 'language' }).of(code) ?? code
  } catch {
    return code
  }
}

/** All conditions in one line; what applies without any. */
export function summarizeConditions(rule: LeadRoutingRule, names: RuleNames): string {
  if (rule.isCatchAll) return 'Every lead that no other rule has sent'
  const phrases = describeConditions(rule, names)
  if (phrases.length === 0) return 'Every lead'
  const [first = '', ...others] = phrases
  return [capitalize(first), ...others].join(' · ')
}

/** Who gets the leads: "Takes turns between Ana Souza and Luis Ortega." */
export function describeTargets(
  {
    strategy,
    targets,
    stopsHere,
    isCatchAll,
    storeId,
  }: Pick<LeadRoutingRule, 'strategy' | 'targets' | 'stopsHere' | 'isCatchAll' | 'storeId'>,
  { destinations, lots }: Pick<RuleNames, 'destinations' | 'lots'>,
): string {
  if (storeId !== null) return `To the store ${lots.get(storeId) ?? UNKNOWN.lots}. Later rules send it.`
  const names = targets.map(({ destinationId }) => destinations.get(destinationId) ?? UNKNOWN.destinations)
  const [first] = names
  if (first === undefined) return 'No destination.'
  const then = stopsHere || isCatchAll ? '' : ' Later rules are checked too.'
  if (names.length === 1) return `To ${first}.${then}`
  switch (strategy) {
    case 'all':
      return `To ${joinNames(names, 'and')}.${then}`
    case 'round-robin':
      return `Takes turns between ${joinNames(names, 'and')}.${then}`
    case 'least-recent':
      return `To the one that has waited longest: ${joinNames(names, 'or')}.${then}`
    case 'least-open':
      return `To the one with the fewest open leads: ${joinNames(names, 'or')}.${then}`
    case 'failover':
      return `To ${first}; if that fails, to ${joinNames(names.slice(1), 'or')}.${then}`
    default: {
      const total = targets.reduce((sum, { weight }) => sum + weight, 0)
      const shares = targets.map(({ weight }, at) => `${weight} to ${names[at]}`)
      return `Of ${total.toLocaleString()} leads, ${joinNames(shares, 'and')}.${then}`
    }
  }
}

/** The units in which users enter the time within which a person's lead is not sent again, in minutes. */
export const WINDOW_UNITS = { minutes: 1, hours: 60, days: 1_440 } as const
export type WindowUnit = keyof typeof WINDOW_UNITS

/** Minutes in the largest unit that gives a whole number. */
export function splitWindow(minutes: number): { amount: number; unit: WindowUnit } {
  if (minutes > 0 && minutes % WINDOW_UNITS.days === 0)
    return { amount: minutes / WINDOW_UNITS.days, unit: 'days' }
  if (minutes > 0 && minutes % WINDOW_UNITS.hours === 0)
    return { amount: minutes / WINDOW_UNITS.hours, unit: 'hours' }
  return { amount: minutes, unit: minutes === 0 ? 'days' : 'minutes' }
}
