import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { customers } from '#contract/customers/customers/customers.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { pricingRules } from '#contract/pricing/rules/pricing-rules.ts'
import type { NewVehicle } from '#contract/vehicles/vehicles/vehicle-input.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { forms } from '#contract/marketing/forms/forms.ts'
import { whiteLabels } from '#contract/identity/branding/white-labels.ts'
import { vehiclePath } from '#contract/marketing/site/vehicle-address.ts'
import { clock } from '#server/clock.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

const HOST = 'northgate.localhost'
let forecourt: TestApp
let admin: Caller
let place: TestOrganization
let lotId: string
let made = 0

beforeAll(async () => {
  forecourt = await testApp({ FORECOURT_DEMO: '1' })
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  place = await testOrganization(forecourt, 'Northgate Ford')
  // Only the vehicles of a test are on the site.
  await forecourt.owner.query(`update lots set is_public = false`)
  await forecourt.owner.query('delete from pricing_rules')
  lotId = await place.addLot()
  await place.call(lots.update, {
    id: lotId,
    address: '1 Main St',
    city: 'Sacramento',
    region: 'CA',
    postalCode: '95841',
    phone: '+1 916 555 0100',
  })
})
afterAll(() => forecourt.close())

/** Requests a page of a public site. Line breaks in the text are spaces: the formatter moves them. */
async function open(path: string, host = HOST, method: 'GET' | 'HEAD' | 'POST' = 'GET') {
  const page = await forecourt.anonymous.send({ method, url: path, headers: { host } })
  return { ...page, text: page.text.replaceAll(/\s+/g, ' ') }
}

type Added = { id: string; path: string; stock: string }

/** A vehicle that buyers see, unless `fields` changes that. */
async function addForSale(fields: Partial<NewVehicle> = {}): Promise<Added> {
  const stock = `SITE${++made}`
  const vehicle = {
    lotId,
    stock,
    status: 'live' as const,
    condition: 'used' as const,
    year: 2021,
    make: 'Ford',
    model: 'Escape',
    trim: 'SE',
    body: 'SUV',
    priceCents: 2_000_000,
    photos: [{ kind: 'address' as const, place: `https://photos.example/${stock}.jpg`, alt: 'Front' }],
    ...fields,
  }
  const id = await place.addVehicle(vehicle)
  const { year, make, model, trim } = vehicle
  return {
    id,
    path: vehiclePath({
      id,
      year: year ?? null,
      make: make ?? null,
      model: model ?? null,
      trim: trim ?? null,
    }),
    stock,
  }
}

