import { expect, test } from 'vitest'
import { z } from 'zod'
import { sentenceOf } from './field-sentences.ts'
import { chosenId, exactlyOne, Id, line, optionalLine, TimeZone, Version } from './fields.ts'

test.for([
  ['7', '7'],
  [7, '7'],
  [0, '0'],
  [Number.MAX_SAFE_INTEGER, '9007199254740991'],
  ['999999999999999999', '999999999999999999'],
] as const)('accepts the ID %j as %s', ([given, read]) => {
  expect(Id.parse(given)).toBe(read)
})

test.for([
  -1,
  1.5,
  2 ** 53,
  Number.NaN,
  '',
  '-1',
  '1e3',
  '1 ',
  '007',
  '00',
  '٣',
  '1;drop',
  '9'.repeat(19),
  null,
  true,
  {},
  ['1'],
])('rejects %j as an ID', (given) => {
  expect(Id.safeParse(given).success).toBe(false)
})

test.for([
  ['  a name ', 'a name'],
  ['x'.repeat(5), 'xxxxx'],
] as const)('reads the line %j as %j', ([given, read]) => {
  expect(line(6).parse(given)).toBe(read)
})

test.for([
  ['   ', 'Name is required.'],
  ['x'.repeat(7), 'Name may have at most 6 characters.'],
  [5, 'Name must be text.'],
  [null, 'Name must be text.'],
  [undefined, 'Name must be text.'],
] as const)('rejects the line %j: %s', ([given, sentence]) => {
  expect(line(6, 'Name').safeParse(given).error?.issues[0]?.message).toBe(sentence)
})

test.for([
  ['', null],
  ['  ', null],
  [null, null],
  [undefined, undefined],
  [' x ', 'x'],
] as const)('reads the optional line %j as %j', ([given, read]) => {
  expect(optionalLine(6).parse(given)).toBe(read)
})

test.for([
  ['x'.repeat(7), 'Name may have at most 6 characters.'],
  ['a\nb', 'Name must be a single line of text.'],
  [5, 'Name must be text.'],
] as const)('rejects the optional line %j: %s', ([given, sentence]) => {
  const { error } = optionalLine(6, 'Name').safeParse(given, { error: sentenceOf })
  expect(error?.issues.map(({ message }) => message)).toEqual([sentence])
})

test.for(['UTC', 'America/Los_Angeles', 'Europe/Berlin', 'Asia/Kolkata'])(
  'accepts %s as a time zone',
  (zone) => {
    expect(TimeZone.safeParse(zone).success).toBe(true)
  },
)

test.for(['', '+02:00', 'Mars/Olympus', 'America', '../etc/passwd', 'x'.repeat(65), 'UTC; drop'])(
  'rejects %j as a time zone',
  (zone) => {
    expect(TimeZone.safeParse(zone).success).toBe(false)
  },
)

test.for([0, -1, 1.5, 'x', Number.NaN])('rejects %j as a version', (version) => {
  expect(Version.safeParse(version).success).toBe(false)
})

test('a version is optional and may be sent as text', () => {
  expect([Version.parse(undefined), Version.parse('3')]).toEqual([undefined, 3])
})

test.for(['a\nb', 'a\u2028b', 'a\tb', 'a\u0007b', 'half \ud83d'])(
  'rejects %j because it is not a single line of text',
  (given) => {
    expect(line(20, 'Name').safeParse(given).error?.issues[0]?.message).toBe(
      'Name must be a single line of text.',
    )
    expect(optionalLine(20, 'Name').safeParse(given).error?.issues[0]?.message).toBe(
      'Name must be a single line of text.',
    )
  },
)

test('rejects a version beyond the column maximum', () => {
  expect(Version.safeParse(2_147_483_648).success).toBe(false)
})

test.for([
  [{}, ['a']],
  [{ a: 1 }, []],
  [{ c: null }, []],
  [{ a: 1, c: 2 }, ['a', 'c']],
] as const)('exactlyOne(): %j has errors at %j', ([sent, places]) => {
  const names = z.strictObject({ a: z.unknown(), b: z.unknown(), c: z.unknown() }).partial()
  const read = names.superRefine(exactlyOne(['a', 'b', 'c'], 'Choose one.')).safeParse(sent)
  expect(read.error?.issues.map(({ path }) => path.join('.')) ?? []).toEqual(places)
})

test.for(['', 'x', null, undefined])('says what to choose instead of what an ID is, for %j', (given) => {
  expect(chosenId('Choose a lot.').safeParse(given).error?.issues[0]?.message).toBe('Choose a lot.')
})
