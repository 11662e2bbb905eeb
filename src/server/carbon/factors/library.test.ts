import { describe, expect, test } from 'vitest'
import { BOUNDARIES } from '#contract/carbon/factors/factor-schema.ts'
import { Figure } from '#contract/carbon/factors/figure.ts'
import { publishedRows, hasPublishedFigures } from '#test/factories/carbon/published-figures.ts'
import {
  AliasLine,
  BlendLine,
  DatasetLine,
  FactorLine,
  FuelLine,
  GwpLine,
  readLibraryFile,
  UnitLine,
} from './library-files.ts'

const read = async (name: string) => (await readLibraryFile(name)).rows
const units = (await read('units.csv')).map((row) => UnitLine.parse(row))
const aliases = (await read('unit-aliases.csv')).map((row) => AliasLine.parse(row))
const gwps = (await read('gwp.csv')).map((row) => GwpLine.parse(row))
const blends = (await read('refrigerant-blends.csv')).map((row) => BlendLine.parse(row))
const datasets = (await read('datasets.csv')).map((row) => DatasetLine.parse(row))
const factors = (
  await Promise.all(
    datasets.map(async ({ key, file }) =>
      (await read(file)).map((row) => ({ ...FactorLine.parse(row), dataset: key })),
    ),
  )
).flat()

const codes = new Set(units.map(({ code }) => code))
const twice = (names: readonly string[]) => names.filter((name, at) => names.indexOf(name) !== at)

describe('the starter library is complete', () => {
  test('has more than 350 factors of EPA Hub 2025 and DESNZ 2024, each with table, row, license and validity', () => {
    expect(factors.length).toBeGreaterThan(350)
    expect(datasets.map(({ key, license }) => [key, license])).toEqual([
      ['epa-hub-2025', 'US-PD'],
      ['gases', 'CC0-1.0'],
      ['desnz-2024', 'OGL-UK-3.0'],
    ])
    // FactorLine rejects a row without table, rows, region, unit or first day.
    expect(factors.filter(({ gases }) => gases.length === 0)).toEqual([])
  })

  test('has no duplicate key, alias or GWP', () => {
    expect(twice(factors.map(({ key }) => key))).toEqual([])
    expect(twice([...aliases.map(({ alias }) => alias), ...codes])).toEqual([])
    expect(twice(gwps.map(({ gas, gwp_set }) => `${gas} ${gwp_set}`))).toEqual([])
  })

  test('no two factors match the same query', () => {
    const questions = factors.map((factor) =>
      [
        factor.activity,
        factor.region,
        factor.unit,
        factor.calorific_basis,
        factor.boundary,
        factor.use,
        ...factor.scope,
        factor.dataset,
      ].join(' | '),
    )
    expect(twice(questions)).toEqual([])
  })

  test('every unit, boundary and gas is known', () => {
    const gases = new Set(gwps.map(({ gas }) => gas))
    expect(factors.filter(({ unit }) => !codes.has(unit))).toEqual([])
    expect(aliases.filter(({ unit }) => !codes.has(unit))).toEqual([])
    expect(factors.filter(({ boundary }) => !BOUNDARIES.some((one) => one === boundary))).toEqual([])
    const unknown = factors.flatMap((factor) =>
      factor.gases.filter(({ gas, basis }) => basis === 'gas' && !gases.has(gas)).map(({ gas }) => gas),
    )
    expect([
      ...unknown,
      ...blends.map(({ component }) => component).filter((gas) => !gases.has(gas)),
    ]).toEqual([])
  })

  test('EPA combustion factors are in kg of gas, all DESNZ factors are in kg CO2e', () => {
    const basesOf = (matches: (factor: (typeof factors)[number]) => boolean) =>
      new Set(factors.filter(matches).flatMap(({ gases }) => gases.map(({ basis }) => basis)))
    expect(
      basesOf(({ dataset, activity }) => dataset === 'epa-hub-2025' && !activity.startsWith('waste/')),
    ).toEqual(new Set(['gas']))
    expect(
      basesOf(({ activity, dataset }) => dataset === 'epa-hub-2025' && activity.startsWith('waste/')),
    ).toEqual(new Set(['co2e']))
    expect(basesOf(({ dataset }) => dataset === 'desnz-2024')).toEqual(new Set(['co2e']))
  })

  test('non-baseload grid rates are never used in an inventory', () => {
    const rates = factors.filter(({ activity }) => activity === 'electricity/non-baseload')
    expect(rates.length).toBe(28)
    expect(rates.filter(({ use }) => use !== 'avoided')).toEqual([])
  })

  test('has 27 eGRID subregions and no global grid factor', () => {
    const grid = factors.filter(({ activity }) => activity === 'electricity/grid').map(({ region }) => region)
    expect(grid.filter((region) => region.startsWith('US-')).length).toBe(27)
    expect(grid.filter((region) => !region.startsWith('US-')).toSorted()).toEqual(['GB', 'US'])
  })

  test('the AR6 GWP is 27 for methane from combustion and 29.8 for fossil methane, and both published values of SF6 are stored', () => {
    const find = (gas: string) => gwps.find((row) => row.gas === gas && row.gwp_set === 'AR6')
    expect([find('CH4')?.gwp, find('CH4 fossil')?.gwp]).toEqual(['27', '29.8'])
    expect([find('SF6')?.gwp, find('SF6')?.other_gwp]).toEqual(['25200', '24300'])
  })

  test('the net calorific value of every fuel is below its gross value', async () => {
    const fuels = (await read('fuel-properties.csv')).map((row) => FuelLine.parse(row))
    expect(fuels.length).toBeGreaterThan(30)
    expect(fuels.filter((fuel) => !new Figure(fuel.net_gj_per_tonne).lt(fuel.gross_gj_per_tonne))).toEqual([])
  })
})

