import { expect, test } from 'vitest'
import { VARIABLES } from '#test/factories/lists/any-rule.ts'
import { readRule } from './read.ts'

/** The message and the text it refers to. */
function problemOf(text: string): [message: string, place: string] | null {
  const read = readRule(text, VARIABLES)
  if (read.ok) return null
  const { message, from, to } = read.problem
  return [message, text.slice(from, to)]
}

test.for([
  ['', 'The rule is empty.', ''],
  [' \n ', 'The rule is empty.', ' \n '],
  ['// nothing', 'The rule is incomplete.', ''],
  // Unknown names and unsupported syntax.
  ['prise > 3', 'Unknown field `prise`. Did you mean `price`?', 'prise'],
  ['isPublic && PRICE > 3', 'Unknown field `PRICE`. Did you mean `price`?', 'PRICE'],
  ['"Ford" in Makes', 'Unknown field `Makes`. Did you mean `makes`?', 'Makes'],
  ['color == "red"', 'Unknown field `color`.', 'color'],
  ['constructor == "red"', 'Unknown field `constructor`.', 'constructor'],
  ['name.first == "A"', "name.first isn't supported in rules.", 'name.first'],
  ['makes[0] == "A"', "makes[0] isn't supported in rules.", 'makes[0]'],
  ['{"a": 1} == null', '{"a": 1} isn\'t supported in rules.', '{"a": 1}'],
  ['year % 2 == 0', "year % 2 isn't supported in rules.", 'year % 2'],
  // Values that are not conditions.
  ['price', '`price` is a number, not a condition. Compare it with a value.', 'price'],
  ['name && isPublic', '`name` is text, not a condition. Compare it with a value.', 'name'],
  ['!"a"', 'This is text, not a condition. Compare it with a value.', '"a"'],
  ['[1, 2]', 'This is a list, not a condition. Compare it with a value.', '[1, 2]'],
  ['price ? isPublic : isTrusted', '`price` is a number, not a condition. Compare it with a value.', 'price'],
  // Two sides of different types.
  ['price > "a"', '`price` is a number: compare it with a number, not text.', '"a"'],
  ['"a" > price', '`price` is a number: compare it with a number, not text.', '"a"'],
  ['price == isPublic', '`price` is a number: compare it with a number, not yes or no.', 'isPublic'],
  ['isPublic == "yes"', '`isPublic` is yes or no: compare it with true or false, not text.', '"yes"'],
  ['name == 3', '`name` is text: compare it with text in quotes, not a number.', '3'],
  ['name == ["a"]', '`name` is text: compare it with text in quotes, not a list.', '["a"]'],
  ['name == status', '`name` is text: compare it with text in quotes, not a choice.', 'status'],
  [
    'came > "2026-03-01"',
    '`came` is a date: compare it with a date, like date("2026-03-01") or daysAgo(30), not text.',
    '"2026-03-01"',
  ],
  [
    'seen > 3',
    '`seen` is a date and time: compare it with a date and time, like timestamp("2026-03-01T10:00:00Z"), or a date, like daysAgo(30), not a number.',
    '3',
  ],
  [
    'makes == "Ford"',
    '`makes` is a list of texts: check whether it contains a value, as in "..." in makes.',
    '"Ford"',
  ],
  [
    'lots == "1"',
    '`lots` is a list of references: check whether it contains a value, as in "12" in lots.',
    '"1"',
  ],
  // Choices and references.
  ['status == "gone"', '`status` can\'t be "gone". Valid values: "live", "sold", "on hold".', '"gone"'],
  [
    'status in ["live", "sol"]',
    '`status` can\'t be "sol". Did you mean "sold"? Valid values: "live", "sold", "on hold".',
    '"sol"',
  ],
  [
    'status == 1',
    '`status` is a choice: compare it with one of "live", "sold", "on hold", not a number.',
    '1',
  ],
  ['lot == "Main street"', 'Compare `lot` with the ID of a lot in quotes, like "12".', '"Main street"'],
  ['lot == "012"', 'Compare `lot` with the ID of a lot in quotes, like "12".', '"012"'],
  [
    'lot == "9223372036854775808"',
    'Compare `lot` with the ID of a lot in quotes, like "12".',
    '"9223372036854775808"',
  ],
  ['lot == 1.5', 'Compare `lot` with the ID of a lot in quotes, like "12".', '1.5'],
  ['lot == seller', '`lot` is a reference: compare it with the ID of a lot in quotes, like "12".', 'seller'],
  [
    'seller in lots',
    '`lots` is a list of references: look for the ID of a lot in quotes, as in "12" in lots.',
    'seller',
  ],
  ['"x" in sellers', 'Compare `sellers` with the ID of an organization in quotes, like "12".', '"x"'],
  // Ordering.
  [
    'name < "b"',
    "`name` is text, which can't be compared with < or >. Use ==, in, contains, startsWith or endsWith.",
    'name < "b"',
  ],
  [
    'status > "live"',
    "`status` is a choice, which can't be compared with < or >. Use == or in.",
    'status > "live"',
  ],
  ['lot >= "1"', "`lot` is a reference, which can't be compared with < or >. Use == or in.", 'lot >= "1"'],
  ['isPublic > true', "Yes or no can't be compared with < or >. Use == or !=.", 'isPublic > true'],
  ['price > null', "null can't be compared with < or >. Use == null or != null.", 'price > null'],
  ['"a" == null', 'Only a field can be compared with null.', '"a"'],
  ['(price > 1) == null', 'Only a field can be compared with null.', 'price > 1'],
  // Lists.
  [
    'name in "abc"',
    'in requires a list, like ["a", "b"]. This is text. To search inside text, use contains.',
    '"abc"',
  ],
  ['year in 3', 'in requires a list, like ["a", "b"]. This is a number.', '3'],
  ['name in ["a", 1]', '`name` is text: compare it with text in quotes, not a number.', '1'],
  ['name in ["a", null]', "A list can't contain null. Add == null as a separate condition.", 'null'],
  ['year in [views]', 'A list can only contain plain values. Use == for this one.', 'views'],
  ['makes in ["Ford"]', "`makes` is a list of texts, which can't be used before in.", 'makes'],
  ['isPublic in [true]', "`isPublic` is yes or no, which can't be used before in.", 'isPublic'],
  ['3 in makes', '`makes` is a list of texts: look for text in quotes, as in "Ford" in makes.', '3'],
  ['isPublic in makes', "`makes` can't contain yes or no.", 'isPublic'],
  // Numbers.
  ['year == 0x10', 'Write a number in plain digits, like 1500 or 0.25.', '0x10'],
  ['year == 1u', 'Write a number in plain digits, like 1500 or 0.25.', '1u'],
  ['year == 1e999', "This isn't a number. Write plain digits, like 1500 or 0.25.", '1e999'],
  ['year == 1e+', "This isn't a number. Write plain digits, like 1500 or 0.25.", ''],
  [
    'year == 1000000000000000',
    'A number can have at most 15 digits before the decimal point and 10 after it.',
    '1000000000000000',
  ],
  [
    'year == 0.00000000001',
    'A number can have at most 15 digits before the decimal point and 10 after it.',
    '0.00000000001',
  ],
  [
    'year == 1e-300',
    'A number can have at most 15 digits before the decimal point and 10 after it.',
    '1e-300',
  ],
  ['ratio > .5', 'Unexpected . here. Write a 0 before the decimal point: 0.5.', '.'],
  ['name + "x" == "ax"', '`name` is text: + requires numbers.', 'name'],
  [
    'came - 30 > daysAgo(3)',
    '`came` is a date: - requires numbers. For dates, use daysAgo, as in daysAgo(30).',
    'came',
  ],
  ['-name == "a"', '`name` is text: - requires numbers.', 'name'],
  // Functions and methods.
  [
    'foo(1)',
    'Unknown function foo. Available functions: today, daysAgo, date, timestamp, now, size.',
    'foo(1)',
  ],
  [
    'came > dayAgo(3)',
    'Unknown function dayAgo. Did you mean daysAgo? Available functions: today, daysAgo, date, timestamp, now, size.',
    'dayAgo(3)',
  ],
  [
    'has(name.x)',
    'Unknown function has. Available functions: today, daysAgo, date, timestamp, now, size.',
    'has(name.x)',
  ],
  ['contains(name, "a")', 'Write contains after a dot, as in make.contains("ord").', 'contains(name, "a")'],
  [
    'name.matches("^a")',
    'Unknown function matches after a dot. Available functions: contains, startsWith, endsWith.',
    'name.matches("^a")',
  ],
  [
    'name.startWith("a")',
    'Unknown function startWith after a dot. Did you mean startsWith? Available functions: contains, startsWith, endsWith.',
    'name.startWith("a")',
  ],
  [
    'makes.exists(one, one == "a")',
    'Unknown function exists after a dot. Available functions: contains, startsWith, endsWith.',
    'makes.exists(one, one == "a")',
  ],
  ['name.contains(3)', 'contains takes one text in quotes, as in contains("ord").', '3'],
  ['name.contains()', 'contains takes one text in quotes, as in contains("ord").', 'name.contains()'],
  ['name.contains("a", "b")', 'contains takes one text in quotes, as in contains("ord").', '"a"'],
  ['year.contains("1")', '`year` is a number: contains only works on text.', 'year'],
  ['status.contains("li")', '`status` is a choice: contains only works on text.', 'status'],
  [
    'makes.contains("Ford")',
    '`makes` is a list of texts: contains only works on text. Write "..." in makes.',
    'makes',
  ],
  ['came == today(1)', 'Write today().', 'today(1)'],
  ['came == date()', 'Write date("2026-03-01").', 'date()'],
  ['came == date("2026-02-30")', 'This isn\'t a valid date. Write it as date("2026-03-01").', '"2026-02-30"'],
  ['came == date(name)', 'This isn\'t a valid date. Write it as date("2026-03-01").', 'name'],
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
    'This isn\'t a valid date and time. Include the time zone, as in timestamp("2026-03-01T10:00:00Z").',
    '"2026-03-01 10:00"',
  ],
  [
    'seen == timestamp("2026-03-01T10:00:60Z")',
    'This isn\'t a valid date and time. Include the time zone, as in timestamp("2026-03-01T10:00:00Z").',
    '"2026-03-01T10:00:60Z"',
  ],
  // Converted to UTC, its year is out of range.
  ...['"0001-01-01T00:00:00+14:00"', '"9999-12-31T23:59:59-14:00"'].map((text): [string, string, string] => [
    `seen > timestamp(${text})`,
    'This isn\'t a valid date and time. Include the time zone, as in timestamp("2026-03-01T10:00:00Z").',
    text,
  ]),
  ['size(year) > 1', 'size counts the characters of text or the values of a list.', 'year'],
  ['size(["a"]) > 1', 'size counts the characters of text or the values of a list.', '["a"]'],
  // Conditional expressions.
  ['(isPublic ? 1 : "a") == 1', 'Both results must have the same type: a number, not text.', '"a"'],
  [
    '(isPublic ? status : wished) == "live"',
    "`status` is a choice, which can't be used with ?. Write two conditions with &&.",
    'status',
  ],
  // Syntax.
  ['year ==', 'The rule is incomplete.', ''],
  ['(year == 1', 'The rule is incomplete.', ''],
  ['isPublic ? year == 1', 'The rule is incomplete.', ''],
  ['year == 1)', 'Unexpected ) here.', ')'],
  ['year = 1', 'Unexpected = here. Use == to compare.', '='],
  ['isPublic & isTrusted', 'Unexpected & here. Use && for "and".', '&'],
  ['isPublic | isTrusted', 'Unexpected | here. Use || for "or".', '|'],
  ['isPublic and isTrusted', 'Unexpected and here. Use && for "and".', 'and'],
  ['isPublic OR isTrusted', 'Unexpected OR here. Use || for "or".', 'OR'],
  ['not isPublic', 'Unexpected isPublic here. Use ! for "not".', 'isPublic'],
  ['name is "a"', 'Unexpected is here. Use == to compare.', 'is'],
  ['name contains "a"', 'Unexpected contains here. Write it after a dot: make.contains("ord").', 'contains'],
  ['isPublic; isTrusted', 'Unexpected ; here. Connect conditions with && or ||.', ';'],
  ['name == \u201ca\u201d', 'Unexpected \u201c here. Use straight quotes: ".', '\u201c'],
  ['name == \u{1f600}', 'Unexpected \u{1f600} here.', '\u{1f600}'],
  ['if == 1', "if is a reserved word and can't be a field name.", 'if'],
  [
    'name == "a',
    'This text has no closing quote. Write a quote inside text as \\" and a backslash as \\\\.',
    '"a',
  ],
  [
    'name == """a',
    'This text has no closing quote. Write a quote inside text as \\" and a backslash as \\\\.',
    '"""a',
  ],
  [
    'name == "a\nb"',
    'Text in quotes must end on the same line. Write a line break inside text as \\n.',
    '\n',
  ],
  [
    'name == "C:\\lots"',
    '\\l isn\'t a valid character. Write a quote inside text as \\" and a backslash as \\\\.',
    '\\l',
  ],
  [
    'name == "\\ud800"',
    '\\ud800 isn\'t a valid character. Write a quote inside text as \\" and a backslash as \\\\.',
    '\\ud800',
  ],
  ['name == "\\u0000"', 'This text contains an invalid character.', '"\\u0000"'],
  ['name == "\ud800"', 'This text contains an invalid character.', '"\ud800"'],
  ['name == b"a"', 'b"a" isn\'t supported in rules.', 'b"a"'],
  ['name\u00a0== "a"', "There's an invisible character here. Delete it.", '\u00a0'],
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
])('%s is a valid rule', (text) => {
  expect(problemOf(text)).toBeNull()
})