describe('a public host', () => {
  test('has its own pages and nothing of the back office', async () => {
    const home = await open('/')
    expect(home.status).toBe(200)
    expect(home.text).toContain('<title>Vehicles for sale | Northgate Cars</title>')
    for (const path of [
      '/auth/signin',
      '/dashboard',
      '/api/auth',
      '/api/customers/get-lots',
      '/metrics',
      '/api/openapi.json',
    ]) {
      const page = await open(path)
      expect([path, page.status]).toEqual([path, 404])
      expect(page.text).toContain('Page not found')
    }
    expect((await open('/', HOST, 'POST')).status).toBe(404)
  })

  test('shares only the routes for photos, channel files and logos with the back office', async () => {
    for (const path of [
      '/feeds/a/b',
      '/feeds//x',
      '/feeds/../api/auth/me',
      '/feeds',
      '/api/auth/brand-picture',
    ])
      expect([path, (await open(path)).text.includes('Page not found')]).toEqual([path, true])
    const { headers } = await open('/feeds/pictures/none')
    expect(headers['content-type']).toContain('application/json')
  })

  test('refuses a Host header that is no host', async () => {
    for (const host of [`x@${HOST}`, 'a b', `${HOST}:99999999`, `${HOST}/x`])
      expect([host, (await open('/', host)).status]).toEqual([host, 400])
  })

  test('sends strict headers and sets no cookies', async () => {
    const { headers, cookies } = await open('/')
    expect(headers['content-security-policy']).toBe(
      "default-src 'none';script-src 'self';style-src 'self';img-src 'self';connect-src 'self';worker-src 'self';form-action 'self';base-uri 'none';frame-ancestors 'none'",
    )
    expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'x-content-type-options': 'nosniff' })
    expect(cookies).toEqual([])
  })

  test('is not the back office, and the back office is not public', async () => {
    const { path } = await addForSale()
    expect((await open(path, 'localhost')).text).not.toContain('Escape')
    expect((await open('/sitemap.xml', 'localhost')).status).toBe(404)
  })

  test('is found by its name however it is written, and by no other header', async () => {
    for (const host of ['NORTHGATE.localhost:8080', 'northgate.localhost.', 'northgate.localhost.:80'])
      expect([host, (await open('/robots.txt', host)).text]).toEqual([
        host,
        expect.stringMatching(/Sitemap: http:\/\/northgate\.localhost(:\d+)?\/sitemap\.xml/),
      ])
    const { path } = await addForSale()
    for (const name of ['x-forwarded-host', 'x-host', 'forwarded', 'x-original-url', 'x-rewrite-url']) {
      const page = await forecourt.anonymous.send({
        method: 'GET',
        url: path,
        headers: { host: HOST, [name]: name === 'forwarded' ? 'host=harbor.localhost' : 'harbor.localhost' },
      })
      expect([name, page.status, page.text.includes('harbor')]).toEqual([name, 200, false])
    }
    for (const host of [
      'evil@northgate.localhost',
      'northgate.localhost.evil.example',
      'xnorthgate.localhost',
    ])
      expect((await open(path, host)).text).not.toContain('Escape')
  })

  test('disappears with its domain', async () => {
    const domain = await admin.call(whiteLabels.save, {
      domain: 'gone.localhost',
      title: 'Gone',
      purpose: 'public',
      logo: null,
      favicon: null,
      footer: '',
      brand: '#003da5',
    })
    expect((await open('/', 'gone.localhost')).text).toContain('| Gone</title>')
    await admin.call(whiteLabels.remove, { id: domain.id })
    clock.advance(3_000)
    expect((await open('/', 'gone.localhost')).text).not.toContain('| Gone</title>')
  })

  test('closes while its customer is suspended', async () => {
    const staff = await forecourt.as('super', 'Forecourt Operations')
    const harbor = await testOrganization(forecourt, 'Harbor Honda')
    const { key } = await harbor.addForm()
    const all = ['/', '/robots.txt', '/sitemap.xml', `/f/${key}`]
    const openPages = async () => {
      clock.advance(3_001)
      const shown: string[] = []
      for (const path of all) {
        const { status, text } = await open(path, 'harbor.localhost')
        if (status === 200 && /harbor/i.test(text)) shown.push(path)
      }
      return shown
    }
    expect(await openPages()).toEqual(all)
    const { customerId: id } = harbor
    await staff.call(customers.setStatus, { id, status: 'suspended', reason: 'Invoice open' })
    expect(await openPages()).toEqual([])
    // Neither the site nor the sign-in of the back office.
    for (const path of [...all, '/auth/signin']) {
      const { status, text } = await open(path, 'harbor.localhost')
      expect([status, /This website is not available/.test(text), /harbor|forecourt/i.test(text)]).toEqual([
        404,
        true,
        false,
      ])
    }
    await staff.call(customers.setStatus, { id, status: 'active' })
    expect(await openPages()).toEqual(all)
  })
})

