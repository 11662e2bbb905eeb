import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { questionBank } from '#contract/questionnaires/bank/question-bank.ts'
import { questionnaires } from '#contract/questionnaires/questionnaires/questionnaires.ts'
import type { Definition } from '#contract/questions/definition.ts'
import { NO_SCORING } from '#contract/questions/scores/scoring.ts'
import { refusalOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { SITE_CHECK, SITE_SCORING } from '#test/factories/questionnaires/add-questionnaires.ts'
import { fresh } from '#test/factories/fresh.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { testDocument, testDraftCalls } from '#test/suites/documents.ts'

let forecourt: TestApp
let admin: Caller
/** Reaches one organization only. */
let manager: Caller
/** Of another customer. */
let stranger: Caller
let ford: TestOrganization
let toyota: TestOrganization

beforeAll(async () => {
  forecourt = await testApp({ FORECOURT_DEMO: '1' })
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  ford = await testOrganization(forecourt, 'Northgate Ford')
  toyota = await testOrganization(forecourt, 'Northgate Toyota')
  await ford.addMember({ userName: 'ford.sustainability', userType: 'Sustainability manager' })
  manager = await forecourt.as('ford.sustainability')
  stranger = await forecourt.as('harbor.admin')
})
afterAll(() => forecourt.close())

const renamed = (title: string): Definition => ({
  ...SITE_CHECK,
  sections: SITE_CHECK.sections.map((section, at) =>
    at === 0 ? { ...section, title: { en: title } } : section,
  ),
})

describe('a questionnaire is a document:', () => {
  const start = () => ({ caller: admin, stranger, add: () => ford.addQuestionnaire() })
  testDocument(questionnaires, start)
  testDraftCalls(questionnaires, start)
})

test('a draft with errors is saved and counted, refused when published, and the first error is named', async () => {
  const { id } = await ford.draftQuestionnaire()
  const [management, ...rest] = SITE_CHECK.sections
  const broken: Definition = {
    ...SITE_CHECK,
    sections: [
      {
        ...management,
        id: 'management',
        title: { en: 'Management' },
        questions: [
          { type: 'boolean', code: 'a', title: { en: 'A' }, visibleIf: 'b' },
          { type: 'boolean', code: 'b', title: { en: 'B' }, visibleIf: 'a' },
        ],
      },
      ...rest,
    ],
  }
  const saved = await admin.call(questionnaires.update, { id, draft: broken })
  // The cycle, and the points for a question that is gone.
  expect(saved).toMatchObject({ errorCount: 2, questionCount: 4 })
  const { faults, isPublishable } = await admin.call(questionnaires.check, {
    draft: broken,
    scoring: SITE_SCORING,
  })
  expect(isPublishable).toBe(false)
  expect(faults).toContainEqual(
    expect.objectContaining({
      question: 'a',
      path: ['sections', 0, 'questions', 0, 'visibleIf'],
      severity: 'error',
    }),
  )
  const refusal = await refusalOf(admin.call(questionnaires.publish, { id, version: saved.version }))
  expect(refusal).toMatchObject({
    status: 400,
    refusal: { fields: { draft: expect.stringContaining('depend on each other') } },
  })
  expect(await admin.call(questionnaires.versions, { id })).toEqual([])
})

test('a published version never changes: a new draft is opened, changed and published as the next one', async () => {
  const { id } = await ford.addQuestionnaire()
  await expect(admin.call(questionnaires.update, { id, draft: renamed('Changed') })).toRefuse(
    409,
    'new draft',
  )
  expect(
    await admin.call(questionnaires.update, { id, draft: SITE_CHECK, name: fresh('Renamed') }),
  ).toMatchObject({
    hasDraft: false,
    publishedNumber: 1,
  })
  const opened = await admin.call(questionnaires.openDraft, { id })
  expect(opened).toMatchObject({ hasDraft: true, draft: SITE_CHECK })
  const changed = await admin.call(questionnaires.update, { id, draft: renamed('Changed') })
  await expect(admin.call(questionnaires.publish, { id, version: opened.version })).toRefuse(409)
  const second = await admin.call(questionnaires.publish, { id, version: changed.version })
  expect(second).toMatchObject({ hasDraft: false, publishedNumber: 2, status: 'published' })
  await expect(admin.call(questionnaires.publish, { id, version: second.version })).toRefuse(409, 'no draft')
  expect(await admin.call(questionnaires.version, { id, number: 1 })).toMatchObject({
    definition: SITE_CHECK,
    scoring: SITE_SCORING,
  })
  expect((await admin.call(questionnaires.version, { id, number: 2 })).definition.sections[0]?.title.en).toBe(
    'Changed',
  )
  await expect(admin.call(questionnaires.version, { id, number: 3 })).toRefuse(404)
})

test('a discarded draft is closed, and one that was never published is not discarded', async () => {
  const { id } = await ford.addQuestionnaire()
  await admin.call(questionnaires.openDraft, { id })
  const { version } = await admin.call(questionnaires.update, { id, draft: renamed('Changed') })
  const back = await admin.call(questionnaires.discardDraft, { id, version })
  expect(back).toMatchObject({ hasDraft: false, scoring: SITE_SCORING, errorCount: 0 })
  const draft = await ford.draftQuestionnaire()
  await expect(admin.call(questionnaires.discardDraft, draft)).toRefuse(400)
  await expect(admin.call(questionnaires.discardDraft, { id: draft.id, version: draft.version })).toRefuse(
    409,
    'never published',
  )
})

test('retired questionnaires can be restored, and publishing a new version restores them too', async () => {
  const { id } = await ford.addQuestionnaire()
  expect(await admin.call(questionnaires.retire, { id })).toMatchObject({ status: 'retired' })
  expect(await admin.call(questionnaires.restore, { id })).toMatchObject({ status: 'published' })
  await admin.call(questionnaires.retire, { id })
  const { version } = await admin.call(questionnaires.openDraft, { id })
  expect(await admin.call(questionnaires.publish, { id, version })).toMatchObject({ status: 'published' })
})

test('a user of one organization sees and changes its own, reads those of all, and never those of a sister', async () => {
  const forAll = await admin.call(questionnaires.add, {
    name: fresh('For all'),
    key: fresh('all')
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-'),
    draft: SITE_CHECK,
  })
  const { id: sisters } = await toyota.addQuestionnaire()
  await expect(manager.call(questionnaires.get, { id: sisters })).toRefuse(404)
  await expect(manager.call(questionnaires.version, { id: sisters, number: 1 })).toRefuse(404)
  expect(await manager.call(questionnaires.get, { id: forAll.id })).toMatchObject({ organizationId: null })
  await expect(manager.call(questionnaires.update, { id: forAll.id, name: 'Mine' })).toRefuse(403)
  await expect(manager.call(questionnaires.openDraft, { id: forAll.id })).toRefuse(403)
  const copy = await manager.call(questionnaires.duplicate, { id: forAll.id })
  expect(copy).toMatchObject({
    organizationId: ford.organizationId,
    organizationName: 'Northgate Ford',
    status: 'draft',
  })
  const again = await manager.call(questionnaires.duplicate, { id: forAll.id })
  expect([copy.name, again.name]).toEqual([`${forAll.name} (copy)`, `${forAll.name} (copy) 2`])
  await expect(manager.call(questionnaires.update, { id: copy.id, organizationId: null })).toRefuse(403)
  const { results } = await manager.call(questionnaires.list, { pageSize: 200 })
  const ids = (results ?? []).map(({ id }) => id)
  expect(ids).toEqual(expect.arrayContaining([forAll.id, copy.id]))
  expect(ids).not.toContain(sisters)
})

test('names that mean something to JavaScript are ordinary codes and languages, or refused', async () => {
  const text = `{"languages":["en"],"sections":[{"id":"s","title":{"en":"S","constructor":"P"},"questions":[
    {"type":"text","code":"__proto__","title":{"en":"A"}},
    {"type":"text","code":"constructor","title":{"en":"B"}}]}]}`
  const draft: Definition = JSON.parse(text)
  const saved = await admin.call(questionnaires.add, {
    name: fresh('Names'),
    key: fresh('names')
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-'),
    draft,
    scoring: {
      ...SITE_SCORING,
      questions: [
        {
          kind: 'choices',
          question: 'constructor',
          weight: '1',
          points: [{ value: 'toString', points: '1' }],
        },
      ],
    },
  })
  expect(saved.draft.sections[0]?.questions.map(({ code }) => code)).toEqual(['__proto__', 'constructor'])
  const refusal = await refusalOf(
    admin.call(questionnaires.publish, { id: saved.id, version: saved.version }),
  )
  expect(refusal.status).toBe(400)
})

test('a questionnaire from a template can be published at once, and an unknown template is refused', async () => {
  const templates = await admin.call(questionnaires.templates, {})
  expect(templates.map(({ name }) => name)).toEqual(['Dealer site', 'Dealer energy', 'Scope 3 screening'])
  const named = () => ({
    name: fresh('Site check'),
    key: fresh('site-check')
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-'),
  })
  const added = await admin.call(questionnaires.addFromTemplate, { ...named(), template: 'dealer-site' })
  expect(added).toMatchObject({
    status: 'draft',
    questionCount: templates[0]?.questionCount,
    errorCount: 0,
    assessmentCount: 0,
  })
  const published = await admin.call(questionnaires.publish, { id: added.id, version: added.version })
  expect(published.publishedNumber).toBe(1)
  const refusal = await refusalOf(
    admin.call(questionnaires.addFromTemplate, { ...named(), template: '__proto__' }),
  )
  expect(refusal.status).toBe(400)
  expect(refusal.refusal.fields).toEqual({ template: 'Choose a template.' })
})

test('a user of one organization may change its questionnaires, and is told so about those for all', async () => {
  const own = await ford.draftQuestionnaire()
  const forAll = await ford.draftQuestionnaire({ organizationId: null })
  const mayEdit = async (caller: Caller, { id }: { id: string }) =>
    (await caller.call(questionnaires.get, { id })).mayEdit
  expect([await mayEdit(manager, own), await mayEdit(manager, forAll), await mayEdit(admin, forAll)]).toEqual(
    [true, false, true],
  )
})

test('the question bank finds questions of reachable questionnaires and templates by text, code and concept', async () => {
  const title = fresh('Which forklifts')
  const [section] = SITE_CHECK.sections
  const question = {
    type: 'text' as const,
    code: 'forklifts',
    title: { en: title },
    conceptId: fresh('forklifts'),
  }
  const draft = {
    ...SITE_CHECK,
    sections: section === undefined ? [] : [{ ...section, questions: [question] }],
  }
  const { id, name } = await toyota.draftQuestionnaire({ draft, scoring: NO_SCORING })
  const find = async (caller: Caller, search: string) =>
    (await caller.call(questionBank.find, { search })).questions
  for (const search of [title.toUpperCase(), question.conceptId]) {
    expect(await find(admin, search)).toEqual([
      { questionnaireId: id, source: name, section: 'Management', languages: ['en'], question, score: null },
    ])
  }
  // A user of Northgate Ford doesn't reach Northgate Toyota.
  expect(await find(manager, title)).toEqual([])
  // The demo questionnaires have the same question.
  const separators = await find(manager, 'oil-water separator')
  expect(separators.filter(({ questionnaireId }) => questionnaireId === null)).toMatchObject([
    { questionnaireId: null, source: 'Dealer site', score: { kind: 'choices' } },
  ])
})

test('answers are tried on an unsaved draft with the verdict and the score that assessments use', async () => {
  const tried = await admin.call(questionnaires.tryOut, {
    draft: SITE_CHECK,
    scoring: SITE_SCORING,
    answers: {
      policy: 'reviewed',
      refilled: true,
      refills: [{ date: '2026-03-04', amount: '-1' }],
      other: 1,
    },
    language: 'en',
  })
  expect(tried.evaluation.problems.map(({ question, code }) => [question, code])).toEqual([
    ['other', 'unknown'],
    ['refills', 'tooSmall'],
  ])
  expect(tried.scores?.total).toMatchObject({ score: '100.0', band: 1 })
  expect(tried.scores?.questions[0]?.reasons[0]).toMatchObject({
    value: 'reviewed',
    adds: '100.0',
    isMet: true,
  })
  const [section] = SITE_CHECK.sections
  const broken = {
    ...SITE_CHECK,
    sections: section === undefined ? [] : [{ ...section, visibleIf: 'nothing' }],
  }
  const refusal = await refusalOf(
    admin.call(questionnaires.tryOut, { draft: broken, scoring: SITE_SCORING, answers: {}, language: 'en' }),
  )
  expect(refusal.status).toBe(400)
})
