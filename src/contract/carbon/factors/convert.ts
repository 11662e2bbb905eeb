import { Figure, plain } from './figure.ts'
import type { CalorificBasis, FuelProperty, Unit, UnitTable } from './unit-table.ts'

/** A unit by its code, and what else determines its size. */
export type Measure = {
  unit: string
  /** For fuel energy; null for electricity and heat, which have no calorific basis. */
  basis?: CalorificBasis | null
  /** For money. */
  priceYear?: number | null
}

export type Conversion = {
  quantity: string
  from: Measure
  to: Measure
  /** Needed between mass, volume and energy, and between gross and net. */
  fuel?: FuelProperty | null
  /** For money: units of the target currency per unit of the source currency, and the price level of the target year relative to the source year. */
  money?: { rate?: string | undefined; deflator?: string | undefined }
}

/** The converted quantity and a description of the conversion, or a sentence that says why it isn't possible. */
export type Converted = { quantity: string; description: string } | { problem: string }

/**
 * Converts a quantity with forty digits and without rounding. Other dimensions fail unless fuel properties connect them.
 * Gross and net energy are different; money needs an exchange rate, and a deflator between years.
 */
export function convert(table: UnitTable, conversion: Conversion): Converted {
  const from = table.byCode.get(conversion.from.unit)
  const to = table.byCode.get(conversion.to.unit)
  if (from === undefined) return { problem: `Unknown unit \u201c${conversion.from.unit}\u201d.` }
  if (to === undefined) return { problem: `Unknown unit \u201c${conversion.to.unit}\u201d.` }
  if (from.dimension === 'money' || to.dimension === 'money') return convertMoney(conversion, from, to)
  const isFuel = from.dimension !== to.dimension || (from.dimension === 'energy' && hasOtherBasis(conversion))
  if (isFuel) return convertFuel(conversion, from, to)
  const result = new Figure(conversion.quantity).times(from.toBase).div(to.toBase)
  return { quantity: plain(result), description: describeRatio(from, to) }
}

/** "1 therm = 0.1 mmBtu". */
function describeRatio(from: Unit, to: Unit): string {
  if (from.code === to.code) return `in ${to.code} already`
  const one = new Figure(from.toBase).div(to.toBase)
  return `1 ${from.code} = ${one.toSignificantDigits(12).toFixed()} ${to.code}`
}

function hasOtherBasis({ from, to }: Conversion): boolean {
  return (from.basis ?? null) !== (to.basis ?? null)
}

/** Dimensions that fuel properties can convert between. */
const BRIDGES: ReadonlySet<string> = new Set(['mass', 'volume', 'energy'])

function convertFuel({ quantity, from, to, fuel }: Conversion, one: Unit, other: Unit): Converted {
  const isBridge = BRIDGES.has(one.dimension) && BRIDGES.has(other.dimension)
  if (!isBridge) {
    return {
      problem: `${one.code} (${nameOf(one)}) can't be converted to ${other.code} (${nameOf(other)}).`,
    }
  }
  const unclear = [
    { unit: one, basis: from.basis },
    { unit: other, basis: to.basis },
  ].find(({ unit, basis }) => unit.dimension === 'energy' && (basis ?? null) === null)
  if (unclear !== undefined) {
    return {
      problem: `Choose gross or net calorific value for ${unclear.unit.code}: they are different amounts of energy.`,
    }
  }
  if (fuel === undefined || fuel === null) {
    return one.dimension === other.dimension
      ? {
          problem: 'Converting between gross and net calorific value requires the properties of the fuel.',
        }
      : {
          problem: `Converting ${one.code} (${nameOf(one)}) to ${other.code} (${nameOf(other)}) requires the properties of the fuel.`,
        }
  }
  if ((one.dimension === 'volume' || other.dimension === 'volume') && fuel.kgPerM3 === null) {
    return { problem: `The density of ${fuel.name} is unknown. Enter the quantity by mass or energy.` }
  }
  // In base units kg, L and MJ: GJ per tonne equals MJ per kg, and kg per cubic meter equals g per L.
  const perKg = (unit: Unit, basis: CalorificBasis | null | undefined): Figure => {
    if (unit.dimension === 'volume') return new Figure(1_000).div(fuel.kgPerM3 ?? 1)
    if (unit.dimension === 'energy')
      return new Figure(basis === 'net' ? fuel.netGjPerTonne : fuel.grossGjPerTonne)
    return new Figure(1)
  }
  const kg = new Figure(quantity).times(one.toBase).div(perKg(one, from.basis))
  const result = kg.times(perKg(other, to.basis)).div(other.toBase)
  return {
    quantity: plain(result),
    description: `using the properties of ${fuel.name} published by ${fuel.publisher}, ${fuel.year}`,
  }
}

function convertMoney({ quantity, from, to, money = {} }: Conversion, one: Unit, other: Unit): Converted {
  if (one.dimension !== other.dimension) {
    return {
      problem: `${one.code} (${nameOf(one)}) can't be converted to ${other.code} (${nameOf(other)}).`,
    }
  }
  const years = [from.priceYear ?? null, to.priceYear ?? null]
  if (years.includes(null)) return { problem: 'Enter the price year for both amounts.' }
  const needsRate = one.code !== other.code
  const needsDeflator = from.priceYear !== to.priceYear
  if (needsRate && money.rate === undefined) {
    return { problem: `Enter the ${from.priceYear} exchange rate from ${one.code} to ${other.code}.` }
  }
  if (needsDeflator && money.deflator === undefined) {
    return { problem: `Enter the deflator from ${from.priceYear} to ${to.priceYear} prices.` }
  }
  const rate = needsRate ? new Figure(money.rate ?? 1) : new Figure(1)
  const deflator = needsDeflator ? new Figure(money.deflator ?? 1) : new Figure(1)
  const parts = [
    ...(needsRate ? [`1 ${one.code} = ${rate.toFixed()} ${other.code}`] : []),
    ...(needsDeflator ? [`prices of ${from.priceYear} x ${deflator.toFixed()}`] : []),
  ]
  return {
    quantity: plain(new Figure(quantity).times(rate).times(deflator)),
    description: parts.length === 0 ? `in ${other.code} of ${to.priceYear} already` : parts.join(', '),
  }
}

const DIMENSION_NAMES: Readonly<Record<string, string>> = {
  energy: 'energy',
  mass: 'mass',
  volume: 'volume',
  gas_volume_std: 'gas volume at standard conditions',
  distance: 'distance',
  vehicle_distance: 'vehicle distance',
  passenger_distance: 'passenger distance',
  freight: 'freight',
  area: 'area',
  time: 'time',
  count_room_night: 'room nights',
  count: 'item count',
  headcount: 'headcount',
  money: 'money',
}

const nameOf = ({ dimension }: Unit): string => DIMENSION_NAMES[dimension] ?? dimension
