import { expect, test } from 'vitest'
import { compileDefinition } from '#contract/questions/compile.ts'
import { Definition } from '#contract/questions/definition.ts'
import type { Change } from './answer-queue.ts'
import type { SyncParts } from './answer-sync.ts'
import { rowKeyOf } from './answer-cells.ts'
import { questionsInNeed } from './answer-sync.ts'
import { Answering } from './answering.ts'

const title = { en: 'Title' }
const compiled = compileDefinition(
  Definition.parse({
    languages: ['en', 'de'],
    sections: [
      {
        id: 'energy',
        title,
        questions: [
          { type: 'text', code: 'site', title },
          { type: 'number', code: 'used', title, unit: 'kWh' },
          {
            type: 'table',
            code: 'meters',
            title,
            obligation: 'ifApplicable',
            columns: [
              { type: 'text', code: 'name', title },
              { type: 'number', code: 'kwh', title },
            ],
          },
        ],
      },
    ],
  }),
)

function open({ kept = [], language = 'en' }: { kept?: readonly Change[]; language?: string } = {}) {
  const batches: Change[][] = []
  let ids = 0
  const parts: SyncParts = {
    store: null,
    send: async (changes) => {
      batches.push([...changes])
      return changes.map(({ id, base }) => ({ id, kind: 'accepted', rev: (base ?? 0) + 1 }))
    },
    now: () => 0,
    newId: () => `id-${(ids += 1)}`,
    random: () => 0,
    after: () => () => undefined,
  }
  const answers = [
    { questionCode: 'site', rowKey: '', value: 'Ford', rev: 2 },
    { questionCode: 'used', rowKey: '', value: '1200.5', rev: 1 },
    { questionCode: 'meters', rowKey: 'a', value: { name: 'Main', kwh: '10.5' }, rev: 1 },
    { questionCode: 'meters', rowKey: 'b', value: { name: 'Shop', kwh: '20' }, rev: 3 },
  ]
  const answering = new Answering({ compiled, language, answers, kept, parts })
  return {
    answering,
    answers,
    batches,
    sent: () => batches.flat().map(({ question, row, base, value }) => [question, row, base, value]),
  }
}
const rowsOf = (answering: Answering): unknown[] => {
  const draft = answering.state().drafts['meters']
  return Array.isArray(draft) ? draft : []
}

test('only what was changed is sent, with the revision it was made from', async () => {
  const { answering, sent } = open()
  answering.change('site', 'Toyota')
  answering.change('used', '1200.5')
  answering.change('meters', rowsOf(answering).with(1, { ...Object(rowsOf(answering)[1]), kwh: '25' }))
  await answering.sync.flush()
  expect(sent()).toEqual([
    ['site', '', 2, 'Toyota'],
    ['meters', 'b', 3, { name: 'Shop', kwh: '25' }],
  ])
})

test('a new row gets a key of its own, an empty one is not sent, and a removed one is cleared', async () => {
  const { answering, sent } = open()
  answering.change('meters', [...rowsOf(answering), {}])
  expect(answering.sync.countWaiting()).toBe(0)
  const key = rowKeyOf(rowsOf(answering)[2])
  expect(key).not.toBe('')
  answering.change('meters', rowsOf(answering).with(2, { ...Object(rowsOf(answering)[2]), name: 'Wash' }))
  answering.change('meters', rowsOf(answering).toSpliced(0, 1))
  await answering.sync.flush()
  expect(sent()).toEqual([
    ['meters', key, 0, { name: 'Wash' }],
    ['meters', 'a', 1, null],
  ])
})

test('a table that is not applicable keeps its rows for the way back', async () => {
  const { answering, sent } = open()
  answering.change('meters', { notApplicable: true })
  await answering.sync.flush()
  answering.change('meters', '')
  await answering.sync.flush()
  expect(sent()).toEqual([
    ['meters', '', 0, { notApplicable: true }],
    ['meters', '', 1, null],
  ])
  expect(rowsOf(answering).map(rowKeyOf)).toEqual(['a', 'b'])
})

test('numbers are shown as the language writes them and sent in plain digits', async () => {
  const { answering, sent } = open({ language: 'de' })
  expect(answering.state().drafts['used']).toBe('1200,5')
  answering.change('used', '1.300,25')
  await answering.sync.flush()
  expect(sent()).toEqual([['used', '', 1, '1300.25']])
})

test('another language changes how numbers are written, and sends nothing', async () => {
  const { answering, sent } = open()
  answering.setLanguage('de')
  expect(answering.state().drafts).toMatchObject({ used: '1200,5', site: 'Ford' })
  expect(rowsOf(answering)).toMatchObject([{ kwh: '10,5' }, { kwh: '20' }])
  await answering.sync.flush()
  expect(sent()).toEqual([])
})

