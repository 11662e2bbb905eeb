import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Definition, Question } from '#contract/questions/definition.ts'
import { NO_SCORING, type Scoring } from '#contract/questions/scores/scoring.ts'
import type { Builder } from '#web/questions/builder/use-builder.ts'
import { ImportReport } from '../import/ImportReport.tsx'
import { ScoreFields } from './scoring/ScoreFields.tsx'
import { TranslationsTab } from './translations/TranslationsTab.tsx'
import { Verdict } from './Verdict.tsx'

const en = (text: string) => ({ en: text })
const POLICY: Question = {
  type: 'single',
  code: 'policy',
  title: { en: 'Is there a policy?', es: '¿Hay una política?' },
  choices: [
    { value: 'none', title: en('None') },
    { value: 'written', title: en('Written') },
  ],
}
const NOTES: Question = { type: 'text', code: 'notes', title: en('Notes') }
const DRAFT: Definition = {
  languages: ['en', 'es'],
  sections: [{ id: 'management', title: en('Management'), questions: [POLICY, NOTES] }],
}
const SCORING: Scoring = {
  ...NO_SCORING,
  questions: [
    { kind: 'choices', question: 'policy', weight: '1', points: [{ value: 'written', points: '4' }] },
  ],
  bands: [
    { from: '0', title: en('Start') },
    { from: '50', title: en('Silver') },
  ],
}

const queries = new QueryClient()
const nothing = () => undefined
const builder = (draft: Definition, scoring: Scoring): Builder => ({
  kit: {
    noun: 'section',
    thing: 'Questionnaire',
    readers: 'participants',
    types: [],
    tabs: [],
    hasObligations: true,
  },
  content: { draft, scoring, named: {} },
  chosen: { section: 'management', question: 'policy' },
  language: 'en',
  isReadOnly: false,
  problems: [],
  setLanguage: nothing,
  choose: nothing,
  apply: nothing,
  edit: nothing,
  undo: null,
  redo: null,
  announcement: '',
})
const show = (node: ReactNode) =>
  renderToStaticMarkup(
    <QueryClientProvider client={queries}>
      <MantineProvider>{node}</MantineProvider>
    </QueryClientProvider>,
  )

test('points are shown with what each answer adds to the total', () => {
  const html = show(<ScoreFields builder={builder(DRAFT, SCORING)} question={POLICY} />)
  expect(html).toContain('Worth up to <strong>100.0</strong> of the 100 points of the total')
  expect(html).toMatch(/Written.*\+100\.0/)
  expect(html).toContain('aria-label="Points of None"')
})

test('while a rule is broken, nothing is said about what a question is worth', () => {
  const [section] = DRAFT.sections
  const broken = {
    ...DRAFT,
    sections: section === undefined ? [] : [{ ...section, visibleIf: 'nothing == 1' }],
  }
  const html = show(<ScoreFields builder={builder(broken, SCORING)} question={POLICY} />)
  expect(html).toContain('Fix the rules to see how many points this question counts for.')
  expect(html).not.toContain('+100')
})

test("a question that can't get points says so, and one without points offers them", () => {
  expect(show(<ScoreFields builder={builder(DRAFT, SCORING)} question={NOTES} />)).toContain(
    'can&#x27;t get points',
  )
  expect(show(<ScoreFields builder={builder(DRAFT, NO_SCORING)} question={POLICY} />)).toContain(
    'Give points',
  )
})

test('translations count what is missing, and mark each text with its language', () => {
  const html = show(<TranslationsTab builder={builder(DRAFT, SCORING)} />)
  expect(html).toContain('6 of 7 texts are missing in Spanish')
  expect(html).toContain('lang="es"')
  expect(html).toContain('¿Hay una política?')
})

test("the verdict explains each point, and what can't be submitted", () => {
  const html = show(
    <Verdict
      content={{ draft: DRAFT, scoring: SCORING }}
      language="en"
      failure={null}
      isStale={false}
      verdict={{
        evaluation: {
          visible: ['policy', 'notes'],
          required: [],
          setAside: [],
          computed: {},
          totals: {},
          problems: [
            { question: 'notes', section: 'management', code: 'tooLong', message: 'This is too long.' },
          ],
        },
        progress: { questions: 2, answered: 2, required: 0, requiredAnswered: 0 },
        scores: {
          total: { score: '100.0', band: 1, level: null, nextBand: null },
          sections: [
            {
              section: 'management',
              score: '100.0',
              band: 1,
              level: null,
              questions: 1,
              answered: 1,
              contribution: '100.0',
              possible: '100.0',
            },
          ],
          questions: [
            {
              question: 'policy',
              section: 'management',
              state: 'answered',
              counts: true,
              points: '4',
              mostPoints: '4',
              score: '100.0',
              contribution: '100.0',
              possible: '100.0',
              reasons: [{ value: 'written', row: null, points: '4', adds: '100.0', isMet: true }],
            },
          ],
        },
      }}
    />,
  )
  expect(html).toContain('Can&#x27;t be submitted yet')
  expect(html).toContain('Notes: This is too long.')
  expect(html).toContain('+100.0 of 100.0, +100.0 for “Written”')
  expect(html).toContain('Silver')
})

test('the report of an import names every place once per message', () => {
  const note = (place: string) => ({ place, message: 'The media file was not imported.' })
  const read = { kind: 'xlsform' as const, name: 'A', key: 'a', draft: DRAFT, scoring: SCORING }
  const html = show(
    <ImportReport read={{ ...read, notes: [note('survey, line 2'), note('survey, line 9')] }} />,
  )
  expect(html).toContain('An XLSForm: 2 questions in 1 section')
  expect(html).toContain('survey, line 2; survey, line 9')
  expect(html.match(/The media file/g)).toHaveLength(1)
  expect(show(<ImportReport read={{ ...read, notes: [] }} />)).toContain('Everything was imported.')
})
