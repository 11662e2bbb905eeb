// @module-tag release
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { activities } from '#contract/carbon/activity/activity.ts'
import { carbonInventories } from '#contract/carbon/inventories/inventories.ts'
import { carbonComparison } from '#contract/carbon/results/comparison.ts'
import { factors } from '#contract/carbon/factors/factors.ts'
import type { FactorInput } from '#contract/carbon/factors/factor-schema.ts'
import { ledger } from '#contract/carbon/results/ledger.ts'
import { loadLibrary, processStaleQueue } from '#server/carbon/index.ts'
import { kyselyOver, statement, type AsOwner } from '#server/database/tenant-transaction.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { ownFactor } from '#test/cases/carbon/factors.ts'
import { effectOfSettings } from '#test/factories/carbon/confirm-factor.ts'
import { bill, ledgerWorld } from '#test/factories/carbon/ledger-world.ts'
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

const world = (more: { gwpSet?: string; year?: number } = {}) => ledgerWorld(forecourt, ford, admin, more)

describe('a custom factor', () => {
  const activity = 'own/gwp-test'
  const own = (more: Partial<FactorInput>) =>
    ownFactor({ activity, scopes: ['1'], region: 'any', isForAll: true, ...more })
  const inCo2e: FactorInput['gases'] = [{ gas: 'CO2e', basis: 'co2e', kg: '2' }]

  /** One record of 10 kWh with the factor, in an inventory with AR6: its flags, its formula, and the note of the totals. */
  async function resultWith(factor: FactorInput) {
    const { id } = await admin.call(factors.add, factor)
    const one = await world({ gwpSet: 'AR6' })
    const source = { activity, scope: '1', unit: 'kWh', factorId: id }
    const { flags } = await one.addRecord(source, bill('10', 'kWh'))
    const [row] = await one.results()
    const { formula, factor: used } = await admin.call(ledger.explain, { id: row?.id ?? '' })
    return { flags, formula, gwpSet: used?.gwpSet, ...(await one.totals()) }
  }

  test('that states another GWP set than the inventory is flagged, in the formula and in the totals', async () => {
    const found = await resultWith(own({ gases: inCo2e, gwpSet: 'AR4' }))
    expect(found).toMatchObject({
      gwpSet: 'AR4',
      otherGwps: [{ gwpSet: 'AR4', location: '20', market: '20' }],
    })
    expect(found.flags).toContain('gwp-other')
    expect(found.formula).toMatch(/Published in CO2e with AR4 GWPs; this inventory uses AR6\.$/)
  })

  test('that states the GWP set of the inventory is not flagged', async () => {
    const found = await resultWith(own({ gases: inCo2e, gwpSet: 'AR6' }))
    expect(found.flags.filter((flag) => flag.startsWith('gwp'))).toEqual([])
    expect(found.formula).toMatch(/Published in CO2e with AR6 GWPs\.$/)
    expect(found.otherGwps).toEqual([])
  })

  test('whose source does not state a GWP set says so', async () => {
    const found = await resultWith(own({ gases: inCo2e }))
    expect(found.flags).toContain('gwp-not-stated')
    expect(found.formula).toMatch(/GWP set not stated\.$/)
    expect(found.otherGwps).toEqual([{ gwpSet: null, location: '20', market: '20' }])
  })

  test('in kg of each gas uses the GWP set of the inventory, and cannot state another', async () => {
    const gases: FactorInput['gases'] = [{ gas: 'CH4', basis: 'gas', kg: '1' }]
    const found = await resultWith(own({ gases }))
    expect(found).toMatchObject({ total: { location: '270' }, otherGwps: [] })
    expect(found.formula).toMatch(/ AR6\.$/)
    const refused = admin.call(factors.add, own({ gases, gwpSet: 'AR5' }))
    await expect(refused).toRefuse(400, 'GWP set of the inventory')
  })

  test('keeps its GWP set in the version that a locked result used', async () => {
    const { id } = await admin.call(factors.add, own({ gases: inCo2e, gwpSet: 'AR5' }))
    await admin.call(factors.update, { id, version: 1, factor: own({ gases: inCo2e, gwpSet: 'AR6' }) })
    expect(await admin.call(factors.get, { id })).toMatchObject({ gwpSet: 'AR5' })
  })
})

