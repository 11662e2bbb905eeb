import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { instruments } from '#contract/carbon/activity/instruments.ts'
import { factors } from '#contract/carbon/factors/factors.ts'
import { Figure } from '#contract/carbon/factors/figure.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { ownFactor } from '#test/cases/carbon/factors.ts'
import { bill, ledgerWorld, type LedgerWorld } from '#test/factories/carbon/ledger-world.ts'
import { newAccount } from '#test/factories/new-account.ts'
import { hasPublishedFigures, workedExample } from '#test/factories/carbon/published-figures.ts'

let forecourt: TestApp
let admin: Caller
let account: Awaited<ReturnType<typeof newAccount>>
beforeAll(async () => {
  forecourt = await testApp()
  account = await newAccount(forecourt)
  admin = account.caller
})
afterAll(() => forecourt.close())

const world = (more: Parameters<typeof ledgerWorld>[3] = {}): Promise<LedgerWorld> =>
  ledgerWorld(forecourt, account, admin, more)
const distance = (value: number, expected: string): number => Math.abs(value - Number(expected))
const in2024 = { periodStart: '2024-01-01', periodEnd: '2024-12-31' }

/** Adds a custom factor that is chosen manually. */
async function addFactor(
  kg: string,
  unit: string,
  more: Parameters<typeof ownFactor>[0] = {},
): Promise<string> {
  const gases = [{ gas: 'CO2e', basis: 'co2e' as const, kg }]
  const { id } = await admin.call(
    factors.add,
    ownFactor({ activity: 'own/example', scopes: ['1'], region: 'US', unit, gases, isForAll: true, ...more }),
  )
  return id
}
const withFactor = (factorId: string, unit: string, scope = '1') => ({
  activity: 'own/example',
  scope,
  unit,
  factorId,
})

