import type { RuleField, RuleKind, WhenMissing } from './rule-kinds.ts'

/** How far a rule may lower a price. Amounts are integer cents; null: not limited by this amount. */
export type RuleLimits = Readonly<{
  /** Not below cost or invoice plus this amount, which may be negative. */
  aboveCostCents: number | null
  aboveInvoiceCents: number | null
  /** At most this percentage below MSRP, with up to two decimals. */
  offMsrpPercent: number | null
  /** Not below the minimum price of the vehicle, if it has one. */
  keepsMinimum: boolean
}>

/** What a rule does. Amounts are integer cents. */
export type PriceRule = RuleLimits &
  Readonly<{
    id: string
    name: string
    kind: RuleKind
    /** The amount is `cents` plus `percent` of `field`. For rounding, `cents` is the ending: 9500 for prices ending in 95. */
    cents: number
    /** In percent, with up to two decimals. */
    percent: number | null
    field: RuleField | null
    /** Rounding: the distance between two prices with that ending, in cents. */
    stepCents: number | null
    /** Rounding: to the ending below the price, or to the nearest one; halfway, to the one below. */
    roundingMode: 'down' | 'nearest'
    /** Other amounts from a number of days in stock on; the step with the most days reached applies. */
    steps: readonly Readonly<{ days: number; cents: number; percent: number | null }>[]
    /** Of the rules of a group, only the one that is best for the buyer applies; of minimum prices, the one that started last. */
    group: string | null
    whenMissing: WhenMissing
    /** From the first to before the last minute, `2026-12-01T00:00` in the lot's time zone; null: no limit. */
    from: string | null
    until: string | null
    /** Who gets a conditional offer, and what buyers must read beside it. */
    qualifier: string | null
    disclaimer: string | null
    /** How buyers read the name of the rule; null: they don't, and an offer is just an "Offer". */
    label: string | null
  }>

/** A vehicle as the rules see it. Amounts are integer cents, null or 0 if unknown. */
export type PriceFacts = Readonly<{
  priceCents: number | null
  msrpCents: number | null
  feedPriceCents: number | null
  marketPriceCents: number | null
  invoiceCents: number | null
  costCents: number | null
  /** Since when it is in stock, a date; null if unknown. */
  inStockOn: string | null
  /** A price for this vehicle only, which replaces what rules make of its price. Until a minute in the lot's time zone. */
  special?: Readonly<{ cents: number; until: string | null; reason: string }> | null
}>

export type EvaluationTime = Readonly<{
  /** `2026-11-24T09:30` in the lot's time zone. */
  minute: string
  /** Whether the lot's price law allows deducting rebates that every buyer gets. */
  deductsRebates: boolean
}>

/** Why a matching rule changed nothing. */
export const SKIP_REASONS = {
  later: 'not started yet',
  over: 'over',
  days: 'not enough days in stock',
  group: 'another rule in its group gives a better price',
  unknown: 'an amount it needs is missing',
  missing: 'an amount its limit needs is missing',
  limit: 'its limit leaves no room',
  manual: 'the price was set for this vehicle',
  floor: 'the minimum price is unknown',
  ceiling: 'the price would be above its highest price',
  negative: 'the price would be zero or less',
  nothing: 'it changes nothing',
} as const
export type SkipReason = keyof typeof SKIP_REASONS
const isReason = (name: string): name is SkipReason => Object.hasOwn(SKIP_REASONS, name)
export const SKIP_REASON_CODES: readonly SkipReason[] = Object.keys(SKIP_REASONS).filter(isReason)
