import { expect, test } from 'vitest'
import { openingWords, todayIn } from './opening-words.ts'

const TODAY = '2026-11-23'
const holiday = null

test('what is open says until when, what is closed when it opens', () => {
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

test('the day is that of the lot', () => {
  const moment = new Date('2026-11-24T03:00:00Z')
  expect(todayIn('America/Los_Angeles', moment)).toBe('2026-11-23')
  expect(todayIn('Asia/Tokyo', moment)).toBe('2026-11-24')
})
