import { describe, expect, test } from 'vitest'
import { compileDefinition } from '../compile.ts'
import { Definition } from '../definition.ts'
import { evaluateAnswers, type EvaluateOptions } from '../evaluate.ts'

const en = (text: string) => ({ en: text })
const choices = ['low', 'high'].map((value) => ({ value, title: en(value) }))
const OPTIONS: EvaluateOptions = { language: 'en', now: new Date('2026-11-25T15:00:00Z'), zone: 'UTC' }

/** The stored answer, or its problems as `code`, with row and column. */
function read(question: object, answer: unknown, options: Partial<EvaluateOptions> = {}): unknown {
  const questions = [{ code: 'q', title: en('Q'), ...question }]
  const definition = Definition.parse({
    languages: ['en'],
    sections: [{ id: 'one', title: en('One'), questions }],
  })
  const result = evaluateAnswers(compileDefinition(definition), { q: answer }, { ...OPTIONS, ...options })
  const problems = result.problems.map(({ code, row, column }) =>
    [code, ...(row === undefined ? [] : [row]), ...(column === undefined ? [] : [column])].join(' '),
  )
  return problems.length > 0 ? problems : result.answers.q
}

describe('matrix', () => {
  const matrix = { type: 'matrix', rows: ['a', 'b'].map((code) => ({ code, title: en(code) })), choices }
  test.for<[string, object, unknown, unknown]>([
    ['one choice in each row', {}, { b: 'high', a: 'low' }, { a: 'low', b: 'high' }],
    ['a row left out', {}, { a: 'low', b: '' }, { a: 'low' }],
    ['no row', {}, {}, undefined],
    [
      'a row left out of a required question',
      { obligation: 'required' },
      { a: 'low' },
      ['matrixIncomplete b'],
    ],
    ['no row of a required question', { obligation: 'required' }, {}, ['required']],
    ['an unknown row', {}, { c: 'low' }, ['wrongType']],
    ['an unknown choice', {}, { a: 'middle' }, ['notAChoice a']],
    ['a list', {}, ['low'], ['wrongType']],
  ])('%s', ([, more, answer, expected]) => {
    expect(read({ ...matrix, ...more }, answer)).toEqual(expected)
  })
})

describe('table', () => {
  const table = {
    type: 'table',
    maxRows: 3,
    columns: [
      { type: 'text', code: 'name', title: en('Name'), isRequired: true },
      { type: 'number', code: 'kwh', title: en('kWh'), min: '0' },
      { type: 'date', code: 'day', title: en('Day') },
      { type: 'boolean', code: 'green', title: en('Green') },
      { type: 'single', code: 'level', title: en('Level'), choices },
    ],
  }
  test.for<[string, unknown, unknown]>([
    [
      'rows, of which empty ones are left out',
      [
        { name: ' A ', kwh: 12.5, day: '2026-01-31', green: false, level: 'low' },
        { name: '' },
        { name: 'B' },
      ],
      [{ name: 'A', kwh: '12.5', day: '2026-01-31', green: false, level: 'low' }, { name: 'B' }],
    ],
    ['no row with a value', [{}, { name: ' ' }], undefined],
    ['a row without a required cell', [{ name: 'A' }, { kwh: '1' }], ['required 1 name']],
    [
      'wrong cells',
      [{ name: 'A', kwh: '-1', day: 'soon', green: 'yes', level: 'x' }],
      ['tooSmall 0 kwh', 'notADate 0 day', 'wrongType 0 green', 'notAChoice 0 level'],
    ],
    ['an unknown column', [{ name: 'A', price: 1 }], ['wrongType 0']],
    ['too many rows', ['A', 'B', 'C', 'D'].map((name) => ({ name })), ['tooManyRows']],
    ['a million rows', Array.from({ length: 1_000_000 }, () => null), ['tooManyRows']],
    ['no list', { name: 'A' }, ['wrongType']],
  ])('%s', ([, answer, expected]) => {
    expect(read(table, answer)).toEqual(expected)
  })
})

describe('file', () => {
  const file = (more: object = {}) => ({
    id: 'f1',
    name: 'Car.jpg',
    bytes: 1000,
    mediaType: 'image/jpeg',
    ...more,
  })
  test.for<[string, unknown, unknown]>([
    ['a photo', [file()], [file()]],
    ['none', [], undefined],
    ['another type of file', [file({ mediaType: 'application/pdf' })], ['fileType 0']],
    ['too large a file', [file(), file({ id: 'f2', bytes: 26_214_401 })], ['fileTooLarge 1']],
    ['too many files', [file(), file({ id: 'f2' }), file({ id: 'f3' })], ['tooManyFiles']],
    ['one file twice', [file(), file()], ['wrongType']],
    ['an ID that is a path', [file({ id: '../secret' })], ['wrongType 0']],
    ['a file without a name', [file({ name: ' ' })], ['wrongType 0']],
    ['only an ID', ['f1'], ['wrongType 0']],
  ])('%s', ([, answer, expected]) => {
    expect(read({ type: 'file', accept: ['image'], maxFiles: 2 }, answer)).toEqual(expected)
  })
})

