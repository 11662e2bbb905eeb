// @module-tag release
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { shortUrls } from '#contract/marketing/short-urls/short-urls.ts'
import { callAs } from '#e2e/harness/carbon-year.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, drawer, field, heading, see, signIn } from '#e2e/harness/steps.ts'

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1'
const { page: newPage, profile, product } = stage()

/** The public site of Northgate, which the browser resolves to this machine. */
function siteAddress(): string {
  const address = new URL(product().address)
  address.hostname = 'northgate.localhost'
  return address.origin
}

test('a dealer adds short URLs, a visitor opens one, and the dealer sees a person and a misprint', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/administration/short-url')
  await see(heading(page, 'Short URLs'))

  // Many at once: what is wrong is named, and nothing that was typed is lost.
  await button(page, 'Add many').click()
  await field(page, 'Lines').fill('javascript:alert(1) bad\n/f/test-drive sign-drive Sign at the door')
  await button(page, 'Add short URLs').click()
  await see(page.getByText(/^Line 1: Web address must be/))
  await field(page, 'Lines').fill(
    'https://www.dealer.example/hours\n/f/test-drive sign-drive Sign at the door',
  )
  await button(page, 'Add short URLs').click()
  await see(page.getByText('2 short URLs added'))

  await page.getByRole('searchbox').first().fill('sign-drive')
  await page.getByRole('link', { name: 'Sign at the door' }).click()
  await see(drawer(page).getByText('No clicks in the last 30 days.'))
  await page.getByRole('combobox', { name: 'Domain' }).click()
  await page.getByRole('option', { name: 'northgate.localhost' }).click()
  await field(page, 'UTM source').fill('sign')
  await button(page, 'Save short URL').click()
  const address = `${siteAddress()}/s/sign-drive`
  await expect.poll(() => field(page, 'Address').inputValue()).toBe(address)
  await see(page.getByRole('figure', { name: `QR code of ${address}` }))
  for (const kind of ['SVG', 'PNG']) {
    const [file] = await Promise.all([page.waitForEvent('download'), button(page, kind).click()])
    expect(file.suggestedFilename()).toBe(`sign-drive.${kind.toLowerCase()}`)
    expect((await readFile(await file.path())).length).toBeGreaterThan(500)
  }

  // What is refused is seen with its message, not behind the foot of the drawer.
  const preview = field(page, 'Preview title')
  await preview.fill('Only $19,995')
  await page.keyboard.press('Control+s')
  const refusal = drawer(page).getByText(/is typed by hand/)
  await see(refusal)
  const foot = await button(page, 'Save short URL').boundingBox()
  const said = await refusal.boundingBox()
  expect((said?.y ?? 1e4) + (said?.height ?? 0)).toBeLessThan(foot?.y ?? 0)
  await preview.fill('')
  await field(page, 'UTM campaign').press('Control+s')
  await expect.poll(() => refusal.count()).toBe(0)

  const visitor = await (await profile({ address: siteAddress() })).newPage()
  await visitor.goto('/s/SIGN-DRIVE?gclid=42')
  await expect
    .poll(() => visitor.url())
    .toBe(`${siteAddress()}/f/test-drive?utm_source=sign&short_url=sign-drive&gclid=42`)
  await Promise.all([visitor.waitForResponse('**/s/seen'), visitor.mouse.wheel(0, 100)])
  // Not in the page: a browser that a test drives is a bot, whose unknown keys aren't reported.
  const misprint = await visitor.context().request.get(`${product().address}/s/sing-drive`, {
    headers: { host: new URL(siteAddress()).host, 'user-agent': IPHONE },
  })
  expect([misprint.status(), await misprint.text()]).toEqual([
    404,
    expect.stringContaining('This short link is unknown'),
  ])

  const { id } = (await callAs(page, shortUrls.list, { search: 'sign-drive' })).results?.[0] ?? { id: '' }
  await expect
    .poll(async () => (await callAs(page, shortUrls.clicks, { id })).total)
    .toEqual({ people: 1, suspects: 0, bots: 0 })
  await page.reload()
  await see(drawer(page).getByText(/1 click by people, the most in a day/))
  await page.keyboard.press('Escape')
  await see(page.getByText(/unknown keys were opened/))
  await page.getByRole('region', { name: 'Unknown keys' }).getByRole('button', { name: 'Show' }).click()
  await see(page.getByRole('rowheader', { name: 'sing-drive' }))
})

test('a dealer finds a page that is gone, and opens the leads that a short URL brought', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/administration/short-url')
  await page.getByRole('region', { name: 'Broken targets' }).getByRole('link', { name: 'Show' }).click()
  const jobs = page.getByRole('row').filter({ hasText: 'Technician jobs' })
  await see(jobs.getByText(/Answers 404 since/))
  await expect.poll(() => page.getByRole('link', { name: 'Service coupon' }).count()).toBe(0)
  await page.getByRole('link', { name: 'Technician jobs' }).click()
  await see(
    drawer(page)
      .getByRole('region', { name: 'Web address' })
      .getByText(/Checked/),
  )

  const { id } = (await callAs(page, shortUrls.list, { search: 'testdrv' })).results?.[0] ?? { id: '' }
  const { leads } = await callAs(page, shortUrls.clicks, { id })
  const count = leads?.count ?? 0
  expect(count).toBeGreaterThan(0)
  await page.goto(`/administration/short-url?shortUrl=${id}`)
  await drawer(page)
    .getByRole('link', { name: `${count.toLocaleString('en-US')} leads in the last 30 days` })
    .click()
  await see(heading(page, 'Leads'))
  await see(page.getByText(new RegExp(`\\b${count}\\b`)).first())
})
