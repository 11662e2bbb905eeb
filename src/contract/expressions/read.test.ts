import { expect, test } from 'vitest'
import { VARIABLES } from '#test/factories/lists/any-rule.ts'
import { readRule } from './read.ts'

/** The sentence, and the text it points at. */
function problemOf(text: string): [message: string, place: string] | null {
  const read = readRule(text, VARIABLES)
  if (read.ok) return null
  const { message, from, to } = read.problem
  return [message, text.slice(from, to)]
}

test.for([
  ['', 'The rule is empty.', ''],
  [' \n ', 'The rule is empty.', ' \n '],
  ['// nothing', 'Something is missing at the end.', ''],
  // Names.
  ['prise > 3', 'There is no field `prise`. Did you mean `price`?', 'prise'],
  ['isPublic && PRICE > 3', 'There is no field `PRICE`. Did you mean `price`?', 'PRICE'],
  ['"Ford" in Makes', 'There is no field `Makes`. Did you mean `makes`?', 'Makes'],
  ['colour == "red"', 'There is no field `colour`.', 'colour'],
  ['constructor == "red"', 'There is no field `constructor`.', 'constructor'],
  ['name.first == "A"', 'name.first is not part of a rule.', 'name.first'],
  ['makes[0] == "A"', 'makes[0] is not part of a rule.', 'makes[0]'],
  ['{"a": 1} == null', '{"a": 1} is not part of a rule.', '{"a": 1}'],
  ['year % 2 == 0', 'year % 2 is not part of a rule.', 'year % 2'],
  // What is no condition.
  ['price', '`price` is a number, which is neither yes nor no: compare it with something.', 'price'],
  ['name && isPublic', '`name` is text, which is neither yes nor no: compare it with something.', 'name'],
  ['!"a"', 'This is text, which is neither yes nor no: compare it with something.', '"a"'],
  ['[1, 2]', 'This is a list, which is neither yes nor no: compare it with something.', '[1, 2]'],
  [
    'price ? isPublic : isTrusted',
    '`price` is a number, which is neither yes nor no: compare it with something.',
    'price',
  ],
  // Two sides that have nothing in common.
  ['price > "a"', '`price` is a number: compare it with a number, not with text.', '"a"'],
  ['"a" > price', '`price` is a number: compare it with a number, not with text.', '"a"'],
  ['price == isPublic', '`price` is a number: compare it with a number, not with yes or no.', 'isPublic'],
  ['isPublic == "yes"', '`isPublic` is yes or no: compare it with true or false, not with text.', '"yes"'],
  ['name == 3', '`name` is text: compare it with text in quotes, not with a number.', '3'],
  ['name == ["a"]', '`name` is text: compare it with text in quotes, not with a list.', '["a"]'],
  [
    'name == status',
    '`name` is text: compare it with text in quotes, not with one of a list of choices.',
    'status',
  ],
  [
    'came > "2026-03-01"',
    '`came` is a day: compare it with a day, like date("2026-03-01") or daysAgo(30), not with text.',
    '"2026-03-01"',
  ],
  [
    'seen > 3',
    '`seen` is a point in time: compare it with a point in time, like timestamp("2026-03-01T10:00:00Z"), or a day, like daysAgo(30), not with a number.',
    '3',
  ],
  [
    'makes == "Ford"',
    '`makes` is a list of texts: ask whether it has a value, as in "..." in makes.',
    '"Ford"',
  ],
  ['lots == "1"', '`lots` is a list of references: ask whether it has a value, as in "12" in lots.', '"1"'],
  // Choices and references.
  ['status == "gone"', '`status` is never "gone". It is one of "live", "sold", "on hold".', '"gone"'],
  [
    'status in ["live", "sol"]',
    '`status` is never "sol". Did you mean "sold"? It is one of "live", "sold", "on hold".',
    '"sol"',
  ],
  [
    'status == 1',
    '`status` is one of a list of choices: compare it with one of "live", "sold", "on hold", not with a number.',
    '1',
  ],
  [
    'lot == "Main street"',
    '`lot` is compared with the number of a lot in quotes, like "12".',
    '"Main street"',
  ],
  ['lot == "012"', '`lot` is compared with the number of a lot in quotes, like "12".', '"012"'],
  [
    'lot == "9223372036854775808"',
    '`lot` is compared with the number of a lot in quotes, like "12".',
    '"9223372036854775808"',
  ],
  ['lot == 1.5', '`lot` is compared with the number of a lot in quotes, like "12".', '1.5'],
  [
    'lot == seller',
    '`lot` is a reference: compare it with the number of a lot in quotes, like "12".',
    'seller',
  ],
  [
    'seller in lots',
    '`lots` is a list of references: look for the number of a lot in quotes, as in "12" in lots.',
    'seller',
  ],
  ['"x" in sellers', '`sellers` is compared with the number of an organization in quotes, like "12".', '"x"'],
  // Order.
  [
    'name < "b"',
    '`name` is text, which has no order here: use ==, in, contains, startsWith or endsWith.',
    'name < "b"',
  ],
  [
    'status > "live"',
    '`status` is one of a list of choices, which has no order here: use == or in.',
    'status > "live"',
  ],
  ['lot >= "1"', '`lot` is a reference, which has no order here: use == or in.', 'lot >= "1"'],
  ['isPublic > true', 'Yes and no have no order: use == or !=.', 'isPublic > true'],
  ['price > null', 'null has no order: use == null or != null.', 'price > null'],
  ['"a" == null', 'Only a field can be missing: compare a field with null.', '"a"'],
  ['(price > 1) == null', 'Only a field can be missing: compare a field with null.', 'price > 1'],
  // Lists.
  [
    'name in "abc"',
    'After in stands a list, like ["a", "b"]. This is text. To look inside text use contains.',
    '"abc"',
  ],
  ['year in 3', 'After in stands a list, like ["a", "b"]. This is a number.', '3'],
  ['name in ["a", 1]', '`name` is text: compare it with text in quotes, not with a number.', '1'],
  ['name in ["a", null]', 'A list cannot have null. Write == null beside it.', 'null'],
  ['year in [views]', 'A list holds plain values only. Write == for this one.', 'views'],
  ['makes in ["Ford"]', '`makes` is a list of texts: a list cannot have it.', 'makes'],
  ['isPublic in [true]', '`isPublic` is yes or no: a list cannot have it.', 'isPublic'],
  ['3 in makes', '`makes` is a list of texts: look for text in quotes, as in "Ford" in makes.', '3'],
  ['isPublic in makes', '`makes` has no yes or no.', 'isPublic'],
  // Numbers.
  ['year == 0x10', 'Write a number in plain digits, like 1500 or 0.25.', '0x10'],
  ['year == 1u', 'Write a number in plain digits, like 1500 or 0.25.', '1u'],
  ['year == 1e999', 'This is no number. Write plain digits, like 1500 or 0.25.', '1e999'],
  ['year == 1e+', 'This is no number. Write plain digits, like 1500 or 0.25.', ''],
  [
    'year == 1000000000000000',
    'A number may have at most 15 digits before the point and 10 after it.',
    '1000000000000000',
  ],
  [
    'year == 0.00000000001',
    'A number may have at most 15 digits before the point and 10 after it.',
    '0.00000000001',
  ],
  ['year == 1e-300', 'A number may have at most 15 digits before the point and 10 after it.', '1e-300'],
  ['ratio > .5', '. does not fit here. Write a 0 before the point: 0.5.', '.'],
  ['name + "x" == "ax"', '`name` is text: + takes numbers.', 'name'],
  [
    'came - 30 > daysAgo(3)',
    '`came` is a day: - takes numbers. Count days with daysAgo, as in daysAgo(30).',
    'came',
  ],
  ['-name == "a"', '`name` is text: - takes numbers.', 'name'],
  // Calls.
  ['foo(1)', 'There is no function foo. There are today, daysAgo, date, timestamp, now, size.', 'foo(1)'],
  [
    'came > dayAgo(3)',
    'There is no function dayAgo. Did you mean daysAgo? There are today, daysAgo, date, timestamp, now, size.',
    'dayAgo(3)',
  ],
  [
    'has(name.x)',
    'There is no function has. There are today, daysAgo, date, timestamp, now, size.',
    'has(name.x)',
  ],
  [
    'contains(name, "a")',
    'Write contains behind a point, as in make.contains("ord").',
    'contains(name, "a")',
  ],
  [
    'name.matches("^a")',
    'There is no function matches behind a point. There are contains, startsWith, endsWith.',
    'name.matches("^a")',
  ],
  [
    'name.startWith("a")',
    'There is no function startWith behind a point. Did you mean startsWith? There are contains, startsWith, endsWith.',
    'name.startWith("a")',
  ],
  [
    'makes.exists(one, one == "a")',
    'There is no function exists behind a point. There are contains, startsWith, endsWith.',
    'makes.exists(one, one == "a")',
  ],
  ['name.contains(3)', 'contains takes one text in quotes, as in contains("ord").', '3'],
  ['name.contains()', 'contains takes one text in quotes, as in contains("ord").', 'name.contains()'],
  ['name.contains("a", "b")', 'contains takes one text in quotes, as in contains("ord").', '"a"'],
  ['year.contains("1")', '`year` is a number: only text has contains.', 'year'],
  ['status.contains("li")', '`status` is one of a list of choices: only text has contains.', 'status'],
  [
    'makes.contains("Ford")',
    '`makes` is a list of texts: only text has contains. Write "..." in makes.',
    'makes',
  ],
  ['came == today(1)', 'Write today().', 'today(1)'],
  ['came == date()', 'Write date("2026-03-01").', 'date()'],
  ['came == date("2026-02-30")', 'There is no such day. Write it as date("2026-03-01").', '"2026-02-30"'],
  ['came == date(name)', 'There is no such day. Write it as date("2026-03-01").', 'name'],
  ['came == daysAgo(1.5)', 'daysAgo takes a whole number of days, at most 36500, as in daysAgo(30).', '1.5'],
  [
    'came == daysAgo(36501)',
    'daysAgo takes a whole number of days, at most 36500, as in daysAgo(30).',
    '36501',
  ],
  [
    'came == daysAgo(year)',
    'daysAgo takes a whole number of days, at most 36500, as in daysAgo(30).',
    'year',
  ],
  [
    'seen == timestamp("2026-03-01 10:00")',
    'There is no such point in time. Write it with its zone, as timestamp("2026-03-01T10:00:00Z").',
    '"2026-03-01 10:00"',
  ],
  [
    'seen == timestamp("2026-03-01T10:00:60Z")',
    'There is no such point in time. Write it with its zone, as timestamp("2026-03-01T10:00:00Z").',
    '"2026-03-01T10:00:60Z"',
  ],
  // In UTC it is in a year that cannot be written.
  ...['"0001-01-01T00:00:00+14:00"', '"9999-12-31T23:59:59-14:00"'].map((text): [string, string, string] => [
    `seen > timestamp(${text})`,
    'There is no such point in time. Write it with its zone, as timestamp("2026-03-01T10:00:00Z").',
    text,
  ]),
  ['size(year) > 1', 'size counts the characters of text or the values of a list.', 'year'],
  ['size(["a"]) > 1', 'size counts the characters of text or the values of a list.', '["a"]'],
  // Either way.
  ['(isPublic ? 1 : "a") == 1', 'Both ways must give the same: a number here too, not text.', '"a"'],
  [
    '(isPublic ? status : wished) == "live"',
    '`status` is one of a list of choices: ? cannot choose it. Write two conditions with &&.',
    'status',
  ],
  // Writing.
  ['year ==', 'Something is missing at the end.', ''],
  ['(year == 1', 'Something is missing at the end.', ''],
  ['isPublic ? year == 1', 'Something is missing at the end.', ''],
  ['year == 1)', ') does not fit here.', ')'],
  ['year = 1', '= does not fit here. Write == to compare.', '='],
  ['isPublic & isTrusted', '& does not fit here. Write && for "and".', '&'],
  ['isPublic | isTrusted', '| does not fit here. Write || for "or".', '|'],
  ['isPublic and isTrusted', 'and does not fit here. Write && for "and".', 'and'],
  ['isPublic OR isTrusted', 'OR does not fit here. Write || for "or".', 'OR'],
  ['not isPublic', 'isPublic does not fit here. Write ! for "not".', 'isPublic'],
  ['name is "a"', 'is does not fit here. Write == to compare.', 'is'],
  [
    'name contains "a"',
    'contains does not fit here. Write it behind a point: make.contains("ord").',
    'contains',
  ],
  ['isPublic; isTrusted', '; does not fit here. Connect conditions with && or ||.', ';'],
  ['name == \u201ca\u201d', '\u201c does not fit here. Use straight quotes: ".', '\u201c'],
  ['name == \u{1f600}', '\u{1f600} does not fit here.', '\u{1f600}'],
  ['if == 1', 'The word if is reserved and names no field.', 'if'],
  [
    'name == "a',
    'The text that begins here has no closing quote. Write a quote inside text as \\" and a backslash as \\\\.',
    '"a',
  ],
  [
    'name == """a',
    'The text that begins here has no closing quote. Write a quote inside text as \\" and a backslash as \\\\.',
    '"""a',
  ],
  ['name == "a\nb"', 'Text in quotes ends on its line. Write a new line inside text as \\n.', '\n'],
  [
    'name == "C:\\lots"',
    '\\l is no character. Write a quote inside text as \\" and a backslash as \\\\.',
    '\\l',
  ],
  [
    'name == "\\ud800"',
    '\\ud800 is no character. Write a quote inside text as \\" and a backslash as \\\\.',
    '\\ud800',
  ],
  ['name == "\\u0000"', 'This text has a character that no text can hold.', '"\\u0000"'],
  ['name == "\ud800"', 'This text has a character that no text can hold.', '"\ud800"'],
  ['name == b"a"', 'b"a" is not part of a rule.', 'b"a"'],
  ['name\u00a0== "a"', 'An invisible character stands here: delete it.', '\u00a0'],
] as const)('%s: %s', ([text, message, place]) => {
  expect(problemOf(text)).toEqual([message, place])
})

test.for([
  'isPublic',
  '(((isPublic)))',
  `name == '"' || name == "it's" || name == r"\\d" || name == """a"b"""`,
  'lot == 12 && "3" in lots && lot in lots',
  'seen >= daysAgo(-3) && came < timestamp("2026-03-01T10:00:00+02:00")',
  'price > cost * 1.1',
  'name // a comment\n == "a"',
  'size(makes) > 1 && size(name) < 3',
  'ratio == 1.50e-2',
])('%s is a rule', (text) => {
  expect(problemOf(text)).toBeNull()
})

test('an unknown choice that is the words of one is told its value', () => {
  const choices = [{ value: 'cpo', label: 'Certified' }]
  const read = readRule('kind == "certified"', { kind: { title: 'Kind', kind: 'choice', choices } })
  expect(read).toMatchObject({
    ok: false,
    problem: { message: '`kind` is never "certified". Did you mean "cpo"? It is one of "cpo".' },
  })
})

test('a field is found by the words on the screen', () => {
  const read = readRule('days > 45', { daysInStock: { title: 'Days', kind: 'integer' } })
  expect(read).toMatchObject({
    problem: { message: 'There is no field `days`. Did you mean `daysInStock`?' },
  })
})
