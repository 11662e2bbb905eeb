import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { users } from '#contract/identity/users/users.ts'
import { type Job, jobs } from '#contract/jobs/jobs.ts'
import { leadRule, ofOwner } from '#contract/leads/inbox/lead-list.ts'
import { leadTeam } from '#contract/leads/routing/lead-team.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { leadAbsences } from '#contract/leads/routing/lead-absences.ts'
import { clock } from '#server/clock.ts'
import { takeDueLeadSteps } from '#server/leads/index.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let ford: TestOrganization
let dana: Caller
let luis: Caller
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  dana = await forecourt.as('northgate.admin', 'Northgate Ford')
  luis = await forecourt.as('northgate.dealer', 'Northgate Ford')
})
afterAll(() => forecourt.close())

/** A finished job with the leads that it left out. */
async function run(caller: Caller, started: Promise<Job>) {
  const { id, title } = await started
  await forecourt.jobs.runDue()
  const { state, failures, canUndo } = await caller.call(jobs.get, { id })
  const refused = (await caller.call(jobs.failures, { id })).map(({ title: who, reason }) => [who, reason])
  return { id, title, state, failures, canUndo, refused }
}
const undo = (caller: Caller, { id }: { id: string }) => run(caller, caller.call(jobs.undo, { id }))
const read = (id: string) => ford.call(leads.get, { id })
const lastOf = async (id: string) => (await read(id)).timeline.at(-1)

async function userNamed(name: string): Promise<string> {
  const found = await ford.call(leads.assignees, { id: await ford.addLead() })
  return found.find((one) => one.name === name)?.id ?? ''
}

test('many leads are assigned at once; what could not be done is named, and an undo brings back those that nobody touched', async () => {
  const [nia, own] = [await userNamed('Nia Castell'), await userNamed('Luis Ortega')]
  const [free, answered, held] = [await ford.addLead(), await ford.addLead(), await ford.addLead()]
  const spam = await ford.addLead()
  await forecourt.owner.query(`update leads set status = 'quarantined' where id = $1`, [spam])
  await ford.call(leads.assign, { id: held, userId: await userNamed('Sofia Marino') })
  const given = await run(
    luis,
    luis.call(leads.change, {
      selection: { ids: [free, answered, held, spam] },
      change: { kind: 'assign', userId: nia },
    }),
  )
  expect(given).toMatchObject({ title: 'Assign 4 leads to Nia Castell', state: 'done', failures: 2 })
  const names = await Promise.all([held, spam].map(async (id) => (await read(id)).personName))
  expect(given.refused).toEqual([
    [names[0], expect.stringContaining('Sofia Marino has until')],
    [names[1], 'Take this lead out of quarantine first.'],
  ])
  expect(await read(free)).toMatchObject({ ownerName: 'Nia Castell', acceptedAt: null })
  expect(await lastOf(free)).toMatchObject({ kind: 'assigned', byName: 'Luis Ortega' })
  expect((await read(held)).ownerName).toBe('Sofia Marino')
  await ford.call(leads.logCall, { id: answered, result: 'reached' })
  const undone = await undo(luis, given)
  expect(undone.refused).toEqual([
    [(await read(answered)).personName, expect.stringContaining('changed since by')],
  ])
  expect(await read(free)).toMatchObject({ ownerId: null, acceptBy: null })
  expect(await lastOf(free)).toMatchObject({ kind: 'assigned', data: { isUndo: true, toName: null } })
  expect(own).not.toBe('')
})

