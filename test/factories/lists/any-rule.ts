import fc from 'fast-check'
import type { Variables } from '#contract/expressions/variables.ts'

const choices = ['live', 'sold', 'on hold'].map((value) => ({ value, label: value.toUpperCase() }))

/** Two fields of each kind, for any rule over them. */
export const VARIABLES = {
  name: { title: 'Name', kind: 'text' },
  note: { title: 'Note', kind: 'text' },
  makes: { title: 'Makes', kind: 'texts' },
  tags: { title: 'Tags', kind: 'texts' },
  status: { title: 'Status', kind: 'choice', choices },
  wished: { title: 'Wished for', kind: 'choice', choices },
  lot: { title: 'Lot', kind: 'reference', refersTo: 'lots' },
  former: { title: 'Former lot', kind: 'reference', refersTo: 'lots' },
  seller: { title: 'Organization', kind: 'reference', refersTo: 'organizations' },
  lots: { title: 'Lots', kind: 'references', refersTo: 'lots' },
  sellers: { title: 'Organizations', kind: 'references', refersTo: 'organizations' },
  year: { title: 'Year', kind: 'integer' },
  views: { title: 'Views', kind: 'integer' },
  ratio: { title: 'Ratio', kind: 'decimal' },
  share: { title: 'Share', kind: 'decimal' },
  price: { title: 'Price', kind: 'money' },
  cost: { title: 'Cost', kind: 'money' },
  came: { title: 'Came', kind: 'date' },
  left: { title: 'Left', kind: 'date' },
  seen: { title: 'Seen', kind: 'moment' },
  changed: { title: 'Changed', kind: 'moment' },
  isPublic: { title: 'Public', kind: 'flag' },
  isTrusted: { title: 'Trusted', kind: 'flag' },
} as const satisfies Variables

/** Texts that have broken filters before: case beyond ASCII, wildcards, quotes, backslashes, surrogate pairs. */
export const TEXTS = [
  '',
  ' ',
  'Ford',
  'FORD',
  'ford transit',
  '100%',
  '%',
  'a_b',
  'a.b',
  'Škoda',
  'ŠKODA',
  'Straße',
  'STRASSE',
  'İstanbul',
  'istanbul',
  'ΣΊΣΥΦΟΣ',
  'σίσυφος',
  'Ёжик',
  'ёЖИК',
  'e\u0301',
  'É',
  '\u{1f600}',
  '\u{1f600}\u{1f697}',
  `it's`,
  'say "so"',
  'C:\\lots\\',
  'two\nlines',
  '\ttab\u0001',
  '$1',
  '{}',
  'null',
]
export const DAYS = [
  '0001-01-01',
  '1969-12-31',
  '1970-01-01',
  '2024-02-29',
  '2026-02-27',
  '2026-02-28',
  '2026-03-01',
  '9999-12-31',
]
/** With milliseconds, as rules can contain. */
export const MOMENTS = [
  '0001-01-01T00:00:00.000Z',
  '1969-12-31T23:59:59.999Z',
  '1970-01-01T00:00:00.000Z',
  '2026-02-28T23:59:59.999Z',
  '2026-03-01T00:00:00.000Z',
  '2026-03-01T10:30:00.123Z',
  '9999-12-31T23:59:59.999Z',
]
/** The value of now() in these tests. */
export const NOW = new Date('2026-03-01T10:30:00.123Z')
const NUMBERS =
  '0 1 2 3 7 10 100 2019 2020 2019.5 2147483648 999999999999999 1e3 2.50 0.1 0.2 0.3 0.005 0.01 0.0000000001 24999.99 25000 25000.001 92233720368547.75'.split(
    ' ',
  )
/** Close to the values in the test columns, where rounding matters. */
const NEAR_INTEGERS = '2018.5 2019.0 2019.5 2020.01 -1.5 0.5 -0.5 2147483647.5 -2147483648'.split(' ')
const NEAR_AMOUNTS = '24999.985 24999.995 25000.00 25000.005 0.005 -0.005 -0.015 0.1 2019'.split(' ')
const IDS = ['1', '2', '3', '9223372036854775807']