describe('address and person', () => {
  test.for<[string, string, unknown, unknown]>([
    [
      'an address',
      'address',
      { street: ' 1 Main St ', city: 'Columbus', region: 'OH', postalCode: '43215' },
      { street: '1 Main St', city: 'Columbus', region: 'OH', postalCode: '43215' },
    ],
    [
      'the postal code of the named country',
      'address',
      { postalCode: 'k1a0b1', country: 'ca' },
      { postalCode: 'K1A 0B1', country: 'CA' },
    ],
    ['the postal code of another country', 'address', { postalCode: 'k1a0b1' }, ['postalCode postalCode']],
    [
      'a country without a known format',
      'address',
      { postalCode: '8001', country: 'CH' },
      { postalCode: '8001', country: 'CH' },
    ],
    ['a country that is no code', 'address', { country: 'Canada' }, ['country country']],
    ['an unknown part', 'address', { planet: 'Earth' }, ['wrongType']],
    ['no part', 'address', { city: ' ' }, undefined],
    [
      'a person',
      'person',
      { name: 'Ann', email: 'ann@B.co', phone: '614 555 0134' },
      { name: 'Ann', email: 'ann@b.co', phone: '+16145550134' },
    ],
    ['a person without a name', 'person', { email: 'ann@b.co' }, ['nameRequired name']],
    ['a person with an invalid email address', 'person', { name: 'Ann', email: 'ann' }, ['email email']],
  ])('%s', ([, type, answer, expected]) => {
    expect(read({ type }, answer, { seller: { name: 'Northgate', country: 'US' } })).toEqual(expected)
  })
})

describe('obligations', () => {
  const number = { type: 'number' }
  test.for<[string, object, unknown, unknown]>([
    ['required', { obligation: 'required' }, null, ['required']],
    [
      'not applicable, where that is an answer',
      { obligation: 'ifApplicable' },
      { notApplicable: true },
      { notApplicable: true },
    ],
    [
      'not applicable, where it is not',
      { obligation: 'required' },
      { notApplicable: true },
      ['notRefusable'],
    ],
    ['no answer, where one is needed if applicable', { obligation: 'ifApplicable' }, '', ['required']],
    ['refused with a reason', { obligation: 'mayRefuse' }, { refused: ' Secret ' }, { refused: 'Secret' }],
    ['refused without a reason', { obligation: 'mayRefuse' }, { refused: ' ' }, ['reasonRequired']],
    ['refused and answered', { obligation: 'mayRefuse' }, { refused: 'Secret', value: 3 }, ['wrongType']],
    [
      'refused, where an answer is needed',
      { obligation: 'ifApplicable' },
      { refused: 'Secret' },
      ['notRefusable'],
    ],
  ])('%s', ([, more, answer, expected]) => {
    expect(read({ ...number, ...more }, answer)).toEqual(expected)
  })

  test('a required consent must be given, a voluntary one may be declined', () => {
    const consent = { type: 'consent', text: en('Yes'), version: 1, purpose: 'privacy', channels: [] }
    const declined = { isGiven: false, version: 1 }
    expect(read({ ...consent, obligation: 'required' }, declined)).toEqual(['consentRequired'])
    expect(read(consent, declined)).toEqual(declined)
  })
})

describe('computed values', () => {
  const computed = (calculate: string, more: object = {}) => ({
    type: 'computed',
    code: 'sum',
    title: en('Sum'),
    result: 'number',
    calculate,
    ...more,
  })
  function evaluate(calculated: object, answers: Record<string, unknown>) {
    const questions = [
      { type: 'number', code: 'a', title: en('A') },
      { type: 'number', code: 'b', title: en('B') },
      calculated,
    ]
    const definition = Definition.parse({
      languages: ['en'],
      sections: [{ id: 'one', title: en('One'), questions }],
    })
    return evaluateAnswers(compileDefinition(definition), answers, OPTIONS)
  }

  test.for<[string, object, Record<string, unknown>, unknown]>([
    ['decimals are exact', computed('a + b'), { a: '0.1', b: '0.2' }, '0.3'],
    ['halves are rounded up', computed('a * b', { decimals: 2 }), { a: '1.005', b: '1' }, '1.01'],
    [
      'halves of negative numbers are rounded away from zero',
      computed('a * b', { decimals: 2 }),
      { a: '-1.005', b: '1' },
      '-1.01',
    ],
    ['a missing part is missing', computed('a + b'), { a: '1' }, null],
    ['an invalid part is missing', computed('a + b'), { a: '1', b: 'x' }, null],
    ['a division by zero is missing', computed('a / b'), { a: '1', b: '0' }, null],
    ['a third has ten decimals', computed('a / b'), { a: '1', b: '3' }, '0.3333333333'],
    ['text', computed('a > 3 ? "large" : "small"', { result: 'text' }), { a: '4' }, 'large'],
    ['yes or no', computed('a > 3', { result: 'boolean' }), { a: '4' }, true],
    ['the clock', computed('today() == date("2026-11-25")', { result: 'boolean' }), {}, true],
  ])('%s', ([, question, answers, expected]) => {
    expect(evaluate(question, answers).computed).toEqual({ sum: expected })
  })

  test('a number beyond the limits is a problem, not a wrong number', () => {
    const { computed: values, problems } = evaluate(computed('a * b'), { a: '999999999999999', b: '2' })
    expect(values).toEqual({ sum: null })
    expect(problems.map(({ code }) => code)).toEqual(['computedTooLarge'])
  })

  test('a computed value can be sent back only unchanged', () => {
    const codes = (sum: unknown) =>
      evaluate(computed('a + b'), { a: '1', b: '2', sum }).problems.map(({ code }) => code)
    expect(codes('3')).toEqual([])
    expect(codes('4')).toEqual(['computedChanged'])
    expect(codes(3)).toEqual(['computedChanged'])
    expect(evaluate(computed('a + b'), { a: '1', b: '2', sum: '999' }).computed).toEqual({ sum: '3' })
  })
})
