import { expect, test } from 'vitest'
import { variablesOf } from '#contract/expressions/variables.ts'
import { VEHICLE_LIST } from '#contract/vehicles/vehicles/vehicle-list.ts'
import type { BuilderGroup } from './builder-group.ts'
import { isEverything, openDraft, type RuleDraft, toBuilderMode, draftResult } from './rule-draft.ts'
import { partsOf, withoutPart, withPart } from './rule-parts.ts'

const variables = variablesOf(VEHICLE_LIST, () => true)
const write = (draft: RuleDraft) => draftResult(draft, variables)

/** The draft of a rule after a change in the builder. */
function built(text: string, change: (group: BuilderGroup) => BuilderGroup): RuleDraft {
  const draft = openDraft(text, variables)
  if (draft.face !== 'builder') throw new Error(`The builder cannot show ${text}.`)
  return { ...draft, group: change(draft.group) }
}
const row = (field: string, operator: string, ...value: string[]) => ({ field, operator, value })

test('a rule the builder cannot show opens as text, and never matches everything', () => {
  const text = 'price > cost * 1.1'
  const draft = openDraft(text, variables)
  expect(draft).toEqual({ face: 'text', text })
  expect(write(draft)).toEqual({ ok: true, text })
  expect(toBuilderMode(draft, variables)).toContain('can only be edited as text')
})

test.each([
  'condition=="used"&&daysInStock>45',
  '( status in ["live"] )',
  '// by hand\nprice >= 1000.00 || !(make.contains("or") && vin == null)',
])('an unchanged rule is returned byte for byte: %s', (text) => {
  expect(write(openDraft(text, variables))).toEqual({ ok: true, text })
})

test('the IDs that the builder adds to rows are not a change', () => {
  const text = 'condition=="used"&&daysInStock>45'
  const draft = built(text, (group) => ({
    ...group,
    id: 'a',
    rules: group.rules.map((rule) => ({ ...rule, id: 'b' })),
  }))
  expect(write(draft)).toEqual({ ok: true, text })
})

test('a change in the builder rewrites the rule', () => {
  const draft = built('condition=="used"', (group) => ({
    ...group,
    rules: [...group.rules, row('daysInStock', '>', '45')],
  }))
  expect(write(draft)).toEqual({ ok: true, text: 'condition == "used" && daysInStock > 45' })
})

test('nested groups with all, any and not survive the builder', () => {
  const draft = built('', (group) => ({
    ...group,
    rules: [
      row('make', 'contains', 'or'),
      {
        combinator: 'or',
        not: true,
        rules: [row('lotId', 'in', '1', '2'), row('updatedAt', 'agoSince', '30')],
      },
    ],
  }))
  const written = write(draft)
  expect(written).toEqual({
    ok: true,
    text: 'make.contains("or") && !(lotId in ["1", "2"] || updatedAt >= daysAgo(30))',
  })
  const reopened = openDraft(written.ok ? written.text : '', variables)
  expect(reopened).toMatchObject({
    face: 'builder',
    group: { combinator: 'and', rules: [{}, { not: true }] },
  })
})

test('an incomplete row is reported, not dropped', () => {
  const draft = built('condition == "used"', (group) => ({
    ...group,
    rules: [...group.rules, row('price', '>')],
  }))
  expect(write(draft)).toMatchObject({
    ok: false,
    message: 'Price before rules: enter a number.',
    from: null,
  })
})

test('an empty nested group is reported, not dropped', () => {
  const draft = built('condition == "used"', (group) => ({
    ...group,
    rules: [...group.rules, { combinator: 'or', rules: [] }],
  }))
  expect(write(draft)).toMatchObject({
    ok: false,
    message: expect.stringContaining('A group has no conditions'),
  })
})

test('invalid text is reported with message and position', () => {
  expect(write({ face: 'text', text: 'price > prise' })).toMatchObject({ ok: false, from: 8, to: 13 })
})

test('a rule without conditions, or one that is always true, matches everything', () => {
  const emptied = built('condition == "used"', (group) => ({ ...group, rules: [] }))
  expect(write(emptied)).toEqual({ ok: true, text: '' })
  expect(isEverything('', variables)).toBe(true)
  expect(isEverything('true', variables)).toBe(true)
  expect(isEverything('condition == "used"', variables)).toBe(false)
})

test('changing one part of a filter leaves the others as written', () => {
  const parts = partsOf('condition=="used" && price > cost * 1.1', variables)
  expect(parts.map(({ leaf }) => leaf?.field)).toEqual(['condition', undefined])
  expect(withPart(parts, 0, 'year > 2020')).toBe('year > 2020 && price > cost * 1.1')
  expect(withPart(parts, 2, 'year > 2020')).toBe('condition=="used" && price > cost * 1.1 && year > 2020')
  expect(withoutPart(parts, 1)).toBe('condition=="used"')
})

test('adding a part to an "or" keeps its meaning', () => {
  const parts = partsOf('year > 2020 || price < 5', variables)
  expect(withPart(parts, 1, 'condition == "used"')).toBe('(year > 2020 || price < 5) && condition == "used"')
})
