import { Figure, showFigure } from '#contract/carbon/factors/figure.ts'
import { type GwpSet, needsGwpSet } from '#contract/carbon/factors/resolve.ts'
import { applyInstruments } from './scope2-market.ts'
import { perUnit, type PerUnit } from './per-unit.ts'
import { pickManually, pickFactor, type Picked } from './pick-factor.ts'
import {
  NO_GROUPS,
  type Purchase,
  type LineKey,
  type LineTrace,
  type ReferenceData,
  type Terms,
} from './calculation-line.ts'

/** Stored with each result. Increase it whenever the same record would get another result. */
export const ENGINE_VERSION = 5

type FacilitySource = Pick<LineTrace, 'part' | 'scope' | 'method'>

/** All calculation lines of a key: the activity itself, by both methods for scope 2, and everything upstream. */
export function makeCalculationLines(
  key: LineKey,
  { terms, reference, purchase }: { terms: Terms; reference: ReferenceData; purchase: Purchase | null },
): LineTrace[] {
  const main = { part: 'main', scope: key.scope, method: null } as const
  if (key.direct !== null) return forBothMethods(key, measured(key, main, { terms, reference }))
  const picked =
    key.manualFactorId === null
      ? pickFactor(key, key, terms, reference)
      : pickManually(key, key.manualFactorId, reference)
  const line =
    'problem' in picked
      ? withoutResult(key, main, picked.problem)
      : calculateEmissions(key, main, picked, { terms, reference })
  const lines =
    key.scope === '2'
      ? [
          { ...line, method: 'location' as const },
          applyInstruments(key, line, { purchase, units: reference.units }),
        ]
      : [line]
  return [...lines, ...outside(key, picked, { terms, reference }), ...upstream(key, { terms, reference })]
}

/** Measured emissions are the same for both methods. */
function forBothMethods(key: LineKey, line: LineTrace): LineTrace[] {
  if (key.scope !== '2') return [line]
  return [
    { ...line, method: 'location' },
    { ...line, method: 'market' },
  ]
}

function withoutResult(
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

type CalculationContext = { terms: Terms; reference: ReferenceData }

function calculateEmissions(
  key: LineKey,
  place: FacilitySource,
  picked: Picked,
  { terms, reference }: CalculationContext,
): LineTrace {
  const { factor, multiplier, conversion, flags } = picked
  const one = perUnit(factor, terms.gwpSet, reference.gwps)
  if (one.problem !== null) return withoutResult(key, place, one.problem, flags)
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
    flags: [...flags, ...one.flags, ...gwpFlags(factor, one, { terms, reference })],
  }
}

/** `gwp-other`, `gwp-not-stated`: figures in CO2e whose GWPs aren't, or may not be, those of the inventory. */
function gwpFlags(
  { id, gases }: Picked['factor'],
  { co2e }: PerUnit,
  { terms, reference }: CalculationContext,
): string[] {
  if (!needsGwpSet(gases) || new Figure(co2e ?? 0).isZero()) return []
  const published = reference.citationOf(id)?.gwpSet ?? null
  if (published === null) return ['gwp-not-stated']
  return published === terms.gwpSet ? [] : ['gwp-other']
}

/**
 * "{quantity} therm x 0.1 mmBtu/therm x (53.06 kg CO2 + ...)/mmBtu{inclusion} = {result}. US EPA ..., Table 1, row ...".
 * It ends with the GWPs that were used, and says which properties of a fuel a conversion is based on.
 */
function writeFormula(
  key: LineKey,
  { factor, multiplier, conversion: how, flags }: Picked,
  one: PerUnit,
  { terms, reference }: CalculationContext,
): string {
  const isSame = key.unit === factor.unit && new Figure(multiplier).equals(1)
  const conversion = isSame ? '' : ` x ${showFigure(multiplier, 10)} ${factor.unit}/${key.unit ?? ''}`
  const basis = factor.calorificBasis === null ? '' : ` (${factor.calorificBasis} CV)`
  const citation = reference.citationOf(factor.id)
  const where = [
    `${factor.publisher}, ${factor.edition}`,
    ...(citation?.table ? [citation.table] : []),
    ...(citation?.rows ? [citation.rows] : []),
  ].join(', ')
  const converted = flags.includes('fuel') ? ` Converted ${how}.` : ''
  const gwps = describeGwps(one, { used: terms.gwpSet, published: citation?.gwpSet ?? null })
  return `{quantity} ${key.unit ?? ''}${conversion} x ${one.expression}/${factor.unit}${basis}{inclusion} = {result}. ${factor.name}: ${where}.${converted} ${gwps}`
}

/** The GWPs behind a figure: of the inventory's set, or those that its publisher applied before publishing it in CO2e. */
function describeGwps(
  { flags }: PerUnit,
  { used, published }: { used: GwpSet; published: string | null },
): string {
  if (!flags.includes('fixed')) return `${used}.`
  if (published === null) return 'Published in CO2e, GWP set not stated.'
  const words = `Published in CO2e with ${published} GWPs`
  return published === used ? `${words}.` : `${words}; this inventory uses ${used}.`
}

/** Measured emissions are treated like one unit of a factor with these gases. */
function measured(key: LineKey, place: FacilitySource, { terms, reference }: CalculationContext): LineTrace {
  const one = perUnit({ gases: [...(key.direct ?? [])] }, terms.gwpSet, reference.gwps)
  if (one.problem !== null) return withoutResult(key, place, one.problem)
  return {
    ...withoutResult(key, place, ''),
    problem: null,
    co2e: one.co2e,
    groups: one.groups,
    biogenic: one.biogenic,
    other: one.other,
    formula: `Measured: {quantity} of ${one.expression}{inclusion} = {result}. ${one.flags.includes('fixed') ? 'Measured in CO2e' : terms.gwpSet}.`,
    flags: ['direct', ...one.flags],
  }
}

/**
 * Biogenic CO2 that the publisher lists separately from the fuel. Only from the same edition as the fuel: values of two
 * editions must not be combined.
 */
function outside(
  key: LineKey,
  picked: Picked | { problem: string },
  { terms, reference }: CalculationContext,
): LineTrace[] {
  if ('problem' in picked || picked.factor.datasetId === null) return []
  const activity = `outside/${picked.factor.activity.split('/').slice(1).join('/')}`
  const same = reference.ofActivity(activity).filter(({ datasetId }) => datasetId === picked.factor.datasetId)
  if (same.length === 0) return []
  const biogenic = pickFactor({ ...key, manualFactorId: null }, { activity, scope: 'outside' }, terms, {
    ...reference,
    ofActivity: () => same,
  })
  const place = { part: 'outside', scope: 'outside', method: null } as const
  return 'problem' in biogenic
    ? [withoutResult(key, place, biogenic.problem)]
    : [calculateEmissions(key, place, biogenic, { terms, reference })]
}

const FUELS = /^(combustion|bioenergy|mobile-combustion)\//

/** Scope 3 category 3: upstream emissions of fuels and energy. T&D losses belong only here. */
function upstream(key: LineKey, { terms, reference }: CalculationContext): LineTrace[] {
  if (!terms.hasUpstream || (key.scope !== '1' && key.scope !== '2')) return []
  const calculatePart = (part: LineTrace['part'], activity: string): LineTrace => {
    const place = { part, scope: '3.3', method: null }
    const picked = pickFactor(key, { activity, scope: '3.3' }, terms, reference)
    return 'problem' in picked
      ? withoutResult(key, place, picked.problem)
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

/** All activities whose factors a key may need. */
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
