// @module-tag release
import { afterAll, expect, test } from 'vitest'
import { startFakeGoogleServer } from '#test/fakes/google.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, giveCredentials, heading, see, signOut } from '#e2e/harness/steps.ts'

const googleServer = await startFakeGoogleServer()
afterAll(() => googleServer.close())
const { page: newPage } = stage({
  environment: googleServer.environment,
  alsoAt: [googleServer.environment.FORECOURT_GOOGLE_ISSUER ?? ''],
})
const LUIS = { email: 'luis.ortega@northgate.example' }

test('signing in with Google returns to the requested page and leaves no token behind', async () => {
  const page = await newPage()
  googleServer.person = LUIS
  await page.goto('/customers/lots')
  await page.waitForURL('**/auth/signin?next=*')
  await button(page, 'Sign in with Google').click()
  await page.waitForURL('**/customers/lots')
  await see(heading(page, 'Lots'), page.getByRole('banner').getByText('Luis Ortega'))
  // The router may have stored scroll positions.
  const stored = await page.evaluate(() => [
    ...Object.keys(sessionStorage).filter((key) => !key.startsWith('tsr-scroll')),
    window.location.hash,
  ])
  expect(stored).toEqual([''])
  await page.goBack()
  expect(page.url()).not.toContain('id_token')
})

test('an unknown Google account or a declined sign-in shows an error, and the password still works', async () => {
  const page = await newPage()
  googleServer.person = { email: 'stranger@gmail.com' }
  await page.goto('/auth/signin')
  await button(page, 'Sign in with Google').click()
  await see(page.getByText(/^This Google account isn't linked to a user/))
  googleServer.person = null
  await page.getByRole('link', { name: 'Back to sign in' }).click()
  await button(page, 'Sign in with Google').click()
  await see(page.getByText("Google didn't sign you in."))
  await page.getByRole('link', { name: 'Back to sign in' }).click()
  await giveCredentials(page, 'northgate.dealer')
  await page.waitForURL('**/dashboard')
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
})

test('a Google response that this tab did not request is ignored and keeps the current session', async () => {
  const page = await newPage()
  googleServer.person = LUIS
  await page.goto('/auth/signin')
  await giveCredentials(page, 'northgate.auditor')
  await page.waitForURL('**/dashboard')
  await see(heading(page, /^Good /))
  const nonce = await page.evaluate(async () => {
    const answer: unknown = await (await fetch('/api/auth/google-begin')).json()
    return JSON.stringify(answer)
  })
  const word = /"nonce":"([^"]+)"/.exec(nonce)?.[1] ?? ''
  await page.goto(`/auth/google#id_token=${await googleServer.token(word)}&state=mine`)
  await see(page.getByText(/^This Google response doesn't match/))
  await page.goto('/dashboard')
  await see(page.getByRole('banner').getByText('Wei Zhang'))
  await signOut(page)
  await see(button(page, 'Sign in with Google'))
  expect(new URL(page.url()).pathname).toBe('/auth/signin')
})
