import { expect, test } from 'vitest'
import { largestPaint } from '#e2e/harness/largest-paint.ts'
import { stage } from '#e2e/harness/stage.ts'

const { profile, product } = stage()
/** What search engines call good. */
const GOOD_MS = 2_500

test('the largest part of a public page is shown within 2.5 seconds on a slow phone', async () => {
  const address = new URL(product().address)
  address.hostname = 'northgate.localhost'
  const site = address.origin
  const page = await (await profile({ address: site })).newPage()
  await page.goto('/')
  const vehicle = await page.getByRole('heading', { level: 2 }).getByRole('link').first().getAttribute('href')
  for (const path of ['/', vehicle ?? '', '/f/trade-in']) {
    const time = await largestPaint(page, path)
    console.log(`Largest contentful paint of ${path}: ${time.toFixed(0)} ms`)
    expect([path, time > 0 && time < GOOD_MS]).toEqual([path, true])
  }
})
