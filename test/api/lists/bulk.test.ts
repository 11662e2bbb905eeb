import { afterAll, beforeAll, expect, test } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { users } from '#contract/identity/users/users.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { jobs, type Job } from '#contract/jobs/jobs.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { concurrently } from '#test/harness/concurrently.ts'
import { addManyLots, lookAtLots } from '#test/factories/customers/many-lots.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let ford: TestOrganization
let toyota: TestOrganization
let dealer: Caller
let admin: Caller
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  toyota = await testOrganization(forecourt, 'Northgate Toyota')
  dealer = await forecourt.as('northgate.dealer')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
})
afterAll(() => forecourt.close())

/** A finished job with its rejected rows. */
async function run(caller: Caller, started: Promise<Job>) {
  const { id } = await started
  await forecourt.jobs.runDue()
  const { state, done, failures, canUndo, error } = await caller.call(jobs.get, { id })
  const refused = (await caller.call(jobs.failures, { id })).map(({ title, reason }) => [title, reason])
  return { id, state, done, failures, canUndo, error, refused }
}

test('an undo restores the previous values, and lists rows changed since', async () => {
  const word = fresh('Undo').replace(' ', '')
  const ids = await addManyLots(forecourt, ford, { count: 3, word })
  const [first = '', second = ''] = ids
  await dealer.call(lots.update, { id: second, isPublic: false })
  const hidden = await run(
    dealer,
    dealer.call(lots.change, { selection: { ids }, change: { isPublic: false } }),
  )
  await admin.call(lots.update, { id: first, isPublic: true })
  const undone = await run(dealer, dealer.call(jobs.undo, { id: hidden.id }))
  // The second one was already hidden: neither the job nor the undo changes it.
  expect(undone).toMatchObject({ state: 'done', done: 2, failures: 1, canUndo: false })
  expect(undone.refused).toEqual([[`${word} 1`, 'It was changed since by Dana Whitfield.']])
  expect(await dealer.call(jobs.get, { id: undone.id })).toMatchObject({
    title: 'Undo: Hide 3 lots from public pages',
    undoes: hidden.id,
  })
  expect(await lookAtLots(forecourt, ids)).toMatchObject({ visible: 2 })
  // What was in the way may be gone by now.
  expect(await dealer.call(jobs.get, { id: hidden.id })).toMatchObject({ canUndo: true })
  const again = await run(dealer, dealer.call(jobs.undo, { id: hidden.id }))
  expect(again.refused).toEqual(undone.refused)
  await expect(dealer.call(jobs.undo, { id: undone.id })).toRefuse(409, "This job can't be undone.")
})

test('of two concurrent undos of a job, one succeeds', async () => {
  const ids = [await ford.addLot()]
  const { id } = await run(
    dealer,
    dealer.call(lots.change, { selection: { ids }, change: { isPublic: false } }),
  )
  const outcomes = await concurrently(forecourt.owner, `select from jobs where id = ${id} for update`, [
    () => dealer.call(jobs.undo, { id }),
    () => dealer.call(jobs.undo, { id }),
  ])
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  await forecourt.jobs.runDue()
})

test('an undo that was canceled can be completed by another one', async () => {
  const ids = await addManyLots(forecourt, ford, { count: 600, word: fresh('Again').replace(' ', '') })
  const { id } = await run(
    dealer,
    dealer.call(lots.change, {
      selection: { all: true, filter: `name.startsWith("Again")` },
      change: { isPublic: false },
    }),
  )
  const undo = await dealer.call(jobs.undo, { id })
  await forecourt.jobs.runLease()
  await dealer.call(jobs.cancel, { id: undo.id })
  await forecourt.jobs.runDue()
  expect(await lookAtLots(forecourt, ids)).toMatchObject({ visible: 500 })
  expect(await run(dealer, dealer.call(jobs.undo, { id }))).toMatchObject({ done: 100, failures: 0 })
  expect(await lookAtLots(forecourt, ids)).toMatchObject({ visible: 600 })
})

