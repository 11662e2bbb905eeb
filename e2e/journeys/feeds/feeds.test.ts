import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { providerMappings } from '#contract/feeds/mappings/provider-mappings.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, field, heading, miss, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

const FEED = `Dealer ID,Stock number,VIN,Year,Make,Model,Price,Stock Type
NGF,FEED-1,1FTFW1E50PFA00001,2023,FORD,F-150,"$45,000",new
NGF,FEED-2,1FTFW1E50PFA00002,2022,FORD,F-150,Please Call,used
NGF,,,2022,FORD,Bronco,31000,used
ZZ-9,FEED-4,1FTFW1E50PFA00004,2022,FORD,F-150,39000,used
`

/** Drops files onto the page, as from the desktop, once the drop zone is visible. */
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
    button(page, 'Upload feed').first().click(),
  ])
  await chooser.setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
}

async function pick(page: Page, name: string, option: string | RegExp): Promise<void> {
  await page.getByRole('combobox', { name, exact: true }).click()
  await page.getByRole('option', { name: option }).first().click()
}

/** Adds a provider mapping as the user who is signed in on the page. */
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
  page.getByRole('group', { name: 'Lot for these rows' }).getByRole('button', { name, exact: true })
const status = (page: Page, name: string) => page.getByRole('main').getByText(name, { exact: true }).first()
const tab = (page: Page, name: RegExp) =>
  page.getByRole('navigation', { name: 'Rows of this feed' }).getByRole('link', { name })

test('drops a feed, fixes a row, applies it, uploads it again without changes, and undoes it', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/inventory/feeds')
  await see(heading(page, 'Feeds'))
  await drop(page, { 'first.csv': FEED })
  await page.waitForURL(/\/inventory\/feeds\/\d+$/)
  await see(status(page, 'Ready'), page.getByText(/^\d+% of columns matched: 2 new, 2 rejected\.$/))
  await see(page.getByText(/^1 dealer ID isn't linked to a lot/), page.getByText('ZZ-9').first())

  await tab(page, /^Rejected/).click()
  await see(
    page.getByText(/^No VIN or stock number/),
    page.getByText('NGF,,,2022,FORD,Bronco,31000,used'),
    page.getByText("Dealer ID ZZ-9 isn't linked to a lot."),
  )
  await button(page, 'Fix line 4').click()
  await button(page, 'Save and recheck').click()
  await see(page.getByText('Enter a VIN or a stock number.'))
  await field(page, 'Stock number').fill('FEED-3')
  await page.keyboard.press('Enter')
  await see(page.getByText(/: 3 new, 1 rejected\.$/))
  await miss(page.getByText(/^No VIN or stock number/))

  await button(page, 'Apply').click()
  await see(status(page, 'Applied'), page.getByText(/^Applied .* by Dana Whitfield/))
  await tab(page, /^New/).click()
  await see(page.getByRole('link', { name: /2022 Ford Bronco/ }))
  const first = page.url()

  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Feeds' }).click()
  await choose(page, 'second.csv', FEED)
  await see(heading(page, 'second.csv'), status(page, 'Ready'), page.getByText(/matched: 2 rejected\.$/))
  await button(page, 'Cancel').click()
  await see(status(page, 'Canceled'))

  await page.goto(first)
  await button(page, 'Undo').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo feed' }).click()
  await see(status(page, 'Undone'), page.getByText(/^Undone .* by Dana Whitfield\.$/))
  await page.goto('/inventory/vehicle-data?search=FEED-1')
  await see(page.getByText('No vehicles match \u201cFEED-1\u201d'))
  expect(await page.getByRole('main').getByText('FEED-1', { exact: true }).count()).toBe(0)
})

test(
  'maps an unknown file, assigns its lot and returns to a feed that can be applied',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    await signIn(page, 'northgate.admin', 'Northgate Ford')
    await page.goto('/inventory/feeds')
    await choose(page, 'wagons.csv', 'ref,wagon\nKX-1,Kombi\nKX-2,Limousine\n')
    await see(status(page, 'Failed'), page.getByText(/^No column has VINs or stock numbers/))
    await page.getByRole('link', { name: 'Edit mapping' }).click()
    await see(heading(page, 'New provider mapping'), page.getByRole('rowheader', { name: /^wagon/ }))
    await field(page, 'Name').fill('Wagons')
    await pick(page, 'Source of Stock number', /^Column$/)
    await pick(page, 'Source of Model', /^Column$/)
    await pick(page, 'Column for Model', /^wagon$/)
    await button(page, 'Save changes').click()
    await see(heading(page, 'Wagons'))
    await button(page, 'Read feed with this mapping').click()
    await see(heading(page, 'wagons.csv'), status(page, 'Ready'), page.getByText(/^2 rows have no dealer ID/))
    await lotOfRows(page, 'Northgate Ford').click()
    await see(page.getByText('100% of columns matched: 2 new.'), page.getByText(/go to Northgate Ford/))
    await page.reload()
    await see(button(page, 'Apply'), page.getByText('100% of columns matched: 2 new.'))
    expect(await page.getByText(/have no dealer ID/).count()).toBe(0)
  },
)