describe.skipIf(!hasPublishedFigures)('the starter library matches the publications', () => {
  const near = (one: string, other: string) =>
    new Figure(one).minus(other).abs().lte(new Figure(other).abs().times('1e-12'))

  test('each EPA Hub 2025 value matches its cell', () => {
    const cells = new Map(
      publishedRows('factors_epa_hub_2025.csv').map((row) => [row.source_ref?.split('!')[1] ?? '', row]),
    )
    const own = factors.filter(
      ({ dataset, table }) => dataset === 'epa-hub-2025' && !table.startsWith('Table 12'),
    )
    expect(own.length).toBeGreaterThan(500)
    const wrong = own.flatMap((factor) =>
      factor.rows.split(', ').flatMap((cell, at) => {
        const [gas, printed] = [factor.gases[at], cells.get(cell)]
        const isSame =
          gas !== undefined &&
          printed !== undefined &&
          gas.gas === printed.gas &&
          gas.isBiogenic === (printed.is_biogenic === '1') &&
          (gas.basis === 'co2e') === (printed.result_is_co2e === '1') &&
          near(gas.kg, printed.factor_kg_per_unit ?? '')
        return isSame ? [] : [`${factor.key} ${cell}`]
      }),
    )
    expect(wrong).toEqual([])
  })

  test('each DESNZ 2024 value matches its ID in the flat file', () => {
    const lines = new Map(
      publishedRows('factors_desnz_2024.csv').map((row) => [
        (row.source_ref ?? '').replace('flat-file ID ', ''),
        row,
      ]),
    )
    const own = factors.filter(({ dataset }) => dataset === 'desnz-2024')
    expect(own.length).toBeGreaterThan(500)
    const wrong = own.flatMap((factor) =>
      factor.rows
        .replace('flat file ', '')
        .split(', ')
        .flatMap((number, at) => {
          const [gas, printed] = [factor.gases[at], lines.get(number)]
          const isSame =
            gas !== undefined &&
            printed !== undefined &&
            gas.gas === printed.gas &&
            near(gas.kg, printed.factor_kg_per_unit ?? '')
          return isSame ? [] : [`${factor.key} ${number}`]
        }),
    )
    expect(wrong).toEqual([])
  })

  test('units and GWPs match the published tables', () => {
    const printed = publishedRows('units.csv').filter(({ dimension }) => dimension !== 'money')
    const wrong = printed.filter(({ unit, to_base_factor: factor = '' }) => {
      const own = units.find(({ code }) => code === unit)
      return own === undefined || !near(own.to_base, factor)
    })
    expect(wrong).toEqual([])
    const gases = publishedRows('gwp100.csv').filter(({ gas }) => gas !== 'CH4' && gas !== 'gas')
    const letters = (name = '') =>
      name
        .replace('_nonfossil', '')
        .replaceAll(/[^A-Za-z0-9]/g, '')
        .toLowerCase()
    const renamed: Record<string, string> = {
      CF4: 'PFC-14',
      C2F6: 'PFC-116',
      C3F8: 'PFC-218',
      C4F10: 'PFC-31-10',
      C5F12: 'PFC-41-12',
      C6F14: 'PFC-51-14',
      cC4F8: 'PFC-318',
    }
    const missing = gases.filter(({ gas = '', gwp_set: set, gwp100 = '' }) => {
      const name = letters(renamed[gas] ?? gas)
      const found = gwps.find((own) => letters(own.gas) === name && own.gwp_set === set)
      return set?.length === 3 && (found === undefined || !near(found.gwp, gwp100))
    })
    expect(missing).toEqual([])
  })
})
