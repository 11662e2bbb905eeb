import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { activities } from '#contract/carbon/activity/activity.ts'
import { evidence } from '#contract/carbon/activity/evidence.ts'
import { importedTotals } from '#contract/carbon/activity/imported-totals.ts'
import { inventoryApprovals } from '#contract/carbon/approvals/approvals.ts'
import { inventoryReopenings } from '#contract/carbon/approvals/reopenings.ts'
import { Figure } from '#contract/carbon/factors/figure.ts'
import { factors } from '#contract/carbon/factors/factors.ts'
import { inventoryApproval } from '#contract/carbon/inventories/approval.ts'
import { carbonInventories } from '#contract/carbon/inventories/inventories.ts'
import { ledger } from '#contract/carbon/results/ledger.ts'
import { facilities } from '#contract/organizations/facilities/facilities.ts'
import { users } from '#contract/identity/users/users.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { ownFactor } from '#test/cases/carbon/factors.ts'
import {
  approveInventory,
  freshCountry,
  openWithTwo,
  reviewerOf,
  takeInventoryTo,
} from '#test/factories/carbon/approve-inventory.ts'
import { bill, ledgerWorld } from '#test/factories/carbon/ledger-world.ts'
import { mailsTo } from '#test/factories/mail/mails.ts'
import { multipart } from '#test/harness/multipart.ts'
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

const Content = z.looseObject({
  ledger: z.array(z.looseObject({ kg: z.string(), method: z.string().nullable() })),
})
const downloadOf = async (who: Caller, id: string) =>
  who.send({ method: 'GET', url: inventoryApprovals.download.path.replace('{id}', id) })
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** An inventory with a record, a custom factor and an imported total, taken to a status by two people. */
async function prepare(target: 'approved' | 'locked') {
  const one = await ledgerWorld(forecourt, ford, admin)
  const { inventoryId, organizationId } = one
  const ownerId = await ford.createUser()
  await forecourt.owner.query(
    'insert into memberships (customer_id, organization_id, user_id) values ($1, $2, $3) on conflict do nothing',
    [ford.customerId, organizationId, ownerId],
  )
  await admin.call(carbonInventories.update, { id: inventoryId, ownerId })
  const country = freshCountry()
  const { id: factorId } = await admin.call(factors.add, ownFactor({ region: country, isForAll: true }))
  const facilityId = await one.addFacility({ country })
  const grid = { activity: 'electricity/grid', scope: '2', unit: 'kWh', facilityId }
  const { recordId, sourceId } = await one.addRecord(grid, bill('100', 'kWh'))
  const { payload, headers } = multipart({ recordId }, [{ name: 'May 2025.pdf', bytes: '%PDF-1.7 a bill' }])
  await forecourt.app.inject({
    method: 'POST',
    url: evidence.add.path,
    payload,
    headers: { ...headers, authorization: `Bearer ${admin.token}` },
  })
  const period = { periodStart: '2025-01-01', periodEnd: '2025-12-31' }
  const { batchId } = await admin.call(importedTotals.add, {
    inventoryId,
    rows: [{ key: '1', facilityId, sourceType: 'natural_gas', ...period, tonnes: '500' }],
  })
  const submitter = await reviewerOf(forecourt, organizationId)
  await takeInventoryTo({ submitter, approver: admin }, inventoryId, target)
  const setStatus = (
    who: Caller,
    status: 'approved' | 'collecting' | 'draft',
    reason: string | null = 'Wrong',
  ) => who.call(carbonInventories.setStatus, { id: inventoryId, status, reason })
  const { files } = await admin.call(inventoryApprovals.list, { inventory: inventoryId })
  return {
    one,
    submitter,
    inventoryId,
    organizationId,
    ownerId,
    factorId,
    facilityId,
    recordId,
    sourceId,
    batchId: batchId ?? '',
    setStatus,
    file: files[0],
  }
}

describe('what two people approved', () => {
  test('is not unlocked or reopened by one of them', async () => {
    const { submitter, setStatus } = await prepare('locked')
    await expect(setStatus(submitter, 'approved')).toRefuse(409, 'a second person')
    const approved = await prepare('approved')
    await expect(approved.setStatus(approved.submitter, 'collecting')).toRefuse(409, 'a second person')
  })

  test('is not deleted, although one person could reopen it', async () => {
    const { id } = await admin.call(carbonInventories.add, {
      organizationId: await ford.addOrganization(),
      name: 'Base 2024',
      periodStart: '2024-01-01',
      periodEnd: '2024-12-31',
      boundary: 'operational',
      isBaseYear: true,
      twoPersonApproval: false,
    })
    await takeInventoryTo({ submitter: admin, approver: admin }, id, 'locked')
    const change = (status: 'approved' | 'collecting' | 'draft') =>
      admin.call(carbonInventories.setStatus, { id, status, reason: 'Wrong' })
    for (const status of ['approved', 'collecting', 'draft'] as const) await change(status)
    await expect(admin.call(carbonInventories.remove, { id })).toRefuse(409, 'was approved')
  })
})

