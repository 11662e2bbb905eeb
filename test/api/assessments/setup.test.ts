import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { assessmentAnswers } from '#contract/assessments/targets/answers.ts'
import { assessments } from '#contract/assessments/assessments/assessments.ts'
import { assessmentSetup } from '#contract/assessments/assessments/setup.ts'
import { assessmentTargets } from '#contract/assessments/targets/targets.ts'
import { assessmentParticipants } from '#contract/participants/invitations/participants.ts'
import { dashboard } from '#contract/home/dashboard.ts'
import { auth } from '#contract/identity/auth.ts'
import { runAssessmentSchedules } from '#server/assessments/index.ts'
import { makeInvitations } from '#server/participants/index.ts'
import { clock } from '#server/clock.ts'
import { type Caller, testApp, type TestApp } from '#test/app.ts'
import { change } from '#test/factories/assessments/add-assessments.ts'
import { findUser } from '#test/factories/identity/find-user.ts'
import { mailsTo } from '#test/factories/mail/mails.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let place: TestOrganization
let ownerId: string
/** A sign-in ends when the clock moves, so each test signs in again. */
const signIn = (): Promise<Caller> => forecourt.as('harbor.admin', 'Harbor Honda')
beforeAll(async () => {
  forecourt = await testApp({ FORECOURT_DEMO: '1' })
  place = await testOrganization(forecourt, 'Harbor Honda')
  ownerId = (await findUser(await signIn(), 'harbor.admin')).id
})
beforeEach(() => clock.set('2026-11-18T15:00:00Z'))
afterAll(() => forecourt.close())

const runSchedules = () =>
  runAssessmentSchedules({
    queue: forecourt.jobsPool,
    pool: forecourt.appPool,
    identity: forecourt.identity,
    invitations: makeInvitations(forecourt.identity),
  })
/** The kinds of reminders that were sent for a target. */
const remindersOf = async (targetId: string): Promise<string[]> => {
  const { rows } = await forecourt.owner.query<{ kind: string }>(
    'select kind from assessment_reminders where target_id = $1 order by id',
    [targetId],
  )
  return rows.map(({ kind }) => kind)
}

test('reminders go out once in working hours: to those without answers, and later to those who started', async () => {
  const admin = await signIn()
  const { id, targetId } = await place.draftAssessment()
  await admin.call(assessments.update, { id, remindUntouchedDays: 10, remindStartedDays: 3 })
  await admin.call(assessmentTargets.setPeople, {
    id: targetId,
    people: [{ role: 'owner', userId: ownerId }],
  })
  await admin.call(assessmentParticipants.add, {
    people: [{ targetId, name: 'Tom Becker', email: 'tom.schedule@people.example', role: 'contributor' }],
  })
  expect(await admin.call(assessmentSetup.emails, { id })).toEqual({ users: 1, invitations: 1 })
  await admin.call(assessments.open, { id })
  const opened = (await mailsTo(forecourt, { id: ownerId })).at(-1)
  expect(opened?.subject).toContain('please answer by Nov 30, 2026')
  clock.set('2026-11-19T20:00:00Z')
  await runSchedules()
  // Before eight in the morning.
  clock.set('2026-11-20T12:00:00Z')
  await runSchedules()
  expect(await remindersOf(targetId)).toEqual([])
  clock.set('2026-11-20T20:00:00Z')
  await Promise.all([runSchedules(), runSchedules()])
  clock.advance(24 * 3_600_000)
  await runSchedules()
  expect(await remindersOf(targetId)).toEqual(['untouched', 'untouched'])
  const { rows } = await forecourt.owner.query<{ count: string }>(
    `select count(*) from outbox_mails where to_email = 'tom.schedule@people.example'`,
  )
  expect(rows[0]?.count).toBe('2')
  const later = await signIn()
  await later.call(assessmentAnswers.save, { targetId, mutations: [change('policy', 'written')] })
  clock.set('2026-11-28T20:00:00Z')
  await runSchedules()
  expect(await remindersOf(targetId)).toEqual(['untouched', 'untouched', 'started', 'started'])
})

