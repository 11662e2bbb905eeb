import type { Page } from 'playwright-core'

/** A phone on a slow connection, as Lighthouse emulates one: 4 times slower, 1.6 Mbit/s, 150 ms. */
const PHONE = { width: 390, height: 800 }
const CPU_SLOWDOWN = 4
const NETWORK = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }

/** The time in milliseconds until the largest part of a page is shown (LCP), on a slow phone with an empty cache. */
export async function largestPaint(page: Page, url: string): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await page.setViewportSize(PHONE)
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  await session.send('Network.emulateNetworkConditions', NETWORK)
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  await page.goto(url, { waitUntil: 'networkidle' })
  const time = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? 0)).observe({
          type: 'largest-contentful-paint',
          buffered: true,
        })
      }),
  )
  await session.detach()
  return time
}
