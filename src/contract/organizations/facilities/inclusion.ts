import { Decimal } from 'decimal.js'
import { dayAfter } from '#contract/days.ts'

/** How a group draws the boundary of its inventory (GHG Protocol, Corporate Standard, chapter 3). */
export const CONSOLIDATIONS = ['operational', 'financial', 'equity'] as const
export type Consolidation = (typeof CONSOLIDATIONS)[number]

/** From this day until the day before the next row's. Days are written 2026-01-31. */
export type ControlRow = Readonly<{
  validFrom: string
  /** In percent of what stands above, as decimal digits. */
  ownership: string
  operationalControl: boolean
  financialControl: boolean
}>

/** One facility on the way from the top of the tree. */
export type Link = Readonly<{
  name: string
  openedOn: string | null
  /** The last day it was in use. */
  closedOn: string | null
  control: readonly ControlRow[]
}>

export type Inclusion = Readonly<{
  /** Between 0 and 100, exact, as decimal digits; null where it is not known. */
  percent: string | null
  /** Why, in words and with days. */
  reason: string
}>

/** "1 Jul 2025", in every place and language the same, because results keep it. */
export function writeDay(day: string): string {
  const [year = '', month = '', date = ''] = day.split('-')
  return `${Number(date)} ${MONTHS[Number(month) - 1] ?? ''} ${Number(year)}`
}
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

type ControlPeriod = Readonly<{ name: string; row: ControlRow; since: string }>

/**
 * How much of a facility's emissions counts on one day, and why. By equity it is the product of the shares along the
 * chain; by control all or nothing, and nothing where one of those above is not controlled.
 * @param chain from the top of the tree down to the facility itself, which is the last.
 */
export function inclusionOf(chain: readonly Link[], day: string, approach: Consolidation): Inclusion {
  for (const { name, openedOn, closedOn } of chain) {
    if (openedOn !== null && day < openedOn) return none(`${name} opened on ${writeDay(openedOn)}.`)
    if (closedOn !== null && day > closedOn) return none(`${name} closed on ${writeDay(closedOn)}.`)
  }
  const held: ControlPeriod[] = []
  for (const { name, control } of chain) {
    const found = holdOn(control, day, approach)
    if (found === null) {
      return { percent: null, reason: `Who owns and controls ${name} on ${writeDay(day)} is not known.` }
    }
    held.push({ name, ...found })
  }
  return approach === 'equity' ? equityOf(held) : controlOf(held, approach)
}

const SUBJECTS = {
  operational: 'operationalControl',
  financial: 'financialControl',
  equity: 'ownership',
} as const

/** The row that holds on a day, and since when what counts of it was the same; null before the first. */
function holdOn(control: readonly ControlRow[], day: string, approach: Consolidation) {
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

function controlOf(held: readonly ControlPeriod[], approach: 'operational' | 'financial'): Inclusion {
  const lacking = held.find(({ row }) => !row[SUBJECTS[approach]])
  if (lacking) return none(`No ${approach} control of ${lacking.name} since ${writeDay(lacking.since)}.`)
  const since = held
    .map((one) => one.since)
    .toSorted()
    .at(-1)
  const reason =
    since === undefined ? 'The organization itself.' : `Under ${approach} control since ${writeDay(since)}.`
  return { percent: '100', reason }
}

function equityOf(held: readonly ControlPeriod[]): Inclusion {
  const product = held.reduce(
    (share, { row }) => share.times(new Exact(row.ownership).dividedBy(100)),
    new Exact(100),
  )
  const parts = held
    .filter(({ row }) => !new Exact(row.ownership).equals(100))
    .map(({ name, row, since }) => `${name} ${new Exact(row.ownership).toFixed()} % since ${writeDay(since)}`)
  const reason = parts.length === 0 ? 'Wholly owned.' : `Equity share: ${parts.join(', times ')}.`
  return { percent: product.toFixed(), reason }
}

/** Six levels of four decimals each, and nothing is rounded on the way. */
const Exact = Decimal.clone({ precision: 60 })

const none = (reason: string): Inclusion => ({ percent: '0', reason })

export type InclusionSpan = Inclusion & Readonly<{ from: string; to: string }>

/**
 * The same over a period: spans of days without gap or overlap, first day and last day included, each with its own
 * percentage and reason. Bills are spread over them by day.
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
