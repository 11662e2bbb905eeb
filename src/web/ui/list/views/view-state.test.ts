import { expect, test } from 'vitest'
import { LOT_LIST } from '#contract/customers/lots/lots.ts'
import { ViewState } from '#contract/lists/views.ts'
import { PLAIN_LOOK } from './stored-view.ts'
import { changeSearch, columnsOf, readState } from '../list-state.ts'
import { isModified, lookOf, searchOf, viewStateOf } from './view-state.ts'

const columns = columnsOf(LOT_LIST, () => true)
const lots = { list: LOT_LIST, columns }
const state = (search: object) => readState(LOT_LIST, columns, search)

const CITIES = {
  id: '7',
  state: {
    filter: 'isPublic',
    sort: '-city',
    columns: ['name', 'city', 'code'],
    size: 100,
    widths: { city: 200, code: 90 },
    density: 'compact',
  },
} satisfies { id: string; state: ViewState }

test('the URL of a view contains everything the view contains', () => {
  const opened = state(searchOf(lots, CITIES))
  expect(opened).toMatchObject({
    filter: 'isPublic',
    sort: '-city',
    columns: ['name', 'city', 'code'],
    size: 100,
    view: '7',
  })
  expect(viewStateOf(lots, opened, lookOf(CITIES.state))).toEqual(CITIES.state)
})

test('a saved view omits defaults, and the contract accepts it', () => {
  expect(viewStateOf(lots, state({}), PLAIN_LOOK)).toEqual({})
  const scrolled = viewStateOf(lots, state({ size: 0, search: 'main', page: 3 }), PLAIN_LOOK)
  expect(scrolled).toEqual({ size: 0, search: 'main' })
  for (const saved of [scrolled, CITIES.state]) expect(ViewState.safeParse(saved).success).toBe(true)
})

test('a view is modified if anything but the page differs', () => {
  const url = searchOf(lots, CITIES)
  const look = lookOf(CITIES.state)
  const is = (change: object, seen = look) =>
    isModified(lots, CITIES, { state: state(changeSearch(lots, url, change)), look: seen })
  expect(is({})).toBe(false)
  expect(is({ page: 2 })).toBe(false)
  expect(is({}, { density: 'compact', widths: { code: 90, city: 200 } })).toBe(false)
  expect(is({ search: 'main' })).toBe(true)
  expect(is({ sort: 'city' })).toBe(true)
  expect(is({ columns: 'name,code,city' })).toBe(true)
  expect(is({ size: 50 })).toBe(true)
  expect(is({}, { ...look, density: 'medium' })).toBe(true)
  expect(is({}, { ...look, widths: { city: 201, code: 90 } })).toBe(true)
})

test('parts of a shared view that the user may not see do not make it modified', () => {
  const shared = { id: '8', state: { columns: ['name', 'nobodysBusiness', 'code'] } }
  const opened = state(searchOf(lots, shared))
  expect(opened.columns).toEqual(['name', 'code'])
  expect(isModified(lots, shared, { state: opened, look: PLAIN_LOOK })).toBe(false)
})