test('many leads are closed with a reason, reopened and snoozed; leads that changed meanwhile are told, not overwritten', async () => {
  const word = fresh('Close').replace(' ', '')
  const ids = [await ford.addLead({ sourceName: word }), await ford.addLead({ sourceName: word })]
  const [first = '', second = ''] = ids
  const { version } = await read(first)
  await dana.call(leads.addNote, { id: second, text: 'Comes on Saturday.' })
  await dana.call(leads.setOutcome, { id: first, outcome: 'contacted' })
  const selection = { all: true as const, filter: `sourceName == "${word}"` }
  const closed = await run(
    luis,
    luis.call(leads.change, {
      selection,
      change: { kind: 'close', lostReason: 'No answer' },
      versions: { [first]: version },
    }),
  )
  expect(closed.refused).toEqual([[(await read(first)).personName, 'Someone changed it in the meantime.']])
  expect(await read(first)).toMatchObject({ outcome: 'contacted' })
  expect(await read(second)).toMatchObject({ outcome: 'lost', lostReason: 'No answer' })
  await expect(luis.call(leads.change, { selection, change: { kind: 'close', lostReason: '' } })).toRefuse(
    400,
    'Reason',
  )
  const again = await run(luis, luis.call(leads.change, { selection, change: { kind: 'reopen' } }))
  expect(again.title).toBe('Reopen 2 leads')
  expect(await read(second)).toMatchObject({ outcome: 'open', lostReason: null })
  await undo(luis, again)
  expect(await read(second)).toMatchObject({ outcome: 'lost', lostReason: 'No answer' })
  expect(await read(first)).toMatchObject({ outcome: 'contacted' })

  const until = new Date(clock.now() + 3_600_000).toISOString()
  const snoozed = await run(luis, luis.call(leads.change, { selection, change: { kind: 'snooze', until } }))
  expect(snoozed.refused).toEqual([[(await read(second)).personName, 'This lead is closed.']])
  expect(await read(first)).toMatchObject({ snoozedUntil: until, ownerName: 'Luis Ortega' })
  await undo(luis, snoozed)
  expect(await read(first)).toMatchObject({ snoozedUntil: null, ownerId: null })
})

test('an undo gives a lead back its time to be accepted, and never one that was passed on since', async () => {
  const [nia, sofia] = [await userNamed('Nia Castell'), await userNamed('Sofia Marino')]
  const [kept, passed] = [await ford.addLead(), await ford.addLead()]
  for (const id of [kept, passed]) await ford.call(leads.assign, { id, userId: nia })
  const given = await run(
    dana,
    dana.call(leads.change, {
      selection: { ids: [kept, passed] },
      change: { kind: 'assign', userId: sofia },
    }),
  )
  const sofiaCaller = await forecourt.as('sofia.marino', 'Northgate Ford')
  await sofiaCaller.call(leads.giveBack, { id: passed, text: null })
  clock.advance(20 * 60_000)
  const before = await read(kept)
  expect(before.ownerName).toBe('Sofia Marino')
  const undone = await undo(dana, given)
  expect(undone.failures).toBe(1)
  const after = await read(kept)
  expect(after.ownerName).toBe('Nia Castell')
  expect(Date.parse(after.acceptBy ?? '')).toBeGreaterThan(clock.now())
})

test('a deadline that passes meanwhile keeps no one from undoing', async () => {
  const id = await ford.addLead()
  const ids = { selection: { ids: [id] } }
  await run(luis, luis.call(leads.change, { ...ids, change: { kind: 'close', lostReason: 'No answer' } }))
  const reopened = await run(luis, luis.call(leads.change, { ...ids, change: { kind: 'reopen' } }))
  await forecourt.owner.query('update leads set respond_by = received_at where id = $1', [id])
  await takeDueLeadSteps({
    queue: forecourt.jobsPool,
    pool: forecourt.appPool,
    put: forecourt.outbox.put,
    base: () => 'https://forecourt.example',
  })
  expect(await lastOf(id)).toMatchObject({ kind: 'late' })
  expect(await undo(luis, reopened)).toMatchObject({ failures: 0 })
  expect(await read(id)).toMatchObject({ outcome: 'lost', lostReason: 'No answer' })
})

test('who gets a closed lead back has time to accept it again', async () => {
  const id = await ford.addLead()
  await dana.call(leads.assign, { id, userId: await userNamed('Sofia Marino') })
  const ids = { selection: { ids: [id] } }
  await run(luis, luis.call(leads.change, { ...ids, change: { kind: 'close', lostReason: 'No answer' } }))
  await forecourt.owner.query('update leads set accept_by = received_at where id = $1', [id])
  const reopened = await run(luis, luis.call(leads.change, { ...ids, change: { kind: 'reopen' } }))
  expect(Date.parse((await read(id)).acceptBy ?? '')).toBeGreaterThan(clock.now())
  expect(await undo(luis, reopened)).toMatchObject({ failures: 0 })
  expect(await read(id)).toMatchObject({ outcome: 'lost', ownerName: 'Sofia Marino' })
})

