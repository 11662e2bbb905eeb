import { expect, test } from 'vitest'
import type { QuestionnaireChoice } from '#contract/assessments/assessments/setup.ts'
import { checkDetails, chooseQuestionnaire, newDetails } from './details-form.ts'

const energy: QuestionnaireChoice = {
  id: '1',
  name: 'Dealer energy',
  organizationName: null,
  versions: [
    { number: 3, questions: 21, editions: [], hasSizes: false, publishedAt: '2026-11-01T00:00:00.000Z' },
    { number: 2, questions: 20, editions: [], hasSizes: false, publishedAt: '2026-10-01T00:00:00.000Z' },
  ],
}
const site = { ...energy, id: '2', name: 'Site check', versions: [] }

test('a new assessment covers this year, opens today and is due in thirty days', () => {
  expect(newDetails('2026-11-25')).toMatchObject({
    periodStart: '2026-01-01',
    periodEnd: '2026-12-31',
    opensOn: '2026-11-25',
    dueOn: '2026-12-25',
    review: 'one',
  })
})

test('a questionnaire is chosen with its latest version, and names the assessment until someone edits the name', () => {
  const values = newDetails('2026-11-25')
  const first = { ...values, ...chooseQuestionnaire(values, energy, undefined) }
  expect(first).toMatchObject({ questionnaireId: '1', questionnaireNumber: 3, name: 'Dealer energy 2026' })
  expect(chooseQuestionnaire(first, site, energy)).toMatchObject({ name: 'Site check 2026' })
  expect(chooseQuestionnaire({ ...first, name: 'Annual review' }, site, energy)).not.toHaveProperty('name')
})

test('days in the wrong order and a missing questionnaire are named at their fields', () => {
  const values = { ...newDetails('2026-11-25'), name: 'Energy' }
  expect(checkDetails(values)).toEqual({ questionnaireId: 'Choose a questionnaire.' })
  expect(
    checkDetails({ ...values, questionnaireId: '1', periodEnd: '2025-12-31', dueOn: '2026-11-01' }),
  ).toEqual({
    periodEnd: 'The period ends before it starts.',
    dueOn: 'The due date is before the opening date.',
  })
})
