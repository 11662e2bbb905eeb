import { convert } from '#contract/carbon/factors/convert.ts'
import type { FactorRow } from '#contract/carbon/factors/factor-schema.ts'
import { chooseFactor } from '../factors/choose-factor.ts'
import type { LineKey, ReferenceData, Terms } from './calculation-line.ts'

export type Picked = { factor: FactorRow; multiplier: string; conversion: string; flags: string[] }
type Wish = { activity: string; scope: string }

/**
 * The factor of a key and what leads to its unit. One chosen by hand is taken and judged; else the rules choose, by
 * day, region and scope. Nothing stands in for a factor that is missing.
 */
export function pickFactor(
  key: LineKey,
  { activity, scope }: Wish,
  terms: Terms,
  reference: ReferenceData,
): Picked | { problem: string } {
  const candidates = reference.ofActivity(activity).filter((factor) => isOfScope(factor, scope))
  const { region } = key
  if (candidates.length === 0) return { problem: `There is no factor of ${activity} in scope ${scope}.` }
  if (region === null) return { problem: 'The country of the facility is not known.' }
  const unit = reference.units.byCode.get(key.unit ?? '')
  if (unit === undefined) return { problem: `There is no unit “${key.unit ?? ''}”.` }
  const wanted = { region, date: key.day, yearRule: terms.yearRule, datasetIds: [...terms.datasetIds] }
  const choice = chooseFactor(candidates, { ...wanted, unit: { unit, basis: key.basis } }, reference.units)
  const chosen = candidates.find(({ id }) => id === choice.chosenId)
  if (chosen !== undefined)
    return convertToFactorUnit(key, chosen, { flags: flagsOf(chosen, key), reference })
  // In another unit or calorific value there may be one to which the properties of the fuel lead.
  const anyUnit = chooseFactor(candidates, { ...wanted, unit: null }, reference.units)
  if (anyUnit.chosenId === null) return { problem: anyUnit.sentence }
  const led = anyUnit.candidates
    .filter(({ fits }) => fits)
    .map(({ factor }) =>
      convertToFactorUnit(key, factor, { flags: [...flagsOf(factor, key), 'fuel'], reference }),
    )
  return led.find((one) => 'factor' in one) ?? led[0] ?? { problem: anyUnit.sentence }
}

/** A factor that a person chose: what can be said against it is said, and not overruled by another. */
export function pickByHand(key: LineKey, id: string, reference: ReferenceData): Picked | { problem: string } {
  const factor = reference.byId(id)
  if (factor === undefined) return { problem: 'The chosen factor is not there any more.' }
  if (factor.use === 'avoided')
    return {
      problem: `${factor.name} counts avoided emissions and never enters an inventory. Choose another factor.`,
    }
  if (!isOfScope(factor, key.scope))
    return { problem: `${factor.name} is of scope ${factor.scopes.join(', ')}, not of ${key.scope}.` }
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

/** From one unit of the activity to the unit of the factor, or the sentence that refuses it. */
export function convertToFactorUnit(
  key: LineKey,
  factor: FactorRow,
  { flags, reference }: { flags: string[]; reference: ReferenceData },
): Picked | { problem: string } {
  const { calorificBasis } = factor
  const fuel = reference.fuels.find(({ fuel: name }) => name === factor.activity.split('/').at(-1)) ?? null
  const converted = convert(reference.units, {
    quantity: '1',
    // A factor that knows no calorific value takes the bill's energy as it is.
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
  return { factor, multiplier: converted.quantity, conversion: converted.words, flags }
}
