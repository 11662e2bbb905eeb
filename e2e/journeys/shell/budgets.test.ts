import { expect, test } from 'vitest'
import { FIRST_LIST, LIMITS, SIGN_IN, bundleSize } from '#e2e/harness/bundle-size.ts'

test('the sign-in page needs at most 130 kB of code', async () => {
  expect(await bundleSize(SIGN_IN)).toBeLessThanOrEqual(LIMITS.signIn)
})

test('the first list needs at most 245 kB of code', async () => {
  expect(await bundleSize(FIRST_LIST)).toBeLessThanOrEqual(LIMITS.firstList)
})

test('the set-up page is not part of the sign-in page', async () => {
  const signIn = await bundleSize(SIGN_IN)
  expect(await bundleSize([...SIGN_IN, 'identity/sign-in/SetUpPage.tsx'])).toBeGreaterThan(signIn)
})
