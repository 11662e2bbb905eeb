import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { convert, type Conversion } from '#contract/carbon/factors/convert.ts'
import { Figure } from '#contract/carbon/factors/figure.ts'
import { makeUnitTable, readUnit, type FuelProperty } from '#contract/carbon/factors/unit-table.ts'
import { AliasLine, FuelLine, readLibraryFile, UnitLine } from './library-files.ts'

const rowsOf = async (name: string) => (await readLibraryFile(name)).rows
const units = (await rowsOf('units.csv'))
  .map((row) => UnitLine.parse(row))
  .map(({ code, name, dimension, base, to_base: toBase }) => ({ code, name, dimension, base, toBase }))
const table = makeUnitTable({
  units,
  aliases: (await rowsOf('unit-aliases.csv'))
    .map((row) => AliasLine.parse(row))
    .map(({ alias, unit, calorific_basis: basis }) => ({ alias, unit, basis })),
})
const fuels: FuelProperty[] = (await rowsOf('fuel-properties.csv'))
  .map((row) => FuelLine.parse(row))
  .map((row) => ({
    fuel: row.fuel,
    name: row.name,
    year: row.year,
    netGjPerTonne: row.net_gj_per_tonne,
    grossGjPerTonne: row.gross_gj_per_tonne,
    kgPerM3: row.kg_per_m3,
  }))

function quantityOf(conversion: Conversion): string {
  const converted = convert(table, conversion)
  if ('problem' in converted) throw new Error(converted.problem)
  return converted.quantity
}
function problemOf(conversion: Conversion): string {
  const converted = convert(table, conversion)
  return 'problem' in converted ? converted.problem : 'It was converted.'
}
const fuelOf = (name: string) => fuels.find(({ fuel }) => fuel === name) ?? null

describe('reading what people type', () => {
  test.for([
    ['gal', 'gallon', null],
    ['Gallons', 'gallon', null],
    ['therms', 'therm', null],
    ['m3', 'm3', null],
    ['m\u00b3', 'm3', null],
    ['kWh (Gross CV)', 'kWh', 'gross'],
    ['kwh (net cv)', 'kWh', 'net'],
    ['mmbtu', 'mmBtu', null],
    ['MMBTU', 'mmBtu', null],
    ['KWH', 'kWh', null],
    ['liters', 'L', null],
    ['tonnes', 't', null],
    ['short tons', 'short ton', null],
    ['passenger.km', 'passenger-km', null],
    ['Mt', 'Mt', null],
  ] as const)('%s is %s', ([typed, code, basis]) => {
    expect(readUnit(table, typed)).toMatchObject({ unit: { code }, basis })
  })

  test('a ton may be three things, and is refused', () => {
    for (const typed of ['ton', 'tons', 'TONS'])
      expect(readUnit(table, typed)).toMatchObject({ suggestions: ['short ton', 't', 'long ton'] })
  })

  test('what is unknown is refused with what it may be', () => {
    expect(readUnit(table, 'galons')).toMatchObject({ suggestions: expect.arrayContaining(['gallon']) })
    expect(readUnit(table, 'kWhh')).toMatchObject({ suggestions: expect.arrayContaining(['kWh']) })
    expect(readUnit(table, 'bananas of the year')).toMatchObject({ suggestions: [] })
    expect(readUnit(table, '')).toHaveProperty('problem')
  })
})

