import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { show, type View } from './page-case.ts'
import { type Sight, suffixOf } from './screenshot-options.ts'
import type { StoredSession } from './sessions.ts'

export type Shot = View & { name: string }
export type Visit = {
  browser: Browser
  address: string
  session: StoredSession
  /** In file names. */
  person: string
  views: readonly Shot[]
  sights: readonly Sight[]
  folder: string
}

/** The product's clock starts with this time: the lots are open, and no hour begins during the run. */
export const PRODUCT_STARTS_AT = '2026-11-18T17:10:00Z'
/** The browser's clock stands still here. Demo data added in the first 20 minutes is always 1 hour old. */
export const BROWSER_TIME = '2026-11-18T18:30:00Z'
/** Pages open at a time: while one waits for the product, another one is drawn. */
const LANES = 3
/** Pictures until two in a row are equal. */
const MOST_PICTURES = 40

const DESKTOP = { width: 1440, height: 900 }

/** Takes all views of one user, and returns a sentence for each that could not be taken. */
export async function photograph(visit: Visit): Promise<string[]> {
  const failures: string[] = []
  const queue = visit.views.values()
  const work = async () => {
    const context = await openContext(visit)
    const page = await context.newPage()
    const isIdle = watchRequests(page)
    // The lanes share the queue: each takes the next view when it is done with one.
    for (const view of queue) {
      await photographView({ page, isIdle, view, visit }).catch((error: unknown) => {
        failures.push(`${view.name}-${visit.person} could not be taken: ${String(error)}`)
      })
    }
    await context.close()
  }
  await Promise.all(Array.from({ length: LANES }, work))
  return failures
}

async function openContext({ browser, address, session }: Visit): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: address,
    viewport: DESKTOP,
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: 'America/Chicago',
  })
  context.setDefaultTimeout(30_000)
  await context.addCookies(session.cookies)
  await context.addInitScript(prepareDocument, {
    now: Date.parse(BROWSER_TIME),
    storage: session.origins.flatMap(({ localStorage }) => localStorage),
  })
  return context
}

/**
 * Runs in the browser before a page's scripts. Stops its clock, while timers still run, and removes what earlier views
 * left in the storage.
 */
function prepareDocument({
  now,
  storage,
}: {
  now: number
  storage: readonly { name: string; value: string }[]
}): void {
  globalThis.Date = new Proxy(Date, {
    construct: (machine, given, made) => Reflect.construct(machine, given.length === 0 ? [now] : given, made),
    apply: (machine) => new machine(now).toString(),
    get: (machine, key) => (key === 'now' ? () => now : Reflect.get(machine, key)),
  })
  // A sandboxed preview has no storage.
  if (self !== top) return
  localStorage.clear()
  sessionStorage.clear()
  for (const { name, value } of storage) localStorage.setItem(name, value)
}

/** Returns whether the page waits for no response. */
function watchRequests(page: Page): () => boolean {
  const pending = new Set<unknown>()
  page.on('request', (request) => pending.add(request))
  page.on('requestfinished', (request) => pending.delete(request))
  page.on('requestfailed', (request) => pending.delete(request))
  return () => pending.size === 0
}

/** Loads the view once, on a desktop screen, and turns it to each sight in place, which is much faster. */
async function photographView({
  page,
  isIdle,
  view,
  visit,
}: {
  page: Page
  isIdle: () => boolean
  view: Shot
  visit: Visit
}): Promise<void> {
  // Nothing is under the pointer that an earlier view left somewhere.
  await page.mouse.move(0, 0)
  await page.setViewportSize(DESKTOP)
  await page.emulateMedia({ colorScheme: 'light' })
  await show(page, view)
  await page.waitForLoadState('networkidle')
  for (const sight of visit.sights) {
    await page.setViewportSize(sight.size)
    await page.emulateMedia({ colorScheme: sight.scheme })
    await page.evaluate(turn, sight.direction)
    const picture = await takePicture(page, isIdle)
    await writeFile(join(visit.folder, `${view.name}-${visit.person}${suffixOf(sight)}`), picture)
  }
}

/** Runs in the browser. Returns when the page has been drawn in the new direction. */
async function turn(direction: string): Promise<void> {
  document.documentElement.dir = direction
  await document.fonts.ready
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
}

/** What the product draws at random: the value that proves the ownership of a domain. */
const findRandom = (page: Page) => [page.getByLabel('TXT value')]

/** Takes pictures until two in a row are equal and nothing is loading. */
async function takePicture(page: Page, isIdle: () => boolean): Promise<Buffer> {
  let last: Buffer = Buffer.alloc(0)
  for (let taken = 0; taken < MOST_PICTURES; taken += 1) {
    const picture = await page.screenshot({ animations: 'disabled', caret: 'hide', mask: findRandom(page) })
    if (picture.equals(last) && isIdle()) return picture
    last = picture
  }
  throw new Error('The page does not stop changing.')
}
