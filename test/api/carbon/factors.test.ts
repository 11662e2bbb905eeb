import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { factors } from '#contract/carbon/factors/factors.ts'
import { Figure } from '#contract/carbon/factors/figure.ts'
import { kyselyOver, statement, type AsOwner } from '#server/database/tenant-transaction.ts'
import { readFactors } from '#server/carbon/factors/factor-rows.ts'
import { factorSource, loadLibrary } from '#server/carbon/index.ts'
import { refusalOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { ownFactor } from '#test/cases/carbon/factors.ts'

let forecourt: TestApp
let admin: Caller
let toyota: Caller
let harbor: Caller
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  toyota = await forecourt.as('northgate.admin', 'Northgate Toyota')
  harbor = await forecourt.as('harbor.admin')
})
afterAll(() => forecourt.close())

const asOwner: AsOwner = async (work) => {
  const { owner } = forecourt
  await owner.query('begin')
  const done = await work(kyselyOver((query) => owner.query(statement(query))))
  await owner.query('commit')
  return done
}

const find = (query: string, more: Partial<Parameters<typeof ask>[0]> = {}) =>
  ask({ query, region: 'US', date: '2025-06-01', ...more })
const ask = (wanted: {
  query: string
  region: string
  date: string
  unit?: string
  yearRule?: 'exact' | 'latest'
}) => admin.call(factors.find, wanted)

describe('the library', () => {
  test('is available to every customer, with citations and values for each GWP set', async () => {
    const { results } = await harbor.call(factors.list, { search: 'natural gas mmBtu EPA' })
    const row = results.find(
      ({ activity, unit }) => activity === 'combustion/natural-gas' && unit === 'mmBtu',
    )
    const factor = await harbor.call(factors.get, { id: row?.id ?? '' })
    expect(factor).toMatchObject({
      origin: 'library',
      publisher: 'US EPA',
      edition: '2025-01-15',
      license: 'US-PD',
      table: 'Table 1 Stationary Combustion',
      rows: 'E38, F38, G38',
      calorificBasis: 'gross',
      validFrom: '2025-01-01',
      co2e: '53.1145',
    })
    expect(factor.resolved.map(({ gwpSet, co2e }) => `${gwpSet} ${co2e}`)).toEqual([
      'AR4 53.1148',
      'AR5 53.1145',
      'AR6 53.1143',
    ])
  })

  test('exports have the same value as the screen, for every factor', async () => {
    const added = await admin.call(
      factors.add,
      ownFactor({ gases: [{ gas: 'HCFC-22', basis: 'gas', kg: '1' }] }),
    )
    const db = kyselyOver((query) => forecourt.owner.query(statement(query)))
    const shown = await readFactors(db, sql`true`, { limit: 5_000 })
    const { rows } = await sql<{ id: string; co2e: string | null }>`
      select f.id::text, ${factorSource.fields.co2e.value}::text as co2e from library.factors f`.execute(db)
    const exported = new Map(rows.map(({ id, co2e }) => [id, co2e]))
    expect(shown.length).toBeGreaterThan(1_400)
    const different = shown.filter(({ id, co2e }) => {
      const other = exported.get(id) ?? null
      return co2e === null || other === null ? co2e !== other : !new Figure(co2e).eq(other)
    })
    expect(different).toEqual([])
    await admin.call(factors.remove, { id: added.id })
  })

  test('adds nothing when it is loaded again', async () => {
    expect(await loadLibrary(asOwner)).toBe(0)
  })

  test('a corrected factor becomes a new row that supersedes the old one', async () => {
    const { owner } = forecourt
    const before = await owner.query<{ id: string }>(
      `update library.emission_factors set mark = 'as it was' where key = 'epa-hub-2025/t7/steam/us/mmbtu' returning id`,
    )
    await owner.query(`delete from library.loaded_files where name = 'factors-epa-hub-2025.csv'`)
    expect(await loadLibrary(asOwner)).toBe(1)
    const former = await admin.call(factors.get, { id: before.rows[0]?.id ?? '' })
    const newest = await admin.call(factors.get, { id: former.supersededBy ?? '' })
    expect(newest).toMatchObject({
      name: 'Steam and Heat',
      supersededBy: null,
      replaces: [{ id: former.id }],
    })
  })

  test('is read-only for requests', async () => {
    for (const change of [
      'update library.emission_factor_gases set kg = 0',
      'delete from library.units',
      `insert into library.gwp_values (gas, gwp_set, gwp, is_kyoto, source) values ('X', 'AR5', 1, true, '')`,
    ]) {
      await expect(forecourt.appPool.query(change)).rejects.toMatchObject({ code: '42501' })
    }
  })

  test('can be filtered by scope, region, unit and origin, and sorted', async () => {
    const { results, filteredRows } = await admin.call(factors.list, {
      filter: 'scope == "2" && region.startsWith("US-") && origin == "library"',
      sort: '-region',
    })
    expect(filteredRows).toBe(54)
    expect(results[0]).toMatchObject({ region: 'US-SRVC', unit: 'kWh' })
  })

  test('lists the regions with a grid factor, which exclude Canada and Australia', async () => {
    const { gridRegions, datasets } = await admin.call(factors.datasets, {})
    expect(gridRegions).toEqual(expect.arrayContaining(['GB', 'US', 'US-CAMX']))
    expect(gridRegions.filter((region) => /^(CA|AU)/.test(region))).toEqual([])
    expect(datasets.map(({ publisher }) => publisher)).toEqual(['IPCC', 'UK DESNZ', 'US EPA'])
  })
})

