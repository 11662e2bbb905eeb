import type { Page } from 'playwright-core'
import { describeRequirement } from '#web/ui/controls/permission-of.ts'
import { type Address, follow, type Load, resolve } from './page-case.ts'
import { heading, see } from './steps.ts'

type Answer = 'never' | 'offline' | { status: number; data?: unknown; message?: string }
type State = { state: string; url: Address; answer: Answer; says: readonly (string | RegExp)[] }

const REQUEST_ID = 'req-4711'
const FAILED = { status: 500, message: 'Error Occurred, please contact system administrator' }
const FORBIDDEN = { status: 403, message: "You don't have permission to do this." }

/** Every state of a page while one call is pending, fails, or returns little data. */
function statesOf({ url, endpoint, what, loading, more = {}, saysMessage = false }: Load): State[] {
  const own = Object.entries(more).map(([state, { url: at = url, ...rest }]) => ({ state, url: at, ...rest }))
  const refused: State[] = saysMessage
    ? [
        { state: 'failed', url, answer: FAILED, says: [FAILED.message, 'Try again'] },
        { state: 'forbidden', url, answer: FORBIDDEN, says: [FORBIDDEN.message, 'Try again'] },
        { state: 'offline', url, answer: 'offline', says: [/^Can't reach Forecourt/, 'Try again'] },
      ]
    : [
        { state: 'failed', url, answer: FAILED, says: [`Couldn't load ${what}`, 'Try again', REQUEST_ID] },
        {
          state: 'forbidden',
          url,
          answer: FORBIDDEN,
          says: [`You don't have access to ${what}`, new RegExp(escape(describeRequirement(endpoint.allow)))],
        },
        { state: 'not found', url, answer: { status: 404, message: 'Not found.' }, says: ['Not found'] },
        { state: 'offline', url, answer: 'offline', says: ['No connection', 'Try again'] },
      ]
  // Responses are cached for a while, failures are not, so failures come first.
  return [{ state: 'loading', url, answer: 'never', says: [loading] }, ...refused, ...own]
}

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Intercepts the calls to one address with the latest given answer. */
async function intercept(page: Page, load: Load): Promise<(answer: Answer) => void> {
  let wanted: Answer = 'never'
  await page.route(`**${load.endpoint.path.replace(/\{\w+\}/g, '*')}*`, async (route) => {
    if (wanted === 'never') return
    if (wanted === 'offline') return route.abort('internetdisconnected')
    const { status, data = null, message = null } = wanted
    await route.fulfill({
      status,
      headers: { 'content-type': 'application/json', 'x-request-id': REQUEST_ID },
      body: JSON.stringify({ status: status === 200, data, message }),
    })
  })
  return (answer) => {
    wanted = answer
  }
}

/** As text, or as the name of a loading indicator. */
function words(page: Page, text: string | RegExp) {
  return page
    .getByText(text)
    .or(page.getByRole('status', { name: text }))
    .first()
}

/** A page without calls: from there, a page is opened as if for the first time. */
const ELSEWHERE = '/nowhere'

/**
 * Shows a page in each state of one of its calls and returns the states that aren't shown correctly. Between
 * states, it leaves the page by a link, without reloading the product.
 */
export async function findWrongStates(page: Page, load: Load): Promise<string[]> {
  const states = statesOf(load)
  const addresses = new Map<Address, string>()
  for (const { url } of states) if (!addresses.has(url)) addresses.set(url, await resolve(page, url))
  const answerWith = await intercept(page, load)
  const answered = new Set<string>()
  const pageOf = (address: string): string => address.split('?')[0] ?? address
  const wrong: string[] = []
  await page.goto(ELSEWHERE)
  for (const { state, url, answer, says } of states) {
    const address = addresses.get(url) ?? ''
    answerWith(answer)
    if (answered.has(pageOf(address))) await page.goto(address)
    else await follow(page, address)
    if (typeof answer === 'object' && answer.status === 200) answered.add(pageOf(address))
    const complaint = await see(...says.map((text) => words(page, text))).then(
      () => null,
      (error: unknown) => String(error),
    )
    if (complaint !== null) wrong.push(`${address}, ${state}: ${complaint}`)
    const headings = await page.getByRole('heading', { level: 1 }).count()
    if (headings !== 1) wrong.push(`${address}, ${state}: ${headings} headings of level 1`)
    await follow(page, ELSEWHERE)
    // An unverified user is redirected to the sign-in page.
    await see(heading(page, 'Page not found').or(heading(page, 'Sign in')))
  }
  return wrong
}
