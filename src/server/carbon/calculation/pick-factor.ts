import { convert } from '#contract/carbon/factors/convert.ts'
import { Figure, plain, showFigure } from '#contract/carbon/factors/figure.ts'
import type { FactorRow } from '#contract/carbon/factors/factor-schema.ts'
import type { FuelProperty, UnitTable } from '#contract/carbon/factors/unit-table.ts'
import { chooseFactor } from '../factors/choose-factor.ts'
import type { LineKey, ReferenceData, Terms } from './calculation-line.ts'

export type Picked = { factor: FactorRow; multiplier: string; conversion: string; flags: string[] }
type ActivityQuery = { activity: string; scope: string }

/**
 * The factor for a key and the conversion to its unit, picked by date, region and scope. A missing factor is never
 * replaced by another one.
 */
export function pickFactor(
  key: LineKey,
  { activity, scope }: ActivityQuery,
  terms: Terms,
  reference: ReferenceData,
): Picked | { problem: string } {
  const candidates = reference.ofActivity(activity).filter((factor) => isOfScope(factor, scope))
  const { region } = key
  if (candidates.length === 0) return { problem: `No emission factor for ${activity} in scope ${scope}.` }
  if (region === null) return { problem: 'The facility has no country.' }
  const unit = reference.units.byCode.get(key.unit ?? '')
  if (unit === undefined) return { problem: `Unknown unit “${key.unit ?? ''}”.` }
  const criteria = { region, date: key.day, yearRule: terms.yearRule, datasetIds: [...terms.datasetIds] }
  const choice = chooseFactor(candidates, { ...criteria, unit: { unit, basis: key.basis } }, reference.units)
  const chosen = candidates.find(({ id }) => id === choice.chosenId)
  if (chosen !== undefined)
    return convertToFactorUnit(key, chosen, { flags: flagsOf(chosen, key), reference })
  // Cubic feet of gas, or fuel properties, may convert to a factor in another unit or calorific value.
  const anyUnit = chooseFactor(candidates, { ...criteria, unit: null }, reference.units)
  if (anyUnit.chosenId === null) return { problem: anyUnit.sentence }
  const converted = anyUnit.candidates
    .filter(({ fits }) => fits)
    .map(({ factor }) => convertToFactorUnit(key, factor, { flags: flagsOf(factor, key), reference }))
  const usable = converted.filter((one) => 'factor' in one)
  return leastAssumed(usable) ?? converted[0] ?? { problem: anyUnit.sentence }
}

/**
 * Of the best factor's variants in other units, the one whose conversion assumes the least: a factor per volume before one
 * per energy, which would need somebody's calorific value.
 */
function leastAssumed(usable: readonly Picked[]): Picked | undefined {
  const [best] = usable
  if (best === undefined) return undefined
  const isVariant = ({ factor }: Picked): boolean =>
    factor.datasetId === best.factor.datasetId &&
    factor.organizationId === best.factor.organizationId &&
    factor.region === best.factor.region &&
    factor.validFrom === best.factor.validFrom &&
    factor.name === best.factor.name
  return usable.filter(isVariant).toSorted((one, other) => assumptionsOf(one) - assumptionsOf(other))[0]
}

const assumptionsOf = ({ flags }: Picked): number => {
  if (flags.includes('fuel-other')) return 2
  return flags.includes('fuel') ? 1 : 0
}

/** A factor that a user chose. Mismatches are flagged, but it isn't replaced by another one. */
export function pickManually(
  key: LineKey,
  id: string,
  reference: ReferenceData,
): Picked | { problem: string } {
  const factor = reference.byId(id)
  if (factor === undefined)
    return {
      problem: 'The chosen factor was deleted or belongs to another organization. Choose another one.',
    }
  if (factor.use === 'avoided')
    return {
      problem: `${factor.name} is for avoided emissions, not for inventories. Choose another factor.`,
    }
  if (!isOfScope(factor, key.scope))
    return { problem: `${factor.name} is for scope ${factor.scopes.join(', ')}, not for ${key.scope}.` }
  return convertToFactorUnit(key, factor, { flags: ['by-hand', ...flagsOf(factor, key)], reference })
}

