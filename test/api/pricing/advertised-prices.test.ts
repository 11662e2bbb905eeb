import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Sent } from '#contract/endpoint.ts'
import { dayAfter } from '#contract/days.ts'
import { customerDetails } from '#contract/customers/details/details.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { channels } from '#contract/channels/channels/channels.ts'
import { advertisedPrices } from '#contract/pricing/advertised/advertised-prices.ts'
import { pricingRules } from '#contract/pricing/rules/pricing-rules.ts'
import { BUYER_DOCUMENT_KINDS } from '#contract/pricing/totals/buyer-document.ts'
import { vehiclePrices } from '#contract/pricing/totals/vehicle-price.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { reports } from '#contract/reports/reports.ts'
import { kyselyOver, statement } from '#server/database/tenant-transaction.ts'
import { sweepAdvertisedPrices } from '#server/pricing/index.ts'
import { readPdf } from '#test/read-pdf.ts'
import { clock } from '#server/clock.ts'
import { type Caller, refusalOf, testApp, type TestApp } from '#test/app.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let admin: Caller
let place: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  place = await testOrganization(forecourt, 'Northgate Ford')
  await forecourt.owner.query('delete from channels')
  await forecourt.owner.query('delete from pricing_rules')
  await admin.call(customerDetails.update, {
    priceLaw: 'us',
    fees: [{ name: 'Document', class: 'document', cents: 8_500 }],
    confirmPrices: true,
  })
})
afterAll(() => forecourt.close())

async function addListed(): Promise<{ id: string; model: string }> {
  const lotId = await place.addLot()
  await place.call(lots.update, { id: lotId, region: 'TX' })
  const model = fresh('Focus')
  const vehicle = { lotId, status: 'live', year: 2021, make: 'Ford', model, priceCents: 2_000_000 } as const
  const photos = [{ kind: 'address' as const, place: 'https://img.example/a.jpg', alt: '' }]
  return { id: await place.addVehicle({ ...vehicle, photos }), model }
}

async function addChannel(model: string, settings: object = {}): Promise<string> {
  const channel = {
    name: fresh('Channel'),
    kind: 'csv',
    destination: 'pull',
    rule: `model == "${model}"`,
  } as const
  return (await admin.call(channels.add, { ...channel, secret: null, ...settings })).id
}

async function deliver(id: string): Promise<string> {
  await admin.call(channels.run, { id })
  await forecourt.channels.workDue()
  const { feedPath } = await admin.call(channels.get, { id })
  const { text } = await forecourt.anonymous.send({ method: 'GET', url: feedPath ?? '' })
  return text
}

const pricesOf = async (model: string) =>
  (
    await admin.call(advertisedPrices.list, { search: model, filter: 'channelName != "Website"' })
  ).results.map((price) => ({ cents: price.priceCents, isCurrent: price.untilAt === null }))
const siteOf = async (model: string) =>
  (await admin.call(advertisedPrices.list, { search: model, filter: 'channelName == "Website"' })).results

test('a delivered file is the proof of its prices; a new price ends the former one', async () => {
  const { id, model } = await addListed()
  const channelId = await addChannel(model)
  expect(await deliver(channelId)).toContain('20085.00')
  expect(await pricesOf(model)).toEqual([{ cents: 2_008_500, isCurrent: true }])

  // The same file again changes nothing.
  await deliver(channelId)
  expect(await pricesOf(model)).toHaveLength(1)

  await admin.call(vehicles.update, { id, priceCents: 1_900_000 })
  const before = (await admin.call(vehiclePrices.places, { id })).find((one) => one.channelId === channelId)
  expect(before).toMatchObject({ nextCents: 1_908_500, advertised: { cents: 2_008_500 } })
  await deliver(channelId)
  expect(await pricesOf(model)).toEqual([
    { cents: 1_908_500, isCurrent: true },
    { cents: 2_008_500, isCurrent: false },
  ])

  await admin.call(vehicles.update, { id, status: 'sold' })
  await deliver(channelId)
  expect((await pricesOf(model)).map(({ isCurrent }) => isCurrent)).toEqual([false, false])
})

