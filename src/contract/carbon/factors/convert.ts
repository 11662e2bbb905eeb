import { Figure, plain } from './figure.ts'
import type { CalorificBasis, FuelProperty, Unit, UnitTable } from './unit-table.ts'

/** A unit by its code, and what else says how much one of it is. */
export type Measure = {
  unit: string
  /** Of energy of a fuel; null for electricity and heat, which have none. */
  basis?: CalorificBasis | null
  /** Of money. */
  priceYear?: number | null
}

export type Conversion = {
  quantity: string
  from: Measure
  to: Measure
  /** Between mass, volume and energy, and between gross and net. */
  fuel?: FuelProperty | null
  /** Of money: units of the second currency for one of the first, and the second year's prices for one of the first's. */
  money?: { rate?: string | undefined; deflator?: string | undefined }
}

/** The quantity in the other unit and how it came about in words, or the sentence that says why it cannot be. */
export type Converted = { quantity: string; words: string } | { problem: string }

/**
 * Converts a quantity, with forty digits and without rounding. Another dimension is refused, unless the properties of a
 * fuel lead there; gross and net energy are different; money needs a rate, and a deflator between years.
 */
export function convert(table: UnitTable, conversion: Conversion): Converted {
  const from = table.byCode.get(conversion.from.unit)
  const to = table.byCode.get(conversion.to.unit)
  if (from === undefined) return { problem: `There is no unit \u201c${conversion.from.unit}\u201d.` }
  if (to === undefined) return { problem: `There is no unit \u201c${conversion.to.unit}\u201d.` }
  if (from.dimension === 'money' || to.dimension === 'money') return convertMoney(conversion, from, to)
  const isFuel = from.dimension !== to.dimension || (from.dimension === 'energy' && hasOtherBasis(conversion))
  if (isFuel) return convertFuel(conversion, from, to)
  const result = new Figure(conversion.quantity).times(from.toBase).div(to.toBase)
  return { quantity: plain(result), words: say(from, to) }
}

/** "1 therm = 0.1 mmBtu". */
function say(from: Unit, to: Unit): string {
  if (from.code === to.code) return `in ${to.code} already`
  const one = new Figure(from.toBase).div(to.toBase)
  return `1 ${from.code} = ${one.toSignificantDigits(12).toFixed()} ${to.code}`
}

function hasOtherBasis({ from, to }: Conversion): boolean {
  return (from.basis ?? null) !== (to.basis ?? null)
}

/** What a fuel's properties lead between, with the unit in which they are given. */
const BRIDGES: ReadonlySet<string> = new Set(['mass', 'volume', 'energy'])

function convertFuel({ quantity, from, to, fuel }: Conversion, one: Unit, other: Unit): Converted {
  const isBridge = BRIDGES.has(one.dimension) && BRIDGES.has(other.dimension)
  if (!isBridge) {
    return {
      problem: `${one.code} is ${nameOf(one)} and ${other.code} is ${nameOf(other)}: one cannot be converted to the other.`,
    }
  }
  const unclear = [
    { unit: one, basis: from.basis },
    { unit: other, basis: to.basis },
  ].find(({ unit, basis }) => unit.dimension === 'energy' && (basis ?? null) === null)
  if (unclear !== undefined) {
    return {
      problem: `Say whether the ${unclear.unit.code} are gross or net calorific value: they are different amounts of energy.`,
    }
  }
  if (fuel === undefined || fuel === null) {
    return one.dimension === other.dimension
      ? {
          problem:
            'Gross and net calorific value are converted by the properties of a fuel alone. Name the fuel.',
        }
      : {
          problem: `${one.code} is ${nameOf(one)} and ${other.code} is ${nameOf(other)}: that takes the properties of a fuel. Name the fuel.`,
        }
  }
  if ((one.dimension === 'volume' || other.dimension === 'volume') && fuel.kgPerM3 === null) {
    return { problem: `The density of ${fuel.name} is not known.` }
  }
  // In kg, litres and MJ, which are the bases: GJ a tonne are MJ a kg, kg a cubic metre are g a litre.
  const perKg = (unit: Unit, basis: CalorificBasis | null | undefined): Figure => {
    if (unit.dimension === 'volume') return new Figure(1_000).div(fuel.kgPerM3 ?? 1)
    if (unit.dimension === 'energy')
      return new Figure(basis === 'net' ? fuel.netGjPerTonne : fuel.grossGjPerTonne)
    return new Figure(1)
  }
  const kg = new Figure(quantity).times(one.toBase).div(perKg(one, from.basis))
  const result = kg.times(perKg(other, to.basis)).div(other.toBase)
  return { quantity: plain(result), words: `by the properties of ${fuel.name}, ${fuel.year}` }
}

function convertMoney({ quantity, from, to, money = {} }: Conversion, one: Unit, other: Unit): Converted {
  if (one.dimension !== other.dimension) {
    return {
      problem: `${one.code} is ${nameOf(one)} and ${other.code} is ${nameOf(other)}: one cannot be converted to the other.`,
    }
  }
  const years = [from.priceYear ?? null, to.priceYear ?? null]
  if (years.includes(null)) return { problem: 'Money needs the year of its prices on both sides.' }
  const needsRate = one.code !== other.code
  const needsDeflator = from.priceYear !== to.priceYear
  if (needsRate && money.rate === undefined) {
    return { problem: `${one.code} to ${other.code} needs the exchange rate of ${from.priceYear}.` }
  }
  if (needsDeflator && money.deflator === undefined) {
    return { problem: `Prices of ${from.priceYear} and of ${to.priceYear} need a deflator between them.` }
  }
  const rate = needsRate ? new Figure(money.rate ?? 1) : new Figure(1)
  const deflator = needsDeflator ? new Figure(money.deflator ?? 1) : new Figure(1)
  const words = [
    ...(needsRate ? [`1 ${one.code} = ${rate.toFixed()} ${other.code}`] : []),
    ...(needsDeflator ? [`prices of ${from.priceYear} x ${deflator.toFixed()}`] : []),
  ]
  return {
    quantity: plain(new Figure(quantity).times(rate).times(deflator)),
    words: words.length === 0 ? `in ${other.code} of ${to.priceYear} already` : words.join(', '),
  }
}

const DIMENSION_NAMES: Readonly<Record<string, string>> = {
  energy: 'energy',
  mass: 'mass',
  volume: 'a volume',
  gas_volume_std: 'a volume of gas at standard conditions',
  distance: 'a distance',
  vehicle_distance: 'distance driven by vehicles',
  passenger_distance: 'distance travelled by passengers',
  freight: 'goods moved over a distance',
  area: 'an area',
  time: 'time',
  count_room_night: 'nights in rooms',
  count: 'a number of items',
  headcount: 'a number of people',
  money: 'money',
}

const nameOf = ({ dimension }: Unit): string => DIMENSION_NAMES[dimension] ?? dimension
