import { afterAll, beforeAll, expect, test } from 'vitest'
import { activities } from '#contract/carbon/activity/activity.ts'
import { carbonAssignments } from '#contract/carbon/inventories/assignments.ts'
import { dataRequests } from '#contract/carbon/activity/data-requests.ts'
import { users } from '#contract/identity/users/users.ts'
import { dayAfter } from '#contract/days.ts'
import { sendReminders } from '#server/carbon/index.ts'
import { clock } from '#server/clock.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { concurrently } from '#test/harness/concurrently.ts'
import { findUser } from '#test/factories/identity/find-user.ts'
import { mailsTo } from '#test/factories/mail/mails.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let admin: Caller
let manager: Caller
let managerId: string
let ford: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  manager = await forecourt.as('northgate.sustain', 'Northgate Ford')
  ford = await testOrganization(forecourt, 'Northgate Ford')
  managerId = (await findUser(admin, 'northgate.sustain')).id
})
afterAll(() => forecourt.close())

const newKey = () => fresh('').replaceAll(/\D/g, '').padStart(32, '0')
const today = () => clock.date().toISOString().slice(0, 10)

/** An inventory with electricity, gas and water at one facility, assigned to a data owner with a due date. */
async function assigned({ dataOwnerId = managerId, dueOn = dayAfter(today(), 20), of = ford } = {}) {
  const inventoryId = await of.addInventory()
  const facilityId = await of.addChosenFacility(inventoryId)
  const { sources } = await admin.call(carbonAssignments.save, {
    inventoryId,
    changes: (['electricity', 'natural_gas', 'water'] as const).map((sourceType) => ({
      facilityId,
      sourceType,
      isAssigned: true as const,
      dataOwnerId,
      dueOn,
      method: 'calculated' as const,
    })),
  })
  const idOf = (type: string) => sources.find(({ sourceType }) => sourceType === type)?.id ?? ''
  const [power, gas, water] = [idOf('electricity'), idOf('natural_gas'), idOf('water')]
  const ask = (
    sourceIds: readonly string[],
    more: { idempotencyKey?: string; isAgain?: boolean; message?: string } = {},
  ) =>
    admin.call(dataRequests.ask, {
      inventoryId,
      idempotencyKey: more.idempotencyKey ?? newKey(),
      cells: sourceIds.map((sourceId) => ({ sourceId, isAgain: more.isAgain ?? false })),
      ...(more.message && { message: more.message }),
    })
  const cells = () => admin.call(dataRequests.list, { inventory: inventoryId })
  const cell = async (id: string) => (await cells()).find(({ sourceId }) => sourceId === id)
  return { inventoryId, facilityId, power, gas, water, ask, cells, cell }
}

const enter = (caller: Caller, inventoryId: string, sourceId: string, day: string) =>
  caller.call(activities.save, {
    inventoryId,
    rows: [{ key: '1', record: { sourceId, quantity: '7', unit: 'kWh', periodStart: day, periodEnd: day } }],
  })

const emails = async (id = managerId) => mailsTo(forecourt, { id })

test('a request sends one email per person, which lists the sources and links to them', async () => {
  const { inventoryId, facilityId, power, gas, ask, cell } = await assigned()
  await admin.call(carbonAssignments.save, {
    inventoryId,
    changes: [
      {
        facilityId,
        sourceType: 'waste_mixed',
        isAssigned: true,
        dataOwnerId: (await findUser(admin, 'northgate.admin')).id,
      },
    ],
  })
  const before = (await emails()).length
  const { sent, left } = await ask([power, gas], { message: 'By <b>Friday</b>, please.' })
  expect([sent, left]).toMatchObject([[{ dataOwnerName: 'Priya Raman', cells: 2 }], []])
  const all = await emails()
  expect(all).toHaveLength(before + 1)
  const email = all.at(-1)
  const path = `/carbon/emission?inventory=${inventoryId}&tab=activity&request=${sent[0]?.requestId}`
  expect(email?.subject).toMatch(/^.+ requests data for 2 sources, due \w+ \d+, \d{4}$/)
  for (const words of ['Electricity at ', 'Natural gas at ', 'By <b>Friday</b>, please.', path])
    expect(email?.text).toContain(words)
  expect(await cell(power)).toMatchObject({
    problem: null,
    hasData: false,
    asked: { dataOwnerName: 'Priya Raman', reminders: 0, answeredAt: null, mailState: 'kept', isQuiet: true },
  })
  const request = await manager.call(dataRequests.get, { id: sent[0]?.requestId ?? '' })
  expect(request).toMatchObject({ inventoryId, isMine: true, message: 'By <b>Friday</b>, please.' })
  expect(request.cells.map(({ sourceId }) => sourceId).toSorted()).toEqual([power, gas].toSorted())
})

