import { afterAll, beforeAll, expect, test } from 'vitest'
import { activities } from '#contract/carbon/activity/activity.ts'
import { factors } from '#contract/carbon/factors/factors.ts'
import { carbonAssignments } from '#contract/carbon/inventories/assignments.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { ownFactor } from '#test/cases/carbon/factors.ts'
import { freshCountry } from '#test/factories/carbon/approve-inventory.ts'
import { bill, ledgerWorld, type LedgerWorld, type Row } from '#test/factories/carbon/ledger-world.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let admin: Caller
let ford: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  ford = await testOrganization(forecourt, 'Northgate Ford')
})
afterAll(() => forecourt.close())

const world = (): Promise<LedgerWorld> => ledgerWorld(forecourt, ford, admin)
const GAS = { activity: 'combustion/natural-gas', scope: '1', unit: 'mmBtu' }
const gasBill = (quantity: string, more: Partial<Row> = {}) =>
  bill(quantity, 'mmBtu', { calorificBasis: 'gross', ...more })
const preview = (sourceId: string, row: Row) =>
  admin.call(activities.preview, { record: { ...row, sourceId } })

/** A custom factor for the same gas, with another activity so that the rules never pick it. */
async function ownGas(more: Parameters<typeof ownFactor>[0] = {}): Promise<string> {
  const made = await admin.call(
    factors.add,
    ownFactor({
      name: fresh('Supplier gas'),
      activity: `own/${fresh('gas').toLowerCase().replace(/\W+/g, '-')}`,
      scopes: ['1'],
      region: 'US',
      unit: 'mmBtu',
      isForAll: true,
      gases: [{ gas: 'CO2', basis: 'gas', kg: '50' }],
      ...more,
    }),
  )
  return made.id
}

test('explains which factor a row uses, and why the others do not match', async () => {
  const one = await world()
  const { choice } = await preview(await one.addSource(GAS), gasBill('10'))
  expect(choice).toMatchObject({ by: 'rules' })
  expect(choice?.chosenId).toBe(choice?.automaticId)
  expect(choice?.sentence).toContain('Natural Gas')
  const [chosen, ...others] = choice?.candidates ?? []
  expect(chosen?.factor.id).toBe(choice?.chosenId)
  expect(chosen?.fits).toBe(true)
  expect(others.some(({ fits, against }) => !fits && against.join(' ').includes('not for US'))).toBe(true)
})

test('a manually chosen factor is stored with the row and used in formula and totals, until it is removed', async () => {
  const one = await world()
  const { recordId, sourceId, kg } = await one.addRecord(GAS, gasBill('10'))
  const factorId = await ownGas()
  const change = async (version: number, row: Row) => {
    const { rows } = await admin.call(activities.save, {
      inventoryId: one.inventoryId,
      rows: [{ key: '1', id: recordId, version, record: { ...row, sourceId } }],
    })
    return rows[0]?.record ?? null
  }
  const manual = await change(1, gasBill('10', { factorId }))
  expect(manual).toMatchObject({ factorId, version: 2, result: { kg: '500', factorId } })
  expect((await one.totals()).total.location).toBe('500')
  const record = { ...gasBill('10', { factorId }), sourceId }
  const previewed = await admin.call(activities.preview, { id: recordId, record })
  expect(previewed.choice).toMatchObject({ by: 'row', chosenId: factorId })
  expect(previewed.choice?.automaticId).not.toBe(factorId)
  expect(previewed.lines[0]?.formula).toContain('50 kg CO2')
  const back = await change(2, gasBill('10'))
  expect(back).toMatchObject({ factorId: null, version: 3 })
  expect(Number(back?.result?.kg)).toBe(kg)
  expect(Number((await one.totals()).total.location)).toBe(kg)
})

