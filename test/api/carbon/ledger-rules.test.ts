import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { activities } from '#contract/carbon/activity/activity.ts'
import { factors } from '#contract/carbon/factors/factors.ts'
import { instruments } from '#contract/carbon/activity/instruments.ts'
import { ledger } from '#contract/carbon/results/ledger.ts'
import { refusalOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { ownFactor } from '#test/cases/carbon/factors.ts'
import { bill, ledgerWorld, type LedgerWorld, type Row } from '#test/factories/carbon/ledger-world.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let admin: Caller
let ford: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  ford = await testOrganization(forecourt, 'Northgate Ford')
})
afterAll(() => forecourt.close())

const world = (more: Parameters<typeof ledgerWorld>[3] = {}): Promise<LedgerWorld> =>
  ledgerWorld(forecourt, ford, admin, more)
const GAS = { activity: 'combustion/natural-gas', scope: '1', unit: 'mmBtu' }
const GRID = { activity: 'electricity/grid', scope: '2', unit: 'kWh', gridRegion: 'CAMX' }
const UK = { activity: 'electricity/grid', scope: '2', unit: 'kWh', country: 'GB' }
const gasBill = (quantity: string, more: Partial<Row> = {}) =>
  bill(quantity, 'mmBtu', { calorificBasis: 'gross', ...more })
const measured = (gas: string, kg: string, isBiogenic = false): Row => ({
  ...bill('0', 'kg'),
  kind: 'direct',
  quantity: null,
  unit: null,
  direct: [{ gas, basis: gas === 'CO2e' ? 'co2e' : 'gas', kg, isBiogenic }],
})
const sumOf = (lines: readonly { kg: string | null; quantity: string | null }[], of: 'kg' | 'quantity') =>
  lines.reduce((sum, line) => sum + Number(line[of]), 0)

describe('bills of natural gas in the United States', () => {
  test('by volume, the factor per volume applies: the same bill in another unit of volume has the same result', async () => {
    const one = await world()
    const units = [
      ['1', 'Mcf'],
      ['10', 'ccf'],
      ['1000', 'scf'],
      ['1000', 'ft3'],
      ['1000', 'cubic feet'],
      ['28.316846592', 'm3'],
      ['28.316846592', 'Sm3'],
    ] as const
    for (const [quantity, unit] of units) {
      const { kg, flags } = await one.addRecord(GAS, bill(quantity, unit))
      // 1,000 scf at 0.05444 kg CO2, 0.00000103 kg CH4 and 0.0000001 kg N2O with AR5.
      expect(kg).toBe(54.49534)
      expect(flags).not.toContain('fuel')
    }
    const [row] = (await one.results()).filter(({ unit }) => unit === 'ft3')
    expect(row?.flags).toContain('standard-volume')
  })

  test('by energy, a bill without a calorific basis is in gross', async () => {
    const one = await world()
    const source = await one.addSource({ ...GAS, unit: 'therm' })
    const record = { ...bill('1200', 'therm'), sourceId: source }
    const preview = await admin.call(activities.preview, { record })
    expect(preview).toMatchObject({ problems: [], result: { kg: '6373.74' } })
    const { rows } = await one.save(source, bill('1200', 'therm'))
    expect(rows[0]).toMatchObject({
      state: 'saved',
      problems: [],
      record: { calorificBasis: 'gross', result: { kg: '6373.74' } },
    })
  })

  test("a conversion by another publisher's properties of the fuel says so in its formula", async () => {
    const one = await world()
    await one.addRecord(GAS, gasBill('100', { calorificBasis: 'net' }))
    const [row] = await one.results()
    const { formula, conversion } = await admin.call(ledger.explain, { id: row?.id ?? '' })
    const words = 'using the properties of Natural Gas published by UK DESNZ, 2024'
    expect(conversion).toBe(words)
    expect(formula).toContain(`Converted ${words}. AR5.`)
  })
})

