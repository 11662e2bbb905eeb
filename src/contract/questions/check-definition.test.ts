import { describe, expect, test } from 'vitest'
import { checkDefinition } from './check-definition.ts'
import { compileDefinition } from './compile.ts'
import { Definition, type Question } from './definition.ts'

const en = (text: string) => ({ en: text })
const choice = (value: string) => ({ value, title: en(value) })
const NAME = { type: 'text', code: 'name', title: en('Name') }
const SIZE = { type: 'number', code: 'size', title: en('Size') }
const KIND = { type: 'single', code: 'kind', title: en('Kind'), choices: ['new', 'used'].map(choice) }

const define = (questions: readonly object[], more: object = {}, section: object = {}) =>
  Definition.parse({
    languages: ['en'],
    ...more,
    sections: [{ id: 'one', title: en('One'), questions, ...section }],
  })

/** Place within the question, severity if it is a warning, message, and the marked characters of the rule. */
function faultsOf(definition: Definition): string[] {
  return checkDefinition(definition).faults.map(({ severity, path, message, span }) => {
    const place = path[2] === 'questions' ? path.slice(3).join('.') : path.join('.')
    const [, , , at] = path
    const question: Question | undefined =
      typeof at === 'number' ? definition.sections[0]?.questions[at] : undefined
    const texts: Record<string, unknown> = question ?? {}
    const rule = texts[String(path[4])]
    const marked = span === null || typeof rule !== 'string' ? '' : ` «${rule.slice(span.from, span.to)}»`
    return `${severity === 'warning' ? 'warning ' : ''}${place}: ${message}${marked}`
  })
}

test('a definition without faults can be published', () => {
  const definition = define([NAME, SIZE, { ...KIND, visibleIf: 'size > 3' }])
  expect(checkDefinition(definition)).toEqual({
    faults: [],
    isPublishable: true,
    completeness: [{ language: 'en', translated: 6, total: 6 }],
  })
})

test('a fault names its section and question', () => {
  const definition = define([NAME, { ...SIZE, visibleIf: 'nme == "a"' }])
  expect(checkDefinition(definition).faults).toEqual([
    {
      severity: 'error',
      message: 'Unknown field `nme`. Did you mean `name`?',
      path: ['sections', 0, 'questions', 1, 'visibleIf'],
      section: 'one',
      question: 'size',
      span: { from: 0, to: 3 },
    },
  ])
})

