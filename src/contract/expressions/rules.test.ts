import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyRule, DAYS, MOMENTS, TEXTS, VARIABLES } from '#test/factories/lists/any-rule.ts'
import type { LeafValue, RuleLeaf } from './leaf.ts'
import { OPERATORS, type Operator } from './operators.ts'
import { readRule } from './read.ts'
import { conjuncts, fromRules, toRules, type RuleGroup } from './rules.ts'
import { sameTree, type Rule } from './tree.ts'

function read(text: string): Rule {
  const result = readRule(text, VARIABLES)
  if (!result.ok) throw new Error(`${result.problem.message}: ${text}`)
  return result.rule
}

const all = (...rules: RuleGroup['rules']): RuleGroup => ({ all: true, not: false, rules })
const any = (...rules: RuleGroup['rules']): RuleGroup => ({ all: false, not: false, rules })
const row = (field: string, operator: Operator, value: LeafValue = null): RuleLeaf => ({
  field,
  operator,
  value,
})

describe('a rule as rows', () => {
  test.for([
    ['price >= 25000.50', all(row('price', '>=', '25000.5'))],
    ['5 < year', all(row('year', '>', '5'))],
    ['year >= 2019 && year <= 2021', all(row('year', '>=', '2019'), row('year', '<=', '2021'))],
    ['year == -1', all(row('year', '==', '-1'))],
    ['status == "Sold"', all(row('status', '==', 'sold'))],
    ['status in ["SOLD", "live"]', all(row('status', 'in', ['sold', 'live']))],
    ['!(status in ["sold"])', all(row('status', 'notIn', ['sold']))],
    ['year in [1, 2.50]', all(row('year', 'in', ['1', '2.5']))],
    ['name in []', all(row('name', 'in', []))],
    ['name != "a"', all(row('name', '!=', 'a'))],
    ['!(name == "a")', all(row('name', '!=', 'a'))],
    ['!name.contains("a")', all(row('name', 'containsNot', 'a'))],
    ['!name.endsWith("a")', all(row('name', 'endsNotWith', 'a'))],
    ['"Ford" in makes', all(row('makes', 'has', 'Ford'))],
    ['!(12 in lots)', all(row('lots', 'hasNot', '12'))],
    ['name == null', all(row('name', 'missing'))],
    ['null != name', all(row('name', 'there'))],
    ['isPublic == null', all(row('isPublic', 'missing'))],
    ['isPublic', all(row('isPublic', 'yes'))],
    ['isPublic == true', all(row('isPublic', 'yes'))],
    ['isPublic != true', all(row('isPublic', 'no'))],
    ['!!isPublic', all(row('isPublic', 'yes'))],
    ['came >= daysAgo(30)', all(row('came', '>=', { daysAgo: 30 }))],
    ['came == today()', all(row('came', '==', { daysAgo: 0 }))],
    ['seen < date("2026-03-01")', all(row('seen', '<', '2026-03-01'))],
    ['seen < timestamp("2026-03-01T12:00:00+02:00")', all(row('seen', '<', '2026-03-01T10:00:00.000Z'))],
    ['!(year > 1)', { ...all(row('year', '>', '1')), not: true }],
    [
      'isPublic || year > 1 && isTrusted',
      any(row('isPublic', 'yes'), all(row('year', '>', '1'), row('isTrusted', 'yes'))),
    ],
    ['!(isPublic || isTrusted)', { ...any(row('isPublic', 'yes'), row('isTrusted', 'yes')), not: true }],
    [
      'isPublic && !(isTrusted && year == 1)',
      all(row('isPublic', 'yes'), { ...all(row('isTrusted', 'yes'), row('year', '==', '1')), not: true }),
    ],
  ] as const)('%s', ([text, group]) => {
    expect(toRules(read(text))).toEqual(group)
  })

  // As an empty group, each of them would match everything.
  test.for([
    'price > cost * 1.1',
    'price > cost',
    'year + 1 > 2000',
    'price > 100 * 2',
    'name == note',
    'lot in lots',
    'name in makes',
    'size(makes) > 1',
    'seen > now()',
    'isPublic ? isTrusted : year > 1',
    'isPublic == isTrusted',
    '"abc".contains(name)',
    'name.contains(note)',
    '(isPublic ? 1 : 2) == year',
    'price + cost == null',
    'true',
    'false',
    '!(price > cost * 1.1)',
    'isPublic && price > cost * 1.1',
    'isPublic || (year > 1 && price > cost)',
  ])('%s can only be shown as text', (text) => {
    expect(toRules(read(text))).toBeNull()
  })
})