test.each([
  ['another country', { region: 'CA' }, 'For CA, not for US.'],
  ['a later validity', { validFrom: '2026-01-01' }, 'Valid from 2026-01-01'],
  ['an earlier validity', { validFrom: '2020-01-01', validTo: '2023-12-31' }, 'Valid to 2023-12-31'],
  ['another dimension', { unit: 'mi' }, "can't be converted"],
  ['another scope', { scopes: ['3.1'] }, 'is for scope 3.1'],
])('rejects a factor with %s for a row with the reason, and saves nothing', async (_what, more, why) => {
  const one = await world()
  const sourceId = await one.addSource({ ...GAS, activity: 'own/nothing' })
  const { rows } = await one.save(sourceId, gasBill('10', { factorId: await ownGas(more) }))
  expect(rows[0]).toMatchObject({ state: 'refused', record: null })
  expect(rows[0]?.problems.map(({ message }) => message).join(' ')).toContain(why)
  expect((await one.totals()).records.total).toBe(0)
})

test('a factor of another customer can be neither chosen nor seen', async () => {
  const one = await world()
  const harbor = await forecourt.as('harbor.admin')
  const theirs = await harbor.call(factors.add, ownFactor({ scopes: ['1'], region: 'US', unit: 'mmBtu' }))
  const sourceId = await one.addSource(GAS)
  const { rows } = await one.save(sourceId, gasBill('10', { factorId: theirs.id }))
  expect(rows[0]).toMatchObject({ state: 'refused', problems: [{ level: 'error' }] })
  const { choice } = await preview(sourceId, gasBill('10', { factorId: theirs.id }))
  expect(choice?.candidates.some(({ factor }) => factor.id === theirs.id)).toBe(false)
})

test('shows the result by gas in kg and kg CO2e, which add up to the result', async () => {
  const one = await world()
  const { gases, gwpSet, result } = await preview(await one.addSource(GAS), gasBill('10'))
  expect(gwpSet).toBe('AR5')
  const [co2, ch4, n2o] = ['CO2', 'CH4', 'N2O'].map((name) => gases.find(({ gas }) => gas === name))
  expect([co2?.kg, co2?.co2e]).toEqual(['530.6', '530.6'])
  expect([ch4?.kg, ch4?.gwp, ch4?.co2e]).toEqual(['0.01', '28', '0.28'])
  expect([n2o?.kg, n2o?.gwp, n2o?.co2e]).toEqual(['0.001', '265', '0.265'])
  expect(result?.kg).toBe('531.145')
})

test('shows biogenic CO2 separately from the gases that count', async () => {
  const one = await world()
  const factorId = await ownGas({
    gases: [
      { gas: 'CO2', basis: 'gas', kg: '70', isBiogenic: true },
      { gas: 'CH4', basis: 'gas', kg: '0.1' },
    ],
  })
  const { gases, result } = await preview(await one.addSource(GAS), gasBill('2', { factorId }))
  expect(gases.map(({ gas, kg, co2e, place }) => [gas, kg, co2e, place])).toEqual([
    ['CH4', '0.2', '5.6', 'scope'],
    ['CO2', '140', '140', 'biogenic'],
  ])
  expect(result).toMatchObject({ kg: '5.6', biogenicKg: '140' })
})

test('a custom factor of another organization is never used, although a user of the customer sees it', async () => {
  const one = await world()
  const country = freshCountry()
  // It belongs to Northgate Ford, not to the organization of the inventory.
  const { id: factorId } = await admin.call(factors.add, ownFactor({ region: country }))
  const sourceId = await one.addSource({ activity: 'electricity/grid', scope: '2', unit: 'kWh', country })
  const { rows } = await one.save(sourceId, bill('100', 'kWh'))
  expect(rows[0]?.record?.result).toMatchObject({ kg: null })
  const gaps = await admin.call(carbonAssignments.factorGaps, { inventory: one.inventoryId })
  expect(gaps.map(({ region }) => region)).toContain(country)
  // Neither can it be chosen for a record or a source.
  const chosen = await preview(sourceId, bill('100', 'kWh', { factorId }))
  expect(chosen.result?.kg ?? null).toBeNull()
  await expect(
    one.addSource({ activity: 'electricity/grid', scope: '2', unit: 'kWh', country, factorId }),
  ).toRefuse(400)
})
