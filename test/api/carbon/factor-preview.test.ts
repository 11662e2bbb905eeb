// @module-tag release
import { afterAll, beforeAll, expect, test } from 'vitest'
import { factors } from '#contract/carbon/factors/factors.ts'
import { carbonInventories } from '#contract/carbon/inventories/inventories.ts'
import { ledger } from '#contract/carbon/results/ledger.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { ownFactor } from '#test/cases/carbon/factors.ts'
import { effectOfSettings } from '#test/factories/carbon/confirm-factor.ts'
import { bill, ledgerWorld } from '#test/factories/carbon/ledger-world.ts'
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

const GRID = { activity: 'electricity/grid', scope: '2', unit: 'kWh', gridRegion: 'ERCT' }
const mine = (name: string, kg: string) =>
  ownFactor({
    name,
    region: 'US-ERCT',
    validFrom: '2025-01-01',
    isForAll: true,
    gases: [{ gas: 'CO2', basis: 'gas', kg }],
  })

test('a new custom factor says which records it changes, from what to what, and which others it competes with', async () => {
  const one = await ledgerWorld(forecourt, ford, admin)
  const { kg, sourceId } = await one.addRecord(GRID, bill('1000', 'kWh'))
  const preview = await admin.call(factors.preview, mine('My grid', '0.001'))
  const own = preview.records.filter(({ inventoryId }) => inventoryId === one.inventoryId)
  expect(own.map((record) => [Number(record.kg), Number(record.kgAfter)])).toEqual([[kg, 1]])
  expect(preview.affected).toBeGreaterThanOrEqual(1)
  expect(preview.competing).toEqual([])
  // Nothing was changed by looking.
  const shown = async () => (await one.totals()).sources.find(({ key }) => key === sourceId)?.location
  expect(Number(await shown())).toBe(kg)

  // Nothing is added before the caller confirms the number, and the refusal has the same preview.
  for (const affected of [undefined, 0, preview.affected + 1]) {
    const refused = await admin.send({
      method: 'POST',
      url: factors.add.path,
      payload: { ...mine('My grid', '0.001'), affected },
    })
    expect(refused.status).toBe(409)
    expect(JSON.parse(refused.text)).toMatchObject({
      message: expect.stringMatching(
        /^Adding this factor changes \d+ records?: .* kg CO2e becomes .* kg CO2e\./,
      ),
      preview: { affected: preview.affected, before: preview.before, after: preview.after },
    })
  }
  await admin.call(factors.add, { ...mine('My grid', '0.001'), affected: preview.affected })
  await one.save(sourceId, bill('1', 'kWh', { periodEnd: '2025-01-31', reference: 'other' }))
  expect(Number(await shown())).toBeCloseTo(1.001, 9)
  // What is added last applies, and says what it competes with.
  const next = await admin.call(factors.preview, mine('New grid', '0.5'))
  expect(next.competing.map(({ name }) => name)).toEqual(['My grid'])
  const changed = next.records.filter(({ inventoryId }) => inventoryId === one.inventoryId)
  expect(changed.map((record) => [Number(record.kg), Number(record.kgAfter)])).toEqual(
    expect.arrayContaining([
      [1, 500],
      [0.001, 0.5],
    ]),
  )
  const { id } = await admin.call(factors.add, { ...mine('New grid', '0.5'), affected: next.affected })
  // Also before the records that it changes were calculated.
  const early = { id, version: 1, factor: mine('New grid', '0.6') }
  await expect(admin.call(factors.update, early)).toRefuse(409, 'Changing this factor changes')
  await admin.call(ledger.recalculate, { inventoryId: one.inventoryId })
  const change = { id, version: 1, factor: mine('New grid', '0.6') }
  const { affected, records } = await admin.call(factors.preview, { ...change.factor, replaces: id })
  const again = records.filter(({ inventoryId }) => inventoryId === one.inventoryId)
  expect(again.map((record) => [Number(record.kg), Number(record.kgAfter)])).toEqual(
    expect.arrayContaining([
      [500, 600],
      [0.5, 0.6],
    ]),
  )
  await expect(admin.call(factors.update, change)).toRefuse(409, 'Changing this factor changes')
  // A new name changes no result.
  expect((await admin.call(factors.preview, { ...mine('Same', '0.5'), replaces: id })).affected).toBe(0)
  expect((await admin.call(factors.update, { ...change, affected })).version).toBe(2)
  const choice = await admin.call(factors.find, {
    query: 'electricity/grid',
    region: 'US-ERCT',
    date: '2025-06-01',
    unit: 'kWh',
  })
  expect(choice.sentence).toMatch(/^New grid, .* Entered after My grid, which matches too\.$/)
})

test('a new version counts what it changes: also records that another factor has now, and those that it leaves', async () => {
  const one = await ledgerWorld(forecourt, ford, admin)
  const place = { ...GRID, gridRegion: 'NEWE' }
  for (const month of ['03', '09'])
    await one.addRecord(
      place,
      bill('100', 'kWh', { periodStart: `2025-${month}-01`, periodEnd: `2025-${month}-28` }),
    )
  const own = (more: object) => ({ ...mine('Grid of ours', '0.5'), region: 'US-NEWE', ...more })
  const add = async (factor: ReturnType<typeof own>) => {
    const { affected } = await admin.call(factors.preview, factor)
    const added = await admin.call(factors.add, { ...factor, affected })
    await admin.call(ledger.recalculate, { inventoryId: one.inventoryId })
    return added
  }
  const { id } = await add(own({ validFrom: '2025-06-01' }))
  const months = async (factor: ReturnType<typeof own>, replaces: string) => {
    const { records } = await admin.call(factors.preview, { ...factor, replaces })
    return records
      .filter(({ inventoryId }) => inventoryId === one.inventoryId)
      .map(({ periodStart }) => periodStart.slice(5, 7))
  }
  expect(await months(own({}), id)).toEqual(['03'])
  expect(await months(own({ validFrom: '2025-12-01' }), id)).toEqual(['09'])
  // One that another custom factor wins over has no records, and its new version would win.
  await add(own({ name: 'Newer grid', gases: [{ gas: 'CO2', basis: 'gas', kg: '0.7' }] }))
  expect((await months(own({ validFrom: '2025-06-01', name: 'Older grid' }), id)).toSorted()).toEqual(['09'])
  const change = { id, version: 1, factor: own({ validFrom: '2025-06-01' }) }
  await expect(admin.call(factors.update, change)).toRefuse(409, 'Changing this factor changes')
})