describe('rows as a rule', () => {
  test.for([
    ['', all()],
    ['', any(all(), { ...any(), not: true })],
    ['isPublic', all(any(), row('isPublic', 'yes'))],
    ['isPublic', any(all(any(row('isPublic', 'yes'))))],
    ['!(isPublic)', { ...all(row('isPublic', 'yes')), not: true }],
    ['!isPublic', all(row('isPublic', 'no'))],
    ['name == "say \\"so\\""', all(row('name', '==', 'say "so"'))],
    ['name == "C:\\\\lots\\\\"', all(row('name', '==', 'C:\\lots\\'))],
    ['name == "two\\nlines"', all(row('name', '==', 'two\nlines'))],
    ['name == "\u{1f600}"', all(row('name', '==', '\u{1f600}'))],
    ['name == "\\" || true || name == \\""', all(row('name', '==', '" || true || name == "'))],
    [
      'year > 3 && (isPublic || isTrusted)',
      all(row('year', '>', '3'), any(row('isPublic', 'yes'), row('isTrusted', 'yes'))),
    ],
    [
      'year > 3 && isPublic && isTrusted',
      all(row('year', '>', '3'), all(row('isPublic', 'yes'), row('isTrusted', 'yes'))),
    ],
    [
      'came >= today() && came <= daysAgo(-7)',
      all(row('came', '>=', { daysAgo: 0 }), row('came', '<=', { daysAgo: -7 })),
    ],
    ['seen == timestamp("2026-03-01T10:00:00.000Z")', all(row('seen', '==', '2026-03-01T10:00:00.000Z'))],
    ['status in ["live"]', all(row('status', 'in', 'live'))],
  ] as const)('%s', ([text, group]) => {
    expect(fromRules(group, VARIABLES)).toBe(text)
  })

  test.for([
    [row('year', '>', 'many'), '`year` is a number: compare it with a number, not text.'],
    [row('year', '>', '1 || true'), '`year` is a number: compare it with a number, not text.'],
    [row('year', '>'), '`year` is a number: compare it with a number, not text.'],
    [row('year', '>', ['1', '2']), '`year` is a number: compare it with a number, not a list.'],
    [row('came', '>', 'soon'), 'This isn\'t a valid date. Write it as date("2026-03-01").'],
    [row('status', '==', 'gone'), '`status` can\'t be "gone". Valid values: "live", "sold", "on hold".'],
    [row('gone', '==', 'x'), 'Unknown field `gone`.'],
  ] as const)('%o is written so that reading it reports what is wrong', ([leaf, message]) => {
    expect(readRule(fromRules(all(leaf), VARIABLES), VARIABLES)).toMatchObject({
      ok: false,
      problem: { message },
    })
  })
})

