import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { stage } from '#e2e/harness/stage.ts'
import { button, heading, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

const lotOfRows = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Lot for these rows' }).getByRole('button', { name, exact: true })
const status = (page: Page, name: string) => page.getByRole('main').getByText(name, { exact: true }).first()

/** Counts the clicks until a file is applied: choosing it, perhaps its lot, and Apply. */
async function countClicks(
  page: Page,
  name: string,
  bytes: Buffer,
  lot?: string,
): Promise<{ clicks: number; ms: number }> {
  await page.goto('/inventory/feeds')
  await see(heading(page, 'Feeds'))
  await page.evaluate(() => {
    const counted = { clicks: 0 }
    Object.assign(globalThis, { counted })
    addEventListener('click', (event) => event.isTrusted && (counted.clicks += 1), true)
  })
  const from = Date.now()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    button(page, 'Upload feed').first().click(),
  ])
  await chooser.setFiles({ name, mimeType: 'text/csv', buffer: bytes })
  await see(heading(page, name), status(page, 'Ready'))
  if (lot !== undefined) await lotOfRows(page, lot).click()
  await see(page.getByText(/matched: .*(new|changed|no changes)/), status(page, 'Ready'))
  await button(page, 'Apply').click()
  await see(status(page, 'Applied'))
  const clicks = await page.evaluate(() => Number(Reflect.get(Reflect.get(globalThis, 'counted'), 'clicks')))
  return { clicks, ms: Date.now() - from }
}

test('imports 1,000 rows of a known provider in two clicks and under a minute once their lot is chosen', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  const rows = (price: number) =>
    Array.from({ length: 1_000 }, (_, at) => {
      const serial = String(at).padStart(6, '0')
      return `KN-${serial},1FTFW1E50PG${serial},2023,FORD,F-150,XLT,4x4,Regular unleaded,10-Speed Automatic,PICKUP,,"$${price + at}",https://ford.example/${serial},new`
    })
  const head =
    'Stock number,VIN,Year,Make,Model,Trim,Drivetrain,Fuel type,Transmission,Body style,Images,Price,VDP URL,Stock Type'
  const file = (price: number) => Buffer.from([head, ...rows(price)].join('\n'))
  const first = await countClicks(page, 'edealer.csv', file(41_000), 'Northgate Ford')
  const second = await countClicks(page, 'edealer-next.csv', file(40_500))
  expect([first.clicks, second.clicks]).toEqual([3, 2])
  expect(Math.max(first.ms, second.ms)).toBeLessThan(60_000)
  await see(page.getByText(/1,000 changed \(1,000 prices\)/).first())
})
