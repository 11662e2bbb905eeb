import { expect, test } from 'vitest'
import { formatEnd } from './format-minute.ts'

test.each([
  ['2026-12-01T00:00', 'End of Nov 30, 2026'],
  ['2027-01-01T00:00', 'End of Dec 31, 2026'],
  ['2026-12-01T18:30', 'Dec 1, 2026, 6:30 PM'],
])('%s is shown as %s', (minute, text) => {
  expect(formatEnd(minute)).toBe(text)
})
