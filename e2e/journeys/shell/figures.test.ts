import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { auth } from '#contract/identity/auth.ts'
import { organizations } from '#contract/organizations/organizations.ts'
import type { PageOptions } from '#e2e/harness/profiles.ts'
import { stage } from '#e2e/harness/stage.ts'
import {
  button,
  field,
  heading,
  lotLink,
  miss,
  openDashboard,
  openLots,
  see,
  signIn,
} from '#e2e/harness/steps.ts'
import { fileOf } from '#e2e/harness/bundle-size.ts'
import { now } from '#e2e/harness/world.ts'

// The numbers of specification section 9 and its statements about the shell, each checked in a browser.

const { page: newPage, profile } = stage()

async function open(options: PageOptions = {}): Promise<Page> {
  const page = await newPage(options)
  await signIn(page, 'northgate.dealer')
  return page
}

/** Counts the calls to a path from now on. */
function counter(page: Page, path: string): () => number {
  let calls = 0
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === path) calls += 1
  })
  return () => calls
}

const token = (page: Page) => page.evaluate(() => localStorage.getItem('token') ?? '')

/** Moves the clock to this many milliseconds after the token was stored, however long loading took. */
async function leapTo(page: Page, age: number): Promise<void> {
  const passed = await page.evaluate(
    () => Date.now() - Number(JSON.parse(localStorage.getItem('token') ?? '{}').storedAt),
  )
  await page.clock.fastForward(age - passed)
}

test('the token is exchanged 60 seconds before it expires, and the keepalive is sent every 15 seconds', async () => {
  const page = await (await profile()).newPage()
  await page.clock.install({ time: now() })
  await signIn(page, 'northgate.dealer')
  const stored = await token(page)
  await openDashboard(page)
  // The app already refreshes once at the start.
  await expect.poll(async () => (await token(page)) !== stored).toBe(true)
  const refreshes = counter(page, auth.refreshToken.path)
  const pings = counter(page, auth.keepAlive.path)
  const before = await token(page)
  await leapTo(page, 1_730_000)
  await page.keyboard.press('Shift')
  expect([refreshes(), await token(page)]).toEqual([0, before])
  await leapTo(page, 1_745_000)
  await expect.poll(refreshes).toBe(1)
  await expect.poll(async () => (await token(page)) !== before).toBe(true)

  // The jump is long enough for a ping, which is in flight while the clock is paused.
  const at = await page.evaluate(() => Date.now())
  const leapt = page.waitForRequest(`**${auth.keepAlive.path}`)
  await page.clock.pauseAt(at + 60_000)
  await leapt
  const sent = pings()
  await page.clock.runFor(60_000)
  await expect.poll(pings).toBe(sent + 4)
})

test('activity is throttled to 500 ms', async () => {
  const page = await open()
  await openDashboard(page)
  const moments = await page.evaluate(async () => {
    const noted: number[] = []
    let last = localStorage.getItem('lastActivity')
    const end = performance.now() + 2_700
    while (performance.now() < end) {
      document.dispatchEvent(new Event('pointermove'))
      const at = localStorage.getItem('lastActivity')
      if (at !== last) noted.push(Number(at))
      last = at
      await new Promise((done) => setTimeout(done, 5))
    }
    return noted
  })
  const gaps = moments.slice(1).map((moment, at) => moment - (moments[at] ?? 0))
  expect(moments.length).toBeGreaterThanOrEqual(3)
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(499)
})

test('a toast stays 3000 ms below the top bar, with a progress bar', async () => {
  const page = await newPage({ reducedMotion: 'no-preference' })
  await page.clock.install({ time: now() })
  await signIn(page, 'northgate.dealer')
  await openLots(page)
  await lotLink(page, 'Northgate Service').click()
  await field(page, 'Phone').fill('+1 916 555 0145')
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 5_000))
  await page.keyboard.press('Control+s')
  const notice = page.getByRole('alert').filter({ hasText: 'Lot saved' })
  await see(notice)
  const animations = await page.evaluate(() =>
    document.getAnimations().map((each) => Number(each.effect?.getComputedTiming().duration)),
  )
  expect(animations).toContain(3000)
  const [shown, bar] = [await notice.boundingBox(), await page.getByRole('banner').boundingBox()]
  expect(shown && bar && shown.y > bar.y + bar.height).toBe(true)
  await page.clock.runFor(2_900)
  await see(notice)
  await page.clock.resume()
  await miss(notice)
})

