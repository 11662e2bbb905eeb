import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { assessmentPresence } from '#contract/assessments/targets/presence.ts'
import { assessmentTargets } from '#contract/assessments/targets/targets.ts'
import { participantArea } from '#contract/participants/area/participant-area.ts'
import { assessmentParticipants } from '#contract/participants/invitations/participants.ts'
import type { Definition } from '#contract/questions/definition.ts'
import { clock } from '#server/clock.ts'
import { makeCaller, testApp, type Caller, type TestApp } from '#test/app.ts'
import { change } from '#test/factories/assessments/add-assessments.ts'
import { SITE_SCORING } from '#test/factories/questionnaires/add-questionnaires.ts'
import { uploadEvidence } from '#test/factories/assessments/upload-evidence.ts'
import { mailedToken as mailedTokenOf } from '#test/factories/participants/mailed-token.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

const HOUR = 3_600_000

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
const mailedToken = (email: string) => mailedTokenOf(forecourt, email)

const WITH_FILES: Definition = {
  languages: ['en'],
  sections: [
    {
      id: 'files',
      title: { en: 'Files' },
      questions: ['contract', 'records'].map((code) => ({
        type: 'file' as const,
        code,
        title: { en: code },
        obligation: 'voluntary' as const,
      })),
    },
  ],
}