const quoted = (text: string) => fc.constantFrom(JSON.stringify(text), ...single(text))
/** Equivalent quotes, if nothing has to be escaped. */
const single = (text: string) => (/['\\\p{C}]/u.test(text) ? [] : [`'${text}'`, `r'${text}'`])

const nameOf = (...kinds: string[]) =>
  fc.constantFrom(
    ...Object.entries(VARIABLES)
      .filter(([, { kind }]) => kinds.includes(kind))
      .map(([name]) => name),
  )
const pair = (one: fc.Arbitrary<string>, between: fc.Arbitrary<string>, other: fc.Arbitrary<string>) =>
  fc.tuple(one, between, other).map((parts) => parts.join(' '))
const inBrackets = (inside: fc.Arbitrary<string>) => inside.map((text) => `(${text})`)
const listOf = (items: fc.Arbitrary<string>) =>
  fc.array(items, { maxLength: 4 }).map((values) => `[${values.join(', ')}]`)
const maybeNot = (inside: fc.Arbitrary<string>) =>
  fc.tuple(fc.boolean(), inside).map(([isNot, text]) => (isNot ? `!(${text})` : text))

const equals = fc.constantFrom('==', '!=')
const compares = fc.constantFrom('==', '!=', '<', '<=', '>', '>=')
const textLiteral = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS).chain(quoted) },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: 'grapheme', maxLength: 4 })
      .filter((text) => !text.includes('\0'))
      .chain(quoted),
  },
)
const choiceLiteral = fc.constantFrom('"live"', '"SOLD"', `'On Hold'`)
const idLiteral = fc.constantFrom(...IDS.map((id) => `"${id}"`), '2')
const numberLiteral = fc.oneof(
  fc.constantFrom(...NUMBERS),
  fc.constantFrom(...NUMBERS).map((digits) => `-${digits}`),
  fc
    .tuple(fc.integer({ min: -3_000, max: 3_000 }), fc.integer({ min: 0, max: 99 }))
    .map((parts) => parts.join('.')),
)
const dayLiteral = fc.oneof(
  fc.constantFrom(...DAYS.map((day) => `date("${day}")`), 'today()'),
  fc.integer({ min: -3, max: 3 }).map((days) => `daysAgo(${days})`),
)
const momentLiteral = fc.constantFrom(
  ...MOMENTS.map((moment) => `timestamp("${moment}")`),
  'timestamp("2026-03-01T12:30:00.1239+02:00")',
  'now()',
)

