import { afterAll, beforeAll, expect, test } from 'vitest'
import { leadRule } from '#contract/leads/inbox/lead-list.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { jobs } from '#contract/jobs/jobs.ts'
import { forms } from '#contract/marketing/forms/forms.ts'
import { shortUrls } from '#contract/marketing/short-urls/short-urls.ts'
import type { NewVehicle } from '#contract/vehicles/vehicles/vehicle-input.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { clock } from '#server/clock.ts'
import { refusalOf, testApp, type TestApp } from '#test/app.ts'
import { BROWSER, SCANNERS } from '#test/factories/marketing/scanners.ts'
import { visitorOf } from '#test/factories/marketing/visitor.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

const HOST = 'northgate.localhost'
let forecourt: TestApp
let place: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  place = await testOrganization(forecourt, 'Northgate Ford')
})
afterAll(() => forecourt.close())

let network = 0
/** Opens an address of the site, each time from another network. */
async function open(
  url: string,
  {
    headers = {},
    method = 'GET',
    ip = `203.0.113.${++network % 250}`,
  }: { headers?: Record<string, string>; method?: 'GET' | 'HEAD'; ip?: string } = {},
) {
  const answer = await forecourt.app.inject({
    method,
    url,
    headers: { host: HOST, ...headers },
    remoteAddress: ip,
  })
  return {
    status: answer.statusCode,
    location: answer.headers.location ?? '',
    headers: answer.headers,
    text: answer.body,
  }
}
const add = async (more: object) =>
  place.call(shortUrls.add, shortUrls.add.input.parse({ name: fresh('Link'), ...more }))
