import { afterAll, beforeAll, expect, test } from 'vitest'
import { assessmentAnswers } from '#contract/assessments/targets/answers.ts'
import { assessments } from '#contract/assessments/assessments/assessments.ts'
import { assessmentTargets } from '#contract/assessments/targets/targets.ts'
import { assessmentVersions } from '#contract/assessments/assessments/version-change.ts'
import { participantArea } from '#contract/participants/area/participant-area.ts'
import { questionnaires } from '#contract/questionnaires/questionnaires/questionnaires.ts'
import { Definition } from '#contract/questions/definition.ts'
import { type Caller, testApp, type TestApp } from '#test/app.ts'
import { type AddedAssessment, change } from '#test/factories/assessments/add-assessments.ts'
import { SITE_CHECK } from '#test/factories/questionnaires/add-questionnaires.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let place: TestOrganization
let toyota: TestOrganization
let staff: Caller
let admin: Caller
beforeAll(async () => {
  forecourt = await testApp()
  place = await testOrganization(forecourt, 'Northgate Ford')
  toyota = await testOrganization(forecourt, 'Northgate Toyota')
  staff = await forecourt.as('super', 'Northgate Ford')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
})
afterAll(() => forecourt.close())

const { get, submit } = assessmentTargets
const { plan, change: move } = assessmentVersions
const save = (targetId: string, ...mutations: ReturnType<typeof change>[]) =>
  staff.call(assessmentAnswers.save, { targetId, mutations })

/** Without a written policy, without the table of refills, and with a required question more. */
const SECOND = Definition.parse({
  languages: ['en'],
  sections: [
    {
      id: 'management',
      title: { en: 'Management' },
      questions: [
        {
          type: 'single',
          code: 'policy',
          title: { en: 'Is there an environmental policy?' },
          obligation: 'required',
          choices: [
            { value: 'none', title: { en: 'None' } },
            { value: 'reviewed', title: { en: 'Reviewed every year' } },
          ],
        },
        { type: 'text', code: 'contact', title: { en: 'Who knows?' }, obligation: 'required' },
      ],
    },
    {
      id: 'refrigerants',
      title: { en: 'Refrigerants' },
      questions: [{ type: 'boolean', code: 'refilled', title: { en: 'Refilled?' }, obligation: 'required' }],
    },
  ],
})

/** An open assessment at version 1 whose questionnaire has a second version. */
async function withSecondVersion(): Promise<AddedAssessment> {
  const { id: questionnaireId } = await place.addQuestionnaire({
    scoring: { questions: [], sections: [], bands: [], levels: [], unanswered: 'zero', hasTotal: true },
  })
  const added = await place.addAssessment({ questionnaireId })
  const draft = await staff.call(questionnaires.openDraft, { id: questionnaireId })
  const changed = await staff.call(questionnaires.update, {
    id: questionnaireId,
    version: draft.version,
    draft: SECOND,
  })
  await staff.call(questionnaires.publish, { id: questionnaireId, version: changed.version })
  return added
}

const valuesOf = async (targetId: string) =>
  (await staff.call(get, { id: targetId })).answers.map(({ questionCode, value, isSetAside, answeredBy }) => [
    questionCode,
    value,
    isSetAside,
    answeredBy,
  ])

test('an open assessment moves to another version with the answers that fit, and back with all of them', async () => {
  const { id, targetId } = await withSecondVersion()
  const row = { date: '2026-03-01', amount: '4.2' }
  await save(
    targetId,
    change('policy', 'written'),
    change('refilled', true),
    change('refills', row, { rowKey: 'r1' }),
  )
  const before = await valuesOf(targetId)
  const planned = await staff.call(plan, { id, number: 2 })
  expect(planned).toMatchObject({ from: 1, to: 2, targets: 1, kept: 1, droppedCount: 2, problems: [] })
  expect(planned.dropped.map(({ questionCode, answer, reason }) => [questionCode, answer, reason])).toEqual([
    ['policy', 'Written', 'changed'],
    ['refills', expect.stringContaining('4.2'), 'removed'],
  ])
  expect(planned.changes.some(({ effect }) => effect === 'unused')).toBe(true)

  // What was seen is what happens.
  await expect(staff.call(move, { id, number: 2, dropped: 1 })).toRefuse(409, 'again')
  const sister = await forecourt.as('northgate.sustain', 'Northgate Toyota')
  await expect(sister.call(move, { id, number: 2 })).toRefuse(404)
  await expect(staff.call(move, { id, number: 9 })).toRefuse(400)
  expect(await staff.call(move, { id, number: 2, dropped: 2 })).toMatchObject({ questionnaireNumber: 2 })
  expect(await valuesOf(targetId)).toEqual([
    ['policy', null, false, before[0]?.[3]],
    ['refilled', true, false, before[1]?.[3]],
    ['refills', row, true, before[2]?.[3]],
  ])
  expect(await staff.call(get, { id: targetId })).toMatchObject({
    questions: 3,
    required: 3,
    requiredAnswered: 1,
    sections: [
      { section: 'management', answered: 0 },
      { section: 'refrigerants', answered: 1 },
    ],
  })
  const { entries, isIntact } = await staff.call(assessmentAnswers.log, { targetId, question: 'policy' })
  expect(isIntact).toBe(true)
  expect(entries.map(({ kind, value }) => [kind, value])).toEqual([
    ['state', null],
    ['answer', 'written'],
  ])
  // Moving isn't answering: who moves may still approve.
  await save(targetId, change('contact', 'Ana'))

  expect(await staff.call(plan, { id, number: 1 })).toMatchObject({ restored: 1, droppedCount: 1 })
  await staff.call(move, { id, number: 1 })
  const after = await valuesOf(targetId)
  expect(after.slice(0, 3)).toEqual(before)
  expect(after[3]).toEqual(['contact', 'Ana', true, expect.any(String)])
  // What was answered meanwhile stays, and isn't replaced by what was dropped.
  await staff.call(move, { id, number: 2 })
  const { answers } = await staff.call(get, { id: targetId })
  const rev = answers.find(({ questionCode }) => questionCode === 'policy')?.rev
  await save(targetId, change('policy', 'none', { base: rev ?? 0 }))
  await staff.call(move, { id, number: 1 })
  expect((await valuesOf(targetId))[0]?.[1]).toBe('none')
})