const { condition } = fc.letrec<Record<'condition' | 'leaf' | 'text' | 'number' | 'day' | 'moment', string>>(
  (tie) => {
    const chosen = (kind: 'text' | 'number' | 'day' | 'moment') =>
      fc.tuple(tie('leaf'), tie(kind), tie(kind)).map(([when, yes, no]) => `(${when} ? ${yes} : ${no})`)
    const value = (
      kind: 'text' | 'number' | 'day' | 'moment',
      literal: fc.Arbitrary<string>,
      ...kinds: string[]
    ) => [
      { weight: 6, arbitrary: nameOf(...kinds) },
      { weight: 6, arbitrary: literal },
      { weight: 1, arbitrary: chosen(kind) },
    ]
    const sizes = fc.oneof(nameOf('text', 'texts', 'references'), tie('text')).map((of) => `size(${of})`)
    const sums = pair(tie('number'), fc.constantFrom('+', '-', '*', '/'), tie('number'))
    const options = { depthSize: 'small', maxDepth: 4 } as const
    return {
      condition: fc.oneof(
        options,
        { weight: 4, arbitrary: tie('leaf') },
        {
          weight: 2,
          arbitrary: pair(tie('condition'), fc.constantFrom('&&', '||', '&& // both\n'), tie('condition')),
        },
        {
          weight: 2,
          arbitrary: pair(
            inBrackets(tie('condition')),
            fc.constantFrom('&&', '||'),
            inBrackets(tie('condition')),
          ),
        },
        { weight: 1, arbitrary: inBrackets(tie('condition')).map((text) => `!${text}`) },
        { weight: 1, arbitrary: pair(inBrackets(tie('condition')), equals, inBrackets(tie('condition'))) },
        {
          weight: 1,
          arbitrary: fc
            .tuple(tie('leaf'), tie('condition'), tie('condition'))
            .map(([when, yes, no]) => `((${when}) ? ${yes} : ${no})`),
        },
      ),
      leaf: maybeNot(
        fc.oneof(
          options,
          nameOf('flag'),
          fc.constantFrom('true', 'false', 'isPublic == true', 'isPublic != false', 'isTrusted == isPublic'),
          pair(nameOf(...Object.values(VARIABLES).map(({ kind }) => kind)), equals, fc.constant('null')),
          fc
            .oneof(tie('number'), tie('text'))
            .filter((text) => text.startsWith('('))
            .map((text) => `${text} == null`),
          pair(tie('text'), equals, tie('text')),
          pair(tie('text'), fc.constant('in'), listOf(textLiteral)),
          pair(tie('text'), fc.constant('in'), nameOf('texts')),
          fc
            .tuple(tie('text'), fc.constantFrom('contains', 'startsWith', 'endsWith'), tie('text'))
            .map(([text, test, part]) => `${text}.${test}(${part})`),
          pair(nameOf('choice'), equals, fc.oneof(choiceLiteral, nameOf('choice'))),
          pair(nameOf('choice'), fc.constant('in'), listOf(choiceLiteral)),
          pair(
            fc.constantFrom('lot', 'former'),
            equals,
            fc.oneof(idLiteral, fc.constantFrom('lot', 'former')),
          ),
          pair(nameOf('reference'), fc.constant('in'), listOf(idLiteral)),
          pair(fc.oneof(idLiteral, fc.constantFrom('lot', 'former')), fc.constant('in'), fc.constant('lots')),
          pair(fc.oneof(idLiteral, fc.constant('seller')), fc.constant('in'), fc.constant('sellers')),
          pair(nameOf('integer', 'decimal', 'money'), compares, numberLiteral),
          fc.oneof(
            pair(nameOf('integer'), compares, fc.constantFrom(...NEAR_INTEGERS)),
            pair(nameOf('money'), compares, fc.constantFrom(...NEAR_AMOUNTS)),
            pair(fc.constantFrom(...NEAR_AMOUNTS), compares, nameOf('money')),
          ),
          pair(tie('number'), compares, tie('number')),
          pair(tie('number'), fc.constant('in'), listOf(numberLiteral)),
          pair(tie('day'), compares, tie('day')),
          pair(nameOf('moment'), compares, dayLiteral),
          pair(tie('moment'), compares, tie('day')),
          pair(tie('day'), compares, tie('moment')),
          pair(tie('moment'), compares, tie('moment')),
          pair(tie('moment'), fc.constant('in'), listOf(fc.oneof(momentLiteral, dayLiteral))),
        ),
      ),
      text: fc.oneof(options, ...value('text', textLiteral, 'text')),
      number: fc.oneof(
        options,
        ...value('number', numberLiteral, 'integer', 'decimal', 'money'),
        { weight: 2, arbitrary: inBrackets(sums) },
        { weight: 1, arbitrary: sizes },
        { weight: 1, arbitrary: tie('number').map((text) => `-${text}`) },
      ),
      day: fc.oneof(options, ...value('day', dayLiteral, 'date')),
      moment: fc.oneof(options, ...value('moment', momentLiteral, 'moment')),
    }
  },
)

/** Any valid rule over VARIABLES. */
export const anyRule: fc.Arbitrary<string> = condition.filter((text) => text.length <= 2_000)
