import type { FactorRow } from '#contract/carbon/factors/factor-schema.ts'
import type { FactorCandidate, FactorChoice, FactorQuery } from '#contract/carbon/factors/find-factor.ts'
import type { CalorificBasis, ReadUnit, Unit, UnitTable } from '#contract/carbon/factors/unit-table.ts'

export type FactorCriteria = Omit<FactorQuery, 'query' | 'unit'> & {
  /** What the activity is measured in; null: any unit will do. */
  unit: ReadUnit | null
}

type RankedFactor = FactorCandidate & { rank: readonly (number | string)[] }

/**
 * Chooses among factors of the activity and says of each why it fits or not. Null where none fits: nothing stands in
 * for a factor that is missing, neither a figure of the world nor that of another year, unless that was asked for.
 */
export function chooseFactor(
  candidates: readonly FactorRow[],
  wanted: FactorCriteria,
  units: UnitTable,
): Omit<FactorChoice, 'leftOut'> {
  const judged = candidates
    .map((factor) => judge(factor, wanted, units))
    .toSorted((one, other) => compareRanks(one.rank, other.rank))
  const chosen = judged.find(({ fits }) => fits)
  return {
    chosenId: chosen?.factor.id ?? null,
    sentence: chosen === undefined ? describeNone(judged, wanted) : describeChoice(chosen),
    candidates: judged.map(({ factor, fits, reasons, against }) => ({ factor, fits, reasons, against })),
  }
}

function judge(factor: FactorRow, wanted: FactorCriteria, units: UnitTable): RankedFactor {
  const place = placeOf(factor.region, wanted.region)
  const time = timeOf(factor, wanted)
  const unit = unitOf(factor, wanted.unit, units)
  const against = [
    ...(factor.supersededBy === null ? [] : ['It was replaced by a newer row.']),
    ...(factor.use === 'avoided' ? ['It counts avoided emissions and never enters an inventory.'] : []),
    ...place.against,
    ...time.against,
    ...unit.against,
  ]
  const order = wanted.datasetIds.indexOf(factor.datasetId ?? '')
  return {
    factor,
    fits: against.length === 0,
    reasons: [...place.reasons, ...time.reasons, ...unit.reasons, ...ownReasons(factor)],
    against,
    rank: [
      against.length,
      ORIGIN_RANK[factor.origin] - (factor.organizationId === null ? 0 : 1),
      order < 0 ? wanted.datasetIds.length : order,
      place.rank,
      time.rank,
      unit.rank,
      -factor.year,
      factor.name,
      factor.id.padStart(20, '0'),
    ],
  }
}

/** What an organization has of its own comes before what is for all, and that before what was printed for everybody. */
const ORIGIN_RANK: Readonly<Record<FactorRow['origin'], number>> = { own: 1, imported: 2, library: 2 }

function ownReasons({ origin, organizationId }: FactorRow): string[] {
  if (origin !== 'own') return []
  return [organizationId === null ? 'An own factor of the customer.' : 'An own factor of this organization.']
}

/** Whether a factor of a region may stand for an activity in another: the same, a part of it, or anywhere. */
export const isForPlace = (region: string, wanted: string): boolean =>
  placeOf(region, wanted).against.length === 0

type Verdict = { reasons: string[]; against: string[]; rank: number }

function placeOf(region: string, wanted: string): Verdict {
  if (region === wanted) return { reasons: [`For ${wanted}.`], against: [], rank: 0 }
  if (region === 'any') return { reasons: ['The same everywhere.'], against: [], rank: 0 }
  if (wanted.startsWith(`${region}-`))
    return { reasons: [`For ${region} as a whole, of which ${wanted} is a part.`], against: [], rank: 1 }
  return { reasons: [], against: [`For ${region}, not for ${wanted}.`], rank: 2 }
}

function timeOf({ validFrom, validTo, edition }: FactorRow, { date, yearRule }: FactorCriteria): Verdict {
  if (date < validFrom)
    return { reasons: [], against: [`Valid from ${validFrom}, after ${date}.`], rank: 99_999 }
  if (validTo === null || date <= validTo) return { reasons: [`Valid on ${date}.`], against: [], rank: 0 }
  const days = Math.round((Date.parse(date) - Date.parse(validTo)) / 86_400_000)
  if (yearRule === 'latest')
    return {
      reasons: [`The edition ${edition} ended on ${validTo}: the latest there is, taken for ${date}.`],
      against: [],
      rank: days,
    }
  return { reasons: [], against: [`Valid to ${validTo}, before ${date}.`], rank: days }
}

function unitOf(factor: FactorRow, wanted: ReadUnit | null, units: UnitTable): Verdict {
  const own = units.byCode.get(factor.unit)
  if (wanted === null || own === undefined) return { reasons: [`In ${factor.unit}.`], against: [], rank: 0 }
  if (own.dimension !== wanted.unit.dimension || isOtherMoney(own, wanted.unit))
    return {
      reasons: [],
      against: [`In ${factor.unit}, which ${wanted.unit.code} cannot be converted to.`],
      rank: 2,
    }
  const basis = basisProblem(factor.calorificBasis, wanted.basis)
  if (basis !== null) return { reasons: [], against: [basis], rank: 2 }
  return own.code === wanted.unit.code
    ? { reasons: [`In ${own.code} already.`], against: [], rank: 0 }
    : { reasons: [`${wanted.unit.code} are converted to ${own.code}.`], against: [], rank: 1 }
}

const isOtherMoney = (one: Unit, other: Unit) => one.dimension === 'money' && one.code !== other.code

/** A factor by calorific value asks for the same of the activity: a bill that does not say which is not guessed. */
function basisProblem(own: CalorificBasis | null, wanted: CalorificBasis | null): string | null {
  if (own === wanted || own === null) return null
  if (wanted === null) return `It counts ${own} calorific value: say whether the bill does.`
  return `It counts ${own} calorific value, the bill ${wanted}.`
}

function compareRanks(one: readonly (number | string)[], other: readonly (number | string)[]): number {
  for (const [at, mine] of one.entries()) {
    const theirs = other[at] ?? 0
    if (mine !== theirs) return mine < theirs ? -1 : 1
  }
  return 0
}

function describeChoice({ factor, reasons }: RankedFactor): string {
  return `${factor.name}, ${factor.publisher} ${factor.edition}: ${reasons.join(' ')}`
}

function describeNone(judged: readonly RankedFactor[], { region, date }: FactorCriteria): string {
  const [nearest] = judged
  if (nearest === undefined) return 'There is no factor of this activity.'
  return `No factor fits ${region} on ${date}. The nearest is ${nearest.factor.name}, ${nearest.factor.publisher}: ${nearest.against.join(' ')}`
}
