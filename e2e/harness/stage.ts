import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject } from 'vitest'
import { launchBrowser, recordProblems } from './browser.ts'
import { type Product, startProduct } from './product.ts'

export type Stage = {
  product: () => Product
  /** Another browser profile: a person at a machine of their own. Closed after the test. */
  visitor: (options?: BrowserContextOptions) => Promise<BrowserContext>
  page: (options?: BrowserContextOptions) => Promise<Page>
}

/**
 * The product and a browser for all tests of a file; a test that is tried again gets an installation that nobody has
 * used. `alsoAt`: where its pages lead besides. After each test: nothing may have gone wrong unseen.
 */
export function stage(
  environment: Record<string, string> = {},
  { alsoAt = [] }: { alsoAt?: readonly string[] } = {},
): Stage {
  let product: Product | null = null
  let browser: Browser | null = null
  const visitors: BrowserContext[] = []
  const problems: string[] = []
  const running = () => {
    if (!product) throw new Error('The product has not started.')
    return product
  }
  // An installation without the demo world begins from nothing.
  const from = environment['FORECOURT_DEMO'] === '0' ? null : inject('installation')
  beforeAll(async () => {
    const both = await Promise.allSettled([startProduct(environment, from), launchBrowser()])
    if (both[0].status === 'fulfilled') product = both[0].value
    if (both[1].status === 'fulfilled') browser = both[1].value
    for (const one of both) if (one.status === 'rejected') throw one.reason
  })
  // What it had done before it failed would stand in its own way.
  beforeEach(async ({ task }) => {
    if ((task.result?.retryCount ?? 0) === 0) return
    await product?.stop()
    product = await startProduct(environment, from)
  })
  afterEach(async () => {
    await Promise.all(visitors.splice(0).map((visitor) => visitor.close()))
    expect(problems.splice(0)).toEqual([])
  })
  afterAll(async () => {
    await browser?.close()
    await product?.stop()
  })
  const visitor = async (options: BrowserContextOptions = {}) => {
    if (!browser) throw new Error('The browser has not started.')
    const context = await browser.newContext({
      baseURL: running().address,
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'reduce',
      locale: 'en-US',
      ...options,
    })
    context.setDefaultTimeout(15_000)
    recordProblems(context, { address: options.baseURL ?? running().address, alsoAt }, problems)
    visitors.push(context)
    return context
  }
  return { product: running, visitor, page: async (options) => (await visitor(options)).newPage() }
}
