import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { convert, type Conversion } from '#contract/carbon/factors/convert.ts'
import type { FactorRow } from '#contract/carbon/factors/factor-schema.ts'
import { factors, type Measures } from '#contract/carbon/factors/factors.ts'
import { Figure } from '#contract/carbon/factors/figure.ts'
import { type GwpSet, resolve } from '#contract/carbon/factors/resolve.ts'
import { makeUnitTable } from '#contract/carbon/factors/unit-table.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import {
  hasPublishedFigures,
  publishedRows,
  workedExample,
} from '#test/factories/carbon/published-figures.ts'

let forecourt: TestApp
let admin: Caller
let measures: Measures
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  measures = await admin.call(factors.measures, {})
})
afterAll(() => forecourt.close())

/** The factor that the product picks. */
async function chosen(
  query: string,
  unit: string,
  { region = 'US', date = '2025-03-01' } = {},
): Promise<FactorRow> {
  const choice = await admin.call(factors.find, { query, unit, region, date })
  const found = choice.candidates.find(({ factor }) => factor.id === choice.chosenId)
  if (found === undefined) throw new Error(choice.sentence)
  return found.factor
}
const UK = { region: 'GB', date: '2024-03-01' }

function inUnit(quantity: string, from: string, to: string, more: Partial<Conversion> = {}): Figure {
  const table = makeUnitTable(measures)
  const converted = convert(table, { quantity, from: { unit: from }, to: { unit: to }, ...more })
  if ('problem' in converted) throw new Error(converted.problem)
  return new Figure(converted.quantity)
}

/** kg CO2e of a quantity, and kg of each gas. */
function calculateEmissions(factor: FactorRow, quantity: string | Figure, set: GwpSet = 'AR5') {
  const one = resolve(factor, set, measures.gwps)
  const kgOf = (gas: string) =>
    new Figure(one.gases.find((row) => row.gas === gas)?.kg ?? 0).times(quantity).toNumber()
  return {
    co2e: new Figure(one.co2e ?? Number.NaN).times(quantity).toNumber(),
    biogenic: new Figure(one.biogenicCo2).times(quantity).toNumber(),
    kgOf,
  }
}

/** Difference between a result and the expected value. */
const distance = (value: number, expected: string): number => Math.abs(value - Number(expected))

