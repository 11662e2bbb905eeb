import { readXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { assessmentActions } from '#contract/assessments/actions/actions.ts'
import { assessmentAnswers } from '#contract/assessments/targets/answers.ts'
import { assessments } from '#contract/assessments/assessments/assessments.ts'
import { assessmentTargets } from '#contract/assessments/targets/targets.ts'
import { assessmentResults } from '#contract/assessments/results/results.ts'
import { questionnaires } from '#contract/questionnaires/questionnaires/questionnaires.ts'
import { participantArea } from '#contract/participants/area/participant-area.ts'
import { type Caller, testApp, type TestApp } from '#test/app.ts'
import { change } from '#test/factories/assessments/add-assessments.ts'
import { SITE_CHECK } from '#test/factories/questionnaires/add-questionnaires.ts'
import { fresh } from '#test/factories/fresh.ts'
import { impersonationsOf } from '#test/factories/identity/impersonations.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { uploadEvidence } from '#test/factories/assessments/upload-evidence.ts'

let forecourt: TestApp
let place: TestOrganization
let toyota: TestOrganization
let admin: Caller
let staff: Caller
beforeAll(async () => {
  forecourt = await testApp()
  place = await testOrganization(forecourt, 'Northgate Ford')
  toyota = await testOrganization(forecourt, 'Northgate Toyota')
  staff = await forecourt.as('super', 'Northgate Ford')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
})
afterAll(() => forecourt.close())

const { get, submit, approve, requestChanges, setPeople, reassign } = assessmentTargets
const save = (targetId: string, ...mutations: ReturnType<typeof change>[]) =>
  staff.call(assessmentAnswers.save, { targetId, mutations })

/** Answers and submits a target. */
async function answer(targetId: string, policy: string): Promise<void> {
  await save(targetId, change('policy', policy), change('refilled', false))
  await staff.call(submit, { id: targetId })
}

const upload = (targetId: string, files: readonly { name: string; bytes: string }[], by = staff) =>
  uploadEvidence(forecourt, by, {
    endpoint: assessmentAnswers.addEvidence,
    input: { targetId, questionCode: 'policy' },
    files,
  })

test('results compare targets, sections and years, and show no benchmark for fewer than five', async () => {
  const { id: last, targetId: lastTarget } = await place.submitAssessment()
  await admin.call(approve, { id: lastTarget })
  const { version: _, ...next } = await staff.call(assessments.duplicate, {
    id: last,
    name: fresh('Site check'),
  })
  const sites = await Promise.all([place.addFacility(), place.addFacility(), place.addFacility()])
  const added = await staff.call(assessmentTargets.add, {
    assessmentId: next.id,
    targets: [
      ...sites.map((facilityId) => ({ organizationId: place.organizationId, facilityId })),
      { organizationId: toyota.organizationId, facilityId: null },
    ],
  })
  await staff.call(assessments.update, { id: next.id, opensOn: '2026-11-01' })
  await staff.call(assessments.open, { id: next.id, isIncomplete: true })
  const { results: targets } = await staff.call(assessmentTargets.list, { assessment: next.id })
  const own = targets.find(
    ({ facilityId, organizationId }) => facilityId === null && organizationId === place.organizationId,
  )
  await answer(own?.id ?? '', 'reviewed')
  const [first = '', second = '', third = '', other = ''] = added.changed
  await answer(first, 'none')
  await answer(second, 'written')
  await save(third, change('policy', 'written'))
  await answer(other, 'written')
  const four = await staff.call(assessmentResults.get, { id: next.id })
  expect(four).toMatchObject({ isScored: true, final: 4, benchmark: null, meanTotal: '50.0' })
  expect(four.targets.find(({ targetId }) => targetId === third)).toMatchObject({
    total: null,
    isFinal: false,
  })
  expect(four.previous).toMatchObject({ targets: 1, mean: '100.0', meanBefore: '50.0', isSameVersion: true })
  expect(four.gaps).toMatchObject([{ questionCode: 'policy', targets: 3, of: 4, meanGain: '66.7' }])
  await save(third, change('refilled', false))
  await staff.call(submit, { id: third })
  const { benchmark, sectionBenchmarks } = await staff.call(assessmentResults.get, { id: next.id })
  expect(benchmark).toEqual({ targets: 5, lowerQuartile: '50.0', median: '50.0', upperQuartile: '50.0' })
  expect(sectionBenchmarks[0]).toEqual(benchmark)
  // A user of one organization sees its own targets, and the same benchmark of all.
  const ford = await forecourt.as('northgate.sustain', 'Northgate Ford')
  const seen = await ford.call(assessmentResults.get, { id: next.id })
  expect(seen.targets.map(({ targetId }) => targetId)).not.toContain(other)
  expect(seen.targets).toHaveLength(4)
  expect(seen.benchmark).toEqual(benchmark)
})

test('an action follows from a gap, has an owner and a due date, and is done on the day it is set to done', async () => {
  const { id, targetId } = await place.submitAssessment()
  const [gap] = await staff.call(assessmentResults.gap, { id, question: 'policy' })
  expect(gap).toMatchObject({ targetId, gain: '50.0', possible: '100.0', openActions: 0 })
  const { rows } = await forecourt.owner.query<{ id: string }>(
    `select id from users where user_name = 'northgate.sustain'`,
  )
  const ownerId = rows[0]?.id ?? ''
  const added = await staff.call(assessmentActions.add, {
    targetId,
    questionCode: 'policy',
    title: 'Review the policy every year',
    ownerId,
    dueOn: '2026-11-17',
    costCents: 120_050,
    expectedTonnes: '12.50',
  })
  expect(added).toMatchObject({
    ownerName: 'Priya Raman',
    status: 'open',
    isOverdue: true,
    doneOn: null,
    costCents: 120_050,
    expectedTonnes: '12.5',
    currency: 'USD',
  })
  expect((await staff.call(assessmentResults.get, { id })).gaps).toMatchObject([{ openActions: 1 }])
  const done = await staff.call(assessmentActions.update, { ...added, status: 'done' })
  expect(done).toMatchObject({ status: 'done', doneOn: '2026-11-18', isOverdue: false })
  await expect(staff.call(assessmentActions.update, { ...added, title: 'Late' })).toRefuse(409)
  const reopened = await staff.call(assessmentActions.update, { id: added.id, status: 'open' })
  expect(reopened).toMatchObject({ doneOn: null, title: 'Review the policy every year' })
  expect((await staff.call(assessmentActions.list, { assessment: id })).results).toMatchObject([
    { id: added.id },
  ])
  await expect(staff.call(assessmentActions.add, { targetId, title: 'X', questionCode: 'nothing' })).toRefuse(
    400,
  )
  await expect(staff.call(assessmentActions.add, { targetId, title: 'X', ownerId: '999999999' })).toRefuse(
    400,
  )
  const sister = await forecourt.as('northgate.sustain', 'Northgate Toyota')
  await expect(sister.call(assessmentActions.get, { id: added.id })).toRefuse(404)
  await staff.call(assessmentActions.remove, { id: added.id })
  await expect(staff.call(assessmentActions.get, { id: added.id })).toRefuse(404)
})

test('evidence is stored once, can be used next year while it is valid, and stays with submitted answers', async () => {
  const last = await place.addAssessment()
  const { files } = await upload(last.targetId, [{ name: 'ISO 14001.pdf', bytes: '%PDF-1.7 certificate' }])
  const [file] = files
  expect(file).toMatchObject({
    name: 'ISO 14001.pdf',
    type: 'application/pdf',
    questionCodes: ['policy'],
    isExpired: false,
  })
  const id = file?.id ?? ''
  const download = await staff.send({ method: 'GET', url: `/api/assessments/get-evidence-file/${id}` })
  expect(download.text).toBe('%PDF-1.7 certificate')
  expect((await upload(last.targetId, [{ name: 'bill.pdf', bytes: '<html></html>' }])).statusCode).toBe(400)
  const dated = {
    id,
    targetId: last.targetId,
    validUntil: '2027-06-30',
    periodStart: '2026-01-01',
    periodEnd: '2026-12-31',
  }
  const { version } = await staff.call(assessmentAnswers.updateEvidence, dated)
  const stale = { id, targetId: last.targetId, version: version - 1, validUntil: '2028-06-30' }
  await expect(staff.call(assessmentAnswers.updateEvidence, stale)).toRefuse(409, 'This file was changed')
  const unlinked = { id, targetId: last.targetId, questionCodes: [], known: { questionCodes: [] } }
  await expect(staff.call(assessmentAnswers.updateEvidence, unlinked)).toRefuse(409, 'This file was changed')
  await expect(staff.call(assessmentAnswers.updateEvidence, { ...dated, periodEnd: '2025-12-31' })).toRefuse(
    400,
  )
  await answer(last.targetId, 'written')
  await expect(staff.call(assessmentAnswers.removeEvidence, { id })).toRefuse(409, 'were submitted')
  const next = await place.addAssessment()
  const offered = (await staff.call(get, { id: next.targetId })).evidence.find((one) => one.id === id)
  expect(offered).toMatchObject({ isFromEarlier: true, questionCodes: [], validUntil: '2027-06-30' })
  await staff.call(assessmentAnswers.updateEvidence, {
    id,
    targetId: next.targetId,
    questionCodes: ['policy'],
  })
  expect((await staff.call(get, { id: next.targetId })).evidence).toContainEqual(
    expect.objectContaining({ id, questionCodes: ['policy'] }),
  )
  await staff.call(assessmentAnswers.updateEvidence, {
    id,
    targetId: next.targetId,
    validUntil: '2026-11-17',
  })
  const later = await place.addAssessment()
  expect((await staff.call(get, { id: later.targetId })).evidence.map((one) => one.id)).not.toContain(id)
})

test('the same concept answered in another questionnaire of the period is offered with its source', async () => {
  const [section] = SITE_CHECK.sections
  const draft = {
    ...SITE_CHECK,
    sections: [
      {
        id: 'energy',
        title: section?.title ?? {},
        questions: [
          {
            type: 'number' as const,
            code: 'electricity_used',
            title: { en: 'Electricity used' },
            unit: 'kWh',
            conceptId: 'vsme:ElectricityConsumption',
          },
        ],
      },
    ],
  }
  const scoring = {
    questions: [],
    sections: [],
    bands: [],
    levels: [],
    unanswered: 'zero' as const,
    hasTotal: true,
  }
  const one = await place.addQuestionnaire({ draft, scoring })
  const [energy] = draft.sections
  const renamed = {
    ...draft,
    sections: [
      { ...energy, id: 'e', title: { en: 'E' }, questions: [{ ...energy?.questions[0], code: 'power' }] },
    ],
  }
  const other = await place.addQuestionnaire({
    draft: questionnaires.add.input.parse({ name: 'x', key: 'x', draft: renamed }).draft,
    scoring,
  })
  const from = await place.addAssessment({ questionnaireId: one.id })
  await save(from.targetId, change('electricity_used', '1200'))
  const to = await place.addAssessment({ questionnaireId: other.id })
  expect((await staff.call(get, { id: to.targetId })).offered).toEqual([])
  await staff.call(submit, { id: from.targetId })
  expect((await staff.call(get, { id: to.targetId })).offered).toMatchObject([
    { questionCode: 'power', kind: 'concept', value: '1200', targetId: from.targetId },
  ])
  await save(to.targetId, change('power', '1200', { sourceTargetId: from.targetId }))
  expect((await staff.call(get, { id: to.targetId })).answers).toMatchObject([
    { sourceTargetId: from.targetId },
  ])

  // A source that wasn't offered is not noted: a value of one's own, another target, one that doesn't exist.
  const sourceOf = async (value: string, base: number, sourceTargetId: string) => {
    const sent = { ...change('power', value, { sourceTargetId }), base }
    return (await save(to.targetId, sent)).results.map(({ status, current }) => [
      status,
      current?.sourceTargetId,
    ])
  }
  const elsewhere = await place.addAssessment({ questionnaireId: one.id })
  expect(await sourceOf('999', 1, from.targetId)).toEqual([['accepted', null]])
  expect(await sourceOf('1200', 2, elsewhere.targetId)).toEqual([['accepted', null]])
  expect(await sourceOf('1199', 3, '999999999')).toEqual([['accepted', null]])
  expect(await sourceOf('1200', 4, from.targetId)).toEqual([['accepted', from.targetId]])

  // A participant is offered it once they answer the other target as well.
  const tom = await place.addParticipant({ to })
  const work = await place.openLink(tom)
  const offeredToTom = async () =>
    (await work.call(participantArea.get, { id: to.targetId })).offered.map(({ targetId }) => targetId)
  expect(await offeredToTom()).toEqual([])
  const { people } = await staff.call(get, { id: to.targetId })
  const email = people.find(({ id }) => id === tom.id)?.email ?? ''
  await staff.call(assessmentTargets.reopen, { id: from.targetId, reason: 'One more person' })
  await place.addParticipant({ to: from, email, role: 'contributor' })
  await staff.call(submit, { id: from.targetId })
  expect(await offeredToTom()).toEqual([from.targetId])

  // A delegate of one question there was not invited to the others.
  const ana = await place.addParticipant({ to, email: 'ana.delegate@people.example' })
  await staff.call(assessmentTargets.reopen, { id: from.targetId, reason: 'Ana helps' })
  const owner = await place.openLink(await place.addParticipant({ to: from }))
  await owner.call(participantArea.delegate, {
    targetId: from.targetId,
    questionCode: 'electricity_used',
    name: 'Ana Souza',
    email: 'ana.delegate@people.example',
  })
  await staff.call(submit, { id: from.targetId })
  const anas = await place.openLink(ana)
  expect((await anas.call(participantArea.get, { id: to.targetId })).offered).toEqual([])
})

test('no one approves what they answered as a participant, nor while acting as someone else', async () => {
  const added = await place.addParticipant({ email: 'northgate.admin@forecourt.example' })
  await forecourt.owner.query(
    `update users set email = 'northgate.admin@forecourt.example' where user_name = 'northgate.admin'`,
  )
  const tom = await place.openLink(added)
  const { targetId } = added
  const mutations = [change('policy', 'written'), change('refilled', false)]
  await tom.call(participantArea.save, { targetId, mutations })
  await tom.call(participantArea.submit, { targetId })
  expect((await admin.call(get, { id: targetId })).approvalProblem).toContain('someone else must approve')
  await expect(admin.call(approve, { id: targetId })).toRefuse(403, 'someone else must approve')
  const acting = await impersonationsOf(forecourt).impersonate(
    await forecourt.as('super', 'Northgate Ford'),
    'northgate.sustain',
    { mode: 'act', reason: 'Asked to look at it' },
  )
  await expect(acting.call(approve, { id: targetId })).toRefuse(403, 'impersonate another user')
})

test('participants become owners and contributors, lose delegations with their role, and hear of requested changes', async () => {
  const added = await place.addParticipant({ email: 'ana@people.example' })
  const { targetId, participantId } = added
  const { rows } = await forecourt.owner.query<{ id: string }>(
    `select id from users where user_name = 'northgate.sustain'`,
  )
  const userId = rows[0]?.id ?? ''
  const moved = await staff.call(reassign, { ids: [targetId], userId, keepsFormer: true })
  expect(moved.changed).toEqual([targetId])
  const people = async () =>
    (await staff.call(get, { id: targetId })).people.map((one) => [one.role, one.participantId ?? one.userId])
  expect(await people()).toEqual([
    ['owner', userId],
    ['contributor', participantId],
  ])
  const given = { targetId, participantId, questionCode: 'policy' }
  const mailsTo = async (userOrEmail: string) =>
    (
      await forecourt.owner.query<{ subject: string }>(
        `select subject from outbox_mails where to_email = $1 or user_id::text = $1 order by id`,
        [userOrEmail],
      )
    ).rows.map(({ subject }) => subject)
  const [toAna, toUser] = [await mailsTo('ana@people.example'), await mailsTo(userId)]
  await staff.call(assessmentAnswers.delegate, given)
  expect(await mailsTo('ana@people.example')).toHaveLength(toAna.length + 1)
  await staff.call(assessmentAnswers.delegate, { targetId, userId, questionCode: 'refilled' })
  expect((await mailsTo(userId)).slice(toUser.length)).toEqual([
    expect.stringContaining('please answer a part for'),
  ])
  const seen = [{ role: 'owner' as const, userId }]
  await expect(
    staff.call(setPeople, { id: targetId, people: seen, known: seen }),
    'someone was added since',
  ).toRefuse(409)
  await staff.call(setPeople, { id: targetId, people: [{ role: 'owner', participantId }] })
  expect((await staff.call(get, { id: targetId })).delegations).toEqual([])
  await expect(
    staff.call(setPeople, { id: targetId, people: [{ role: 'reviewer', participantId }] }),
  ).toRefuse(400)
  await expect(
    staff.call(setPeople, { id: targetId, people: [{ role: 'owner', participantId: '999999999' }] }),
  ).toRefuse(400)
  const ana = await place.openLink(added)
  const mutations = [change('policy', 'written'), change('refilled', false)]
  await ana.call(participantArea.save, { targetId, mutations })
  await ana.call(participantArea.submit, { targetId })
  const mails = async () =>
    (await forecourt.owner.query(`select from outbox_mails where to_email = 'ana@people.example'`)).rows
      .length
  const before = await mails()
  await admin.call(requestChanges, {
    id: targetId,
    flags: [{ questionCode: 'policy', comment: 'Which year?' }],
  })
  expect(await mails()).toBe(before + 1)
})

test('files have exactly the approved answers, with their hash, and no formulas', async () => {
  const title = { en: 'Remarks' }
  const { id: questionnaireId } = await place.addQuestionnaire({
    draft: {
      languages: ['en'],
      sections: [
        {
          id: 's',
          title,
          questions: [
            { type: 'text', code: 'remarks', title },
            { type: 'number', code: 'used', title: { en: 'Electricity' }, unit: 'kWh' },
          ],
        },
      ],
    },
    scoring: { questions: [], sections: [], bands: [], levels: [], unanswered: 'zero', hasTotal: true },
  })
  const { id, targetId } = await place.addAssessment({ questionnaireId })
  await save(targetId, change('remarks', '=HYPERLINK("http://x.example")'), change('used', '1200.25'))
  await staff.call(submit, { id: targetId })
  const { snapshotSha256 } = await admin.call(approve, { id: targetId })
  // No user can change an approved answer; a fault in the database could.
  await forecourt.owner.query(`update assessment_answers set value = '"9"' where target_id = $1`, [targetId])
  const make = (name: string, payload: object, caller = admin) =>
    caller.send({ method: 'POST', url: `/api/reports/${name}`, payload })
  const rowsOf = async (name: string, subject: string) => {
    const { bytes, status, text } = await make(name, { format: 'xlsx', id: subject })
    if (status !== 200) throw new Error(text)
    const { sheets } = await readXlsx(bytes)
    return { about: sheets[0]?.rows ?? [], rows: sheets[1]?.rows ?? [] }
  }
  const answers = await rowsOf('assessment-answers', targetId)
  expect(answers.about).toContainEqual(['SHA-256', snapshotSha256])
  expect(answers.rows[1]?.slice(0, 4)).toEqual(['Remarks', 'Remarks', '=HYPERLINK("http://x.example")', ''])
  expect(answers.rows[2]?.slice(0, 4)).toEqual(['Remarks', 'Electricity', 1200.25, 'kWh'])
  const { rows } = await rowsOf('assessment-matrix', id)
  expect(rows).toContainEqual(['Target', 'Status', '', 'Approved'])
  expect(rows).toContainEqual(['Remarks', 'Electricity', 'kWh', 1200.25])
  // Points can be added up.
  const scored = await rowsOf('assessment-answers', (await place.submitAssessment()).targetId)
  expect(scored.rows[1]?.slice(5)).toEqual([50, 100])
  const pdf = await make('assessment-answers', { id: targetId })
  expect(pdf.bytes.subarray(0, 5).toString()).toBe('%PDF-')
  expect((await make('assessment-matrix', { id })).status).toBe(400)
  expect((await make('assessment-matrix', { format: 'xlsx' })).status).toBe(400)
  const sister = await forecourt.as('northgate.sustain', 'Northgate Toyota')
  expect((await make('assessment-answers', { id: targetId }, sister)).status).not.toBe(200)
})