describe('each fault is reported where it is', () => {
  const file = { type: 'file', code: 'photos', title: en('Photos') }
  const table = {
    type: 'table',
    code: 'meters',
    title: en('Meters'),
    columns: [{ type: 'number', code: 'kwh', title: en('kWh'), total: 'kwhTotal' }],
  }
  const computed = (code: string, calculate: string, result = 'number') => {
    return { type: 'computed', code, title: en(code), calculate, result }
  }
  test.for<[string, readonly object[], string[]]>([
    [
      'no question',
      [{ type: 'note', code: 'hi', title: en('Hi'), text: en('Hi') }],
      ['sections: Add a question.'],
    ],
    ['two questions with one code', [NAME, NAME], ['1.code: name is already the code of another question.']],
    [
      'a total called like a question',
      [{ ...NAME, code: 'kwhTotal' }, table],
      ['1.columns.0.total: kwhTotal is already the code of another question.'],
    ],
    [
      'an empty code',
      [{ ...NAME, code: '' }],
      ['0.code: Use letters, digits and _, starting with a letter.'],
    ],
    [
      'a code with a dot',
      [{ ...NAME, code: 'a.b' }],
      ['0.code: Use letters, digits and _, starting with a letter.'],
    ],
    ['a reserved word', [{ ...NAME, code: 'in' }], ['0.code: in has a meaning in rules. Use another name.']],
    ['no title', [{ ...NAME, title: {} }], ['0.title.en: Enter the title in the default language (en).']],
    [
      'a rule with a type error',
      [NAME, { ...SIZE, visibleIf: 'name > 3' }],
      ['1.visibleIf: `name` is text: compare it with text in quotes, not a number. «3»'],
    ],
    [
      'a choice that does not exist',
      [KIND, { ...SIZE, requiredIf: 'kind == "old"' }],
      ['1.requiredIf: `kind` can\'t be "old". Valid values: "new", "used". «"old"»'],
    ],
    [
      'a file in a rule',
      [file, { ...NAME, check: 'photos != null' }],
      ["1.check: Rules can't use `photos`: it is a file. «photos»"],
    ],
    [
      'a table in a rule',
      [table, { ...NAME, check: 'kwhTotal > 3 && meters == null' }],
      [
        "1.check: Rules can't use `meters`: it is a table. Name the total of one of its columns and use that. «meters»",
      ],
    ],
    [
      'an unfinished rule',
      [NAME, { ...SIZE, visibleIf: 'name ==' }],
      ['1.visibleIf: The rule is incomplete. «»'],
    ],
    [
      'a result of another type',
      [NAME, computed('twice', 'name', 'number')],
      ['1.calculate: The result is text, not a number. «name»'],
    ],
    [
      'a question that hides itself',
      [{ ...NAME, visibleIf: 'name == "a"' }],
      ['0.visibleIf: `name` depends on itself.'],
    ],
    [
      'two questions that need each other',
      [
        { ...NAME, visibleIf: 'size > 1' },
        { ...SIZE, visibleIf: 'name == "a"' },
      ],
      ['0.visibleIf: These questions depend on each other: `name` → `size` → `name`.'],
    ],
    [
      'a cycle through a calculation',
      [NAME, { ...SIZE, visibleIf: 'twice > 1' }, computed('twice', 'size * 2')],
      ['1.visibleIf: These questions depend on each other: `size` → `twice` → `size`.'],
    ],
    [
      'a cycle through a total',
      [{ ...table, visibleIf: 'twice > 1' }, computed('twice', 'kwhTotal * 2')],
      ['0.visibleIf: These questions depend on each other: `meters` → `twice` → `meters`.'],
    ],
    ['no choices', [{ ...KIND, choices: [] }], ['0.choices: Add a choice.']],
    [
      'a choice without a value',
      [{ ...KIND, choices: [choice('a'), { value: ' ', title: en('B') }] }],
      ['0.choices.1.value: Enter a value for this choice.'],
    ],
    [
      'values that differ only in case',
      [{ ...KIND, choices: [choice('a'), choice('A')] }],
      ['0.choices.1.value: Another choice has the value A.'],
    ],
    [
      'the value of an answer that is not listed',
      [{ ...KIND, allowOther: true, choices: [choice('Other')] }],
      ['0.choices.0.value: "other" is the value of an answer that isn\'t listed.'],
    ],
    [
      'a maximum below the minimum',
      [{ ...SIZE, min: '10', max: '9.5' }],
      ['0.max: The maximum is below the minimum, 10.'],
    ],
    [
      'a date that does not exist',
      [{ type: 'date', code: 'day', title: en('Day'), earliest: '2026-02-30' }],
      ["0.earliest: 2026-02-30 isn't a date."],
    ],
    [
      'a required note',
      [NAME, { type: 'note', code: 'hi', title: en('Hi'), text: en('Hi'), obligation: 'required' }],
      ["1.obligation: A note can't be required."],
    ],
    [
      'a rule that adds nothing',
      [NAME, { ...SIZE, obligation: 'required', requiredIf: 'name == "a"' }],
      ['1.requiredIf: Remove this rule: the question always needs an answer.'],
    ],
    [
      'a hidden field that is required',
      [NAME, { ...SIZE, isHidden: true, prefill: 'size', obligation: 'required' }],
      ["1.obligation: A hidden field can't be required: visitors can't answer it."],
    ],
    [
      'a hidden file',
      [NAME, { ...file, isHidden: true }],
      ["1.isHidden: A question of this type can't be hidden."],
    ],
    [
      'a hidden field that nothing fills',
      [NAME, { ...SIZE, isHidden: true }],
      ['warning 1.prefill: This hidden field stays empty: no URL parameter fills it.'],
    ],
    ['a table without columns', [NAME, { ...table, columns: [] }], ['1.columns: Add a column.']],
    [
      'a message that is never shown',
      [{ ...NAME, messages: { check: en('No') } }],
      ['warning 0.messages.check: This message is never shown: there is no check.'],
    ],
  ])('%s', ([, questions, faults]) => {
    expect(faultsOf(define(questions))).toEqual(faults)
  })

  test('a consent that the URL gives, without a channel, with an unknown placeholder', () => {
    const consent = {
      type: 'consent',
      code: 'calls',
      title: en('Calls'),
      text: en('{dealer} may call.'),
      version: 1,
    }
    expect(
      faultsOf(define([NAME, { ...consent, purpose: 'marketing', channels: [], prefill: 'calls' }])),
    ).toEqual([
      "1.prefill: The URL can't fill a question of this type.",
      '1.channels: Choose how the person may be contacted.',
      "1.text.en: {dealer} isn't replaced. Only {seller} is.",
    ])
  })

  test('a section whose rule uses its own question', () => {
    expect(faultsOf(define([NAME, SIZE], {}, { visibleIf: 'size > 3' }))).toEqual([
      "sections.0.visibleIf: The rule of a section can't use its own question `size`.",
    ])
  })

  test('every cycle', () => {
    const loop = (code: string, other: string) => ({ ...SIZE, code, visibleIf: `${other} > 1` })
    const definition = define([
      loop('a', 'b'),
      loop('b', 'a'),
      loop('c', 'd'),
      loop('d', 'c'),
      loop('e', 'e'),
    ])
    expect(checkDefinition(definition).faults.map(({ path }) => path[3])).toEqual([0, 2, 4])
  })
})

