import { convert } from '#contract/carbon/factors/convert.ts'
import type { FactorRow } from '#contract/carbon/factors/factor-schema.ts'
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
  // Fuel properties may convert to a factor in another unit or calorific value.
  const anyUnit = chooseFactor(candidates, { ...criteria, unit: null }, reference.units)
  if (anyUnit.chosenId === null) return { problem: anyUnit.sentence }
  const converted = anyUnit.candidates
    .filter(({ fits }) => fits)
    .map(({ factor }) =>
      convertToFactorUnit(key, factor, { flags: [...flagsOf(factor, key), 'fuel'], reference }),
    )
  return converted.find((one) => 'factor' in one) ?? converted[0] ?? { problem: anyUnit.sentence }
}

/** A factor that a user chose. Mismatches are flagged, but it isn't replaced by another one. */
export function pickManually(
  key: LineKey,
  id: string,
  reference: ReferenceData,
): Picked | { problem: string } {
  const factor = reference.byId(id)
  if (factor === undefined) return { problem: 'The chosen factor has been deleted. Choose another factor.' }
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

/** The conversion from one unit of the activity to the unit of the factor, or why it isn't possible. */
export function convertToFactorUnit(
  key: LineKey,
  factor: FactorRow,
  { flags, reference }: { flags: string[]; reference: ReferenceData },
): Picked | { problem: string } {
  const { calorificBasis } = factor
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
  return { factor, multiplier: converted.quantity, conversion: converted.description, flags }
}
