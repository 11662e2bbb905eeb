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
  // The product trusts the provider that this test plays.
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

test('a source by HTTPS is set up, its wrong password said, fetched and applied', async () => {
  web.files.set('/out/stock.csv', FEED)
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/inventory/feeds/sources?source=new')
  await field(page, 'Name').fill('HomeNet by web')
  await pick(page, 'Comes by', /^HTTPS$/)
  await page.keyboard.press('Control+s')
  await see(page.getByText('Server is required.'), page.getByText('File is required.'))
  await field(page, 'Server').fill('localhost')
  await field(page, 'Port').fill(String(web.port))
  await field(page, 'File there').fill('/out/stock.csv')
  await field(page, 'User').fill('dealer')
  await field(page, 'Password or token').fill('wrong')
  await pick(page, 'Fetched', /^Only when asked$/)
  await page.keyboard.press('Control+s')
  await see(page.getByRole('dialog', { name: 'HomeNet by web' }))

  await section(page, 'Arrivals').click()
  await see(page.getByText('Nothing was fetched yet.'))
  await button(page, 'Test connection').click()
  await see(page.getByText('It cannot be fetched'), page.getByText(/status 401/))
  await section(page, 'Settings').click()
  const password = field(page, 'Password or token')
  expect(await password.inputValue()).toBe('')
  expect(await password.getAttribute('placeholder')).toBe('Kept; type a new one to replace it')
  await password.fill('right')
  await page.keyboard.press('Control+s')
  await see(page.getByText('Feed source saved'))
  await section(page, 'Arrivals').click()
  await button(page, 'Test connection').click()
  await see(page.getByText(/^The file is there. It begins with: Dealer ID,Stock number/))

  await button(page, 'Fetch now').click()
  const arrivals = drawer(page).getByRole('list', { name: 'Arrivals' })
  await see(arrivals.getByText('Brought'), arrivals.getByText(/asked by Dana Whitfield/))
  await arrivals.getByRole('link', { name: 'stock.csv' }).click()
  await see(heading(page, 'stock.csv'), page.getByText(/: 2 new/))
  const held = page.getByRole('main').getByText('Held', { exact: true }).first()
  await see(held)
  await button(page, 'Apply all the same').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Apply it all the same' }).click()
  await see(page.getByRole('main').getByText('Applied', { exact: true }).first())

  await page.goto('/inventory/feeds/sources')
  const row = page.getByRole('row', { name: /HomeNet by web/ })
  await see(row.getByText('When asked'), row.getByText('On', { exact: true }))
  expect(await row.textContent()).toMatch(/HTTPS/)
})

test('of a pattern by SFTP the newest file is fetched and moved, and one by HTTPS is refused at its field', async () => {
  sftp.files.set('/out/cars_1.csv', Buffer.from(FEED.replaceAll('WEB-', 'OLD-')))
  sftp.files.set('/out/cars_2.csv', Buffer.from(FEED.replaceAll('WEB-', 'NEW-')))
  sftp.times.set('/out/cars_2.csv', new Date('2026-11-22T03:10:00Z'))
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/inventory/feeds/sources?source=new')
  await field(page, 'Name').fill('Provider by stars')
  await pick(page, 'Comes by', /^HTTPS$/)
  await field(page, 'Server').fill('localhost')
  await field(page, 'File there').fill('/out/cars_*.csv')
  await see(page.getByText('Braces stand for the day: stock_{yyyy-MM-dd}.csv', { exact: true }))
  await miss(page.getByRole('combobox', { name: 'File there after a fetch' }))
  await page.keyboard.press('Control+s')
  await see(page.getByText(/^HTTPS lists no folder, so that a star finds nothing\./))
  await pick(page, 'Comes by', /^SFTP$/)
  await see(page.getByText(/A star stands for anything: of vehicles_\*\.csv the newest is fetched\.$/))
  await field(page, 'Port').fill(String(sftp.port))
  await field(page, 'User').fill('dealer')
  await field(page, 'Password or key').fill('right')
  await pick(page, 'File there after a fetch', /^It is moved to a folder there$/)
  await pick(page, 'Fetched', /^Only when asked$/)
  await page.keyboard.press('Control+s')
  await see(page.getByText('Folder is required.'))
  await field(page, 'Moved to folder').fill('done')
  await page.keyboard.press('Control+s')
  await see(page.getByRole('dialog', { name: 'Provider by stars' }))

  await section(page, 'Arrivals').click()
  await button(page, 'Test connection').click()
  await see(page.getByText(/^cars_2\.csv is the newest file\. It begins with: Dealer ID,Stock number/))
  await button(page, 'Fetch now').click()
  const arrivals = drawer(page).getByRole('list', { name: 'Arrivals' })
  await see(
    arrivals.getByText('Brought'),
    arrivals.getByText('It was moved there to /out/done/cars_2.csv.'),
    arrivals.getByRole('link', { name: 'cars_2.csv' }),
  )
  expect([...sftp.files.keys()].toSorted()).toEqual(['/out/cars_1.csv', '/out/done/cars_2.csv'])
  await section(page, 'Settings').click()
  expect(await field(page, 'Moved to folder').inputValue()).toBe('done')
  await page.setViewportSize({ width: 390, height: 800 })
  await see(field(page, 'Moved to folder'))
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBeLessThanOrEqual(390)
})

test('the address of a source is made, shown once, and takes a file without anybody signed in', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/inventory/feeds/sources?source=new')
  await field(page, 'Name').fill('Own program')
  await pick(page, 'Comes by', /^API push$/)
  await page.keyboard.press('Control+s')
  await see(
    page.getByRole('dialog', { name: 'Own program' }),
    page.getByText('It has no address yet: nothing can be sent to it.'),
  )
  await button(page, 'Make an address').click()
  await see(page.getByText(/^Copy it now: it is shown this once\./))
  const address = await field(page, 'Address to send to').inputValue()
  expect(address).toMatch(/^http:\/\/.*\/inbound\/feed\/\d+-\d+-[\w-]{43}$/)
  const sent = await fetch(`${product().address}${new URL(address).pathname}?name=own.csv`, {
    method: 'POST',
    headers: { 'content-type': 'text/csv' },
    body: FEED.replaceAll('WEB-', 'OWN-'),
  })
  expect(sent.status).toBe(202)
  await page.reload()
  await see(page.getByText(/nobody can see it again/))
  await section(page, 'Arrivals').click()
  await drawer(page).getByRole('link', { name: 'own.csv' }).click()
  await see(heading(page, 'own.csv'))
})
