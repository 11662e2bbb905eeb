import { Figure, plain, showFigure } from '#contract/carbon/factors/figure.ts'
import { GAS_GROUPS, type GasGroup } from '#contract/carbon/activity/ledger-schema.ts'
import { resolve, type FactorGas, type GwpSet, type GwpValue } from '#contract/carbon/factors/resolve.ts'
import { NO_GROUPS, type LineTrace } from './calculation-line.ts'

export type PerUnit = Pick<LineTrace, 'co2e' | 'groups' | 'biogenic' | 'other'> & {
  /** "(53.06 kg CO2 + 0.001 kg CH4 x 28)". */
  expression: string
  flags: string[]
  problem: string | null
}

/**
 * Emissions per unit of a factor in kg CO2e with the inventory's GWP set, by gas group. If there is a published total, its
 * parts divide it and aren't added to it; the remainder is undivided.
 */
export function perUnit(
  factor: { gases: readonly FactorGas[] },
  gwpSet: GwpSet,
  gwps: readonly GwpValue[],
): PerUnit {
  const resolved = resolve(factor, gwpSet, gwps)
  const hasTotal = resolved.gases.some(({ gas }) => gas === 'CO2e')
  const sums = new Map<GasGroup, Figure>()
  for (const row of resolved.gases) {
    const isDivided = row.place === (hasTotal ? 'part' : 'scope') && row.co2e !== null && row.gas !== 'CO2e'
    if (!isDivided) continue
    const group = groupOf(row.gas)
    sums.set(group, (sums.get(group) ?? new Figure(0)).plus(row.co2e ?? 0))
  }
  if (hasTotal) {
    const divided = [...sums.values()].reduce((sum, one) => sum.plus(one), new Figure(0))
    const rest = new Figure(resolved.co2e ?? 0).minus(divided)
    if (!rest.isZero()) sums.set('undivided', rest)
  }
  const unknown = resolved.gases.filter(({ place }) => place === 'unknown').map(({ gas }) => gas)
  const groups = Object.fromEntries(GAS_GROUPS.map((group) => [group, sums.get(group)]))
  return {
    co2e: resolved.co2e,
    groups: { ...NO_GROUPS, ...mapFigures(groups) },
    biogenic: resolved.biogenicCo2,
    other: resolved.otherCo2e,
    expression: describeGases(resolved.gases),
    flags: [
      ...(resolved.isFixed ? ['fixed'] : []),
      ...(resolved.gases.some(({ otherGwp }) => otherGwp !== null) ? ['gwp-choice'] : []),
    ],
    problem: unknown.length === 0 ? null : `There is no ${gwpSet} GWP for ${unknown.join(' and ')}.`,
  }
}

function mapFigures(figures: Readonly<Record<string, Figure | undefined>>): Record<string, string | null> {
  return Object.fromEntries(
    Object.entries(figures).map(([name, figure]) => [name, figure === undefined ? null : plain(figure)]),
  )
}

const NAMED: Readonly<Record<string, GasGroup>> = {
  CO2: 'co2',
  CH4: 'ch4',
  'CH4 fossil': 'ch4',
  N2O: 'n2o',
  SF6: 'sf6',
  NF3: 'nf3',
}

function groupOf(gas: string): GasGroup {
  const named = NAMED[gas]
  if (named !== undefined) return named
  if (gas.startsWith('HFC')) return 'hfc'
  return gas.startsWith('PFC') ? 'pfc' : 'undivided'
}

type ResolvedGas = ReturnType<typeof resolve>['gases'][number]

function describeGases(gases: readonly ResolvedGas[]): string {
  const counted = gases.filter(({ place }) => place === 'scope').map(describeGas)
  const biogenic = gases
    .filter(({ place }) => place === 'biogenic')
    .map(({ kg }) => `${showFigure(kg, 12)} kg biogenic CO2 outside the scopes`)
  const sum = counted.length === 1 ? counted.join('') : `(${counted.join(' + ')})`
  return [...(counted.length === 0 ? ['0 kg CO2e'] : [sum]), ...biogenic].join(', ')
}

function describeGas({ gas, kg, basis, gwp, otherGwp }: ResolvedGas): string {
  const figure = showFigure(kg, 12)
  if (gas === 'CO2e') return `${figure} kg CO2e`
  if (basis === 'co2e') return `${figure} kg CO2e of ${gas}`
  if (gas === 'CO2') return `${figure} kg CO2`
  const other = otherGwp === null ? '' : ` (elsewhere ${showFigure(otherGwp, 12)})`
  return `${figure} kg ${gas} x ${showFigure(gwp ?? '0', 12)}${other}`
}
