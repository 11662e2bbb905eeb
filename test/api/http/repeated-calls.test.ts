import { afterAll, beforeAll, expect, test } from 'vitest'
import { CALL_KEY_HEADER } from '#contract/repeatable-calls.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { userTypes } from '#contract/identity/user-types/user-types.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { users } from '#contract/identity/users/users.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { clock } from '#server/clock.ts'
import { kyselyOver, statement } from '#server/database/tenant-transaction.ts'
import { sweepRepeatedCalls } from '#server/http/repeated-calls.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { fresh, testOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let admin: Caller
let dealer: Caller
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  dealer = await forecourt.as('northgate.dealer')
})
afterAll(() => forecourt.close())

const KEY = { a: 'a'.repeat(32), b: 'b'.repeat(32) }

/** Adds a lot under a key. */
async function addLot(caller: Caller, key: string, lot: object) {
  const headers = { [CALL_KEY_HEADER]: key }
  const { status, text } = await caller.send({ method: 'POST', url: lots.add.path, payload: lot, headers })
  const answer: unknown = JSON.parse(text)
  return { status, answer }
}
const newLot = () => ({ name: fresh('Lot'), code: fresh('L').replace(' ', '') })
const countLots = async (search: string) => (await admin.call(lots.list, { search })).filteredRows

test('a call that is sent again under its key is done once and answered as the first time', async () => {
  const lot = newLot()
  const first = await addLot(admin, KEY.a, lot)
  expect(first.status).toBe(200)
  expect(await addLot(admin, KEY.a, lot)).toEqual(first)
  expect(await countLots(lot.name)).toBe(1)
  // Without the key, the code is taken.
  expect((await addLot(admin, KEY.b, lot)).status).toBe(409)
})

test('of several at the same time one is done, and all have its answer', async () => {
  const lot = newLot()
  const answers = await Promise.all(Array.from({ length: 5 }, () => addLot(admin, KEY.a, lot)))
  expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1)
  expect(answers[0]?.status).toBe(200)
  expect(await countLots(lot.name)).toBe(1)
})

test('another input, caller or endpoint is another call, and a refused one is tried again', async () => {
  const [one, other] = [newLot(), newLot()]
  expect((await addLot(admin, KEY.a, one)).status).toBe(200)
  expect((await addLot(admin, KEY.a, other)).status).toBe(200)
  // Not the answer of the administrator.
  expect((await addLot(dealer, KEY.a, one)).status).not.toBe(200)
  const taken = newLot()
  const { id } = await admin.call(lots.add, taken)
  expect((await addLot(admin, KEY.b, taken)).status).toBe(409)
  await admin.call(lots.remove, { id })
  expect((await addLot(admin, KEY.b, taken)).status).toBe(200)
})

test('an answer is not given again to a caller whose rights were changed', async () => {
  const userName = fresh('person').replace(' ', '.')
  const place = await testOrganization(forecourt, 'Northgate Ford')
  const own = { name: fresh('Type') }
  const type = await admin.call(userTypes.add, {
    userType: own,
    permissions: [can(Func.lots, Opr.list), can(Func.lots, Opr.create)],
  })
  await place.addMember({ userName, userType: own.name })
  const caller = await forecourt.as(userName)
  const lot = newLot()
  expect((await addLot(caller, KEY.a, lot)).status).toBe(200)
  expect((await addLot(caller, KEY.a, lot)).status).toBe(200)
  const { id, version } = type
  await admin.call(userTypes.update, { userType: { id, version }, permissions: [can(Func.lots, Opr.create)] })
  const { status, answer } = await addLot(caller, KEY.a, lot)
  expect([status, JSON.stringify(answer)]).toEqual([409, expect.stringContaining('This was already done')])
  expect(JSON.stringify(answer)).not.toContain(lot.name)
})

test('a call whose handler opens its own transactions is done once, too', async () => {
  const place = await testOrganization(forecourt, 'Northgate Ford')
  const userName = fresh('person').replace(' ', '.')
  const user = {
    userName,
    email: `${userName}@people.example`,
    firstName: 'Kim',
    lastName: 'Lee',
    userTypeId: await place.userType('Dealer user'),
    organizationIds: [place.organizationId],
  }
  const headers = { [CALL_KEY_HEADER]: KEY.a }
  const add = () => admin.send({ method: 'POST', url: users.add.path, payload: { user }, headers })
  const first = await add()
  expect([first.status, first.text]).toEqual([200, expect.any(String)])
  const again = await add()
  expect([again.status, JSON.parse(again.text)]).toEqual([200, JSON.parse(first.text)])
})

test('of such calls at the same time one is done, if it writes in its last transaction', async () => {
  const place = await testOrganization(forecourt, 'Northgate Ford')
  const payload = { lotId: await place.addLot(), make: 'Kia', model: fresh('Niro') }
  const headers = { [CALL_KEY_HEADER]: KEY.a }
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => admin.send({ method: 'POST', url: vehicles.add.path, payload, headers })),
  )
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect(answers[0]?.status).toBe(200)
  expect((await admin.call(vehicles.list, { search: payload.model })).filteredRows).toBe(1)
})

test('what is kept can only be read with the key, and is deleted after an hour', async () => {
  const lot = newLot()
  await addLot(admin, KEY.a, lot)
  const read = async () => (await forecourt.owner.query('select id, answer from repeated_calls')).rows
  const kept = await read()
  expect(kept.length).toBeGreaterThan(0)
  expect(JSON.stringify(kept)).not.toContain(lot.name)
  expect(JSON.stringify(kept)).not.toContain(KEY.a)
  clock.advance(2 * 3_600_000)
  await sweepRepeatedCalls(kyselyOver((query) => forecourt.jobsPool.query(statement(query))))
  expect(await read()).toEqual([])
})