describe('an absence', () => {
  /** A team at Northgate Ford, and a rule that sends it the leads of a source. */
  async function addTeam(memberIds: string[]) {
    const source = fresh('Team source')
    const teamId = await ford.addLeadDestination({ kind: 'team', toEmail: null, memberIds })
    const targets = [{ destinationId: teamId }]
    await ford.addLeadRule({ sources: [source], targets, dedupeMinutes: 0 })
    return { source, teamId }
  }

  test('that begins later changes nothing until then, and coming back moves no lead', async () => {
    const [nia, own] = [await userNamed('Nia Castell'), await userNamed('Luis Ortega')]
    const { source } = await addTeam([own, nia])
    const owner = async () => (await read(await ford.addLead({ sourceName: source }))).ownerName
    await expect(luis.call(leadAbsences.setOwn, { from: '2026-11-21', until: '2026-11-20' })).toRefuse(
      400,
      'The first day is after the last one.',
    )
    const saved = await luis.call(leadAbsences.setOwn, { from: '2026-11-19', until: '2026-11-20' })
    expect(saved).toEqual({ from: '2026-11-19', until: '2026-11-20' })
    expect([await owner(), await owner()]).toEqual(['Luis Ortega', 'Nia Castell'])
    const before = await ford.call(leadTeam.get, {})
    expect(before.people.find(({ userId }) => userId === own)).toMatchObject({
      canWork: true,
      isOff: false,
      absence: saved,
    })
    clock.advance(24 * 3_600_000)
    ford = await testOrganization(forecourt, 'Northgate Ford')
    expect([await owner(), await owner()]).toEqual(['Nia Castell', 'Nia Castell'])
    const kept = (await ford.call(leadTeam.get, {})).people.find(({ userId }) => userId === own)
    expect(kept).toMatchObject({ isOff: true, absence: { from: null, until: '2026-11-20' } })
    await ford.call(leadAbsences.set, { userId: own, until: null })
    const back = (await ford.call(leadTeam.get, {})).people.find(({ userId }) => userId === own)
    expect(back).toMatchObject({ isOff: false, open: { count: kept?.open.count } })
  })

  test('and a departure let all open leads be reassigned in one step, with undo', async () => {
    const [nia, sofia] = [await userNamed('Nia Castell'), await userNamed('Sofia Marino')]
    const { teamId } = await addTeam([nia, sofia])
    const gone = await ford.createUser('Dealer user')
    const ids = [await ford.addLead(), await ford.addLead(), await ford.addLead()]
    for (const id of ids) await ford.call(leads.assign, { id, userId: gone })
    await ford.call(users.update, { user: { id: gone, isActive: false } })
    const left = (await ford.call(leadTeam.get, {})).people.find(({ userId }) => userId === gone)
    expect(left).toMatchObject({ canWork: false, open: { count: 3 } })
    const filter = leadRule({ queue: 'open', filter: ofOwner(gone) })
    dana = await forecourt.as('northgate.admin', 'Northgate Ford')
    const shared = await run(
      dana,
      dana.call(leads.change, { selection: { all: true, filter }, change: { kind: 'share', teamId } }),
    )
    expect(shared).toMatchObject({ failures: 0, title: expect.stringContaining('Share 3 leads among') })
    const owners = await Promise.all(ids.map(async (id) => (await read(id)).ownerName))
    const times = (name: string) => owners.filter((owner) => owner === name).length
    expect([times('Nia Castell'), times('Sofia Marino')]).toEqual([2, 1])
    expect((await ford.call(leadTeam.get, {})).people.some(({ userId }) => userId === gone)).toBe(false)
    await undo(dana, shared)
    const again = await Promise.all(ids.map(async (id) => (await read(id)).ownerId))
    expect(again).toEqual([gone, gone, gone])
  })
})
