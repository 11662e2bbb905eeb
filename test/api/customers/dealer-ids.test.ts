import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dealerIds } from '#contract/customers/dealer-ids/dealer-ids.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { jobs } from '#contract/jobs/jobs.ts'
import { lotsByDealerId, noteUnmatchedDealers } from '#server/customers/index.ts'
import { refusalOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { inTenantOf } from '#test/harness/in-tenant.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let admin: Caller
let dealer: Caller
let harbor: Caller
let ford: TestOrganization
let toyota: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  toyota = await testOrganization(forecourt, 'Northgate Toyota')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  dealer = await forecourt.as('northgate.dealer')
  harbor = await forecourt.as('harbor.admin', 'Harbor Honda')
})
afterAll(() => forecourt.close())

const dealerNo = () => fresh('DLR').replace(' ', '')
const waiting = async (caller: Caller) =>
  (await caller.call(dealerIds.unmatched, {})).map((one) => one.dealerId)

describe('dealer IDs of a lot', () => {
  test('are saved and searchable, and unique within the customer', async () => {
    const [one, two] = [dealerNo(), dealerNo()]
    const id = await ford.addLot()
    expect(await dealer.call(lots.update, { id, dealerIds: [one, two] })).toMatchObject({
      dealerIds: [one, two],
    })
    expect((await admin.call(lots.list, { search: two })).results.map((lot) => lot.id)).toEqual([id])
    const sister = await toyota.addLot()
    const taken = await refusalOf(
      admin.call(lots.update, { id: sister, dealerIds: [` ${one.toLowerCase()} `] }),
    )
    expect([taken.status, taken.refusal.fields?.['dealerIds']]).toEqual([
      409,
      'Another lot already has one of these dealer IDs.',
    ])
    await dealer.call(lots.update, { id, dealerIds: [two] })
    await admin.call(lots.update, { id: sister, dealerIds: [one] })
    // Another customer can use the same ID.
    const other = await (await testOrganization(forecourt, 'Harbor Honda')).addLot()
    expect(await harbor.call(lots.update, { id: other, dealerIds: [one] })).toMatchObject({
      dealerIds: [one],
    })
    const twice = admin.call(lots.update, { id: sister, dealerIds: ['A 1', 'a 1'] })
    await expect(twice).toRefuse(400, 'Each dealer ID can be listed only once.')
  })

  test('assign imported vehicles to lots within reach', async () => {
    const [own, sisters] = [dealerNo(), dealerNo()]
    const lotId = await ford.addLot()
    await admin.call(lots.update, { id: lotId, dealerIds: [own] })
    await admin.call(lots.update, { id: await toyota.addLot(), dealerIds: [sisters] })
    const [all, narrow] = [
      await inTenantOf(forecourt, ford, lotsByDealerId),
      await inTenantOf(forecourt, ford, lotsByDealerId, 'organization'),
    ]
    expect(all(` ${own.toLowerCase()}`)).toEqual({ lotId, organizationId: ford.organizationId })
    expect([all(sisters)?.organizationId, narrow(own)?.lotId, narrow(sisters)]).toEqual([
      toyota.organizationId,
      lotId,
      undefined,
    ])
  })

  test('are deleted and restored with their lot, unless another lot has them by then', async () => {
    const [one, two] = [dealerNo(), dealerNo()]
    const ids = [await ford.addLot(), await ford.addLot()]
    const [first = '', second = ''] = ids
    await dealer.call(lots.update, { id: first, dealerIds: [one] })
    await dealer.call(lots.update, { id: second, dealerIds: [two] })
    const { id } = await dealer.call(lots.removeMany, { selection: { ids } })
    await forecourt.jobs.runDue()
    await dealer.call(lots.update, { id: await ford.addLot(), dealerIds: [two] })
    const undone = await dealer.call(jobs.undo, { id })
    await forecourt.jobs.runDue()
    expect(await dealer.call(lots.get, { id: first })).toMatchObject({ dealerIds: [one] })
    expect(await dealer.call(jobs.get, { id: undone.id })).toMatchObject({ done: 2, failures: 1 })
  })
})

describe('an unmatched dealer ID', () => {
  const note = (dealerId: string, rows = 4) =>
    inTenantOf(forecourt, ford, (db) =>
      noteUnmatchedDealers(db, { run: 'run', source: 'HomeNet nightly' }, [{ dealerId, rows }]),
    )

  test('is listed with its row count until it is assigned, and again after undo', async () => {
    const dealerId = dealerNo()
    await note(dealerId)
    await note(` ${dealerId.toLowerCase()} `, 3)
    const [found] = (await dealer.call(dealerIds.unmatched, {})).filter(
      (one) => one.dealerId === dealerId.toLowerCase(),
    )
    expect(found).toMatchObject({ source: 'HomeNet nightly', rows: 7 })
    const lotId = await ford.addLot()
    const lot = await dealer.call(dealerIds.assign, { id: found?.id ?? '', lotId })
    expect(lot.dealerIds).toEqual([dealerId.toLowerCase()])
    expect(await waiting(dealer)).not.toContain(dealerId.toLowerCase())
    await dealer.call(dealerIds.release, { lotId, dealerId })
    expect(await waiting(dealer)).toContain(dealerId.toLowerCase())
  })

  test('stays assigned if someone else assigned it in the meantime', async () => {
    const dealerId = dealerNo()
    await note(dealerId)
    const id = (await admin.call(dealerIds.unmatched, {})).find((one) => one.dealerId === dealerId)?.id ?? ''
    const [one, two] = [await ford.addLot(), await ford.addLot()]
    const both = await Promise.allSettled(
      [one, two].map((lotId) => dealer.call(dealerIds.assign, { id, lotId })),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  test('is invisible to other customers, and cannot be assigned to a lot out of reach', async () => {
    const dealerId = dealerNo()
    await note(dealerId)
    expect(await waiting(harbor)).not.toContain(dealerId)
    const id = (await admin.call(dealerIds.unmatched, {})).find((one) => one.dealerId === dealerId)?.id ?? ''
    await expect(dealer.call(dealerIds.assign, { id, lotId: await toyota.addLot() })).toRefuse(404)
    await expect(harbor.call(dealerIds.assign, { id, lotId: await toyota.addLot() })).toRefuse(404)
  })
})
