import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { activities } from '#contract/carbon/activity/activity.ts'
import { carbonInventories } from '#contract/carbon/inventories/inventories.ts'
import { ledger } from '#contract/carbon/results/ledger.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { ownFactor } from '#test/cases/carbon/factors.ts'
import { bill, ledgerWorld, type LedgerWorld, type Row } from '#test/factories/carbon/ledger-world.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { addFactor, changeFactor } from '#test/factories/carbon/confirm-factor.ts'

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
const gasBill = (quantity: string, more: Partial<Row> = {}) =>
  bill(quantity, 'mmBtu', { calorificBasis: 'gross', ...more })

describe('the inclusion of a facility', () => {
  test('follows who controlled it on each day', async () => {
    const one = await world()
    const facilityId = await one.addFacility({
      control: [{ from: '2000-01-01', isControlled: false }, { from: '2025-01-16' }],
    })
    await one.addRecord({ ...GAS, facilityId }, gasBill('31', { periodEnd: '2025-01-31' }))
    const [line] = await one.results()
    const explained = await admin.call(ledger.explain, { id: line?.id ?? '' })
    expect([explained.quantity, explained.amount]).toEqual(['31', '16'])
    expect(explained.inclusionReason).toContain('Jan 16, 2025')
  })

  test('is based on days for a record with a quantity of 0', async () => {
    const one = await world()
    const facilityId = await one.addFacility({
      control: [{ from: '2000-01-01', isControlled: false }, { from: '2025-01-16' }],
    })
    await one.addRecord({ ...GAS, facilityId }, gasBill('0', { periodEnd: '2025-01-31' }))
    const [line] = await one.results()
    const explained = await admin.call(ledger.explain, { id: line?.id ?? '' })
    expect([explained.quantity, explained.amount, explained.kg]).toEqual(['0', '0', '0'])
    expect(Number(explained.inclusion)).toBeCloseTo((16 / 31) * 100, 9)
  })
})

describe('results after changes', () => {
  /** All columns except IDs and timestamps. */
  const shown = async (one: LedgerWorld) => {
    const { rows } = await forecourt.owner.query(
      `select source_id, record_id, month, part, method, quantity, amount, kg, factor_id, formula, problem from calculation_results
      where inventory_id = $1 order by 1, 2, 3, 4, 5`,
      [one.inventoryId],
    )
    return rows
  }

  test('match a full calculation, and every grouping has the same sum', async () => {
    const one = await world({ boundary: 'equity' })
    const facilityId = await one.addFacility({ gridRegion: 'CAMX' })
    const gas = await one.addSource({ ...GAS, facilityId })
    const grid = await one.addSource({ ...GRID, facilityId })
    const months = Array.from({ length: 9 }, (_, at) => `2025-0${at + 1}`)
    await one.save(
      gas,
      ...months.map((month, at) =>
        gasBill(`${at * 7 + 3}.1`, { periodStart: `${month}-03`, periodEnd: `${month}-27` }),
      ),
    )
    await one.save(
      grid,
      ...months.map((month, at) =>
        bill(`${at * 31 + 5}`, 'kWh', { periodStart: `${month}-01`, periodEnd: `${month}-28` }),
      ),
    )
    const { results } = await admin.call(activities.list, { inventoryId: one.inventoryId })
    const [first, second] = results
    if (first === undefined || second === undefined) throw new Error('There are no records.')
    await admin.call(activities.remove, { id: first.id })
    await admin.call(activities.remove, { id: second.id })
    await admin.call(activities.restore, { id: second.id })
    await forecourt.owner.query('update facility_control set ownership = 40 where facility_id = $1', [
      facilityId,
    ])
    expect((await one.totals()).pending).toBe(2)
    await admin.call(ledger.recalculate, { inventoryId: one.inventoryId })
    const after = await shown(one)
    await forecourt.owner.query('delete from calculation_results where inventory_id = $1', [one.inventoryId])
    await forecourt.owner.query(`update carbon_inventories set gwp_set = 'AR4' where id = $1`, [
      one.inventoryId,
    ])
    await forecourt.owner.query(`update carbon_inventories set gwp_set = 'AR5' where id = $1`, [
      one.inventoryId,
    ])
    await admin.call(ledger.recalculate, { inventoryId: one.inventoryId })
    expect(await shown(one)).toEqual(after)
    expect(after.length).toBeGreaterThan(20)
    const { total, scopes, facilities, sources, months: byMonth, gases } = await one.totals()
    for (const lines of [scopes, facilities, sources, byMonth, gases])
      expect(lines.reduce((sum, line) => sum + Number(line.location), 0)).toBeCloseTo(
        Number(total.location),
        9,
      )
  })

  test('do not depend on the order of entry, and match the preview', async () => {
    const rows = ['3', '1', '2'].map((month) =>
      gasBill(month, { periodStart: `2025-0${month}-01`, periodEnd: `2025-0${month}-28` }),
    )
    const [forward, backward] = [await world(), await world()]
    await forward.save(await forward.addSource(GAS), ...rows)
    const source = await backward.addSource(GAS)
    const preview = await admin.call(activities.preview, {
      record: { ...gasBill('3', rows[0]), sourceId: source },
    })
    expect((await backward.totals()).records.total).toBe(0)
    for (const row of rows.toReversed()) await backward.save(source, row)
    expect((await backward.totals()).total).toEqual((await forward.totals()).total)
    const { results } = await admin.call(activities.list, { inventoryId: backward.inventoryId })
    expect(results.find(({ quantity }) => quantity === '3')?.result).toEqual(preview.result)
    expect(preview.lines[0]?.formula).toContain('53.06 kg CO2')
  })
})