test('for the label of a choice, the message suggests its value', () => {
  const choices = [{ value: 'cpo', label: 'Certified' }]
  const read = readRule('kind == "certified"', { kind: { title: 'Kind', kind: 'choice', choices } })
  expect(read).toMatchObject({
    ok: false,
    problem: { message: '`kind` can\'t be "certified". Did you mean "cpo"? Valid values: "cpo".' },
  })
})

test('for the title of a field, the message suggests its name', () => {
  const read = readRule('days > 45', { daysInStock: { title: 'Days', kind: 'integer' } })
  expect(read).toMatchObject({
    problem: { message: 'Unknown field `days`. Did you mean `daysInStock`?' },
  })
})

test('a list with choices can only be tested for one of them', () => {
  const choices = ['roof rack', 'tow bar'].map((value) => ({ value, label: value.toUpperCase() }))
  const variables = { extras: { title: 'Extras', kind: 'texts', choices } } as const
  expect(readRule('"TOW BAR" in extras', variables)).toMatchObject({
    ok: true,
    rule: { tree: { op: 'has', as: 'text', value: { op: 'text', text: 'tow bar' } } },
  })
  expect(readRule('"tow baar" in extras', variables)).toEqual({
    ok: false,
    problem: {
      message: '`extras` can\'t be "tow baar". Did you mean "tow bar"? Valid values: "roof rack", "tow bar".',
      from: 0,
      to: 10,
    },
  })
})
