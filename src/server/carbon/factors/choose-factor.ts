import type { FactorRow } from '#contract/carbon/factors/factor-schema.ts'
import type { FactorCandidate, FactorChoice, FactorQuery } from '#contract/carbon/factors/find-factor.ts'
import type { CalorificBasis, ReadUnit, Unit, UnitTable } from '#contract/carbon/factors/unit-table.ts'

export type FactorCriteria = Omit<FactorQuery, 'query' | 'unit'> & {
  /** Unit of the activity; null: any unit is accepted. */
  unit: ReadUnit | null
}

type RankedFactor = FactorCandidate & { rank: readonly (number | string)[] }

/**
 * Picks a factor among those of the activity, and explains for each why it matches or not. Returns null if none matches: a
 * missing factor is never replaced by a global or other year's factor unless the query allows it.
 */
export function chooseFactor(
  candidates: readonly FactorRow[],
  criteria: FactorCriteria,
  units: UnitTable,
): Omit<FactorChoice, 'leftOut'> {
  const ranked = candidates
    .map((factor) => rank(factor, criteria, units))
    .toSorted((one, other) => compareRanks(one.rank, other.rank))
  const chosen = ranked.find(({ fits }) => fits)
  const [rival] = chosen === undefined ? [] : ranked.filter((one) => one !== chosen && areRivals(one, chosen))
  if (rival !== undefined) chosen?.reasons.push(`Entered after ${rival.factor.name}, which matches too.`)
  return {
    chosenId: chosen?.factor.id ?? null,
    sentence: chosen === undefined ? describeNone(ranked, criteria) : describeChoice(chosen),
    candidates: ranked.map(({ factor, fits, reasons, against }) => ({ factor, fits, reasons, against })),
  }
}

/** Two custom factors of the same reach that match equally well. */
const areRivals = (one: RankedFactor, other: RankedFactor): boolean =>
  one.fits &&
  one.factor.origin === 'own' &&
  one.factor.organizationId === other.factor.organizationId &&
  one.rank.slice(0, RANKS_OF_MATCH).every((mine, at) => mine === other.rank[at])

/** How many ranks say how well a factor matches; the others only put equal ones in order. */
const RANKS_OF_MATCH = 6

function rank(factor: FactorRow, criteria: FactorCriteria, units: UnitTable): RankedFactor {
  const place = placeOf(factor.region, criteria.region)
  const time = timeOf(factor, criteria)
  const unit = unitOf(factor, criteria.unit, units)
  const against = [
    ...(factor.supersededBy === null ? [] : ['Replaced by a newer version.']),
    ...(factor.use === 'avoided' ? ['For avoided emissions only, not for inventories.'] : []),
    ...place.against,
    ...time.against,
    ...unit.against,
  ]
  const order = criteria.datasetIds.indexOf(factor.datasetId ?? '')
  return {
    factor,
    fits: against.length === 0,
    reasons: [...place.reasons, ...time.reasons, ...unit.reasons, ...ownReasons(factor)],
    against,
    rank: [
      against.length,
      ORIGIN_RANK[factor.origin] - (factor.organizationId === null ? 0 : 1),
      order < 0 ? criteria.datasetIds.length : order,
      place.rank,
      time.rank,
      unit.rank,
      // Of two custom factors for the same records, the one that was entered last applies.
      factor.origin === 'own' ? -Number(factor.id) : 0,
      -factor.year,
      factor.name,
      factor.id.padStart(20, '0'),
    ],
  }
}

/** Factors of the organization come first, then those of the customer, then published ones. */
const ORIGIN_RANK: Readonly<Record<FactorRow['origin'], number>> = { own: 1, imported: 2, library: 2 }

function ownReasons({ origin, organizationId }: FactorRow): string[] {
  if (origin !== 'own') return []
  return [
    organizationId === null ? 'Custom factor for all organizations.' : 'Custom factor of this organization.',
  ]
}

/** Whether a factor of one region can be used in another: the same region, a part of it, or a factor for any region. */
export const isForPlace = (region: string, target: string): boolean =>
  placeOf(region, target).against.length === 0

type Verdict = { reasons: string[]; against: string[]; rank: number }

function placeOf(region: string, target: string): Verdict {
  if (region === target) return { reasons: [`For ${target}.`], against: [], rank: 0 }
  if (region === 'any') return { reasons: ['For any region.'], against: [], rank: 0 }
  if (target.startsWith(`${region}-`))
    return { reasons: [`For all of ${region}, which includes ${target}.`], against: [], rank: 1 }
  return { reasons: [], against: [`For ${region}, not for ${target}.`], rank: 2 }
}

/** A published factor may be used until its next edition; the last day of a custom factor is the user's decision. */
function timeOf(
  { validFrom, validTo, edition, origin }: FactorRow,
  { date, yearRule }: FactorCriteria,
): Verdict {
  if (date < validFrom)
    return { reasons: [], against: [`Valid from ${validFrom}, after ${date}.`], rank: 99_999 }
  if (validTo === null || date <= validTo) return { reasons: [`Valid on ${date}.`], against: [], rank: 0 }
  const days = Math.round((Date.parse(date) - Date.parse(validTo)) / 86_400_000)
  if (yearRule === 'latest' && origin !== 'own')
    return {
      reasons: [`Edition ${edition}, valid to ${validTo}, is the latest available for ${date}.`],
      against: [],
      rank: days,
    }
  return { reasons: [], against: [`Valid to ${validTo}, before ${date}.`], rank: days }
}

function unitOf(factor: FactorRow, target: ReadUnit | null, units: UnitTable): Verdict {
  const own = units.byCode.get(factor.unit)
  if (target === null || own === undefined) return { reasons: [`In ${factor.unit}.`], against: [], rank: 0 }
  if (own.dimension !== target.unit.dimension || isOtherMoney(own, target.unit))
    return {
      reasons: [],
      against: [`${target.unit.code} can't be converted to the factor's unit, ${factor.unit}.`],
      rank: 2,
    }
  const basis = basisProblem(factor.calorificBasis, target.basis)
  if (basis !== null) return { reasons: [], against: [basis], rank: 2 }
  return own.code === target.unit.code
    ? { reasons: [`In ${own.code}.`], against: [], rank: 0 }
    : { reasons: [`${target.unit.code} is converted to ${own.code}.`], against: [], rank: 1 }
}

const isOtherMoney = (one: Unit, other: Unit) => one.dimension === 'money' && one.code !== other.code

/** A factor with a calorific basis requires the same basis of the bill. A missing basis isn't guessed. */
function basisProblem(own: CalorificBasis | null, target: CalorificBasis | null): string | null {
  if (own === target || own === null) return null
  if (target === null) return `For ${own} calorific value. Choose the calorific value of the bill.`
  return `For ${own} calorific value, but the bill is in ${target}.`
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

function describeNone(ranked: readonly RankedFactor[], { region, date }: FactorCriteria): string {
  const [nearest] = ranked
  if (nearest === undefined) return 'This activity has no emission factor.'
  return `No factor matches ${region} on ${date}. The closest is ${nearest.factor.name}, ${nearest.factor.publisher}: ${nearest.against.join(' ')}`
}
