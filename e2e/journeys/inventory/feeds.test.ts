import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { providerMappings } from '#contract/inventory/feeds/mappings/provider-mappings.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, field, heading, miss, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

const FEED = `Dealer ID,Stock number,VIN,Year,Make,Model,Price,Stock Type
NGF,FEED-1,1FTFW1E50PFA00001,2023,FORD,F-150,"$45,000",new
NGF,FEED-2,1FTFW1E50PFA00002,2022,FORD,F-150,Please Call,used
NGF,,,2022,FORD,Bronco,31000,used
ZZ-9,FEED-4,1FTFW1E50PFA00004,2022,FORD,F-150,39000,used
`

/** Drops files onto the page, as from the desktop, once it shows that it takes them. */
async function drop(page: Page, files: Record<string, string>): Promise<void> {
  const data = await page.evaluateHandle((given) => {
    const transfer = new DataTransfer()
    for (const [name, text] of Object.entries(given)) {
      transfer.items.add(new File([text], name, { type: 'text/csv' }))
    }
    return transfer
  }, files)
  const target = page.getByRole('main').getByRole('heading', { level: 1 })
  await target.dispatchEvent('dragenter', { dataTransfer: data })
  await see(page.locator('.fc-drop-here'))
  await target.dispatchEvent('drop', { dataTransfer: data })
}

async function choose(page: Page, name: string, text: string): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    button(page, 'Bring a feed').first().click(),
  ])
  await chooser.setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
}

async function pick(page: Page, name: string, option: string | RegExp): Promise<void> {
  await page.getByRole('combobox', { name, exact: true }).click()
  await page.getByRole('option', { name: option }).first().click()
}

/** Adds a provider mapping as the person who is signed in on the page. */
async function addMapping(page: Page, input: z.input<typeof providerMappings.add.input>): Promise<void> {
  const answered = await page.evaluate(
    async ({ path, sent }) => {
      const headers = {
        authorization: `Bearer ${JSON.parse(localStorage.getItem('token') ?? '{}').accessToken}`,
        'content-type': 'application/json',
      }
      return (await fetch(path, { method: 'POST', headers, body: JSON.stringify(sent) })).status
    },
    { path: providerMappings.add.path, sent: input },
  )
  expect(answered).toBe(200)
}

const lotOfRows = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Lot of these rows' }).getByRole('button', { name, exact: true })
const status = (page: Page, name: string) => page.getByRole('main').getByText(name, { exact: true }).first()
const tab = (page: Page, name: RegExp) =>
  page.getByRole('navigation', { name: 'Rows of this feed' }).getByRole('link', { name })

test('a feed is dropped, looked at, mended, applied, brought a second time for nothing, and undone', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/inventory/feeds')
  await see(heading(page, 'Feeds'))
  await drop(page, { 'first.csv': FEED })
  await page.waitForURL(/\/inventory\/feeds\/\d+$/)
  await see(status(page, 'Ready'), page.getByText(/^\d+ % of columns known: 2 new, 2 refused\.$/))
  await see(
    page.getByText(/^1 dealer of the provider without a lot of yours/),
    page.getByText('ZZ-9').first(),
  )

  await tab(page, /^Refused/).click()
  await see(
    page.getByText(/^Neither a VIN nor a stock number/),
    page.getByText('NGF,,,2022,FORD,Bronco,31000,used'),
    page.getByText('No lot stands for dealer ZZ-9.'),
  )
  await button(page, 'Mend line 4').click()
  await button(page, 'Mend row').click()
  await see(page.getByText('Give a VIN or a stock number.'))
  await field(page, 'Stock').fill('FEED-3')
  await page.keyboard.press('Enter')
  await see(page.getByText(/: 3 new, 1 refused\.$/))
  await miss(page.getByText(/^Neither a VIN nor a stock number/))

  await button(page, 'Apply').click()
  await see(status(page, 'Applied'), page.getByText(/^Applied .* by Dana Whitfield/))
  await tab(page, /^New/).click()
  await see(page.getByRole('link', { name: /2022 Ford Bronco/ }))
  const first = page.url()

  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Feeds' }).click()
  await choose(page, 'second.csv', FEED)
  await see(heading(page, 'second.csv'), status(page, 'Ready'), page.getByText(/known: 2 refused\.$/))
  await button(page, 'Cancel').click()
  await see(status(page, 'Cancelled'))

  await page.goto(first)
  await button(page, 'Undo').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo this feed' }).click()
  await see(status(page, 'Undone'), page.getByText(/^Undone .* by Dana Whitfield\.$/))
  await page.goto('/inventory/vehicle-data?search=FEED-1')
  await see(page.getByText('No vehicle matches \u201cFEED-1\u201d'))
  expect(await page.getByRole('main').getByText('FEED-1', { exact: true }).count()).toBe(0)
})