describe('a formula names the GWPs of its factor', () => {
  test('a factor published in CO2e names the GWP set of its publisher', async () => {
    const one = await world({ gwpSet: 'AR6', year: 2025, yearRule: 'latest' })
    const formulaOf = async (sourceId: string) => {
      const [row] = await one.results({ sourceId })
      return (await admin.call(ledger.explain, { id: row?.id ?? '' })).formula
    }
    const waste = await one.addRecord(
      { activity: 'waste/landfilled/mixed-msw', scope: '3.5', unit: 'short ton' },
      bill('1', 'short ton'),
    )
    expect(await formulaOf(waste.sourceId)).toMatch(
      /Published in CO2e with AR4 GWPs; this inventory uses AR6\.$/,
    )
    const grid = await one.addRecord(UK, bill('1', 'kWh'))
    expect(await formulaOf(grid.sourceId)).toMatch(
      /Published in CO2e with AR5 GWPs; this inventory uses AR6\.$/,
    )
    const { id } = await admin.call(
      factors.add,
      ownFactor({
        activity: 'own/test-steam',
        scopes: ['1'],
        region: 'any',
        isForAll: true,
        gases: [{ gas: 'CO2e', basis: 'co2e', kg: '1' }],
      }),
    )
    const own = await one.addRecord(
      { activity: 'own/test-steam', scope: '1', unit: 'kWh', factorId: id },
      bill('1', 'kWh'),
    )
    expect(await formulaOf(own.sourceId)).toMatch(/Published in CO2e, GWP set not stated\.$/)
    const gas = await one.addRecord(GAS, gasBill('1'))
    expect(await formulaOf(gas.sourceId)).toMatch(/ AR6\.$/)
  })
})

