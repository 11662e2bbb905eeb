import type { RowFactor } from '#contract/carbon/activity/activity.ts'
import type { FactorCandidate } from '#contract/carbon/factors/find-factor.ts'
import type { FactorRow } from '#contract/carbon/factors/factor-schema.ts'
import { chooseFactor } from '../factors/choose-factor.ts'
import { isOfScope, convertToFactorUnit, pickManually, pickFactor } from './pick-factor.ts'
import type { LineKey, ReferenceData, Terms } from './calculation-line.ts'

/** The most factors in the list. */
const MOST_LISTED = 25

type CalculationContext = { terms: Terms; reference: ReferenceData }
type FactorChoice = { rowFactorId: string | null; sourceFactorId: string | null }

/**
 * Why a row uses its factor, and which others it could use, with the reasons for and against each. The factor the rules
 * would pick is included even if a user chose another one.
 */
export function listFactors(
  key: LineKey,
  { rowFactorId, sourceFactorId }: FactorChoice,
  { terms, reference }: CalculationContext,
): RowFactor {
  const manualId = rowFactorId ?? sourceFactorId
  const byRules = pickFactor({ ...key, manualFactorId: null }, key, terms, reference)
  const picked = manualId === null ? byRules : pickManually(key, manualId, reference)
  const automaticId = 'problem' in byRules ? null : byRules.factor.id
  const chosenId = 'problem' in picked ? null : picked.factor.id
  const manual = manualId === null ? undefined : reference.byId(manualId)
  const found = reference.ofActivity(key.activity).filter((factor) => isOfScope(factor, key.scope))
  const all = manual === undefined || found.some(({ id }) => id === manual.id) ? found : [manual, ...found]
  const ranked = rankForRow(all, key, { terms, reference })
  const rankOf = ({ factor, fits }: FactorCandidate): number => {
    if (factor.id === chosenId) return 0
    return fits ? 1 : 2
  }
  const candidates = ranked.toSorted((one, other) => rankOf(one) - rankOf(other))
  const why = ranked.find(({ factor }) => factor.id === chosenId)
  return {
    by: chooser(rowFactorId, sourceFactorId),
    chosenId,
    automaticId,
    sentence: 'problem' in picked ? picked.problem : describeReason(picked.factor, why?.reasons ?? []),
    candidates: candidates.slice(0, MOST_LISTED),
    leftOut: Math.max(0, candidates.length - MOST_LISTED),
  }
}

/** Why a factor chosen for one row doesn't match its region or days; null if it does. */
export function findMismatch(
  factor: FactorRow,
  { region, day }: { region: string; day: string },
  { terms, reference }: CalculationContext,
): string | null {
  const criteria = { region, date: day, yearRule: terms.yearRule, datasetIds: [], unit: null }
  const [candidate] = chooseFactor([factor], criteria, reference.units).candidates
  return candidate === undefined || candidate.fits ? null : candidate.against.join(' ')
}

const chooser = (row: string | null, source: string | null): RowFactor['by'] => {
  if (row !== null) return 'row'
  return source === null ? 'rules' : 'source'
}

const describeReason = ({ name, publisher, edition }: FactorRow, reasons: readonly string[]): string =>
  `${name}, ${publisher} ${edition}: ${reasons.join(' ')}`

/** Factors for a row, best first: by region and days, and by whether its unit can be converted. */
function rankForRow(
  factors: readonly FactorRow[],
  key: LineKey,
  { terms, reference }: CalculationContext,
): FactorCandidate[] {
  const { region } = key
  const criteria = {
    region: region ?? '',
    date: key.day,
    yearRule: terms.yearRule,
    datasetIds: [...terms.datasetIds],
    unit: null,
  }
  return chooseFactor(factors, criteria, reference.units).candidates.map((candidate) => {
    const { factor } = candidate
    const converted = convertToFactorUnit(key, factor, { flags: [], reference })
    const against = [
      ...(region === null ? ['The facility has no country.'] : candidate.against),
      ...(isOfScope(factor, key.scope)
        ? []
        : [`For scope ${factor.scopes.join(', ')}, not for ${key.scope}.`]),
      ...('problem' in converted ? [converted.problem] : []),
    ]
    const reasons =
      'problem' in converted
        ? candidate.reasons
        : [...candidate.reasons.filter(isOther(factor)), `Unit: ${converted.conversion}.`]
    return { factor, reasons, against, fits: against.length === 0 }
  })
}

/** "In mmBtu." is left out, because the conversion says more. */
const isOther =
  ({ unit }: FactorRow) =>
  (reason: string): boolean =>
    reason !== `In ${unit}.`