test('a file that nobody knows leads through a mapping and its lot back to a run that can be applied', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/inventory/feeds')
  await choose(page, 'wagons.csv', 'ref,wagon\nKX-1,Kombi\nKX-2,Limousine\n')
  await see(status(page, 'Failed'), page.getByText(/^No column has VINs or stock numbers/))
  await page.getByRole('link', { name: 'Map its columns' }).click()
  await see(heading(page, 'New provider mapping'), page.getByRole('rowheader', { name: /^wagon/ }))
  await field(page, 'Name').fill('Wagons')
  await pick(page, 'Where Stock comes from', /^Column$/)
  await pick(page, 'Where Model comes from', /^Column$/)
  await pick(page, 'Column of Model', /^wagon$/)
  await button(page, 'Save changes').click()
  await see(heading(page, 'Wagons'))
  await button(page, 'Read the feed by this mapping').click()
  await see(heading(page, 'wagons.csv'), status(page, 'Ready'), page.getByText(/^2 rows name no dealer/))
  await lotOfRows(page, 'Northgate Ford').click()
  await see(page.getByText('100 % of columns known: 2 new.'), page.getByText(/go to Northgate Ford/))
  await page.reload()
  await see(button(page, 'Apply'), page.getByText('100 % of columns known: 2 new.'))
  expect(await page.getByText(/name no dealer/).count()).toBe(0)
})

/** A mailed file: German names, semicolons, cp1252, prices as 15.234,56. */
const GERMAN = [
  'Fahrgestellnummer;Interne Nummer;Marke;Modell;Erstzulassung;Preis (brutto);Kilometerstand;Au\u00dfenfarbe;Getriebe;Zustand',
  'WVWAA7AU1KW000200;DE-1;Volkswagen;Golf;03.2019;15.234,56;20.100;Gr\u00fcn;Schaltgetriebe;Gebrauchtwagen',
  'WVWAA7AU3KW000201;DE-2;Volkswagen;Golf;04.2019;16.100,00;21.000;Wei\u00df;Automatik;Neuwagen',
].join('\r\n')

/** Counts what is pressed until a file is applied: choosing it, perhaps its lot, and Apply. */
async function live(page: Page, name: string, bytes: Buffer, lot?: string): Promise<number> {
  await page.goto('/inventory/feeds')
  await see(heading(page, 'Feeds'))
  await page.evaluate(() => {
    const counted = { clicks: 0 }
    Object.assign(globalThis, { counted })
    addEventListener('click', (event) => event.isTrusted && (counted.clicks += 1), true)
  })
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    button(page, 'Bring a feed').first().click(),
  ])
  await chooser.setFiles({ name, mimeType: 'text/csv', buffer: bytes })
  await see(heading(page, name), status(page, 'Ready'))
  if (lot !== undefined) await lotOfRows(page, lot).click()
  await see(page.getByText(/known: .*(new|changed|nothing)/), status(page, 'Ready'))
  await button(page, 'Apply').click()
  await see(status(page, 'Applied'))
  return page.evaluate(() => Number(Reflect.get(Reflect.get(globalThis, 'counted'), 'clicks')))
}

test(
  'a file of a shape nobody knows is live in three clicks, as it was mailed',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    await signIn(page, 'northgate.admin', 'Northgate Ford')
    const clicks = await live(page, 'bestand.csv', Buffer.from(GERMAN, 'latin1'), 'Northgate Ford')
    expect(clicks).toBe(3)
    await page.goto('/inventory/vehicle-data?search=DE-1')
    await see(page.getByText('2019 Volkswagen Golf').first())
  },
)

test(
  'what is kept of a feed is the sample of its mapping, also in another visit',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    await signIn(page, 'northgate.admin', 'Northgate Ford')
    await page.goto('/inventory/feeds')
    await choose(page, 'codes.csv', 'ref,estate\nKX-8,Kombi\nKX-9,Limousine\n')
    await see(heading(page, 'codes.csv'))
    await page.reload()
    await page.getByRole('link', { name: 'Map its columns' }).click()
    await see(page.getByRole('rowheader', { name: /^estate/ }))
    expect(await page.getByText('Drop a sample of the feed here').count()).toBe(0)
  },
)