test('names are escaped in the HTML of the email', async () => {
  const { power, facilityId, ask } = await assigned()
  await forecourt.owner.query(`update facilities set name = 'A <img src=x> & {{ link }}' where id = $1`, [
    facilityId,
  ])
  await ask([power])
  const { rows } = await forecourt.owner.query<{
    customer_id: string
    to_email: string
    html_sealed: string
  }>(
    'select customer_id, to_email, html_sealed from outbox_mails where user_id = $1 order by id desc limit 1',
    [managerId],
  )
  const [row] = rows
  const html = forecourt.identity.secrets.open(
    row?.html_sealed ?? '',
    `outbox_mails.html_sealed/${row?.customer_id}/${row?.to_email}`,
  )
  expect(html).toContain('A &lt;img src=x&gt; &amp; {{ link }}')
})

test('records entered since count as the response, and data owners see their open requests', async () => {
  const { inventoryId, power, gas, ask, cell } = await assigned()
  const { sent } = await ask([power, gas])
  const mine = async () =>
    (await manager.call(dataRequests.mine, {})).find((one) => one.inventoryId === inventoryId)
  expect(await mine()).toMatchObject({ requestId: sent[0]?.requestId, unanswered: 2 })
  const { rows } = await forecourt.owner.query<{ day: string }>(
    'select period_start::text as day from carbon_inventories where id = $1',
    [inventoryId],
  )
  await enter(manager, inventoryId, power, rows[0]?.day ?? '')
  expect([(await cell(power))?.asked?.answeredAt, (await cell(gas))?.asked?.answeredAt]).toEqual([
    expect.any(String),
    null,
  ])
  expect(await cell(power)).toMatchObject({ hasData: true })
  expect(await mine()).toMatchObject({ unanswered: 1 })
})

test('a request sent twice is processed once, and another one within a day must be confirmed', async () => {
  const { power, gas, ask } = await assigned()
  const name = newKey()
  const before = (await emails()).length
  const [one, other] = await Promise.all([
    ask([power], { idempotencyKey: name }),
    ask([power], { idempotencyKey: name }),
  ])
  expect(one.sent).toEqual(other.sent)
  expect((await ask([power], { idempotencyKey: name })).sent).toEqual(one.sent)
  expect(await emails()).toHaveLength(before + 1)
  await expect(ask([power])).toRefuse(409, 'in the last 24 hours')
  // Only the sources that were not requested yet.
  expect(await ask([power, gas])).toMatchObject({
    sent: [{ cells: 1 }],
    left: [{ sourceId: power }],
  })
  await ask([power], { isAgain: true })
  expect(await emails()).toHaveLength(before + 3)
})

test('a request saved while its duplicate is being prepared returns the original result', async () => {
  const { power, ask } = await assigned()
  const [first, name] = [await ask([power]), newKey()]
  const [duplicate] = await concurrently(
    forecourt.owner,
    `lock table emission_sources in access exclusive mode;
    update data_requests set idempotency_key = '${name}' where id = ${first.sent[0]?.requestId}`,
    [() => ask([power], { idempotencyKey: name })],
  )
  expect(duplicate).toEqual({ status: 'fulfilled', value: { sent: first.sent, left: [] } })
})

test('two users sending a request at the same time send one email', async () => {
  const { power, gas, water, ask } = await assigned()
  const before = (await emails()).length
  const both = await Promise.allSettled([ask([power, gas, water]), ask([power, gas, water])])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(await emails()).toHaveLength(before + 1)
})

test('people who cannot respond are reported at the cell and not emailed', async () => {
  const dealer = (await findUser(admin, 'northgate.dealer')).id
  const { power, ask, cell } = await assigned({ dataOwnerId: dealer })
  expect((await cell(power))?.problem).toContain("can't enter data. It requires Carbon emission")
  await expect(ask([power])).toRefuse(409, "can't enter data")
  const deactivated = await ford.addMember({
    userName: fresh('leaves').replace(' ', '.'),
    userType: 'Sustainability manager',
  })
  const theirs = await assigned({ dataOwnerId: deactivated })
  expect((await theirs.cell(theirs.power))?.problem).toBeNull()
  await admin.call(users.change, { selection: { ids: [deactivated] }, change: { isActive: false } })
  await forecourt.jobs.runDue()
  expect((await theirs.cell(theirs.power))?.problem).toContain("can't sign in")
  await expect(theirs.ask([theirs.power])).toRefuse(409, "can't sign in")
  const unassigned = await assigned()
  await forecourt.owner.query('update emission_sources set data_owner_id = null where id = $1', [
    unassigned.power,
  ])
  expect((await unassigned.cell(unassigned.power))?.problem).toBe('No data owner is assigned.')
  expect(await emails(dealer)).toEqual([])
})