describe('delegating', () => {
  /** A table with two rows, the second of which is delegated. */
  async function delegatedRow() {
    const added = await ford.addParticipant()
    const { targetId } = added
    const tom = await ford.openLink(added)
    await tom.call(participantArea.save, {
      targetId,
      mutations: [
        change('policy', 'written'),
        change('refilled', true),
        change('refills', { amount: '4.2' }, { rowKey: 'row-1' }),
        change('refills', { amount: '1.5' }, { rowKey: 'row-2' }),
      ],
    })
    const email = `${crypto.randomUUID()}@people.example`
    const delegation = await tom.call(participantArea.delegate, {
      targetId,
      questionCode: 'refills',
      rowKey: 'row-2',
      name: 'Ana Souza',
      email,
    })
    const { token } = await mailedToken(email)
    return {
      added,
      targetId,
      tom,
      email,
      delegation,
      ana: makeCaller(forecourt.app, (await open(token)).accessToken),
    }
  }

  test('closes a row for everyone but the delegate, who sees no other row, until it is taken back', async () => {
    const { added, targetId, tom, ana, delegation } = await delegatedRow()
    const save = async (by: Caller, rowKey: string, amount: string, base = 1) => {
      const sent = change('refills', { amount }, { rowKey, base })
      const { results } = await by.call(participantArea.save, { targetId, mutations: [sent] })
      return results.map(({ status, problem }) => problem?.message ?? status)
    }
    const ELSEWHERE = 'This question is assigned to someone else.'
    expect(await save(tom, 'row-2', '9')).toEqual([ELSEWHERE])
    expect(await save(tom, 'row-1', '4.3')).toEqual(['accepted'])
    expect(await save(ana, 'row-1', '9', 2)).toEqual([ELSEWHERE])
    expect(await save(ana, 'row-2', '1.6')).toEqual(['accepted'])
    const seen = await ana.call(participantArea.get, { id: targetId })
    expect(seen.answers.map(({ questionCode, rowKey }) => [questionCode, rowKey])).toEqual([
      ['refills', 'row-2'],
    ])
    expect(seen).toMatchObject({
      open: ['refills'],
      delegations: [],
      offered: [],
      comments: [],
      evidence: [],
    })
    expect(seen.evaluation).toMatchObject({ problems: [], totals: {} })
    const contributor = await ford.openLink(
      await ford.addParticipant({
        role: 'contributor',
        to: { id: added.assessmentId, targetId, version: 1 },
      }),
    )
    expect(await save(contributor, 'row-2', '9', 2)).toEqual([ELSEWHERE])
    expect(await contributor.call(participantArea.get, { id: targetId })).toMatchObject({
      delegations: [{ assigneeName: 'Ana Souza', rowKey: 'row-2', isAnswered: true }],
    })
    await tom.call(participantArea.takeBack, { targetId, id: delegation.id })
    expect(await save(tom, 'row-2', '1.7', 2)).toEqual(['accepted'])
    expect(await save(ana, 'row-2', '9', 3)).toEqual([ELSEWHERE])
    expect(await ana.call(participantArea.get, { id: targetId })).toMatchObject({ answers: [], open: [] })
  })

  test('tells a delegate no answer of others, whatever they send', async () => {
    const { targetId, ana, tom } = await delegatedRow()
    const sent = [
      change('policy', 'none'),
      change('policy', 'none', { base: 1 }),
      change('refilled', false, { base: 1 }),
      change('refills', { amount: '9' }, { rowKey: 'row-1', base: 1 }),
      change('refills', { refused: 'No' }, { base: 7 }),
    ]
    const saved = await ana.call(participantArea.save, { targetId, mutations: sent })
    expect(saved.results.map(({ status, current }) => [status, current])).toEqual(
      sent.map(() => ['refused', null]),
    )
    expect(JSON.stringify(saved)).not.toMatch(/written|4\.2/)
    // Nor by naming the change of another person.
    const own = change('policy', 'reviewed', { base: 1 })
    await tom.call(participantArea.save, { targetId, mutations: [own] })
    expect(JSON.stringify(await ana.call(participantArea.get, { id: targetId }))).not.toMatch(/reviewed|4\.2/)
  })

  test('shows who is here, and a delegate those at their own questions only', async () => {
    const { targetId, ana, tom } = await delegatedRow()
    const report = async (by: Caller, visitId: string, questionCode: string | null) =>
      (await by.call(participantArea.reportPresence, { targetId, visitId, questionCode })).map((one) => [
        one.name,
        one.questionCode,
      ])
    const [hers, his] = [crypto.randomUUID(), crypto.randomUUID()]
    expect(await report(tom, his, 'policy')).toEqual([])
    expect(await report(ana, hers, 'refills')).toEqual([])
    expect(await report(tom, his, 'refills')).toEqual([['Ana Souza', 'refills']])
    expect(await report(ana, hers, 'policy')).toEqual([['Tom Becker', 'refills']])
    // A question that isn't hers is not shown to others either.
    expect(await report(tom, his, null)).toEqual([['Ana Souza', null]])
    const staffSees = await admin.call(assessmentPresence.report, {
      targetId,
      visitId: crypto.randomUUID(),
      questionCode: null,
    })
    expect(staffSees.map(({ name, isParticipant }) => [name, isParticipant])).toEqual([
      ['Ana Souza', true],
      ['Tom Becker', true],
    ])
  })

  test('shows a delegate of a row the evidence that they added only', async () => {
    const { targetId, tom, ana } = await delegatedRow()
    const upload = async (by: Caller, name: string) => {
      const sent = { endpoint: participantArea.addEvidence, input: { targetId, questionCode: 'refills' } }
      return uploadEvidence(forecourt, by, { ...sent, files: [{ name, bytes: `%PDF-1.7 ${name}` }] })
    }
    const [theirs] = (await upload(tom, 'row 1.pdf')).files
    await upload(ana, 'row 2.pdf')
    const { evidence } = await ana.call(participantArea.get, { id: targetId })
    expect(evidence).toMatchObject([{ name: 'row 2.pdf', isMine: true, questionCodes: ['refills'] }])
    const id = theirs?.id ?? ''
    const { status } = await ana.send({
      method: 'GET',
      url: `/api/participants/get-evidence-file/${id}?targetId=${targetId}`,
    })
    expect(status).toBe(404)
    const file = { targetId, id, questionCode: 'refills' }
    await expect(ana.call(participantArea.useEvidence, file)).toRefuse(404, 'File')
    await expect(ana.call(participantArea.removeEvidence, file)).toRefuse(404, 'File')
  })

  test('lets a delegate name only files that they added, or of the questions they answer', async () => {
    const questionnaire = await ford.addQuestionnaire({
      draft: WITH_FILES,
      scoring: { ...SITE_SCORING, questions: [], bands: [] },
    })
    const to = await ford.addAssessment({ questionnaireId: questionnaire.id })
    const added = await ford.addParticipant({ to })
    const { targetId } = added
    const tom = await ford.openLink(added)
    const upload = async (by: Caller, questionCode: string, name: string) => {
      const sent = { endpoint: participantArea.addEvidence, input: { targetId, questionCode } }
      const { files } = await uploadEvidence(forecourt, by, {
        ...sent,
        files: [{ name, bytes: `%PDF-1.7 ${name}` }],
      })
      return files[0]?.id ?? ''
    }
    const secret = await upload(tom, 'contract', 'secret.pdf')
    const shared = await upload(tom, 'records', 'shared.pdf')
    const email = `${crypto.randomUUID()}@people.example`
    await tom.call(participantArea.delegate, { targetId, questionCode: 'records', name: 'Ana Souza', email })
    const { token } = await mailedToken(email)
    const ana = makeCaller(forecourt.app, (await open(token)).accessToken)
    const own = await upload(ana, 'records', 'own.pdf')
    const name = async (id: string, base: number) => {
      const mutations = [change('records', [{ id }], { base })]
      const saved = await ana.call(participantArea.save, { targetId, mutations })
      expect(JSON.stringify(saved)).not.toContain('secret.pdf')
      return saved.results[0]?.status
    }
    expect(await name(secret, 0)).toBe('refused')
    expect(await name(own, 0)).toBe('accepted')
    expect(await name(shared, 1)).toBe('accepted')
  })

  test("doesn't give access back to a person whose access staff ended", async () => {
    const { added, targetId, tom, email, delegation } = await delegatedRow()
    const people = await admin.call(assessmentParticipants.list, { target: targetId })
    const ana = people.find((one) => one.email === email)
    await admin.call(assessmentParticipants.revoke, { ids: [ana?.id ?? ''] })
    const again = { targetId, questionCode: 'policy', name: 'Ana Souza', email: email.toUpperCase() }
    await expect(tom.call(participantArea.delegate, again)).toRefuse(400)
    clock.advance(30 * HOUR)
    const later = await ford.openLink(added)
    await expect(later.call(participantArea.remind, { targetId, id: delegation.id })).toRefuse(
      409,
      'access was ended',
    )
  })

  const delegate = (tom: Caller, targetId: string, email: string) =>
    tom.call(participantArea.delegate, { targetId, sectionId: 'refrigerants', name: 'Ana Souza', email })

  test('gives a colleague a link of their own, to that part only', async () => {
    const added = await ford.addParticipant()
    const { targetId } = added
    const tom = await ford.openLink(added)
    await tom.call(participantArea.save, { targetId, mutations: [change('policy', 'written')] })
    await delegate(tom, targetId, 'ana@people.example')
    const { token, text } = await mailedToken('ana@people.example')
    expect(text).toContain('Tom Becker asks you to answer')
    const ana = makeCaller(forecourt.app, (await open(token)).accessToken)
    const seen = await ana.call(participantArea.get, { id: targetId })
    expect(seen.definition.sections.map(({ id }) => id)).toEqual(['refrigerants'])
    expect(seen).toMatchObject({
      isDelegate: true,
      role: 'contributor',
      answers: [],
      open: ['refilled', 'refills'],
      questions: 1,
    })
    const { results } = await ana.call(participantArea.save, {
      targetId,
      mutations: [change('policy', 'none', { base: 1 }), change('refilled', false)],
    })
    expect(results).toMatchObject([
      { status: 'refused', problem: { message: 'This question is assigned to someone else.' } },
      { status: 'accepted' },
    ])
    const now = await tom.call(participantArea.get, { id: targetId })
    expect(now.delegations).toMatchObject([
      { assigneeName: 'Ana Souza', sectionId: 'refrigerants', isAnswered: true },
    ])
    expect(now.mine).toEqual(['policy'])
    // Finishing their part uses up their link, and does not submit.
    expect(await ana.call(participantArea.submit, { targetId })).toMatchObject({ sha256: null, number: null })
    await expect(open(token)).toRefuse(404)
    await expect(
      ana.call(participantArea.save, { targetId, mutations: [change('refilled', true, { base: 1 })] }),
    ).toRefuse(403, 'You finished your part')
    expect(await tom.call(participantArea.get, { id: targetId })).toMatchObject({ state: 'in_progress' })
  })

  test('can be reminded once a day, and taken back', async () => {
    const added = await ford.addParticipant()
    const { targetId } = added
    const tom = await ford.openLink(added)
    const { id } = await delegate(tom, targetId, 'bo@people.example')
    await expect(tom.call(participantArea.remind, { targetId, id })).toRefuse(409, 'in the last 24 hours')
    const { token } = await mailedToken('bo@people.example')
    const bo = makeCaller(forecourt.app, (await open(token)).accessToken)
    await tom.call(participantArea.takeBack, { targetId, id })
    const { results } = await bo.call(participantArea.save, {
      targetId,
      mutations: [change('refilled', true)],
    })
    expect(results).toMatchObject([{ status: 'refused' }])
    expect((await bo.call(participantArea.get, { id: targetId })).definition.sections).toEqual([])
  })

  test('is for the owner, and not to oneself', async () => {
    const owner = await ford.addParticipant({ email: 'own@people.example' })
    const { targetId } = owner
    const tom = await ford.openLink(owner)
    await expect(delegate(tom, targetId, 'OWN@people.example')).toRefuse(400, 'your own email')
    await delegate(tom, targetId, 'cy@people.example')
    const cy = makeCaller(
      forecourt.app,
      (await open((await mailedToken('cy@people.example')).token)).accessToken,
    )
    await expect(delegate(cy, targetId, 'di@people.example')).toRefuse(403)
  })
})

