import { afterAll, beforeAll, expect, test } from 'vitest'
import { assessmentAnswers } from '#contract/assessments/targets/answers.ts'
import { assessmentPresence, PRESENCE_SECONDS } from '#contract/assessments/targets/presence.ts'
import { assessments } from '#contract/assessments/assessments/assessments.ts'
import { assessmentSetup } from '#contract/assessments/assessments/setup.ts'
import { assessmentTargets } from '#contract/assessments/targets/targets.ts'
import type { Definition } from '#contract/questions/definition.ts'
import { clock } from '#server/clock.ts'
import { type Caller, testApp, type TestApp } from '#test/app.ts'
import { change } from '#test/factories/assessments/add-assessments.ts'
import { SITE_CHECK } from '#test/factories/questionnaires/add-questionnaires.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let place: TestOrganization
let admin: Caller
let reviewer: Caller
beforeAll(async () => {
  forecourt = await testApp({ FORECOURT_DEMO: '1' })
  place = await testOrganization(forecourt, 'Northgate Ford')
  admin = await forecourt.as('super', 'Northgate Ford')
  reviewer = await forecourt.as('northgate.admin', 'Northgate Ford')
})
afterAll(() => forecourt.close())

const { save, log } = assessmentAnswers
const { get, submit, approve, requestChanges, reopen, setPeople, changeDueDate, remind } = assessmentTargets
const send = (targetId: string, ...mutations: ReturnType<typeof change>[]) =>
  admin.call(save, { targetId, mutations })

test('a change that is sent again returns the same response, and another base the current answer', async () => {
  const { targetId } = await place.addAssessment()
  const first = change('policy', 'written')
  const [accepted] = (await send(targetId, first)).results
  expect(accepted).toMatchObject({ status: 'accepted', rev: 1 })
  expect((await send(targetId, first, first)).results).toEqual([accepted, accepted])
  const [refused] = (await send(targetId, change('policy', 'reviewed'))).results
  expect(refused).toMatchObject({ status: 'conflict', current: { value: 'written', rev: 1 } })
  const [same] = (await send(targetId, change('policy', 'written'))).results
  expect(same).toMatchObject({ status: 'accepted', rev: 1 })
  const { entries, isIntact } = await admin.call(log, { targetId })
  expect(isIntact).toBe(true)
  expect(entries.find(({ kind }) => kind === 'refused')).toMatchObject({ value: 'reviewed' })
})

test('two people who save at once lose nothing: one is accepted, the other one sees its answer', async () => {
  const { targetId } = await place.addAssessment()
  const [one, other] = await Promise.all([
    send(targetId, change('policy', 'written')),
    reviewer.call(save, { targetId, mutations: [change('policy', 'reviewed')] }),
  ])
  const results = [...one.results, ...other.results]
  expect(results.map(({ status }) => status).toSorted()).toEqual(['accepted', 'conflict'])
  const accepted = results.find(({ status }) => status === 'accepted')
  expect(results.find(({ status }) => status === 'conflict')?.current?.value).toBe(accepted?.current?.value)
  const { entries } = await admin.call(log, { targetId })
  expect(new Set(entries.flatMap(({ value }) => (typeof value === 'string' ? [value] : [])))).toEqual(
    new Set(['written', 'reviewed']),
  )
})

test('values of the wrong type, unknown questions and rows of other questions are refused with a reason', async () => {
  const { targetId } = await place.addAssessment()
  const { results } = await send(
    targetId,
    change('policy', 'other'),
    change('nothing', 'x'),
    change('refilled', 'yes'),
    change('refilled', true, { rowKey: 'a' }),
    change('refills', [{ amount: '1' }]),
  )
  expect(results.map(({ problem }) => problem?.code)).toEqual([
    'notAChoice',
    'unknown',
    'wrongType',
    'wrongType',
    'wrongType',
  ])
  const many = Array.from({ length: 201 }, () => change('policy', 'written'))
  await expect(admin.call(save, { targetId, mutations: many })).toRefuse(400)
})

