import { readRule } from '#contract/expressions/read.ts'
import type { Variables } from '#contract/expressions/variables.ts'
import { openingAt } from '#contract/open-now.ts'
import type { Holiday, OpeningHours } from '#contract/opening-hours.ts'
import { STORE_CLUES } from './store-evidence.ts'
import { capitalize } from '#contract/capitalize.ts'

/** A lead as routing rules see it. Amounts are integer cents; null is unknown. */
export type LeadFacts = Readonly<{
  lotId: string | null
  /** A person or a rule chose its store before: rules leave it there. */
  isStoreFixed: boolean
  /** A value of LEAD_TYPES. */
  leadType: string | null
  source: string | null
  make: string | null
  model: string | null
  priceCents: number | null
  campaign: string | null
  formId: string | null
  postalCode: string | null
  language: string | null
  hasTradeIn: boolean
  /** Whether the lot was open when the lead was received; unknown without opening hours. */
  opening: 'open' | 'closed' | 'unknown'
  /** When it was received, on the lot's clock: `14:30`. */
  time: string
  /** When it was received, and the lot's time zone. */
  receivedAt: Date
  zone: string
  /** The fields of CONDITION_VARIABLES. */
  values: Readonly<Record<string, unknown>>
}>

/** When a store is open. */
export type StoreHours = Readonly<{ hours: OpeningHours; holidays: readonly Holiday[]; zone: string }>

/** A lead as it would be at another store. */
export function factsAt(facts: LeadFacts, lotId: string, store: StoreHours): LeadFacts {
  const opening = openingAt(store, facts.receivedAt).state
  return { ...facts, lotId, opening, zone: store.zone, time: timeIn(store.zone, facts.receivedAt) }
}

const clocks = new Map<string, Intl.DateTimeFormat>()

/** The time of day in a zone: `14:30`. */
export function timeIn(zone: string, at: Date): string {
  const known = clocks.get(zone)
  const clock =
    known ??
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  if (known === undefined) clocks.set(zone, clock)
  return clock.format(at)
}

/** The lead fields that the filter of a rule may use, besides those that have a condition of their own. */
export const CONDITION_VARIABLES: Variables = {
  condition: {
    title: 'Vehicle condition',
    kind: 'choice',
    choices: [
      { value: 'new', label: 'New' },
      { value: 'used', label: 'Used' },
      { value: 'cpo', label: 'CPO' },
      { value: 'demo', label: 'Demo' },
    ],
  },
  year: { title: 'Year', kind: 'integer' },
  make: { title: 'Make', kind: 'text' },
  model: { title: 'Model', kind: 'text' },
  trim: { title: 'Trim', kind: 'text' },
  stock: { title: 'Stock number', kind: 'text' },
  price: { title: 'Price', kind: 'money' },
  name: { title: 'Name', kind: 'text' },
  email: { title: 'Email', kind: 'text' },
  phone: { title: 'Phone', kind: 'text' },
  comments: { title: 'Comments', kind: 'text' },
  utmSource: { title: 'UTM source', kind: 'text' },
  utmMedium: { title: 'UTM medium', kind: 'text' },
  utmCampaign: { title: 'UTM campaign', kind: 'text' },
  tradeMake: { title: 'Trade-in make', kind: 'text' },
  tradeYear: { title: 'Trade-in year', kind: 'integer' },
  vendorName: { title: 'Vendor name', kind: 'text' },
  dealerCode: { title: 'Dealer code', kind: 'text' },
  storeFoundBy: {
    title: 'Store found by',
    kind: 'choice',
    choices: [
      ...STORE_CLUES.map(({ value, label }) => ({ value, label: capitalize(label) })),
      { value: 'nothing', label: 'Nothing' },
    ],
  },
  storeContradicted: { title: 'Something names another store', kind: 'flag' },
  formProgress: {
    title: 'Form progress',
    kind: 'choice',
    choices: [
      { value: 'finished', label: 'Finished' },
      { value: 'unfinished', label: 'Unfinished' },
    ],
  },
}

/** Why a rule can't have this filter; null if it can. Empty means every lead. */
export function conditionProblem(condition: string): string | null {
  if (condition.trim() === '') return null
  const read = readRule(condition, CONDITION_VARIABLES)
  return read.ok ? null : read.problem.message
}