describe('evidence', () => {
  const input = (targetId: string, more: Readonly<Record<string, string>> = {}) => ({
    targetId,
    questionCode: 'policy',
    ...more,
  })
  const upload = async (by: Caller, sent: Readonly<Record<string, string>>, name = 'policy.pdf') =>
    uploadEvidence(forecourt, by, {
      endpoint: participantArea.addEvidence,
      input: sent,
      files: [{ name, bytes: `%PDF-1.7 ${name}` }],
    })

  test('is stored once, however often a device sends it', async () => {
    const added = await ford.addParticipant()
    const { targetId } = added
    // Both open the same link.
    const token = await ford.linkOf(added)
    const phone = makeCaller(forecourt.app, (await open(token)).accessToken)
    const laptop = makeCaller(forecourt.app, (await open(token)).accessToken)
    const sent = input(targetId, { uploadId: 'a'.repeat(32) })
    const answers = await Promise.all([phone, phone, laptop].map((by) => upload(by, sent)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    expect(new Set(answers.flatMap(({ files }) => files.map(({ id }) => id))).size).toBe(1)
    const { evidence } = await phone.call(participantArea.get, { id: targetId })
    expect(evidence).toMatchObject([{ name: 'policy.pdf', isMine: true, isFromEarlier: false }])
    expect((await upload(phone, input(targetId, { uploadId: 'short' }))).statusCode).toBe(400)
    // Removed since: it doesn't come back.
    const [file] = evidence
    await phone.call(participantArea.removeEvidence, { ...input(targetId), id: file?.id ?? '' })
    expect((await upload(phone, sent)).files).toEqual([])
    expect(await phone.call(participantArea.get, { id: targetId })).toMatchObject({ evidence: [] })
  })

  test('is removed by who added it or the owner, and not from submitted answers', async () => {
    const added = await ford.addParticipant()
    const { targetId, assessmentId } = added
    const tom = await ford.openLink(added)
    const colleague = await ford.openLink(
      await ford.addParticipant({ role: 'contributor', to: { id: assessmentId, targetId, version: 1 } }),
    )
    const [own] = (await upload(tom, input(targetId))).files
    const [other] = (await upload(colleague, input(targetId))).files
    const remove = (by: Caller, id = '') =>
      by.call(participantArea.removeEvidence, { ...input(targetId), id })
    await expect(remove(colleague, own?.id)).toRefuse(403, 'Tom Becker added this file')
    await remove(tom, other?.id)
    await tom.call(participantArea.save, {
      targetId,
      mutations: [change('policy', 'written'), change('refilled', false)],
    })
    await tom.call(participantArea.submit, { targetId })
    await expect(remove(tom, own?.id)).toRefuse(409, 'were submitted')
  })

  test('of the previous round is offered while it is valid, and that of other assessments is not', async () => {
    const former = await ford.addParticipant()
    const tom = await ford.openLink(former)
    const [file] = (await upload(tom, input(former.targetId), 'certificate.pdf')).files
    const id = file?.id ?? ''
    const valid = { ...input(former.targetId), id, validUntil: '2027-06-30' }
    expect(await tom.call(participantArea.useEvidence, valid)).toMatchObject({ validUntil: '2027-06-30' })
    const next = await ford.addAssessment({ previousId: former.assessmentId })
    const later = await ford.openLink(await ford.addParticipant({ to: next }))
    const offered = async () => (await later.call(participantArea.get, { id: next.targetId })).evidence
    expect(await offered()).toMatchObject([{ id, isFromEarlier: true, questionCodes: [], isExpired: false }])
    const use = { ...input(next.targetId), id }
    await expect(later.call(participantArea.useEvidence, { ...use, validUntil: '2030-01-01' })).toRefuse(409)
    await later.call(participantArea.useEvidence, use)
    expect(await offered()).toMatchObject([{ questionCodes: ['policy'] }])
    const other = await ford.addParticipant()
    const stranger = await ford.openLink(other)
    expect(await stranger.call(participantArea.get, { id: other.targetId })).toMatchObject({ evidence: [] })
    await expect(stranger.call(participantArea.useEvidence, { ...input(other.targetId), id })).toRefuse(
      404,
      'File',
    )
    await later.call(participantArea.removeEvidence, use)
    expect(await tom.call(participantArea.get, { id: former.targetId })).toMatchObject({ evidence: [{ id }] })
  })

  test('follows the answers: not before the opening day, and only for flagged questions', async () => {
    const early = await ford.addParticipant({ to: await ford.addAssessment({ opensOn: '2026-11-25' }) })
    const ben = await ford.openLink(early)
    expect(await ben.call(participantArea.get, { id: early.targetId })).toMatchObject({
      phase: 'early',
      opensOn: '2026-11-25',
      open: [],
    })
    expect(await upload(ben, input(early.targetId))).toMatchObject({ statusCode: 409 })
    const added = await ford.addParticipant()
    const { targetId } = added
    const tom = await ford.openLink(added)
    await tom.call(participantArea.save, {
      targetId,
      mutations: [change('policy', 'none'), change('refilled', false)],
    })
    await tom.call(participantArea.submit, { targetId })
    await admin.call(assessmentTargets.requestChanges, {
      id: targetId,
      flags: [{ questionCode: 'refilled', comment: 'Please check.' }],
    })
    const again = await ford.openLink(added)
    expect(await upload(again, input(targetId))).toMatchObject({
      statusCode: 409,
      message: 'No change was requested for this question.',
    })
    expect(await upload(again, input(targetId, { questionCode: 'refilled' }))).toMatchObject({
      statusCode: 200,
    })
  })
})
