import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { recordProblems } from './browser.ts'
import { openProfile, type PageOptions, park, takePage } from './profiles.ts'
import { openWorld, type World } from './world.ts'

export type Stage = {
  product: () => World
  /** A page of a person at a machine of their own, in which nobody is signed in. */
  page: (options?: PageOptions) => Promise<Page>
  /**
   * A browser profile that is used for this test alone: where its clock, its connection or what runs in its pages is
   * changed. It has nothing of the product yet, which takes its time.
   */
  profile: (options?: { address?: string }) => Promise<BrowserContext>
}

type StageOptions = {
  /** Settings of the product that differ for this file. */
  environment?: Record<string, string>
  /** Where its pages lead besides. */
  alsoAt?: readonly string[]
  /** In place of a copy of the demo world. */
  start?: () => Promise<World>
}

/**
 * The product with a world of its own for all tests of a file, and the worker's browser. After each test: nothing may have
 * gone wrong unseen.
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
    // What a test left half-way is of no use to the next one.
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