test(
  'a source is set up, and a file that lacks most of its lot is held until somebody says so',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    await signIn(page, 'northgate.admin', 'Northgate Ford')
    await page.goto('/inventory/feeds')
    await page.getByRole('main').getByRole('link', { name: 'Sources' }).click()
    await see(heading(page, 'Feed sources'))
    await button(page, 'Add source').first().click()
    const blank = page.getByRole('dialog', { name: 'New feed source' })
    await blank.getByRole('button', { name: 'Add source' }).click()
    await see(page.getByText('Name is required.'))
    await field(page, 'Name').fill('Ford, nightly')
    await pick(page, 'Lots', /^Northgate Ford/)
    await page.keyboard.press('Control+s')
    const source = page.getByRole('dialog', { name: 'Ford, nightly' })
    await see(source.getByText(/^Changed /), source.getByRole('button', { name: 'Delete source' }))
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      source.getByRole('button', { name: 'Bring a feed' }).click(),
    ])
    await chooser.setFiles({ name: 'short.csv', mimeType: 'text/csv', buffer: Buffer.from(FEED) })
    await see(
      heading(page, 'short.csv'),
      status(page, 'Held'),
      page.getByText(/^The file has 4 rows, and \d+ vehicles stand on its lots\.$/),
      page.getByText(/^Ford, nightly/).first(),
    )
    await button(page, 'Apply all the same').click()
    const dialog = page.getByRole('dialog', { name: /^Apply short\.csv although it is held/ })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await miss(dialog)
    await see(status(page, 'Held'))
    await button(page, 'Apply all the same').click()
    await dialog.getByRole('button', { name: 'Apply it all the same' }).click()
    await see(status(page, 'Applied'))
    await page.goto('/inventory/feeds/sources')
    const row = page.getByRole('row', { name: /Ford, nightly/ })
    await see(row.getByText('1 lot'), row.getByText('On', { exact: true }))
    expect(await row.textContent()).toMatch(/Upload/)
  },
)

test(
  'a feed of two files waits for the second one, which a button brings, and both are read together',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    const column = (name: string) => ({ source: { kind: 'column' as const, column: name } })
    await signIn(page, 'northgate.admin', 'Northgate Ford')
    await page.goto('/administration/provider-mappings')
    await see(heading(page, 'Provider mappings'))
    await addMapping(page, {
      name: 'Cars and prices',
      mapping: {
        second: { column: 'Car', secondColumn: 'Car no' },
        fields: {
          vin: column('Car'),
          stock: column('Lot place'),
          price: column('Asked'),
          dealer: column('House'),
        },
      },
    })
    await page.goto('/inventory/feeds')
    await see(heading(page, 'Feeds'))
    const cars = 'Car,Lot place,House\n1FTFW1E50PFA00061,TWO-1,NGF\n1FTFW1E50PFA00062,TWO-2,NGF\n'
    await drop(page, { 'cars.csv': cars, 'prices.csv': 'x', 'photos.csv': 'x' })
    const refused = page.getByRole('alert').filter({ hasText: 'None of these was taken' })
    await see(
      refused.getByText(
        'None of these was taken: cars.csv, prices.csv, photos.csv. A feed is one file, or two that are joined. Bring each feed by itself.',
      ),
    )
    expect(new URL(page.url()).pathname).toBe('/inventory/feeds')
    await button(page, 'Dismiss').click()
    await miss(refused)
    await drop(page, { 'cars.csv': cars })
    await page.waitForURL(/\/inventory\/feeds\/\d+$/)
    await see(
      status(page, 'Waiting'),
      page.getByText(
        'Cars and prices joins two files. cars.csv is here and kept: bring the other one, or drop it on this page.',
      ),
    )
    await drop(page, { 'prices.csv': 'x', 'photos.csv': 'x' })
    await see(
      page.getByText(
        'None of these was taken: prices.csv, photos.csv. This feed waits for one file. Bring it alone.',
      ),
    )
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      button(page, 'Bring the second file').click(),
    ])
    const prices = 'Car no,Asked\n1FTFW1E50PFA00061,41000\n1FTFW1E50PFA00069,1\n'
    await chooser.setFiles({ name: 'prices.csv', mimeType: 'text/csv', buffer: Buffer.from(prices) })
    await see(
      status(page, 'Ready'),
      page.getByText(/: 2 new, 1 refused\.$/),
      page.getByText(/^with prices\.csv/),
    )
    await tab(page, /^Refused/).click()
    await see(page.getByText('The first file has no row with 1FTFW1E50PFA00069.'))
    await button(page, 'Cancel').click()
    await see(status(page, 'Cancelled'))
    expect(await button(page, 'Bring the second file').count()).toBe(0)
  },
)
