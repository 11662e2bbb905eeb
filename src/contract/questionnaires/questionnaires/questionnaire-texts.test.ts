import { expect, test } from 'vitest'
import { NO_SCORING } from '#contract/questions/scores/scoring.ts'
import { checkQuestionnaire, type QuestionnaireContent } from './check-questionnaire.ts'
import { needsTranslation, questionnaireTexts, withTranslation } from './questionnaire-texts.ts'

const en = (text: string) => ({ en: text })
const CONTENT: QuestionnaireContent = {
  draft: {
    languages: ['en', 'es'],
    sections: [
      {
        id: 'site',
        title: en('Site'),
        questions: [
          {
            type: 'table',
            code: 'refills',
            title: en('Refills'),
            help: en('One line each.'),
            columns: [
              {
                type: 'single',
                code: 'gas',
                title: en('Gas'),
                choices: [{ value: 'r', title: en('R-134a') }],
              },
            ],
          },
        ],
      },
    ],
  },
  scoring: { ...NO_SCORING, bands: [{ from: '0', title: en('Start') }], questions: [] },
}

test('translating every text completes the language', () => {
  let content: QuestionnaireContent = CONTENT
  const needed = questionnaireTexts(CONTENT).filter(needsTranslation)
  expect(needed.map(({ texts }) => texts['en'])).toEqual([
    'Site',
    'Refills',
    'One line each.',
    'Gas',
    'R-134a',
    'Start',
  ])
  for (const [at, { path }] of needed.entries()) {
    const changed = withTranslation(content, path, 'es', `Texto ${at}`)
    if (changed === null) throw new Error(`${path.join('.')} is not a text`)
    content = changed
  }
  // `bands` without points is an error of its own.
  const { completeness } = checkQuestionnaire(content)
  expect(completeness).toEqual([
    { language: 'en', translated: 6, total: 6 },
    { language: 'es', translated: 6, total: 6 },
  ])
  expect(content.draft.sections[0]?.title).toEqual({ en: 'Site', es: 'Texto 0' })
})

test('an empty translation is removed, and a text that is too long is refused', () => {
  const [title] = questionnaireTexts(CONTENT)
  if (title === undefined) throw new Error('missing')
  const added = withTranslation(CONTENT, title.path, 'es', 'Sitio')
  expect(added === null ? null : withTranslation(added, title.path, 'es', ' ')).toEqual(CONTENT)
  expect(withTranslation(CONTENT, title.path, 'es', 'x'.repeat(501))).toBeNull()
})
