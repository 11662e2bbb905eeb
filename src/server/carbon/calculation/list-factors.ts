import type { RowFactor } from '#contract/carbon/activity/activity.ts'
import type { FactorCandidate } from '#contract/carbon/factors/find-factor.ts'
import type { FactorRow } from '#contract/carbon/factors/factor-schema.ts'
import { chooseFactor } from '../factors/choose-factor.ts'
import { isOfScope, convertToFactorUnit, pickByHand, pickFactor } from './pick-factor.ts'
import type { LineKey, ReferenceData, Terms } from './calculation-line.ts'

/** So many are told. */
const MOST_TOLD = 25

type With = { terms: Terms; reference: ReferenceData }
type FactorChoice = { rowFactorId: string | null; sourceFactorId: string | null }

/**
 * Why a row takes its factor, and which others it may take: each with what speaks for it, or against. The one that the
 * rules take is told beside one that a person chose.
 */
export function listFactors(
  key: LineKey,
  { rowFactorId, sourceFactorId }: FactorChoice,
  { terms, reference }: With,
): RowFactor {
  const handId = rowFactorId ?? sourceFactorId
  const byRules = pickFactor({ ...key, handFactorId: null }, key, terms, reference)
  const picked = handId === null ? byRules : pickByHand(key, handId, reference)
  const automaticId = 'problem' in byRules ? null : byRules.factor.id
  const chosenId = 'problem' in picked ? null : picked.factor.id
  const hand = handId === null ? undefined : reference.byId(handId)
  const found = reference.ofActivity(key.activity).filter((factor) => isOfScope(factor, key.scope))
  const all = hand === undefined || found.some(({ id }) => id === hand.id) ? found : [hand, ...found]
  const judged = judgeForRow(all, key, { terms, reference })
  const rankOf = ({ factor, fits }: FactorCandidate): number => {
    if (factor.id === chosenId) return 0
    return fits ? 1 : 2
  }
  const candidates = judged.toSorted((one, other) => rankOf(one) - rankOf(other))
  const why = judged.find(({ factor }) => factor.id === chosenId)
  return {
    by: chooser(rowFactorId, sourceFactorId),
    chosenId,
    automaticId,
    sentence: 'problem' in picked ? picked.problem : describeReason(picked.factor, why?.reasons ?? []),
    candidates: candidates.slice(0, MOST_TOLD),
    leftOut: Math.max(0, candidates.length - MOST_TOLD),
  }
}

/** What speaks against a factor that a person chose for one row: its place or its days. Null where nothing does. */
export function whyNot(
  factor: FactorRow,
  { region, day }: { region: string; day: string },
  { terms, reference }: With,
): string | null {
  const wanted = { region, date: day, yearRule: terms.yearRule, datasetIds: [], unit: null }
  const [judged] = chooseFactor([factor], wanted, reference.units).candidates
  return judged === undefined || judged.fits ? null : judged.against.join(' ')
}

const chooser = (row: string | null, source: string | null): RowFactor['by'] => {
  if (row !== null) return 'row'
  return source === null ? 'rules' : 'source'
}

const describeReason = ({ name, publisher, edition }: FactorRow, reasons: readonly string[]): string =>
  `${name}, ${publisher} ${edition}: ${reasons.join(' ')}`

/** Factors as a row sees them, best first: by place and days, and by whether its unit leads to theirs. */
function judgeForRow(
  factors: readonly FactorRow[],
  key: LineKey,
  { terms, reference }: With,
): FactorCandidate[] {
  const { region } = key
  const wanted = {
    region: region ?? '',
    date: key.day,
    yearRule: terms.yearRule,
    datasetIds: [...terms.datasetIds],
    unit: null,
  }
  return chooseFactor(factors, wanted, reference.units).candidates.map((candidate) => {
    const { factor } = candidate
    const led = convertToFactorUnit(key, factor, { flags: [], reference })
    const against = [
      ...(region === null ? ['The country of the facility is not known.'] : candidate.against),
      ...(isOfScope(factor, key.scope)
        ? []
        : [`It is of scope ${factor.scopes.join(', ')}, not of ${key.scope}.`]),
      ...('problem' in led ? [led.problem] : []),
    ]
    const reasons =
      'problem' in led
        ? candidate.reasons
        : [...candidate.reasons.filter(isOther(factor)), `Unit: ${led.conversion}.`]
    return { factor, reasons, against, fits: against.length === 0 }
  })
}

/** "In mmBtu." says less than how the bill's unit leads there. */
const isOther =
  ({ unit }: FactorRow) =>
  (reason: string): boolean =>
    reason !== `In ${unit}.`
