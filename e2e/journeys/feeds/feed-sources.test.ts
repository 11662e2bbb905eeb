// @module-tag release
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type FakeSftpServer, startFakeSftpServer } from '#test/fakes/sftp.ts'
import { startFakeHttpsServer, type FakeHttpsServer } from '#test/fakes/https.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, drawer, field, heading, miss, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage, product } = stage()
let web: FakeHttpsServer
let sftp: FakeSftpServer
beforeAll(async () => {
  // The product trusts the certificate of this fake provider.
  web = await startFakeHttpsServer(inject('installation').certificate, 'right')
  sftp = await startFakeSftpServer({ user: 'dealer', password: 'right' })
})
afterAll(async () => {
  await Promise.all([web.close(), sftp.close()])
})

const FEED = `Dealer ID,Stock number,VIN,Year,Make,Model,Price,Stock Type
NGF,WEB-1,1FTFW1E50PFA00001,2023,FORD,F-150,"$45,000",new
NGF,WEB-2,1FTFW1E50PFA00002,2022,FORD,F-150,$39500,used
`

async function pick(page: Page, name: string, option: string | RegExp): Promise<void> {
  await page.getByRole('combobox', { name, exact: true }).click()
  await page.getByRole('option', { name: option }).first().click()
}
const section = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Sections of this feed source' }).getByRole('link', { name })

test('sets up an HTTPS source, reports a wrong password, fetches the file and applies it', async () => {
  web.files.set('/out/stock.csv', FEED)
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/inventory/feeds/sources?source=new')
  await field(page, 'Name').fill('HomeNet by web')
  await pick(page, 'Delivery method', /^HTTPS$/)
  await page.keyboard.press('Control+s')
  await see(page.getByText('Server is required.'), page.getByText('File path is required.'))
  await field(page, 'Server').fill('localhost')
  await field(page, 'Port').fill(String(web.port))
  await field(page, 'File path').fill('/out/stock.csv')
  await field(page, 'User name').fill('dealer')
  await field(page, 'Password or token').fill('wrong')
  await pick(page, 'Schedule', /^On demand$/)
  await page.keyboard.press('Control+s')
  await see(page.getByRole('dialog', { name: 'HomeNet by web' }))

  await section(page, 'Deliveries').click()
  await see(page.getByText('Nothing fetched yet.'))
  await button(page, 'Test connection').click()
  await see(page.getByText('Connection failed'), page.getByText(/status 401/))
  await section(page, 'Settings').click()
  const password = field(page, 'Password or token')
  expect(await password.inputValue()).toBe('')
  expect(await password.getAttribute('placeholder')).toBe('Saved. Enter a new one to replace it.')
  await password.fill('right')
  await page.keyboard.press('Control+s')
  await see(page.getByText('Feed source saved'))
  await section(page, 'Deliveries').click()
  await button(page, 'Test connection').click()
  await see(page.getByText(/^File found\. First line: Dealer ID,Stock number/))

  await button(page, 'Fetch now').click()
  const deliveries = drawer(page).getByRole('list', { name: 'Deliveries' })
  await see(deliveries.getByText('Received'), deliveries.getByText(/requested by Dana Whitfield/))
  await deliveries.getByRole('link', { name: 'stock.csv' }).click()
  await see(heading(page, 'stock.csv'), page.getByText(/: 2 new/))
  const review = page.getByRole('main').getByText('Needs review', { exact: true }).first()
  await see(review)
  await button(page, 'Apply anyway').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Apply feed' }).click()
  await see(page.getByRole('main').getByText('Applied', { exact: true }).first())

  await page.goto('/inventory/feeds/sources')
  const row = page.getByRole('row', { name: /HomeNet by web/ })
  await see(row.getByText('On demand'), row.getByText('On', { exact: true }))
  expect(await row.textContent()).toMatch(/HTTPS/)
})