describe('an approval', () => {
  test('is stored byte by byte, and stays so whatever changes afterwards', async () => {
    const world = await prepare('approved')
    const { one, inventoryId, ownerId, factorId, facilityId, recordId, batchId, file } = world
    const before = await downloadOf(admin, file?.id ?? '')
    expect(sha256(before.bytes)).toBe(file?.sha256)
    expect(before.bytes).toHaveLength(file?.size ?? 0)

    await openWithTwo({ asks: world.submitter, confirms: admin }, inventoryId, 'collecting')
    const [attached] = await admin.call(evidence.list, { recordId })
    await admin.call(evidence.remove, { id: attached?.id ?? '' })
    await admin.call(activities.remove, { id: recordId })
    await admin.call(importedTotals.remove, { inventoryId, batchId })
    await admin.call(ledger.recalculate, { inventoryId })
    await admin.call(factors.remove, { id: factorId })
    await admin.call(facilities.update, { id: facilityId, name: 'Renamed', code: 'RENAMED' })
    await admin.call(carbonInventories.update, { id: inventoryId, name: 'Renamed', boundary: 'equity' })
    await admin.call(users.remove, { id: ownerId })
    const rename = (first: string, last: string) =>
      forecourt.owner.query(
        `update users set first_name = $1, last_name = $2 where user_name = 'northgate.sustain'`,
        [first, last],
      )
    await rename('Re', 'Named')
    expect(await one.results()).toEqual([])

    const after = await downloadOf(admin, file?.id ?? '')
    await rename('Priya', 'Raman')
    expect(after.bytes.equals(before.bytes)).toBe(true)
    const check = { id: file?.id ?? '', sha256: sha256(after.bytes) }
    expect(await admin.call(inventoryApprovals.verify, check)).toEqual({
      isIntact: true,
      matchesId: file?.id,
    })
    // The evidence is part of the record as well.
    const url = evidence.download.path.replace('{id}', attached?.id ?? '')
    expect((await admin.send({ method: 'GET', url })).text).toBe('%PDF-1.7 a bill')
    for (const table of ['inventory_approvals', 'inventory_approval_parts']) {
      // Neither by the owner of the database.
      const change = forecourt.owner.query(`update ${table} set organization_id = organization_id`)
      await expect(change).rejects.toThrow(/never changed/)
      await expect(forecourt.owner.query(`delete from ${table}`)).rejects.toThrow(/never changed/)
    }
  })

  test('has ledger, factors, boundary, evidence and names, and its ledger adds up to its total', async () => {
    const { one, inventoryId, file } = await prepare('locked')
    const content = Content.parse(JSON.parse((await downloadOf(admin, file?.id ?? '')).text))
    const { total } = await one.totals()
    const sum = (method: string) =>
      content.ledger
        .filter((line) => line.method === null || line.method === method)
        .reduce((kg, line) => kg.plus(line.kg), new Figure(0))
    expect(sum('location').toFixed(6)).toBe(new Figure(total.location).toFixed(6))
    expect(content).toMatchObject({
      format: 'forecourt carbon approval 1',
      inventory: { id: inventoryId, ownerName: 'Ina Vited' },
      approval: { status: 'approved', userName: 'Dana Whitfield', location: total.location },
      history: [{ status: 'in_review', userName: 'Priya Raman' }, { status: 'collecting' }],
      ledgerTotal: { location: total.location, market: total.market },
      factors: [{ sourceNote: 'Letter of the utility, 2024-03-01' }],
      boundary: [{ choice: 'included', spans: [{ percent: '100' }] }],
      records: [
        {
          quantity: '100',
          evidence: [{ name: 'May 2025.pdf', sha256: sha256(Buffer.from('%PDF-1.7 a bill')) }],
        },
      ],
    })
    expect(file).toMatchObject({
      location: total.location,
      lines: content.ledger.length,
      madeBy: 'Dana Whitfield',
    })
  })

  test('is not matched by a file that was changed, nor by one of another inventory', async () => {
    const { file } = await prepare('approved')
    const other = await prepare('approved')
    const id = file?.id ?? ''
    const { bytes } = await downloadOf(admin, id)
    const changed = sha256(Buffer.concat([bytes, Buffer.from(' ')]))
    for (const hash of [changed, other.file?.sha256 ?? ''])
      expect(await admin.call(inventoryApprovals.verify, { id, sha256: hash })).toEqual({
        isIntact: true,
        matchesId: null,
      })
    await expect(admin.call(inventoryApprovals.verify, { id, sha256: 'abc' })).toRefuse(400)
  })

  test('is stored again with each approval, and all of them stay', async () => {
    const world = await prepare('approved')
    const { submitter, inventoryId, file } = world
    await openWithTwo({ asks: submitter, confirms: admin }, inventoryId, 'collecting')
    await submitter.call(carbonInventories.setStatus, { id: inventoryId, status: 'in_review' })
    await approveInventory(admin, inventoryId)
    const { files, withoutFile } = await admin.call(inventoryApprovals.list, { inventory: inventoryId })
    expect(files.map(({ id }) => id).slice(1)).toEqual([file?.id])
    expect(withoutFile).toBe(0)
    expect((await admin.call(carbonInventories.get, { id: inventoryId })).approvals).toBe(2)
  })
})

