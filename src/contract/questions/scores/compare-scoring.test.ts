import { expect, test } from 'vitest'
import type { Definition } from '../definition.ts'
import { compareScoring } from './compare-scoring.ts'
import { NO_SCORING, type Scoring } from './scoring.ts'

const en = (text: string) => ({ en: text })
const single = (code: string, title: string) => ({
  type: 'single' as const,
  code,
  title: en(title),
  choices: ['no', 'yes'].map((value) => ({ value, title: en(value) })),
})
const definition: Definition = {
  languages: ['en'],
  sections: [
    {
      id: 'energy',
      title: en('Energy'),
      questions: [single('led', 'LED lamps?'), single('solar', 'Solar?')],
    },
  ],
}
const scoring: Scoring = {
  ...NO_SCORING,
  questions: [
    { kind: 'choices', question: 'led', weight: '1', points: [{ value: 'yes', points: '2' }] },
    { kind: 'choices', question: 'solar', weight: '1', points: [{ value: 'yes', points: '1' }] },
  ],
  bands: [{ from: '0', title: en('Start') }],
}
const compare = (after: Scoring, of = definition) =>
  compareScoring({ definition, scoring }, { definition: of, scoring: after }).map(({ message }) => message)

test('an equal scoring, also with listed zeros and another order, has no changes', () => {
  const [led, solar] = scoring.questions
  if (led?.kind !== 'choices' || solar === undefined) throw new Error('missing')
  const same = { ...led, points: [{ value: 'no', points: '0' }, ...led.points] }
  expect(compare({ ...scoring, questions: [solar, same] })).toEqual([])
})

test('every change of points, weights, bands and the total is named once', () => {
  const [led] = scoring.questions
  if (led?.kind !== 'choices') throw new Error('missing')
  const changed: Scoring = {
    ...scoring,
    questions: [{ ...led, weight: '3', points: [{ value: 'yes', points: '4' }] }],
    sections: [{ section: 'energy', weight: '2' }],
    bands: [
      { from: '0', title: en('Start') },
      { from: '50', title: en('Silver') },
    ],
    hasTotal: false,
  }
  expect(compare(changed)).toEqual([
    'LED lamps?: weight 3 instead of 1.',
    'LED lamps?: other points.',
    'Solar?: no longer gives points.',
    'Section “Energy”: weight 2 instead of 1.',
    'Score: without a total.',
    'Bands: Start from 0, Silver from 50 instead of Start from 0.',
  ])
})

test('points of a removed question are not a change of their own', () => {
  const [section] = definition.sections
  if (section === undefined) throw new Error('missing')
  const without = { ...definition, sections: [{ ...section, questions: section.questions.slice(0, 1) }] }
  expect(compare({ ...scoring, questions: scoring.questions.slice(0, 1) }, without)).toEqual([])
})