describe.skipIf(!hasPublishedFigures)('worked examples match within their tolerances', () => {
  test('EX01 natural gas by volume and by energy', async () => {
    const { given, expected } = workedExample('EX01')
    const byVolume = await chosen('combustion/natural-gas', given('unit'))
    expect(
      distance(calculateEmissions(byVolume, given('quantity')).kgOf('CO2'), expected('published_co2_kg')),
    ).toBeLessThanOrEqual(0.5)
    const byEnergy = await chosen('combustion/natural-gas', 'mmBtu (HHV)')
    const energy = new Figure(given('quantity')).times(given('heat_content_mmBtu_per_scf'))
    expect(
      distance(calculateEmissions(byEnergy, energy).kgOf('CO2'), expected('co2_kg')),
    ).toBeLessThanOrEqual(Number(expected('co2_kg')) / 10_000)
  })

  test('EX02 a thousand gallons of distillate fuel oil with three GWP sets', async () => {
    const { given, expected } = workedExample('EX02')
    const factor = await chosen('combustion/distillate-fuel-oil-no-2', 'gal')
    const quantity = given('quantity')
    expect(distance(calculateEmissions(factor, quantity).co2e, expected('co2e_kg_AR5'))).toBeLessThanOrEqual(
      0.001,
    )
    expect(
      distance(calculateEmissions(factor, quantity, 'AR4').co2e, expected('co2e_kg_AR4')),
    ).toBeLessThanOrEqual(0.001)
    expect(
      distance(calculateEmissions(factor, quantity, 'AR6').co2e, expected('co2e_kg_AR6_nonfossil_ch4')),
    ).toBeLessThanOrEqual(0.001)
    expect(
      distance(calculateEmissions(factor, quantity).kgOf('CH4'), expected('ch4_kg')),
    ).toBeLessThanOrEqual(0.001)
  })

  test('EX04 wood: biogenic CO2 stays outside the scopes', async () => {
    const { given, expected } = workedExample('EX04')
    const factor = await chosen('combustion/wood-and-wood-residuals', given('unit'))
    const { co2e, biogenic } = calculateEmissions(factor, given('quantity'))
    expect(distance(co2e, expected('scope1_co2e_kg'))).toBeLessThanOrEqual(0.001)
    expect(distance(biogenic, expected('biogenic_co2_kg_reported_separately'))).toBeLessThanOrEqual(0.001)
  })

  test('EX05 and EX06 a therm and a barrel', () => {
    const therm = workedExample('EX05')
    expect(inUnit('1', 'therm', 'mmBtu').toFixed()).toBe(therm.given('mmBtu_per_therm'))
    expect(
      distance(
        inUnit('1', 'therm', 'mmBtu')
          .times(therm.given('kg_C_per_mmBtu'))
          .times(44)
          .div(12)
          .div(1_000)
          .toNumber(),
        therm.expected('t_CO2'),
      ),
    ).toBeLessThanOrEqual(0.000001)
    expect(inUnit('1', 'barrel', 'gallon').toFixed()).toBe('42')
  })

  test('EX10 purchased steam', async () => {
    const { given, expected } = workedExample('EX10')
    const factor = await chosen('heat/steam', given('unit'))
    expect(
      distance(calculateEmissions(factor, given('quantity')).co2e, expected('co2e_kg')),
    ).toBeLessThanOrEqual(0.001)
  })

  test('EX13, EX21 and EX25 UK electricity: no GWP is applied to the parts, losses are scope 3.3', async () => {
    const grid = await chosen('electricity/grid', 'kWh', UK)
    const real = workedExample('EX13')
    expect(
      distance(calculateEmissions(grid, real.given('kWh')).co2e / 1_000, real.expected('published_tCO2e')),
    ).toBeLessThanOrEqual(0.005)
    const parts = workedExample('EX21')
    expect(grid.gases.map(({ gas, kg }) => `${gas} ${kg}`)).toEqual([
      `CO2e ${parts.expected('kgCO2e')}`,
      ...['CO2', 'CH4', 'N2O'].map((gas) => `${gas} ${parts.given(gas)}`),
    ])
    expect(grid.co2e).toBe(parts.expected('kgCO2e'))
    const both = workedExample('EX25')
    const losses = await chosen('losses/electricity', 'kWh', UK)
    expect([grid.scopes, losses.scopes]).toEqual([['2'], ['3.3']])
    expect(
      distance(calculateEmissions(grid, both.given('kWh')).co2e, both.expected('scope2_kgCO2e')),
    ).toBeLessThanOrEqual(0.5)
    expect(
      distance(calculateEmissions(losses, both.given('kWh')).co2e, both.expected('scope3_cat3_td_kgCO2e')),
    ).toBeLessThanOrEqual(0.5)
  })

  test('EX18 a refrigerant leak with three GWP sets', async () => {
    const { given, expected } = workedExample('EX18')
    const factor = await chosen('refrigerant/hfc-134a', given('unit'), { region: 'US', date: '2025-03-01' })
    const kg = inUnit(given('quantity'), given('unit'), factor.unit)
    for (const set of ['AR4', 'AR5', 'AR6'] as const)
      expect(
        distance(calculateEmissions(factor, kg, set).co2e / 1_000, expected(`tCO2e_${set}`)),
      ).toBeLessThanOrEqual(0)
  })

  test('EX19 refrigerant blends follow from their components', async () => {
    const { expected } = workedExample('EX19')
    for (const [blend, path] of [
      ['R-410A', 'refrigerant/r-410a'],
      ['R-404A', 'refrigerant/r-404a'],
      ['R-407C', 'refrigerant/r-407c'],
      ['R-507A', 'refrigerant/r-507a'],
    ] as const) {
      const { results } = await admin.call(factors.list, {
        filter: `activity == "${path}" && publisher == "US EPA"`,
      })
      const [factor] = results
      const own = factor ?? (await chosen(path, 'kg', UK))
      expect(distance(calculateEmissions(own, '1').co2e, expected(blend))).toBeLessThanOrEqual(0.5)
    }
  })

  test('EX22 diesel with its biogenic part outside and its well-to-tank in scope 3.3', async () => {
    const { given, expected } = workedExample('EX22')
    const liters = given('litres')
    const diesel = await chosen('combustion/diesel-average-biofuel-blend', 'litres', UK)
    expect(distance(calculateEmissions(diesel, liters).co2e, expected('scope1_kgCO2e'))).toBeLessThanOrEqual(
      0.001,
    )
    const outside = await chosen('outside/diesel-average-biofuel-blend', 'litres', UK)
    expect(calculateEmissions(outside, liters)).toMatchObject({
      co2e: 0,
      biogenic: Number(expected('outside_scopes_kgCO2')),
    })
    const well = await chosen('well-to-tank/combustion/diesel-average-biofuel-blend', 'litres', UK)
    expect(
      distance(calculateEmissions(well, liters).co2e, expected('scope3_cat3_wtt_kgCO2e')),
    ).toBeLessThanOrEqual(0.001)
  })

  test('EX24 net and gross calorific value', async () => {
    const { given, expected } = workedExample('EX24')
    const gross = await chosen('combustion/natural-gas', 'kWh (Gross CV)', UK)
    const net = await chosen('combustion/natural-gas', 'kWh (Net CV)', UK)
    expect(
      distance(calculateEmissions(gross, given('kWh')).co2e, expected('kgCO2e_gross')),
    ).toBeLessThanOrEqual(0.5)
    expect(
      distance(calculateEmissions(net, given('kWh')).co2e, expected('kgCO2e_if_wrongly_net')),
    ).toBeLessThanOrEqual(0.5)
  })

  test('EX26 a spend-based purchase', () => {
    const { given, expected } = workedExample('EX26')
    const row = publishedRows('factors_useeio_v1_3.csv').find(
      ({ factor_id: id }) => id === 'USEEIO13-111110-WM',
    )
    const gases = [
      { gas: 'CO2e', basis: 'co2e' as const, isBiogenic: false, kg: row?.factor_kg_per_unit ?? '' },
    ]
    const measure = { unit: given('currency'), priceYear: Number(given('price_year')) }
    const spent = inUnit(given('amount'), 'USD', 'USD', { from: measure, to: measure })
    expect(
      distance(
        spent.times(resolve({ gases }, 'AR5', measures.gwps).co2e ?? 0).toNumber(),
        expected('kgCO2e'),
      ),
    ).toBeLessThanOrEqual(0)
  })

  test('EX33 freight in other units', async () => {
    const { given, expected } = workedExample('EX33')
    const tonneKm = new Figure(given('tonnes')).times(given('km'))
    expect(tonneKm.toFixed()).toBe(expected('tonne_km'))
    const { results } = await admin.call(factors.list, {
      filter: 'activity == "freight/medium-and-heavy-duty-truck" && unit == "short ton-mile"',
    })
    const [factor] = results
    if (factor === undefined) throw new Error('No factor for trucks.')
    const miles = inUnit(tonneKm.toFixed(), 'tonne-km', factor.unit)
    expect(distance(miles.toNumber(), expected('short_ton_miles'))).toBeLessThanOrEqual(0.001)
    expect(distance(calculateEmissions(factor, miles).kgOf('CO2'), expected('co2_kg'))).toBeLessThanOrEqual(
      0.01,
    )
  })

  test('EX35 flights by distance', async () => {
    const { expected } = { expected: ['51.75', '38.7', '749.8'] }
    const trips = [
      ['short-haul', 250],
      ['medium-haul', 300],
      ['long-haul', 4_600],
    ] as const
    for (const [at, [band, miles]] of trips.entries()) {
      const { results } = await admin.call(factors.list, { search: `air travel ${band.replace('-', ' ')}` })
      const [factor] = results.filter(({ unit }) => unit === 'passenger-mile')
      if (factor === undefined) throw new Error(`No factor for ${band}.`)
      expect(
        distance(calculateEmissions(factor, String(miles)).kgOf('CO2'), expected[at] ?? ''),
      ).toBeLessThanOrEqual(0.001)
    }
  })

  test('EX37 ten thousand cubic feet of gas', async () => {
    const { given, expected } = workedExample('EX37')
    const mmBtu = new Figure(given('scf')).times(given('mmBtu_per_scf'))
    expect(mmBtu.toFixed()).toBe(expected('mmBtu'))
    const factor = await chosen('combustion/natural-gas', 'mmBtu (HHV)')
    expect(distance(calculateEmissions(factor, mmBtu).co2e, expected('co2e_kg'))).toBeLessThanOrEqual(0.001)
  })
})
