import { expect, test } from 'vitest'
import { Definition, type Question } from '#contract/questions/definition.ts'
import { type DroppedValue, fitAnswer, fitAnswers } from './fit-answer.ts'

const title = { en: 'Title' }
const choice = (value: string) => ({ value, title })
const question = (one: object): Question => {
  const [parsed] = Definition.parse({
    languages: ['en'],
    sections: [{ id: 's', title, questions: [{ code: 'q', title, ...one }] }],
  }).sections.flatMap(({ questions }) => questions)
  if (parsed === undefined) throw new Error('There is no question.')
  return parsed
}
const plain = (value: unknown, rowKey = '') => ({ rowKey, value })
const text = question({ type: 'text' })
const number = question({ type: 'number' })

test('a value stays if the question of the other version accepts it, also under another type', () => {
  expect(fitAnswer(text, plain('4.2'))).toEqual({ value: '4.2', isWhole: true })
  expect(fitAnswer(number, plain('4.2'))).toEqual({ value: '4.2', isWhole: true })
  expect(fitAnswer(number, plain('none'))).toEqual({ value: null, isWhole: false })
  expect(fitAnswer(undefined, plain('none'))).toEqual({ value: null, isWhole: false })
  expect(fitAnswer(undefined, plain(null))).toEqual({ value: null, isWhole: true })
  // A table's row is no answer to a question of another type, and the other way around.
  expect(fitAnswer(text, plain({ name: 'Hall' }, 'r1'))).toEqual({ value: null, isWhole: false })
})

test('of choices, matrices and rows of tables, the parts that still exist stay', () => {
  const multiple = question({ type: 'multiple', choices: [choice('a'), choice('b')] })
  expect(fitAnswer(multiple, plain(['a', 'gone']))).toEqual({ value: ['a'], isWhole: false })
  expect(fitAnswer(multiple, plain(['gone']))).toEqual({ value: null, isWhole: false })
  const matrix = question({
    type: 'matrix',
    rows: [{ code: 'parts', title }],
    choices: [choice('all'), choice('none')],
  })
  expect(fitAnswer(matrix, plain({ parts: 'all', service: 'all' }))).toEqual({
    value: { parts: 'all' },
    isWhole: false,
  })
  const table = question({ type: 'table', columns: [{ type: 'number', code: 'kwh', title }] })
  expect(fitAnswer(table, plain({ kwh: '640', meter: 'Hall' }, 'r1'))).toEqual({
    value: { kwh: '640' },
    isWhole: false,
  })
})

test('a dropped value comes back with a version that accepts it, unless the answer was changed since', () => {
  const answers = [{ questionCode: 'q', rowKey: '', value: 'none', rev: 3 }]
  const moved = fitAnswers(answers, { former: [], questionOf: () => number })
  const dropped: DroppedValue[] = [{ questionCode: 'q', rowKey: '', value: 'none', rev: 4 }]
  expect(moved).toEqual({
    answers: [{ ...answers[0], value: null, rev: 4 }],
    changed: [{ ...answers[0], value: null, rev: 4 }],
    dropped,
  })
  const back = fitAnswers(moved.answers, { former: dropped, questionOf: () => text })
  expect(back.answers).toEqual([{ ...answers[0], value: 'none', rev: 5 }])
  expect(back.dropped).toEqual([])
  // Through a version without the question.
  const without = fitAnswers(moved.answers, { former: dropped, questionOf: () => undefined })
  expect(without).toEqual({ answers: moved.answers, changed: [], dropped })
  const since = [{ questionCode: 'q', rowKey: '', value: '7', rev: 5 }]
  expect(fitAnswers(since, { former: dropped, questionOf: () => text }).answers).toEqual(since)
})