/** Records the duration of every dialog's show and hide transition. */
async function noteFading(page: Page): Promise<void> {
  await page.evaluate(() => {
    const lasting: string[] = []
    Object.assign(globalThis, { lasting })
    document.addEventListener('transitionrun', ({ target }) => {
      if (target instanceof HTMLElement && target.getAttribute('role') === 'dialog')
        lasting.push(getComputedStyle(target).transitionDuration)
    })
  })
}

/** Once each, in order. */
async function faded(page: Page): Promise<string[]> {
  const lasting = await page.evaluate((): unknown => Reflect.get(globalThis, 'lasting'))
  return Array.isArray(lasting) ? [...new Set(lasting.map(String))] : []
}

test('a dialog shows within 100 ms and hides within 300 ms', async () => {
  const page = await open({ reducedMotion: 'no-preference' })
  await openLots(page)
  await lotLink(page, 'Northgate Service').click()
  await see(field(page, 'Name'))
  await noteFading(page)
  await button(page, 'Delete lot').click()
  const dialog = page.getByRole('dialog', { name: 'Delete lot NGS?' })
  await see(dialog)
  await expect.poll(() => faded(page)).toEqual(['0.1s'])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await miss(dialog)
  expect(await faded(page)).toEqual(['0.1s', '0.3s'])
})

test('a thin bar shows while a page loads, but not when only the search changes', async () => {
  const page = await open()
  await openDashboard(page)
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  const code = await fileOf('LotsWithEffects.tsx')
  await page.route(`**/${code}`, async (route) => {
    await held
    await route.continue()
  })
  const bar = page.getByRole('progressbar', { name: 'Loading the page' })
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Lots' }).click()
  await see(bar)
  release()
  await see(heading(page, 'Lots'))
  await miss(bar)
  await page.route(`**${lots.list.path}*`, () => {})
  await button(page, 'Code').click()
  await page.waitForURL(/sort=code/)
  expect(await bar.isVisible()).toBe(false)
})

test('staying signed in is remembered in local storage', async () => {
  const page = await newPage()
  await page.goto('/auth/signin')
  await page.getByLabel('User name or email').fill('northgate.dealer')
  await page.getByLabel('Password', { exact: true }).fill('DemoForecourt7!')
  await page.getByRole('checkbox').check()
  await button(page, 'Sign in').click()
  await see(heading(page, /^Good /))
  expect(await page.evaluate(() => localStorage.getItem('isRemember'))).toBe('true')
})

test("an organization that cannot be loaded opens the error dialog with the server's message", async () => {
  const page = await open()
  await page.route(`**${organizations.get.path.replace('{id}', '*')}`, (route) =>
    /\/organization\/\d+$/.test(route.request().url())
      ? route.fulfill({
          status: 500,
          contentType: 'application/json',
          body: '{"status":false,"data":null,"message":"The organization is out of order."}',
        })
      : route.continue(),
  )
  await page.goto('/dashboard')
  const dialog = page.getByRole('dialog', { name: 'Error' })
  await see(dialog)
  expect(await dialog.textContent()).toContain('The organization is out of order.')
})

test('the spinner is green', async () => {
  const page = await open()
  await page.route(`**/api/home/dashboard*`, () => {})
  await page.route(`**/api/dashboard*`, () => {})
  await page.goto('/dashboard')
  const spinner = page.getByRole('status', { name: 'Loading the dashboard' })
  await see(spinner)
  const colors = await spinner.evaluate((element) =>
    [element, ...element.querySelectorAll('*')].flatMap((each) => {
      const { color, borderTopColor, borderBlockStartColor } = getComputedStyle(each)
      return [color, borderTopColor, borderBlockStartColor]
    }),
  )
  const isGreen = (color: string) => {
    const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).map(Number)
    return green > red * 1.2 && green > blue * 1.1
  }
  expect(colors.filter(isGreen).length).toBeGreaterThan(0)
})