describe('picking a factor', () => {
  test('picks by path, region, date and unit, and explains why', async () => {
    const { chosenId, sentence, candidates } = await find('electricity/grid', {
      region: 'US-CAMX',
      unit: 'MWh',
    })
    const [first, second] = candidates
    expect(first?.factor).toMatchObject({ id: chosenId, region: 'US-CAMX' })
    expect(first?.reasons).toEqual(['For US-CAMX.', 'Valid on 2025-06-01.', 'MWh is converted to kWh.'])
    expect(sentence).toContain('CAMX')
    expect(second).toMatchObject({ fits: true, factor: { region: 'US' } })
    expect(second?.reasons[0]).toBe('For all of US, which includes US-CAMX.')
  })

  test('never uses a factor of another country or year instead', async () => {
    const quebec = await find('electricity/grid', { region: 'CA-QC', unit: 'kWh' })
    expect(quebec).toMatchObject({ chosenId: null })
    expect(quebec.sentence).toMatch(/^No factor matches CA-QC on 2025-06-01/)
    const later = await find('electricity/grid', { date: '2027-01-05', unit: 'kWh' })
    expect(later).toMatchObject({ chosenId: null })
    const latest = await find('electricity/grid', { date: '2027-01-05', unit: 'kWh', yearRule: 'latest' })
    expect(latest.chosenId).not.toBeNull()
    expect(latest.sentence).toContain('valid to 2025-12-31, is the latest available')
  })

  test('never picks a non-baseload rate', async () => {
    const { chosenId, candidates } = await find('electricity/non-baseload', { unit: 'kWh' })
    expect(chosenId).toBeNull()
    expect(candidates[0]?.against).toEqual(['For avoided emissions only, not for inventories.'])
  })

  test('does not mix up gross and net, and guesses neither', async () => {
    const gas = { region: 'GB', date: '2024-05-01' }
    const gross = await find('combustion/natural-gas', { ...gas, unit: 'kWh (Gross CV)' })
    const net = await find('combustion/natural-gas', { ...gas, unit: 'kWh (Net CV)' })
    expect([gross.candidates[0]?.factor.co2e, net.candidates[0]?.factor.co2e]).toEqual(['0.1829', '0.20264'])
    const ambiguous = await find('combustion/natural-gas', { ...gas, unit: 'kWh' })
    expect(ambiguous.chosenId).toBeNull()
    expect(ambiguous.candidates.flatMap(({ against }) => against)).toContain(
      'For gross calorific value. Choose the calorific value of the bill.',
    )
  })

  test('rejects an ambiguous unit with suggestions', async () => {
    const { refusal } = await refusalOf(find('combustion/natural-gas', { unit: 'tons' }))
    expect(refusal.fields).toEqual({
      unit: '\u201ctons\u201d is ambiguous. Enter short ton, t or long ton.',
    })
  })

  test('prefers a custom factor of the organization to one of the customer, and that to the library', async () => {
    const wanted = { region: 'GB', date: '2024-06-01', unit: 'kWh' }
    const forAll = await admin.call(factors.add, ownFactor({ region: 'GB', isForAll: true }))
    expect(await find('electricity/grid', wanted)).toMatchObject({ chosenId: forAll.id })
    const own = await admin.call(factors.add, ownFactor({ region: 'GB' }))
    expect(await find('electricity/grid', wanted)).toMatchObject({ chosenId: own.id })
    expect(await harbor.call(factors.find, { query: 'electricity/grid', ...wanted })).toMatchObject({
      candidates: expect.not.arrayContaining([expect.objectContaining({ factor: { origin: 'own' } })]),
    })
    await admin.call(factors.remove, { id: forAll.id })
    await admin.call(factors.remove, { id: own.id })
  })
})

