import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { files } from '#contract/files/files.ts'
import { FIELD_NAMES } from '#contract/marketing/forms/form-body.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { dvpLayouts } from '#contract/marketing/layouts/layouts.ts'
import { FOREIGN_PAGE, promoPages } from '#contract/marketing/pages/promo-pages.ts'
import { shortUrls } from '#contract/marketing/short-urls/short-urls.ts'
import { jobs } from '#contract/jobs/jobs.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { clock } from '#server/clock.ts'
import { refusalOf, testApp, type TestApp } from '#test/app.ts'
import { sendFiles } from '#test/factories/files/file-calls.ts'
import { phonePhoto } from '#test/factories/phone-photo.ts'
import { TEXT_BLOCK } from '#test/factories/marketing/add-marketing.ts'
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

/** Opens an address of the site. Line breaks in the text are spaces: the formatter moves them. */
async function open(url: string) {
  const { status, text, headers } = await forecourt.anonymous.send({
    method: 'GET',
    url,
    headers: { host: HOST },
  })
  return {
    status,
    text: text.replaceAll(/\s+/g, ' '),
    location: JSON.stringify(headers['location'] ?? '').slice(1, -1),
    kept: headers['cache-control'],
  }
}
/** Lets what the site keeps for some seconds become old. */
const pass = () => clock.advance(3_001)
const block = (type: string, data: Record<string, unknown>, id = type) => ({ id, type, v: 1, data })
const textBlock = (words: string) => block('text', { heading: '', text: words })
const publish = async ({ id }: { id: string }) => {
  const { version } = await place.call(promoPages.get, { id })
  return place.call(promoPages.publish, { id, version })
}

test('the preview shows what is not saved, with the engine’s price of one vehicle and the blocks of the layout', async () => {
  const vehicleId = await place.addVehicle({
    year: 2021,
    make: 'Ford',
    model: 'Bronco',
    priceCents: 4_150_000,
    photos: [{ kind: 'address', place: 'https://photos.example/1.jpg', alt: 'Front' }],
    status: 'live',
  })
  const layoutId = await place.addLayout()
  const { version } = await place.call(dvpLayouts.get, { id: layoutId })
  await place.call(dvpLayouts.update, {
    id: layoutId,
    version,
    bottom: [block('disclaimer', { text: 'Fine print' }, 'end')],
  })
  const page = await place.addPage()
  const saved = await place.call(promoPages.get, { id: page.id })
  const shows = { heading: '', vehicleId, hasPhotos: true, hasPrice: true, hasDetails: true }
  const sent = {
    id: page.id,
    title: 'Not saved',
    blocks: [textBlock('<script>Words</script>'), block('vehicle', shows)],
    layoutId,
    on: null,
  }
  const { html } = await place.call(promoPages.preview, sent)
  const { html: later } = await place.call(promoPages.preview, { ...sent, on: '2031-01-01' })
  for (const one of [html, later]) {
    const text = one.replaceAll(/\s+/g, ' ').replace(/^.*<body>/, '')
    expect(text).toContain('<h1>Not saved</h1>')
    expect(text).toMatch(/<h2><a href="[^"]*">[^<]*Ford Bronco/)
    expect(text).toContain('$41,500')
    expect(text).toContain('<dt>Stock number</dt>')
    expect(text).toContain('Fine print')
    expect(text).toContain('&lt;script&gt;Words')
    expect(text).not.toContain('<script')
  }
  expect(await place.call(promoPages.get, { id: page.id })).toEqual(saved)
  await place.call(promoPages.update, { id: page.id, blocks: sent.blocks })
  await publish(page)
  pass()
  expect((await open(`/p/${page.slug}`)).text).toContain('Ford Bronco')
  await place.call(vehicles.update, { id: vehicleId, status: 'sold' })
  pass()
  const sold = await open(`/p/${page.slug}`)
  expect(sold.text).toContain('This vehicle is no longer for sale.')
  expect(sold.text).not.toContain('$41,500')
  expect(sold.text).not.toMatch(new RegExp(`/v/[^"]*-${vehicleId}"`))
  expect(sold.text).toContain('<h2>Similar vehicles</h2>')
})

