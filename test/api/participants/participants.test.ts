import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { assessmentTargets } from '#contract/assessments/targets/targets.ts'
import { assessmentAnswers } from '#contract/assessments/targets/answers.ts'
import { participantArea } from '#contract/participants/area/participant-area.ts'
import { assessmentParticipants } from '#contract/participants/invitations/participants.ts'
import { assessments } from '#contract/assessments/assessments/assessments.ts'
import type { Endpoint, Sent } from '#contract/endpoint.ts'
import { auth } from '#contract/identity/auth.ts'
import { clock } from '#server/clock.ts'
import { makeCaller, refusalOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { change } from '#test/factories/assessments/add-assessments.ts'
import { mailedToken as mailedTokenOf } from '#test/factories/participants/mailed-token.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

const HOUR = 3_600_000
const DEAD = "This link doesn't work."

let forecourt: TestApp
let ford: TestOrganization
let admin: Caller
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
})
afterAll(() => forecourt.close())
afterEach(() => clock.set('2026-11-18T15:00:00Z'))

const open = (token: string) => forecourt.anonymous.call(participantArea.open, { token })
const statesOf = async (target: string) =>
  (await admin.call(assessmentParticipants.list, { target })).map(({ state }) => state)
const mailedToken = (email: string) => mailedTokenOf(forecourt, email)
/** Two sessions that were begun with one link. */
const openTwice = async (added: { id: string }): Promise<[Caller, Caller]> => {
  const token = await ford.linkOf(added)
  const [{ accessToken: first }, { accessToken: second }] = [await open(token), await open(token)]
  return [makeCaller(forecourt.app, first), makeCaller(forecourt.app, second)]
}

test('every question that an answer may ask is open before it is asked, for those who may answer it', async () => {
  const { targetId } = await ford.addParticipant({ email: 'conditional@people.example' })
  const { token } = await mailedToken('conditional@people.example')
  const tom = makeCaller(forecourt.app, (await open(token)).accessToken)
  const before = await tom.call(participantArea.get, { id: targetId })
  expect(before.evaluation.visible).not.toContain('refills')
  expect(before.open).toContain('refills')
  expect((await admin.call(assessmentTargets.get, { id: targetId })).open).toEqual(before.open)
  // As a device sends both that was offline.
  const { results } = await tom.call(participantArea.save, {
    targetId,
    mutations: [change('refilled', true), change('refills', { amount: '1.5' }, { rowKey: 'a' })],
  })
  expect(results.map(({ status }) => status)).toEqual(['accepted', 'accepted'])
  const { evaluation, answers } = await tom.call(participantArea.get, { id: targetId })
  expect(evaluation.visible).toContain('refills')
  expect(answers.find(({ questionCode }) => questionCode === 'refills')).toMatchObject({ isSetAside: false })
})

