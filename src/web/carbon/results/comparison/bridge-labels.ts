import {
  type BridgeLine,
  type Comparison,
  type Effect,
  EFFECTS,
} from '#contract/carbon/results/comparison.ts'
import { Figure, plain } from '#contract/carbon/factors/figure.ts'
import { tonnes } from '../../activity/insight-labels.ts'

export const EFFECT_NAMES: Readonly<Record<Effect, string>> = {
  boundary: 'Boundary',
  activity: 'Activity',
  method: 'Method',
  factor: 'Factors',
  coverage: 'Data coverage',
}

const CAUSES: Readonly<Record<Effect, string>> = {
  boundary: 'a change in boundary',
  activity: 'a change in activity',
  method: 'a change in method',
  factor: 'a change in emission factors',
  coverage: 'a change in data coverage',
}

/** `from` and `to` in kg: the start and end of a bar. */
export type BridgeStep = Readonly<{ key: 'before' | Effect | 'after'; kg: string; from: number; to: number }>

/** The bars of a bridge, and the range they cover in kg, which includes 0. */
export function bridgeSteps(line: BridgeLine): { steps: BridgeStep[]; least: number; most: number } {
  let at = Number(line.before)
  const steps: BridgeStep[] = [{ key: 'before', kg: line.before, from: 0, to: at }]
  for (const effect of EFFECTS) {
    const to = at + Number(line[effect])
    steps.push({ key: effect, kg: line[effect], from: at, to })
    at = to
  }
  steps.push({ key: 'after', kg: line.after, from: 0, to: Number(line.after) })
  const ends = steps.flatMap(({ from, to }) => [from, to])
  return { steps, least: Math.min(0, ...ends), most: Math.max(0, ...ends) }
}

/** `after` minus `before`, in kg. */
export const changeOf = ({ before, after }: Pick<BridgeLine, 'before' | 'after'>): string =>
  plain(new Figure(after).minus(before))

/** "+12.5%"; null if `before` is 0. */
export function shareOf({ before, after }: Pick<BridgeLine, 'before' | 'after'>): string | null {
  if (Number(before) === 0) return null
  return formatChange(new Figure(after).minus(before).div(before).times(100))
}

/** "+12.5%" */
export const formatChange = (share: Figure): string =>
  `${signOf(share.toDecimalPlaces(1))}${share.abs().toFixed(1)}%`

/** A plus, a true minus, or nothing for a figure that rounds to 0. */
function signOf(rounded: Figure): string {
  if (rounded.isZero()) return ''
  return rounded.isNegative() ? '\u2212' : '+'
}

/** A change in tonnes: with a sign, unless it rounds to 0. */
export function signedTonnes(kg: string): string {
  const shown = tonnes(kg)
  return shown === '0' || Number(kg) < 0 ? shown : `+${shown}`
}

/** The effects that are calculated on the same data points. */
const COMPARED = EFFECTS.filter((effect) => effect !== 'coverage')

/** The part of two sums from the data points that both inventories have, in kg. */
export const matchedPart = (line: BridgeLine): Pick<BridgeLine, 'before' | 'after'> => ({
  before: plain(new Figure(line.before).minus(line.unmatchedBefore)),
  after: plain(new Figure(line.after).minus(line.unmatchedAfter)),
})

/**
 * The finding of a bridge: the change and its main cause, on the data points that both inventories have, and what is left
 * out because only one of them has the data.
 */
export function finding({ total, before, after }: Comparison): string {
  const isUnequal = Number(total.unmatchedBefore) !== 0 || Number(total.unmatchedAfter) !== 0
  if (!isUnequal) return changeSentence(total, total, { before, after })
  const matched = matchedPart(total)
  const isEmpty = Number(matched.before) === 0 && Number(matched.after) === 0
  const sentence = isEmpty
    ? `${after.name} and ${before.name} have no data points in common yet, so they can't be compared.`
    : `On the data points that both have: ${changeSentence(total, matched, { before, after })}`
  return `${sentence} Not compared: ${leftOut(total, { before, after })}.`
}

type Names = Record<'before' | 'after', { name: string }>

function changeSentence(
  total: BridgeLine,
  sums: Pick<BridgeLine, 'before' | 'after'>,
  { before, after }: Names,
): string {
  const change = changeOf(sums)
  if (tonnes(change) === '0') return `${after.name} and ${before.name} have the same total.`
  const main = COMPARED.toSorted(
    (one, other) => Math.abs(Number(total[other])) - Math.abs(Number(total[one])),
  )[0]
  const share = shareOf(sums)
  const direction = Number(change) > 0 ? 'higher' : 'lower'
  const amount = tonnes(plain(new Figure(change).abs()))
  const percent = share === null ? '' : ` (${share})`
  return `${after.name} is ${amount} t CO2e ${direction} than ${before.name}${percent}, mainly due to ${CAUSES[main ?? 'activity']}.`
}

/** "217.3 t of Carbon 2025 without data in Carbon 2026". */
function leftOut({ unmatchedBefore, unmatchedAfter }: BridgeLine, { before, after }: Names): string {
  const part = (kg: string, own: string, other: string): string[] =>
    Number(kg) === 0 ? [] : [`${tonnes(kg)} t of ${own} without data in ${other}`]
  return [
    ...part(unmatchedBefore, before.name, after.name),
    ...part(unmatchedAfter, after.name, before.name),
  ].join(', and ')
}

/** Whether a total of a comparison is a minimum: results or expected data points are missing. */
export const isMinimum = ({ total, before, after }: Comparison, side: 'before' | 'after'): boolean =>
  side === 'before'
    ? total.missingBefore + before.missingPoints > 0
    : total.missingAfter + after.missingPoints > 0

/** The tone of a bar: a total, an increase, a decrease, or data that only one inventory has. */
export function toneOf(key: BridgeStep['key'], kg: number): 'sum' | 'more' | 'less' | 'gap' {
  if (key === 'before' || key === 'after') return 'sum'
  if (key === 'coverage') return 'gap'
  return kg > 0 ? 'more' : 'less'
}