test('a page with vehicles has the disclaimers of the customer, and their deletion names it with their short URLs', async () => {
  const vehicleId = await place.addVehicle()
  const heading = { heading: '' }
  const data = { ...heading, vehicleId, hasPhotos: true, hasPrice: true, hasDetails: true }
  const list = { ...heading, source: 'chosen', search: '', vehicleIds: [vehicleId], most: 6 }
  const one = await place.addPage({ blocks: [block('vehicle', data)] }, { isPublished: true })
  const other = await place.addPage({ blocks: [block('vehicles', list)] })
  const { name } = await place.call(shortUrls.get, {
    id: await place.addShortUrl({ target: 'vehicle', vehicleId, url: undefined }),
  })
  const { rows } = await forecourt.owner.query<{ text: string }>(
    `select disclaimers -> 0 ->> 'text' as text from customers where id = $1`,
    [place.customerId],
  )
  const words = rows[0]?.text ?? ''
  expect(words).not.toBe('')
  expect((await open(`/p/${one.slug}`)).text).toContain(words.slice(0, 40))
  // Visitors still see the version with the vehicle.
  await place.call(promoPages.update, { id: one.id, blocks: [textBlock('Only words')] })
  const { uses } = await place.call(vehicles.uses, { selection: { ids: [vehicleId] } })
  for (const part of ['the promo pages', one.name, other.name, `the short URL ${name}`])
    expect(uses).toContain(part)
  const unused = await place.call(vehicles.uses, { selection: { ids: [await place.addVehicle()] } })
  expect(unused.uses).toBeNull()
})

