import { describe, expect, test } from 'vitest'
import { NOW, VARIABLES } from '#test/factories/lists/any-rule.ts'
import { evaluateRule } from './evaluate.ts'
import { readRule } from './read.ts'

function holds(text: string, values: Record<string, unknown> = {}): boolean {
  const read = readRule(text, VARIABLES)
  if (!read.ok) throw new Error(read.problem.message)
  return evaluateRule(read.rule, values, { now: NOW, zone: 'UTC' })
}

describe('numbers', () => {
  test.for([
    ['0.1 + 0.2 == 0.3', {}, true],
    ['ratio + 0.2 == 0.3', { ratio: '0.1' }, true],
    ['ratio == 0.3', { ratio: 0.3 }, true],
    ['ratio * 3 == 0.9', { ratio: '0.30' }, true],
    ['year > 2019.5', { year: 2019 }, false],
    ['year > 2019.5', { year: 2020 }, true],
    ['year == 2019.5', { year: 2019 }, false],
    ['year / 2 == 1009.5', { year: 2019 }, true],
    ['1 / 3 * 3 == 1', {}, false],
    ['1 / 3 == 0.3333333333', {}, false],
    ['-year == -2019', { year: 2019 }, true],
    ['year == - -2019', { year: 2019 }, true],
    ['-0 == 0 && year > -0', { year: 1 }, true],
    ['year - 1 - 1 == 2017 && year / 3 / 673 == 1', { year: 2019 }, true],
    ['2 + 3 * 4 == 14', {}, true],
    ['1e3 == 1000 && 1.50 == 1.5', {}, true],
    ['year in [2018, 2019.0]', { year: 2019 }, true],
    ['year in []', { year: 2019 }, false],
    ['999999999999999 * 999999999999999 > 999999999999999 * 999999999999998', {}, true],
    ['views == 9', { views: 9n }, true],
    ['views == 9', { views: 'nine' }, false],
    ['views == null', { views: NaN }, true],
  ] as const)('%s of %o: %s', ([text, values, expected]) => {
    expect(holds(text, values)).toBe(expected)
  })
})

describe('amounts are cents in rows and currency units in rules', () => {
  test.for([
    ['price > cost * 1.1', { price: 2_200_000, cost: 2_000_000 }, false],
    ['price > cost * 1.1', { price: 2_200_001, cost: 2_000_000 }, true],
    ['price == 24999.99', { price: 2_499_999 }, true],
    ['price > 24999.985', { price: 2_499_999 }, true],
    ['price > 922337203685477.58', { price: '9223372036854775807' }, true],
    ['price - cost == 0.01', { price: '9223372036854775807', cost: '9223372036854775806' }, true],
    ['price / year > 10', { price: 2_020_000, year: 2019 }, true],
  ] as const)('%s of %o: %s', ([text, values, expected]) => {
    expect(holds(text, values)).toBe(expected)
  })
})

describe('a missing value makes a comparison false and its negation true', () => {
  test.for([
    ['year == 2019', false],
    ['year != 2019', true],
    ['!(year == 2019)', true],
    ['year > 2019', false],
    ['!(year > 2019)', true],
    ['year <= 2019', false],
    ['year == views', false],
    ['year != views', true],
    ['year + 1 > 0', false],
    ['year * 0 == 0', false],
    ['1 / 0 == 1 / 0', false],
    ['1 / 0 != 1', true],
    ['(1 / (year - year)) == null', true],
    ['year == null', true],
    ['year != null', false],
    ['name == ""', false],
    ['name in [""]', false],
    ['!(name in ["a"])', true],
    ['name.contains("")', false],
    ['!name.contains("a")', true],
    ['"a".contains(name)', false],
    ['status != "live"', true],
    ['"Ford" in makes', false],
    ['!("Ford" in makes)', true],
    ['name in makes', false],
    ['size(makes) == 0', false],
    ['size(name) == 0', false],
    ['makes == null', true],
    ['came < today()', false],
    ['seen == seen', false],
    ['isPublic', false],
    ['!isPublic', true],
    ['isPublic == false', true],
    ['isPublic == null', true],
    ['isPublic ? true : year == null', true],
    ['(year > 1 ? 1 : 2) == 2', true],
    ['(year > 1 ? 1 : views) == null', true],
  ] as const)('%s: %s', ([text, expected]) => {
    expect(holds(text, {})).toBe(expected)
    expect(holds(text, { year: null, name: null, makes: null, isPublic: undefined })).toBe(expected)
  })
})

