import {
  type BridgeLine,
  type Comparison,
  type Effect,
  EFFECTS,
} from '#contract/carbon/results/comparison.ts'
import { Figure, plain } from '#contract/carbon/factors/figure.ts'
import { tonnes } from '../insights/insight-labels.ts'

export const EFFECT_NAMES: Readonly<Record<Effect, string>> = {
  boundary: 'Boundary',
  activity: 'Activity',
  method: 'Method',
  factor: 'Factors',
}

const CAUSES: Readonly<Record<Effect, string>> = {
  boundary: 'a change in boundary',
  activity: 'a change in activity',
  method: 'a change in method',
  factor: 'a change in emission factors',
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
  `${share.greaterThan(0) ? '+' : ''}${share.toFixed(1)}%`

/** The finding of a bridge as a sentence: the change and its main cause. */
export function finding({ total, before, after }: Comparison): string {
  const change = changeOf(total)
  if (Number(change) === 0) return `${after.name} and ${before.name} have the same total.`
  const main = EFFECTS.toSorted(
    (one, other) => Math.abs(Number(total[other])) - Math.abs(Number(total[one])),
  )[0]
  const share = shareOf(total)
  const direction = Number(change) > 0 ? 'higher' : 'lower'
  const amount = tonnes(plain(new Figure(change).abs()))
  const percent = share === null ? '' : ` (${share})`
  return `${after.name} is ${amount} t CO2e ${direction} than ${before.name}${percent}, mainly due to ${CAUSES[main ?? 'activity']}.`
}

/** The tone of a bar: a total, an increase or a decrease. */
export function toneOf(isStep: boolean, kg: number): 'sum' | 'more' | 'less' {
  if (!isStep) return 'sum'
  return kg > 0 ? 'more' : 'less'
}
