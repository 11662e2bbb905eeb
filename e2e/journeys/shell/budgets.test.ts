import { expect, test } from 'vitest'
import { FIRST_LIST, LIMITS, SIGN_IN, weigh } from '#e2e/harness/weigh.ts'

test('the sign-in page needs at most 130 kB of code', async () => {
  expect(await weigh(SIGN_IN)).toBeLessThanOrEqual(LIMITS.signIn)
})

test('the first list needs at most 245 kB of code', async () => {
  expect(await weigh(FIRST_LIST)).toBeLessThanOrEqual(LIMITS.firstList)
})

test('the set-up page is not part of the sign-in page', async () => {
  const signIn = await weigh(SIGN_IN)
  expect(await weigh([...SIGN_IN, 'identity/SetUpPage.tsx'])).toBeGreaterThan(signIn)
})
