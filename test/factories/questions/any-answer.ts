import type { Question, QuestionType } from '#contract/questions/definition.ts'
import { MAX_FILE_BYTES } from '#contract/questions/limits.ts'
import type { ProblemCode } from '#contract/questions/problem-messages.ts'

/** What is wrong with an answer, as its author means it. `fill` is the limit that the message names. */
export type MeantFlaw = Readonly<{
  code: ProblemCode
  fill?: string | number
  row?: number
  column?: string
}>

/**
 * What is sent, and what should become of it; `given: undefined` is no answer. `missing`: the rows of a matrix without a choice,
 * which matter only if the question is required.
 */
export type MeantAnswer = Readonly<{
  given: unknown
  stored?: unknown
  flaws?: readonly MeantFlaw[]
  missing?: readonly string[]
}>

const en = (text: string) => ({ en: text })
const choicesOf = (...values: readonly string[]) =>
  values.map((value) => ({ value, title: en(value.toUpperCase()) }))
/** The choices of every question that has some. */
export const VALUES = ['a', 'b', 'c'] as const
const choices = choicesOf(...VALUES)
const ROWS = ['front', 'rear'] as const

const right = (stored: unknown, given: unknown = stored): MeantAnswer => ({ given, stored })
const wrong = (code: ProblemCode, given: unknown, where: Omit<MeantFlaw, 'code'> = {}): MeantAnswer => ({
  given,
  flaws: [{ code, ...where }],
})
const photo = (id: string, more: object = {}) => ({
  id,
  name: `${id}.jpg`,
  bytes: 10,
  mediaType: 'image/jpeg',
  ...more,
})

type Answers = readonly [MeantAnswer, ...MeantAnswer[]]
/** A type of question with the settings that its answers need. */
type Sample = Readonly<{ settings: object; answers: Answers }>

/**
 * Answers of every type of question, right ones and wrong ones. The seller is in the United States: phone numbers and postal
 * codes without a country are of this one.
 */
