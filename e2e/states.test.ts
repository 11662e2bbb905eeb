import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lots } from '#contract/customers/lots.ts'
import { dashboard } from '#contract/home/dashboard.ts'
import { organizations } from '#contract/organizations/organizations.ts'
import { stage } from './stage.ts'
import { see, signIn } from './steps.ts'

const { visitor } = stage()

type Answer = 'never' | 'offline' | { status: number; data?: unknown; message?: string }

const REQUEST_ID = 'req-4711'
const FAILED = { status: 500, message: 'Error Occurred, please contact system administrator' }
const FORBIDDEN = { status: 403, message: 'You may not do this.' }
const MISSING = { status: 404, message: 'Lot was not found.' }
const rows = (filteredRows: number, totalRows: number) => ({
  status: 200,
  data: { filteredRows, totalRows, results: [] },
})
const EMPTY_HOME = {
  status: 200,
  data: {
    organization: { id: '1', name: 'Northgate Ford', logo: null, timeZone: 'UTC', version: 1 },
    lots: { total: 0, public: 0, withoutAddress: 0, byType: [], byOrganization: [] },
    changes: [],
  },
}

const HOME = { url: '/dashboard', call: dashboard.get.path }
const LIST = { url: '/customers/lots', call: lots.list.path }
const LOT = { url: '/customers/lots?lot=1', call: lots.get.path.replace('{id}', '*') }
const PICKER = { url: '/auth/organization', call: organizations.change.path }

/** Each route in each state it can be in, and what the person then reads. `says` may be the name of a status. */
const TABLE: readonly {
  state: string
  at: { url: string; call: string }
  answer: Answer
  says: readonly (string | RegExp)[]
}[] = [
  { state: 'loading', at: HOME, answer: 'never', says: ['Loading the dashboard'] },
  {
    state: 'empty',
    at: HOME,
    answer: EMPTY_HOME,
    says: [/^Nothing was changed yet/, 'Every lot can be found'],
  },
  {
    state: 'failed',
    at: HOME,
    answer: FAILED,
    says: ['The dashboard did not load', 'Try again', REQUEST_ID],
  },
  {
    state: 'forbidden',
    at: HOME,
    answer: FORBIDDEN,
    says: ['You may not open the dashboard', /Dashboard, list \(1, 1\)/],
  },
  { state: 'not found', at: HOME, answer: MISSING, says: ['Not found'] },
  { state: 'offline', at: HOME, answer: 'offline', says: ['No connection', 'Try again'] },
  { state: 'loading', at: LIST, answer: 'never', says: ['Loading lots'] },
  { state: 'empty', at: LIST, answer: rows(0, 0), says: ['No lots yet', 'Add lot'] },
  {
    state: 'empty when filtered',
    at: { ...LIST, url: `${LIST.url}?search=zebra&missing=address` },
    answer: rows(0, 5),
    says: ['No lot without an address matches “zebra”', '5 lots are here.', 'Clear filters'],
  },
  {
    state: 'past its last page',
    at: { ...LIST, url: `${LIST.url}?page=9` },
    answer: rows(0, 5),
    says: ['This page is empty', 'First page'],
  },
  {
    state: 'failed',
    at: LIST,
    answer: FAILED,
    says: ['The list of lots did not load', 'Try again', REQUEST_ID],
  },
  {
    state: 'forbidden',
    at: LIST,
    answer: FORBIDDEN,
    says: ['You may not open the list of lots', /Lots, list \(8, 1\)/],
  },
  { state: 'not found', at: LIST, answer: MISSING, says: ['Not found'] },
  { state: 'offline', at: LIST, answer: 'offline', says: ['No connection', 'Try again'] },
  { state: 'loading', at: LOT, answer: 'never', says: ['Loading the lot'] },
  { state: 'failed', at: LOT, answer: FAILED, says: ['This lot did not load', 'Try again', REQUEST_ID] },
  {
    state: 'forbidden',
    at: LOT,
    answer: FORBIDDEN,
    says: ['You may not open this lot', /Lots, read \(8, 2\)/],
  },
  { state: 'not found', at: LOT, answer: MISSING, says: ['Not found'] },
  { state: 'offline', at: LOT, answer: 'offline', says: ['No connection', 'Try again'] },
  { state: 'loading', at: PICKER, answer: 'never', says: ['Loading organizations'] },
  {
    state: 'empty',
    at: PICKER,
    answer: { status: 200, data: [] },
    says: ['No organization is open to you', 'Sign out'],
  },
  { state: 'failed', at: PICKER, answer: FAILED, says: [FAILED.message, 'Try again'] },
  { state: 'forbidden', at: PICKER, answer: FORBIDDEN, says: [FORBIDDEN.message, 'Try again'] },
  { state: 'offline', at: PICKER, answer: 'offline', says: [/^Forecourt cannot be reached/, 'Try again'] },
]

let signedIn: Awaited<ReturnType<BrowserContext['storageState']>> | undefined

beforeAll(async () => {
  const person = await visitor()
  await signIn(await person.newPage(), 'northgate.dealer')
  signedIn = await person.storageState()
})
afterAll(() => {
  signedIn = undefined
})

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
      void browser.send('Fetch.failRequest', { requestId, errorReason: 'InternetDisconnected' })
      return
    }
    const { status, data = null, message = null } = wanted
    void browser.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: status,
      responseHeaders: [
        { name: 'content-type', value: 'application/json' },
        { name: 'x-request-id', value: REQUEST_ID },
      ],
      body: Buffer.from(JSON.stringify({ status: status === 200, data, message })).toString('base64'),
    })
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

test.for([HOME, LIST, LOT, PICKER])('$url, in every state', async ({ call }) => {
  const person = await visitor({ ...(signedIn && { storageState: signedIn }) })
  const page = await person.newPage()
  const answerWith = await intercept(page, call)
  for (const { state, at, answer, says } of TABLE.filter((row) => row.at.call === call)) {
    answerWith(answer)
    await page.goto(at.url)
    await see(...says.map((text) => words(page, text))).catch((cause: unknown) => {
      throw new Error(`${at.url}, ${state}`, { cause })
    })
    expect(await page.getByRole('heading', { level: 1 }).count(), `${at.url}, ${state}`).toBe(1)
  }
})

test('an address that leads nowhere says so and shows the way on', async () => {
  const person = await visitor({ ...(signedIn && { storageState: signedIn }) })
  const page = await person.newPage()
  await page.goto('/customers/nowhere')
  await see(page.getByText('There is no page at this address'))
  await page.getByRole('link', { name: 'Go to the dashboard' }).click()
  await page.waitForURL('**/dashboard')
  await expect.poll(() => page.title()).toMatch(/^Dashboard \| /)
})

test('the static menu stands in when the menu cannot be had', async () => {
  const person = await visitor({ ...(signedIn && { storageState: signedIn }) })
  const page = await person.newPage()
  const answerWith = await intercept(page, '/api/auth/menu')
  answerWith(FAILED)
  await page.goto('/dashboard')
  const menu = page.getByRole('navigation', { name: 'Main' })
  await see(menu.getByRole('link', { name: 'Lots' }), menu.getByRole('link', { name: 'Dashboard' }))
  expect(await menu.getByRole('link').count()).toBe(2)
})
