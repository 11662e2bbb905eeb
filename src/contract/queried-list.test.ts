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
      color: { title: 'Color', kind: 'text' },
    },
  }),
)

test('defaults to the first page', () => {
  expect(query.parse({})).toEqual({ page: 1, pageSize: DEFAULT_PAGE_SIZE })
})

test('reads query text as numbers and sort terms', () => {
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
  [{ sort: 'color' }, 'sort'],
  [{ sort: '--name' }, 'sort'],
] as const)('rejects %j on its field', ([given, field]) => {
  expect(query.safeParse(given).error?.issues[0]?.path).toEqual([field])
})

test('names a column that cannot be sorted, and those that can', () => {
  expect(query.safeParse({ sort: 'name,price' }).error?.issues[0]?.message).toBe(
    'Cannot sort by price. Use name, code.',
  )
})

test('rejects an unknown field', () => {
  expect(query.safeParse({ columns: 'x' }).error?.issues[0]?.code).toBe('unrecognized_keys')
})

test.for(['name,name', 'name,-name', 'name,code,name,code', 'name,'.repeat(500)])(
  'rejects the sort %s because a column repeats',
  (sort) => {
    expect(query.safeParse({ sort }).error?.issues[0]?.message).toContain('each only once')
  },
)

test.for(['1e3', '0x10', ' 2', '', '-1'])('rejects the page %j', (page) => {
  expect(query.safeParse({ page }).success).toBe(false)
})

test('the empty list matches specification section 7', () => {
  expect(EMPTY_LIST).toEqual({ filteredRows: 0, totalRows: 0, results: null })
})
