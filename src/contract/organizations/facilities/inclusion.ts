import { Decimal } from 'decimal.js'
import { dayAfter } from '#contract/days.ts'

/** The consolidation approaches for the organizational boundary (GHG Protocol, Corporate Standard, chapter 3). */
export const CONSOLIDATIONS = ['operational', 'financial', 'equity'] as const
export type Consolidation = (typeof CONSOLIDATIONS)[number]

/** Ownership and control from a date until the day before the next row. Dates are 2026-01-31. */
export type ControlRow = Readonly<{
  validFrom: string
  /** In percent of the parent, as decimal digits. */
  ownership: string
  operationalControl: boolean
  financialControl: boolean
}>

/** One facility in the chain from the top of the tree. */
export type Link = Readonly<{
  name: string
  openedOn: string | null
  /** The last day in use. */
  closedOn: string | null
  control: readonly ControlRow[]
}>

export type Inclusion = Readonly<{
  /** From 0 to 100, exact, as decimal digits; null if unknown. */
  percent: string | null
  /** Why, as a sentence with dates. */
  reason: string
}>

/** "Jul 1, 2025", independent of the locale, because results store it. */
export function writeDay(day: string): string {
  const [year = '', month = '', date = ''] = day.split('-')
  return `${MONTHS[Number(month) - 1] ?? ''} ${Number(date)}, ${Number(year)}`
}
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

type ControlPeriod = Readonly<{ name: string; row: ControlRow; since: string }>

/**
 * The inclusion percentage of a facility on one day, and why. With equity share, it is the product of the shares along
 * the chain. With control, it is 100, or 0 if the facility or any of its ancestors isn't controlled.
 * @param chain from the top of the tree down to the facility itself.
 */
export function inclusionOf(chain: readonly Link[], day: string, approach: Consolidation): Inclusion {
  for (const { name, openedOn, closedOn } of chain) {
    if (openedOn !== null && day < openedOn) return none(`${name} opened on ${writeDay(openedOn)}.`)
    if (closedOn !== null && day > closedOn) return none(`${name} closed on ${writeDay(closedOn)}.`)
  }
  const periods: ControlPeriod[] = []
  for (const { name, control } of chain) {
    const found = rowOn(control, day, approach)
    if (found === null) {
      return { percent: null, reason: `Ownership and control of ${name} on ${writeDay(day)} are unknown.` }
    }
    periods.push({ name, ...found })
  }
  return approach === 'equity' ? equityOf(periods) : controlOf(periods, approach)
}

/** Whether a facility, or one above it, isn't open yet on a day, or no longer. */
export const isClosedOn = (chain: readonly Link[], day: string): boolean =>
  chain.some(
    ({ openedOn, closedOn }) =>
      (openedOn !== null && day < openedOn) || (closedOn !== null && day > closedOn),
  )

const SUBJECTS = {
  operational: 'operationalControl',
  financial: 'financialControl',
  equity: 'ownership',
} as const

/** The row that applies on a day, and since when its relevant field has had this value; null before the first row. */
function rowOn(control: readonly ControlRow[], day: string, approach: Consolidation) {
  const subject = SUBJECTS[approach]
  const past = control
    .filter(({ validFrom }) => validFrom <= day)
    .toSorted((one, other) => (one.validFrom < other.validFrom ? 1 : -1))
  const [row] = past
  if (row === undefined) return null
  const change = past.findIndex((one) => String(one[subject]) !== String(row[subject]))
  const since = past.at(change === -1 ? -1 : change - 1) ?? row
  return { row, since: since.validFrom }
}

function controlOf(periods: readonly ControlPeriod[], approach: 'operational' | 'financial'): Inclusion {
  const lacking = periods.find(({ row }) => !row[SUBJECTS[approach]])
  if (lacking) return none(`No ${approach} control of ${lacking.name} since ${writeDay(lacking.since)}.`)
  const since = periods
    .map((one) => one.since)
    .toSorted()
    .at(-1)
  const reason =
    since === undefined ? 'The organization itself.' : `Under ${approach} control since ${writeDay(since)}.`
  return { percent: '100', reason }
}

function equityOf(periods: readonly ControlPeriod[]): Inclusion {
  const product = periods.reduce(
    (share, { row }) => share.times(new Exact(row.ownership).dividedBy(100)),
    new Exact(100),
  )
  const parts = periods
    .filter(({ row }) => !new Exact(row.ownership).equals(100))
    .map(({ name, row, since }) => `${name} ${new Exact(row.ownership).toFixed()}% since ${writeDay(since)}`)
  const reason = parts.length === 0 ? 'Wholly owned.' : `Equity share: ${parts.join(', times ')}.`
  return { percent: product.toFixed(), reason }
}

/** Enough precision to multiply the shares of all levels, with four decimals each, without rounding. */
const Exact = Decimal.clone({ precision: 60 })

const none = (reason: string): Inclusion => ({ percent: '0', reason })

export type InclusionSpan = Inclusion & Readonly<{ from: string; to: string }>

/**
 * The inclusion over a period: spans without gaps or overlaps, first and last day included, each with its own percentage
 * and reason. Activity data is allocated to them by day.
 */
export function inclusionOver(
  chain: readonly Link[],
  { from, to }: { from: string; to: string },
  approach: Consolidation,
): InclusionSpan[] {
  const changes = chain.flatMap(({ openedOn, closedOn, control }) => [
    ...control.map(({ validFrom }) => validFrom),
    ...(openedOn === null ? [] : [openedOn]),
    ...(closedOn === null ? [] : [dayAfter(closedOn, 1)]),
  ])
  const starts = [from, ...new Set(changes.filter((day) => day > from && day <= to).toSorted())]
  const spans = starts.map((start, at): InclusionSpan => {
    const next = starts[at + 1]
    return {
      from: start,
      to: next === undefined ? to : dayAfter(next, -1),
      ...inclusionOf(chain, start, approach),
    }
  })
  return spans.reduce<InclusionSpan[]>((merged, span) => {
    const last = merged.at(-1)
    const isSame = last !== undefined && last.percent === span.percent && last.reason === span.reason
    return isSame ? [...merged.slice(0, -1), { ...last, to: span.to }] : [...merged, span]
  }, [])
}