/** An emailed file: German names, semicolons, Windows-1252, prices like 15.234,56. */
const GERMAN = [
  'Fahrgestellnummer;Interne Nummer;Marke;Modell;Erstzulassung;Preis (brutto);Kilometerstand;Au\u00dfenfarbe;Getriebe;Zustand',
  'WVWAA7AU1KW000200;DE-1;Volkswagen;Golf;03.2019;15.234,56;20.100;Gr\u00fcn;Schaltgetriebe;Gebrauchtwagen',
  'WVWAA7AU3KW000201;DE-2;Volkswagen;Golf;04.2019;16.100,00;21.000;Wei\u00df;Automatik;Neuwagen',
].join('\r\n')

/** Counts the clicks until a file is applied: choosing it, perhaps its lot, and Apply. */
async function countClicks(page: Page, name: string, bytes: Buffer, lot?: string): Promise<number> {
  await page.goto('/inventory/feeds')
  await see(heading(page, 'Feeds'))
  await page.evaluate(() => {
    const counted = { clicks: 0 }
    Object.assign(globalThis, { counted })
    addEventListener('click', (event) => event.isTrusted && (counted.clicks += 1), true)
  })
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
  return page.evaluate(() => Number(Reflect.get(Reflect.get(globalThis, 'counted'), 'clicks')))
}

test('imports a file of unknown format in three clicks', { tags: 'release' }, async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  const clicks = await countClicks(page, 'bestand.csv', Buffer.from(GERMAN, 'latin1'), 'Northgate Ford')
  expect(clicks).toBe(3)
  await page.goto('/inventory/vehicle-data?search=DE-1')
  await see(page.getByText('2019 Volkswagen Golf').first())
})

test('uses the stored feed as the mapping sample after a reload', { tags: 'release' }, async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/inventory/feeds')
  await choose(page, 'codes.csv', 'ref,estate\nKX-8,Kombi\nKX-9,Limousine\n')
  await see(heading(page, 'codes.csv'))
  await page.reload()
  await page.getByRole('link', { name: 'Edit mapping' }).click()
  await see(page.getByRole('rowheader', { name: /^estate/ }))
  expect(await page.getByText('Drop a sample of the feed here').count()).toBe(0)
})

test(
  'sets up a source and asks for review of a file that lacks most of its lot',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    await signIn(page, 'northgate.admin', 'Northgate Ford')
    await page.goto('/inventory/feeds')
    await page.getByRole('main').getByRole('link', { name: 'Sources' }).click()
    await see(heading(page, 'Feed sources'))
    await button(page, 'Add feed source').first().click()
    const blank = page.getByRole('dialog', { name: 'New feed source' })
    await blank.getByRole('button', { name: 'Add feed source' }).click()
    await see(page.getByText('Name is required.'))
    await field(page, 'Name').fill('Ford, nightly')
    await pick(page, 'Lots', /^Northgate Ford/)
    await page.keyboard.press('Control+s')
    const source = page.getByRole('dialog', { name: 'Ford, nightly' })
    await see(source.getByText(/^Changed /), source.getByRole('button', { name: 'Delete feed source' }))
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      source.getByRole('button', { name: 'Upload feed' }).click(),
    ])
    await chooser.setFiles({ name: 'short.csv', mimeType: 'text/csv', buffer: Buffer.from(FEED) })
    await see(
      heading(page, 'short.csv'),
      status(page, 'Needs review'),
      page.getByText(/^The file has only 4 rows, but its lots have \d+ vehicles\.$/),
      page.getByText(/^Ford, nightly/).first(),
    )
    await button(page, 'Apply anyway').click()
    const dialog = page.getByRole('dialog', { name: /^Apply short\.csv without further review/ })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await miss(dialog)
    await see(status(page, 'Needs review'))
    await button(page, 'Apply anyway').click()
    await dialog.getByRole('button', { name: 'Apply feed' }).click()
    await see(status(page, 'Applied'))
    await page.goto('/inventory/feeds/sources')
    const row = page.getByRole('row', { name: /Ford, nightly/ })
    await see(row.getByText('1 lot'), row.getByText('On', { exact: true }))
    expect(await row.textContent()).toMatch(/Upload/)
  },
)

