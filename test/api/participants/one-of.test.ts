import { afterAll, beforeAll, expect, test } from 'vitest'
import { participantArea } from '#contract/participants/area/participant-area.ts'
import type { Definition } from '#contract/questions/definition.ts'
import { makeCaller, testApp, type Caller, type TestApp } from '#test/app.ts'
import { change } from '#test/factories/assessments/add-assessments.ts'
import { SITE_SCORING } from '#test/factories/questionnaires/add-questionnaires.ts'
import { mailedToken } from '#test/factories/participants/mailed-token.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let ford: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
})
afterAll(() => forecourt.close())

const en = (text: string) => ({ en: text })
const DRAFT: Definition = {
  languages: ['en'],
  sections: [
    {
      id: 'contact',
      title: en('Contact'),
      questions: [
        { type: 'email', code: 'email', title: en('Email'), oneOf: 'contact' },
        { type: 'phone', code: 'phone', title: en('Phone'), oneOf: 'contact' },
      ],
    },
  ],
}

async function openTarget() {
  const questionnaire = await ford.addQuestionnaire({
    draft: DRAFT,
    scoring: { ...SITE_SCORING, questions: [], bands: [] },
  })
  const to = await ford.addAssessment({ questionnaireId: questionnaire.id })
  const added = await ford.addParticipant({ to })
  const tom = await ford.openLink(added)
  return { targetId: added.targetId, tom }
}

async function delegate(
  tom: Caller,
  targetId: string,
  part: { questionCode: string } | { sectionId: string },
) {
  const email = `${crypto.randomUUID()}@people.example`
  await tom.call(participantArea.delegate, { targetId, ...part, name: 'Ana Souza', email })
  const { token } = await mailedToken(forecourt, email)
  const { accessToken } = await forecourt.anonymous.call(participantArea.open, { token })
  return makeCaller(forecourt.app, accessToken)
}

test('a questionnaire is not submitted without one of its alternatives, and says so once', async () => {
  const { targetId, tom } = await openTarget()
  const seen = await tom.call(participantArea.get, { id: targetId })
  expect(seen.evaluation.problems).toMatchObject([
    {
      question: 'email',
      code: 'oneRequired',
      message: 'Enter an email address or a phone number.',
      oneOf: ['email', 'phone'],
    },
  ])
  await expect(tom.call(participantArea.submit, { targetId })).toRefuse(409, '1 question is still open')
  const saved = await tom.call(participantArea.save, {
    targetId,
    mutations: [change('phone', '614 555 0134')],
  })
  expect(saved).toMatchObject({
    required: 1,
    requiredAnswered: 1,
    evaluation: { required: [], problems: [] },
  })
  await tom.call(participantArea.submit, { targetId })
})

test('a colleague who gets one of them may leave it empty, and learns nothing of the other', async () => {
  const { targetId, tom } = await openTarget()
  const ana = await delegate(tom, targetId, { questionCode: 'email' })
  const seen = await ana.call(participantArea.get, { id: targetId })
  expect(seen.definition.sections[0]?.questions).toEqual([
    { type: 'email', code: 'email', title: en('Email') },
  ])
  expect(seen.evaluation).toMatchObject({ required: [], problems: [] })
  expect(JSON.stringify(seen)).not.toContain('hone')
  expect(await ana.call(participantArea.submit, { targetId })).toMatchObject({ number: null })
  // The other one is enough for the owner.
  await tom.call(participantArea.save, { targetId, mutations: [change('phone', '614 555 0134')] })
  await tom.call(participantArea.submit, { targetId })
})

test('a section with alternatives is answered with one of them', async () => {
  const { targetId, tom } = await openTarget()
  const ana = await delegate(tom, targetId, { sectionId: 'contact' })
  const seen = await ana.call(participantArea.get, { id: targetId })
  expect(seen.definition.sections[0]?.questions.map(({ oneOf }) => oneOf)).toEqual(['contact', 'contact'])
  const isAnswered = async () => {
    const { delegations } = await tom.call(participantArea.get, { id: targetId })
    return delegations.map((delegation) => delegation.isAnswered)
  }
  expect(await isAnswered()).toEqual([false])
  await ana.call(participantArea.save, { targetId, mutations: [change('phone', '614 555 0134')] })
  expect(await isAnswered()).toEqual([true])
})
