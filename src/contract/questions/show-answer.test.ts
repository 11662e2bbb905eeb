import { expect, test } from 'vitest'
import type { Question } from './definition.ts'
import { showAnswer } from './show-answer.ts'

const EN = { tag: 'en', all: ['en'] }
const title = { en: 'Question' }
const choices = [
  { value: 'm', title: { en: 'Morning', es: 'Mañana' } },
  { value: 'e', title: { en: 'Evening' } },
]
const single: Question = { type: 'single', code: 'time', title, choices, allowOther: true }
const multiple: Question = { type: 'multiple', code: 'times', title, choices, allowOther: true }

test.for<[Question, unknown, string]>([
  [single, 'm', 'Morning'],
  [single, { other: 'Noon' }, 'Noon'],
  [single, 'gone', 'gone'],
  [multiple, ['m', 'e', { other: 'Noon' }], 'Morning, Evening, Noon'],
  [{ type: 'boolean', code: 'a', title }, false, 'No'],
  [{ type: 'rating', code: 'a', title, max: 5 }, 4, '4 / 5'],
  [{ type: 'number', code: 'a', title, unit: 'miles' }, '12000', '12,000 miles'],
  [{ type: 'number', code: 'a', title }, '-1234.50', '\u22121,234.50'],
  [{ type: 'date', code: 'a', title }, '2026-11-28', 'Nov 28, 2026'],
  [{ type: 'text', code: 'a', title }, { refused: 'Private' }, 'Not answered: Private'],
  [{ type: 'text', code: 'a', title }, { notApplicable: true }, 'Not applicable'],
  [{ type: 'text', code: 'a', title }, undefined, ''],
  [
    { type: 'matrix', code: 'a', title, rows: [{ code: 'r', title: { en: 'Tires' } }], choices },
    { r: 'm' },
    'Tires: Morning',
  ],
  [
    {
      type: 'table',
      code: 'a',
      title,
      columns: [
        { type: 'text', code: 'make', title },
        { type: 'number', code: 'miles', title, unit: 'mi' },
      ],
    },
    [{ make: 'Kia', miles: '61000' }, { make: 'Ford' }],
    'Kia, 61,000 mi; Ford',
  ],
  [{ type: 'address', code: 'a', title }, { street: '1 Main St', city: 'Reno' }, '1 Main St, Reno'],
])('an answer is shown in words', ([question, answer, words]) => {
  expect(showAnswer(question, answer, EN)).toBe(words)
})

test('titles are shown in the language that the sender saw', () => {
  expect(showAnswer(single, 'm', { tag: 'es', all: ['en', 'es'] })).toBe('Mañana')
})