test('a factor that is no longer for all organizations shows what the others lose', async () => {
  const toyota = await testOrganization(forecourt, 'Northgate Toyota')
  const other = await forecourt.as('northgate.admin', 'Northgate Toyota')
  const one = await ledgerWorld(forecourt, toyota, other)
  await one.addRecord({ ...GRID, gridRegion: 'AKGD' }, bill('100', 'kWh'))
  const factor = { ...mine('For all', '0.5'), region: 'US-AKGD' }
  const { affected } = await admin.call(factors.preview, factor)
  const { id } = await admin.call(factors.add, { ...factor, affected })
  await other.call(ledger.recalculate, { inventoryId: one.inventoryId })
  const { records } = await admin.call(factors.preview, { ...factor, isForAll: false, replaces: id })
  const theirs = records.find(({ inventoryId }) => inventoryId === one.inventoryId)
  expect(Number(theirs?.kg)).toBe(50)
  expect(Number(theirs?.kgAfter)).not.toBe(50)
})

test('a custom factor is not used after its last day, also where the latest edition is allowed', async () => {
  const ended = { ...mine('Ended', '0.2'), validFrom: '2024-01-01', validTo: '2024-12-31' }
  const { affected } = await admin.call(factors.preview, ended)
  await admin.call(factors.add, { ...ended, affected })
  const query = { query: 'electricity/grid', region: 'US-ERCT', date: '2028-06-01', unit: 'kWh' }
  const { candidates, chosenId } = await admin.call(factors.find, { ...query, yearRule: 'latest' })
  const own = candidates.find(({ factor }) => factor.name === 'Ended')
  expect(own).toMatchObject({ fits: false, against: ['Valid to 2024-12-31, before 2028-06-01.'] })
  expect(candidates.find(({ factor }) => factor.id === chosenId)?.factor.name).not.toBe('Ended')
})

test('a factor for other days or another place changes nothing', async () => {
  const one = await ledgerWorld(forecourt, ford, admin)
  await one.addRecord({ ...GRID, gridRegion: 'NYUP' }, bill('1000', 'kWh'))
  const elsewhere = { ...mine('Elsewhere', '9'), region: 'US-RFCM' }
  for (const factor of [elsewhere, { ...mine('Later', '9'), region: 'US-NYUP', validFrom: '2031-01-01' }]) {
    const { records } = await admin.call(factors.preview, factor)
    expect(records.filter(({ inventoryId }) => inventoryId === one.inventoryId)).toEqual([])
  }
  await expect(admin.call(factors.preview, { ...mine('Wrong', '1'), unit: 'kWhh' })).toRefuse(400)
})

test('changing the settings of an inventory says which records change, and asks; a name asks nothing', async () => {
  const one = await ledgerWorld(forecourt, ford, admin, { year: 2030, yearRule: 'latest' })
  const period = { periodStart: '2030-01-01', periodEnd: '2030-12-31' }
  const power = await one.addRecord({ ...GRID, gridRegion: 'CAMX' }, bill('1000', 'kWh', period))
  const gas = { activity: 'combustion/natural-gas', scope: '1', unit: 'therm' }
  const burnt = await one.addRecord(gas, bill('10', 'therm', { ...period, calorificBasis: 'gross' }))
  const id = one.inventoryId
  const read = async () => (await one.totals()).total.location
  const before = await read()
  // No factor is of 2030.
  const effect = await effectOfSettings(admin, { id, yearRule: 'edition' })
  expect(effect.message).toMatch(
    /^Changing these settings changes 2 records: [\d.,]+ kg CO2e becomes 0 kg CO2e\./,
  )
  expect(effect.records.map(({ kg, kgAfter }) => [Number(kg), kgAfter])).toEqual(
    expect.arrayContaining([
      [power.kg, null],
      [burnt.kg, null],
    ]),
  )
  expect(await read()).toBe(before)
  await expect(admin.call(carbonInventories.update, { id, yearRule: 'edition', affected: 1 })).toRefuse(409)
  await admin.call(carbonInventories.update, { id, name: 'Renamed', yearRule: 'latest' })
  await admin.call(carbonInventories.update, { id, yearRule: 'edition', affected: 2 })
  await admin.call(ledger.recalculate, { inventoryId: id })
  expect((await one.totals()).total.location).toBe('0')
})

test('a period that leaves records out says so before', async () => {
  const one = await ledgerWorld(forecourt, ford, admin)
  const month = (at: string) => ({ periodStart: `2025-${at}-01`, periodEnd: `2025-${at}-28` })
  const place = { ...GRID, gridRegion: 'CAMX' }
  for (const at of ['02', '11']) await one.addRecord(place, bill('100', 'kWh', month(at)))
  const effect = await effectOfSettings(admin, { id: one.inventoryId, periodEnd: '2025-10-31' })
  expect(effect.records.map(({ periodStart, kgAfter }) => [periodStart, kgAfter])).toEqual([
    ['2025-11-01', null],
  ])
  expect(effect.affected).toBe(1)
})