describe('saving rows', () => {
  test('saves valid rows and returns the problems of the others', async () => {
    const one = await world()
    const source = await one.addSource(GAS)
    const { rows } = await one.save(
      source,
      gasBill('10', { periodEnd: '2025-01-31' }),
      gasBill('-4'),
      gasBill('10', { periodEnd: '2025-01-31' }),
      gasBill('12', { periodStart: '2025-01-15', periodEnd: '2025-02-28' }),
      gasBill('5', { periodStart: '2031-01-01', periodEnd: '2031-01-31' }),
      bill('5', 'ton'),
    )
    expect(rows.map(({ state }) => state)).toEqual([
      'saved',
      'refused',
      'refused',
      'saved',
      'refused',
      'refused',
    ])
    expect(rows[1]?.problems[0]?.message).toBe(
      'A quantity below 0 is a credit. Enter in the note which bill it corrects.',
    )
    expect(rows[2]?.problems[0]?.message).toContain('Duplicate of a bill above')
    expect(rows[3]?.problems).toMatchObject([{ field: 'periodStart', level: 'warning' }])
    expect(rows[5]?.problems[0]?.field).toBe('unit')
  })

  test('returns stale for a row that someone else changed, and rejects changes to an approved record', async () => {
    const one = await world()
    const { recordId: id, sourceId } = await one.addRecord(GAS, gasBill('10'))
    const change = (version: number, quantity: string) =>
      admin.call(activities.save, {
        inventoryId: one.inventoryId,
        rows: [{ key: 'a', id, version, record: { ...gasBill(quantity), sourceId } }],
      })
    expect((await change(1, '11')).rows[0]).toMatchObject({
      state: 'saved',
      record: { version: 2, quantity: '11' },
    })
    expect((await change(1, '12')).rows[0]).toMatchObject({
      state: 'stale',
      record: { version: 2, quantity: '11' },
    })
    const records = [{ id, version: 2 }]
    expect(await admin.call(activities.submit, { inventoryId: one.inventoryId, records })).toMatchObject({
      moved: 1,
    })
    expect(await admin.call(activities.approve, { inventoryId: one.inventoryId, records })).toMatchObject({
      moved: 0,
      refused: [{ id, message: 'You submitted this record, so someone else must approve it.' }],
    })
    await forecourt.owner.query('update carbon_inventories set two_person_approval = false where id = $1', [
      one.inventoryId,
    ])
    expect(await admin.call(activities.approve, { inventoryId: one.inventoryId, records })).toMatchObject({
      moved: 1,
    })
    expect((await change(2, '13')).rows[0]?.state).toBe('refused')
    const returnRecords = { inventoryId: one.inventoryId, records, comment: 'Which meter is it?' }
    expect(await admin.call(activities.returnRecords, returnRecords)).toMatchObject({ moved: 1 })
    expect((await change(2, '13')).rows[0]).toMatchObject({ state: 'saved', record: { status: 'draft' } })
  })

  test('an estimate does not count toward coverage, and is replaced by its bill', async () => {
    const one = await world()
    const source = await one.addSource(GAS)
    const estimate = { ...gasBill('90'), kind: 'estimate' as const, estimateMethod: 'average' as const }
    await one.save(source, estimate)
    const estimated = await one.totals()
    expect([estimated.coverage.there, estimated.total.estimated]).toEqual([0, 12])
    expect(estimated.coverage.estimated).toBe(1)
    // Even an approved one is replaced; otherwise both would count.
    await forecourt.owner.query(`update activity_records set status = 'approved' where source_id = $1`, [
      source,
    ])
    await one.save(source, gasBill('100'))
    const billed = await one.totals()
    expect([billed.coverage.there, billed.total.estimated, billed.records.total]).toEqual([1, 0, 1])
    expect(billed.coverage.estimated).toBe(0)
  })

  test('correcting a custom factor changes the results that use it', async () => {
    const one = await world()
    const input = ownFactor({
      activity: 'own/corrected',
      scopes: ['1'],
      region: 'US',
      unit: 'kg',
      isForAll: true,
      gases: [{ gas: 'CO2e', basis: 'co2e', kg: '2' }],
    })
    const factor = await addFactor(admin, input)
    await one.addRecord(
      { activity: 'own/corrected', scope: '1', unit: 'kg', factorId: factor.id },
      bill('10', 'kg'),
    )
    await changeFactor(admin, {
      id: factor.id,
      version: 1,
      factor: { ...input, gases: [{ gas: 'CO2e', basis: 'co2e', kg: '3' }] },
    })
    await admin.call(ledger.recalculate, { inventoryId: one.inventoryId })
    expect((await one.totals()).total.location).toBe('30')
  })

  test('a bill covers only the months with a factor', async () => {
    const one = await world()
    const input = ownFactor({
      activity: 'own/half',
      scopes: ['1'],
      region: 'US',
      unit: 'kg',
      isForAll: true,
      validFrom: '2025-07-01',
      gases: [{ gas: 'CO2e', basis: 'co2e', kg: '2' }],
    })
    await addFactor(admin, input)
    const source = await one.addSource({
      activity: 'own/half',
      scope: '1',
      unit: 'kg',
      frequency: 'month',
    })
    await one.save(source, bill('365', 'kg'))
    const { coverage, total } = await one.totals()
    expect([coverage.expected, coverage.there, total.missing, total.location]).toEqual([12, 6, 6, '368'])
    expect(coverage.missing.map(({ from }) => from.slice(0, 7))).toEqual([
      '2025-01',
      '2025-02',
      '2025-03',
      '2025-04',
      '2025-05',
      '2025-06',
    ])
    // Another record with a result covers one of the missing months.
    await one.save(
      source,
      bill('1', 'kg', {
        kind: 'direct',
        direct: [{ gas: 'CO2e', basis: 'co2e', kg: '1' }],
        periodEnd: '2025-01-31',
      }),
    )
    expect((await one.totals()).coverage.there).toBe(7)
  })

  test('a formula shows large numbers, and braces in names are kept', async () => {
    const one = await world()
    const input = ownFactor({
      activity: 'own/braces',
      name: 'Paint {result} of {quantity}',
      scopes: ['1'],
      region: 'US',
      unit: 'kg',
      isForAll: true,
      gases: [{ gas: 'CO2e', basis: 'co2e', kg: '20000' }],
    })
    const factor = await addFactor(admin, input)
    const source = { activity: 'own/braces', scope: '1', unit: 'kg', factorId: factor.id }
    await one.addRecord(source, bill('1000000000000000', 'kg'))
    const [line] = await one.results({ month: '2025-12-01' })
    const { formula } = await admin.call(ledger.explain, { id: line?.id ?? '' })
    expect(formula).toContain('84,931,506,849,315')
    expect(formula).toMatch(/ = [\d,.]+ kg CO2e\. Paint \{result\} of \{quantity\}: /)
  })

  test('an inventory with records cannot be deleted', async () => {
    const one = await world()
    await one.addRecord(GAS, gasBill('10'))
    await expect(admin.call(carbonInventories.remove, { id: one.inventoryId })).toRefuse(
      409,
      'has 1 activity record',
    )
    // Once its records are deleted, it can be, and its period is free.
    const { results } = await admin.call(activities.list, { inventoryId: one.inventoryId })
    for (const { id } of results) await admin.call(activities.remove, { id })
    const { name, periodStart, periodEnd, boundary, organizationId } = await admin.call(
      carbonInventories.get,
      {
        id: one.inventoryId,
      },
    )
    await admin.call(carbonInventories.remove, { id: one.inventoryId })
    await admin.call(carbonInventories.add, { name, periodStart, periodEnd, boundary, organizationId })
  })
})
