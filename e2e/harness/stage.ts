import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { recordProblems } from './browser.ts'
import { openProfile, type PageOptions, park, takePage } from './profiles.ts'
import { openWorld, type World } from './world.ts'

export type Stage = {
  product: () => World
  /** A page in a clean browser profile, signed out. */
  page: (options?: PageOptions) => Promise<Page>
  /**
   * A browser profile for this test only, for tests that change its clock, its connection or its scripts. Nothing
   * is cached, so it is slower.
   */
  profile: (options?: { address?: string }) => Promise<BrowserContext>
}

type StageOptions = {
  /** Settings of the product for this file. */
  environment?: Record<string, string>
  /** Additional addresses its pages may use. */
  alsoAt?: readonly string[]
  /** Replaces the copy of the demo world. */
  start?: () => Promise<World>
}

/**
 * Serves the product with a separate world for the tests of a file, in the worker's browser. After each test,
 * checks for unexpected problems.
 */
export function stage({ environment = {}, alsoAt = [], start }: StageOptions = {}): Stage {
  let world: World | null = null
  const pages: Page[] = []
  const profiles: BrowserContext[] = []
  const recordings: (() => void)[] = []
  const problems: string[] = []
  const product = () => {
    if (!world) throw new Error('The product has not started.')
    return world
  }
  beforeAll(async () => {
    world = await (start?.() ?? openWorld(environment))
  })
  afterEach(async ({ task }) => {
    const isFailed = task.result?.state === 'fail'
    // A profile from a failed test must not be reused.
    const end = (page: Page) => (isFailed ? page.context().close() : park(page))
    await Promise.all([...pages.splice(0).map(end), ...profiles.splice(0).map((profile) => profile.close())])
    for (const stop of recordings.splice(0)) stop()
    expect(problems.splice(0)).toEqual([])
  })
  afterAll(() => world?.close())
  return {
    product,
    page: async (options = {}) => {
      const page = await takePage(product().address, options)
      recordings.push(recordProblems(page.context(), { address: product().address, alsoAt }, problems))
      pages.push(page)
      return page
    },
    profile: async ({ address = product().address } = {}) => {
      const context = await openProfile(address)
      recordings.push(recordProblems(context, { address, alsoAt }, problems))
      profiles.push(context)
      return context
    },
  }
}
