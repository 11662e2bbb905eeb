// `npm run screenshots`: every view of every page as its usual user, in both schemes, widths and directions; then
// every page once as every other demo user. `npm run screenshots -- lots user` takes only views whose names start
// with these words.
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { DEMO_WORLD } from '../../demo/world.ts'
import { launchBrowser } from './browser.ts'
import { show, type View } from './page-case.ts'
import { VIEWS } from '#e2e/pages/pages.ts'
import { type Product, startProduct } from './product.ts'
import { giveCredentials } from './steps.ts'

const FOLDER = join(import.meta.dirname, '../..', 'screenshots')
const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const

type Sight = {
  scheme: 'light' | 'dark'
  size: (typeof SIZES)[number]
  direction: 'ltr' | 'rtl'
}
type Shot = View & { name: string; person: string | null }

const plain: Sight = { scheme: 'light', size: SIZES[0], direction: 'ltr' }
const sights: readonly Sight[] = (['light', 'dark'] as const).flatMap((scheme) =>
  SIZES.flatMap((size) => (['ltr', 'rtl'] as const).map((direction) => ({ scheme, size, direction }))),
)

const wanted = process.argv.slice(2)
const isWanted = ({ name }: { name: string }) =>
  wanted.length === 0 || wanted.some((word) => name.startsWith(word))
const shots = VIEWS.filter(isWanted)

async function photograph(page: Page, person: string | null, shot: Shot, sight: Sight): Promise<void> {
  const { scheme, size, direction } = sight
  await show(page, shot)
  await page.waitForLoadState('networkidle')
  const parts = [shot.name, person ?? 'nobody', scheme, `${size.width}`, direction]
  await page.screenshot({ path: join(FOLDER, `${parts.join('-')}.png`) })
}

async function open(browser: Browser, { address }: Product, sight: Sight): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: address,
    viewport: sight.size,
    colorScheme: sight.scheme,
    reducedMotion: 'reduce',
    locale: 'en-US',
  })
  await context.addInitScript(`localStorage.setItem('appearance', '{"direction":"${sight.direction}"}')`)
  return context
}

async function visit(
  browser: Browser,
  product: Product,
  person: string | null,
  views: readonly Shot[],
  sight: Sight,
): Promise<void> {
  if (views.length === 0) return
  const context = await open(browser, product, sight)
  const page = await context.newPage()
  if (person !== null) {
    await page.goto('/auth/signin')
    await giveCredentials(page, person)
    await page.waitForURL(/\/(dashboard|auth\/organization|auth\/verify-login)$/)
    if (page.url().endsWith('/auth/organization')) {
      await page.getByRole('main').getByRole('listitem').getByRole('button').first().click()
      await page.waitForURL('**/dashboard')
    }
  }
  for (const view of views) {
    // A page the user can't open never becomes complete: the screenshot shows what appears instead.
    const whole = person === view.person ? view.whole : async () => {}
    await photograph(page, person, { ...view, whole }, sight)
  }
  await context.close()
}

/** Views that any user may try to open: those found through a list don't exist for everyone. */
const forOthers = shots.filter(({ person, url }) => person !== null && typeof url === 'string')
const accounts = DEMO_WORLD.flatMap(({ people }) =>
  people.flatMap(({ userName, isAnnounced }) => (isAnnounced ? [userName] : [])),
)

await rm(FOLDER, { recursive: true, force: true })
await mkdir(FOLDER, { recursive: true })
const product = await startProduct()
try {
  const browser = await launchBrowser()
  for (const [person, views] of Map.groupBy(shots, (shot) => shot.person)) {
    for (const sight of sights) await visit(browser, product, person, views, sight)
    console.log(`${person ?? 'signed out'}: ${views.length} views in ${sights.length} variants`)
  }
  for (const account of accounts) {
    const views = forOthers.filter(({ person }) => person !== account)
    await visit(browser, product, account, views, plain)
    console.log(`${account}: ${views.length} more views`)
  }
  await browser.close()
} finally {
  await product.end()
}
