import type { Page, Request, Response } from 'playwright-core'
import { see } from './steps.ts'

/** Links of one kind that are followed. */
const PER_KIND = 1
/** What the palette is asked for: names of records, and words of actions and pages. */
const WORDS = ['', 'a', 'ford', 'new', 'north', 'no', 'price', 're']

/** Parameters that name a part of a page: each part is a kind of its own. */
const PARTS = new Set(['tab', 'panel', 'part', 'drawer', 'step'])

/** `/customers/lots/12?tab=hours` and `/customers/lots/7?tab=hours` are of one kind. */
export function kindOfLink(href: string): string {
  const { pathname, searchParams } = new URL(href, 'http://any')
  const path = pathname.replaceAll(/\/(\d+|[0-9a-f-]{36})(?=\/|$)/g, '/:id')
  const keys = [...searchParams].map(([key, value]) => (PARTS.has(key) ? `${key}=${value}` : key))
  return [path, ...keys.toSorted()].join(' ')
}

/** Not 409: the page says what is in the way. */
const REFUSALS = [400, 401, 403, 404, 405, 500]

/** How a page or a part of it says that it can't be shown. */
const LOCKED = /^You (don't|no longer) have access to/

type Crawl = {
  /** Pages that were opened. */
  opened: number
  /** Each dead end: where the link was, where it led, and what was refused. */
  deadEnds: string[]
}

/**
 * Opens every kind of link that the signed-in user of the page is shown, from the dashboard on, and every result of the
 * palette, unless `start` is another page. A page that calls something which the user may not call, or that doesn't exist, is a dead end.
 */
export async function crawlLinks(page: Page, { start = '/dashboard' } = {}): Promise<Crawl> {
  const counts = new Map<string, number>()
  const waiting = [{ href: start, from: 'the start' }]
  const deadEnds: string[] = []
  let opened = 0
  const refused: string[] = []
  const note = (response: Response) => {
    if (REFUSALS.includes(response.status()))
      refused.push(`${response.status()} ${new URL(response.url()).pathname}`)
  }
  page.on('response', note)
  const calls = countCalls(page)
  const visit = async (href: string, from: string) => {
    await settle(page, calls)
    opened += 1
    if (await page.getByRole('heading', { name: 'Page not found' }).count()) refused.push('no such page')
    if (await page.getByText(LOCKED).count()) refused.push('a locked page')
    for (const what of new Set(refused.splice(0))) deadEnds.push(`${from} -> ${href}: ${what}`)
    for (const next of await linksOf(page)) {
      const kind = kindOfLink(next)
      const count = counts.get(kind) ?? 0
      if (count < PER_KIND) waiting.push({ href: next, from: href })
      counts.set(kind, count + 1)
    }
  }
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    // oxlint-disable-next-line no-await-in-loop -- One page shows one link after another.
    await page.goto(next.href)
    // oxlint-disable-next-line no-await-in-loop
    await visit(next.href, next.from)
  }
  const tried = new Set<string>()
  for (const word of start === '/dashboard' ? WORDS : []) {
    // oxlint-disable-next-line no-await-in-loop
    const palette = await openPalette(page, calls, word)
    // oxlint-disable-next-line no-await-in-loop
    const titles = await palette.getByRole('option').allTextContents()
    for (const title of titles.filter((one) => !tried.has(one) && !CHANGES.test(one))) {
      tried.add(title)
      // oxlint-disable-next-line no-await-in-loop
      const again = await openPalette(page, calls, word)
      // oxlint-disable-next-line no-await-in-loop
      await again.getByRole('option').filter({ hasText: title }).first().click()
      // oxlint-disable-next-line no-await-in-loop
      await visit(new URL(page.url()).pathname, `"${title}" of the palette`)
    }
  }
  page.off('response', note)
  return { opened, deadEnds }
}

/** Results of the palette that end the session or open something that is no page. */
const CHANGES = /sign out|shortcuts|appearance|jobs|password|organization/i

/** How many calls of a page have no answer yet. Its stream of events never ends. */
function countCalls(page: Page): () => number {
  const open = new Set<Request>()
  page.on('request', (request) => {
    if (request.resourceType() !== 'eventsource' && !request.url().includes('/events')) open.add(request)
  })
  const end = (request: Request) => void open.delete(request)
  page.on('requestfinished', end).on('requestfailed', end)
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) open.clear()
  })
  return () => open.size
}

/** Waits until the page has its heading and nothing is called any more. */
async function settle(page: Page, calls: () => number): Promise<void> {
  await see(page.getByRole('heading').first())
  let quiet = 0
  for (let step = 0; step < 60 && quiet < 3; step += 1) {
    // oxlint-disable-next-line no-await-in-loop
    await page.waitForTimeout(50)
    quiet = calls() === 0 ? quiet + 1 : 0
  }
}

const linksOf = (page: Page): Promise<string[]> =>
  page
    .locator('a[href^="/"]:not([download]):not([target])')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
    .then((hrefs) => [...new Set(hrefs)].filter((href) => !/^\/(api|f|files|docs)\//.test(href)))

async function openPalette(page: Page, calls: () => number, word: string) {
  await page.goto('/dashboard')
  await settle(page, calls)
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Search everything' })
  await palette.getByRole('combobox').fill(word)
  await settle(page, calls)
  return palette
}