test('the proof stays when the vehicle and the channel are deleted', async () => {
  const { id, model } = await addListed()
  const channelId = await addChannel(model)
  await deliver(channelId)
  await admin.call(vehicles.remove, { id, version: (await admin.call(vehicles.get, { id })).version })
  await admin.call(channels.remove, { id: channelId })
  const [price] = (
    await admin.call(advertisedPrices.list, { search: model, filter: 'channelName != "Website"' })
  ).results
  expect(price).toMatchObject({
    sellingCents: 2_000_000,
    totalCents: 2_008_500,
    law: 'us',
    sentence: 'Includes all dealer fees. Taxes and government fees are extra.',
    fees: [{ name: 'Document', class: 'document', cents: 8_500 }],
    untilAt: expect.any(String),
  })
  const proof = await admin.send({ method: 'GET', url: `/api/inventory/price-proof/${price?.id}` })
  expect([proof.status, proof.headers['content-type']]).toEqual([200, 'application/pdf'])
})

test('what the public site shows is advertised, with the explanation of that time, until the page shows something else', async () => {
  const { id, model } = await addListed()
  const site = async () =>
    (await admin.call(vehiclePrices.places, { id })).find((one) => one.channelId === null)
  expect(await site()).toMatchObject({ name: 'Website', nextCents: 2_008_500, advertised: null })
  await forecourt.prices.workDue()
  const rule = await admin.call(pricingRules.add, {
    name: fresh('Sale'),
    kind: 'discount',
    cents: 50_000,
    condition: `model == "${model}"`,
  })
  await forecourt.prices.workDue()
  // The same again changes nothing.
  await admin.call(vehicles.update, { id, doors: 4 })
  await forecourt.prices.workDue()
  const [now, former, ...others] = await siteOf(model)
  expect(others).toEqual([])
  expect(former).toMatchObject({ totalCents: 2_008_500, lines: [], untilAt: now?.fromAt })
  expect(now).toMatchObject({
    channelId: null,
    priceCents: 1_958_500,
    baseCents: 2_000_000,
    lines: [
      { ruleId: rule.id, name: rule.name, kind: 'discount', amountCents: -50_000, runningCents: 1_950_000 },
    ],
    fees: [{ name: 'Document', cents: 8_500 }],
    untilAt: null,
  })
  expect((await site())?.advertised).toMatchObject({ id: now?.id, cents: 1_958_500 })
  // A lot that buyers don't see has no pages.
  const { lotId } = await admin.call(vehicles.get, { id })
  await place.call(lots.update, { id: lotId, isPublic: false })
  await forecourt.prices.workDue()
  expect(await site()).toMatchObject({ nextCents: null, page: null, advertised: null })
  expect((await siteOf(model)).filter(({ untilAt }) => untilAt === null)).toEqual([])
  await place.call(lots.update, { id: lotId, isPublic: true })
  await forecourt.prices.workDue()
  await admin.call(pricingRules.remove, { id: rule.id })
  await admin.call(vehicles.remove, { id })
  expect((await siteOf(model)).map(({ untilAt }) => untilAt !== null)).toEqual([true, true, true])
})

/** The SHA-256 of a record by RFC 8785, calculated here from its values alone. */
function checksumOf(value: unknown): string {
  const sorted = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(sorted)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(
      Object.entries(part)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([k, v]) => [k, sorted(v)]),
    )
  }
  return createHash('sha256')
    .update(JSON.stringify(sorted(value)), 'utf8')
    .digest('hex')
}

const csvOf = (search: string) =>
  admin.send({
    method: 'POST',
    url: reports.exportList.path,
    payload: {
      list: 'advertised-prices',
      format: 'csv',
      search,
      columns: ['offers', 'disclaimers', 'page', 'record', 'sha256'],
    },
  })

