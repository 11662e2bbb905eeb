// `npm run screenshots`: every route as every demo person in both schemes, both widths and, for one of them, mirrored.
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { DEMO_WORLD } from '../demo/world.ts'
import { launchBrowser } from '../e2e/browser.ts'
import { type Product, startProduct } from '../e2e/product.ts'
import { giveCredentials } from '../e2e/steps.ts'

const FOLDER = join(import.meta.dirname, '..', 'screenshots')
const SCHEMES = ['light', 'dark'] as const
const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const
/** The one whose pages are also shown from right to left. */
const MIRRORED = 'northgate.admin'

const BARE = { 'sign-in': '/auth/signin', 'set-up': '/auth/set-up?token=example' }
const SHELL = {
  organization: '/auth/organization',
  dashboard: '/dashboard',
  lots: '/customers/lots',
  'lots-filtered': '/customers/lots?missing=address',
  'lots-nothing-found': '/customers/lots?search=zebra',
  'lot-new': '/customers/lots?lot=new',
  'not-found': '/nowhere',
}

type View = { scheme: (typeof SCHEMES)[number]; size: (typeof SIZES)[number]; isMirrored: boolean }

async function photograph(
  page: Page,
  person: string,
  routes: Record<string, string>,
  view: View,
): Promise<void> {
  const { scheme, size, isMirrored } = view
  for (const [route, url] of Object.entries(routes)) {
    await page.goto(url, { waitUntil: 'networkidle' })
    const name = [route, person, scheme, `${size.width}x${size.height}`, ...(isMirrored ? ['rtl'] : [])].join(
      '-',
    )
    await page.screenshot({ path: join(FOLDER, `${name}.png`) })
  }
}

async function open(browser: Browser, { address }: Product, view: View): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: address,
    viewport: view.size,
    colorScheme: view.scheme,
    reducedMotion: 'reduce',
    locale: 'en-US',
  })
  await context.addInitScript(`localStorage.setItem('direction', '${view.isMirrored ? 'rtl' : 'ltr'}')`)
  return context
}

async function visit(browser: Browser, product: Product, userName: string | null, view: View): Promise<void> {
  const context = await open(browser, product, view)
  const page = await context.newPage()
  if (userName === null) await photograph(page, 'nobody', BARE, view)
  else {
    await page.goto('/auth/signin')
    await giveCredentials(page, userName)
    await page.waitForURL(/\/(dashboard|auth\/organization)$/)
    if (page.url().endsWith('/auth/organization')) {
      await page.getByRole('main').getByRole('listitem').getByRole('button').first().click()
      await page.waitForURL('**/dashboard')
    }
    await photograph(page, userName, SHELL, view)
    await photographFirstLot(page, userName, view)
  }
  await context.close()
}

async function photographFirstLot(page: Page, userName: string, view: View): Promise<void> {
  await page.goto(SHELL.lots, { waitUntil: 'networkidle' })
  const lot = page.getByRole('main').getByRole('list').or(page.getByRole('table')).getByRole('link').first()
  const url = (await lot.count()) > 0 ? await lot.getAttribute('href') : null
  if (url !== null) await photograph(page, userName, { lot: url }, view)
}

const people = DEMO_WORLD.flatMap((customer) => customer.people.map(({ userName }) => userName))
await rm(FOLDER, { recursive: true, force: true })
await mkdir(FOLDER, { recursive: true })
const product = await startProduct()
try {
  const browser = await launchBrowser()
  for (const person of [null, ...people]) {
    for (const scheme of SCHEMES) {
      for (const size of SIZES) {
        for (const isMirrored of person === MIRRORED ? [false, true] : [false]) {
          await visit(browser, product, person, { scheme, size, isMirrored })
        }
      }
    }
    console.log(`${person ?? 'nobody'}: done`)
  }
  await browser.close()
} finally {
  await product.stop()
}
