import { expect, test } from 'vitest'
import { PageUse, UNUSED_MS, whileUsed } from './page-use.ts'

test('a page that no one uses stops reading on its own, so that its session can end', () => {
  let now = 0
  const use = new PageUse(() => now)
  expect(whileUsed(use, 60_000)).toBe(60_000)
  now = UNUSED_MS
  expect(whileUsed(use, 60_000)).toBe(60_000)
  now += 1
  expect(whileUsed(use, 60_000)).toBe(false)
  use.note()
  expect(whileUsed(use, 60_000)).toBe(60_000)
})
