import { expect, test } from 'vitest'
import { idOfSlug, vehicleSlug } from './vehicle-address.ts'
import { isNarrowed, readSearch, searchPath, withoutValue } from './vehicle-search.ts'

const read = (text: string) => readSearch(new URLSearchParams(text))

test('a search is written and read again without a loss', () => {
  const path = '/?q=awd&condition=used&make=Ford&make=Toyota&store=NGF&maxPrice=30000&sort=priceUp&page=3'
  expect(searchPath(read(path.slice(2)))).toBe(path)
  expect(searchPath(read(''))).toBe('/vehicles')
})

test('what cannot be read is ignored', () => {
  const search = read(`page=-1&maxPrice=abc&sort=best&make=&make=%20&q=${'x'.repeat(500)}`)
  expect(search).toMatchObject({ page: 1, maxPrice: null, sort: 'newest' })
  expect(search.chosen.make).toEqual([])
  expect(search.text).toHaveLength(80)
  expect(read('maxPrice=$25,000').maxPrice).toBe(25_000)
})

test('a removed value returns to the first page', () => {
  const search = withoutValue(read('make=Ford&make=Kia&page=4'), 'make', 'Ford')
  expect(searchPath(search)).toBe('/?make=Kia')
  expect(isNarrowed(search)).toBe(true)
  expect(isNarrowed(read('sort=year'))).toBe(false)
})

test.each([
  [{ id: '12', year: 2023, make: 'Ford', model: 'Explorer', trim: 'XLT' }, '2023-ford-explorer-xlt-12'],
  [{ id: '7', year: null, make: 'Citroën', model: 'C3', trim: null }, 'citroen-c3-7'],
  [{ id: '9', year: null, make: null, model: '---', trim: null }, '9'],
])('the address of %o is %s and leads back to its ID', (facts, slug) => {
  expect(vehicleSlug(facts)).toBe(slug)
  expect(idOfSlug(slug)).toBe(facts.id)
})

test('an address without an ID has none', () => {
  for (const slug of ['', 'ford', 'ford-0', 'ford-01x', `a-${'9'.repeat(19)}`])
    expect(idOfSlug(slug)).toBeNull()
})
