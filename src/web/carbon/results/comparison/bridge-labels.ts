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

const WORDS: Readonly<Record<Effect, string>> = {
  boundary: 'what counts of the facilities',
  activity: 'how much was used',
  method: 'how it was reckoned',
  factor: 'the factors',
}

/** `from` and `to` in kg: where a bar begins and ends. */
export type BridgeStep = Readonly<{ key: 'before' | Effect | 'after'; kg: string; from: number; to: number }>

/** The bars of a bridge, with the least and the most that any of them reaches; 0 is among them. */
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

/** `after` less `before`, in kg. */
export const changeOf = ({ before, after }: Pick<BridgeLine, 'before' | 'after'>): string =>
  plain(new Figure(after).minus(before))

/** "12.5 %"; null where there was nothing before. */
export function shareOf({ before, after }: Pick<BridgeLine, 'before' | 'after'>): string | null {
  if (Number(before) === 0) return null
  return percentWords(new Figure(after).minus(before).div(before).times(100))
}

/** "+12.5 %" */
export const percentWords = (share: Figure): string =>
  `${share.greaterThan(0) ? '+' : ''}${share.toFixed(1)} %`

/** What the bridge says, in a sentence. */
export function finding({ total, before, after }: Comparison): string {
  const change = changeOf(total)
  if (Number(change) === 0) return `${after.name} comes to the same as ${before.name}.`
  const most = EFFECTS.toSorted(
    (one, other) => Math.abs(Number(total[other])) - Math.abs(Number(total[one])),
  )[0]
  const share = shareOf(total)
  const how = Number(change) > 0 ? 'more' : 'less'
  const amount = tonnes(plain(new Figure(change).abs()))
  const inShare = share === null ? '' : ` (${share})`
  return `${after.name} comes to ${amount} t ${how} than ${before.name}${inShare}; most of it is ${WORDS[most ?? 'activity']}.`
}

/** Of a bar: a sum, or a step up or down. */
export function toneOf(isStep: boolean, kg: number): 'sum' | 'more' | 'less' {
  if (!isStep) return 'sum'
  return kg > 0 ? 'more' : 'less'
}