test('an assessment with submitted answers, or that the caller sees a part of only, stays where it is', async () => {
  const { id, targetId } = await withSecondVersion()
  await save(targetId, change('policy', 'none'), change('refilled', false))
  await staff.call(submit, { id: targetId })
  const { problems } = await staff.call(plan, { id, number: 2 })
  expect(problems).toEqual([expect.stringContaining('Northgate Ford (submitted)')])
  await expect(staff.call(move, { id, number: 2 })).toRefuse(409, 'Reopen these targets first')
  await staff.call(assessmentTargets.reopen, { id: targetId, reason: 'New questions' })
  await expect(staff.call(move, { id, number: 1 })).toRefuse(409, 'already uses version 1')
  await staff.call(assessmentTargets.add, {
    assessmentId: id,
    targets: [{ organizationId: toyota.organizationId, facilityId: null }],
  })
  const ford = await forecourt.as('northgate.sustain', 'Northgate Ford')
  await expect(ford.call(move, { id, number: 2 })).toRefuse(409, 'can’t see')
  await staff.call(move, { id, number: 2 })
  await staff.call(assessments.close, { id })
  await expect(staff.call(move, { id, number: 1 })).toRefuse(409, 'Reopen the assessment')
})

test('a participant gets the questions of the version, and what they sent for the former one is refused and kept', async () => {
  const to = await withSecondVersion()
  const added = await place.addParticipant({ to })
  const tom = await place.openLink(added)
  const { targetId } = added
  expect(await tom.call(participantArea.get, { id: targetId })).toMatchObject({ version: 1 })
  await staff.call(move, { id: to.id, number: 2 })
  const { version, definition } = await tom.call(participantArea.get, { id: targetId })
  expect([
    version,
    definition.sections.flatMap(({ questions }) => questions).map(({ code }) => code),
  ]).toEqual([2, ['policy', 'contact', 'refilled']])
  const late = change('refills', { date: '2026-03-01' }, { rowKey: 'r1' })
  const { results } = await tom.call(participantArea.save, {
    targetId,
    mutations: [late, change('policy', 'written'), change('refilled', true)],
  })
  expect(results.map(({ status, problem }) => [status, problem?.code])).toEqual([
    ['refused', 'unknown'],
    ['refused', 'notAChoice'],
    ['accepted', undefined],
  ])
  const { entries } = await admin.call(assessmentAnswers.log, { targetId, question: 'refills' })
  expect(entries).toMatchObject([{ kind: 'refused', value: { date: '2026-03-01' } }])
})

test('obligations by size follow the size of the target, if it has its own', async () => {
  const [management, ...others] = SITE_CHECK.sections
  const [policy] = management?.questions ?? []
  if (management === undefined || policy === undefined) throw new Error('The site check has no questions.')
  const { id: questionnaireId } = await place.addQuestionnaire({
    draft: {
      ...SITE_CHECK,
      sections: [
        {
          ...management,
          questions: [{ ...policy, obligations: [{ sizes: ['micro'], obligation: 'voluntary' }] }],
        },
        ...others,
      ],
    },
  })
  const { id, targetId } = await place.draftAssessment({ questionnaireId })
  const { changed } = await staff.call(assessmentTargets.add, {
    assessmentId: id,
    targets: [{ organizationId: place.organizationId, facilityId: await place.addFacility() }],
  })
  const [micro = ''] = changed
  await staff.call(assessments.update, { id, size: 'large' })
  // Before it opens, and while it is open.
  await staff.call(assessmentTargets.changeSize, { ids: [micro], size: 'micro' })
  await staff.call(assessments.open, { id, isIncomplete: true })
  const required = async (target: string) => (await staff.call(get, { id: target })).required
  expect([await required(targetId), await required(micro)]).toEqual([2, 1])
  for (const target of [targetId, micro]) await save(target, change('refilled', false))
  await expect(staff.call(submit, { id: targetId })).toRefuse(409)
  await staff.call(submit, { id: micro })
  const { left, changed: done } = await staff.call(assessmentTargets.changeSize, {
    ids: [targetId, micro],
    size: 'micro',
  })
  expect([done, left.map(({ targetId: one }) => one)]).toEqual([[targetId], [micro]])
  expect(await staff.call(get, { id: targetId })).toMatchObject({ size: 'micro', required: 1, answered: 1 })
  await staff.call(submit, { id: targetId })
  const next = await staff.call(assessments.duplicate, { id, name: 'Next year by size' })
  const { results } = await staff.call(assessmentTargets.list, { assessment: next.id })
  expect(results.map(({ size }) => size)).toEqual(['micro', 'micro'])
})
