import type { Browser, BrowserContext, Page } from 'playwright-core'
import { inject } from 'vitest'
import { launchBrowser } from './browser.ts'

export type PageOptions = {
  viewport?: { width: number; height: number }
  colorScheme?: 'light' | 'dark'
  reducedMotion?: 'reduce' | 'no-preference'
}

/** The smallest resource of the product: a page there can access its local storage. */
export const PARKING = '/favicon.svg'
const SCREEN = { width: 1280, height: 800 }
/** Slows pages down by this factor, to find race conditions: `E2E_SLOWDOWN=6`. */
const SLOWDOWN = Number(process.env['E2E_SLOWDOWN'] ?? '1')

/**
 * The browser of a worker, shared by all of its files, with the profiles that are free. A reused profile has the
 * product's code cached: a new one takes three times as long for its first page.
 */
type Shared = { browser: Promise<Browser>; parked: Page[] }
/** A page keeps some memory of every document: after this many tests, a new profile is cheaper. */
const MOST_TESTS = 8
const testsSeen = new WeakMap<BrowserContext, number>()
const SHARED = Symbol.for('forecourt.e2e.browser')

const isShared = (held: unknown): held is Shared =>
  typeof held === 'object' && held !== null && 'parked' in held

function shared(): Shared {
  const held: unknown = Reflect.get(globalThis, SHARED)
  if (isShared(held)) return held
  const made: Shared = { browser: launchBrowser(), parked: [] }
  Reflect.set(globalThis, SHARED, made)
  return made
}

/** A separate profile that is closed after the test, for tests that change it permanently. */
export async function openProfile(address: string): Promise<BrowserContext> {
  const browser = await shared().browser
  const context = await browser.newContext({
    baseURL: address,
    viewport: SCREEN,
    reducedMotion: 'reduce',
    locale: 'en-US',
  })
  context.setDefaultTimeout(15_000)
  await context.addInitScript(shiftDate, inject('installation').offset)
  if (SLOWDOWN > 1) context.on('page', (page) => void slowDown(context, page))
  return context
}

/** A page of a profile that is signed out and has empty storage. */
export async function takePage(address: string, options: PageOptions): Promise<Page> {
  const page = shared().parked.pop() ?? (await newParkedPage(address))
  const { viewport = SCREEN, colorScheme = null, reducedMotion = 'reduce' } = options
  await page.setViewportSize(viewport)
  await page.emulateMedia({ colorScheme, reducedMotion })
  return page
}

async function newParkedPage(address: string): Promise<Page> {
  const page = await (await openProfile(address)).newPage()
  await page.goto(PARKING)
  return page
}

/** Resets the profile of this page for the next test. */
export async function park(used: Page): Promise<void> {
  const context = used.context()
  const seen = (testsSeen.get(context) ?? 0) + 1
  testsSeen.set(context, seen)
  if (seen >= MOST_TESTS) return context.close()
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  // The test may have closed the first page itself.
  const page = context.pages().at(0) ?? (await context.newPage())
  page.removeAllListeners()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await Promise.all(
    context
      .pages()
      .filter((other) => other !== page)
      .map((other) => other.close()),
  )
  await page.goto(PARKING)
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
    indexedDB.deleteDatabase('forecourt-typed')
  })
  await context.clearCookies()
  shared().parked.push(page)
}

/** Runs in the browser: sets its clock to that of the run, so that results don't depend on the time of day. */
function shiftDate(offset: number): void {
  const machineNow = Date.now.bind(Date)
  const now = () => machineNow() + offset
  globalThis.Date = new Proxy(Date, {
    construct: (machine, given, made) =>
      Reflect.construct(machine, given.length === 0 ? [now()] : given, made),
    apply: (machine) => new machine(now()).toString(),
    get: (machine, key) => (key === 'now' ? now : Reflect.get(machine, key)),
  })
}

async function slowDown(context: BrowserContext, page: Page): Promise<void> {
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
}