test('lots with vehicles stay; deleted ones are restored with their IDs, unless their code is in use', async () => {
  const [free, used, taken] = [
    await ford.addLot('Free'),
    await ford.addLot('Used'),
    await ford.addLot('Taken'),
  ]
  await ford.addVehicle({ lotId: used })
  const before = await dealer.call(lots.get, { id: free })
  const { code } = await dealer.call(lots.get, { id: taken })
  const removed = await run(dealer, dealer.call(lots.removeMany, { selection: { ids: [free, used, taken] } }))
  expect(removed).toMatchObject({
    state: 'done',
    failures: 1,
    refused: [['Used', '1 vehicle is on this lot. Move it first.']],
    canUndo: true,
  })
  await expect(dealer.call(lots.get, { id: free })).toRefuse(404)
  const { id: newer } = await dealer.call(lots.add, { name: 'Newer', code })
  const undone = await run(dealer, dealer.call(jobs.undo, { id: removed.id }))
  expect(undone.refused).toEqual([
    [
      'Taken',
      `Its code ${code} or one of its dealer IDs is in use again, or its organization no longer exists.`,
    ],
  ])
  const { updatedAt: _, updatedBy: __, ...same } = before
  expect(await dealer.call(lots.get, { id: free })).toMatchObject(same)
  // When its code is free again, the other one comes back, too.
  await dealer.call(lots.remove, { id: newer })
  const again = await run(dealer, dealer.call(jobs.undo, { id: removed.id }))
  expect(again).toMatchObject({ done: 1, failures: 0 })
  expect(await dealer.call(lots.get, { id: taken })).toMatchObject({ code })
  await expect(dealer.call(jobs.undo, { id: removed.id })).toRefuse(409, 'This job was already undone.')
})

test('a lot that is deleted individually, as in its drawer, can be restored', async () => {
  const id = await ford.addLot('Single')
  const before = await dealer.call(lots.get, { id })
  const removed = await run(dealer, dealer.call(lots.removeMany, { selection: { ids: [id] } }))
  expect(removed).toMatchObject({ done: 1, failures: 0, canUndo: true })
  await expect(dealer.call(lots.get, { id })).toRefuse(404)
  expect(await run(dealer, dealer.call(jobs.undo, { id: removed.id }))).toMatchObject({
    done: 1,
    failures: 0,
  })
  const { updatedAt: _, updatedBy: __, ...same } = before
  expect(await dealer.call(lots.get, { id })).toMatchObject(same)
})

test('a user of one rooftop can neither hide nor delete a lot of another organization', async () => {
  const [own, sister] = [await ford.addLot('Shared word'), await toyota.addLot('Shared word')]
  const selection = { all: true, search: 'Shared word' } as const
  expect(
    await run(dealer, dealer.call(lots.change, { selection, change: { isPublic: false } })),
  ).toMatchObject({ done: 1 })
  expect(await run(dealer, dealer.call(lots.removeMany, { selection }))).toMatchObject({ done: 1 })
  expect(await lookAtLots(forecourt, [own, sister])).toEqual({ there: 1, visible: 1, versions: [1] })
  await expect(dealer.call(lots.removeMany, { selection: { ids: [sister] } })).toRefuse(
    404,
    'None of the selected lots exist anymore.',
  )
})

test('users are deactivated by the same rules as individually, with a reason for each who is not', async () => {
  const people = [await ford.createUser(), await ford.createUser()]
  const elsewhere = await toyota.createUser()
  const member = await ford.addMember({ userName: 'to.be.off', userType: 'Participant' })
  const session = await forecourt.as('to.be.off')
  const { results } = await admin.call(users.list, { search: 'dana' })
  const self = results[0]?.id ?? ''
  const job = await run(
    admin,
    admin.call(users.change, {
      selection: { ids: [...people, elsewhere, member, self] },
      change: { isActive: false },
    }),
  )
  expect(job).toMatchObject({ state: 'done', done: 5, failures: 1 })
  expect(job.refused).toEqual([['Dana Whitfield', "You can't deactivate yourself."]])
  await expect(session.call(jobs.list, {})).toRefuse(401)
  const states = await Promise.all([...people, elsewhere, member].map((id) => admin.call(users.get, { id })))
  expect(states.map(({ isActive }) => isActive)).toEqual([false, false, false, false])
  // Their activity shows it like an individual change.
  const [told] = await admin.call(users.activity, { id: people[0] ?? '' })
  expect(told).toMatchObject({ by: 'Dana Whitfield', what: 'Deactivated' })
  await admin.call(users.update, { user: { id: elsewhere, isActive: true } })
  const undone = await run(admin, admin.call(jobs.undo, { id: job.id }))
  expect(undone).toMatchObject({ done: 4, failures: 1 })
  expect(undone.refused).toEqual([['Ina Vited', 'It was changed since by Dana Whitfield.']])
})