describe('a link', () => {
  test('is in an email of less than 100 characters, opens as often as needed, and is used up by submitting', async () => {
    const { targetId } = await ford.addParticipant({ email: 'link@people.example' })
    const { token, link } = await mailedToken('link@people.example')
    expect(link).toMatch(/\/participants#[\w-]{43}$/)
    expect(link.length).toBeLessThan(100)
    const { accessToken } = await open(token)
    expect(await open(token)).toMatchObject({ targetId })
    expect(await statesOf(targetId)).toEqual(['opened'])
    const tom = makeCaller(forecourt.app, accessToken)
    await tom.call(participantArea.save, {
      targetId,
      mutations: [change('policy', 'written'), change('refilled', false)],
    })
    expect(await statesOf(targetId)).toEqual(['in_progress'])
    expect(await open(token)).toMatchObject({ targetId })
    const receipt = await tom.call(participantArea.submit, { targetId })
    expect(receipt).toMatchObject({
      answered: 2,
      questions: 2,
      number: expect.stringMatching(/^[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}$/),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(receipt.sha256?.slice(0, 12).toUpperCase()).toBe(receipt.number?.replaceAll('-', ''))
    await expect(open(token)).toRefuse(404, DEAD)
    expect(await statesOf(targetId)).toEqual(['submitted'])
    // The session is still good for the receipt and the answers.
    expect(await tom.call(participantArea.get, { id: targetId })).toMatchObject({
      state: 'submitted',
      open: [],
      receipt,
    })
    expect(
      (await tom.send({ method: 'GET', url: `/api/participants/get-answers-pdf/${targetId}` })).status,
    ).toBe(200)
  })

  test('has one response if it is unknown, expired, revoked, replaced or used', async () => {
    const revoked = await ford.addParticipant()
    const revokedToken = await ford.linkOf(revoked)
    await admin.call(assessmentParticipants.revoke, { ids: [revoked.id] })
    const replaced = await ford.addParticipant()
    const replacedToken = await ford.linkOf(replaced)
    await admin.call(assessmentParticipants.send, { ids: [replaced.id] })
    const expired = await ford.addParticipant()
    const expiredToken = await ford.linkOf(expired)
    clock.advance(100 * 24 * HOUR)
    const answers = await Promise.all(
      ['', 'x'.repeat(43), revokedToken, replacedToken, expiredToken].map(async (token) => {
        const { status, refusal } = await refusalOf(open(token))
        return { code: status, ...refusal }
      }),
    )
    expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(1)
    expect(answers[0]).toMatchObject({ code: 404, message: expect.stringContaining(DEAD) })
  })

  test('works again when its expiry is changed, and a new email extends it', async () => {
    const added = await ford.addParticipant({ email: 'late@people.example' })
    const token = await ford.linkOf(added)
    clock.advance(100 * 24 * HOUR)
    await expect(open(token)).toRefuse(404)
    const later = await forecourt.as('northgate.admin', 'Northgate Ford')
    expect(await later.call(assessmentParticipants.list, { target: added.targetId })).toMatchObject([
      { state: 'expired' },
    ])
    await later.call(assessmentParticipants.extend, { ids: [added.id], expiresOn: '2027-06-30' })
    expect(await open(token)).toMatchObject({ targetId: added.targetId })
    const [sent] = await later.call(assessmentParticipants.send, { ids: [added.id], expiresOn: '2027-08-31' })
    // The end of that day in Sacramento.
    expect(sent).toMatchObject({ expiresAt: expect.stringContaining('2027-09-01T06:59:59') })
    await expect(open(token)).toRefuse(404)
    expect(await open((await mailedToken('late@people.example')).token)).toMatchObject({
      targetId: added.targetId,
    })
  })

  test('is stored as a hash only', async () => {
    const token = await ford.linkOf(await ford.addParticipant())
    const { rows } = await forecourt.owner.query<{ row: string }>(
      `select l::text as row from iam.participant_links l union all select s::text from iam.participant_sessions s
      union all select a.before::text || a.after::text from audit_log a`,
    )
    expect(rows.filter(({ row }) => row?.includes(token))).toEqual([])
  })
})

describe('a session', () => {
  test('ends two hours after the last call, and twelve hours after it began', async () => {
    const tom = await ford.openLink(await ford.addParticipant())
    clock.advance(1.9 * HOUR)
    await tom.call(participantArea.work, {})
    clock.advance(1.9 * HOUR)
    await tom.call(participantArea.work, {})
    clock.advance(2.1 * HOUR)
    await expect(tom.call(participantArea.work, {})).toRefuse(401, 'Your session has ended')
    const ana = await ford.openLink(await ford.addParticipant())
    for (let hours = 0; hours < 12; hours += 1.5) {
      await ana.call(participantArea.work, {})
      clock.advance(1.5 * HOUR)
    }
    await expect(ana.call(participantArea.work, {})).toRefuse(401)
  })

  test('ends when the invitation is revoked, and when the participant leaves', async () => {
    const added = await ford.addParticipant()
    const [tom, again] = await openTwice(added)
    await tom.call(participantArea.signOut, {})
    await expect(tom.call(participantArea.work, {})).toRefuse(401)
    await again.call(participantArea.work, {})
    await admin.call(assessmentParticipants.revoke, { ids: [added.id] })
    await expect(again.call(participantArea.work, {})).toRefuse(401)
    expect(await statesOf(added.targetId)).toEqual(['revoked'])
  })

  test("ends with its own link, and not with the person's link to another questionnaire", async () => {
    const [first, second] = [await ford.addOwnTarget(), await ford.addOwnTarget()]
    const [former, other] = [await ford.openLink(first), await ford.openLink(second)]
    await ford.linkOf(first)
    await expect(former.call(participantArea.work, {})).toRefuse(401)
    await other.call(participantArea.work, {})
    await admin.call(assessmentParticipants.revoke, { ids: [second.id] })
    await expect(other.call(participantArea.work, {})).toRefuse(401)
  })

  test('ends with a correction of the email, and the old link with it', async () => {
    const added = await ford.addParticipant()
    const token = await ford.linkOf(added)
    const tom = await ford.openLink(added)
    await admin.call(assessmentParticipants.update, {
      id: added.participantId,
      name: 'Tom Becker',
      email: `corrected.${added.participantId}@people.example`,
      language: 'de',
    })
    await expect(tom.call(participantArea.work, {})).toRefuse(401)
    await expect(open(token)).toRefuse(404)
  })

  test('is corrected by one of two users who saw the same person', async () => {
    const { participantId: id } = await ford.addParticipant()
    const email = `twice.${id}@people.example`
    const known = await admin.call(assessmentParticipants.update, { id, name: 'Tom', email, language: 'de' })
    const seen = { name: known.name, email: known.email, language: known.language }
    await admin.call(assessmentParticipants.update, { id, ...seen, name: 'Tom Becker', known: seen })
    const late = admin.call(assessmentParticipants.update, { id, ...seen, language: 'fr', known: seen })
    await expect(late).toRefuse(409)
  })

  test.for(['fcp_x', 'fcp_'.padEnd(47, 'x'), 'nonsense', 'a.b.c'])(
    'does not begin with the token %s',
    async (token) => {
      await expect(makeCaller(forecourt.app, token).call(participantArea.work, {})).toRefuse(401)
    },
  )

  test('gives no rights of a user, and a user has none of a participant', async () => {
    const tom = await ford.asParticipant()
    await expect(tom.call(auth.me, {})).toRefuse(401)
    await expect(tom.call(assessmentTargets.list, {})).toRefuse(401)
    await expect(admin.call(participantArea.work, {})).toRefuse(401)
  })

  test('signs the audit log and the answers with the name of the participant', async () => {
    const added = await ford.addParticipant()
    const tom = await ford.openLink(added)
    await tom.call(participantArea.save, { targetId: added.targetId, mutations: [change('policy', 'none')] })
    const { answers } = await admin.call(assessmentTargets.get, { id: added.targetId })
    expect(answers).toMatchObject([{ questionCode: 'policy', answeredBy: 'Tom Becker' }])
    const { rows } = await forecourt.owner.query(
      `select actor_user_id, actor_name, endpoint, organization_id::text from audit_log
      where table_name = 'assessment_invitations' order by id desc limit 1`,
    )
    expect(rows).toEqual([
      {
        actor_user_id: null,
        actor_name: 'Tom Becker',
        endpoint: 'participantArea.save',
        organization_id: ford.organizationId,
      },
    ])
  })
})

describe("another person's questionnaire", () => {
  const call = <E extends Endpoint>(endpoint: E, inputOf: (targetId: string) => Sent<E>) => ({
    path: endpoint.path,
    send: (caller: Caller, targetId: string): Promise<unknown> => caller.call(endpoint, inputOf(targetId)),
  })
  const calls = [
    call(participantArea.get, (id) => ({ id })),
    call(participantArea.save, (targetId) => ({ targetId, mutations: [change('policy', 'none')] })),
    call(participantArea.submit, (targetId) => ({ targetId })),
    call(participantArea.reportPresence, (targetId) => ({
      targetId,
      visitId: crypto.randomUUID(),
      questionCode: null,
    })),
    call(participantArea.ask, (targetId) => ({ targetId, text: 'Why?' })),
    call(participantArea.submission, (id) => ({ id })),
    call(participantArea.verifySubmission, (targetId) => ({ targetId })),
    call(participantArea.pdf, (id) => ({ id })),
    call(participantArea.addEvidence, (targetId) => ({ targetId, questionCode: 'policy' })),
    call(participantArea.downloadEvidence, (targetId) => ({ targetId, id: '1' })),
    call(participantArea.useEvidence, (targetId) => ({ targetId, id: '1', questionCode: 'policy' })),
    call(participantArea.removeEvidence, (targetId) => ({ targetId, id: '1', questionCode: 'policy' })),
    call(participantArea.takeBack, (targetId) => ({ targetId, id: '1' })),
    call(participantArea.remind, (targetId) => ({ targetId, id: '1' })),
    call(participantArea.delegate, (targetId) => ({
      targetId,
      questionCode: 'policy',
      name: 'Bea',
      email: 'bea@people.example',
    })),
  ]

  test('every call with a target is in this list', () => {
    const withTarget = Object.values(participantArea).filter(
      ({ path, input }) => path.includes('{id}') || 'targetId' in input.shape,
    )
    expect(calls.map(({ path }) => path).toSorted()).toEqual(withTarget.map(({ path }) => path).toSorted())
  })

  test.for(calls)('is not found by $path', async ({ send }) => {
    const [mine, other] = [await ford.addParticipant(), await ford.addParticipant()]
    const tom = await ford.openLink(mine)
    await expect(send(tom, other.targetId)).toRefuse(404, 'Questionnaire not found')
    // The same call reaches their own.
    const outcome = await send(tom, mine.targetId).then(() => '', String)
    expect(outcome).not.toContain('Questionnaire not found')
  })
})

describe('two devices of one person', () => {
  test('save to one questionnaire, and the second of two different answers is a conflict that loses nothing', async () => {
    const added = await ford.addParticipant()
    const { targetId } = added
    const [phone, laptop] = await openTwice(added)
    const sent = change('policy', 'written')
    const first = await phone.call(participantArea.save, { targetId, mutations: [sent] })
    expect(await phone.call(participantArea.save, { targetId, mutations: [sent] })).toMatchObject({
      results: first.results,
    })
    const { results } = await laptop.call(participantArea.save, {
      targetId,
      mutations: [change('policy', 'reviewed'), change('refilled', false)],
    })
    expect(results).toMatchObject([
      { status: 'conflict', current: { value: 'written', rev: 1 } },
      { status: 'accepted', rev: 1 },
    ])
    const { entries } = await admin.call(assessmentAnswers.log, { targetId, question: 'policy' })
    expect(entries.map(({ kind, value }) => [kind, value])).toEqual([
      ['refused', 'reviewed'],
      ['answer', 'written'],
    ])
  })
})

describe('an invitation', () => {
  test('is sent when the assessment opens, in the language of the person', async () => {
    const draft = await ford.draftAssessment()
    await admin.call(assessmentParticipants.add, {
      people: [{ targetId: draft.targetId, name: 'Eva Klein', email: 'eva@people.example', language: 'de' }],
    })
    await expect(mailedToken('eva@people.example')).rejects.toThrow('There is no email')
    await admin.call(assessments.open, { id: draft.id, isIncomplete: true })
    expect((await mailedToken('eva@people.example')).text).toContain('Guten Tag Eva,')
  })

  test('follows its email: sent, and bounced', async () => {
    const { targetId } = await ford.addParticipant({ email: 'bounce@people.example' })
    expect(await statesOf(targetId)).toEqual(['created'])
    const mark = (values: string) =>
      forecourt.owner.query(`update outbox_mails set ${values} where to_email = 'bounce@people.example'`)
    // What the queue writes when it sends, and the provider's event: mail-events.test.ts has both.
    await mark(`state = 'sent', sent_at = now(), next_attempt_at = null`)
    expect(await statesOf(targetId)).toEqual(['sent'])
    await mark(`outcome = 'bounced'`)
    expect(await statesOf(targetId)).toEqual(['bounced'])
  })

  test('can be resent to a person who began, who keeps their state, but not after submitting', async () => {
    const added = await ford.addParticipant({ email: 'again@people.example' })
    const { targetId, id } = added
    const former = await ford.openLink(added)
    await former.call(participantArea.save, {
      targetId,
      mutations: [change('policy', 'none'), change('refilled', false)],
    })
    await admin.call(assessmentParticipants.send, { ids: [id] })
    expect(await statesOf(targetId)).toEqual(['in_progress'])
    // The session of the link before is over, and the new link goes on with the same answers.
    await expect(former.call(participantArea.work, {})).toRefuse(401, 'Open your invitation link again')
    const { token } = await mailedToken('again@people.example')
    const tom = makeCaller(forecourt.app, (await open(token)).accessToken)
    await tom.call(participantArea.submit, { targetId })
    await expect(admin.call(assessmentParticipants.send, { ids: [id] })).toRefuse(409, 'nothing to answer')
    await expect(admin.call(assessmentParticipants.copyLink, { id })).toRefuse(409)
  })

  test('is needed again when changes are requested, for those questions only', async () => {
    const added = await ford.addParticipant({ email: 'changes@people.example' })
    const { targetId } = added
    const tom = await ford.openLink(added)
    await tom.call(participantArea.save, {
      targetId,
      mutations: [change('policy', 'none'), change('refilled', false)],
    })
    await tom.call(participantArea.submit, { targetId })
    await admin.call(assessmentTargets.requestChanges, {
      id: targetId,
      flags: [{ questionCode: 'policy', comment: 'Please attach the policy.' }],
    })
    const { token, text } = await mailedToken('changes@people.example')
    expect(text).toContain('asks for changes')
    const again = makeCaller(forecourt.app, (await open(token)).accessToken)
    const seen = await again.call(participantArea.get, { id: targetId })
    // What is not asked now was not frozen: a change may ask it.
    expect(seen.open.toSorted()).toEqual(['policy', 'refills'])
    expect(seen).toMatchObject({
      state: 'changes_requested',
      requestedChanges: 1,
      receipt: null,
    })
    expect(seen.flags).toMatchObject([{ questionCode: 'policy', comment: 'Please attach the policy.' }])
  })

  test('goes again to a delegate whose part has a change to make, and to no other one', async () => {
    const added = await ford.addParticipant()
    const { targetId } = added
    const tom = await ford.openLink(added)
    for (const [questionCode, name] of [
      ['policy', 'flagged'],
      ['refilled', 'other'],
    ] as const)
      await tom.call(participantArea.delegate, {
        targetId,
        questionCode,
        name,
        email: `${name}-delegate@people.example`,
      })
    const first = await mailedToken('flagged-delegate@people.example')
    const del = makeCaller(forecourt.app, (await open(first.token)).accessToken)
    await del.call(participantArea.save, { targetId, mutations: [change('policy', 'none')] })
    await del.call(participantArea.submit, { targetId })
    const other = await mailedToken('other-delegate@people.example')
    const second = makeCaller(forecourt.app, (await open(other.token)).accessToken)
    await second.call(participantArea.save, { targetId, mutations: [change('refilled', false)] })
    await tom.call(participantArea.submit, { targetId })
    await admin.call(assessmentTargets.requestChanges, {
      id: targetId,
      flags: [{ questionCode: 'policy', comment: 'Please check.' }],
    })
    const { token, text } = await mailedToken('flagged-delegate@people.example')
    expect(text).toContain('asks for changes')
    const again = makeCaller(forecourt.app, (await open(token)).accessToken)
    expect((await again.call(participantArea.get, { id: targetId })).open).toEqual(['policy'])
    expect((await mailedToken('other-delegate@people.example')).token).toBe(other.token)
  })

  test('is followed by reminders that say so, at most every 12 hours, and its link goes on working', async () => {
    const email = 'remind@people.example'
    const { id, targetId } = await ford.addParticipant({ email })
    const first = await mailedToken(email)
    const session = makeCaller(forecourt.app, (await open(first.token)).accessToken)
    const remind = () => admin.call(assessmentParticipants.send, { ids: [id], isReminder: true })
    await expect(remind()).toRefuse(409, 'in the last 12 hours')
    clock.advance(13 * HOUR)
    admin = await forecourt.as('northgate.admin', 'Northgate Ford')
    expect(await remind()).toMatchObject([{ id }])
    const second = await mailedToken(email)
    expect(second.text).toContain('reminds you that answers')
    expect(second.token).not.toBe(first.token)
    for (const { token } of [first, second]) expect(await open(token)).toMatchObject({ targetId })
    await expect(remind()).toRefuse(409, 'in the last 12 hours')
    // An invitation that is sent again replaces them all, and the sessions that they began.
    const again = makeCaller(forecourt.app, (await open(second.token)).accessToken)
    await admin.call(assessmentParticipants.send, { ids: [id] })
    for (const { token } of [first, second]) await expect(open(token)).toRefuse(404, DEAD)
    for (const one of [session, again]) await expect(one.call(participantArea.work, {})).toRefuse(401)
  })

  test('is needed again when a target is reopened: its people get a new link with the reason, and submit again', async () => {
    const added = await ford.addParticipant({ email: 'again@people.example' })
    const { targetId } = added
    const to = { id: added.assessmentId, targetId, version: 1 }
    await ford.addParticipant({ email: 'helper@people.example', role: 'contributor', to })
    const helper = makeCaller(
      forecourt.app,
      (await open((await mailedToken('helper@people.example')).token)).accessToken,
    )
    await helper.call(participantArea.submit, { targetId })
    const tom = await ford.openLink(added)
    const mutations = [change('policy', 'none'), change('refilled', false)]
    await tom.call(participantArea.save, { targetId, mutations })
    const first = await tom.call(participantArea.submit, { targetId })
    expect(await statesOf(targetId)).toEqual(['submitted', 'submitted'])
    await admin.call(assessmentTargets.reopen, { id: targetId, reason: 'The meter was read wrong.' })
    for (const email of ['again@people.example', 'helper@people.example'])
      expect((await mailedToken(email)).text).toMatch(
        /opened the answers .* again[^]*The meter was read wrong\./,
      )
    expect(await statesOf(targetId)).toEqual(['created', 'created'])
    // Also the page that is still open.
    for (const one of [tom, helper])
      expect(await one.call(participantArea.get, { id: targetId })).toMatchObject({
        state: 'in_progress',
        receipt: null,
        open: expect.arrayContaining(['policy']),
      })
    const again = makeCaller(
      forecourt.app,
      (await open((await mailedToken('again@people.example')).token)).accessToken,
    )
    await again.call(participantArea.save, {
      targetId,
      mutations: [change('policy', 'written', { base: 1 })],
    })
    const second = await again.call(participantArea.submit, { targetId })
    expect(second.sha256).not.toBe(first.sha256)
    expect(await statesOf(targetId)).toContain('submitted')
  })

  test('is refused for an unknown target, a past day and a person listed twice', async () => {
    const { targetId } = await ford.addAssessment()
    const person = { targetId, name: 'Tom Becker', email: 'twice@people.example' }
    const add = (people: (typeof person)[], expiresOn?: string) =>
      admin.call(assessmentParticipants.add, { people, ...(expiresOn !== undefined && { expiresOn }) })
    await expect(add([person, { ...person, email: 'TWICE@people.example' }])).toRefuse(400)
    await expect(add([person], '2026-11-17')).toRefuse(400, 'in the future')
    await expect(add([{ ...person, targetId: '999999999' }])).toRefuse(404)
  })
})

test('a participant uploads evidence and asks the sender, and a reader only reads', async () => {
  const added = await ford.addParticipant()
  const { targetId } = added
  const tom = await ford.openLink(added)
  const [file] = await tom.call(participantArea.addEvidence, { targetId, questionCode: 'policy' })
  expect(file).toMatchObject({ questionCodes: ['policy'], addedBy: 'Tom Becker' })
  await tom.call(participantArea.ask, { targetId, questionCode: 'policy', text: 'Which year?' })
  await admin.call(assessmentAnswers.comment, { targetId, text: 'Between us.', isInternal: true })
  const { comments } = await tom.call(participantArea.get, { id: targetId })
  expect(comments).toMatchObject([{ text: 'Which year?', isMine: true, isInternal: false }])
  const reader = await ford.openLink(
    await ford.addParticipant({ role: 'reader', to: { id: added.assessmentId, targetId, version: 1 } }),
  )
  expect(await reader.call(participantArea.get, { id: targetId })).toMatchObject({ open: [], role: 'reader' })
  await expect(
    reader.call(participantArea.save, { targetId, mutations: [change('policy', 'none')] }),
  ).toRefuse(403, 'You can read')
})