describe('custom factors', () => {
  test('recognizes the unit, and the calorific value if the unit includes it', async () => {
    const added = await admin.call(
      factors.add,
      ownFactor({ unit: 'kwh (gross cv)', gases: [{ gas: 'CO2', basis: 'gas', kg: '0.18' }] }),
    )
    expect(added).toMatchObject({
      unit: 'kWh',
      calorificBasis: 'gross',
      origin: 'own',
      createdBy: 'Dana Whitfield',
    })
  })

  test.for([
    [{ unit: 'tons' }, 'unit'],
    [{ unit: 'zebras' }, 'unit'],
    [{ unit: 'USD' }, 'priceYear'],
    [{ unit: 'L', calorificBasis: 'net' }, 'calorificBasis'],
    [{ gases: [{ gas: 'Phlogiston', basis: 'gas', kg: '1' }] }, 'gases.0.gas'],
    [{ gases: [{ gas: 'CO2e', basis: 'gas', kg: '1' }] }, 'gases.0.basis'],
    [
      {
        gases: [
          { gas: 'CO2e', basis: 'co2e', kg: '1' },
          { gas: 'CH4', basis: 'gas', kg: '1' },
        ],
      },
      'gases.1.basis',
    ],
    [{ gases: [{ gas: 'CO2', basis: 'gas', kg: '-1' }] }, 'gases.0.kg'],
    [{ validFrom: '2024-02-01', validTo: '2024-01-01' }, 'validTo'],
    [{ region: 'world' }, 'region'],
    [{ sourceNote: ' ' }, 'sourceNote'],
  ] as const)('rejects %j on %s', async ([more, field]) => {
    const { status, refusal } = await refusalOf(
      admin.call(
        factors.add,
        ownFactor({ ...more, gases: 'gases' in more ? [...more.gases] : ownFactor().gases }),
      ),
    )
    expect({ status, fields: Object.keys(refusal.fields ?? {}) }).toEqual({ status: 400, fields: [field] })
  })

  test('a change adds a new version, and a second change of the old version conflicts', async () => {
    const first = await admin.call(factors.add, ownFactor({ name: 'Hydro 2024' }))
    const changed = ownFactor({ name: 'Hydro 2024', gases: [{ gas: 'CO2e', basis: 'co2e', kg: '0.0015' }] })
    const second = await admin.call(factors.update, { id: first.id, version: 1, factor: changed })
    expect(second).toMatchObject({ co2e: '0.0015', replaces: [{ id: first.id }] })
    expect(await admin.call(factors.get, { id: first.id })).toMatchObject({
      co2e: '0.0013',
      supersededBy: second.id,
    })
    const late = await refusalOf(admin.call(factors.update, { id: first.id, version: 1, factor: changed }))
    expect(late).toMatchObject({ status: 409, refusal: { current: { id: second.id } } })
    await expect(admin.call(factors.remove, { id: first.id })).toRefuse(
      409,
      'Dana Whitfield changed this factor',
    )
    await admin.call(factors.remove, { id: second.id })
    // With its earlier versions: one that became current again could change figures.
    await expect(admin.call(factors.get, { id: first.id })).toRefuse(404)
  })

  test('only one of several concurrent changes succeeds', async () => {
    const { id } = await admin.call(factors.add, ownFactor())
    const tries = await Promise.allSettled(
      Array.from({ length: 4 }, () => admin.call(factors.update, { id, version: 1, factor: ownFactor() })),
    )
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('library factors cannot be changed', async () => {
    const { results } = await admin.call(factors.list, { search: 'anthracite', pageSize: 1 })
    const id = results[0]?.id ?? ''
    await expect(admin.call(factors.update, { id, factor: ownFactor() })).toRefuse(409, 'Add a custom factor')
    await expect(admin.call(factors.remove, { id })).toRefuse(409, 'Add a custom factor')
  })

  test('other customers cannot see, find or replace it', async () => {
    const { id } = await admin.call(factors.add, ownFactor({ isForAll: true, name: 'Secret supplier' }))
    expect(await toyota.call(factors.get, { id })).toMatchObject({ organizationId: null })
    await expect(harbor.call(factors.get, { id })).toRefuse(404)
    await expect(harbor.call(factors.update, { id, factor: ownFactor() })).toRefuse(404)
    expect(await harbor.call(factors.list, { search: 'Secret supplier' })).toMatchObject({ filteredRows: 0 })
  })
})