test('a page with a form and vehicles is published, and its lead names the page, the short URL and the campaign', async () => {
  const vehicleId = await place.addVehicle({
    year: 2021,
    make: 'Ford',
    model: 'Focus',
    priceCents: 1_899_500,
    status: 'live',
    photos: [{ kind: 'address', place: 'https://photos.example/1.jpg', alt: 'Front' }],
  })
  const form = await place.addForm()
  const page = await place.addPage({
    blocks: [
      block('hero', {
        title: 'Truck clearance',
        text: 'This week',
        picture: { path: '', alt: '' },
        button: { label: 'Ask us', href: '#ask' },
      }),
      block('vehicles', {
        heading: 'Vehicles',
        source: 'chosen',
        search: '',
        vehicleIds: [vehicleId],
        most: 6,
      }),
      block('form', { heading: 'Ask', formKey: form.key }),
    ],
  })
  expect(await open(`/p/${page.slug}`)).toMatchObject({ status: 404 })
  await publish(page)
  pass()
  const shown = await open(`/p/${page.slug}`)
  expect(shown.status).toBe(200)
  expect(shown.text).toContain('<h1>Truck clearance</h1>')
  expect(shown.text).toContain('2021 Ford Focus')
  expect(shown.text).toContain(`<link rel="canonical" href="http://${HOST}`)
  expect((await open('/sitemap.xml')).text).toContain(`/p/${page.slug}</loc>`)

  const short = await place.addShortUrl({
    target: 'page',
    pageId: page.id,
    url: undefined,
    utmCampaign: 'nov',
  })
  const { key } = await place.call(shortUrls.get, { id: short })
  const { location } = await open(`/s/${key}`)
  expect(location).toContain(`/p/${page.slug}?utm_campaign=nov&short_url=${key}`)
  const visitor = visitorOf(forecourt, HOST)
  const { hidden } = await visitor.open(location.replace(/#.*/, ''))
  expect(hidden[FIELD_NAMES.page]).toContain(`/p/${page.slug}`)
  const name = fresh('Buyer')
  const sent = await visitor.send(`/f/${form.key}`, hidden, { name, email: 'buyer@mail.example' }, 60)
  expect(sent.status).toBe(303)
  const found = (await place.call(leads.list, { search: name })).results?.[0]
  expect(await place.call(leads.get, { id: found?.id ?? '' })).toMatchObject({
    sourceName: `Website form, ${page.name}`,
    campaign: { utm_campaign: 'nov', short_url: key },
  })
  expect(await place.call(promoPages.get, { id: page.id })).toMatchObject({ leads: 1, status: 'published' })
  // A vehicle that is sold leaves the page.
  await place.call(vehicles.update, { id: vehicleId, status: 'sold' })
  pass()
  expect((await open(`/p/${page.slug}`)).text).not.toContain('2021 Ford Focus')
})

test('visitors see the published version until the next one is published, and a version can be put back', async () => {
  const page = await place.addPage({ blocks: [textBlock('First words')] }, { isPublished: true })
  const { id, slug } = page
  await place.call(promoPages.update, { id, blocks: [textBlock('Second words')] })
  pass()
  expect((await open(`/p/${slug}`)).text).toContain('First words')
  const { path } = await place.call(promoPages.previewLink, { id })
  expect((await open(path)).text).toContain('Second words')
  expect((await open(path.replace(/.$/, 'x'))).status).toBe(404)
  expect(await publish(page)).toMatchObject({ publishedNumber: 2, hasChanges: false })
  pass()
  expect((await open(`/p/${slug}`)).text).toContain('Second words')
  const { blocks } = await place.call(promoPages.version, { id, number: 1 })
  const { version } = await place.call(promoPages.update, { id, blocks })
  expect(await place.call(promoPages.get, { id })).toMatchObject({ hasChanges: true, liveNumber: 2 })
  await place.call(promoPages.discardDraft, { id, version })
  expect(await place.call(promoPages.get, { id })).toMatchObject({ hasChanges: false })
  clock.advance(3_600_001)
  expect((await open(path)).text).toContain('This preview has ended')
})

test('a page is there from its first day to the end of its last, and a newer version waits for its own', async () => {
  const page = await place.addPage({
    blocks: [textBlock('Old words')],
    startsOn: '2026-11-20',
    endsOn: '2026-11-22',
  })
  await publish(page)
  expect(await place.call(promoPages.get, { id: page.id })).toMatchObject({
    status: 'scheduled',
    liveNumber: null,
  })
  expect((await open(`/p/${page.slug}`)).status).toBe(404)
  clock.set('2026-11-20T12:00:00Z')
  expect((await open(`/p/${page.slug}`)).text).toContain('Old words')
  await place.call(promoPages.update, {
    id: page.id,
    blocks: [textBlock('New words')],
    startsOn: '2026-11-21',
    endsOn: null,
  })
  expect(await publish(page)).toMatchObject({ status: 'published', liveNumber: 1, nextOn: '2026-11-21' })
  pass()
  expect((await open(`/p/${page.slug}`)).text).toContain('Old words')
  clock.set('2026-11-21T12:00:00Z')
  expect((await open(`/p/${page.slug}`)).text).toContain('New words')
  await place.call(promoPages.update, { id: page.id, endsOn: '2026-11-21' })
  await publish(page)
  clock.set('2026-11-22T12:00:00Z')
  expect(await open(`/p/${page.slug}`)).toMatchObject({
    status: 410,
    text: expect.stringContaining('has ended'),
  })
  expect(await place.call(promoPages.get, { id: page.id })).toMatchObject({ status: 'ended' })
})

test('what was taken from the site stays away while a newer version waits for its day', async () => {
  const page = await place.addPage({ blocks: [textBlock('Former words')] }, { isPublished: true })
  await place.call(promoPages.unpublish, { id: page.id })
  const startsOn = clock.today('America/Los_Angeles').replace(/^\d{4}/, (year) => String(Number(year) + 1))
  await place.call(promoPages.update, { id: page.id, startsOn, blocks: [textBlock('Newer words')] })
  await publish(page)
  pass()
  expect(await open(`/p/${page.slug}`)).toMatchObject({ status: 410 })
  expect((await open('/sitemap.xml')).text).not.toContain(`/p/${page.slug}<`)
  expect(await place.call(promoPages.get, { id: page.id })).toMatchObject({ status: 'scheduled' })
})

test('a former address redirects, and a short URL follows; what is taken from the site says so', async () => {
  const page = await place.addPage({}, { isPublished: true })
  const { key } = await place.call(shortUrls.get, {
    id: await place.addShortUrl({ target: 'page', pageId: page.id, url: undefined }),
  })
  await place.call(promoPages.update, { id: page.id, slug: `${page.slug}-new` })
  pass()
  expect(await open(`/p/${page.slug}?utm_source=print&x=1`)).toMatchObject({
    status: 301,
    location: `/p/${page.slug}-new?utm_source=print`,
    // It may move back.
    kept: 'no-cache',
  })
  expect((await open(`/s/${key}`)).location).toContain(`/p/${page.slug}-new`)
  // Another page takes the address only once visitors see it.
  const next = await place.call(promoPages.add, {
    name: fresh('Next'),
    title: 'Next',
    slug: page.slug,
    blocks: [TEXT_BLOCK],
  })
  pass()
  expect((await open(`/p/${page.slug}`)).status).toBe(301)
  const { version } = await place.call(promoPages.publish, { id: next.id, version: next.version })
  pass()
  expect((await open(`/p/${page.slug}`)).text).toContain('Next')
  await place.call(promoPages.remove, { id: next.id, version })
  pass()
  expect((await open(`/p/${page.slug}`)).status).toBe(301)
  await place.call(promoPages.unpublish, { id: page.id })
  pass()
  expect((await open(`/p/${page.slug}-new`)).status).toBe(410)
  expect((await place.call(shortUrls.list, { search: key })).results?.[0]).toMatchObject({
    status: 'notShown',
  })
  // Published again as it is, it is shown again.
  const again = await place.call(promoPages.get, { id: page.id })
  const shown = await place.call(promoPages.publish, { id: page.id, version: again.version })
  expect(shown).toMatchObject({ status: 'published', liveNumber: again.publishedNumber })
  pass()
  expect((await open(`/p/${page.slug}-new`)).status).toBe(200)
})

test('a layout decides which blocks a page has, and puts its own on it', async () => {
  const locked = block('disclaimer', { text: 'All offers end.' }, 'terms')
  const layoutId = await place.addLayout({ allowed: ['hero', 'text'], isOrdered: true, bottom: [locked] })
  const page = await place.addPage({ layoutId }, { isPublished: true })
  expect((await open(`/p/${page.slug}`)).text).toContain('All offers end.')
  const change = (blocks: object[]) =>
    refusalOf(place.call(promoPages.update, promoPages.update.input.parse({ id: page.id, blocks })))
  for (const [blocks, words] of [
    [[{ ...locked, data: { text: 'Changed' } }], 'locks it'],
    [[TEXT_BLOCK, block('map', { heading: '', lotId: null })], 'Block 2 (Map): the layout'],
    [
      [
        TEXT_BLOCK,
        block('hero', {
          title: '',
          text: '',
          picture: { path: '', alt: '' },
          button: { label: '', href: '' },
        }),
      ],
      'Block 2 (Hero)',
    ],
  ] as const)
    expect((await change([...blocks])).refusal.fields?.['blocks']).toContain(words)
  const dealer = await forecourt.as('northgate.dealer')
  await expect(dealer.call(dvpLayouts.update, { id: layoutId, bottom: [] })).toRefuse(403)
  await expect(dealer.call(promoPages.update, { id: page.id, layoutId: null })).toRefuse(400)
  // A page of head office without one is saved as it is.
  const bare = await place.addPage()
  const changed = { id: bare.id, layoutId: null, blocks: [textBlock('By the store')] }
  expect(await dealer.call(promoPages.update, changed)).toMatchObject({ blocks: changed.blocks })
  await expect(place.call(dvpLayouts.remove, { id: layoutId })).toRefuse(409, 'uses this layout.')
  await place.call(dvpLayouts.update, { id: layoutId, bottom: [{ ...locked, data: { text: 'New terms.' } }] })
  pass()
  expect((await open(`/p/${page.slug}`)).text).toContain('New terms.')

  // A layout that lost a type: what pages have stays, their settings can be saved, and the next version waits for another block.
  await place.call(dvpLayouts.update, { id: layoutId, allowed: ['hero'] })
  const kept = await place.call(promoPages.update, { id: page.id, title: 'Another title' })
  await expect(place.call(promoPages.publish, { id: page.id, version: kept.version })).toRefuse(400)
  expect(
    (await change([{ ...TEXT_BLOCK, data: { ...TEXT_BLOCK.data, heading: 'Changed' } }])).refusal.fields,
  ).toMatchObject({
    blocks: expect.stringContaining('doesn’t allow blocks of this type'),
  })
})

test('prices, scripts and odd links in blocks are refused by name or shown as text', async () => {
  const { id, slug } = await place.addPage({}, { isPublished: true })
  const change = (blocks: object[]) =>
    refusalOf(place.call(promoPages.update, promoPages.update.input.parse({ id, blocks })))
  for (const words of ['From $44,995', 'only 399 dollars a month', 'USD 12k', '€ 3.000'])
    expect((await change([textBlock(words)])).refusal.fields?.['blocks']).toContain('Block 1 (Text): “')
  const titled = (title: string, text: string, href: string) =>
    block('hero', { title, text, picture: { path: '', alt: '' }, button: { label: 'Go', href } })
  const hero = (href: string) => titled('A', '', href)
  // Readers read on from one field to the next.
  expect((await change([titled('Our price', '19,995 today', '')])).refusal.fields?.['blocks']).toContain(
    'Block 1 (Hero): “',
  )
  const staff = (contact: object) =>
    block('staff', {
      heading: '',
      people: [{ name: 'F-150', role: 'Sales', phone: '', email: '', ...contact }],
    })
  for (const contact of [{ phone: '$19,995' }, { phone: '19,995 dollars' }, { email: '$19,995' }])
    expect((await change([staff(contact)])).refusal.fields?.['blocks']).toContain(
      'Block 1 (Staff): enter each',
    )
  const contact = { phone: '916.555.0178 ext. 12', email: 'sales@dealer.example' }
  await place.call(promoPages.update, { id, blocks: [staff(contact)] })
  for (const href of [
    'javascript:alert(1)',
    '//evil.example',
    '/\\evil.example',
    'data:text/html,x',
    'https://a@b.example',
  ])
    expect((await change([hero(href)])).refusal.fields?.['blocks']).toContain('Block 1 (Hero)')
  const script = '<script>alert(1)</script>'
  await place.call(promoPages.update, {
    id,
    title: script,
    description: script,
    blocks: [textBlock(script), block('disclaimer', { text: script })],
  })
  await publish({ id })
  pass()
  expect((await open(`/p/${slug}`)).text).not.toContain('<script>alert')
  await expect(place.addPage({ slug })).toRefuse(409)
})

test('who can’t change a page reads so from the start', async () => {
  const dealer = await forecourt.as('northgate.dealer')
  const { results: own } = await dealer.call(lots.list, {})
  const [ofAll, ofOwn] = [
    await place.addPage({ lotId: null }),
    await place.addPage({ lotId: own?.[0]?.id ?? '' }),
  ]
  expect(await place.call(promoPages.get, { id: ofAll.id })).toMatchObject({ isReadOnly: false })
  expect(await dealer.call(promoPages.get, { id: ofAll.id })).toMatchObject({ isReadOnly: true })
  await expect(dealer.call(promoPages.update, { id: ofAll.id, title: 'Mine' })).toRefuse(403, FOREIGN_PAGE)
  expect(await dealer.call(promoPages.get, { id: ofOwn.id })).toMatchObject({ isReadOnly: false })
  expect(await dealer.call(promoPages.update, { id: ofOwn.id, title: 'Mine' })).toMatchObject({
    title: 'Mine',
  })
})

test('a block of an unknown type is kept, named, and never added', async () => {
  const { id } = await place.addPage()
  const lost = { id: 'lost', type: 'carousel', v: 3, data: { slides: [1, 2] } }
  expect(
    (await refusalOf(place.call(promoPages.update, { id, blocks: [lost] }))).refusal.fields?.['blocks'],
  ).toContain('“carousel”')
  // What a later version of the product had stored.
  await forecourt.owner.query('update promo_pages set blocks = blocks || $1 where id = $2', [
    JSON.stringify([lost]),
    id,
  ])
  const page = await place.call(promoPages.get, { id })
  await place.call(promoPages.update, { id, blocks: page.blocks.toReversed() })
  expect((await place.call(promoPages.get, { id })).blocks[0]).toEqual(lost)
  expect((await refusalOf(publish(page))).refusal.fields?.['blocks']).toContain('Block 1 (“carousel”)')
})

test('a deletion is undone with the versions of the page', async () => {
  const page = await place.addPage({}, { isPublished: true })
  const job = await place.call(promoPages.removeMany, { selection: { ids: [page.id] } })
  await forecourt.jobs.runDue()
  pass()
  expect((await open(`/p/${page.slug}`)).status).toBe(404)
  await place.call(jobs.undo, { id: job.id })
  await forecourt.jobs.runDue()
  pass()
  expect((await open(`/p/${page.slug}`)).status).toBe(200)
  expect(await place.call(promoPages.versions, { id: page.id })).toHaveLength(1)
})

const picture = { path: 'front.jpg', alt: 'A blue pickup' }
beforeAll(async () => {
  const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  await sendFiles(forecourt, admin, {}, [{ name: picture.path, bytes: await phonePhoto() }])
})
const link = { label: 'Ask us', href: '/f/contact' }
const SCRIPT = '<script>alert(1)</script>'
const LATER: readonly [string, (words: string) => Record<string, unknown>][] = [
  ['gallery', (words) => ({ heading: words, pictures: [{ picture, caption: words }] })],
  [
    'columns',
    (words) => ({ heading: words, columns: [{ heading: words, text: words, picture, button: link }] }),
  ],
  ['questions', (words) => ({ heading: words, items: [{ question: words, answer: words }] })],
  ['countdown', (words) => ({ heading: words, text: words, endsOn: '2099-12-31' })],
  ['action', (words) => ({ heading: words, text: words, button: link, second: { ...link, label: words } })],
]

const filled = (type: string, words = 'Words') => LATER.find(([name]) => name === type)?.[1](words) ?? {}
/** The message about a block whose content has something else. */
async function messageAbout(type: string, from: string, to: string): Promise<string> {
  const { id } = await place.addPage()
  const data = z.looseObject({}).parse(JSON.parse(JSON.stringify(filled(type)).replaceAll(from, to)))
  const update = place.call(promoPages.update, { id, blocks: [{ ...block(type, {}), data }] })
  return (await refusalOf(update.then(() => publish({ id })))).refusal.fields?.['blocks'] ?? ''
}

test.for(LATER)('a block of %s shows each of its texts as text', async ([type, of]) => {
  const { slug } = await place.addPage({ blocks: [block(type, of(SCRIPT))] }, { isPublished: true })
  const { text: shown } = await open(`/p/${slug}`)
  expect(shown).not.toContain('<script>alert')
  const countOf = (all: string, one: string) => all.split(one).length - 1
  expect(countOf(shown, '&lt;script&gt;alert(1)')).toBe(countOf(JSON.stringify(of(SCRIPT)), SCRIPT))
})

test('blocks take no price, no odd link, no day that is none, and no picture without a description', async () => {
  for (const [type] of LATER)
    expect(await messageAbout(type, 'Words', 'Now $19,995')).toContain('“$19,995” is typed by hand')
  for (const type of ['columns', 'action'])
    expect(await messageAbout(type, link.href, 'javascript:alert(1)')).toContain('the link of a button')
  for (const type of ['columns', 'gallery'])
    expect(await messageAbout(type, picture.alt, '')).toContain('describe each picture')
  expect(await messageAbout('countdown', '2099-12-31', '2099-02-30')).toContain('last day as a date')
})

test.for(['columns', 'gallery'])(
  'pictures of a block of %s are shown, and stay in the media',
  async (type) => {
    const { slug } = await place.addPage({ blocks: [block(type, filled(type))] }, { isPublished: true })
    const [path = ''] = /\/p\/[\w-]+\/picture\/[\w-]+/.exec((await open(`/p/${slug}`)).text) ?? []
    expect((await open(`${path}?w=320`)).status).toBe(200)
    const { uses } = await place.call(files.uses, { container: 'media', path: picture.path })
    expect(uses.map(({ kind }) => kind)).toContain('promoPage')
  },
)

test('a countdown is over after its last day, in the time zone of the customer', async () => {
  const page = await place.addPage(
    { blocks: [block('countdown', { heading: 'Sale', text: '', endsOn: '2026-12-24' })] },
    { isPublished: true },
  )
  const shownAt = async (moment: string) => {
    clock.set(moment)
    return (await open(`/p/${page.slug}`)).text
  }
  expect(await shownAt('2026-12-21T20:00:00Z')).toContain('3 days left, until Thu, Dec 24')
  expect(await shownAt('2026-12-25T07:00:00Z')).toContain('Ends today')
  expect(await shownAt('2026-12-25T09:00:00Z')).not.toContain('Sale</h2>')
})

test('the home page is at the address of the site, and the list of vehicles is there without one', async () => {
  const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  const canonical = (text: string) => /rel="canonical" href="http:..[^/]+(\/[^"]*)"/.exec(text)?.[1]
  const [one, other] = [await place.addPage({}, { isPublished: true }), await place.addPage()]
  const root = async (path = '/') => {
    pass()
    return (await open(path)).text
  }
  const choose = (id: string, isHome: boolean) => admin.call(promoPages.update, { id, isHome })
  expect(canonical(await root())).toBe('/')
  expect(canonical(await root('/vehicles'))).toBe('/')
  await choose(one.id, true)
  expect(await root()).toContain(`<title>${one.title}`)
  expect(await root('/?utm_source=mail')).toContain(`<title>${one.title}`)
  expect(canonical(await root(`/p/${one.slug}`))).toBe('/')
  expect(await root('/?q=')).toContain('Vehicles for sale')
  expect(canonical(await root('/vehicles'))).toBe('/vehicles')
  expect(await root('/sitemap.xml')).not.toContain(`/p/${one.slug}<`)
  // Only a page that visitors see can take its place.
  await expect(choose(other.id, true)).toRefuse(400)
  expect(await root()).toContain(`<title>${one.title}`)
  await publish(other)
  await choose(other.id, true)
  expect((await admin.call(promoPages.get, { id: one.id })).isHome).toBe(false)
  expect(await root()).toContain(`<title>${other.title}`)
  await admin.call(promoPages.unpublish, { id: other.id })
  expect(await root()).toContain('Vehicles for sale')
  await choose(other.id, false)
  const dealer = await forecourt.as('northgate.dealer')
  await expect(dealer.call(promoPages.update, { id: one.id, isHome: true })).toRefuse(403)
})

test('the page that was the home page comes back as another page if its place is taken, and as the home page if not', async () => {
  const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  const [one, other] = [
    await place.addPage({}, { isPublished: true }),
    await place.addPage({}, { isPublished: true }),
  ]
  const bringBack = async (meanwhile: () => Promise<unknown>) => {
    await admin.call(promoPages.update, { id: one.id, isHome: true })
    const { id } = await admin.call(promoPages.removeMany, { selection: { ids: [one.id] } })
    await forecourt.jobs.runDue()
    await meanwhile()
    await admin.call(jobs.undo, { id })
    await forecourt.jobs.runDue()
    return (await admin.call(promoPages.get, { id: one.id })).isHome
  }
  expect(await bringBack(() => admin.call(promoPages.update, { id: other.id, isHome: true }))).toBe(false)
  expect((await admin.call(promoPages.get, { id: other.id })).isHome).toBe(true)
  expect(await bringBack(async () => {})).toBe(true)
})
