import { evaluateRule } from '#contract/expressions/evaluate.ts'
import { readRule } from '#contract/expressions/read.ts'
import type { Rule } from '#contract/expressions/tree.ts'
import { labelOf } from '#contract/record.ts'
import { CONDITION_VARIABLES, type LeadFacts } from './lead-facts.ts'
import { LEAD_TYPES } from '../inbox/lead-list.ts'
import type { Hours, TradeIn } from './rule-choices.ts'

/** The conditions of a rule. An empty list, null, `any` and empty text mean no condition. */
export type RuleConditions = Readonly<{
  lotIds: readonly string[]
  leadTypes: readonly string[]
  sources: readonly string[]
  makes: readonly string[]
  models: readonly string[]
  priceFromCents: number | null
  priceToCents: number | null
  campaigns: readonly string[]
  formIds: readonly string[]
  /** Codes, or beginnings of codes with an asterisk: `958*`. */
  postalCodes: readonly string[]
  languages: readonly string[]
  hours: Hours
  /** On the lot's clock, for `between`. Until before from: over midnight. */
  fromTime: string | null
  untilTime: string | null
  tradeIn: TradeIn
  /** A filter over CONDITION_VARIABLES. */
  condition: string
}>

const NO_RULE: unique symbol = Symbol('invalid')
const rules = new Map<string, Rule | typeof NO_RULE>()
const MAX_KEPT = 1_000

/** The filter of a rule, parsed once. */
function filterOf(condition: string): Rule | null {
  const known = rules.get(condition)
  if (known !== undefined) return known === NO_RULE ? null : known
  const read = readRule(condition, CONDITION_VARIABLES)
  if (rules.size >= MAX_KEPT) rules.clear()
  rules.set(condition, read.ok ? read.rule : NO_RULE)
  return read.ok ? read.rule : null
}

type Checked = Readonly<{
  /** What users read if it isn't met: "the source is AutoTrader". */
  why: string
  isMet: boolean
}>

const isAmong = (list: readonly string[], value: string | null): boolean =>
  list.length === 0 || (value !== null && list.some((one) => one.toLowerCase() === value.toLowerCase()))

const named = (what: string, value: string | null): string =>
  value === null || value === '' ? `no ${what} is given` : `the ${what} is ${value}`

/** Letters and digits, as postal codes are compared: `k1a 0b1` is `K1A0B1`, and `95691-1234` is `95691`. */
export const plainPostalCode = (code: string): string =>
  code
    .toUpperCase()
    .replaceAll(/[^A-Z0-9*]/g, '')
    .replace(/^(\d{5})\d{4}$/, '$1')

/** Whether a code or beginning of codes (`958*`) covers another one. */
export function coversPostalCode(pattern: string, code: string): boolean {
  const [covering, covered] = [plainPostalCode(pattern), plainPostalCode(code)]
  return covering.endsWith('*') ? covered.startsWith(covering.slice(0, -1)) : covering === covered
}

/** Whether a time of day is from `from` to before `until`. */
export function isBetween(time: string, from: string, until: string): boolean {
  return from <= until ? from <= time && time < until : time >= from || time < until
}

/** The conditions of a rule in the order they are checked. */
function checks(rule: RuleConditions, facts: LeadFacts): (() => Checked)[] {
  return [
    () => ({ isMet: isAmong(rule.lotIds, facts.lotId), why: 'another lot' }),
    () => ({
      isMet: isAmong(rule.leadTypes, facts.leadType),
      why: named('lead type', facts.leadType === null ? null : labelOf(LEAD_TYPES, facts.leadType)),
    }),
    () => ({ isMet: isAmong(rule.sources, facts.source), why: named('source', facts.source) }),
    () => ({ isMet: isAmong(rule.makes, facts.make), why: named('make', facts.make) }),
    () => ({ isMet: isAmong(rule.models, facts.model), why: named('model', facts.model) }),
    () => checkPrice(rule, facts),
    () => ({ isMet: isAmong(rule.campaigns, facts.campaign), why: named('campaign', facts.campaign) }),
    () => ({ isMet: isAmong(rule.formIds, facts.formId), why: 'another form' }),
    () => checkPostalCode(rule, facts),
    () => ({ isMet: isAmong(rule.languages, facts.language), why: named('language', facts.language) }),
    () => checkHours(rule, facts),
    () => ({
      isMet: rule.tradeIn === 'any' || (rule.tradeIn === 'with') === facts.hasTradeIn,
      why: facts.hasTradeIn ? 'there is a trade-in' : 'there is no trade-in',
    }),
    () => checkFilter(rule, facts),
  ]
}

function checkPrice({ priceFromCents, priceToCents }: RuleConditions, { priceCents }: LeadFacts): Checked {
  if (priceFromCents === null && priceToCents === null) return { isMet: true, why: '' }
  if (priceCents === null) return { isMet: false, why: 'the price is unknown' }
  const isMet = priceCents >= (priceFromCents ?? 0) && priceCents <= (priceToCents ?? Number.MAX_SAFE_INTEGER)
  return { isMet, why: 'the price is outside the band' }
}

function checkPostalCode({ postalCodes }: RuleConditions, { postalCode }: LeadFacts): Checked {
  const isMet =
    postalCodes.length === 0 ||
    (postalCode !== null && postalCodes.some((one) => coversPostalCode(one, postalCode)))
  return { isMet, why: named('ZIP code', postalCode) }
}

function checkHours({ hours, fromTime, untilTime }: RuleConditions, { opening, time }: LeadFacts): Checked {
  if (hours === 'any') return { isMet: true, why: '' }
  if (hours === 'between') {
    return { isMet: isBetween(time, fromTime ?? '00:00', untilTime ?? '24:00'), why: `it was ${time}` }
  }
  if (opening === 'unknown') return { isMet: false, why: 'the lot has no opening hours' }
  return { isMet: opening === hours, why: `the lot was ${opening}` }
}

function checkFilter({ condition }: RuleConditions, { values, receivedAt, zone }: LeadFacts): Checked {
  if (condition.trim() === '') return { isMet: true, why: '' }
  const filter = filterOf(condition)
  if (filter === null) return { isMet: false, why: 'its filter is not valid' }
  return { isMet: evaluateRule(filter, values, { now: receivedAt, zone }), why: 'its filter is not met' }
}

/** Why a rule doesn't match a lead, by its first condition that isn't met: "the source is AutoTrader"; null if it matches. */
export function whyNot(rule: RuleConditions, facts: LeadFacts): string | null {
  for (const check of checks(rule, facts)) {
    const { isMet, why } = check()
    if (!isMet) return why
  }
  return null
}