describe('the parts of a rule', () => {
  test.for([
    ['isPublic', ['isPublic']],
    ['year>1 && (name == "a && b")', ['year>1', 'name == "a && b"']],
    ['(year) == (1) && ((isPublic))', ['(year) == (1)', 'isPublic']],
    ['(year > 1 && isPublic) && isTrusted // the rest', ['year > 1', 'isPublic', 'isTrusted']],
    ['year > 1 && // both\n isPublic', ['year > 1', 'isPublic']],
    ['year > 1 && (isPublic || isTrusted)', ['year > 1', '(isPublic || isTrusted)']],
    ['isPublic || isTrusted', ['(isPublic || isTrusted)']],
    ['isPublic && year > 1 || isTrusted', ['(isPublic && year > 1 || isTrusted)']],
    ['isPublic && year > 1 ? isTrusted : isPublic // so', ['(isPublic && year > 1 ? isTrusted : isPublic)']],
    ['!(!(isPublic && isTrusted)) // twice', ['(!(!(isPublic && isTrusted)))']],
    ['isPublic && price > cost * 1.1', ['isPublic', 'price > cost * 1.1']],
  ] as const)('%s', ([text, parts]) => {
    expect(conjuncts(read(text)).map((part) => part.text)).toEqual(parts)
  })

  test('parts that a row can express have one', () => {
    expect(conjuncts(read('isPublic && price > cost && year in [1]')).map(({ leaf }) => leaf)).toEqual([
      row('isPublic', 'yes'),
      null,
      row('year', 'in', ['1']),
    ])
  })
})

test('the rows of a rule have the same meaning as the rule', () => {
  let some = 0
  fc.assert(
    fc.property(anyRule, (text) => {
      const rule = read(text)
      const group = toRules(rule)
      if (group === null) return
      some += 1
      const again = read(fromRules(group, VARIABLES))
      expect(sameTree(again.tree, rule.tree)).toBe(true)
      expect(toRules(again)).toEqual(group)
    }),
    { numRuns: 1_000 },
  )
  expect(some).toBeGreaterThan(100)
})

test('the joined parts of any rule have the same meaning as the rule', () => {
  fc.assert(
    fc.property(anyRule, (text) => {
      const rule = read(text)
      const joined = read(
        conjuncts(rule)
          .map((part) => part.text)
          .join(' && '),
      )
      expect(sameTree(joined.tree, rule.tree)).toBe(true)
    }),
    { numRuns: 1_000 },
  )
})

const values = {
  text: fc.constantFrom(...TEXTS),
  texts: fc.constantFrom(...TEXTS),
  choice: fc.constantFrom('live', 'sold', 'on hold'),
  reference: fc.constantFrom('1', '12'),
  references: fc.constantFrom('1', '12'),
  integer: fc.integer().map(String),
  decimal: fc.constantFrom('0.5', '-1.25', '0'),
  money: fc.constantFrom('0.5', '-1.25', '25000'),
  date: fc.oneof(fc.constantFrom(...DAYS), fc.record({ daysAgo: fc.integer({ min: -400, max: 400 }) })),
  moment: fc.oneof(fc.constantFrom(...DAYS, ...MOMENTS), fc.record({ daysAgo: fc.nat(400) })),
  flag: fc.constant(null),
}
const anyRow = fc
  .constantFrom(...Object.entries(VARIABLES))
  .chain(([field, { kind }]) =>
    fc.tuple(fc.constant(field), fc.constantFrom(...OPERATORS[kind]), values[kind]),
  )
  .chain(([field, operator, value]): fc.Arbitrary<RuleLeaf> => {
    if (operator === 'missing' || operator === 'there') return fc.constant({ field, operator, value: null })
    if (operator !== 'in' && operator !== 'notIn') return fc.constant({ field, operator, value })
    return fc.constant({ field, operator, value: typeof value === 'string' ? [value] : [] })
  })

test('rows survive a round trip through text', () => {
  fc.assert(
    fc.property(fc.array(anyRow, { minLength: 1, maxLength: 5 }), fc.boolean(), (rules, isAll) => {
      const group: RuleGroup = { all: isAll || rules.length === 1, not: false, rules }
      expect(toRules(read(fromRules(group, VARIABLES)))).toEqual(group)
    }),
    { numRuns: 1_000 },
  )
})
