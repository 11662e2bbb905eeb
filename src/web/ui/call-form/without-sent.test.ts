import { expect, test } from 'vitest'
import { withoutSent } from './without-sent.ts'

test.each([
  ['Sent', 'Sent', ''],
  ['Sent and more', 'Sent', ' and more'],
  ['Before Sent', 'Sent', 'Before '],
  ['Sent in between text', 'Sent text', 'in between '],
  ['Se', 'Sent', 'Se'],
  ['Something else', 'Sent', 'Something else'],
  ['', 'Sent', ''],
  ['New', '', 'New'],
  ['aaaa', 'aa', 'aa'],
])('of %j, sent as %j, %j is left', (now, sent, left) => {
  expect(withoutSent(now, sent)).toBe(left)
})