/** Lets what the site keeps for some seconds become old. */
const pass = () => clock.advance(3_001)
const clicksOf = async (id: string) => {
  await forecourt.sites.flushClicks()
  return (await place.call(shortUrls.clicks, { id })).total
}
const withoutHash = (location: string) => location.replace(/#.*$/, '')
/** A location as it is without what says by which click it was opened. */
const withoutMark = (location: string) =>
  location
    .replace(/#fc-click=.*/, '')
    .replace(/([?&])short_url=[\w-]+&?/, '$1')
    .replace(/[?&]$/, '')
const forSale: Partial<NewVehicle> = {
  year: 2021,
  make: 'Ford',
  model: 'Focus',
  priceCents: 1_899_500,
  status: 'live',
  photos: [{ kind: 'address', place: 'https://photos.example/1.jpg', alt: 'Front' }],
}

test('a short URL leads to its web address with its campaign and what it was opened with', async () => {
  const { key } = await add({
    target: 'url',
    url: 'https://www.dealer.example/offers?own=1&utm_source=old#top',
    utmSource: 'print',
    utmMedium: 'qr',
  })
  const { status, location, headers } = await open(`/s/${key}`)
  expect([status, location]).toEqual([
    302,
    'https://www.dealer.example/offers?own=1&utm_source=print&utm_medium=qr#top',
  ])
  expect(headers['cache-control']).toBe('no-store')
  // Case doesn't matter, and a placement names its own source.
  expect((await open(`/s/${key.toUpperCase()}?utm_source=hangtag&gclid=x%20y`)).location).toBe(
    'https://www.dealer.example/offers?own=1&utm_medium=qr&utm_source=hangtag&gclid=x+y#top',
  )
  expect(await open(`/s/${key}`, { method: 'HEAD' })).toMatchObject({ status: 302, text: '' })
})

test('a visitor’s parameter never replaces the key, and a slash at the end of an address is none of it', async () => {
  const page = await place.addPage({}, { isPublished: true })
  const { key } = await add({ target: 'page', pageId: page.id })
  const { location } = await open(`/s/${key}?short_url=other&short_url=more&utm_source=hangtag`)
  expect(new URLSearchParams(withoutHash(location).split('?')[1]).getAll('short_url')).toEqual([key])
  for (const [address, to] of [
    [`/s/${key}/?gclid=1`, `/s/${key}?gclid=1`],
    [`/p/${page.slug}//`, `/p/${page.slug}`],
  ] as const)
    expect(await open(address)).toMatchObject({ status: 301, location: to })
  for (const address of ['//evil.example/', '/\\evil.example/', '/no/such/page'])
    expect((await open(address)).location).toBe('')
})

test('a vehicle link survives a new price, a new name and the sale', async () => {
  const id = await place.addVehicle(forSale)
  const { key } = await add({ target: 'vehicle', vehicleId: id })
  expect(withoutMark((await open(`/s/${key}?gclid=1`)).location)).toBe(`/v/2021-ford-focus-${id}?gclid=1`)
  await place.call(vehicles.update, { id, priceCents: 1_799_500, model: 'Fiesta', confirmPrices: true })
  pass()
  expect(withoutMark((await open(`/s/${key}`)).location)).toBe(`/v/2021-ford-fiesta-${id}`)
  // The site has advertised it.
  await forecourt.prices.workDue()
  await place.call(vehicles.update, { id, status: 'sold' })
  pass()
  const sold = await open(`/s/${key}`)
  expect(sold.status).toBe(302)
  expect(await open(withoutMark(sold.location))).toMatchObject({
    status: 410,
    text: expect.stringContaining('Fiesta'),
  })
  await expect(place.call(shortUrls.list, { search: key })).resolves.toMatchObject({
    results: [{ status: 'sold', targetTitle: expect.stringContaining('Fiesta') }],
  })
})

test('a vehicle that is not public is not named, and neither is one on a hidden lot', async () => {
  const lotId = await place.addLot()
  const id = await place.addVehicle({ ...forSale, lotId })
  const { key, id: linkId } = await add({ target: 'vehicle', vehicleId: id })
  const target = async () => {
    pass()
    return withoutMark((await open(`/s/${key}`)).location)
  }
  await place.call(vehicles.update, { id, status: 'hold' })
  expect(await target()).toBe(`/v/${id}`)
  expect((await open(`/v/${id}`)).status).toBe(404)
  await place.call(vehicles.update, { id, status: 'live' })
  expect(await target()).toBe(`/v/2021-ford-focus-${id}`)
  await place.call(lots.update, { id: lotId, isPublic: false })
  expect(await target()).toBe(`/v/${id}`)
  expect(await place.call(shortUrls.get, { id: linkId })).toMatchObject({ status: 'unpublished' })
})

const NAMED = '2021 Ford Focus is no longer for sale'
const UNNAMED = 'This vehicle is no longer for sale'
const NOT_FOUND = 'Vehicle not found'
type SoldCase = [
  string,
  { status: 'sold' | 'wholesale' | 'incoming' | 'hold'; isSeen?: true; isHidden?: true },
  string,
  number,
  string,
]
test.for<SoldCase>([
  ['sold after the site showed it', { status: 'sold', isSeen: true }, 'sold', 410, NAMED],
  ['sold while coming in', { status: 'sold' }, 'sold', 410, UNNAMED],
  ['sold wholesale while coming in', { status: 'wholesale' }, 'sold', 410, UNNAMED],
  ['coming in', { status: 'incoming' }, 'unpublished', 404, NOT_FOUND],
  ['on hold after the site showed it', { status: 'hold', isSeen: true }, 'unpublished', 404, NOT_FOUND],
  ['sold on a lot that is hidden', { status: 'sold', isHidden: true }, 'unpublished', 404, NOT_FOUND],
])(
  'of a vehicle %s, the list says what its buyers read',
  async ([, { status, isSeen, isHidden }, listed, answer, says]) => {
    const lotId = await place.addLot()
    const id = await place.addVehicle({ ...forSale, lotId, ...(!isSeen && { status: 'incoming' }) })
    const link = await add({ target: 'vehicle', vehicleId: id })
    if (isSeen) await forecourt.prices.workDue()
    await place.call(vehicles.update, { id, status })
    if (isHidden) await place.call(lots.update, { id: lotId, isPublic: false })
    pass()
    const { status: code, text } = await open(withoutMark((await open(`/s/${link.key}`)).location))
    expect([code, text]).toEqual([answer, expect.stringContaining(says)])
    expect(text.includes('Focus')).toBe(says === NAMED)
    expect((await place.call(shortUrls.get, { id: link.id })).status).toBe(listed)
  },
)

test('a vehicle that the site never showed and no short URL leads to is not found after it was sold', async () => {
  const id = await place.addVehicle({ ...forSale, status: 'incoming' })
  await place.call(vehicles.update, { id, status: 'sold' })
  expect((await open(`/v/${id}`)).status).toBe(404)
})

test('a form link follows the address of the form', async () => {
  const form = await place.addForm()
  const { key, id } = await add({ target: 'form', formId: form.id })
  expect(withoutMark((await open(`/s/${key}`)).location)).toBe(`/f/${form.key}`)
  await place.call(forms.update, { id: form.id, key: `${form.key}-2` })
  pass()
  expect(withoutMark((await open(`/s/${key}`)).location)).toBe(`/f/${form.key}-2`)
  await place.call(forms.close, { id: form.id })
  expect(await place.call(shortUrls.get, { id })).toMatchObject({ status: 'closed' })
})

test('a deleted vehicle leaves a link that says so, and an undone deletion repairs it', async () => {
  const id = await place.addVehicle(forSale)
  const link = await add({ target: 'vehicle', vehicleId: id })
  const removal = await place.call(vehicles.removeMany, { selection: { ids: [id] } })
  await forecourt.jobs.runDue()
  pass()
  expect((await open(`/s/${link.key}`)).status).toBe(410)
  expect(await place.call(shortUrls.get, { id: link.id })).toMatchObject({
    status: 'missing',
    vehicleId: null,
  })
  await place.call(jobs.undo, { id: removal.id })
  await forecourt.jobs.runDue()
  pass()
  expect((await open(`/s/${link.key}`)).status).toBe(302)
})

test('a short URL ends after its last day in the time zone of the customer', async () => {
  const { key, id } = await add({
    target: 'url',
    url: 'https://www.dealer.example/',
    expiresOn: '2026-11-18',
  })
  expect((await open(`/s/${key}`)).status).toBe(302)
  // Midnight in Los Angeles is 8:00 UTC.
  clock.set('2026-11-19T07:59:59Z')
  expect((await open(`/s/${key}`)).status).toBe(302)
  clock.set('2026-11-19T08:00:00Z')
  expect(await open(`/s/${key}`)).toMatchObject({ status: 410, text: expect.stringContaining('has ended') })
  expect(await place.call(shortUrls.get, { id })).toMatchObject({ status: 'expired' })
})

test('unknown keys are reported until a short URL has them, and scanners do not fill the report', async () => {
  const key = `misprint-${fresh('k').replace(/\W/g, '').toLowerCase()}`
  expect(await open(`/s/${key}`, { headers: BROWSER })).toMatchObject({
    status: 404,
    text: expect.stringContaining('unknown'),
  })
  await open(`/s/${key.toUpperCase()}`, { headers: BROWSER })
  await open(`/s/${key}`, { method: 'HEAD' })
  for (const odd of ['%3Cscript%3E', 'a', 'x'.repeat(41), '..%2f..', 'caf%C3%A9'])
    await open(`/s/${odd}`, { headers: BROWSER })
  for (let at = 0; at < 20; at++) await open(`/s/guess-${at}`, { ip: '198.51.100.9', headers: BROWSER })
  await forecourt.sites.flushClicks()
  const reported = await place.call(shortUrls.unknownKeys, {})
  expect(reported.filter((one) => one.key === key)).toMatchObject([{ clicks: 2 }])
  expect(reported.filter((one) => one.key.startsWith('guess-')).length).toBeLessThanOrEqual(3)
  expect(reported.map((one) => one.key).filter((one) => !/^[a-z0-9-]{2,40}$/.test(one))).toEqual([])
  await add({ target: 'url', url: 'https://www.dealer.example/', key })
  expect((await place.call(shortUrls.unknownKeys, {})).some((one) => one.key === key)).toBe(false)
})

test('20 scanner agents and HEAD give 0 human clicks', async () => {
  expect(SCANNERS).toHaveLength(20)
  const vehicle = await add({ target: 'vehicle', vehicleId: await place.addVehicle(forSale) })
  const web = await add({ target: 'url', url: 'https://www.dealer.example/' })
  for (const { key } of [vehicle, web]) {
    for (const headers of SCANNERS) await open(`/s/${key}`, { headers })
    await open(`/s/${key}`, { method: 'HEAD', headers: BROWSER })
  }
  for (const { id } of [vehicle, web]) {
    const { people, suspects, bots } = await clicksOf(id)
    expect([people, suspects + bots]).toEqual([0, 21])
  }
})

test('a person is counted when the page is used, once', async () => {
  const link = await add({ target: 'vehicle', vehicleId: await place.addVehicle(forSale) })
  const { location } = await open(`/s/${link.key}`, { headers: BROWSER })
  expect(await clicksOf(link.id)).toEqual({ people: 0, suspects: 1, bots: 0 })
  const mark = location.split('#fc-click=')[1] ?? ''
  const seen = (click: string) =>
    forecourt.app.inject({
      method: 'POST',
      url: '/s/seen',
      headers: { host: HOST, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ click }).toString(),
    })
  expect((await seen(mark)).statusCode).toBe(204)
  for (const again of [mark, mark.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')), 'x', ''])
    await seen(again)
  expect(await clicksOf(link.id)).toEqual({ people: 1, suspects: 0, bots: 0 })
  expect(await place.call(shortUrls.get, { id: link.id })).toMatchObject({ clicks: 1 })
})

test('a short URL ends after as many clicks of people as it may have; scanners use none up', async () => {
  const link = await add({ target: 'url', url: 'https://www.dealer.example/', maxClicks: 2 })
  const statusAfter = async (headers: Record<string, string>, ip: string) => {
    const { status } = await open(`/s/${link.key}`, { headers, ip })
    await clicksOf(link.id)
    pass()
    return status
  }
  expect(await statusAfter({ 'user-agent': 'Googlebot/2.1' }, '198.51.100.21')).toBe(302)
  expect(await statusAfter(BROWSER, '198.51.100.22')).toBe(302)
  expect(await statusAfter(BROWSER, '198.51.100.23')).toBe(302)
  expect(await statusAfter(BROWSER, '198.51.100.24')).toBe(410)
  expect(await place.call(shortUrls.get, { id: link.id })).toMatchObject({ status: 'usedUp', maxClicks: 2 })
  await place.call(shortUrls.update, { id: link.id, maxClicks: null })
  pass()
  expect(await statusAfter(BROWSER, '198.51.100.25')).toBe(302)
  await expect(place.call(shortUrls.update, { id: link.id, maxClicks: 0 })).toRefuse(400)
})

test('a browser that opens a web address is a person, unless its network opens many links at once', async () => {
  const links = await Promise.all(
    Array.from({ length: 6 }, () => add({ target: 'url', url: 'https://www.dealer.example/' })),
  )
  await open(`/s/${links[0]?.key}`, { headers: BROWSER })
  expect(await clicksOf(links[0]?.id ?? '')).toEqual({ people: 1, suspects: 0, bots: 0 })
  for (const { key } of links) await open(`/s/${key}`, { headers: BROWSER, ip: '198.51.100.7' })
  for (const { id } of links.slice(1)) expect(await clicksOf(id)).toEqual({ people: 0, suspects: 0, bots: 1 })
  expect(await clicksOf(links[0]?.id ?? '')).toEqual({ people: 1, suspects: 0, bots: 1 })
})

test.each([
  ['a script', { url: 'javascript:alert(1)' }],
  ['a data address', { url: 'data:text/html,<script>alert(1)</script>' }],
  ['http', { url: 'http://www.dealer.example/' }],
  ['a path', { url: '/v/1' }],
  ['another host in disguise', { url: 'https://www.dealer.example@evil.example/' }],
  ['a host without a dot', { url: 'https://intranet/' }],
  ['a line break', { url: 'https://www.dealer.example/\r\nSet-Cookie: a=b' }],
  ['a short URL', { url: `https://${HOST}/S/abc` }],
  ['nothing', {}],
  ['an unverified domain', { url: 'https://www.dealer.example/', domain: 'not-ours.example' }],
  ['a script as its picture', { url: 'https://www.dealer.example/', previewPicture: 'javascript:alert(1)' }],
  ['a script as its key', { url: 'https://www.dealer.example/', key: '<script>' }],
  ['a key of one letter', { url: 'https://www.dealer.example/', key: 'a' }],
  ['no such day', { url: 'https://www.dealer.example/', expiresOn: '2026-02-30' }],
])('a short URL to %s is refused at its field', async (_, more) => {
  const { status, refusal } = await refusalOf(
    place.call(shortUrls.add, { name: 'Link', target: 'url', ...more }),
  )
  expect(status).toBe(400)
  const [field = 'url'] = Object.keys(more).slice(-1)
  expect(refusal.fields).toHaveProperty(field)
})

test('a key that is taken is refused, also if another organization has it', async () => {
  const key = fresh('taken').replace(/\W/g, '-').toLowerCase()
  const sister = await testOrganization(forecourt, 'Northgate Toyota')
  await sister.addShortUrl({ key })
  await expect(add({ target: 'url', url: 'https://www.dealer.example/', key: key.toUpperCase() })).toRefuse(
    409,
    'key',
  )
  const other = await testOrganization(forecourt, 'Harbor Honda')
  await other.addShortUrl({ key })
})

test('scripts in texts are shown as text, and previews show title and picture', async () => {
  const { key } = await add({
    target: 'url',
    url: 'https://www.dealer.example/',
    name: '<script>alert(1)</script>',
    previewTitle: '"><script>alert(2)</script>',
    previewPicture: 'https://www.dealer.example/car.jpg?a="b',
    utmCampaign: '<script>alert(3)</script>',
  })
  const { status, text } = await open(`/s/${key}`, { headers: { 'user-agent': 'WhatsApp/2.24.10 A' } })
  expect(status).toBe(200)
  expect(text).toContain('og:image')
  expect(text).not.toContain('<script>alert')
  expect((await open(`/s/${key}`)).location).toBe(
    'https://www.dealer.example/?utm_campaign=%3Cscript%3Ealert%283%29%3C%2Fscript%3E',
  )
})

test('many are added from lines, or none with the lines that are wrong', async () => {
  const stock = fresh('S').replace(' ', '')
  await place.addVehicle({ ...forSale, stock })
  const form = await place.addForm()
  const key = fresh('many').replace(/\W/g, '-').toLowerCase()
  const lines = [
    stock.toLowerCase(),
    `/f/${form.key} -`,
    `https://www.dealer.example/hours ${key} Opening hours`,
    '',
  ]
  const wrong = place.call(shortUrls.addMany, {
    lines: [...lines, 'javascript:alert(1)', 'NO-SUCH'].join('\n'),
  })
  expect((await refusalOf(wrong)).refusal.fields).toEqual({
    lines: expect.stringMatching(
      /^Line 5: Web address must be .*https:.* Line 6: NO-SUCH is no stock number/,
    ),
  })
  await expect(place.call(shortUrls.list, { search: key })).resolves.toMatchObject({ filteredRows: 0 })
  const { ids } = await place.call(shortUrls.addMany, { lines: lines.join('\r\n'), tags: ['batch'] })
  const added = await Promise.all(ids.map((id) => place.call(shortUrls.get, { id })))
  expect(added).toMatchObject([
    { name: '2021 Ford Focus', target: 'vehicle', tags: ['batch'] },
    { target: 'form', formId: form.id },
    { name: 'Opening hours', key, url: 'https://www.dealer.example/hours' },
  ])
  // Nothing on a sign that could be read as something else.
  expect(added[0]?.key).toMatch(/^[a-hjkmnp-z2-9]{6}$/)
})

test('a sheet of QR codes is printed for what is selected, also by a filter', async () => {
  const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  const tag = fresh('sheet')
  const ids = [await place.addShortUrl({ tags: [tag] }), await place.addShortUrl({ tags: [tag] })]
  for (const selection of [
    { ids },
    { all: true as const, filter: `"${tag}" in tags`, except: [ids[0] ?? ''] },
  ]) {
    const { status, headers, text } = await admin.send({
      method: 'POST',
      url: shortUrls.sheet.path,
      payload: { selection },
    })
    expect([status, headers['content-type'], text.slice(0, 5)]).toEqual([200, 'application/pdf', '%PDF-'])
  }
  await expect(place.call(shortUrls.sheet, { selection: { ids: ['999999999'] } })).toRefuse(404)
})

test('redirects of the site keep the parameters of campaigns', async () => {
  const id = await place.addVehicle(forSale)
  expect(await open(`/v/${id}?utm_source=google&gclid=y&page=2&wbraid=z`)).toMatchObject({
    status: 301,
    location: `/v/2021-ford-focus-${id}?utm_source=google&gclid=y&wbraid=z`,
  })
})

test('people are counted by device and by the site with the link, also where their page shows that they are people', async () => {
  const { id, key } = await add({ target: 'url', url: 'https://www.dealer.example/offers' })
  const phone = { ...BROWSER, referer: 'https://www.facebook.com/groups/1' }
  await open(`/s/${key}`, { headers: BROWSER })
  await open(`/s/${key}`, { headers: phone })
  await open(`/s/${key}`, { headers: { ...phone, 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Chrome/130' } })
  await open(`/s/${key}`, { headers: { ...phone, referer: 'javascript:alert(1)' } })
  // A suspect isn't a person.
  await open(`/s/${key}`, { headers: { 'user-agent': BROWSER['user-agent'], referer: 'https://t.example/' } })
  await forecourt.sites.flushClicks()
  expect(await place.call(shortUrls.clicks, { id })).toMatchObject({
    total: { people: 4, suspects: 1 },
    devices: [
      { device: 'phone', people: 3 },
      { device: 'desktop', people: 1 },
    ],
    referrers: [
      { referrer: '', people: 2 },
      { referrer: 'facebook.com', people: 2 },
    ],
    leads: null,
  })

  const vehicle = await add({ target: 'vehicle', vehicleId: await place.addVehicle(forSale) })
  const { location } = await open(`/s/${vehicle.key}`, { headers: phone })
  const click = location.split('#fc-click=')[1] ?? ''
  await forecourt.app.inject({
    method: 'POST',
    url: '/s/seen',
    headers: { host: HOST, 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ click }).toString(),
  })
  await forecourt.sites.flushClicks()
  expect(await place.call(shortUrls.clicks, { id: vehicle.id })).toMatchObject({
    total: { people: 1, suspects: 0 },
    devices: [{ device: 'phone', people: 1 }],
    referrers: [{ referrer: 'facebook.com', people: 1 }],
  })
})

test('leads of a short URL are counted by the list that the figure opens, for those who can open it', async () => {
  const form = await place.addForm()
  const link = await add({ target: 'form', formId: form.id })
  const other = await add({ target: 'form', formId: form.id })
  const visitor = visitorOf(forecourt, HOST)
  for (const { key } of [link, link, other]) {
    const { location } = await open(`/s/${key}`)
    const { hidden } = await visitor.open(location.replace(/#.*/, ''))
    const sent = await visitor.send(
      `/f/${form.key}`,
      hidden,
      { name: fresh('Buyer'), email: 'a@mail.example' },
      60,
    )
    expect(sent.status).toBe(303)
  }
  const { leads: figure } = await place.call(shortUrls.clicks, { id: link.id })
  expect(figure?.count).toBe(2)
  const listed = await place.call(leads.list, {
    filter: leadRule({ queue: 'all', filter: figure?.filter ?? '' }),
  })
  expect(listed.filteredRows).toBe(2)
})
