import { expect, test } from 'vitest'
import { NO_SCORING } from '#contract/questions/scores/scoring.ts'
import type { QuestionnaireContent } from './check-questionnaire.ts'
import { applyTranslations, translationTable } from './translation-table.ts'

const en = (text: string) => ({ en: text })
const CONTENT: QuestionnaireContent = {
  draft: {
    languages: ['en', 'es'],
    sections: [
      {
        id: 'site',
        title: { en: 'Site', es: 'Sitio' },
        questions: [
          {
            type: 'single',
            code: 'policy',
            title: en('=Policy?'),
            choices: [{ value: 'yes', title: en('Yes') }],
          },
        ],
      },
    ],
  },
  scoring: { ...NO_SCORING, bands: [{ from: '0', title: en('Start') }] },
}

test('the table has a stable key for each text, and no cell that a spreadsheet calculates', () => {
  expect(translationTable(CONTENT)).toEqual([
    ['Key', 'Text', 'en', 'es'],
    ['sections.site.title', 'title of the section', 'Site', 'Sitio'],
    ['sections.site.questions.policy.title', 'title', "'=Policy?", ''],
    ['sections.site.questions.policy.choices.yes.title', 'title of the choice', 'Yes', ''],
    ['scoring.bands.0.title', 'name of the band', 'Start', ''],
  ])
})

test('translations are put in, the original and empty cells change nothing, and unknown lines are named', () => {
  const { content, changed, problems } = applyTranslations(CONTENT, [
    ['key', 'es', 'en'],
    ['sections.site.title', '', 'Changed'],
    ['sections.site.questions.policy.title', "'=Política", ''],
    ['scoring.bands.0.title', 'Inicio', ''],
    ['sections.other.title', 'Otro', ''],
    ['sections.site.questions.policy.choices.yes.title', 'x'.repeat(501), ''],
  ])
  expect(changed).toBe(2)
  expect(problems).toEqual([
    "Line 5: sections.other.title doesn't exist in this questionnaire.",
    'Line 6: the text in es is too long.',
  ])
  expect(content.draft.sections[0]?.title).toEqual({ en: 'Site', es: 'Sitio' })
  expect(content.draft.sections[0]?.questions[0]?.title).toEqual({ en: '=Policy?', es: '=Política' })
  expect(content.scoring.bands[0]?.title).toEqual({ en: 'Start', es: 'Inicio' })
})

test('an exported table changes nothing, and one without its columns is refused', () => {
  expect(applyTranslations(CONTENT, translationTable(CONTENT))).toEqual({
    content: CONTENT,
    changed: 0,
    problems: [],
  })
  expect(applyTranslations(CONTENT, [['a', 'b']]).problems).toEqual([
    'Line 1: the columns “Key” and es are needed.',
  ])
})
