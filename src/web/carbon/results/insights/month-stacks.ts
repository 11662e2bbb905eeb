import { Figure, plain } from '#contract/carbon/factors/figure.ts'
import { type Scope, SCOPES, type Totals } from '#contract/carbon/activity/ledger-schema.ts'
import { formatMonth } from '#web/carbon/activity/records/activity-labels.ts'
import type { Method } from '../../activity/insight-labels.ts'

/** `from` and `share` as fractions of the axis: 0 is the bottom, 1 the top. */
type Slice = Readonly<{ scope: Scope; kg: string; from: number; share: number }>
export type MonthStack = Readonly<{ month: string; kg: string; slices: readonly Slice[] }>

/** Round axis steps, times a power of ten. */
const ROUND_STEPS = [1, 2, 2.5, 5, 10]
const LINES = 4

/**
 * The columns of the monthly chart, stacked by scope, and its axis lines.
 * A month with a negative total, due to corrections, has no height.
 * @returns `lines` in kg, from 0 to the top of the axis.
 */
export function monthStacks(
  totals: Pick<Totals, 'months' | 'monthScopes'>,
  method: Method,
): { stacks: MonthStack[]; lines: number[] } {
  const most = Math.max(0, ...totals.months.map((line) => Number(line[method])))
  const step = roundStep(most / LINES)
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

/** The smallest of 1, 2, 2.5, 5 times a power of ten that is at least `least`. */
function roundStep(least: number): number {
  if (least <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(least))
  return (ROUND_STEPS.find((one) => one * power >= least) ?? 10) * power
}

/** The total of each scope over all months, in kg. */
export const scopeSums = (parts: Totals['monthScopes'], method: Method): { scope: Scope; kg: string }[] =>
  SCOPES.map((scope) => ({
    scope,
    kg: plain(
      parts.filter((one) => one.scope === scope).reduce((sum, one) => sum.plus(one[method]), new Figure(0)),
    ),
  }))

/**
 * "Jan 2025 is the highest, 1.4 times Jul 2025."
 * @param incomplete months with missing data, which look lower than they are and aren't compared.
 */
export function monthFinding(
  months: Totals['months'],
  method: Method,
  incomplete: readonly string[] = [],
): string {
  const all = months.filter((line) => Number(line[method]) > 0)
  const known = all.filter(({ key }) => !incomplete.includes(key))
  if (all.length > 0 && known.length === 0) return 'Every month still has missing data.'
  const sorted = known.toSorted((one, other) => Number(other[method]) - Number(one[method]))
  const [most] = sorted
  const least = sorted.at(-1)
  if (!most || !least) return 'No emissions yet.'
  if (most === least)
    return `${formatMonth(most.key)} is the only ${incomplete.length === 0 ? 'month with emissions' : 'complete month'}.`
  const times = Number(most[method]) / Number(least[method])
  return `${formatMonth(most.key)} is the highest, ${times < 10 ? times.toFixed(1) : Math.round(times).toLocaleString()} times ${formatMonth(least.key)}.`
}
