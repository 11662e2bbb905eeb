import { expect, test } from 'vitest'
import type { SavedAnswers, StoredAnswer } from '#contract/assessments/answers/answer-schema.ts'
import { compileDefinition } from '#contract/questions/compile.ts'
import { Definition } from '#contract/questions/definition.ts'
import { answersOf } from './answer-drafts.ts'
import type { Change } from './answer-queue.ts'
import { AnswersStore } from './answers-store.ts'

const en = (text: string) => ({ en: text })
const compiled = compileDefinition(
  Definition.parse({
    languages: ['en', 'de'],
    sections: [
      {
        id: 'site',
        title: en('Site'),
        questions: [
          { type: 'text', code: 'name', title: en('Name') },
          { type: 'number', code: 'refilled', title: en('Refilled'), unit: 'lb' },
          {
            type: 'table',
            code: 'meters',
            title: en('Meters'),
            obligation: 'ifApplicable',
            columns: [
              { type: 'text', code: 'meter', title: en('Meter') },
              { type: 'number', code: 'kwh', title: en('Used') },
            ],
          },
        ],
      },
    ],
  }),
)

const answer = (questionCode: string, value: unknown, more: Partial<StoredAnswer> = {}): StoredAnswer => ({
  questionCode,
  rowKey: '',
  value,
  rev: 1,
  isSetAside: false,
  sourceTargetId: null,
  answeredBy: 'Ana Souza',
  answeredAt: '2026-11-25T10:00:00.000Z',
  ...more,
})
const ROWS = [
  answer('meters', { meter: 'Hall', kwh: '1200.5' }, { rowKey: 'r1' }),
  answer('meters', { meter: 'Yard' }, { rowKey: 'r2' }),
]

function open({ answers = [], kept = [] }: { answers?: StoredAnswer[]; kept?: Change[] } = {}) {
  const sent: Pick<Change, 'question' | 'row' | 'value' | 'base'>[] = []
  let lastId = 0
  const store = new AnswersStore({
    compiled,
    language: 'en',
    answers,
    kept,
    parts: {
      store: null,
      now: () => 0,
      newId: () => `id-${(lastId += 1)}`,
      random: () => 0,
      after: () => () => {},
    },
    save: async (changes): Promise<SavedAnswers> => {
      sent.push(...changes.map(({ question, row, value, base }) => ({ question, row, value, base })))
      return {
        results: changes.map(({ id, question, row, value, base }) => ({
          mutationId: id,
          status: 'accepted',
          rev: (base ?? 0) + 1,
          current: answer(question, value, { rowKey: row, rev: (base ?? 0) + 1 }),
          problem: null,
        })),
        state: 'in_progress',
        evaluation: { visible: [], required: [], setAside: [], computed: {}, totals: {}, problems: [] },
        questions: 0,
        answered: 0,
        required: 0,
        requiredAnswered: 0,
        score: null,
      }
    },
  })
  return { store, sent }
}
const answersIn = (store: AnswersStore) => answersOf(compiled, store.view().drafts, store.view().language)
const rowsOf = (store: AnswersStore) => answersIn(store)['meters']

test('a changed row of a table is sent under its own key, and the other rows are not', async () => {
  const { store, sent } = open({ answers: ROWS })
  const [hall, yard] = Object.values(store.view().drafts['meters'] ?? {})
  store.change('meters', [hall, { ...Object(yard), kwh: '2,000' }])
  await store.sync.flush()
  expect(sent).toEqual([{ question: 'meters', row: 'r2', value: { meter: 'Yard', kwh: '2000' }, base: 1 }])
})

test('a new row gets a key of its own, and a removed row is cleared', async () => {
  const { store, sent } = open({ answers: ROWS })
  const [hall] = Object.values(store.view().drafts['meters'] ?? {})
  store.change('meters', [hall, { meter: 'Roof' }])
  await store.sync.flush()
  expect(sent).toEqual([
    { question: 'meters', row: 'id-1', value: { meter: 'Roof' }, base: 0 },
    { question: 'meters', row: 'r2', value: null, base: 1 },
  ])
  expect(rowsOf(store)).toEqual([{ meter: 'Hall', kwh: '1200.5' }, { meter: 'Roof' }])
})

test('a table that was not applicable has its rows again', async () => {
  const { store, sent } = open({ answers: ROWS })
  store.change('meters', { notApplicable: true })
  await store.sync.flush()
  store.change('meters', '')
  await store.sync.flush()
  expect(sent.map(({ row, value }) => [row, value])).toEqual([
    ['', { notApplicable: true }],
    ['', null],
  ])
  expect(rowsOf(store)).toEqual([{ meter: 'Hall', kwh: '1200.5' }, { meter: 'Yard' }])
})

test('numbers follow the language, and keep their digits', () => {
  const { store } = open({ answers: [answer('refilled', '1200.5'), ...ROWS] })
  expect(store.view().drafts['refilled']).toBe('1,200.5')
  store.setLanguage('de')
  expect(store.view().drafts['refilled']).toBe('1.200,5')
  expect(answersIn(store)).toMatchObject({ refilled: '1200.5', meters: [{ kwh: '1200.5' }, {}] })
})

test('an answer of another person appears, and one that is being typed stays', async () => {
  const { store, sent } = open({ answers: [answer('name', 'Old'), answer('refilled', '1')] })
  store.change('refilled', '2')
  store.take([answer('name', 'New', { rev: 2 }), answer('refilled', '9', { rev: 2 })])
  expect(store.view().drafts).toMatchObject({ name: 'New', refilled: '2' })
  store.change('name', 'Newer')
  await store.sync.flush()
  // Made from what each of them was shown.
  expect(sent.map(({ question, base }) => [question, base])).toEqual([
    ['refilled', 1],
    ['name', 2],
  ])
})

test('what the device kept is shown and sent, under the ID that may have arrived before', async () => {
  const kept: Change = {
    question: 'name',
    row: '',
    id: 'kept',
    base: 1,
    value: 'Typed',
    at: 0,
    order: 1,
    state: 'waiting',
  }
  const { store, sent } = open({ answers: [answer('name', 'Old')], kept: [kept] })
  expect(store.view().drafts['name']).toBe('Typed')
  store.change('name', 'Typed later')
  await store.sync.flush()
  expect(sent.map(({ value, base }) => [value, base])).toEqual([
    ['Typed', 1],
    ['Typed later', 2],
  ])
})

test('after it was closed, nothing is sent or changed anymore', async () => {
  const { store, sent } = open()
  store.change('name', 'Tom')
  await store.close()
  await store.sync.flush()
  expect(sent).toEqual([])
  expect(store.sync.state().queue.changes).toMatchObject([{ value: 'Tom', state: 'waiting' }])
})