test('a yearly assessment gets the draft of the next year once, also if that draft is deleted', async () => {
  const admin = await signIn()
  const { id } = await place.draftAssessment()
  await admin.call(assessments.update, { id, name: 'Site survey 2026', recurrence: 'yearly' })
  await admin.call(assessments.open, { id, isIncomplete: true })
  const drafts = async (caller: Caller) =>
    (await caller.call(assessments.list, { search: 'Site survey 2027' })).results
  clock.set('2027-09-30T20:00:00Z')
  await runSchedules()
  expect(await drafts(await signIn())).toEqual([])
  clock.set('2027-10-03T20:00:00Z')
  await Promise.all([runSchedules(), runSchedules()])
  const later = await signIn()
  const [draft, ...others] = await drafts(later)
  expect(others).toEqual([])
  expect(draft).toMatchObject({
    status: 'draft',
    previousId: id,
    recurrence: 'yearly',
    opensOn: '2027-11-01',
    targets: 1,
  })
  expect(await later.call(assessments.get, { id })).toMatchObject({ recurrence: 'none' })
  await later.call(assessments.remove, { id: draft?.id ?? '' })
  await runSchedules()
  expect(await drafts(later)).toEqual([])
})

test('a person is added to several targets with a role; their owner is left out', async () => {
  const admin = await signIn()
  const [one, other] = [await place.addAssessment(), await place.addAssessment()]
  await admin.call(assessmentTargets.setPeople, {
    id: one.targetId,
    people: [{ role: 'owner', userId: ownerId }],
  })
  const ids = [one.targetId, other.targetId]
  const result = await admin.call(assessmentSetup.addPerson, { ids, userId: ownerId, role: 'reviewer' })
  expect(result).toMatchObject({ changed: [other.targetId], left: [{ targetId: one.targetId }] })
  const { results } = await admin.call(assessmentTargets.list, { assessment: other.id })
  expect(results[0]?.people).toMatchObject([{ role: 'reviewer', userId: ownerId }])
})

test('places are those within reach, and know which ones are targets', async () => {
  const facilityId = await place.addFacility()
  const { id } = await place.draftAssessment({ facilityId })
  const admin = await signIn()
  const { places } = await admin.call(assessmentSetup.places, { id })
  expect(new Set(places.map(({ organizationName }) => organizationName))).toEqual(
    new Set(['Harbor Honda', 'Harbor Pre-Owned']),
  )
  expect(places.filter(({ isTarget }) => isTarget).map((one) => one.facilityId)).toEqual([facilityId])
  const name = places.find((one) => one.facilityId === facilityId)?.name ?? ''
  const found = await admin.call(assessmentSetup.places, { id, search: name })
  expect(found.places.every((one) => one.name.includes(name))).toBe(true)
  await place.addMember({ userName: 'harbor.visitor', userType: 'Participant' })
  const users = await admin.call(assessmentSetup.users, { organization: place.organizationId })
  expect(users.find((one) => one.id === ownerId)).toMatchObject({ problem: null, canReview: true })
  expect(users.find(({ problem }) => problem !== null)).toMatchObject({ canReview: false })
})

test('overdue targets are a badge of the menu and on the dashboard', async () => {
  const admin = await signIn()
  const badge = async () => {
    const items = (await admin.call(auth.menu, {})).flatMap(({ children }) => children)
    return items.find(({ id }) => id === 'assessments')?.badge
  }
  const before = Number((await badge())?.title ?? 0)
  const { id, targetId } = await place.addAssessment()
  await admin.call(assessmentTargets.changeDueDate, { ids: [targetId], dueOn: '2026-11-10' })
  expect(await badge()).toEqual({ title: String(before + 1), type: 'bad' })
  const { assessments: due } = await admin.call(dashboard.get, {})
  expect(due?.overdue).toBeGreaterThan(0)
  expect(due?.next[0]).toMatchObject({ id, dueOn: '2026-11-10', waiting: 1, overdue: { count: 1 } })
  await place.addMember({ userName: 'harbor.reader', userType: 'Participant' })
  const reader = await forecourt.as('harbor.reader')
  expect((await reader.call(dashboard.get, {})).assessments).toBeNull()
})