test('missing translations are one warning per language, with their number', () => {
  const definition = define(
    [{ ...NAME, help: { en: 'As in your license', es: 'Como en su licencia' } }, KIND],
    { languages: ['en', 'es'] },
    { title: { en: 'One', es: 'Uno' } },
  )
  const { faults, isPublishable, completeness } = checkDefinition(definition)
  expect(faults.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
    'warning: 4 texts are missing in es.',
  ])
  expect(isPublishable).toBe(true)
  expect(completeness).toEqual([
    { language: 'en', translated: 6, total: 6 },
    { language: 'es', translated: 2, total: 6 },
  ])
})

test('a definition with errors in its rules does not compile', () => {
  expect(() => compileDefinition(define([{ ...NAME, visibleIf: 'nme == "a"' }]))).toThrow('Unknown field')
  expect(() => compileDefinition(define([NAME, NAME]))).toThrow('name exists twice.')
  expect(() => compileDefinition(define([{ ...NAME, visibleIf: 'name == "a"' }]))).toThrow(
    'depend on each other',
  )
})

test('a text that no database stores is refused', () => {
  expect(
    Definition.safeParse({ languages: ['en'], sections: [{ id: 'one', title: en('\0'), questions: [] }] })
      .success,
  ).toBe(false)
  expect(
    Definition.safeParse({ languages: ['en'], sections: [{ id: '\ud800', title: en(''), questions: [] }] })
      .success,
  ).toBe(false)
})

test('many faulty rules are reported in parts', () => {
  const questions = Array.from({ length: 60 }, (_, at) => ({
    ...NAME,
    code: `name${at}`,
    visibleIf: 'nmae == "a"',
  }))
  const { faults, isPublishable } = checkDefinition(define(questions))
  expect(faults.filter(({ span }) => span !== null)).toHaveLength(20)
  expect(faults.at(-1)?.message).toBe('Other rules may have errors too. Fix these first.')
  expect(isPublishable).toBe(false)
})

test('the rules of a definition have a limit in all', () => {
  const rule = `name == "${'x'.repeat(1_900)}"`
  const questions = Array.from({ length: 60 }, (_, at) => ({ ...NAME, code: `name${at}`, visibleIf: rule }))
  expect(() => define(questions)).toThrow('All rules together may have at most 100000 characters.')
})
