import { expect, test } from 'vitest'
import { PageUse, UNUSED_MS } from './page-use.ts'

test('a page that no one uses stops reading on its own, so that its session can end', () => {
  let now = 0
  const use = new PageUse(() => now)
  expect(use.isUsed()).toBe(true)
  now = UNUSED_MS
  expect(use.isUsed()).toBe(true)
  now += 1
  expect(use.isUsed()).toBe(false)
  use.note()
  expect(use.isUsed()).toBe(true)
})