describe('the thirteen rules', () => {
  test('1. no GWP is applied to published CO2e, and it is not added to its parts', async () => {
    const one = await world({ year: 2024 })
    const { kg } = await one.addRecord(
      UK,
      bill('1000', 'kWh', { periodStart: '2024-01-01', periodEnd: '2024-12-31' }),
    )
    expect(kg).toBe(207.05)
    expect(await one.gas('ch4')).toBe(0.9)
  })

  test('2. biogenic CO2 stays outside the scopes, biogenic methane counts', async () => {
    const one = await world()
    await one.addRecord({ ...GAS, activity: 'own/wood' }, measured('CO2', '500', true))
    await one.addRecord({ ...GAS, activity: 'own/wood' }, measured('CH4', '1', true))
    const { total } = await one.totals()
    expect([total.location, total.biogenic]).toEqual(['28', '500'])
  })

  test('3. gross and net are different, and only fuel properties convert between them', async () => {
    const one = await world()
    const source = await one.addSource(GAS)
    const british = await one.addSource({ ...GAS, unit: 'kWh', country: 'GB' })
    const unclear = await one.save(british, bill('100', 'kWh'))
    expect(unclear.rows[0]).toMatchObject({ state: 'refused', problems: [{ field: 'calorificBasis' }] })
    const mismatch = await one.save(source, bill('100', 'kWh (Gross CV)', { calorificBasis: 'net' }))
    expect(mismatch.rows[0]?.state).toBe('refused')
    const gross = await one.addRecord(GAS, gasBill('100'))
    const net = await one.addRecord(GAS, gasBill('100', { calorificBasis: 'net' }))
    expect(net.flags).toEqual(expect.arrayContaining(['fuel', 'fuel-other']))
    expect(net.kg / gross.kg).toBeGreaterThan(1.08)
    expect(net.kg / gross.kg).toBeLessThan(1.13)
  })

  test('4. the AR6 GWP is 27.0 for methane from combustion and 29.8 for fugitive fossil methane', async () => {
    const one = await world({ gwpSet: 'AR6' })
    expect((await one.addRecord(GAS, measured('CH4', '10'))).kg).toBe(270)
    expect((await one.addRecord(GAS, measured('CH4 fossil', '10'))).kg).toBe(298)
  })

  test('5. the GWP set does not affect published CO2e, which is flagged', async () => {
    const kgs = []
    for (const gwpSet of ['AR4', 'AR6']) {
      const one = await world({ year: 2024, gwpSet })
      const found = await one.addRecord(
        UK,
        bill('10', 'kWh', { periodStart: '2024-01-01', periodEnd: '2024-12-31' }),
      )
      expect(found.flags).toContain('fixed')
      kgs.push(found.kg)
    }
    expect(kgs[0]).toBe(kgs[1])
  })

  test('6. T&D losses are scope 3.3, and non-baseload rates are never used', async () => {
    const one = await world({ year: 2024, hasUpstream: true })
    const in2024 = { periodStart: '2024-01-01', periodEnd: '2024-12-31' }
    await one.addRecord(UK, bill('1000', 'kWh', in2024))
    const { scopes } = await one.totals()
    expect(scopes.find(({ key }) => key === '2')?.location).toBe('207.05')
    expect(Number(scopes.find(({ key }) => key === '3.3')?.location)).toBeGreaterThan(18.3)
    const { results } = await admin.call(factors.list, { filter: 'activity == "electricity/non-baseload"' })
    const later = await world()
    const source = await later.addSource(GRID)
    const refused = await later.save(source, bill('10', 'kWh', { factorId: results[0]?.id ?? '' }))
    expect(refused.rows[0]).toMatchObject({ state: 'refused', problems: [{ level: 'error' }] })
  })

  test('7. the market-based method falls back to the grid factor with a flag, and certificates never exceed consumption', async () => {
    const one = await world()
    const found = await one.addRecord(GRID, bill('1000', 'kWh'))
    expect(found.market).toBe(found.kg)
    const market = await one.results({ method: 'market' })
    expect(market.every(({ flags }) => flags.includes('no-instrument'))).toBe(true)
    const certificate = {
      inventoryId: one.inventoryId,
      kind: 'certificate' as const,
      name: 'Wind',
      unit: 'kWh',
      kgCo2e: '0.01',
      sourceNote: 'Registry',
    }
    expect(
      await refusalOf(
        admin.call(instruments.save, {
          ...certificate,
          quantity: '900',
          allocations: [{ sourceId: found.sourceId, quantity: '901' }],
        }),
      ),
    ).toMatchObject({ status: 400 })
    const buy = (quantity: string, sourceNote: string, sourceId = found.sourceId) =>
      admin.call(instruments.save, {
        ...certificate,
        sourceNote,
        quantity,
        allocations: [{ sourceId, quantity }],
      })
    await buy('600', 'Registry, serial numbers 1 to 600')
    // Never more than is used, and never twice.
    expect(await refusalOf(buy('500', 'Registry, serial numbers 601 to 1100'))).toMatchObject({
      status: 409,
      message: expect.stringContaining('uses 1,000 kWh, of which 400 kWh are not covered'),
    })
    for (const note of ['registry, serial  numbers 1 to 600', 'Registry, serial numbers 590-700'])
      expect(await refusalOf(buy('100', note))).toMatchObject({
        status: 409,
        message: expect.stringContaining('already entered: Wind'),
      })
    await buy('400', 'Registry, serial numbers 601 to 1000')
    const { total } = await one.totals()
    expect(Number(total.market)).toBeCloseTo(10, 9)
    const other = await world()
    const elsewhere = await other.addRecord(GRID, bill('1000', 'kWh'))
    const again = {
      ...certificate,
      inventoryId: other.inventoryId,
      sourceNote: 'Registry, serial numbers 900 to 950',
    }
    const allocations = [{ sourceId: elsewhere.sourceId, quantity: '50' }]
    await expect(admin.call(instruments.save, { ...again, quantity: '50', allocations })).toRefuse(409)

    // In a preview, the certificates also cover the consumption of the new record.
    const next = await one.addSource({ ...GRID, gridRegion: 'RFCM' })
    const before = await one.save(next, bill('100', 'kWh'))
    await buy('100', 'Registry, zero', next)
    const id = before.rows[0]?.record?.id ?? ''
    const record = { ...bill('90', 'kWh'), sourceId: next }
    const { result } = await admin.call(activities.preview, { id, record })
    expect(Number(result?.marketKg)).toBeCloseTo(0.9, 9)
  })

  test('8. a bill for days on which the site was closed has no result, and the total is a minimum', async () => {
    const one = await world()
    const facilityId = await one.addFacility()
    const source = {
      activity: 'combustion/natural-gas',
      scope: '1',
      unit: 'therm',
      facilityId,
      frequency: 'month',
    }
    const sourceId = await one.addSource(source)
    await forecourt.owner.query(
      `update facilities set opened_on = '2025-04-01', closed_on = '2025-10-31' where id = $1`,
      [facilityId],
    )
    const month = (first: string, last: string) =>
      bill('100', 'therm', { periodStart: `2025-${first}`, periodEnd: `2025-${last}` })
    const { rows } = await one.save(
      sourceId,
      month('01-01', '01-31'),
      month('12-01', '12-31'),
      month('05-01', '05-31'),
    )
    expect(rows.map(({ record }) => record?.result?.kg === null)).toEqual([true, true, false])
    expect(rows[0]?.record?.result?.problem).toMatch(
      /^The site was closed on these days\. .* opened on Apr 1, 2025\.$/,
    )
    expect(rows[1]?.record?.result?.problem).toMatch(/ closed on Oct 31, 2025\.$/)
    expect(rows[0]?.problems[0]?.message).toContain('The site opened on Apr 1, 2025.')
    const { total } = await one.totals()
    expect(total.missing).toBe(2)
    expect(Number(total.location)).toBe(Number(rows[2]?.record?.result?.kg))
    // Of a bill for a year, the months in which the site was open count.
    await one.save(sourceId, bill('365', 'therm'))
    const months = (await one.results()).filter(({ quantity }) => quantity === '31')
    expect(
      months.map(({ month: of, kg }) => `${of.slice(5, 7)} ${kg === null ? 'none' : 'some'}`).toSorted(),
    ).toEqual(['01 none', '03 none', '05 some', '07 some', '08 some', '10 some', '12 none'])
  })

  test('8. an estimate shrinks to the days without a bill, and grows again', async () => {
    const one = await world()
    const sourceId = await one.addSource({ ...GRID, frequency: 'month' })
    const april = { periodStart: '2025-04-01', periodEnd: '2025-04-30' }
    const estimate = bill('900', 'kWh', { ...april, kind: 'estimate', estimateMethod: 'average' })
    const quantity = async () =>
      (await one.results({ method: 'location' })).reduce((sum, row) => sum + Number(row.quantity), 0)
    await one.save(sourceId, estimate)
    expect(await quantity()).toBe(900)
    const { rows } = await one.save(sourceId, bill('400', 'kWh', { ...april, periodEnd: '2025-04-15' }))
    expect(await quantity()).toBe(850)
    const middle = await one.save(
      sourceId,
      bill('100', 'kWh', { periodStart: '2025-04-20', periodEnd: '2025-04-22' }),
    )
    expect(await quantity()).toBe(400 + 100 + 360)
    expect((await one.totals()).coverage.overlaps).toEqual([])
    for (const id of [rows, middle.rows].flatMap(([row]) => row?.record?.id ?? []))
      await admin.call(activities.remove, { id })
    expect(await quantity()).toBe(900)
    // A bill for the whole month replaces it.
    await one.save(sourceId, bill('1000', 'kWh', april))
    expect(await quantity()).toBe(1000)
  })

  test('8. without a factor there is no result, less coverage, and a missing count', async () => {
    const one = await world()
    const nowhere = await one.addSource({
      activity: 'electricity/grid',
      scope: '2',
      unit: 'kWh',
      country: 'AU',
    })
    const saved = await one.save(nowhere, bill('1000', 'kWh'))
    expect(saved.rows[0]?.record?.result).toMatchObject({ kg: null })
    expect(saved.rows[0]?.record?.result?.problem).toContain('AU')
    await one.addRecord(GRID, bill('1000', 'kWh'))
    const { total, coverage } = await one.totals()
    expect(total.missing).toBe(12)
    expect(coverage).toMatchObject({
      expected: 2,
      there: 1,
      estimated: 0,
      sentence: '1 of 2 expected data points',
    })
    expect(coverage.facilities.map(({ expected, there }) => `${there} of ${expected}`).toSorted()).toEqual([
      '0 of 1',
      '1 of 1',
    ])
    const early = await world({ year: 2023 })
    const before = await early.addSource(GRID)
    const old = await early.save(
      before,
      bill('1', 'kWh', { periodStart: '2023-01-01', periodEnd: '2023-12-31' }),
    )
    expect(old.rows[0]?.record?.result?.kg).toBeNull()
    const late = await world({ year: 2026 })
    const after = await late.save(
      await late.addSource(GRID),
      bill('1', 'kWh', { periodStart: '2026-01-01', periodEnd: '2026-12-31' }),
    )
    expect(after.rows[0]?.record?.result?.kg).toBeNull()
  })

  test('9. another dimension is rejected with a sentence, and money requires a price year', async () => {
    const one = await world()
    const { rows } = await one.save(await one.addSource(GRID), bill('1000', 'kg'))
    expect(rows[0]).toMatchObject({ state: 'refused', problems: [{ field: 'unit', level: 'error' }] })
    const { id } = await admin.call(
      factors.add,
      ownFactor({
        activity: 'own/spend',
        scopes: ['3.1'],
        region: 'US',
        unit: 'USD',
        priceYear: 2022,
        isForAll: true,
        gases: [{ gas: 'CO2e', basis: 'co2e', kg: '0.5' }],
      }),
    )
    const spend = { activity: 'own/spend', scope: '3.1', unit: 'USD', factorId: id }
    const bare = await one.save(await one.addSource(spend), bill('100', 'USD'))
    expect(bare.rows[0]).toMatchObject({ state: 'refused', problems: [{ field: 'priceYear' }] })
    const other = await one.save(await one.addSource(spend), bill('100', 'USD', { priceYear: 2025 }))
    expect(other.rows[0]?.record?.result?.problem).toContain('deflator')
    const converted = await one.addRecord(
      spend,
      bill('100', 'USD', { priceYear: 2025, moneyDeflator: '0.9' }),
    )
    expect(converted.kg).toBe(45)
  })

  test('10. decimals are exact: the shares of a bill add up to the bill', async () => {
    const one = await world()
    await one.addRecord(GAS, gasBill('0.000000000001'))
    const lines = await one.results()
    expect(sumOf(lines, 'quantity')).toBe(1e-12)
    // 53.06 kg CO2, 0.001 kg CH4 and 0.0001 kg N2O with AR5.
    expect((await one.totals()).total.location).toBe('0.0000000000531145')
    const big = await world()
    const { recordId } = await big.addRecord(GAS, gasBill('9999999999999999'))
    const { results } = await admin.call(activities.list, { inventoryId: big.inventoryId })
    expect(results.find(({ id }) => id === recordId)?.quantity).toBe('9999999999999999')
    expect((await big.totals()).total.location).toBe('531144999999999946.8855')
  })

  test('11. a result explains its calculation: values, GWP set, edition, table and row', async () => {
    const one = await world()
    await one.addRecord(
      { ...GAS, unit: 'therm' },
      bill('1200', 'therm', { calorificBasis: 'gross', periodEnd: '2025-01-31' }),
    )
    const [line] = await one.results()
    const explained = await admin.call(ledger.explain, { id: line?.id ?? '' })
    expect(explained.formula).toBe(
      '1,200 therm x 0.1 mmBtu/therm x (53.06 kg CO2 + 0.001 kg CH4 x 28 + 0.0001 kg N2O x 265)/mmBtu (gross CV) = 6,373.74 kg CO2e. Natural Gas: US EPA, 2025-01-15, Table 1 Stationary Combustion, E38, F38, G38. AR5.',
    )
    expect(explained).toMatchObject({ gwpSet: 'AR5', inclusion: '100', engineVersion: 5, amount: '120' })
    expect(explained.factor?.table).toBe('Table 1 Stationary Combustion')
  })

  test('12. a locked inventory rejects all writes and keeps its results', async () => {
    const one = await world()
    const { recordId, sourceId } = await one.addRecord(GAS, gasBill('100'))
    const before = await one.totals()
    await forecourt.owner.query(`update carbon_inventories set status = 'locked' where id = $1`, [
      one.inventoryId,
    ])
    for (const write of [
      () => one.save(sourceId, gasBill('7')),
      () => admin.call(activities.remove, { id: recordId }),
      () =>
        admin.call(activities.submit, {
          inventoryId: one.inventoryId,
          records: [{ id: recordId, version: 1 }],
        }),
      () => admin.call(ledger.recalculate, { inventoryId: one.inventoryId }),
    ])
      expect(await refusalOf(write())).toMatchObject({ status: 409 })
    await expect(
      forecourt.owner.query(`update activity_records set comment = 'late' where id = $1`, [recordId]),
    ).rejects.toThrow('not open')
    await forecourt.owner.query(`update facility_control set ownership = 50`)
    expect(await one.totals()).toEqual({ ...before, inventory: { ...before.inventory, status: 'locked' } })
  })

  test('13. a bill is spread by day, the last day gets the remainder, and days outside the period do not count', async () => {
    const one = await world()
    const { flags } = await one.addRecord(
      GAS,
      gasBill('100', { periodStart: '2024-12-22', periodEnd: '2025-03-31' }),
    )
    expect(flags).toContain('outside-period')
    const lines = await one.results()
    expect(lines.map(({ month, quantity }) => [month, quantity])).toEqual([
      ['2025-01-01', '31'],
      ['2025-02-01', '28'],
      ['2025-03-01', '31'],
    ])
    const odd = await world()
    await odd.addRecord(GAS, gasBill('10', { periodStart: '2025-01-31', periodEnd: '2025-02-02' }))
    expect((await odd.results()).map(({ quantity }) => quantity)).toEqual([
      '3.333333333333',
      '6.666666666667',
    ])
    const meter = await odd.addRecord(GAS, {
      ...gasBill('0'),
      kind: 'meter',
      quantity: null,
      meterFrom: '900',
      meterTo: '1000',
    })
    expect(meter.kg).toBe((await odd.addRecord(GAS, gasBill('100'))).kg)
  })
})
