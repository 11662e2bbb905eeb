import { Figure, plain } from '#contract/carbon/factors/figure.ts'
import { type Scope, SCOPES, type Totals } from '#contract/carbon/results/ledger-schema.ts'
import { monthWords } from '#web/carbon/activity/records/activity-labels.ts'
import type { Method } from './insight-labels.ts'

/** `from` and `share` in parts of the axis: 0 is its foot, 1 its top. */
type Slice = Readonly<{ scope: Scope; kg: string; from: number; share: number }>
export type MonthStack = Readonly<{ month: string; kg: string; slices: readonly Slice[] }>

/** Steps that a reader divides by without thinking. */
const EASY = [1, 2, 2.5, 5, 10]
const LINES = 4

/**
 * The columns of a picture of months, one stack of scopes each, and where its lines stand.
 * A month that comes to less than nothing, by corrections, has no height.
 * @returns `lines` in kg, from 0 to the top of the axis.
 */
export function monthStacks(
  totals: Pick<Totals, 'months' | 'monthScopes'>,
  method: Method,
): { stacks: MonthStack[]; lines: number[] } {
  const most = Math.max(0, ...totals.months.map((line) => Number(line[method])))
  const step = easyStep(most / LINES)
  const top = Math.max(step * Math.ceil(most / step), step)
  const byMonth = Map.groupBy(totals.monthScopes, ({ month }) => month)
  return {
    stacks: totals.months.map((line) =>
      stackOf(line.key, line[method], byMonth.get(line.key) ?? [], method, top),
    ),
    lines: Array.from({ length: Math.round(top / step) + 1 }, (_, at) => at * step),
  }
}

function stackOf(
  month: string,
  kg: string,
  parts: Totals['monthScopes'],
  method: Method,
  top: number,
): MonthStack {
  let from = 0
  const slices = SCOPES.flatMap((scope): Slice[] => {
    const own = parts.find((one) => one.scope === scope)?.[method] ?? '0'
    const share = Math.max(0, Number(own)) / top
    if (share === 0) return []
    const slice = { scope, kg: own, from, share }
    from += share
    return [slice]
  })
  return { month, kg, slices }
}

/** The least of 1, 2, 2.5, 5 times a power of ten that is not under `least`. */
function easyStep(least: number): number {
  if (least <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(least))
  return (EASY.find((one) => one * power >= least) ?? 10) * power
}

/** What each scope comes to over all months, in kg. */
export const scopeSums = (parts: Totals['monthScopes'], method: Method): { scope: Scope; kg: string }[] =>
  SCOPES.map((scope) => ({
    scope,
    kg: plain(
      parts.filter((one) => one.scope === scope).reduce((sum, one) => sum.plus(one[method]), new Figure(0)),
    ),
  }))

/** "Jan 2025 is the highest, 1.4 times Jul 2025." */
export function monthFinding(months: Totals['months'], method: Method): string {
  const known = months.filter((line) => Number(line[method]) > 0)
  const sorted = known.toSorted((one, other) => Number(other[method]) - Number(one[method]))
  const [most] = sorted
  const least = sorted.at(-1)
  if (!most || !least) return 'Nothing emits yet.'
  if (most === least) return `${monthWords(most.key)} is the only month with figures.`
  const times = Number(most[method]) / Number(least[method])
  return `${monthWords(most.key)} is the highest, ${times < 10 ? times.toFixed(1) : Math.round(times).toLocaleString()} times ${monthWords(least.key)}.`
}