test('questions named like properties of objects are answered, and oversized and tampered answers refused', async () => {
  const title = { en: 'Question' }
  const { id: questionnaireId } = await place.addQuestionnaire({
    draft: {
      languages: ['en'],
      sections: [
        {
          id: 'toString',
          title,
          questions: [
            // A code may not start with an underscore: questionnaires.test.ts refuses to publish `__proto__`.
            { type: 'text', code: 'constructor', title, obligation: 'required' },
            { type: 'number', code: 'amount', title },
            { type: 'computed', code: 'twice', title, calculate: 'amount * 2', result: 'number' },
            { type: 'rating', code: 'stars', title, max: 5 },
            { type: 'text', code: 'secret', title, isHidden: true },
          ],
        },
      ],
    },
    scoring: { questions: [], sections: [], bands: [], levels: [], unanswered: 'zero', hasTotal: true },
  })
  const { targetId } = await place.addAssessment({ questionnaireId })
  const { results, evaluation } = await send(
    targetId,
    change('constructor', 'x'.repeat(501)),
    change('constructor', { polluted: true }),
    change('twice', '99'),
    change('stars', 99),
    change('secret', 'x'),
    change('amount', '1'.repeat(40)),
    change('constructor', 'Ana'),
    change('amount', '21'),
  )
  expect(results.map(({ status, problem }) => problem?.code ?? status)).toEqual([
    'tooLong',
    'wrongType',
    'computedChanged',
    'rating',
    'notAsked',
    'notANumber',
    'accepted',
    'accepted',
  ])
  expect(evaluation).toMatchObject({ computed: { twice: '42' }, problems: [] })
  expect(Reflect.get({}, 'polluted')).toBeUndefined()
  const { answers, state } = await admin.call(submit, { id: targetId })
  expect(state).toBe('submitted')
  expect(answers.map(({ questionCode, value }) => [questionCode, value])).toEqual([
    ['constructor', 'Ana'],
    ['amount', '21'],
  ])
})

test('answers to questions that are no longer asked are set aside, and come back', async () => {
  const { targetId } = await place.addAssessment()
  // Before the change that asks for them, as from a device that sends in pieces what was answered without a connection.
  const early = await send(targetId, change('refills', { amount: '9' }, { rowKey: 'a' }))
  expect(early.results).toEqual([
    expect.objectContaining({ status: 'accepted', current: expect.objectContaining({ isSetAside: true }) }),
  ])
  expect(early.evaluation).toMatchObject({ setAside: ['refills'], totals: {} })
  const opened = await send(
    targetId,
    change('refills', { amount: '2', date: '2026-03-01' }, { rowKey: 'a', base: 1 }),
    change('refills', { amount: '1.5' }, { rowKey: 'b' }),
    change('refilled', true),
  )
  expect(opened.results.map(({ status }) => status)).toEqual(['accepted', 'accepted', 'accepted'])
  expect(opened.evaluation.problems).toContainEqual(
    expect.objectContaining({ question: 'refills', code: 'required', row: 1, column: 'date' }),
  )
  const finished = change('refills', { amount: '1.5', date: '2026-03-02' }, { rowKey: 'b', base: 1 })
  expect((await send(targetId, finished)).evaluation.totals).toEqual({ refilled_lb: '3.5' })
  const closed = await send(targetId, change('refilled', false, { base: 1 }))
  expect(closed.evaluation).toMatchObject({ setAside: ['refills'], totals: {} })
  const again = await send(targetId, change('refilled', true, { base: 2 }))
  expect(again.evaluation).toMatchObject({ setAside: [], totals: { refilled_lb: '3.5' } })
})

test('a target is submitted once, when all required questions are answered', async () => {
  const { id, targetId } = await place.addAssessment()
  await expect(admin.call(submit, { id: targetId })).toRefuse(409)
  await send(targetId, change('policy', 'written'), change('refilled', false))
  const both = await Promise.allSettled([
    admin.call(submit, { id: targetId }),
    reviewer.call(submit, { id: targetId }),
  ])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const record = await admin.call(get, { id: targetId })
  expect(record).toMatchObject({ state: 'submitted', score: 50, open: [] })
  expect(record.snapshotSha256).toMatch(/^[0-9a-f]{64}$/)
  const late = await send(targetId, change('policy', 'reviewed', { base: 1 }))
  expect(late.results[0]?.problem?.code).toBe('locked')
  expect(await admin.call(assessments.get, { id })).toMatchObject({ targets: 1, submitted: 1 })
})

