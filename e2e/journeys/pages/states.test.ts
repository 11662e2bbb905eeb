import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeWanted } from '#web/ui/permission-of.ts'
import { type Address, type Load, resolve } from '#e2e/harness/page-case.ts'
import { PAGES } from '#e2e/pages/pages.ts'
import { signedIn } from '#e2e/harness/signed-in.ts'
import { stage } from '#e2e/harness/stage.ts'
import { see } from '#e2e/harness/steps.ts'

const { visitor, product } = stage()
const stateOf = signedIn({ visitor, product })

type Answer = 'never' | 'offline' | { status: number; data?: unknown; message?: string }
type State = { state: string; url: Address; answer: Answer; says: readonly (string | RegExp)[] }

const REQUEST_ID = 'req-4711'
const FAILED = { status: 500, message: 'Error Occurred, please contact system administrator' }
const FORBIDDEN = { status: 403, message: 'You may not do this.' }

/** Every state a page can be in while one call is on its way, fails, or answers little. */
function statesOf({ url, endpoint, what, loading, more = {}, saysMessage = false }: Load): State[] {
  const capital = `${what.charAt(0).toUpperCase()}${what.slice(1)}`
  const own = Object.entries(more).map(([state, { url: at = url, ...rest }]) => ({ state, url: at, ...rest }))
  const refused: State[] = saysMessage
    ? [
        { state: 'failed', url, answer: FAILED, says: [FAILED.message, 'Try again'] },
        { state: 'forbidden', url, answer: FORBIDDEN, says: [FORBIDDEN.message, 'Try again'] },
        { state: 'offline', url, answer: 'offline', says: [/^Forecourt cannot be reached/, 'Try again'] },
      ]
    : [
        { state: 'failed', url, answer: FAILED, says: [`${capital} did not load`, 'Try again', REQUEST_ID] },
        {
          state: 'forbidden',
          url,
          answer: FORBIDDEN,
          says: [`You may not open ${what}`, new RegExp(escape(describeWanted(endpoint.allow)))],
        },
        { state: 'not found', url, answer: { status: 404, message: 'Not found.' }, says: ['Not found'] },
        { state: 'offline', url, answer: 'offline', says: ['No connection', 'Try again'] },
      ]
  return [{ state: 'loading', url, answer: 'never', says: [loading] }, ...own, ...refused]
}

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

const LOADS = Object.values(PAGES).flatMap(({ person, loads }) =>
  loads.map((load) => ({ person, load, what: load.what })),
)

/** The page went on meanwhile, and waits for this answer no more. */
const letGo = (): void => {}

/**
 * Answers the calls to one address, each time with what was last asked for. Spoken to the browser directly:
 * `page.route` turns its cache off, and loading the whole product anew for every state is most of the time.
 */
async function intercept(page: Page, address: string): Promise<(answer: Answer) => void> {
  let wanted: Answer = 'never'
  const browser = await page.context().newCDPSession(page)
  browser.on('Fetch.requestPaused', ({ requestId }) => {
    if (wanted === 'never') return
    if (wanted === 'offline') {
      browser.send('Fetch.failRequest', { requestId, errorReason: 'InternetDisconnected' }).catch(letGo)
      return
    }
    const { status, data = null, message = null } = wanted
    const answered = browser.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: status,
      responseHeaders: [
        { name: 'content-type', value: 'application/json' },
        { name: 'x-request-id', value: REQUEST_ID },
      ],
      body: Buffer.from(JSON.stringify({ status: status === 200, data, message })).toString('base64'),
    })
    answered.catch(letGo)
  })
  await browser.send('Fetch.enable', { patterns: [{ urlPattern: `*${address}*` }] })
  return (answer) => {
    wanted = answer
  }
}

/** As text, or as the name of something that is on its way. */
function words(page: Page, text: string | RegExp) {
  return page
    .getByText(text)
    .or(page.getByRole('status', { name: text }))
    .first()
}

test.for(LOADS)('$what, in every state', async ({ person, load }) => {
  const context = await visitor({ ...(person !== null && { storageState: await stateOf(person) }) })
  const page = await context.newPage()
  const states = statesOf(load)
  const addresses = new Map<Address, string>()
  for (const { url } of states) if (!addresses.has(url)) addresses.set(url, await resolve(page, url))
  const answerWith = await intercept(page, load.endpoint.path.replace(/\{\w+\}/g, '*'))
  for (const { state, url, answer, says } of states) {
    const address = addresses.get(url) ?? ''
    answerWith(answer)
    await page.goto(address)
    await see(...says.map((text) => words(page, text))).catch((cause: unknown) => {
      throw new Error(`${address}, ${state}`, { cause })
    })
    expect(await page.getByRole('heading', { level: 1 }).count(), `${address}, ${state}`).toBe(1)
  }
})

test('an address that leads nowhere says so and shows the way on', async () => {
  const person = await visitor({ storageState: await stateOf('northgate.dealer') })
  const page = await person.newPage()
  await page.goto('/customers/nowhere')
  await see(page.getByText('There is no page at this address'))
  await page.getByRole('link', { name: 'Go to the dashboard' }).click()
  await page.waitForURL('**/dashboard')
  await expect.poll(() => page.title()).toMatch(/^Dashboard \| /)
})

test('the static menu stands in when the menu cannot be had', async () => {
  const person = await visitor({ storageState: await stateOf('northgate.dealer') })
  const page = await person.newPage()
  const answerWith = await intercept(page, '/api/auth/menu')
  answerWith(FAILED)
  await page.goto('/dashboard')
  const menu = page.getByRole('navigation', { name: 'Main' })
  await see(menu.getByRole('link', { name: 'Lots' }), menu.getByRole('link', { name: 'Dashboard' }))
  expect(await menu.getByRole('link').allTextContents()).toEqual([
    'Dashboard',
    'Lots',
    'Details',
    'Vehicle data',
    'Feeds',
    'Channels',
    'Provider mappings',
    'Data mappings',
    'Media',
    'Email templates',
    'Reports',
  ])
})