const SECRET = 'INTERNAL'

test('the record of a price has the offers and disclaimers that buyers saw, with a checksum that anyone can recompute', async () => {
  await admin.call(customerDetails.update, {
    disclaimers: [
      { name: SECRET, text: 'Subject to prior sale.' },
      { name: SECRET, text: 'Freight is included.', appliesTo: 'new' },
    ],
  })
  const { id, model } = await addListed()
  await admin.call(vehicles.update, { id, costCents: 1_234_567, condition: 'used' })
  const rule = { condition: `model == "${model}"`, name: `${SECRET} rule` }
  const offer = await admin.call(pricingRules.add, {
    ...rule,
    kind: 'offer',
    label: 'Military “offer”',
    cents: 50_000,
    qualifier: 'Active duty',
    disclaimer: 'With proof of service.',
    untilMinute: '2099-12-01T00:00',
  })
  const push = await admin.call(pricingRules.add, {
    ...rule,
    name: `${SECRET} push`,
    kind: 'discount',
    cents: 10_000,
  })
  await forecourt.prices.workDue()
  const [first, ...none] = await siteOf(model)
  expect(none).toEqual([])
  const shown = first?.shown
  expect(shown).toMatchObject({
    page: expect.stringMatching(new RegExp(`^[\\w.]+/v/.*-${id}$`)),
    file: null,
    offers: [
      {
        name: 'Military “offer”',
        cents: 50_000,
        about: 'Active duty, until Nov 30, 2099',
        disclaimer: 'With proof of service.',
      },
    ],
    disclaimers: ['Subject to prior sale.'],
  })
  // Exactly what the page shows.
  const { host, pathname: url } = new URL(`http://${shown?.page}`)
  const page = await forecourt.anonymous.send({ method: 'GET', url, headers: { host } })
  expect(page.status).toBe(200)
  for (const words of [
    'Military “offer”: Active duty, until Nov 30, 2099',
    'With proof of service.',
    'Subject to prior sale.',
  ])
    expect(page.text).toContain(words)

  // The file that anyone can keep, and its checksum.
  const file = await admin.send({ method: 'GET', url: `/api/inventory/price-record/${first?.id}` })
  expect([file.status, file.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
  expect(createHash('sha256').update(file.bytes).digest('hex')).toBe(shown?.sha256)
  const record: unknown = JSON.parse(file.text)
  expect(checksumOf(record)).toBe(shown?.sha256)
  expect(record).toMatchObject({
    totalCents: 1_998_500,
    fees: [{ name: 'Document', cents: 8_500 }],
    law: 'us',
  })
  expect(await admin.call(advertisedPrices.verify, { id: first?.id ?? '', sha256: shown?.sha256 })).toEqual({
    isIntact: true,
    matchesId: first?.id,
  })
  const pdf = await admin.send({ method: 'GET', url: `/api/inventory/price-proof/${first?.id}` })
  expect(readPdf(pdf.bytes).attachments).toEqual([file.text])
  const { text } = readPdf(pdf.bytes)
  for (const words of ['With proof of service.', 'Subject to prior sale.', shown?.sha256.slice(0, 20) ?? '?'])
    expect(text).toContain(words)
  const csv = await csvOf(model)
  expect(csv.text).toContain(
    '500.00 USD Military “offer”: Active duty, until Nov 30, 2099\nWith proof of service.',
  )
  expect(csv.text).toContain(`"Subject to prior sale.","${shown?.page}"`)
  for (const one of [file.text, text, page.text, csv.text])
    expect(one).not.toMatch(/INTERNAL|1234567|12,345|Freight/)

  // Either of them alone ends the record, and a change of something internal doesn't.
  await admin.call(pricingRules.update, { id: push.id, name: `${SECRET} renamed` })
  await admin.call(vehicles.update, { id, costCents: 1_000_000 })
  await forecourt.prices.workDue()
  expect(await siteOf(model)).toHaveLength(1)
  await admin.call(pricingRules.update, { id: offer.id, disclaimer: 'Proof of service and financing.' })
  await forecourt.prices.workDue()
  const [second, ended] = await siteOf(model)
  expect([ended?.id, ended?.untilAt]).toEqual([first?.id, second?.fromAt])
  expect(second).toMatchObject({ totalCents: 1_998_500, untilAt: null })
  expect(second?.shown?.offers[0]?.disclaimer).toBe('Proof of service and financing.')
  await admin.call(customerDetails.update, { disclaimers: [{ name: 'All', text: 'Prices end today.' }] })
  await forecourt.prices.workDue()
  const [third] = await siteOf(model)
  expect(third?.shown?.disclaimers).toEqual(['Prices end today.'])
  expect(new Set([first, second, third].map((one) => one?.shown?.sha256)).size).toBe(3)
  // What ended stays as it was.
  expect((await siteOf(model)).at(-1)?.shown).toEqual(shown)
  for (const one of [offer, push]) await admin.call(pricingRules.remove, { id: one.id })
  await admin.call(customerDetails.update, { disclaimers: [] })
})

test('the record of a page has the MSRP that it shows, and no other', async () => {
  const { id, model } = await addListed()
  await admin.call(vehicles.update, { id, condition: 'new', msrpCents: 2_300_000 })
  await forecourt.prices.workDue()
  const [first] = await siteOf(model)
  expect(first?.shown?.msrpCents).toBe(2_300_000)
  expect(JSON.parse(first?.shown?.record ?? '')).toMatchObject({ msrpCents: 2_300_000 })
  // Another MSRP on the page is another record. One that is no higher than the price isn't shown.
  await admin.call(vehicles.update, { id, msrpCents: 2_400_000 })
  await forecourt.prices.workDue()
  await admin.call(vehicles.update, { id, msrpCents: 2_000_000 })
  await forecourt.prices.workDue()
  expect((await siteOf(model)).map(({ shown }) => shown?.msrpCents)).toEqual([null, 2_400_000, 2_300_000])
})

test('the record of a file has its name and its link, and a price from before records says that it has none', async () => {
  const { id, model } = await addListed()
  await admin.call(vehicles.update, { id, pageUrl: 'https://dealer.example/cars/7' })
  const channelId = await addChannel(model)
  await deliver(channelId)
  const sent = async () =>
    (await admin.call(advertisedPrices.list, { search: model, filter: 'channelName != "Website"' })).results
  const [price] = await sent()
  expect(price?.shown).toMatchObject({
    page: 'https://dealer.example/cars/7',
    file: 'vehicles.csv',
    offers: [],
    disclaimers: [],
  })
  expect(checksumOf(JSON.parse(price?.shown?.record ?? ''))).toBe(price?.shown?.sha256)
  await forecourt.owner.query(
    'update advertised_prices set record = null, record_sha256 = null where id = $1',
    [price?.id],
  )
  expect((await sent())[0]?.shown).toBeNull()
  await expect(admin.call(advertisedPrices.record, { id: price?.id ?? '' })).toRefuse(
    409,
    'before records were kept',
  )
  expect((await csvOf(model)).text).toContain('Not kept')
  const pdf = await admin.send({ method: 'GET', url: `/api/inventory/price-proof/${price?.id}` })
  expect(readPdf(pdf.bytes).text).toContain('before offers and disclaimers were kept')
  // The next file begins a record.
  await deliver(channelId)
  expect((await sent()).map(({ shown }) => shown !== null)).toEqual([true, false])
})

test('turning off a download link ends its prices; the link no longer works either', async () => {
  const { model } = await addListed()
  const channelId = await addChannel(model)
  await deliver(channelId)
  await admin.call(channels.update, { id: channelId, isActive: false, secret: null })
  expect(await pricesOf(model)).toEqual([{ cents: 2_008_500, isCurrent: false }])
})

test('a channel declares what its price field means', async () => {
  const { model } = await addListed()
  expect(await refusalOf(addChannel(model, { priceMeaning: 'without-fees' }))).toMatchObject({
    refusal: { fields: { priceNote: 'Enter where the receiver says that it adds the fees.' } },
  })
  const without = await addChannel(model, { priceMeaning: 'without-fees', priceNote: 'Help page on fees' })
  expect(await deliver(without)).toContain(',20000.00,')
  expect(await pricesOf(model)).toEqual([{ cents: 2_000_000, isCurrent: true }])
  const both = await deliver(await addChannel(model, { priceMeaning: 'both' }))
  expect(both.split('\n')[0]).toMatch(/,price_without_fees,dealer_fees\r?$/)
  expect(both).toMatch(/,20085\.00,.*,20000\.00,85\.00/)
  const google = await addChannel(model, { kind: 'google', priceMeaning: 'without-fees', priceNote: 'x' })
  expect(await admin.call(channels.get, { id: google })).toMatchObject({
    priceMeaning: 'total',
    priceNote: null,
  })
})

test('a file with custom columns sends the price that its channel declares, and only that is the proof', async () => {
  const { model } = await addListed()
  const priceless = await addChannel(model, { columns: [{ name: 'Model', value: '{model}' }] })
  await deliver(priceless)
  expect(await pricesOf(model)).toEqual([])

  const columns = [{ name: 'Price', value: '{price_without_fees}' }]
  const error = { fields: { 'columns.0.value': expect.stringContaining('means the total price') } }
  expect(await refusalOf(addChannel(model, { columns }))).toMatchObject({ status: 400, refusal: error })
  const channelId = await addChannel(model, { columns: [{ name: 'Price', value: '{price}' }] })
  expect(await deliver(channelId)).toContain('20085.00')
  const sent = await pricesOf(model)
  // Only channels from before the check have such columns.
  await forecourt.owner.query('update channels set columns = $2 where id = $1', [
    channelId,
    JSON.stringify(columns),
  ])
  expect(await deliver(channelId)).toContain('20085.00')
  expect((await admin.call(channels.runs, { id: channelId })).runs[0]).toMatchObject({
    state: 'stopped',
    message: expect.stringMatching(/^Not sent: column "Price" needs to be fixed\. .*Use \{price\}/),
  })
  expect(await pricesOf(model)).toEqual(sent)
})

const documents = (input: Sent<typeof vehiclePrices.documents>) =>
  admin.send({ method: 'POST', url: vehiclePrices.documents.path, payload: input })

test('documents for buyers have the dealer and the disclaimers of the condition, and nothing internal', async () => {
  await admin.call(customerDetails.update, {
    disclaimers: [
      { name: 'All', text: 'Prices are before tax.' },
      { name: 'New', text: 'Freight is included.', appliesTo: 'new' },
      { name: 'Used', text: 'Mileage as shown.', appliesTo: 'used' },
    ],
  })
  const { id, model } = await addListed()
  await admin.call(vehicles.update, {
    id,
    costCents: 1_234_567,
    condition: 'used',
    msrpCents: 3_000_000,
  })
  const condition = `model == "${model}"`
  const rule = { condition, kind: 'discount' as const }
  const rules = [
    await admin.call(pricingRules.add, { ...rule, name: 'SECRET push', cents: 10_000 }),
    await admin.call(pricingRules.add, {
      ...rule,
      name: 'SECRET named',
      label: 'Dealer discount',
      cents: 20_000,
    }),
    await admin.call(pricingRules.add, {
      condition,
      kind: 'offer',
      name: 'SECRET offer',
      qualifier: 'Students',
      cents: 30_000,
    }),
    // Its amount comes from the cost, and its name for buyers is that of the page.
    await admin.call(pricingRules.add, {
      condition,
      kind: 'offer',
      name: 'SECRET cost offer',
      label: 'Club bonus',
      qualifier: 'Members',
      field: 'cost',
      percent: 10,
    }),
  ]
  const selection = { ids: [id] }
  for (const kind of ['deal-sheet', 'window-sticker'] as const) {
    const { status, text, headers } = await documents({ selection, kind, format: 'html' })
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers['content-disposition']).toMatch(/^attachment; /)
    for (const words of [
      'Northgate Ford',
      'Prices are before tax.',
      'Mileage as shown.',
      '$19,785',
      'Dealer discount',
      '−$200',
      'Students',
      'Club bonus',
    ])
      expect(text).toContain(words)
    // The MSRP of a used vehicle is the price of another time.
    expect(text).not.toMatch(/SECRET|Freight is included|12,345|1234567|[-−]\$100\b|MSRP/)
  }
  const { bytes, headers } = await documents({ selection, kind: 'deal-sheet', format: 'pdf' })
  expect(headers['content-type']).toBe('application/pdf')
  const { text, isAccessible } = readPdf(bytes)
  expect(isAccessible).toBe(true)
  for (const words of ['Northgate Ford', 'Mileage as shown.', '$19,785', 'For the dealer'])
    expect(text).toContain(words)
  expect(text).not.toContain('SECRET')
  for (const { id: ruleId } of rules) await admin.call(pricingRules.remove, { id: ruleId })
})

test('no document for buyers is without the disclaimers, and terms of a deducted rebate are on each', async () => {
  await admin.call(customerDetails.update, { disclaimers: [{ name: 'All', text: 'Prices are before tax.' }] })
  const { id, model } = await addListed()
  const rebate = { kind: 'rebate', cents: 50_000, disclaimer: 'Delivery by year end.' } as const
  const rule = await admin.call(pricingRules.add, {
    name: fresh('Cash'),
    ...rebate,
    condition: `model == "${model}"`,
  })
  // Hang tags need a public website.
  await forecourt.owner.query(
    `insert into white_labels (customer_id, domain, title, purpose, verified_at)
    select $1, 'tags.example', 'Cars', 'public', now()
    where not exists (select from white_labels where customer_id = $1 and purpose = 'public' and verified_at is not null)`,
    [place.customerId],
  )
  // A line that breaks has no space in the text of a PDF, and may end with a hyphen.
  const bare = (text: string) => text.replaceAll(/[\s\u00AD-]/g, '')
  for (const kind of BUYER_DOCUMENT_KINDS) {
    const { bytes, status } = await documents({ selection: { ids: [id] }, kind, format: 'pdf' })
    const { text: page } = await documents({ selection: { ids: [id] }, kind, format: 'html' })
    expect([kind, status]).toEqual([kind, 200])
    for (const words of ['Prices are before tax.', 'Delivery by year end.']) {
      expect([kind, page.includes(words)]).toEqual([kind, true])
      // The text is shown if they are missing.
      const printed = bare(readPdf(bytes).text)
      expect(printed.includes(bare(words)) ? [kind] : [kind, words, printed]).toEqual([kind])
    }
  }
  await admin.call(pricingRules.remove, { id: rule.id })
})

test('a deal sheet is valid no longer than its price: until a rule, a step, a condition, a fee or an offer changes', async () => {
  const { id, model } = await addListed()
  const days = (count: number) => `${dayAfter(clock.today('America/Los_Angeles'), count)}T00:00`
  const validity = async () => {
    const input = { selection: { ids: [id] }, kind: 'deal-sheet' as const, format: 'html' as const }
    const { text } = await documents({ ...input, validUntil: days(30).slice(0, 10) })
    return /Valid (?:through|until)[^A-Z]*([A-Z][a-z]{2} \d+, \d{4}(?:, \d+:\d\d.[AP]M)?)/.exec(text)?.[1]
  }
  const shown = (count: number) =>
    new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(
      new Date(`${days(count)}Z`),
    )
  expect(await validity()).toBe(shown(30))
  const condition = `model == "${model}"`
  const offer = {
    name: fresh('Offer'),
    kind: 'offer',
    cents: 10_000,
    qualifier: 'Students',
    condition,
  } as const
  const discount = { kind: 'discount', cents: 10_000, condition } as const
  const changes: [number, object][] = [
    [25, { ...offer, untilMinute: days(26) }],
    [22, { ...discount, fromMinute: days(23) }],
    [20, { ...discount, condition: `${condition} && today() >= date("${days(21).slice(0, 10)}")` }],
  ]
  const rules: string[] = []
  for (const [last, rule] of changes) {
    const added = await admin.call(pricingRules.add, { name: fresh('Planned'), ...rule, confirmPrices: true })
    rules.push(added.id)
    expect(await validity()).toBe(shown(last))
  }
  const fees = [{ name: 'Document', class: 'document', cents: 8_500 } as const]
  const later = {
    name: 'Filing',
    class: 'electronic-filing',
    cents: 1_000,
    from: days(18).slice(0, 10),
  } as const
  await admin.call(customerDetails.update, { fees: [...fees, later], confirmPrices: true })
  expect(await validity()).toBe(shown(17))
  await admin.call(vehiclePrices.setSpecial, {
    id,
    version: null,
    cents: 1_950_000,
    until: `${days(5).slice(0, 10)}T17:00`,
    reason: 'Event',
    confirmPrices: true,
  })
  expect((await validity())?.replace(/\s/g, ' ')).toBe(`${shown(5)}, 5:00 PM`)
  await admin.call(customerDetails.update, { fees, confirmPrices: true })
  for (const rule of rules) await admin.call(pricingRules.remove, { id: rule, confirmPrices: true })
})

test('documents are made for several vehicles, and vehicles without a price are named', async () => {
  const [one, other] = [await addListed(), await addListed()]
  const without = await place.addVehicle({ stock: 'NOPRICE1', condition: 'new', msrpCents: 4_000_000 })
  const kind = 'window-sticker' as const
  const { bytes } = await documents({ selection: { ids: [one.id, other.id] }, kind, format: 'pdf' })
  expect(readPdf(bytes).pages).toBe(2)
  const all = { all: true, filter: `model == "${one.model}"` } as const
  expect((await documents({ selection: all, kind, format: 'html' })).status).toBe(200)
  const [format, deal] = ['pdf', 'deal-sheet'] as const
  const both = { selection: { ids: [one.id, without] }, kind, format } satisfies Sent<
    typeof vehiclePrices.documents
  >
  await expect(admin.call(vehiclePrices.documents, both)).toRefuse(
    409,
    '1 of 2 vehicles have no price yet: NOPRICE1. Leave them out of the selection.',
  )
  const late = { selection: { ids: [one.id] }, kind: deal, format, validUntil: '2020-01-01' }
  await expect(admin.call(vehiclePrices.documents, late)).toRefuse(400, 'Choose today or a later day')
})

test('prices are deleted two years after they ended', async () => {
  const current = await place.addAdvertisedPrice()
  const ended = await place.addAdvertisedPrice()
  const old = await place.addAdvertisedPrice()
  await forecourt.owner.query(
    `update advertised_prices set until_at = app_now() - interval '2 years' + interval '1 day' where id = $1`,
    [ended],
  )
  await forecourt.owner.query(
    `update advertised_prices set until_at = app_now() - interval '2 years 1 day' where id = $1`,
    [old],
  )
  await sweepAdvertisedPrices(kyselyOver((query) => forecourt.jobsPool.query(statement(query))))
  await admin.call(advertisedPrices.get, { id: current })
  await admin.call(advertisedPrices.get, { id: ended })
  await expect(admin.call(advertisedPrices.get, { id: old })).toRefuse(404)
})
