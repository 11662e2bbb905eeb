import { expect, test } from 'vitest'
import { MAX_CHOSEN } from '#contract/lists/selection.ts'
import {
  countSelected,
  EVERYTHING,
  isSelected,
  isTooMany,
  NOTHING,
  select,
  toSelection,
} from './selection.ts'

const ASKED = { search: '', filter: '' }

test('rows are selected and deselected one by one, across all pages', () => {
  const some = select(select(NOTHING, ['1', '2'], true), ['9'], true)
  expect([countSelected(some, 86), isSelected(some, '9'), isSelected(some, '3')]).toEqual([3, true, false])
  const fewer = select(some, ['2', '4'], false)
  expect(countSelected(fewer, 86)).toBe(2)
  expect(toSelection(fewer, ASKED)).toEqual({ ids: ['1', '9'] })
})

test('all matching rows can be selected, except for some', () => {
  const most = select(EVERYTHING, ['1', '2'], false)
  expect([countSelected(most, 86), isSelected(most, '2'), isSelected(most, '3')]).toEqual([84, false, true])
  expect(toSelection(most, { search: 'ford', filter: 'year > 2020' })).toEqual({
    all: true,
    search: 'ford',
    filter: 'year > 2020',
    except: ['1', '2'],
  })
  const again = select(most, ['1', '2'], true)
  expect(toSelection(again, ASKED)).toEqual({ all: true })
  expect(countSelected(again, 86)).toBe(86)
})

test('the count never drops below zero when rows disappear', () => {
  expect(countSelected(select(EVERYTHING, ['1', '2', '3'], false), 2)).toBe(0)
})

test('selected rows and exceptions are limited to what a call accepts', () => {
  const ids = Array.from({ length: MAX_CHOSEN + 1 }, (_, index) => String(index))
  expect(isTooMany(select(NOTHING, ids.slice(1), true))).toBe(false)
  expect(isTooMany(select(NOTHING, ids, true))).toBe(true)
  expect(isTooMany(select(EVERYTHING, ids, false))).toBe(true)
  expect(isTooMany(EVERYTHING)).toBe(false)
})
