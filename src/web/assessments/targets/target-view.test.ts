import { expect, test } from 'vitest'
import type { TargetRecord } from '#contract/assessments/targets/targets.ts'
import { compileDefinition } from '#contract/questions/compile.ts'
import { Definition } from '#contract/questions/definition.ts'
import { evaluateAnswers } from '#contract/questions/evaluate.ts'
import { differenceFrom, openProblems, opennessOf, showSections } from './target-view.ts'

const title = { en: 'Title' }
const compiled = compileDefinition(
  Definition.parse({
    languages: ['en'],
    sections: [
      {
        id: 'site',
        title,
        questions: [
          { type: 'note', code: 'intro', title, text: title },
          { type: 'boolean', code: 'wash', title, obligation: 'required' },
          { type: 'number', code: 'washes', title, obligation: 'required', visibleIf: 'wash' },
        ],
      },
      { id: 'paint', title, visibleIf: 'wash', questions: [{ type: 'text', code: 'paint', title }] },
      {
        id: 'energy',
        title,
        questions: [
          { type: 'table', code: 'bills', title, columns: [{ type: 'text', code: 'meter', title }] },
          { type: 'computed', code: 'sum', title, calculate: '1', result: 'number' },
        ],
      },
    ],
  }),
)
const evaluate = (answers: Record<string, unknown>) =>
  evaluateAnswers(compiled, answers, {
    language: 'en',
    now: new Date('2026-11-25T12:00:00Z'),
    zone: 'UTC',
    setAside: true,
  })
const record = (more: Partial<TargetRecord>): Pick<TargetRecord, 'state' | 'open' | 'openRows'> => ({
  state: 'in_progress',
  open: ['wash', 'washes', 'bills'],
  openRows: [],
  ...more,
})
const question = (code: string) => {
  const found = compiled.byCode.get(code)?.question
  if (found === undefined) throw new Error(code)
  return found
}
const flag = (questionCode: string, resolvedAt: string | null) => ({
  id: '1',
  questionCode,
  comment: 'Check it.',
  flaggedBy: 'Miguel Santos',
  flaggedAt: '2026-11-20T12:00:00.000Z',
  resolvedAt,
})

test('sections keep their number when others are not asked, and notes have none', () => {
  const flags = [flag('bills', null), flag('wash', '2026-11-21T12:00:00.000Z')]
  const sections = showSections(compiled, evaluate({ wash: false }), { flags, inNeed: [] })
  expect(
    sections.map(({ section, answered, questions, flagged }) => [section, answered, questions, flagged]),
  ).toEqual([
    ['site', 1, 1, 0],
    ['energy', 0, 1, 1],
  ])
  expect(sections.map(({ items }) => items.map(({ number }) => number))).toEqual([
    ['', '1.1'],
    ['3.1', '3.2'],
  ])
})

test('a question that a person must decide about is shown also if it is not asked', () => {
  const shown = (inNeed: readonly string[]) =>
    showSections(compiled, evaluate({ wash: false }), { flags: [], inNeed }).flatMap(({ items }) =>
      items.map((one) => one.question.code),
    )
  expect(shown([])).not.toContain('washes')
  expect(shown(['washes'])).toContain('washes')
})

test('a question is open as the server says, also one that no answer asked for before', () => {
  expect(opennessOf(record({}), question('wash'))).toEqual({ isOpen: true, rows: null })
  expect(opennessOf(record({ open: ['bills'] }), question('wash')).isOpen).toBe(false)
  expect(opennessOf(record({}), question('washes')).isOpen).toBe(true)
  expect(opennessOf(record({ open: ['wash'] }), question('washes')).isOpen).toBe(false)
  expect(opennessOf(record({}), question('sum')).isOpen).toBe(false)
  expect(opennessOf(record({ state: 'submitted' }), question('wash')).isOpen).toBe(false)
})

test('someone who was asked for a row may change that row only', () => {
  const delegate = record({ open: [], openRows: [{ questionCode: 'bills', rowKey: 'a' }] })
  expect(opennessOf(delegate, question('bills'))).toEqual({ isOpen: true, rows: ['a'] })
  expect(opennessOf(delegate, question('wash')).isOpen).toBe(false)
})

test('each question to correct is named once', () => {
  expect(openProblems(evaluate({ wash: true })).map((one) => one.question)).toEqual(['washes'])
})

test.each([
  ['120000', '90000', '25% lower'],
  ['100', '155', '55% higher'],
  ['100', '100', 'the same'],
  ['1000', '1001', 'less than 1% higher'],
  ['0', '5', null],
  ['100', '', null],
  [undefined, '5', null],
  [['a'], '5', null],
])('from %o to %o is %s', (before, now, words) => {
  expect(differenceFrom(before, now)).toBe(words)
})
