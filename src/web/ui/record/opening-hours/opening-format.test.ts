import { expect, test } from 'vitest'
import { openingWords } from './opening-format.ts'

const TODAY = '2026-11-23'
const holiday = null

test('shows the closing time if open and the opening time if closed', () => {
  const until = { on: TODAY, at: '18:00' }
  expect(openingWords({ state: 'open', until, holiday }, TODAY)).toBe('Open until 18:00')
  expect(openingWords({ state: 'open', until: null, holiday }, TODAY)).toBe('Open')
  const opens = { on: '2026-11-24', at: '09:00' }
  expect(openingWords({ state: 'closed', opens, holiday }, TODAY)).toBe('Closed, opens Tue 09:00')
  const later = { on: '2026-12-01', at: '09:00' }
  expect(openingWords({ state: 'closed', opens: later, holiday: 'Holiday' }, TODAY)).toMatch(
    /^Closed \(Holiday\), opens .*Dec.* 09:00$/,
  )
  expect(openingWords({ state: 'unknown' }, TODAY)).toBeNull()
})
