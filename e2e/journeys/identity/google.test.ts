// @module-tag release
import { afterAll, expect, test } from 'vitest'
import { startFakeGoogleServer } from '#test/fakes/google.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, giveCredentials, heading, see, signOut } from '#e2e/harness/steps.ts'

const twin = await startFakeGoogleServer()
afterAll(() => twin.close())
const { page: newPage } = stage({
  environment: twin.environment,
  alsoAt: [twin.environment.FORECOURT_GOOGLE_ISSUER ?? ''],
})
const LUIS = { email: 'luis.ortega@northgate.example' }

test('a person goes to Google and comes back signed in, to the page they wanted; the token is nowhere', async () => {
  const page = await newPage()
  twin.person = LUIS
  await page.goto('/customers/lots')
  await page.waitForURL('**/auth/signin?next=*')
  await button(page, 'Sign in with Google').click()
  await page.waitForURL('**/customers/lots')
  await see(heading(page, 'Lots'), page.getByRole('banner').getByText('Luis Ortega'))
  // The router may have noted how far the page was scrolled.
  const kept = await page.evaluate(() => [
    ...Object.keys(sessionStorage).filter((key) => !key.startsWith('tsr-scroll')),
    window.location.hash,
  ])
  expect(kept).toEqual([''])
  await page.goBack()
  expect(page.url()).not.toContain('id_token')
})

test('somebody whom nobody knows, or who says no there, is told so and signs in with a password', async () => {
  const page = await newPage()
  twin.person = { email: 'stranger@gmail.com' }
  await page.goto('/auth/signin')
  await button(page, 'Sign in with Google').click()
  await see(page.getByText(/^Nobody here signs in with this Google account/))
  twin.person = null
  await page.getByRole('link', { name: 'Back to sign in' }).click()
  await button(page, 'Sign in with Google').click()
  await see(page.getByText('Google did not sign you in.'))
  await page.getByRole('link', { name: 'Back to sign in' }).click()
  await giveCredentials(page, 'northgate.dealer')
  await page.waitForURL('**/dashboard')
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
})

test('an answer that this tab did not ask for is dropped, and who is signed in stays', async () => {
  const page = await newPage()
  twin.person = LUIS
  await page.goto('/auth/signin')
  await giveCredentials(page, 'northgate.auditor')
  await page.waitForURL('**/dashboard')
  await see(heading(page, /^Good /))
  const nonce = await page.evaluate(async () => {
    const answer: unknown = await (await fetch('/api/auth/google-begin')).json()
    return JSON.stringify(answer)
  })
  const word = /"nonce":"([^"]+)"/.exec(nonce)?.[1] ?? ''
  await page.goto(`/auth/google#id_token=${await twin.token(word)}&state=mine`)
  await see(page.getByText(/^This answer of Google does not belong/))
  await page.goto('/dashboard')
  await see(page.getByRole('banner').getByText('Wei Zhang'))
  await signOut(page)
  await see(button(page, 'Sign in with Google'))
  expect(new URL(page.url()).pathname).toBe('/auth/signin')
})