test('the menu leads to its forms, and a vehicle to those that its store receives', async () => {
  const other = await testOrganization(forecourt, 'Northgate Toyota')
  const own = await place.addForm({ isInMenu: true, lotId })
  const foreign = await other.addForm({ isInMenu: true })
  const hidden = await place.addForm({ lotId })
  const { path, id } = await addForSale()
  clock.advance(3_001)
  const linked = async (address: string) => {
    const { text } = await open(address)
    return [own, foreign, hidden].map(({ key }) =>
      [...text.matchAll(new RegExp(`href="/f/${key}([^"]*)"`, 'g'))].map(([, query]) => query),
    )
  }
  expect(await linked('/')).toEqual([[''], [''], []])
  expect(await linked('/nothing')).toEqual([[''], [''], []])
  expect(await linked(path)).toEqual([['', `?vehicle=${id}`], [''], []])
  await admin.call(forms.close, { id: own.id })
  await admin.call(forms.close, { id: foreign.id })
  clock.advance(3_001)
  expect(await linked('/')).toEqual([[], [], []])
})

describe('the vehicle list', () => {
  test('shows exactly the published vehicles', async () => {
    const shown = await addForSale({ model: 'Shown' })
    const hidden = [
      await addForSale({ model: 'Shown', status: 'hold' }),
      await addForSale({ model: 'Shown', priceCents: null }),
      await addForSale({ model: 'Shown', photos: [] }),
    ]
    const { text } = await open('/?q=shown')
    expect(text).toContain(`href="${shown.path}"`)
    for (const { path } of hidden) expect(text).not.toContain(`href="${path}"`)
    expect((await open('/vehicles', 'harbor.localhost')).text).not.toContain(shown.path)
  })

  test('is filtered by facets and text, and each facet counts what choosing another value would list', async () => {
    const red = await addForSale({ model: 'Facet', fuel: 'Diesel' })
    const blue = await addForSale({ model: 'Facet', make: 'Kia', fuel: 'Electric' })
    const { text } = await open('/?q=facet&make=Kia')
    expect(text).toContain(blue.path)
    expect(text).not.toContain(red.path)
    expect(text).toMatch(/value="Ford" \/>\s*<span>Ford<\/span> <span class="count">1</)
    expect(text).toContain('1 matching vehicle')
    expect((await open('/?q=facet&make=Kia&fuel=Diesel')).text).toContain('No vehicle matches.')
  })

  test('is sorted and limited by the total price that it shows', async () => {
    const prices = [2_000_000, 1_500_000, 1_800_000]
    const added: Added[] = []
    for (const priceCents of prices) added.push(await addForSale({ model: 'Sorted', priceCents }))
    await forecourt.prices.workDue()
    clock.advance(3_001)
    const order = async (query: string) => {
      const { text } = await open(`/?q=sorted&${query}`)
      const paths = [...text.matchAll(/<h2><a href="([^"]+)"/g)].map(([, path]) => path)
      return paths.map((path) => added.findIndex((one) => one.path === path))
    }
    expect(await order('sort=priceUp')).toEqual([1, 2, 0])
    expect(await order('sort=priceDown')).toEqual([0, 2, 1])
    // With the fees it costs $18,118.
    expect(await order('sort=priceUp&maxPrice=18117')).toEqual([1])
    expect(await order('sort=priceUp&maxPrice=18118')).toEqual([1, 2])
  })

  test('finds what buyers mean: marks, plurals, synonyms, letters in lower case, and limits', async () => {
    const truck = await addForSale({
      make: 'Ford',
      model: 'F-150 Findable',
      body: 'Truck',
      year: 2019,
      mileage: 48_000,
    })
    const ev = await addForSale({
      make: 'Chevrolet',
      model: 'Bolt Findable',
      body: 'Sport Utility',
      year: 2023,
      mileage: 9_000,
      electrification: 'electric',
    })
    await forecourt.prices.workDue()
    clock.advance(3_001)
    const found = async (query: string) => {
      const { text } = await open(`/?${query}`)
      return [truck, ev].filter(({ path }) => text.includes(`href="${path}"`))
    }
    for (const query of [
      'q=findable+f150',
      'q=findable+F+150',
      'q=findable+pickups',
      'q=Findable&make=ford',
      'q=findable&maxYear=2020',
      'q=findable&minYear=2018&maxYear=2019',
      'q=trucks+findable+under+60k',
    ])
      expect([query, await found(query)]).toEqual([query, [truck]])
    for (const query of [
      'q=findable+chevy',
      'q=findable+suvs',
      'q=findable+ev',
      'q=findable&maxMileage=10k',
      'q=findable+less+than+10,000+miles',
    ])
      expect([query, await found(query)]).toEqual([query, [ev]])
    expect(await found('q=findable&maxPrice=12')).toEqual([])
    // A letter beside a number is a part of the name; words that say nothing are left out.
    for (const query of ['q=findable+f+150', 'q=cheap+findable+truck+for+sale'])
      expect([query, await found(query)]).toEqual([query, [truck]])
    const alike = (await open('/?q=findeble+camery')).text
    expect(alike).not.toContain(ev.path)
    const camry = await addForSale({ make: 'Toyota', model: 'Camry Findable' })
    clock.advance(3_001)
    expect((await open('/?q=camery+findeble')).text).toContain(`href="${camry.path}"`)
    const typo = await open('/?q=findible+bolt')
    expect(typo.text).toContain('Nothing matches “findible bolt” exactly.')
    expect(typo.text).toContain(ev.path)
  })

  test('says which limit it could not read, and leaves it in its field', async () => {
    const { text } = await open('/?q=shown&maxPrice=cheap')
    expect(text).toContain('“cheap” isn’t a number, so “Price up to” was left out.')
    expect(text).toContain('value="cheap"')
    expect((await open('/?q=shown')).text).not.toContain('cheap')
  })

  test('survives any query', async () => {
    for (const query of [
      '?page=0',
      '?page=999',
      '?page=x',
      '?q=%25_%5C',
      '?q=%3Cscript%3E',
      '?make=%00',
      '?sort=;drop',
      `?q=${'a '.repeat(60)}`,
    ]) {
      const { status, text } = await open(`/${query}`)
      expect([query, status]).toEqual([query, 200])
      expect(text).not.toContain('<script>')
    }
  })
})

