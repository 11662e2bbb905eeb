import { expect, test } from 'vitest'
import { addressKey } from './sign-in-failures.ts'

test.for([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::9', '2001:db8:1:2'],
  ['2001:db8::9', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
] as const)('failures from %s count for %s', ([ip, key]) => {
  expect(addressKey(ip)).toBe(key)
})