export function isOfScope({ scopes }: Pick<FactorRow, 'scopes'>, scope: string): boolean {
  return scopes.includes(scope) || (scope.startsWith('3.') && scopes.includes('3'))
}

function flagsOf(factor: FactorRow, { day, region }: LineKey): string[] {
  return [
    ...(factor.validTo !== null && day > factor.validTo ? ['latest'] : []),
    ...(day < factor.validFrom ? ['before-validity'] : []),
    ...(factor.region !== region && factor.region !== 'any' ? ['country'] : []),
  ]
}

/**
 * The conversion from one unit of the activity to the unit of the factor, or why it isn't possible. Flagged `fuel` if it
 * uses the properties of the fuel, also `fuel-other` if those are from another publisher than the factor, and
 * `standard-volume` if cubic feet or meters of gas are read as a volume at standard conditions.
 */
export function convertToFactorUnit(
  key: LineKey,
  factor: FactorRow,
  { flags, reference }: { flags: string[]; reference: ReferenceData },
): Picked | { problem: string } {
  const { calorificBasis } = factor
  const volume = convertGasVolume(key, factor, reference.units)
  if (volume !== null) return { factor, ...volume, flags: [...flags, 'standard-volume'] }
  const fuel = reference.fuels.find(({ fuel: name }) => name === factor.activity.split('/').at(-1)) ?? null
  const converted = convert(reference.units, {
    quantity: '1',
    // A factor without a calorific basis uses the energy of the bill as it is.
    from: {
      unit: key.unit ?? '',
      basis: calorificBasis === null ? null : key.basis,
      priceYear: key.priceYear,
    },
    to: {
      unit: factor.unit,
      basis: calorificBasis,
      priceYear: reference.citationOf(factor.id)?.priceYear ?? null,
    },
    fuel,
    money: { rate: key.moneyRate ?? undefined, deflator: key.moneyDeflator ?? undefined },
  })
  if ('problem' in converted) return converted
  return {
    factor,
    multiplier: converted.quantity,
    conversion: converted.description,
    flags: [...flags, ...fuelFlags(key, factor, { fuel, units: reference.units })],
  }
}

function fuelFlags(
  key: LineKey,
  { unit, calorificBasis, publisher }: FactorRow,
  { fuel, units }: { fuel: FuelProperty | null; units: UnitTable },
): string[] {
  const [own, target] = [units.byCode.get(key.unit ?? ''), units.byCode.get(unit)]
  const isOtherBasis = own?.dimension === 'energy' && calorificBasis !== null && calorificBasis !== key.basis
  if (fuel === null || (own?.dimension === target?.dimension && !isOtherBasis)) return []
  return ['fuel', ...(fuel.publisher === publisher ? [] : ['fuel-other'])]
}

/** Units in which utilities bill gas without saying at which pressure and temperature. */
const CUBIC: ReadonlySet<string> = new Set(['ft3', 'm3'])

/**
 * Gas utilities bill cubic feet (and ccf, Mcf) at the standard conditions of their tariff, so a cubic foot is a standard
 * cubic foot. Only for gas burned at a site: fuel for vehicles is sold compressed. Null: not such a case.
 */
function convertGasVolume(
  { unit }: Pick<LineKey, 'unit'>,
  { activity, unit: factorUnit }: FactorRow,
  units: UnitTable,
): { multiplier: string; conversion: string } | null {
  const [own, target] = [units.byCode.get(unit ?? ''), units.byCode.get(factorUnit)]
  const isGas = target?.dimension === 'gas_volume_std' && activity.startsWith('combustion/')
  if (!isGas || own === undefined || !CUBIC.has(own.code)) return null
  // The bases are liters and standard cubic meters.
  const multiplier = new Figure(own.toBase).div(1_000).div(target.toBase)
  const shown = showFigure(multiplier, 10)
  return {
    multiplier: plain(multiplier),
    conversion: `1 ${own.code} = ${shown} ${target.code}: gas is billed at standard conditions`,
  }
}
