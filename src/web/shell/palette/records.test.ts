import { expect, test } from 'vitest'
import type { SearchResult } from '#contract/home/search.ts'
import { groupRecords } from './records.ts'

const found = (kind: SearchResult['kind'], id: string, path: string): SearchResult => ({
  kind,
  id,
  title: `${kind} ${id}`,
  about: '',
  path,
})
const vehicle = (id: string) => found('vehicle', id, `/inventory/vehicle-data?vehicle=${id}`)

test("records are grouped by kind in the server's order", () => {
  const groups = groupRecords([vehicle('1'), found('lot', '7', '/customers/lots?lot=7'), vehicle('2')], {
    typed: 'ford',
    most: 5,
  })
  expect(groups.map(({ title, results }) => [title, results.map((one) => one.title)])).toEqual([
    ['Vehicles', ['vehicle 1', 'vehicle 2']],
    ['Lots', ['lot 7']],
  ])
})

test('if there may be more, the last entry opens the list with the same search', () => {
  const [group] = groupRecords([vehicle('1'), vehicle('2')], { typed: 'f 150', most: 2 })
  expect(group?.results.at(-1)).toMatchObject({
    title: 'See all in Vehicle data',
    leads: { to: '/inventory/vehicle-data?search=f%20150' },
  })
})

test('users of all customers link to their common list, records without a list have no link', () => {
  const groups = groupRecords(
    [
      found('person', '1', '/customers/people?search=x'),
      found('customer', '2', '/customers?customer=2'),
      found('organization', '3', '/auth/organization'),
    ],
    { typed: 'x', most: 1 },
  )
  expect(groups.map(({ results }) => results.at(-1)?.title)).toEqual([
    'See all in Find users',
    'See all in All customers',
    'organization 3',
  ])
})