test('waits for the second file of a joined feed and reads both together', { tags: 'release' }, async () => {
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
  const refused = page.getByRole('alert').filter({ hasText: "These files weren't uploaded" })
  await see(
    refused.getByText(
      "These files weren't uploaded: cars.csv, prices.csv, photos.csv. A feed is one file, or two files to join. Upload each feed separately.",
    ),
  )
  expect(new URL(page.url()).pathname).toBe('/inventory/feeds')
  await button(page, 'Dismiss').click()
  await miss(refused)
  await drop(page, { 'cars.csv': cars })
  await page.waitForURL(/\/inventory\/feeds\/\d+$/)
  await see(
    status(page, 'Waiting for file'),
    page.getByText(
      'Cars and prices joins two files. cars.csv is uploaded. Upload the other file, or drop it on this page.',
    ),
  )
  await drop(page, { 'prices.csv': 'x', 'photos.csv': 'x' })
  await see(
    page.getByText(
      "These files weren't uploaded: prices.csv, photos.csv. This feed needs only one more file. Upload just that file.",
    ),
  )
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    button(page, 'Upload second file').click(),
  ])
  const prices = 'Car no,Asked\n1FTFW1E50PFA00061,41000\n1FTFW1E50PFA00069,1\n'
  await chooser.setFiles({ name: 'prices.csv', mimeType: 'text/csv', buffer: Buffer.from(prices) })
  await see(
    status(page, 'Ready'),
    page.getByText(/: 2 new, 1 rejected\.$/),
    page.getByText(/^with prices\.csv/),
  )
  await tab(page, /^Rejected/).click()
  await see(page.getByText('The first file has no row for 1FTFW1E50PFA00069.'))
  await button(page, 'Cancel').click()
  await see(status(page, 'Canceled'))
  expect(await button(page, 'Upload second file').count()).toBe(0)
})

test(
  'shows both prices where a person set one, and decides in the feed or later at the vehicle',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    await signIn(page, 'northgate.admin', 'Northgate Ford')
    const file = (price: number) =>
      `Dealer ID,Stock number,VIN,Year,Make,Model,Price\nNGF,OWN-1,1FTFW1E50PFA00011,2023,FORD,F-150,${price}\n`
    const upload = async (name: string, price: number) => {
      await page.goto('/inventory/feeds')
      await see(heading(page, 'Feeds'))
      await drop(page, { [name]: file(price) })
      await page.waitForURL(/\/inventory\/feeds\/\d+$/)
      await see(status(page, 'Ready'))
    }
    await upload('own-1.csv', 45_000)
    await button(page, 'Apply').click()
    await see(status(page, 'Applied'))
    await page.getByRole('link', { name: /2023 Ford F-150/ }).click()
    await see(page.getByText('From the feed'))
    const vehicle = page.url()
    await page.goto(`${vehicle}?drawer=edit`)
    await field(page, 'Price').fill('46000')
    await button(page, 'Save vehicle').click()
    await see(page.getByText('Changed by a person'))

    await upload('own-2.csv', 44_000)
    await page.getByRole('link', { name: 'Compare both prices' }).click()
    await see(
      page.getByText('Your price is 46,000.00. The feed sent 45,000.00 before and sends 44,000.00 now.'),
      page.getByRole('radiogroup', { name: /^Price of 2023 Ford F-150/ }),
    )
    await button(page, 'Apply').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Apply feed' }).click()
    await see(status(page, 'Applied'))

    await page.goto(vehicle)
    await see(page.getByText('The feed now sends $44,000. Your price is $46,000 and stays until you decide.'))
    await button(page, 'Take $44,000').click()
    await see(page.getByText('From the feed'))
    await miss(page.getByText('New price from the feed'))
    expect(await page.getByText('$44,000').count()).toBeGreaterThan(0)
  },
)

test(
  'asks what unknown words of a status and unclear dates mean, and lets a person decide about a lower mileage',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    await signIn(page, 'northgate.admin', 'Northgate Ford')
    const head = 'Dealer ID,Stock number,VIN,Year,Make,Model,Price,Mileage,Lot status,Date in stock\n'
    const upload = async (name: string, rows: string) => {
      await page.goto('/inventory/feeds')
      await see(heading(page, 'Feeds'))
      await drop(page, { [name]: head + rows })
      await page.waitForURL(/\/inventory\/feeds\/\d+$/)
    }
    await upload(
      'asks-1.csv',
      'NGF,ASK-1,1FTFW1E50PFA00021,2023,FORD,F-150,45000,41000,I,03/04/2026\n' +
        'NGF,ASK-2,1FTFW1E50PFA00022,2023,FORD,F-150,45000,42000,S7,05/06/2026\n',
    )
    await see(status(page, 'Needs review'), page.getByText('3 questions about this file'))
    expect(await button(page, 'Apply anyway').getAttribute('aria-description')).toBe(
      'Answer the questions about this file first.',
    )
    await pick(page, 'What does “I” in Lot status mean?', 'For sale')
    await pick(page, 'What does “S7” in Lot status mean?', 'Sold')
    await pick(page, 'Which day is 03/04/2026 in Date in stock?', 'April 3, 2026 (day/month/year)')
    await button(page, 'Save answers').click()
    await see(status(page, 'Ready'))
    await miss(page.getByText('questions about this file'))
    await button(page, 'Apply').click()
    await see(status(page, 'Applied'))

    await upload('asks-2.csv', 'NGF,ASK-1,1FTFW1E50PFA00021,2023,FORD,F-150,45000,4100,I,03/04/2026\n')
    await page.getByRole('link', { name: 'Compare mileages' }).click()
    await see(page.getByText('The mileage would fall from 41,000 to 4,100.'))
    await page
      .getByRole('radiogroup', { name: /^Mileage of 2023 Ford F-150/ })
      .getByText('Take lower mileage')
      .click()
    await tab(page, /^Changed\s*1$/).waitFor()
    expect(await page.getByText('The mileage is kept').count()).toBe(0)
  },
)