test('only flagged questions and what they make visible can be changed after a review', async () => {
  const { targetId } = await place.submitAssessment()
  const flags = [{ questionCode: 'refilled', comment: 'The March record is missing.' }]
  const returned = await reviewer.call(requestChanges, { id: targetId, flags })
  expect(returned).toMatchObject({ state: 'changes_requested', open: ['refilled', 'refills'] })
  expect(returned.sections.map(({ flagged }) => flagged)).toEqual([0, 1])
  const { results } = await send(
    targetId,
    change('policy', 'none', { base: 1 }),
    change('refilled', true, { base: 1 }),
    change('refills', { amount: '4', date: '2026-03-02' }, { rowKey: 'a' }),
  )
  expect(results.map(({ status }) => status)).toEqual(['refused', 'accepted', 'accepted'])
  const again = await admin.call(submit, { id: targetId })
  expect(again.flags[0]?.resolvedAt).not.toBeNull()
})

test('no one approves their own answers, and two reviewers are two people', async () => {
  const { targetId } = await place.submitAssessment({ review: 'two' })
  await expect(admin.call(approve, { id: targetId })).toRefuse(403)
  expect(await reviewer.call(approve, { id: targetId })).toMatchObject({ state: 'in_review', approvals: 1 })
  await expect(reviewer.call(approve, { id: targetId })).toRefuse(403)
  const one = await place.submitAssessment()
  const approved = await reviewer.call(approve, { id: one.targetId, comment: 'Complete.' })
  expect(approved).toMatchObject({ state: 'approved', reviewerName: approved.reviews.at(-1)?.decidedBy })
  const opened = await admin.call(reopen, { id: one.targetId, reason: 'A record is missing.' })
  expect(opened).toMatchObject({ state: 'in_progress', approvedAt: null })
})

test('closing an assessment closes approved targets only, and reopening restores them', async () => {
  const { id, targetId } = await place.submitAssessment()
  const closed = await admin.call(assessments.close, { id })
  expect(closed).toMatchObject({ status: 'closed', submitted: 1, approved: 0 })
  expect(await admin.call(get, { id: targetId })).toMatchObject({ state: 'submitted' })
  await expect(reviewer.call(approve, { id: targetId })).toRefuse(409, 'not open')
  await admin.call(assessments.reopen, { id })
  await reviewer.call(approve, { id: targetId })
  await admin.call(assessments.close, { id })
  expect(await admin.call(get, { id: targetId })).toMatchObject({ state: 'closed' })
  const { results } = await send(targetId, change('policy', 'reviewed', { base: 1 }))
  expect(results[0]?.problem?.message).toBe('This assessment is closed.')
  await admin.call(assessments.reopen, { id })
  expect(await admin.call(get, { id: targetId })).toMatchObject({ state: 'approved' })
  await expect(admin.call(assessments.remove, { id })).toRefuse(409)
})

test('an assessment opens only if someone can answer each target, and reminds who has not', async () => {
  const { id, targetId } = await place.draftAssessment()
  expect(await admin.call(assessments.check, { id })).toMatchObject([
    { targetId, reason: 'It has no owner and no contributor.' },
  ])
  await expect(admin.call(assessments.open, { id })).toRefuse(409)
  const { results } = await admin.call(assessmentTargets.list, { assessment: id })
  expect(results).toHaveLength(1)
  const owner = await forecourt.owner.query<{ id: string }>(
    `select id from users where user_name = 'northgate.admin'`,
  )
  await admin.call(setPeople, { id: targetId, people: [{ role: 'owner', userId: owner.rows[0]?.id ?? '' }] })
  expect(await admin.call(assessments.open, { id })).toMatchObject({ status: 'open' })
  expect(await admin.call(remind, { ids: [targetId] })).toMatchObject({ sent: 1, changed: [targetId] })
  await expect(admin.call(remind, { ids: [targetId] })).toRefuse(409)
})