describe('a vehicle page', () => {
  test('shows the total price with its fees and sentence, and the same amount to search engines', async () => {
    const { path, stock } = await addForSale()
    const { text, status } = await open(path)
    expect(status).toBe(200)
    expect(text).toContain('<strong>$20,118</strong>')
    expect(text).toMatch(
      /<dt>Vehicle<\/dt>\s*<dd>\$20,000<\/dd>\s*<dt>Document processing charge<\/dt>\s*<dd>\$85<\/dd>/,
    )
    expect(text).toContain('Total price with all dealer charges and installed items.')
    const [, data = '{}'] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(text) ?? []
    expect(JSON.parse(data)).toMatchObject({
      '@type': 'Car',
      sku: stock,
      url: expect.stringMatching(new RegExp(`^http://northgate\\.localhost(:\\d+)?${path}$`)),
      offers: { price: '20118.00', priceCurrency: 'USD' },
    })
    expect((await open(`/?q=${stock}`)).text).toContain('<strong>$20,118</strong>')
  })

  test('says how far a new vehicle is below its MSRP, on its card too, and nothing of the MSRP of others', async () => {
    const msrpCents = 2_311_800
    const shown = await addForSale({ condition: 'new', mileage: null, msrpCents })
    const others = [
      await addForSale({ condition: 'new', mileage: null, msrpCents: 2_000_000 }),
      await addForSale({ msrpCents }),
    ]
    clock.advance(3_001)
    const words = '$3,000 below the MSRP of $23,118'
    expect((await open(shown.path)).text).toContain(words)
    expect((await open(`/?q=${shown.stock}`)).text).toContain(words)
    for (const { stock } of others) expect((await open(`/?q=${stock}`)).text).not.toContain('MSRP')
  })

  test('lists conditional offers without subtracting them', async () => {
    const { id } = await admin.call(pricingRules.add, {
      name: 'STU-26',
      label: 'Student offer',
      disclaimer: 'Ends early if <all> bonuses are paid.',
      kind: 'offer',
      cents: 50_000,
      qualifier: 'Students with a valid ID',
      lotIds: [lotId],
    })
    const { path } = await addForSale()
    const { text } = await open(path)
    expect(text).toContain('$500</strong> Student offer: Students with a valid ID')
    expect(text).toContain('<p class="fine">Ends early if &lt;all&gt; bonuses are paid.</p>')
    expect(text).not.toContain('STU-26')
    expect(text).toMatch(/<p class="total">\s*<strong>\$20,118</)
    await admin.call(pricingRules.remove, { id })
  })

  test('redirects an old address, and answers 410 with similar vehicles once it is sold', async () => {
    const { id, path } = await addForSale({ model: 'Edge' })
    const similar = await addForSale({ model: 'Edge' })
    const old = await open(path.replace('edge', 'edgee'))
    expect([old.status, old.headers['location']]).toEqual([301, path])
    // The site has advertised it.
    await forecourt.prices.workDue()
    await admin.call(vehicles.update, { id, status: 'sold' })
    // Pages are read again after three seconds.
    clock.advance(3_001)
    const sold = await open(path)
    expect(sold.status).toBe(410)
    expect(sold.text).toContain(similar.path)
    expect(sold.text).not.toContain('application/ld+json')
  })

  test('tells nothing about vehicles that were never public or belong to others', async () => {
    const { path } = await addForSale({ status: 'preparing' })
    const foreign = await addForSale()
    for (const [address, host] of [
      [path, HOST],
      [foreign.path, 'harbor.localhost'],
      ['/v/ford', HOST],
      ['/v/ford-999999999', HOST],
    ] as const) {
      const { status, text } = await open(address, host)
      expect([address, status]).toEqual([address, 404])
      expect(text).toContain('Vehicle not found')
    }
  })

  test('shows what a feed sent as text, to people and to search engines', async () => {
    const description = '<img src=x onerror=alert(1)>\n\nSecond</script><script>alert(2)</script><!--'
    const { path } = await addForSale({ description, model: '<b>Bold</b>', trim: '"onload="alert(3)' })
    const { text } = await open(path)
    expect(text).not.toContain('<img src=x')
    expect(text).not.toContain('<b>Bold</b>')
    expect(text).not.toContain('"onload="')
    expect(text).toContain('&lt;b&gt;Bold&lt;/b&gt;')
    expect(text).not.toContain('<!--')
    const scripts = [...text.matchAll(/<script(.*?)>(.*?)<\/script>/g)].map(([, kind = '', code = '']) => [
      kind.trim(),
      code,
    ])
    // The page's own script, if it was built, and the data.
    const [data, ...others] = scripts.filter(([kind = '']) => !kind.includes(' src='))
    expect(others).toEqual([])
    expect(data?.[0]).toBe('type="application/ld+json"')
    expect(JSON.parse(data?.[1] ?? '')).toMatchObject({ description })
  })
})

test('the site map lists every published vehicle, and robots find it', async () => {
  const { path } = await addForSale()
  const map = await open('/sitemap.xml')
  expect(map.headers['content-type']).toContain('application/xml')
  expect(map.text).toContain(`${path}</loc>`)
  expect((await open('/robots.txt')).text).toMatch(
    /Sitemap: http:\/\/northgate\.localhost(:\d+)?\/sitemap\.xml/,
  )
})

test('the style sheet has the colors of the site and may be cached', async () => {
  const [, path = ''] = /href="(\/site\/\w+\.css)"/.exec((await open('/')).text) ?? []
  const sheet = await open(path)
  expect(sheet.headers).toMatchObject({ 'cache-control': 'public, max-age=31536000, immutable' })
  expect(sheet.text).toContain('--fc-brand-fill')
  expect((await open('/site/0000.css')).headers['cache-control']).toBe('no-cache')
})