describe('text comparisons ignore case', () => {
  test.for([
    ['name == "ford"', { name: 'FORD' }, true],
    ['name == "škoda"', { name: 'ŠKODA' }, true],
    ['name == "ёжик"', { name: 'ЁЖИК' }, true],
    ['name == "istanbul"', { name: 'İstanbul' }, true],
    ['name == "σίσυφοσ"', { name: 'Σίσυφος' }, true],
    ['name == "strasse"', { name: 'Straße' }, false],
    ['name.contains("RANS")', { name: 'Ford Transit' }, true],
    ['name.contains("%")', { name: 'Ford' }, false],
    ['name.contains("%")', { name: '100%' }, true],
    ['name.startsWith("_")', { name: 'ab' }, false],
    ['name.endsWith("IT")', { name: 'Transit' }, true],
    ['name in ["a", "FORD"]', { name: 'Ford' }, true],
    ['"ford" in makes', { makes: ['Toyota', 'FORD'] }, true],
    ['name in makes', { name: 'ford', makes: ['FORD'] }, true],
    ['name == note', { name: 'a', note: 'A' }, true],
    ['name == "say \\"so\\""', { name: 'Say "So"' }, true],
    ['name == r"C:\\lots"', { name: 'c:\\LOTS' }, true],
    ['size(name) == 2', { name: '\u{1f600}\u{1f697}' }, true],
    ['makes == null', { makes: [] }, true],
    ['size(makes) == 0', { makes: [] }, true],
    ['status == "SOLD"', { status: 'sold' }, true],
    ['status in ["On Hold"]', { status: 'on hold' }, true],
    ['lot == "12" && lot == 12', { lot: '12' }, true],
    ['"3" in lots && lot in lots', { lots: ['3', '12'], lot: '12' }, true],
  ] as const)('%s of %o: %s', ([text, values, expected]) => {
    expect(holds(text, values)).toBe(expected)
  })
})

describe('dates are days in UTC, and an instant is compared with a date by its own day', () => {
  test.for([
    ['came == date("2026-03-01")', { came: '2026-03-01' }, true],
    ['came == today()', { came: '2026-03-01' }, true],
    ['came == daysAgo(1)', { came: '2026-02-28' }, true],
    ['came >= daysAgo(-1)', { came: '2026-03-01' }, false],
    ['came > left', { came: '2024-03-01', left: '2024-02-29' }, true],
    ['came == null', { came: '2026-02-30' }, true],
    ['seen == date("2026-03-01")', { seen: '2026-03-01T23:59:59.999Z' }, true],
    ['seen <= date("2026-03-01")', { seen: '2026-03-01T23:59:59.999Z' }, true],
    ['seen > date("2026-03-01")', { seen: '2026-03-01T23:59:59.999Z' }, false],
    ['seen > date("2026-03-01")', { seen: '2026-03-02T00:00:00.000Z' }, true],
    ['seen == date("1969-12-31")', { seen: '1969-12-31T23:59:59.999Z' }, true],
    ['seen >= daysAgo(1)', { seen: '2026-02-28T00:00:00.000Z' }, true],
    ['came == timestamp("2026-03-01T23:00:00-03:00")', { came: '2026-03-02' }, true],
    ['seen == timestamp("2026-03-01T12:00:00+02:00")', { seen: '2026-03-01T10:00:00.000Z' }, true],
    ['seen == timestamp("2026-03-01T10:00:00.123Z")', { seen: '2026-03-01 10:00:00.123999+00' }, true],
    ['seen <= now()', { seen: '2026-03-01T10:30:00.123999Z' }, true],
    ['seen < now()', { seen: new Date('2026-03-01T10:30:00.122Z') }, true],
    [
      'seen in [date("2026-03-01"), timestamp("2026-03-02T10:00:00Z")]',
      { seen: '2026-03-02T10:00:00Z' },
      true,
    ],
    ['(isPublic ? seen : changed) < today()', { changed: '2026-02-28T00:00:00Z' }, true],
  ] as const)('%s of %o: %s', ([text, values, expected]) => {
    expect(holds(text, values)).toBe(expected)
  })
})
