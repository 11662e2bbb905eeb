import { expect, test } from 'vitest'
import { FIRST_LIST, FORM_RULES, LIMITS, SIGN_IN, SITE, bundleSize } from '#e2e/harness/bundle-size.ts'

test('the sign-in page needs at most 130 kB of code', async () => {
  expect(await bundleSize(SIGN_IN)).toBeLessThanOrEqual(LIMITS.signIn)
})

test('the first list needs at most 245 kB of code', async () => {
  expect(await bundleSize(FIRST_LIST)).toBeLessThanOrEqual(LIMITS.firstList)
})

test('a public page needs at most 4 kB of code, and a form whose answers show questions 31 kB more', async () => {
  expect(await bundleSize(SITE)).toBeLessThanOrEqual(LIMITS.site)
  expect(await bundleSize(FORM_RULES)).toBeLessThanOrEqual(LIMITS.formRules)
})

test('the set-up page is not part of the sign-in page', async () => {
  const signIn = await bundleSize(SIGN_IN)
  expect(await bundleSize([...SIGN_IN, 'identity/sign-in/SetUpPage.tsx'])).toBeGreaterThan(signIn)
})
