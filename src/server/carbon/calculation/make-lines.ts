import { Figure, showFigure } from '#contract/carbon/factors/figure.ts'
import { buy } from './scope2-market.ts'
import { perUnit, type PerUnit } from './per-unit.ts'
import { pickByHand, pickFactor, type Picked } from './pick-factor.ts'
import {
  NO_GROUPS,
  type Purchase,
  type LineKey,
  type LineTrace,
  type ReferenceData,
  type Terms,
} from './calculation-line.ts'

/** Results keep it. It counts up whenever the same record would come to another result. */
export const ENGINE_VERSION = 2

type FacilitySource = Pick<LineTrace, 'part' | 'scope' | 'method'>

/** Every result that follows from a key: the activity itself, by both methods in scope 2, and what goes with it. */
export function makeCalculationLines(
  key: LineKey,
  { terms, reference, purchase }: { terms: Terms; reference: ReferenceData; purchase: Purchase | null },
): LineTrace[] {
  const main = { part: 'main', scope: key.scope, method: null } as const
  if (key.direct !== null) return inBoth(key, measured(key, main, { terms, reference }))
  const picked =
    key.handFactorId === null
      ? pickFactor(key, key, terms, reference)
      : pickByHand(key, key.handFactorId, reference)
  const line =
    'problem' in picked
      ? none(key, main, picked.problem)
      : calculateEmissions(key, main, picked, { terms, reference })
  const lines =
    key.scope === '2'
      ? [{ ...line, method: 'location' as const }, buy(key, line, { purchase, units: reference.units })]
      : [line]
  return [...lines, ...outside(key, picked, { terms, reference }), ...upstream(key, { terms, reference })]
}

/** What was measured has one figure for both methods. */
function inBoth(key: LineKey, line: LineTrace): LineTrace[] {
  if (key.scope !== '2') return [line]
  return [
    { ...line, method: 'location' },
    { ...line, method: 'market' },
  ]
}

function none(
  key: LineKey,
  place: FacilitySource,
  problem: string,
  flags: readonly string[] = [],
): LineTrace {
  return {
    key: key.key,
    ...place,
    factorId: null,
    multiplier: '1',
    co2e: null,
    groups: NO_GROUPS,
    biogenic: '0',
    other: '0',
    conversion: null,
    formula: null,
    problem,
    flags,
  }
}

type With = { terms: Terms; reference: ReferenceData }

function calculateEmissions(
  key: LineKey,
  place: FacilitySource,
  picked: Picked,
  { terms, reference }: With,
): LineTrace {
  const { factor, multiplier, conversion, flags } = picked
  const one = perUnit(factor, terms.gwpSet, reference.gwps)
  if (one.problem !== null) return none(key, place, one.problem, flags)
  return {
    key: key.key,
    ...place,
    factorId: factor.id,
    multiplier,
    co2e: one.co2e,
    groups: one.groups,
    biogenic: one.biogenic,
    other: one.other,
    conversion,
    formula: writeFormula(key, picked, one, { terms, reference }),
    problem: null,
    flags: [...flags, ...one.flags],
  }
}

/** "{quantity} therm x 0.1 mmBtu/therm x (53.06 kg CO2 + ...)/mmBtu{inclusion} = {result}. US EPA ..., Table 1, row ...". */
function writeFormula(
  key: LineKey,
  { factor, multiplier }: Picked,
  one: PerUnit,
  { terms, reference }: With,
): string {
  const isSame = key.unit === factor.unit && new Figure(multiplier).equals(1)
  const convertToFactorUnit = isSame
    ? ''
    : ` x ${showFigure(multiplier, 10)} ${factor.unit}/${key.unit ?? ''}`
  const basis = factor.calorificBasis === null ? '' : ` (${factor.calorificBasis} CV)`
  const citation = reference.citationOf(factor.id)
  const where = [
    `${factor.publisher}, ${factor.edition}`,
    ...(citation?.table ? [citation.table] : []),
    ...(citation?.rows ? [citation.rows] : []),
  ].join(', ')
  return `{quantity} ${key.unit ?? ''}${convertToFactorUnit} x ${one.words}/${factor.unit}${basis}{inclusion} = {result}. ${factor.name}: ${where}. ${terms.gwpSet}.`
}

/** Emissions that were measured are weighed like one unit of a factor made of them. */
function measured(key: LineKey, place: FacilitySource, { terms, reference }: With): LineTrace {
  const one = perUnit({ gases: [...(key.direct ?? [])] }, terms.gwpSet, reference.gwps)
  if (one.problem !== null) return none(key, place, one.problem)
  return {
    ...none(key, place, ''),
    problem: null,
    co2e: one.co2e,
    groups: one.groups,
    biogenic: one.biogenic,
    other: one.other,
    formula: `Measured: {quantity} of ${one.words}{inclusion} = {result}. ${terms.gwpSet}.`,
    flags: ['direct', ...one.flags],
  }
}

/**
 * CO2 of plants that the publisher prints apart from the fuel. Only of the edition that gave the fuel: two editions
 * side by side would not be one figure.
 */
function outside(
  key: LineKey,
  picked: Picked | { problem: string },
  { terms, reference }: With,
): LineTrace[] {
  if ('problem' in picked || picked.factor.datasetId === null) return []
  const activity = `outside/${picked.factor.activity.split('/').slice(1).join('/')}`
  const same = reference.ofActivity(activity).filter(({ datasetId }) => datasetId === picked.factor.datasetId)
  if (same.length === 0) return []
  const beside = pickFactor({ ...key, handFactorId: null }, { activity, scope: 'outside' }, terms, {
    ...reference,
    ofActivity: () => same,
  })
  const place = { part: 'outside', scope: 'outside', method: null } as const
  return 'problem' in beside
    ? [none(key, place, beside.problem)]
    : [calculateEmissions(key, place, beside, { terms, reference })]
}

const FUELS = /^(combustion|bioenergy|mobile-combustion)\//

/** Category 3 of scope 3: what it took to bring the fuel or the current here. Losses of a grid belong here alone. */
function upstream(key: LineKey, { terms, reference }: With): LineTrace[] {
  if (!terms.hasUpstream || (key.scope !== '1' && key.scope !== '2')) return []
  const calculatePart = (part: LineTrace['part'], activity: string): LineTrace => {
    const place = { part, scope: '3.3', method: null }
    const picked = pickFactor(key, { activity, scope: '3.3' }, terms, reference)
    return 'problem' in picked
      ? none(key, place, picked.problem)
      : calculateEmissions(key, place, picked, { terms, reference })
  }
  if (FUELS.test(key.activity)) return [calculatePart('upstream', `well-to-tank/${key.activity}`)]
  if (key.activity.startsWith('electricity/'))
    return [
      calculatePart('upstream', 'well-to-tank/electricity/generation'),
      calculatePart('losses', 'losses/electricity'),
      calculatePart('upstream_losses', 'well-to-tank/electricity/losses'),
    ]
  return key.activity.startsWith('heat/') ? [calculatePart('losses', 'losses/heat')] : []
}

/** Every activity whose factors a key may ask for. */
export function activitiesOf({ activity }: Pick<LineKey, 'activity'>): string[] {
  return [
    activity,
    `outside/${activity.split('/').slice(1).join('/')}`,
    `well-to-tank/${activity}`,
    ...(activity.startsWith('electricity/')
      ? ['losses/electricity', 'well-to-tank/electricity/generation', 'well-to-tank/electricity/losses']
      : []),
    ...(activity.startsWith('heat/') ? ['losses/heat'] : []),
  ]
}
