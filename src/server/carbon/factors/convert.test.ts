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
    publisher: row.dataset,
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

describe('reading units', () => {
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

  test('rejects a ton, which can mean three units', () => {
    for (const typed of ['ton', 'tons', 'TONS'])
      expect(readUnit(table, typed)).toMatchObject({ suggestions: ['short ton', 't', 'long ton'] })
  })

  test('rejects an unknown unit with suggestions', () => {
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

  test('converting there and back returns the original quantity, for any two units of a dimension', () => {
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

  test('converting through a third unit gives the same result', () => {
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

  test('converting with fuel properties and back returns the original quantity', () => {
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

  test('rejects units of different dimensions with a sentence', () => {
    fc.assert(
      fc.property(fc.constantFrom(...units), fc.constantFrom(...units), (from, to) => {
        fc.pre(from.dimension !== to.dimension)
        expect(problemOf({ quantity: '1', from: { unit: from.code }, to: { unit: to.code } })).toMatch(/\.$/)
      }),
      { numRuns: 300 },
    )
    expect(problemOf({ quantity: '1', from: { unit: 'scf' }, to: { unit: 'm3' } })).toBe(
      "scf (gas volume at standard conditions) can't be converted to m3 (volume).",
    )
  })

  test('converts between gross and net only with fuel properties', () => {
    const grossToNet = {
      quantity: '100',
      from: { unit: 'kWh', basis: 'gross' },
      to: { unit: 'kWh', basis: 'net' },
    } as const
    expect(problemOf(grossToNet)).toBe(
      'Converting between gross and net calorific value requires the properties of the fuel.',
    )
    expect(problemOf({ ...grossToNet, from: { unit: 'kWh' } })).toContain('gross or net')
    expect(new Figure(quantityOf({ ...grossToNet, fuel: fuelOf('natural-gas') })).toFixed(4)).toBe('90.2576')
  })

  test('converts liters of a fuel to energy by its density and calorific value', () => {
    const result = quantityOf({
      quantity: '1000',
      from: { unit: 'L' },
      to: { unit: 'kWh', basis: 'gross' },
      fuel: fuelOf('diesel-average-biofuel-blend'),
    })
    // The published value is 10.511 kWh per liter.
    expect(new Figure(result).div(1_000).toFixed(3)).toBe('10.511')
    expect(
      problemOf({ quantity: '1', from: { unit: 'L' }, to: { unit: 't' }, fuel: fuelOf('coking-coal') }),
    ).toBe('The density of Coking Coal is unknown. Enter the quantity by mass or energy.')
  })

  test('converting money requires price years, an exchange rate and a deflator', () => {
    const usd = { unit: 'USD', priceYear: 2024 }
    expect(problemOf({ quantity: '1', from: { unit: 'USD' }, to: usd })).toBe(
      'Enter the price year for both amounts.',
    )
    expect(problemOf({ quantity: '1', from: { unit: 'EUR', priceYear: 2024 }, to: usd })).toBe(
      'Enter the 2024 exchange rate from EUR to USD.',
    )
    expect(problemOf({ quantity: '1', from: usd, to: { unit: 'USD', priceYear: 2022 } })).toBe(
      'Enter the deflator from 2024 to 2022 prices.',
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