describe.skipIf(!hasPublishedFigures)('worked examples match the ledger within their tolerances', () => {
  test('EX01 and EX37 natural gas by volume and by energy', async () => {
    const { given, expected } = workedExample('EX01')
    const gas = { activity: 'combustion/natural-gas', scope: '1', unit: 'scf' }
    const byVolume = await world()
    await byVolume.addRecord(gas, bill(given('quantity'), 'scf'))
    expect(distance(await byVolume.gas('co2'), expected('published_co2_kg'))).toBeLessThanOrEqual(5.44)
    const example = workedExample('EX37')
    const byEnergy = await world()
    const { kg } = await byEnergy.addRecord(
      gas,
      bill(example.expected('mmBtu'), 'mmBtu', { calorificBasis: 'gross' }),
    )
    expect(distance(kg, example.expected('co2e_kg'))).toBeLessThanOrEqual(0.001)
  })

  test('EX02 and EX18 with three GWP sets', async () => {
    const oil = workedExample('EX02')
    const leak = workedExample('EX18')
    for (const [gwpSet, oilKey, leakKey] of [
      ['AR4', 'co2e_kg_AR4', 'tCO2e_AR4'],
      ['AR5', 'co2e_kg_AR5', 'tCO2e_AR5'],
      ['AR6', 'co2e_kg_AR6_nonfossil_ch4', 'tCO2e_AR6'],
    ] as const) {
      const one = await world({ gwpSet })
      const burnt = await one.addRecord(
        { activity: 'combustion/distillate-fuel-oil-no-2', scope: '1', unit: 'gallon' },
        bill(oil.given('quantity'), oil.given('unit')),
      )
      expect(distance(burnt.kg, oil.expected(oilKey))).toBeLessThanOrEqual(0.001)
      const leaked = await one.addRecord(
        { activity: 'refrigerant/hfc-134a', scope: '1', unit: 'kg' },
        bill(leak.given('quantity'), leak.given('unit')),
      )
      expect(leaked.kg / 1_000).toBe(Number(leak.expected(leakKey)))
    }
  })

  test('EX04 wood: biogenic CO2 stays outside the scopes', async () => {
    const { given, expected } = workedExample('EX04')
    const one = await world()
    const wood = await one.addRecord(
      { activity: 'combustion/wood-and-wood-residuals', scope: '1', unit: 'short ton' },
      bill(given('quantity'), given('unit')),
    )
    expect(distance(wood.kg, expected('scope1_co2e_kg'))).toBeLessThanOrEqual(0.001)
    expect(distance(wood.biogenic, expected('biogenic_co2_kg_reported_separately'))).toBeLessThanOrEqual(
      0.001,
    )
    const { total } = await one.totals()
    expect([Number(total.location), Number(total.biogenic)]).toEqual([wood.kg, wood.biogenic])
  })

  test('EX05, EX06, EX08 and EX09 with custom factors', async () => {
    const one = await world()
    const therm = workedExample('EX05')
    const ofTherm = await addFactor(
      new Figure(therm.given('kg_C_per_mmBtu')).times(44).div(12).toFixed(15),
      'mmBtu',
    )
    expect(
      distance(
        (await one.addRecord(withFactor(ofTherm, 'therm'), bill('1', 'therm'))).kg / 1_000,
        therm.expected('t_CO2'),
      ),
    ).toBeLessThanOrEqual(0.000001)
    const barrel = workedExample('EX06')
    const ofBarrel = await addFactor(
      new Figure(barrel.given('kg_C_per_mmBtu'))
        .times(barrel.given('mmBtu_per_barrel'))
        .times(44)
        .div(12)
        .toFixed(15),
      'barrel',
    )
    expect(
      distance(
        (await one.addRecord(withFactor(ofBarrel, 'gallon'), bill('42', 'gallon'))).kg / 1_000,
        barrel.expected('t_CO2'),
      ),
    ).toBeLessThanOrEqual(0.005)
    const home = workedExample('EX08')
    const delivered = new Figure(home.given('lb_CO2_per_MWh_generated'))
      .div(new Figure(1).minus(home.given('grid_loss')))
      .div(home.given('lb_per_tonne'))
    const ofHome = await addFactor(delivered.times(1_000).toFixed(15), 'MWh')
    expect(
      distance(
        (await one.addRecord(withFactor(ofHome, 'kWh'), bill(home.given('kWh'), 'kWh'))).kg / 1_000,
        home.expected('published_t_CO2'),
      ),
    ).toBeLessThanOrEqual(0.002)
    const car = workedExample('EX09')
    const mile = new Figure(car.given('t_CO2_per_gallon'))
      .times(1_000)
      .div(car.given('mpg'))
      .div(car.given('CO2_share_of_CO2e'))
    const ofMile = await addFactor(mile.toFixed(15), 'vehicle-mile')
    expect(
      distance(
        (await one.addRecord(withFactor(ofMile, 'vehicle-mile'), bill(car.given('miles'), 'vehicle-mile')))
          .kg / 1_000,
        car.expected('published_t_CO2e'),
      ),
    ).toBeLessThanOrEqual(0.0000005)
  })

  test('EX10 purchased steam', async () => {
    const { given, expected } = workedExample('EX10')
    const steam = await (
      await world()
    ).addRecord({ activity: 'heat/steam', scope: '2', unit: 'mmBtu' }, bill(given('quantity'), given('unit')))
    expect(distance(steam.kg, expected('co2e_kg'))).toBeLessThanOrEqual(0.001)
  })

  test('EX12 and EX15 both scope 2 methods with certificates, and the sum over three scopes', async () => {
    const { given, expected } = workedExample('EX12')
    const one = await world()
    const grid = await addFactor(given('grid_kgCO2e_per_kWh'), 'kWh', { scopes: ['2'] })
    const { sourceId } = await one.addRecord(withFactor(grid, 'kWh', '2'), bill(given('kWh'), 'kWh'))
    const bought = {
      inventoryId: one.inventoryId,
      unit: 'kWh',
      sourceNote: 'Registry, serial numbers 1 to 600',
    }
    await admin.call(instruments.save, {
      ...bought,
      kind: 'certificate',
      name: 'Wind',
      quantity: given('certificate_kWh'),
      kgCo2e: given('certificate_factor'),
      allocations: [{ sourceId, quantity: given('certificate_kWh') }],
    })
    await admin.call(instruments.save, {
      ...bought,
      kind: 'residual_mix',
      name: 'Residual mix',
      kgCo2e: given('residual_mix_kgCO2e_per_kWh'),
      allocations: [{ sourceId }],
    })
    const { total } = await one.totals()
    expect([Number(total.location) / 1_000, Number(total.market) / 1_000]).toEqual([
      Number(expected('location_tCO2e')),
      Number(expected('market_tCO2e')),
    ])

    const real = workedExample('EX15')
    const three = await world()
    const tonne = await addFactor('1000', 'MWh', { scopes: ['1', '2', '3.1'] })
    await three.addRecord(withFactor(tonne, 'MWh', '1'), bill(real.given('scope1'), 'MWh'))
    await three.addRecord(withFactor(tonne, 'MWh', '3.1'), bill(real.given('scope3'), 'MWh'))
    const current = await three.addRecord(
      withFactor(tonne, 'MWh', '2'),
      bill(real.given('scope2_location'), 'MWh'),
    )
    const covered = String(Number(real.given('scope2_location')) - Number(real.given('scope2_market')))
    await admin.call(instruments.save, {
      ...bought,
      inventoryId: three.inventoryId,
      sourceNote: 'Registry, serial numbers 601 to 900',
      unit: 'MWh',
      kind: 'certificate',
      name: 'Wind',
      quantity: covered,
      kgCo2e: '0',
      allocations: [{ sourceId: current.sourceId, quantity: covered }],
    })
    const sums = await three.totals()
    expect([
      Math.round(Number(sums.total.location) / 1_000),
      Math.round(Number(sums.total.market) / 1_000),
    ]).toEqual([
      Number(real.expected('total_with_location_tCO2e')),
      Number(real.expected('total_with_market_tCO2e')),
    ])
  })

  test('EX13, EX21, EX22, EX24 and EX25 for the UK: no GWP is applied twice, T&D losses and well-to-tank are in 3.3', async () => {
    const one = await world({ year: 2024, hasUpstream: true })
    const grid = { activity: 'electricity/grid', scope: '2', unit: 'kWh', country: 'GB' }
    const real = workedExample('EX13')
    const published = await one.addRecord(grid, bill(real.given('kWh'), 'kWh', in2024))
    expect(distance(published.kg / 1_000, real.expected('published_tCO2e'))).toBeLessThanOrEqual(0.005)
    const single = workedExample('EX21')
    const kWh = await one.addRecord(grid, bill('1', 'kWh', in2024))
    expect(kWh.kg).toBe(Number(single.expected('kgCO2e')))
    const both = workedExample('EX25')
    const lossy = await one.addRecord(grid, bill(both.given('kWh'), 'kWh', in2024))
    expect(distance(lossy.kg, both.expected('scope2_kgCO2e'))).toBeLessThanOrEqual(0.5)
    const lines = await one.results({ recordId: lossy.recordId })
    const losses = lines.filter(({ part }) => part === 'losses')
    expect(new Set(losses.map(({ scope }) => scope))).toEqual(new Set(['3.3']))
    expect(
      distance(
        losses.reduce((sum, { kg }) => sum + Number(kg), 0),
        both.expected('scope3_cat3_td_kgCO2e'),
      ),
    ).toBeLessThanOrEqual(0.5)
    const fuel = workedExample('EX22')
    const diesel = await one.addRecord(
      { activity: 'combustion/diesel-average-biofuel-blend', scope: '1', unit: 'L', country: 'GB' },
      bill(fuel.given('litres'), 'litres', in2024),
    )
    expect(distance(diesel.kg, fuel.expected('scope1_kgCO2e'))).toBeLessThanOrEqual(0.001)
    expect(distance(diesel.biogenic, fuel.expected('outside_scopes_kgCO2'))).toBeLessThanOrEqual(0.001)
    expect(distance(diesel.upstream, fuel.expected('scope3_cat3_wtt_kgCO2e'))).toBeLessThanOrEqual(0.001)
    const { given, expected } = workedExample('EX24')
    const gas = { activity: 'combustion/natural-gas', scope: '1', unit: 'kWh', country: 'GB' }
    const gross = await one.addRecord(gas, bill(given('kWh'), 'kWh (Gross CV)', in2024))
    const net = await one.addRecord(gas, bill(given('kWh'), 'kWh', { ...in2024, calorificBasis: 'net' }))
    expect(distance(gross.kg, expected('kgCO2e_gross'))).toBeLessThanOrEqual(0.5)
    expect(distance(net.kg, expected('kgCO2e_if_wrongly_net'))).toBeLessThanOrEqual(0.5)
  })

  test('EX19 refrigerant blends', async () => {
    const { expected } = workedExample('EX19')
    const one = await world()
    for (const blend of ['R-410A', 'R-404A', 'R-407C', 'R-507A']) {
      const source = { activity: `refrigerant/${blend.toLowerCase()}`, scope: '1', unit: 'kg' }
      expect(
        distance((await one.addRecord(source, bill('1', 'kg'))).kg, expected(blend)),
      ).toBeLessThanOrEqual(0.5)
    }
  })

  test('EX26 a spend-based purchase with its price year', async () => {
    const { given, expected } = workedExample('EX26')
    const one = await world()
    const margin = await addFactor('0.532', 'USD', {
      scopes: ['3.1'],
      priceYear: Number(given('price_year')),
    })
    const bought = await one.addRecord(
      withFactor(margin, 'USD', given('scope')),
      bill(given('amount'), given('currency'), { priceYear: Number(given('price_year')) }),
    )
    expect(bought.kg).toBe(Number(expected('kgCO2e')))
  })

  test('EX28 equity shares through a chain of ownership', async () => {
    const { given, expected } = workedExample('EX28')
    const one = await world({ boundary: 'equity' })
    const top = await one.addFacility()
    const owns = (share: string) => [{ from: '2000-01-01', ownership: Number(share) * 100 }]
    for (const [name, above, share] of [
      ['B', '1', 'A_in_B'],
      ['C', '1', 'B_in_C'],
      ['JV1', '1', 'A_in_JV1'],
      ['JV2', '1', 'B_in_JV2'],
      ['JV4', '1', 'A_in_JV4'],
      ['JV3', given('B_in_C'), 'C_in_JV3'],
      ['D', given('B_in_C'), 'C_in_D'],
    ] as const) {
      const parentId = above === '1' ? top : await one.addFacility({ control: owns(above) })
      const facilityId = await one.addFacility({ parentId, control: owns(given(share)) })
      const { kg } = await one.addRecord(
        { activity: 'refrigerant/hfc-32', scope: '1', unit: 'kg', facilityId },
        {
          ...bill('0', 'kg'),
          kind: 'direct',
          quantity: null,
          unit: null,
          direct: [{ gas: 'CO2e', basis: 'co2e', kg: '100' }],
        },
      )
      expect({ name, kg }).toEqual({ name, kg: Number(expected(name)) })
    }
  })

  test('EX29, EX31 and EX32 with published factors', async () => {
    const stock = workedExample('EX29')
    const one = await world()
    const rows = [
      [stock.given('ng_kg_per_m3'), 'm3', bill(stock.given('natural_gas_m3'), 'm3')],
      [stock.given('coal_kg_per_t'), 't', bill(stock.given('coal_t'), 't')],
      [
        stock.given('diesel_kg_per_l'),
        'L',
        // Consumption is the difference of the two tank levels.
        {
          ...bill('0', 'L'),
          quantity: null,
          kind: 'meter' as const,
          meterFrom: stock.given('diesel_closing_l'),
          meterTo: stock.given('diesel_opening_l'),
        },
      ],
    ] as const
    for (const [kg, unit, row] of rows) await one.addRecord(withFactor(await addFactor(kg, unit), unit), row)
    expect(
      distance(Number((await one.totals()).total.location), stock.expected('kg_CO2')),
    ).toBeLessThanOrEqual(0.01)

    const quarter = await world()
    for (const [figure, unit, amounts] of [
      ['0.2', 'kWh', ['100']],
      ['2.04', 'm3', ['850', '30', '900']],
      ['0.94', 'L', ['250']],
      ['0.17819', 'vehicle-km', ['600']],
    ] as const) {
      const source = await quarter.addSource(withFactor(await addFactor(figure, unit), unit))
      await quarter.save(source, ...amounts.map((amount) => bill(amount, unit)))
    }
    expect((await quarter.totals()).total.location).toBe(workedExample('EX31').expected('sum_kg'))

    const { given, expected } = workedExample('EX32')
    const parts = [
      { gas: 'CO2e', basis: 'co2e' as const, kg: given('co2e_per_kg') },
      { gas: 'CO2', basis: 'co2e' as const, kg: given('co2') },
      { gas: 'CH4', basis: 'co2e' as const, kg: given('ch4_as_co2e') },
      { gas: 'N2O', basis: 'co2e' as const, kg: given('n2o_as_co2e') },
    ]
    const lpg = await addFactor('0', 'kg', { gases: parts })
    const burnt = await (await world()).addRecord(withFactor(lpg, 'kg'), bill(given('kg'), 'kg'))
    expect(distance(burnt.kg, expected('kgCO2e'))).toBeLessThanOrEqual(0.001)
  })

  test('EX33 freight and EX35 flights by distance', async () => {
    const { expected } = workedExample('EX33')
    const one = await world()
    await one.addRecord(
      { activity: 'freight/medium-and-heavy-duty-truck', scope: '3.4', unit: 'tonne-km' },
      bill(expected('tonne_km'), 'tonne-km'),
    )
    expect(distance(await one.gas('co2'), expected('co2_kg'))).toBeLessThanOrEqual(0.01)
    for (const [haul, miles, kg] of [
      ['short', '250', '51.75'],
      ['medium', '300', '38.7'],
      ['long', '4600', '749.8'],
    ] as const) {
      const { results } = await admin.call(factors.list, { search: `air travel ${haul} haul` })
      const activity = results.find(({ unit }) => unit === 'passenger-mile')?.activity ?? ''
      const flown = await world()
      await flown.addRecord({ activity, scope: '3.6', unit: 'passenger-mile' }, bill(miles, 'passenger-mile'))
      expect(distance(await flown.gas('co2'), kg)).toBeLessThanOrEqual(0.001)
    }
  })
})
