import type { Page } from 'playwright-core'
import { launchBrowser } from '#e2e/harness/browser.ts'
import { DEMO_PASSWORD } from '../demo/world.ts'
import type { Product } from './product.ts'
import type { Row } from './run.ts'

const STEPS = 120
const STEP_PX = 240
const JUMPS = 12

/**
 * Scrolls a list of a million rows in a browser: frame times while scrolling, and the time of a jump until rows (or
 * placeholders) appear at the new position.
 */
export async function measureScrolling(product: Product): Promise<Row[]> {
  const browser = await launchBrowser()
  try {
    const context = await browser.newContext({
      baseURL: product.address,
      viewport: { width: 1440, height: 900 },
    })
    const page = await context.newPage()
    await page.goto('/auth/signin?next=%2Finventory%2Fvehicle-data%3Fsize%3D0')
    await page.getByLabel('User name').fill('harbor.dealer')
    await page.getByRole('textbox', { name: 'Password' }).fill(DEMO_PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.locator('main [data-scrolls] [aria-rowindex]').first().waitFor()
    const frames = await scrollFrames(page)
    const jumps = await jumpTimes(page)
    return [
      row('frame time while scrolling a list of 1,000,000 rows, 95th percentile', at(frames, 0.95), 20),
      row('jump until rows or placeholders appear, 95th percentile', at(jumps, 0.95), 50),
    ]
  } finally {
    await browser.close()
  }
}

/** Frame times in milliseconds while the table scrolls by a few rows per frame. */
function scrollFrames(page: Page): Promise<number[]> {
  return page.evaluate(
    async ([steps, px]) => {
      const frame = scroller()
      const times: number[] = []
      let before = await nextFrame()
      for (let step = 0; step < steps; step += 1) {
        frame.scrollTop += px
        const now = await nextFrame()
        times.push(now - before)
        before = now
      }
      return times

      function nextFrame() {
        return new Promise<number>((resolve) => requestAnimationFrame(resolve))
      }
      function scroller(): Element {
        const found = document.querySelector('main [data-scrolls]')
        if (found === null) throw new Error('There is no scrolling table on this page.')
        return found
      }
    },
    [STEPS, STEP_PX] as const,
  )
}

/** Milliseconds from a jump to the second frame after it, which must show rows of the new position. */
function jumpTimes(page: Page): Promise<number[]> {
  return page.evaluate(async (jumps) => {
    const frame = document.querySelector('main [data-scrolls]')
    if (frame === null) throw new Error('There is no scrolling table on this page.')
    const times: number[] = []
    for (let jump = 1; jump <= jumps; jump += 1) {
      const height = frame.scrollHeight - frame.clientHeight
      const startedAt = performance.now()
      frame.scrollTop = (height * ((jump * 7) % jumps)) / jumps
      await new Promise(requestAnimationFrame)
      await new Promise(requestAnimationFrame)
      if (frame.querySelectorAll('[aria-rowindex]').length === 0) throw new Error('No rows after a jump.')
      times.push(performance.now() - startedAt)
      await new Promise((resolve) => setTimeout(resolve, 400))
    }
    return times
  }, JUMPS)
}

function at(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

const row = (what: string, ms: number, limit: number): Row => ({
  what,
  measured: `${ms.toFixed(1)} ms`,
  comparison: `goal ${limit} ms`,
  ratio: (ms / limit).toFixed(2),
})
