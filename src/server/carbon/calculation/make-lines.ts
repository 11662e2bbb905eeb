import { Figure, showFigure } from '#contract/carbon/factors/figure.ts'
import { buy } from './scope2-market.ts'
import { perUnit, type PerUnit } from './per-unit.ts'
import { pickByHand, pickFactor, type Picked } from './pick-factor.ts'
import {
  NO_GROUPS,
  type Purchase,
  type RouteKey,
  type RouteLine,
  type Shelf,
  type Terms,
} from './calculation-line.ts'

/** Results keep it. It counts up whenever the same record would come to another result. */
export const ENGINE_VERSION = 2

type Place = Pick<RouteLine, 'part' | 'scope' | 'method'>

/** Every result that follows from a key: the activity itself, by both methods in scope 2, and what goes with it. */
export function makeRoutes(
  key: RouteKey,
  { terms, shelf, purchase }: { terms: Terms; shelf: Shelf; purchase: Purchase | null },
): RouteLine[] {
  const main = { part: 'main', scope: key.scope, method: null } as const
  if (key.direct !== null) return inBoth(key, measured(key, main, { terms, shelf }))
  const picked =
    key.handFactorId === null ? pickFactor(key, key, terms, shelf) : pickByHand(key, key.handFactorId, shelf)
  const line =
    'problem' in picked ? none(key, main, picked.problem) : reckon(key, main, picked, { terms, shelf })
  const lines =
    key.scope === '2'
      ? [{ ...line, method: 'location' as const }, buy(key, line, { purchase, units: shelf.units })]
      : [line]
  return [...lines, ...outside(key, picked, { terms, shelf }), ...upstream(key, { terms, shelf })]
}

/** What was measured has one figure for both methods. */
function inBoth(key: RouteKey, line: RouteLine): RouteLine[] {
  if (key.scope !== '2') return [line]
  return [
    { ...line, method: 'location' },
    { ...line, method: 'market' },
  ]
}

function none(key: RouteKey, place: Place, problem: string, flags: readonly string[] = []): RouteLine {
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

type With = { terms: Terms; shelf: Shelf }

function reckon(key: RouteKey, place: Place, picked: Picked, { terms, shelf }: With): RouteLine {
  const { factor, multiplier, conversion, flags } = picked
  const one = perUnit(factor, terms.gwpSet, shelf.gwps)
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
    formula: writeFormula(key, picked, one, { terms, shelf }),
    problem: null,
    flags: [...flags, ...one.flags],
  }
}

/** "{quantity} therm x 0.1 mmBtu/therm x (53.06 kg CO2 + ...)/mmBtu{inclusion} = {result}. US EPA ..., Table 1, row ...". */
function writeFormula(
  key: RouteKey,
  { factor, multiplier }: Picked,
  one: PerUnit,
  { terms, shelf }: With,
): string {
  const isSame = key.unit === factor.unit && new Figure(multiplier).equals(1)
  const lead = isSame ? '' : ` x ${showFigure(multiplier, 10)} ${factor.unit}/${key.unit ?? ''}`
  const basis = factor.calorificBasis === null ? '' : ` (${factor.calorificBasis} CV)`
  const citation = shelf.citationOf(factor.id)
  const where = [
    `${factor.publisher}, ${factor.edition}`,
    ...(citation?.table ? [citation.table] : []),
    ...(citation?.rows ? [citation.rows] : []),
  ].join(', ')
  return `{quantity} ${key.unit ?? ''}${lead} x ${one.words}/${factor.unit}${basis}{inclusion} = {result}. ${factor.name}: ${where}. ${terms.gwpSet}.`
}

/** Emissions that were measured are weighed like one unit of a factor made of them. */
function measured(key: RouteKey, place: Place, { terms, shelf }: With): RouteLine {
  const one = perUnit({ gases: [...(key.direct ?? [])] }, terms.gwpSet, shelf.gwps)
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
function outside(key: RouteKey, picked: Picked | { problem: string }, { terms, shelf }: With): RouteLine[] {
  if ('problem' in picked || picked.factor.datasetId === null) return []
  const activity = `outside/${picked.factor.activity.split('/').slice(1).join('/')}`
  const same = shelf.ofActivity(activity).filter(({ datasetId }) => datasetId === picked.factor.datasetId)
  if (same.length === 0) return []
  const beside = pickFactor({ ...key, handFactorId: null }, { activity, scope: 'outside' }, terms, {
    ...shelf,
    ofActivity: () => same,
  })
  const place = { part: 'outside', scope: 'outside', method: null } as const
  return 'problem' in beside
    ? [none(key, place, beside.problem)]
    : [reckon(key, place, beside, { terms, shelf })]
}

const FUELS = /^(combustion|bioenergy|mobile-combustion)\//

/** Category 3 of scope 3: what it took to bring the fuel or the current here. Losses of a grid belong here alone. */
function upstream(key: RouteKey, { terms, shelf }: With): RouteLine[] {
  if (!terms.hasUpstream || (key.scope !== '1' && key.scope !== '2')) return []
  const reckonPart = (part: RouteLine['part'], activity: string): RouteLine => {
    const place = { part, scope: '3.3', method: null }
    const picked = pickFactor(key, { activity, scope: '3.3' }, terms, shelf)
    return 'problem' in picked
      ? none(key, place, picked.problem)
      : reckon(key, place, picked, { terms, shelf })
  }
  if (FUELS.test(key.activity)) return [reckonPart('upstream', `well-to-tank/${key.activity}`)]
  if (key.activity.startsWith('electricity/'))
    return [
      reckonPart('upstream', 'well-to-tank/electricity/generation'),
      reckonPart('losses', 'losses/electricity'),
      reckonPart('upstream_losses', 'well-to-tank/electricity/losses'),
    ]
  return key.activity.startsWith('heat/') ? [reckonPart('losses', 'losses/heat')] : []
}

/** Every activity whose factors a key may ask for. */
export function activitiesOf({ activity }: Pick<RouteKey, 'activity'>): string[] {
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
