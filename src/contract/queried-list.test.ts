import { expect, test } from 'vitest'
import { defineList } from './lists/list.ts'
import { DEFAULT_PAGE_SIZE, EMPTY_LIST, listQuery, MAX_FILTER } from './queried-list.ts'

const query = listQuery(
  defineList({
    key: 'things',
    title: 'Things',
    nouns: ['thing', 'things'],
    page: '/things',
    allow: null,
    exports: null,
    sort: 'name',
    fields: {
      name: { title: 'Name', kind: 'text', isSortable: true },
      code: { title: 'Code', kind: 'text', isSortable: true },
      colour: { title: 'Colour', kind: 'text' },
    },
  }),
)

test('without a word a list gives its first page', () => {
  expect(query.parse({})).toEqual({ page: 1, pageSize: DEFAULT_PAGE_SIZE })
})

test('text from the address reads as numbers and sort terms', () => {
  expect(query.parse({ page: '2', pageSize: '200', sort: '-name,code', search: 'x' })).toEqual({
    page: 2,
    pageSize: 200,
    sort: [
      { field: 'name', descending: true },
      { field: 'code', descending: false },
    ],
    search: 'x',
  })
})

test.for([
  [{ page: '0' }, 'page'],
  [{ page: '1.5' }, 'page'],
  [{ page: '1000001' }, 'page'],
  [{ pageSize: '0' }, 'pageSize'],
  [{ pageSize: '201' }, 'pageSize'],
  [{ pageSize: 'many' }, 'pageSize'],
  [{ search: 'x'.repeat(201) }, 'search'],
  [{ search: ['a', 'b'] }, 'search'],
  [{ filter: 'x'.repeat(MAX_FILTER + 1) }, 'filter'],
  [{ sort: 'price' }, 'sort'],
  [{ sort: 'colour' }, 'sort'],
  [{ sort: '--name' }, 'sort'],
] as const)('%j is refused on its field', ([given, field]) => {
  expect(query.safeParse(given).error?.issues[0]?.path).toEqual([field])
})

test('a column that cannot be sorted is named, with those that can', () => {
  expect(query.safeParse({ sort: 'name,price' }).error?.issues[0]?.message).toBe(
    'Cannot sort by price. Use name, code.',
  )
})

test('a field that is not known is refused', () => {
  expect(query.safeParse({ columns: 'x' }).error?.issues[0]?.code).toBe('unrecognized_keys')
})

test.for(['name,name', 'name,-name', 'name,code,name,code', 'name,'.repeat(500)])(
  'sorting by %s is refused: each column counts once',
  (sort) => {
    expect(query.safeParse({ sort }).error?.issues[0]?.message).toContain('each once')
  },
)

test.for(['1e3', '0x10', ' 2', '', '-1'])('the page %j is no page', (page) => {
  expect(query.safeParse({ page }).success).toBe(false)
})

test('a list that could not be had reads as specification section 7 says', () => {
  expect(EMPTY_LIST).toEqual({ filteredRows: 0, totalRows: 0, results: null })
})