describe('unlocking and reopening', () => {
  test('needs a request with a reason and another person, and keeps both in the history', async () => {
    const world = await prepare('locked')
    const { submitter, inventoryId: inventory, facilityId } = world
    const ask = (who: Caller) =>
      who.call(inventoryReopenings.request, { inventory, status: 'approved', reason: 'A bill was wrong' })
    const asked = await ask(submitter)
    expect(asked).toMatchObject({ requestedBy: 'Priya Raman', decision: null, isMine: true })
    await expect(ask(admin)).toRefuse(409, 'already asked')
    await expect(submitter.call(inventoryReopenings.confirm, { id: asked.id, reason: 'x' })).toRefuse(
      403,
      'second person',
    )
    await expect(submitter.call(inventoryReopenings.decline, { id: asked.id, reason: 'x' })).toRefuse(
      403,
      'Withdraw',
    )
    await expect(admin.call(inventoryReopenings.withdraw, { id: asked.id })).toRefuse(403)
    const opened = await admin.call(inventoryReopenings.confirm, { id: asked.id, reason: 'Seen on the bill' })
    expect(opened.status).toBe('approved')
    await expect(admin.call(inventoryReopenings.confirm, { id: asked.id, reason: 'x' })).toRefuse(
      409,
      'already confirmed',
    )
    const [event] = await admin.call(inventoryApproval.history, { inventory })
    expect(event).toMatchObject({
      formerStatus: 'locked',
      status: 'approved',
      userName: 'Dana Whitfield',
      reason: 'Seen on the bill',
      reopening: { requestedBy: 'Priya Raman', reason: 'A bill was wrong' },
    })
    expect((await openWithTwo({ asks: admin, confirms: submitter }, inventory, 'collecting')).status).toBe(
      'collecting',
    )
    await admin.call(facilities.update, { id: facilityId, name: 'Changed after reopening' })
    // A decision is final, for the owner of the database as well.
    const change = forecourt.owner.query(
      `update inventory_reopenings set decision = 'declined' where id = $1`,
      [asked.id],
    )
    await expect(change).rejects.toThrow(/was decided/)
  })

  test('stays locked when the request is declined or withdrawn', async () => {
    const { submitter, inventoryId: inventory } = await prepare('locked')
    const input = { inventory, status: 'approved', reason: 'A bill was wrong' } as const
    const first = await submitter.call(inventoryReopenings.request, input)
    await admin.call(inventoryReopenings.decline, { id: first.id, reason: 'Restate it' })
    const second = await admin.call(inventoryReopenings.request, input)
    await admin.call(inventoryReopenings.withdraw, { id: second.id })
    expect((await admin.call(carbonInventories.get, { id: inventory })).status).toBe('locked')
    const found = await submitter.call(inventoryReopenings.list, { inventory })
    expect(found).toMatchObject([
      { decision: 'withdrawn', decidedBy: 'Dana Whitfield' },
      { decision: 'declined', decisionReason: 'Restate it', decidedBy: 'Dana Whitfield' },
    ])
  })

  test('takes someone who did not prepare the figures', async () => {
    const { submitter, inventoryId: inventory } = await prepare('locked')
    // The administrator is the owner now, so neither of the two could have approved.
    await forecourt.owner.query(
      `update carbon_inventories set owner_id = (select id from users where user_name = 'northgate.admin') where id = $1`,
      [inventory],
    )
    const input = { inventory, status: 'approved', reason: 'A bill was wrong' } as const
    const { id } = await submitter.call(inventoryReopenings.request, input)
    await expect(admin.call(inventoryReopenings.confirm, { id, reason: 'Agreed' })).toRefuse(
      403,
      'both prepared',
    )
    const [shown] = await admin.call(inventoryReopenings.list, { inventory })
    expect(shown?.refusal).toMatch(/both prepared/)
  })

  test('tells the person who asked what was decided, with the words of the decider', async () => {
    const { submitter, inventoryId: inventory } = await prepare('locked')
    const { rows } = await forecourt.owner.query<{ id: string }>(
      `select id from users where user_name = 'northgate.sustain'`,
    )
    const of = { id: rows[0]?.id ?? '' }
    const before = (await mailsTo(forecourt, of)).length
    const input = { inventory, status: 'approved', reason: 'A bill was wrong' } as const
    const first = await submitter.call(inventoryReopenings.request, input)
    await admin.call(inventoryReopenings.decline, { id: first.id, reason: 'Restate it instead' })
    await openWithTwo({ asks: submitter, confirms: admin }, inventory, 'approved')
    const [declined, confirmed, ...more] = (await mailsTo(forecourt, of)).slice(before)
    expect(more).toEqual([])
    expect(declined?.subject).toMatch(/^Dana Whitfield declined your request to unlock Inventory /)
    expect(declined?.text).toContain('Dana Whitfield wrote: Restate it instead')
    expect(declined?.text).toContain(`/carbon/start?inventory=${inventory}`)
    expect(confirmed?.subject).toMatch(/^Dana Whitfield confirmed your request to unlock /)
    expect(confirmed?.text).toContain('Seen on the bill')
  })

  test('is asked by email of those who may confirm it', async () => {
    const { submitter, inventoryId: inventory } = await prepare('locked')
    const { rows } = await forecourt.owner.query<{ id: string }>(
      `with member as (insert into memberships (customer_id, organization_id, user_id)
        select i.customer_id, i.organization_id, u.id from carbon_inventories i join users u on u.customer_id = i.customer_id
        where i.id = $1 and u.user_name = 'northgate.admin')
      update carbon_inventories i set approver_id = u.id from users u where i.id = $1 and u.user_name = 'northgate.admin'
      returning u.id::text`,
      [inventory],
    )
    const of = { id: rows[0]?.id ?? '' }
    const before = (await mailsTo(forecourt, of)).length
    const reason = 'The July bill was credited'
    await submitter.call(inventoryReopenings.request, { inventory, status: 'approved', reason })
    const [mail, ...more] = (await mailsTo(forecourt, of)).slice(before)
    expect(more).toEqual([])
    expect(mail?.subject).toMatch(/^Priya Raman asks to unlock Inventory /)
    expect(mail?.text).toContain(reason)
    expect(mail?.text).toContain(`/carbon/start?inventory=${inventory}`)
  })
})

