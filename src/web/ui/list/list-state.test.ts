import { expect, test } from 'vitest'
import { LOT_LIST } from '#contract/customers/lots/lots.ts'
import { VEHICLE_LIST } from '#contract/vehicles/vehicles/vehicle-list.ts'
import { type ListSearch, readListSearch } from '#web/list-search.ts'
import { changeSearch, columnsOf, ownColumns, readState } from './list-state.ts'

const columns = columnsOf(LOT_LIST, () => true)
const lots = { list: LOT_LIST, columns }
/** The columns that aren't hidden by default. */
const OWN = columns.flatMap(({ id, field }) => (field.isHidden === true ? [] : [id]))

/** Parses a query string like the router. */
const read = (text: string) => readListSearch(Object.fromEntries(new URLSearchParams(text)))
const stateOf = (text: string) => readState(LOT_LIST, columns, read(text))

test("a URL without parameters shows the list's defaults", () => {
  expect(stateOf('')).toEqual({
    page: 1,
    size: 50,
    sort: 'name',
    search: '',
    filter: '',
    columns: OWN,
    view: null,
  })
})

test('a URL with all parameters is read completely, with the fixed column first', () => {
  const text = 'page=3&size=25&sort=-city,name&search=main&filter=isPublic&columns=city,code,name&view=7'
  expect(stateOf(text)).toEqual({
    page: 3,
    size: 25,
    sort: '-city,name',
    search: 'main',
    filter: 'isPublic',
    columns: ['name', 'city', 'code'],
    view: '7',
  })
})

test('invalid parameters are ignored', () => {
  expect(stateOf('page=0&size=201&sort=phone&columns=nothing,of,this')).toEqual(stateOf(''))
  expect(stateOf('page=x&size=1.5&sort=,&columns=')).toEqual(stateOf(''))
  expect(stateOf('columns=city,city,nothing').columns).toEqual(['name', 'city'])
})

test('size 0 scrolls all rows and has no pages', () => {
  expect(stateOf('size=0&page=4')).toMatchObject({ size: 0, page: 1 })
})

test('a column the user may not see is not shown and cannot be sorted by', () => {
  const poor = columnsOf(VEHICLE_LIST, () => false)
  expect(poor.map(({ id }) => id)).not.toContain('cost')
  const state = readState(VEHICLE_LIST, poor, read('columns=cost,price&sort=-cost'))
  expect(state).toMatchObject({ columns: ['name', 'price'], sort: '-updatedAt' })
  const rich = columnsOf(VEHICLE_LIST, () => true)
  expect(readState(VEHICLE_LIST, rich, read('columns=cost&sort=-cost'))).toMatchObject({
    columns: ['name', 'cost'],
    sort: '-cost',
  })
})

test('a change goes to the first page and omits defaults from the URL', () => {
  const before = read('page=3&sort=-code&search=main')
  expect(read(query(changeSearch(lots, before, { search: '' })))).toEqual({ sort: '-code' })
  expect(query(changeSearch(lots, before, { sort: 'name' }))).toBe('search=main')
  expect(query(changeSearch(lots, before, { page: 4 }))).toBe('page=4&sort=-code&search=main')
  expect(query(changeSearch(lots, {}, { columns: ownColumns(columns).join(','), size: 50, page: 1 }))).toBe(
    '',
  )
})

test('with a view the URL always includes the sort, so that the view is not opened again', () => {
  const open = read('view=7&sort=name&filter=isPublic')
  expect(query(changeSearch(lots, open, { filter: '' }))).toBe('sort=name&view=7')
  expect(query(changeSearch(lots, open, { view: 'all', filter: '' }))).toBe('view=all')
})

/** Writes a query string like the router. */
function query(search: ListSearch): string {
  const given = Object.entries(search).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return new URLSearchParams(given).toString()
}
