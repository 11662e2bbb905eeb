import { expect, test } from 'vitest'
import { describeLeaf } from './describe.ts'
import { readRule } from './read.ts'
import { conjuncts } from './rules.ts'
import type { Variables } from './variables.ts'

const VARIABLES: Variables = {
  make: { title: 'Make', kind: 'text' },
  makes: { title: 'Makes', kind: 'texts' },
  status: {
    title: 'Status',
    kind: 'choice',
    choices: [
      { value: 'cpo', label: 'Certified' },
      { value: 'new', label: 'New' },
    ],
  },
  lotId: { title: 'Lot', kind: 'reference', refersTo: 'lots' },
  mileage: { title: 'Mileage', kind: 'integer', unit: 'mi' },
  price: { title: 'Price', kind: 'money' },
  inStockOn: { title: 'In stock since', kind: 'date' },
  updatedAt: { title: 'Changed', kind: 'moment' },
  isPublic: { title: 'Public pages', kind: 'flag' },
}
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
const moment = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
})
const MARCH = new Date('2026-03-01T10:00:00Z')

test.for([
  ['make == "Ford"', ['Make', 'is', 'Ford']],
  ['make == ""', ['Make', 'is', '""']],
  ['make == null', ['Make', 'is empty', '']],
  ['make.contains("ord")', ['Make', 'contains', 'ord']],
  ['"Ford" in makes', ['Makes', 'has', 'Ford']],
  ['status in ["CPO", "new"]', ['Status', 'is any of', 'Certified, New']],
  ['lotId != "3"', ['Lot', 'is not', 'Main street']],
  ['lotId == "4"', ['Lot', 'is', 'ID 4']],
  ['mileage > 120000', ['Mileage', 'is over', '120,000 mi']],
  ['price <= -1234567.5', ['Price', 'is at most', '-1,234,567.5']],
  ['inStockOn == today()', ['In stock since', 'is on', 'today']],
  ['inStockOn < daysAgo(1)', ['In stock since', 'is before', 'yesterday']],
  ['inStockOn >= daysAgo(30)', ['In stock since', 'is on or after', '30 days ago']],
  ['inStockOn > daysAgo(-1)', ['In stock since', 'is after', 'tomorrow']],
  ['inStockOn > daysAgo(-7)', ['In stock since', 'is after', 'in 7 days']],
  ['inStockOn <= date("2026-03-01")', ['In stock since', 'is on or before', day.format(MARCH)]],
  ['updatedAt < timestamp("2026-03-01T10:00:00Z")', ['Changed', 'is before', `${moment.format(MARCH)} UTC`]],
  ['isPublic', ['Public pages', 'is yes', '']],
  ['!isPublic', ['Public pages', 'is no', '']],
] as const)('%s is described as %o', ([text, words]) => {
  const read = readRule(text, VARIABLES)
  const leaf = read.ok ? conjuncts(read.rule)[0]?.leaf : undefined
  const nameOf = (_: string, id: string) => (id === '3' ? 'Main street' : null)
  expect(leaf && Object.values(describeLeaf(leaf, VARIABLES, nameOf))).toEqual(words)
})

test('a removed field is shown by its ID', () => {
  const leaf = { field: 'gone', operator: '==', value: 'x' } as const
  expect(describeLeaf(leaf, VARIABLES, () => null)).toEqual({ field: 'gone', operator: 'is', value: 'x' })
})
