// @module-tag release
import { afterAll, beforeAll, expect, test } from 'vitest'
import { customerDetails } from '#contract/customers/details/details.ts'
import type { NewVehicle } from '#contract/vehicles/vehicles/vehicle-input.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

const ALL = 'Subject to prior sale.'
const NEW = 'For new vehicles only.'
const USED = 'Mileage as shown.'
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
  const { version } = await admin.call(customerDetails.get, {})
  const disclaimers = [
    { name: 'New', text: NEW, appliesTo: 'new' as const },
    { name: 'All', text: ALL, appliesTo: 'all' as const },
    { name: 'Used', text: USED, appliesTo: 'used' as const },
  ]
  await admin.call(customerDetails.update, { version, disclaimers })
})
afterAll(() => forecourt.close())

/** The disclaimers of a page, in its order. */
async function shownAt(path: string, status = 200): Promise<string[]> {
  const page = await forecourt.anonymous.send({
    method: 'GET',
    url: path,
    headers: { host: 'northgate.localhost' },
  })
  expect([path, page.status]).toEqual([path, status])
  return [...page.text.matchAll(/<p>([^<]*)<\/p>/g)]
    .map(([, text = '']) => text)
    .filter((text) => [ALL, NEW, USED].includes(text))
}

const addForSale = (fields: Partial<NewVehicle> = {}): Promise<string> =>
  place.addVehicle({
    lotId,
    stock: `TERMS${++made}`,
    status: 'live',
    year: 2021,
    make: 'Ford',
    model: 'Escape',
    priceCents: 2_000_000,
    photos: [{ kind: 'address', place: 'https://photos.example/front.jpg', alt: 'Front' }],
    ...fields,
  })

test('pages with vehicles have the disclaimers of the vehicles that they show, once and in their order', async () => {
  expect(await shownAt('/vehicles')).toEqual([])
  const used = await addForSale({ condition: 'used' })
  expect(await shownAt('/vehicles?condition=used')).toEqual([ALL, USED])
  expect(await shownAt(`/v/${used}`, 301)).toEqual([])
  const path = await pathOf(used)
  expect(await shownAt(path)).toEqual([ALL, USED])
  const certified = await addForSale({ condition: 'cpo', make: 'Honda', model: 'Civic' })
  expect(await shownAt(await pathOf(certified))).toEqual([ALL, USED])
  const fresh = await addForSale({ condition: 'new', make: 'Kia', model: 'Niro' })
  expect(await shownAt(await pathOf(fresh))).toEqual([NEW, ALL])
  expect(await shownAt('/vehicles?condition=new')).toEqual([NEW, ALL])
  expect(await shownAt('/vehicles?sort=priceUp')).toEqual([NEW, ALL, USED])
})

async function pathOf(id: string): Promise<string> {
  const page = await forecourt.anonymous.send({
    method: 'GET',
    url: `/v/${id}`,
    headers: { host: 'northgate.localhost' },
  })
  const { location } = page.headers
  return typeof location === 'string' ? location : ''
}