test('fetches and moves the newest file of a pattern by SFTP, and rejects a pattern for HTTPS', async () => {
  sftp.files.set('/out/cars_1.csv', Buffer.from(FEED.replaceAll('WEB-', 'OLD-')))
  sftp.files.set('/out/cars_2.csv', Buffer.from(FEED.replaceAll('WEB-', 'NEW-')))
  sftp.times.set('/out/cars_2.csv', new Date('2026-11-22T03:10:00Z'))
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/inventory/feeds/sources?source=new')
  await field(page, 'Name').fill('Provider by stars')
  await pick(page, 'Delivery method', /^HTTPS$/)
  await field(page, 'Server').fill('localhost')
  await field(page, 'File path').fill('/out/cars_*.csv')
  await see(page.getByText('Use braces for the date: stock_{yyyy-MM-dd}.csv', { exact: true }))
  await miss(page.getByRole('combobox', { name: 'After fetching the file' }))
  await page.keyboard.press('Control+s')
  await see(page.getByText(/^HTTPS can't list a folder, so asterisks don't work\./))
  await pick(page, 'Delivery method', /^SFTP$/)
  await see(
    page.getByText(/Use an asterisk to match any name: with vehicles_\*\.csv, the newest file is fetched\.$/),
  )
  await field(page, 'Port').fill(String(sftp.port))
  await field(page, 'User name').fill('dealer')
  await field(page, 'Password or key').fill('right')
  await pick(page, 'After fetching the file', /^Move it to a folder$/)
  await pick(page, 'Schedule', /^On demand$/)
  await page.keyboard.press('Control+s')
  await see(page.getByText('Folder is required.'))
  await field(page, 'Move to folder').fill('done')
  await page.keyboard.press('Control+s')
  await see(page.getByRole('dialog', { name: 'Provider by stars' }))

  await section(page, 'Deliveries').click()
  await button(page, 'Test connection').click()
  await see(page.getByText(/^Newest file: cars_2\.csv\. First line: Dealer ID,Stock number/))
  await button(page, 'Fetch now').click()
  const deliveries = drawer(page).getByRole('list', { name: 'Deliveries' })
  await see(
    deliveries.getByText('Received'),
    deliveries.getByText('The file was moved to /out/done/cars_2.csv.'),
    deliveries.getByRole('link', { name: 'cars_2.csv' }),
  )
  expect([...sftp.files.keys()].toSorted()).toEqual(['/out/cars_1.csv', '/out/done/cars_2.csv'])
  await section(page, 'Settings').click()
  expect(await field(page, 'Move to folder').inputValue()).toBe('done')
  await page.setViewportSize({ width: 390, height: 800 })
  await see(field(page, 'Move to folder'))
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBeLessThanOrEqual(390)
})

test('generates an upload URL, shows it once, and receives a file without sign-in', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/inventory/feeds/sources?source=new')
  await field(page, 'Name').fill('Own program')
  await pick(page, 'Delivery method', /^API push$/)
  await page.keyboard.press('Control+s')
  await see(
    page.getByRole('dialog', { name: 'Own program' }),
    page.getByText('No URL yet. Generate one to receive files.'),
  )
  await button(page, 'Generate URL').click()
  await see(page.getByText(/^Copy it now\. You won't be able to see it again\./))
  const address = await field(page, 'Upload URL').inputValue()
  expect(address).toMatch(/^http:\/\/.*\/inbound\/feed\/\d+-\d+-[\w-]{43}$/)
  const sent = await fetch(`${product().address}${new URL(address).pathname}?name=own.csv`, {
    method: 'POST',
    headers: { 'content-type': 'text/csv' },
    body: FEED.replaceAll('WEB-', 'OWN-'),
  })
  expect(sent.status).toBe(202)
  await page.reload()
  await see(page.getByText(/can't be shown again/))
  await section(page, 'Deliveries').click()
  await drawer(page).getByRole('link', { name: 'own.csv' }).click()
  await see(heading(page, 'own.csv'))
})