const asOwner: AsOwner = async (work) => {
  const { owner } = forecourt
  await owner.query('begin')
  const done = await work(kyselyOver((query) => owner.query(statement(query))))
  await owner.query('commit')
  return done
}

/** An inventory with 1 kg of HFC-134a. */
async function withRefrigerant(year = 2025) {
  const one = await world({ gwpSet: 'AR6', year })
  const period = { periodStart: `${year}-01-01`, periodEnd: `${year}-12-31` }
  const source = { activity: 'refrigerant/hfc-134a', scope: '1', unit: 'kg' }
  const { sourceId } = await one.addRecord(source, bill('1', 'kg', period))
  return { ...one, sourceId }
}

test('an update of the GWP values changes no inventory until a user adopts it, and never a locked one', async () => {
  const { owner } = forecourt
  // The values of an earlier version of the product: no user can change the library.
  await owner.query(`update library.gwp_values set gwp = 1000 where gas = 'HFC-134a' and gwp_set = 'AR6'`)
  const [open, locked] = [await withRefrigerant(), await withRefrigerant()]
  await owner.query(`update carbon_inventories set status = 'locked' where id = $1`, [locked.inventoryId])
  await processStaleQueue(forecourt.jobsPool, forecourt.appPool)
  await owner.query(`delete from library.loaded_files where name = 'gwp.csv'`)
  await loadLibrary(asOwner)
  // The same file again changes nothing.
  await owner.query(`delete from library.loaded_files where name = 'gwp.csv'`)
  await loadLibrary(asOwner)

  const inventoryOf = (id: string) => admin.call(carbonInventories.get, { id })
  const changes = [{ gas: 'HFC-134a', gwp: '1000', newGwp: '1530' }]
  const before = await inventoryOf(open.inventoryId)
  expect(before).toMatchObject({ gwpEdition: 1, newerGwps: { edition: 2, changes } })
  // Also what is entered and calculated now uses the values of the inventory.
  const record = { ...bill('2', 'kg', { reference: 'Second' }), sourceId: open.sourceId }
  expect((await admin.call(activities.preview, { record })).result).toMatchObject({ kg: '2000' })
  const [row] = await open.results()
  const explained = await admin.call(ledger.explain, { id: row?.id ?? '' })
  expect(explained.perUnit).toMatchObject({ co2e: '1000' })
  expect(explained.factor?.resolved.find(({ gwpSet }) => gwpSet === 'AR6')).toMatchObject({ co2e: '1530' })

  const adopt = (id: string, gwpEdition: number, affected?: number) =>
    admin.call(carbonInventories.update, { id, gwpEdition, affected })
  await expect(adopt(open.inventoryId, 7)).toRefuse(400, 'newest GWP values')
  await expect(adopt(locked.inventoryId, 2)).toRefuse(409)
  const effect = await effectOfSettings(admin, { id: open.inventoryId, gwpEdition: 2 })
  expect(effect).toMatchObject({ affected: 1, before: '1000', after: '1530' })
  expect(await adopt(open.inventoryId, 2, 1)).toMatchObject({ gwpEdition: 2, newerGwps: null })
  await processStaleQueue(forecourt.jobsPool, forecourt.appPool)
  expect((await open.totals()).total.location).toBe('1530')
  expect((await locked.totals()).total.location).toBe('1000')

  // A restatement starts with the values of the original; next year starts with the newest.
  const restated = await admin.call(carbonInventories.restate, { id: locked.inventoryId, reason: 'Check' })
  expect(restated).toMatchObject({ gwpEdition: 1, newerGwps: { edition: 2, changes } })
  const next = { name: fresh('Next'), periodStart: '2026-01-01', periodEnd: '2026-12-31' }
  const copied = await admin.call(carbonInventories.copy, { id: locked.inventoryId, ...next })
  expect(copied).toMatchObject({ gwpEdition: 2, newerGwps: null })

  await adopt(restated.id, 2, 1)
  await processStaleQueue(forecourt.jobsPool, forecourt.appPool)
  const pair = { before: locked.inventoryId, after: restated.id }
  const compared = await admin.call(carbonComparison.compare, pair)
  expect(compared.total).toMatchObject({ before: '1000', after: '1530', method: '530', factor: '0' })
  expect(compared.notes.join(' ')).toContain('different values of AR6')
})
