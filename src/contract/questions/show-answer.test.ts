import { expect, test } from 'vitest'
import type { Question } from './definition.ts'
import { showAnswer, showValue } from './show-answer.ts'

const EN = { tag: 'en', all: ['en'], facilities: [{ value: '7', label: 'Northgate Ford' }] }
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
  [{ type: 'number', code: 'a', title, unit: 'year' }, '1978', '1978'],
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
        { type: 'text', code: 'make', title: { en: 'Make' } },
        { type: 'number', code: 'miles', title: { en: 'Driven' }, unit: 'mi' },
      ],
    },
    [{ make: 'Kia', miles: '61000' }, { make: 'Ford' }],
    'Make: Kia, Driven: 61,000 mi; Make: Ford',
  ],
  [
    { type: 'computed', code: 'a', title, calculate: 'x', result: 'number', unit: 't' },
    '1200345.50',
    '1,200,345.50 t',
  ],
  [{ type: 'computed', code: 'a', title, calculate: 'x', result: 'text' }, '2026', '2026'],
  [{ type: 'facility', code: 'a', title }, '7', 'Northgate Ford'],
  [{ type: 'file', code: 'a', title }, [{ id: '1', name: 'bill.pdf' }], 'bill.pdf'],
  [{ type: 'address', code: 'a', title }, { street: '1 Main St', city: 'Reno' }, '1 Main St, Reno'],
])('an answer is shown in words', ([question, answer, words]) => {
  expect(showAnswer(question, answer, EN)).toBe(words)
})

test('rows are on lines of their own where there is room, and one row is shown on its own', () => {
  const columns = [{ type: 'text' as const, code: 'make', title: { en: 'Make' } }]
  const table: Question = { type: 'table', code: 'a', title, columns }
  const rows = [{ make: 'Kia' }, { make: 'Ford' }]
  expect(showAnswer(table, rows, { ...EN, isMultiline: true })).toBe('Make: Kia\nMake: Ford')
  expect(showValue(table, { row: 'r1', value: rows[0] }, EN)).toBe('Make: Kia')
  expect(showValue(table, { row: 'r1', value: null }, EN)).toBe('')
  expect(showValue(table, { row: '', value: { notApplicable: true } }, EN)).toBe('Not applicable')
})

test('titles are shown in the language that the sender saw', () => {
  expect(showAnswer(single, 'm', { tag: 'es', all: ['en', 'es'] })).toBe('Mañana')
})
