import { expect, test } from 'vitest'
import type { Variables } from '#contract/expressions/variables.ts'
import { chosenIn, toggleValue } from './facet-rule.ts'

const VARIABLES: Variables = {
  status: {
    title: 'Status',
    kind: 'choice',
    choices: [
      { value: 'live', label: 'Live' },
      { value: 'hold', label: 'Hold' },
    ],
  },
  make: { title: 'Make', kind: 'text' },
  year: { title: 'Year', kind: 'integer' },
  lotId: { title: 'Lot', kind: 'reference', refersTo: 'lots' },
  tags: { title: 'Tags', kind: 'texts' },
  price: { title: 'Price', kind: 'money' },
}

const choose = (filter: string, field: string, value: string | null) =>
  toggleValue(filter, VARIABLES, { field, value, isOn: true })
const giveUp = (filter: string, field: string, value: string | null) =>
  toggleValue(filter, VARIABLES, { field, value, isOn: false })

test('values of a field are combined into one part, in its existing position', () => {
  const one = choose('', 'status', 'live')
  expect(one).toBe('status == "live"')
  const combined = choose(`${one} && price > 100`, 'status', 'hold')
  expect(combined).toBe('status in ["live", "hold"] && price > 100')
  expect(giveUp(combined, 'status', 'live')).toBe('status == "hold" && price > 100')
  expect(giveUp(giveUp(combined, 'status', 'live'), 'status', 'hold')).toBe('price > 100')
})

test('texts are compared without case, and quotes survive', () => {
  expect(giveUp('make in ["FORD", "Kia"]', 'make', 'Ford')).toBe('make == "Kia"')
  const odd = choose('', 'make', 'A "B" \\ C')
  expect(chosenIn(odd, VARIABLES, 'make')).toEqual(['A "B" \\ C'])
  expect(giveUp(odd, 'make', 'a "b" \\ c')).toBe('')
})

test('an empty value replaces other values, and the other way around', () => {
  expect(choose('make in ["Ford", "Kia"]', 'make', null)).toBe('make == null')
  expect(choose('make == null', 'make', 'Kia')).toBe('make == "Kia"')
  expect(giveUp('make == null', 'make', null)).toBe('')
})

test('only one number is chosen at a time', () => {
  expect(choose('year == 2023', 'year', '2024')).toBe('year == 2024')
})

test('values of a multi-value field are separate parts', () => {
  const both = choose('"Auction" in tags', 'tags', 'Front line')
  expect(both).toBe('"Auction" in tags && "Front line" in tags')
  expect(chosenIn(both, VARIABLES, 'tags')).toEqual(['Auction', 'Front line'])
  expect(giveUp(both, 'tags', 'auction')).toBe('"Front line" in tags')
  expect(choose(both, 'tags', null)).toBe('tags == null')
})

test('other conditions on the field stay as written', () => {
  const filter = 'status != "sold" && (make == "Ford" || price > 5)'
  expect(choose(filter, 'status', 'live')).toBe(
    'status != "sold" && (make == "Ford" || price > 5) && status == "live"',
  )
  expect(chosenIn(filter, VARIABLES, 'make')).toEqual([])
})