test('what this device kept is shown instead of the answer of the server, and is sent', async () => {
  const kept: Change = {
    id: 'kept-1',
    question: 'site',
    row: '',
    base: 2,
    value: 'Honda',
    at: 1,
    order: 1,
    state: 'waiting',
  }
  const { answering, sent } = open({ kept: [kept] })
  expect(answering.state().drafts['site']).toBe('Honda')
  await answering.sync.flush()
  expect(sent()).toEqual([['site', '', 2, 'Honda']])
})

test('of several kept changes of one answer, the last one is shown', () => {
  const kept: Change = {
    id: 'z',
    question: 'site',
    row: '',
    base: 2,
    value: 'Honda',
    at: 1,
    order: 1,
    state: 'sent',
  }
  const later: Change = { ...kept, id: 'a', base: null, value: 'Hyundai', order: 2, state: 'waiting' }
  expect(open({ kept: [later, kept] }).answering.state().drafts['site']).toBe('Hyundai')
})

test('answers of others are shown when they arrive, except where a change is on its way', async () => {
  const { answering, sent } = open()
  answering.change('site', 'Toyota')
  answering.receive([
    { questionCode: 'site', rowKey: '', value: 'Kia', rev: 3 },
    { questionCode: 'used', rowKey: '', value: '7', rev: 2 },
    { questionCode: 'meters', rowKey: 'b', value: null, rev: 4 },
    { questionCode: 'meters', rowKey: 'c', value: { name: 'Roof' }, rev: 1 },
    { questionCode: 'meters', rowKey: 'a', value: { name: 'Old' }, rev: 1 },
  ])
  expect(answering.state().drafts['site']).toBe('Toyota')
  expect(answering.state().drafts['used']).toBe('7')
  expect(rowsOf(answering).map(rowKeyOf)).toEqual(['a', 'c'])
  answering.change('used', '8')
  await answering.sync.flush()
  // The base of the first is not the newest, so the server notices that two people changed it.
  expect(sent()).toEqual([
    ['site', '', 2, 'Toyota'],
    ['used', '', 2, '8'],
  ])
})

test('the other value of a conflict takes the place of the own one', async () => {
  const { answering } = open()
  const change: Change = {
    id: 'c',
    question: 'site',
    row: '',
    base: 2,
    value: 'Toyota',
    at: 0,
    order: 1,
    state: 'conflict',
    current: { value: 'Kia', rev: 3, by: 'Ana', at: '' },
  }
  const opened = open({ kept: [change] })
  await opened.answering.resolveConflict(change, 'theirs')
  expect(opened.answering.state().drafts['site']).toBe('Kia')
  expect(opened.sent()).toEqual([])
  const both = open({ kept: [change] })
  await both.answering.resolveConflict(change, 'both')
  expect(both.answering.state().drafts['site']).toBe('Kia / Toyota')
  expect(both.sent()).toEqual([['site', '', 3, 'Kia / Toyota']])
  expect(answering.sync.countWaiting()).toBe(0)
})

test('a refused value is sent again under an ID of its own when the person asks for it', async () => {
  const refused: Change = {
    id: 'r',
    question: 'site',
    row: '',
    base: 2,
    value: 'Toyota',
    at: 0,
    order: 1,
    state: 'refused',
    message: 'This assessment is closed.',
  }
  const { answering, sent } = open({ kept: [refused] })
  await answering.resend('used')
  expect(sent().filter(([question]) => question === 'used')).toEqual([])
  await answering.resend('site')
  expect(sent()).toContainEqual(['site', '', 2, 'Toyota'])
  expect(answering.sync.state().queue.changes.map(({ id }) => id)).not.toContain('r')
})

test('a refused value needs a person, who can give it up for what the server has', async () => {
  const refused: Change = {
    id: 'r',
    question: 'site',
    row: '',
    base: 2,
    value: 'Toyota',
    at: 0,
    order: 1,
    state: 'refused',
    message: 'This assessment is closed.',
  }
  const { answering, sent } = open({ kept: [refused] })
  expect(questionsInNeed(answering.sync.state())).toEqual(['site'])
  expect(answering.state().drafts['site']).toBe('Toyota')
  await answering.drop('site', [{ questionCode: 'site', rowKey: '', value: 'Kia', rev: 2 }])
  expect(questionsInNeed(answering.sync.state())).toEqual([])
  expect(answering.state().drafts['site']).toBe('Kia')
  expect(sent()).toEqual([])
})