test('a due date in the past makes a target overdue until it is submitted', async () => {
  const { id, targetId } = await place.addAssessment()
  await admin.call(changeDueDate, { ids: [targetId], dueOn: '2026-11-10' })
  expect(await admin.call(assessments.get, { id })).toMatchObject({ overdue: 1, notStarted: 1 })
  await send(targetId, change('policy', 'written'), change('refilled', false))
  await admin.call(submit, { id: targetId })
  expect(await admin.call(assessments.get, { id })).toMatchObject({ overdue: 0 })
  expect(await admin.call(changeDueDate, { ids: [targetId], dueOn: null })).toMatchObject({
    changed: [],
    left: [{ targetId }],
  })
})

test("next year offers last year's answers with their source", async () => {
  const last = await place.submitAssessment()
  const { version: _, ...next } = await admin.call(assessments.duplicate, {
    id: last.id,
    name: 'Site check 2027',
  })
  expect(next).toMatchObject({ periodStart: '2027-01-01', previousId: last.id, targets: 1, status: 'draft' })
  const { results } = await admin.call(assessmentTargets.list, { assessment: next.id })
  const { offered } = await admin.call(get, { id: results?.[0]?.id ?? '' })
  expect(offered).toContainEqual(
    expect.objectContaining({
      questionCode: 'policy',
      kind: 'previous',
      value: 'written',
      targetId: last.targetId,
    }),
  )
})

test('comments are deleted by their author, and people answer what is delegated to them', async () => {
  const { targetId } = await place.addAssessment()
  const { id } = await admin.call(assessmentAnswers.comment, { targetId, text: 'Check the meter.' })
  await expect(reviewer.call(assessmentAnswers.removeComment, { id })).toRefuse(403)
  await admin.call(assessmentAnswers.removeComment, { id })
  const userId = await forecourt.owner.query<{ id: string }>(
    `select id from users where user_name = 'northgate.admin'`,
  )
  const delegated = { targetId, userId: userId.rows[0]?.id ?? '', questionCode: 'policy' }
  const delegation = await admin.call(assessmentAnswers.delegate, delegated)
  expect(delegation.isAnswered).toBe(false)
  const mutations = [change('policy', 'written'), change('refilled', true)]
  const { results } = await reviewer.call(save, { targetId, mutations })
  expect(results.map(({ status }) => status)).toEqual(['accepted', 'refused'])
  const { delegations } = await admin.call(get, { id: targetId })
  expect(delegations).toMatchObject([{ id: delegation.id, isAnswered: true }])
  // Staff who aren't among the people take it back before they change it.
  const other = () => admin.call(save, { targetId, mutations: [change('policy', 'none', { base: 1 })] })
  expect((await other()).results).toMatchObject([{ status: 'refused', problem: { code: 'locked' } }])
  expect((await admin.call(get, { id: targetId })).open).not.toContain('policy')
  await admin.call(assessmentAnswers.takeBack, { id: delegation.id })
  expect((await other()).results).toMatchObject([{ status: 'accepted' }])
  await admin.call(assessmentAnswers.delegate, delegated)
  await expect(reviewer.call(submit, { id: targetId })).toRefuse(403)
})

test('what was answered before a delegation does not answer it: a question or a section', async () => {
  const { targetId } = await place.addAssessment()
  const before = [change('policy', 'written'), change('refilled', false)]
  const { results } = await admin.call(save, { targetId, mutations: before })
  expect(results.map(({ status }) => status)).toEqual(['accepted', 'accepted'])
  clock.advance(60_000)
  const { rows } = await forecourt.owner.query<{ id: string }>(
    `select id from users where user_name = 'northgate.admin'`,
  )
  const to = { targetId, userId: rows[0]?.id ?? '' }
  const question = await admin.call(assessmentAnswers.delegate, { ...to, questionCode: 'policy' })
  const section = await admin.call(assessmentAnswers.delegate, { ...to, sectionId: 'refrigerants' })
  expect([question.isAnswered, section.isAnswered]).toEqual([false, false])
  clock.advance(60_000)
  const after = [change('policy', 'none', { base: 1 }), change('refilled', true, { base: 1 })]
  await reviewer.call(save, { targetId, mutations: after })
  const { delegations } = await admin.call(get, { id: targetId })
  expect(delegations.find(({ id }) => id === question.id)).toMatchObject({ isAnswered: true })
})