export const SAMPLES: Readonly<Record<Exclude<QuestionType, 'note' | 'computed'>, Sample>> = {
  text: {
    settings: { maxLength: 20, minLength: 2 },
    answers: [
      right('Ann'),
      right('Lee', ' Lee '),
      wrong('wrongType', 3),
      wrong('tooLong', 'x'.repeat(21), { fill: 20 }),
      wrong('tooShort', 'x', { fill: 2 }),
      wrong('character', 'a\nb'),
    ],
  },
  longText: {
    settings: {},
    answers: [
      right('An\nB', 'An\r\nB '),
      wrong('character', 'a\u0007'),
      wrong('tooLong', 'x'.repeat(20_001), { fill: 20_000 }),
    ],
  },
  email: {
    settings: {},
    answers: [right('Jan@b.co', 'Jan@B.co'), wrong('email', 'ann@'), wrong('wrongType', ['a@b.co'])],
  },
  phone: {
    settings: {},
    answers: [
      right('+19165550133', '(916) 555-0133'),
      wrong('phone', '555'),
      wrong('wrongType', 9_165_550_133),
    ],
  },
  url: {
    settings: {},
    answers: [right('https://an.example', 'AN.example'), wrong('url', 'javascript:alert(1)')],
  },
  vin: {
    settings: {},
    answers: [right('1FADP3F20DL123456', '1fadp3f20dl123456'), wrong('vin', 'I'.repeat(17))],
  },
  postalCode: {
    settings: { country: 'CA' },
    answers: [right('K1A 0B1', 'k1a0b1'), wrong('postalCode', '95814')],
  },
  number: {
    settings: { min: '-2.5', max: '1000000.000000001', decimals: 9 },
    answers: [
      right('3'),
      right('0', '-0.0'),
      right('4.5', 4.5),
      right('0.1', '000.10'),
      right('999999.999999999'),
      right('-2.5'),
      wrong('notANumber', 'three'),
      wrong('notANumber', '1e3'),
      wrong('tooSmall', '-2.51', { fill: '-2.5' }),
      wrong('tooLarge', '1000000.00000001', { fill: '1000000.000000001' }),
      wrong('tooManyDecimals', '0.0000000001', { fill: 9 }),
    ],
  },
  date: {
    settings: { earliest: '2026-01-01', latest: '2026-12-31' },
    answers: [
      right('2026-02-01'),
      right('2026-12-01'),
      wrong('notADate', '2026-02-30'),
      wrong('tooEarly', '2025-12-31', { fill: '2026-01-01' }),
      wrong('tooLate', '2027-01-01', { fill: '2026-12-31' }),
    ],
  },
  boolean: { settings: {}, answers: [right(true), right(false), wrong('wrongType', 'maybe')] },
  single: {
    settings: { choices, allowOther: true },
    answers: [
      right('a'),
      right('b'),
      right({ other: 'x' }),
      wrong('notAChoice', 'z'),
      wrong('notAChoice', 1),
      wrong('otherRequired', { other: ' ' }),
    ],
  },
  multiple: {
    settings: { choices, minChoices: 2, maxChoices: 2 },
    answers: [
      right(['a', 'c'], ['c', 'a']),
      right(['b', 'c']),
      wrong('tooFewChoices', ['b'], { fill: 2 }),
      wrong('notAChoice', ['z']),
      wrong('wrongType', 'a'),
      wrong('duplicateChoice', ['a', 'a']),
      wrong('tooManyChoices', ['a', 'b', 'c'], { fill: 2 }),
    ],
  },
  rating: {
    settings: { max: 5 },
    answers: [right(5), right(1), wrong('rating', 99, { fill: 5 }), wrong('wrongType', '5')],
  },
  matrix: {
    settings: { rows: ROWS.map((code) => ({ code, title: en(code) })), choices },
    answers: [
      right({ front: 'a', rear: 'c' }),
      { ...right({ rear: 'b' }, { rear: 'b', front: '' }), missing: ['front'] },
      wrong('notAChoice', { front: 'a', rear: 'z' }, { column: 'rear' }),
      wrong('wrongType', { roof: 'a' }),
      wrong('wrongType', ['a']),
    ],
  },
  table: {
    settings: {
      minRows: 2,
      maxRows: 3,
      columns: [
        { type: 'number', code: 'n', title: en('n'), decimals: 2 },
        { type: 'text', code: 'make', title: en('Make'), isRequired: true, maxLength: 5 },
        { type: 'date', code: 'day', title: en('Day') },
        { type: 'boolean', code: 'paid', title: en('Paid') },
        { type: 'single', code: 'kind', title: en('Kind'), choices },
        { type: 'number', code: 'seats', title: en('Seats'), decimals: 0 },
      ],
    },
    answers: [
      // Its sum is exact: in binary fractions it would be 3.3000000000000003.
      right(
        [
          { n: '1.1', make: 'Kia' },
          { n: '2.2', make: 'Ford', day: '2026-02-01', paid: true, kind: 'a' },
        ],
        [{ n: 1.1, make: ' Kia' }, {}, { n: '2.20', make: 'Ford', day: '2026-02-01', paid: true, kind: 'a' }],
      ),
      right([
        { make: 'Audi', paid: false },
        { make: 'BMW', seats: '5' },
      ]),
      wrong('tooFewRows', [{}, { make: 'Audi' }], { fill: 2 }),
      wrong('wholeNumber', [{ make: 'Kia', seats: '1.5' }], { row: 0, column: 'seats' }),
      wrong('notANumber', [{ n: 'x', make: 'Kia' }], { row: 0, column: 'n' }),
      wrong('required', [{ make: 'Kia' }, { n: '1' }], { row: 1, column: 'make' }),
      wrong(
        'tooManyRows',
        Array.from({ length: 4 }, () => ({ make: 'Kia' })),
        { fill: 3 },
      ),
      wrong('wrongType', [{ make: 'Kia', price: '1' }], { row: 0 }),
      {
        given: [{ make: 'Bentley', kind: 'z' }],
        flaws: [
          { code: 'tooLong', fill: 5, row: 0, column: 'make' },
          { code: 'notAChoice', row: 0, column: 'kind' },
        ],
      },
    ],
  },
  file: {
    settings: { accept: ['image'], maxFiles: 2 },
    answers: [
      right([photo('one')]),
      right([photo('one'), photo('two', { mediaType: 'image/png' })]),
      wrong('fileType', [photo('one', { mediaType: 'application/pdf' })], { row: 0 }),
      wrong('fileTooLarge', [photo('one'), photo('two', { bytes: MAX_FILE_BYTES + 1 })], {
        row: 1,
        fill: 25,
      }),
      wrong('tooManyFiles', [photo('one'), photo('two'), photo('three')], { fill: 2 }),
      wrong('wrongType', [photo('one'), photo('one')]),
      wrong('wrongType', ['one'], { row: 0 }),
    ],
  },
  address: {
    settings: {},
    answers: [
      right(
        { street: '1 Main St', postalCode: '95814-1234' },
        { street: ' 1 Main St', city: '', postalCode: '958141234' },
      ),
      right({ postalCode: 'SW1A 1AA', country: 'GB' }, { postalCode: 'sw1a1aa', country: 'gb' }),
      wrong('postalCode', { postalCode: '1' }, { column: 'postalCode' }),
      wrong('country', { country: 'USA' }, { column: 'country' }),
      wrong('wrongType', { planet: 'Mars' }),
    ],
  },
  person: {
    settings: {},
    answers: [
      right({ name: 'Sam', phone: '+19165550133' }, { name: 'Sam', phone: '916 555 0133' }),
      wrong('nameRequired', { role: 'Owner' }, { column: 'name' }),
      wrong('email', { name: 'Sam', email: 'sam@' }, { column: 'email' }),
    ],
  },
  facility: { settings: {}, answers: [right('17'), wrong('wrongType', '017'), wrong('wrongType', 17)] },
  consent: {
    settings: { text: en('{seller} may write.'), version: 2, purpose: 'inquiry', channels: ['email'] },
    answers: [
      right({ isGiven: true, version: 2 }),
      right({ isGiven: false, version: 2 }),
      wrong('consentChanged', { isGiven: true, version: 1 }),
      wrong('wrongType', true),
    ],
  },
}

/** The sum of the column `n` in an answer to the table above; null without a number. */
export function totalOf(stored: unknown): string | null {
  return JSON.stringify(stored).includes('"n":"1.1"') ? '3.3' : null
}

/** Answers to questions that can't be answered. */
export const UNANSWERABLE = {
  note: wrong('notAnswerable', '987'),
  computed: wrong('computedChanged', '987'),
} as const

/** What someone sends instead of an answer, by what the question allows. */
export function insteadOfAnswer(obligation: Question['obligation']): Answers {
  return [
    obligation === 'mayRefuse'
      ? right({ refused: 'Private' }, { refused: ' Private' })
      : wrong('notRefusable', { refused: 'Private' }),
    obligation === 'ifApplicable'
      ? right({ notApplicable: true })
      : wrong('notRefusable', { notApplicable: true }),
    obligation === 'mayRefuse'
      ? wrong('reasonRequired', { refused: ' ' })
      : wrong('wrongType', { notApplicable: true, more: 1 }),
  ]
}