test('the ledger has a line for each imported total, and adds up to the total', async () => {
  const { one, inventoryId } = await prepare('locked')
  const lines = await one.results()
  expect(lines.filter(({ part }) => part === 'imported')).toHaveLength(12)
  const sum = (method: string) =>
    lines
      .filter((line) => line.method === null || line.method === method)
      .reduce((kg, line) => kg + Number(line.kg), 0)
  const { total } = await one.totals()
  expect(sum('location')).toBeCloseTo(Number(total.location), 6)
  expect(sum('market')).toBeCloseTo(Number(total.market), 6)
  const listed = await admin.call(ledger.list, { filter: `inventory == "${inventoryId}"`, pageSize: 100 })
  expect(listed.results).toHaveLength(lines.length)
})

test('a locked year has one name for its facility on every screen', async () => {
  const { one, facilityId } = await prepare('locked')
  const names = async () => {
    const { facilities: lines, sources, coverage } = await one.totals()
    const results = await one.results()
    const explained = await admin.call(ledger.explain, {
      id: results.find(({ part }) => part === 'main')?.id ?? '',
    })
    return {
      facility: lines.map(({ title }) => title),
      sources: sources.map(({ title, facilityName }) => [title, facilityName]),
      missing: coverage.missing.map(({ facilityName }) => facilityName),
      record: explained.record?.facilityName,
    }
  }
  const before = await names()
  await admin.call(facilities.update, { id: facilityId, name: 'RENAMED' })
  expect(await names()).toEqual(before)
})