describe('converting', () => {
  const codes = units.filter(({ dimension }) => dimension !== 'money')
  const quantity = fc
    .double({ min: 1e-6, max: 1e12, noNaN: true })
    .map((value) => new Figure(value).toFixed())

  test('there and back again is where it began, for any two units of a dimension', () => {
    fc.assert(
      fc.property(fc.constantFrom(...codes), fc.nat(), quantity, (from, pick, amount) => {
        const same = codes.filter(({ dimension }) => dimension === from.dimension)
        const to = same[pick % same.length] ?? from
        const there = quantityOf({ quantity: amount, from: { unit: from.code }, to: { unit: to.code } })
        const back = quantityOf({ quantity: there, from: { unit: to.code }, to: { unit: from.code } })
        expect(new Figure(back).minus(amount).abs().div(amount).lt('1e-30')).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test('by way of a third unit is the same as at once', () => {
    fc.assert(
      fc.property(fc.constantFrom(...codes), fc.nat(), fc.nat(), quantity, (from, one, two, amount) => {
        const same = codes.filter(({ dimension }) => dimension === from.dimension)
        const [via, to] = [same[one % same.length] ?? from, same[two % same.length] ?? from]
        const direct = quantityOf({ quantity: amount, from: { unit: from.code }, to: { unit: to.code } })
        const half = quantityOf({ quantity: amount, from: { unit: from.code }, to: { unit: via.code } })
        const round = quantityOf({ quantity: half, from: { unit: via.code }, to: { unit: to.code } })
        expect(new Figure(round).minus(direct).abs().div(direct).lt('1e-30')).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  test('through a fuel and back again is where it began', () => {
    const measures = fc.constantFrom<Conversion['from']>(
      { unit: 'L' },
      { unit: 'gallon' },
      { unit: 't' },
      { unit: 'kWh', basis: 'gross' },
      { unit: 'mmBtu', basis: 'net' },
    )
    const liquid = fuels.filter(({ kgPerM3 }) => kgPerM3 !== null)
    fc.assert(
      fc.property(fc.constantFrom(...liquid), measures, measures, quantity, (fuel, from, to, amount) => {
        const there = quantityOf({ quantity: amount, from, to, fuel })
        const back = quantityOf({ quantity: there, from: to, to: from, fuel })
        expect(new Figure(back).minus(amount).abs().div(amount).lt('1e-30')).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  test('any two units of different dimensions are refused with a sentence', () => {
    fc.assert(
      fc.property(fc.constantFrom(...units), fc.constantFrom(...units), (from, to) => {
        fc.pre(from.dimension !== to.dimension)
        expect(problemOf({ quantity: '1', from: { unit: from.code }, to: { unit: to.code } })).toMatch(/\.$/)
      }),
      { numRuns: 300 },
    )
    expect(problemOf({ quantity: '1', from: { unit: 'scf' }, to: { unit: 'm3' } })).toBe(
      'scf is a volume of gas at standard conditions and m3 is a volume: one cannot be converted to the other.',
    )
  })

  test('gross and net are converted by a fuel alone', () => {
    const grossToNet = {
      quantity: '100',
      from: { unit: 'kWh', basis: 'gross' },
      to: { unit: 'kWh', basis: 'net' },
    } as const
    expect(problemOf(grossToNet)).toBe(
      'Gross and net calorific value are converted by the properties of a fuel alone. Name the fuel.',
    )
    expect(problemOf({ ...grossToNet, from: { unit: 'kWh' } })).toContain('gross or net')
    expect(new Figure(quantityOf({ ...grossToNet, fuel: fuelOf('natural-gas') })).toFixed(4)).toBe('90.2576')
  })

  test('litres of a fuel become energy by its density and its calorific value', () => {
    const result = quantityOf({
      quantity: '1000',
      from: { unit: 'L' },
      to: { unit: 'kWh', basis: 'gross' },
      fuel: fuelOf('diesel-average-biofuel-blend'),
    })
    // The publisher prints 10.511 kWh a litre.
    expect(new Figure(result).div(1_000).toFixed(3)).toBe('10.511')
    expect(
      problemOf({ quantity: '1', from: { unit: 'L' }, to: { unit: 't' }, fuel: fuelOf('coking-coal') }),
    ).toBe('The density of Coking Coal is not known.')
  })

  test('money needs its years, a rate and a deflator', () => {
    const usd = { unit: 'USD', priceYear: 2024 }
    expect(problemOf({ quantity: '1', from: { unit: 'USD' }, to: usd })).toBe(
      'Money needs the year of its prices on both sides.',
    )
    expect(problemOf({ quantity: '1', from: { unit: 'EUR', priceYear: 2024 }, to: usd })).toBe(
      'EUR to USD needs the exchange rate of 2024.',
    )
    expect(problemOf({ quantity: '1', from: usd, to: { unit: 'USD', priceYear: 2022 } })).toBe(
      'Prices of 2024 and of 2022 need a deflator between them.',
    )
    const [from, to] = [
      { unit: 'EUR', priceYear: 2024 },
      { unit: 'USD', priceYear: 2022 },
    ]
    expect(quantityOf({ quantity: '100', from, to, money: { rate: '1.08', deflator: '0.93' } })).toBe(
      '100.44',
    )
  })
})