test('others who have a target open are shown with their question until they leave or are not heard of', async () => {
  const { id, targetId } = await place.addAssessment()
  const { report, list } = assessmentPresence
  const mine = { targetId, visitId: crypto.randomUUID(), questionCode: 'policy' }
  const theirs = { targetId, visitId: crypto.randomUUID(), questionCode: 'refilled' }
  expect(await admin.call(report, mine)).toEqual([])
  // A second page of the same person without a question changes nothing.
  expect(await admin.call(report, { ...mine, visitId: crypto.randomUUID(), questionCode: null })).toEqual([])
  const seen = await reviewer.call(report, theirs)
  expect(seen).toMatchObject([{ isParticipant: false, questionCode: 'policy' }])
  expect(await admin.call(list, { id })).toMatchObject([{ targetId, people: [{ questionCode: 'refilled' }] }])
  // The visit of someone else can't be moved or ended.
  await reviewer.call(report, { ...theirs, visitId: mine.visitId, questionCode: null })
  await reviewer.call(report, { ...theirs, visitId: mine.visitId, isLeaving: true })
  expect(await reviewer.call(report, theirs)).toEqual(seen)
  await reviewer.call(report, { ...theirs, isLeaving: true })
  expect(await admin.call(report, mine)).toEqual([])
  await reviewer.call(report, theirs)
  clock.advance(PRESENCE_SECONDS * 1_000)
  expect(await admin.call(report, mine)).toEqual([])
})

test('what must be answered follows the edition and the company size, which stay once it is open', async () => {
  const [management, ...others] = SITE_CHECK.sections
  const [policy] = management?.questions ?? []
  if (management === undefined || policy === undefined) throw new Error('The site check has no questions.')
  const draft: Definition = {
    ...SITE_CHECK,
    editions: [{ code: 'basic', title: { en: 'Basic' } }],
    sections: [
      {
        ...management,
        questions: [
          { ...policy, obligations: [{ edition: 'basic', sizes: ['micro'], obligation: 'voluntary' }] },
        ],
      },
      ...others,
    ],
  }
  const { id: questionnaireId } = await place.addQuestionnaire({ draft })
  const { id, targetId, version } = await place.draftAssessment({ questionnaireId })
  const choices = await admin.call(assessmentSetup.questionnaires, {})
  expect(choices.find((one) => one.id === questionnaireId)?.versions).toMatchObject([
    { editions: [{ value: 'basic', label: 'Basic' }], hasSizes: true },
  ])
  const openIt = () => admin.call(assessments.open, { id, isIncomplete: true })
  await expect(openIt()).toRefuse(409)
  await admin.call(assessments.update, { id, version, edition: 'basic' })
  await expect(openIt()).toRefuse(409)
  await admin.call(assessments.update, { id, size: 'micro' })
  await openIt()
  expect(await admin.call(get, { id: targetId })).toMatchObject({
    required: 1,
    evaluation: { required: ['refilled'] },
  })
  await send(targetId, change('refilled', false))
  expect(await admin.call(submit, { id: targetId })).toMatchObject({ state: 'submitted' })
  await expect(admin.call(assessments.update, { id, size: 'large' })).toRefuse(409)
  // The same questions in a larger company.
  const large = await place.draftAssessment({ questionnaireId })
  await admin.call(assessments.update, { id: large.id, edition: 'basic', size: 'large' })
  await admin.call(assessments.open, { id: large.id, isIncomplete: true })
  await send(large.targetId, change('refilled', false))
  await expect(admin.call(submit, { id: large.targetId })).toRefuse(409)
})