test('users with more permissions stay active, with the reason, and so do users out of reach', async () => {
  const keepers = await keepersType()
  await ford.addMember({ userName: 'keeper', userType: keepers })
  const keeper = await forecourt.as('keeper')
  const above = await ford.addMember({ userName: 'above.keeper', userType: 'Customer administrator' })
  const belowType = fresh('Below')
  await ford.addUserType(belowType, keepers)
  const below = await ford.addMember({ userName: 'below.keeper', userType: belowType })
  const sister = await toyota.createUser()
  const job = await run(
    keeper,
    keeper.call(users.change, {
      selection: { ids: [above, below, sister] },
      change: { isActive: false },
    }),
  )
  expect(job).toMatchObject({ done: 3, failures: 2 })
  expect(job.refused).toEqual(
    expect.arrayContaining([
      [
        'Sam Tester',
        expect.stringMatching(/^(Their user type covers all organizations|They have permissions)/),
      ],
      [`No. ${sister}`, 'It was deleted, or you no longer have access to it.'],
    ]),
  )
})

/** A user type of one rooftop that manages users and has few other permissions. */
async function keepersType(): Promise<string> {
  const name = fresh('Keeper')
  const id = await ford.addUserType(name)
  await forecourt.owner.query(
    `insert into user_type_permissions (customer_id, user_type_id, func, opr)
    select $1, $2, f, o from (values (1, 1), (2, 1), (2, 2), (2, 4)) as p (f, o)`,
    [ford.customerId, id],
  )
  return name
}

test('vehicles are set to another status with a reason, and get their previous one back', async () => {
  const [live, held] = [
    await ford.addVehicle({ status: 'live', year: 2021 }),
    await ford.addVehicle({ status: 'hold', statusReason: 'Open recall' }),
  ]
  const job = await run(
    dealer,
    dealer.call(vehicles.change, {
      selection: { ids: [live, held] },
      change: { status: 'hold', statusReason: 'Title not here yet' },
    }),
  )
  expect(job).toMatchObject({ done: 2, failures: 0, canUndo: true })
  expect(await dealer.call(jobs.get, { id: job.id })).toMatchObject({ title: 'Set 2 vehicles to Hold' })
  const look = (id: string) => dealer.call(vehicles.get, { id })
  expect([await look(live), await look(held)]).toMatchObject([
    { status: 'hold', statusReason: 'Title not here yet', version: 2, updatedBy: 'Luis Ortega' },
    { status: 'hold', statusReason: 'Title not here yet', version: 2 },
  ])
  await run(dealer, dealer.call(jobs.undo, { id: job.id }))
  expect([await look(live), await look(held)]).toMatchObject([
    { status: 'live', statusReason: null },
    { status: 'hold', statusReason: 'Open recall' },
  ])
})

test('vehicles move to a lot in reach, together with their organization; a VIN that exists there stays', async () => {
  const [from, to, there] = [await ford.addLot('From'), await ford.addLot('To'), await toyota.addLot('There')]
  const vin = '1FTFW1E50MFA00001'
  await ford.addVehicle({ lotId: to, vin })
  const double = await ford.addVehicle({ lotId: from, vin, year: 2021, model: 'F-150' })
  const plain = await ford.addVehicle({ lotId: from })
  const selection = { ids: [double, plain] }
  const job = await run(dealer, dealer.call(vehicles.change, { selection, change: { lotId: to } }))
  expect(job).toMatchObject({ done: 2, failures: 1 })
  expect(job.refused).toEqual([['2021 Ford F-150', 'A vehicle with this VIN is already on the lot.']])
  expect(await dealer.call(vehicles.get, { id: plain })).toMatchObject({ lotId: to, lotName: 'To' })
  await expect(dealer.call(vehicles.change, { selection, change: { lotId: there } })).toRefuse(
    400,
    'Choose one of your lots.',
  )

  const far = await run(admin, admin.call(vehicles.change, { selection, change: { lotId: there } }))
  expect(far).toMatchObject({ done: 2, failures: 0 })
  await expect(dealer.call(vehicles.get, { id: plain })).toRefuse(404)
  await run(admin, admin.call(jobs.undo, { id: far.id }))
  expect(await dealer.call(vehicles.get, { id: plain })).toMatchObject({ lotId: to })
  expect(await dealer.call(vehicles.get, { id: double })).toMatchObject({ lotId: from })
})

test('a rule with a field the user may not see selects nothing', async () => {
  await expect(
    dealer.call(vehicles.change, {
      selection: { all: true, filter: 'cost > 1' },
      change: { status: 'archived' },
    }),
  ).toRefuse(400, 'cost')
})
