import type { Boundary, FactorRow } from '#contract/carbon/factors/factor-schema.ts'
import { showFigure } from '#contract/carbon/factors/figure.ts'
import type { Resolved } from '#contract/carbon/factors/resolve.ts'

export const BOUNDARY_NAMES: Readonly<Record<Boundary, string>> = {
  ttw: 'Combustion (tank-to-wheel)',
  wtt: 'Fuel production and transport (well-to-tank)',
  generation: 'Generation',
  'td-loss': 'Transmission and distribution losses',
  'waste-treatment': 'Waste treatment',
  fugitive: 'Fugitive emissions',
  supply: 'Supply',
  'cradle-to-gate': 'Cradle-to-gate',
  lifecycle: 'Full life cycle',
}

export const ORIGIN_NAMES: Readonly<Record<FactorRow['origin'], string>> = {
  library: 'Library',
  own: 'Custom',
  imported: 'Imported',
}

/** "Scope 1", "Scope 3.4, 3.9", "Outside of scopes". */
export function showScopes(scopes: readonly string[]): string {
  const numbered = scopes.filter((scope) => scope !== 'outside')
  const words = numbered.length === 0 ? [] : [`Scope ${numbered.join(', ')}`]
  return [...words, ...(scopes.includes('outside') ? ['Outside of scopes'] : [])].join(', ')
}

/** "kWh, gross". */
export function showUnit({ unit, calorificBasis }: Pick<FactorRow, 'unit' | 'calorificBasis'>): string {
  return calorificBasis === null ? unit : `${unit}, ${calorificBasis}`
}

/** "2025-01-01 to 2025-12-31", "from 2007-01-01". */
export function showValidity({ validFrom, validTo }: Pick<FactorRow, 'validFrom' | 'validTo'>): string {
  return validTo === null ? `from ${validFrom}` : `${validFrom} to ${validTo}`
}

/** "CO2, biogenic". */
export const showGas = ({ gas, isBiogenic }: { gas: string; isBiogenic: boolean }): string =>
  isBiogenic ? `${gas}, biogenic` : gas

/** The emissions of one unit, a line per gas: "1 mmBtu x 0.001 kg CH4 x 28 (AR5) = 0.028 kg CO2e". */
export function formulaOf(factor: Pick<FactorRow, 'unit'>, { gwpSet, gases }: Resolved): string[] {
  const unit = `1 ${factor.unit}`
  return gases.map((row) => {
    const kg = showFigure(row.kg)
    if (row.place === 'biogenic') return `${unit} x ${kg} kg CO2, biogenic: outside scopes`
    if (row.place === 'part') return `of which ${showGas(row)}: ${kg} kg CO2e, not added again`
    if (row.place === 'unknown') return `${unit} x ${kg} kg ${row.gas}: no GWP in ${gwpSet}`
    if (row.basis === 'co2e') {
      const of = row.gas === 'CO2e' ? '' : ` of ${showGas(row)}`
      return `${unit} x ${kg} kg CO2e${of}, as published`
    }
    const gwp = row.gas === 'CO2' ? '' : ` x ${showFigure(row.gwp ?? '0')} (${gwpSet})`
    const where = row.place === 'other' ? ', outside scopes: not a Kyoto Protocol gas' : ''
    return `${unit} x ${kg} kg ${row.gas}${gwp} = ${showFigure(row.co2e ?? '0')} kg CO2e${where}`
  })
}