test('a manual reminder goes only to people who have not responded', async () => {
  const { inventoryId, power, gas, water, ask, cell } = await assigned()
  await ask([power, gas])
  const remind = (isAgain: boolean) =>
    admin.call(dataRequests.remind, {
      inventoryId,
      idempotencyKey: newKey(),
      cells: [power, gas, water].map((sourceId) => ({ sourceId, isAgain })),
    })
  await expect(remind(false)).toRefuse(409, 'in the last 24 hours')
  const { rows } = await forecourt.owner.query<{ day: string }>(
    'select period_start::text as day from carbon_inventories where id = $1',
    [inventoryId],
  )
  await enter(manager, inventoryId, power, rows[0]?.day ?? '')
  const { sent, left } = await remind(true)
  expect(sent).toMatchObject([{ cells: 1 }])
  expect(left.map(({ message }) => message)).toEqual([
    'Priya Raman has already responded.',
    "Priya Raman hasn't been asked yet.",
  ])
  const email = (await emails()).at(-1)
  expect(email?.subject).toContain('Reminder: data requested for 1 source')
  expect(email?.text).not.toContain('Electricity at')
  expect((await cell(gas))?.asked).toMatchObject({ reminders: 1, remindedAt: expect.any(String) })
})

test('the schedule reminds people who have not responded around the due date, once a day, during working hours', async () => {
  const { inventoryId, power, gas, ask, cell } = await assigned({ dueOn: dayAfter(today(), 20) })
  await ask([power, gas])
  const { rows } = await forecourt.owner.query<{ day: string }>(
    'select period_start::text as day from carbon_inventories where id = $1',
    [inventoryId],
  )
  await enter(manager, inventoryId, power, rows[0]?.day ?? '')
  // Noon in Sacramento.
  const on = (days: number, time = '20:00') => new Date(`${dayAfter(today(), days)}T${time}:00Z`)
  const { jobsPool: queue, appPool: pool, identity } = forecourt
  const run = (at: Date) => sendReminders({ queue, pool, identity }, at)
  const reminders = async () => (await cell(gas))?.asked?.reminders
  await run(on(10))
  await run(on(17, '09:00'))
  expect(await reminders()).toBe(0)
  await Promise.all([run(on(17)), run(on(17))])
  await run(on(17, '22:00'))
  await run(on(18))
  expect(await reminders()).toBe(1)
  await run(on(21))
  expect(await reminders()).toBe(2)
  expect((await cell(power))?.asked?.reminders).toBe(0)
  await forecourt.owner.query(`update carbon_inventories set status = 'locked' where id = $1`, [inventoryId])
  await run(on(27))
  await forecourt.owner.query(`update carbon_inventories set status = 'collecting' where id = $1`, [
    inventoryId,
  ])
  expect(await reminders()).toBe(2)
})

test('rejects requests for a locked inventory, without permission, or from another tenant', async () => {
  const { inventoryId, power, ask } = await assigned()
  await forecourt.owner.query(`update carbon_inventories set status = 'locked' where id = $1`, [inventoryId])
  await expect(ask([power])).toRefuse(409, 'is locked')
  await forecourt.owner.query(`update carbon_inventories set status = 'collecting' where id = $1`, [
    inventoryId,
  ])
  const input = { inventoryId, idempotencyKey: newKey(), cells: [{ sourceId: power }] }
  const auditor = await forecourt.as('northgate.auditor', 'Northgate Ford')
  await expect(auditor.call(dataRequests.ask, input)).toRefuse(403)
  const harbor = await forecourt.as('harbor.admin')
  await expect(harbor.call(dataRequests.ask, input)).toRefuse(404)
  const { sent } = await admin.call(dataRequests.ask, input)
  await expect(harbor.call(dataRequests.get, { id: sent[0]?.requestId ?? '' })).toRefuse(404)
  await expect(ask(['999999999'])).toRefuse(409, 'no longer expects data')
})
