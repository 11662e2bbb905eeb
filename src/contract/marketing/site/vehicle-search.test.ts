import { expect, test } from 'vitest'
import { idOfSlug, vehicleSlug } from './vehicle-address.ts'
import { searchWords } from './search-words.ts'
import { isNarrowed, readSearch, searchPath, withoutValue } from './vehicle-search.ts'

const read = (text: string) => readSearch(new URLSearchParams(text))

test('a search is written and read again without a loss', () => {
  const path =
    '/?q=awd&condition=used&make=Ford&make=Toyota&color=Red&store=NGF&minPrice=5000&maxPrice=30000&minYear=2019&maxMileage=60000&sort=priceUp&page=3'
  expect(searchPath(read(path.slice(2)))).toBe(path)
  expect(searchPath(read(''))).toBe('/vehicles')
})

test('what cannot be read is ignored', () => {
  const search = read(`page=-1&maxPrice=abc&sort=best&make=&make=%20&q=${'x'.repeat(500)}`)
  expect(search).toMatchObject({ page: 1, sort: 'newest', unread: { maxPrice: 'abc' } })
  expect(search.limits.maxPrice).toBeNull()
  expect(search.chosen.make).toEqual([])
  expect(search.text).toHaveLength(80)
})

test.each([
  ['maxPrice=$25,000', 'maxPrice', 25_000],
  ['maxPrice=15k', 'maxPrice', 15_000],
  ['maxPrice=17.5K', 'maxPrice', 17_500],
  ['maxPrice=20 000 $', 'maxPrice', 20_000],
  ['maxMileage=50,000 miles', 'maxMileage', 50_000],
  ['minYear=2020', 'minYear', 2020],
  ['q=trucks under 20k', 'maxPrice', 20_000],
  ['q=suv below $15,000', 'maxPrice', 15_000],
  ['q=less than 50k miles', 'maxMileage', 50_000],
] as const)('%s', (query, name, limit) => {
  expect(read(query.replaceAll('$', '%24')).limits[name]).toBe(limit)
})

test('a limit in words is no word of the search, and a limit of its own counts', () => {
  expect(read('q=trucks under 20k for work').text).toBe('trucks for work')
  expect(read('q=under 20k&maxPrice=18000').limits.maxPrice).toBe(18_000)
  expect(read('q=max 250').text).toBe('max 250')
})

test.each([
  ['F-150', [['f150']]],
  ['Pickups', [['pickups', 'pickup', 'truck']]],
  ['chevy', [['chevy', 'chevrolet']]],
  ['Citroën C3', [['citroën'], ['c3']]],
  ['%_\\', []],
  ['F 150', [['f150', 'f 150']]],
  ['Model Y 2021', [['model'], ['y'], ['2021']]],
  ['a cheap car for sale', []],
])('the words of %s', (text, words) => {
  expect(searchWords(text).map(({ any }) => any)).toEqual(words)
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
