import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inboundAddresses } from '#contract/leads/inbound/inbound-addresses.ts'
import { inboundMessages } from '#contract/leads/inbound/inbound-messages.ts'
import { leadDeliveries } from '#contract/leads/deliveries/lead-deliveries.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { personData } from '#contract/leads/people/person-data.ts'
import { leadSettings } from '#contract/leads/inbox/lead-settings.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { postInbound } from '#test/factories/leads/add-inbound.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let ford: TestOrganization
let toyota: TestOrganization
let group: { adfPath: string; mailPath: string }
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  toyota = await testOrganization(forecourt, 'Northgate Toyota')
  const { id } = await ford.call(inboundAddresses.add, {
    label: fresh('Group'),
    sourceName: 'Acme Leads',
    isGroup: true,
  })
  group = await ford.call(inboundAddresses.renewUrls, { id })
})
afterAll(() => forecourt.close())

const word = () => fresh('Buyer').replaceAll(' ', '')
type Facts = { vehicle?: string; vendor?: string; zip?: string; name?: string }
function prospect({ vehicle = '', vendor = '', zip, name = word() }: Facts): string {
  const address = zip === undefined ? '' : `<address><postalcode>${zip}</postalcode></address>`
  return `<prospect><id source="Acme">${word()}</id><requestdate>2026-11-18T09:30:00-08:00</requestdate>${vehicle}
<customer><contact><name part="full">${name}</name><email>${name}@mail.example</email>${address}</contact>
<comments>Hello</comments></customer>${vendor}</prospect>`
}
const adf = (...prospects: string[]) =>
  `<?xml version="1.0"?><?adf version="1.0"?><adf>${prospects.join('')}</adf>`
const vendor = (name: string, code?: string) =>
  `<vendor>${code === undefined ? '' : `<id source="PACode">${code}</id>`}<vendorname>${name}</vendorname></vendor>`

async function send(facts: Facts) {
  const { received } = await postInbound(forecourt, group.adfPath, adf(prospect(facts)))
  return ford.call(leads.get, { id: received?.leads[0]?.id ?? '' })
}
const storeEntry = ({ timeline }: Awaited<ReturnType<typeof send>>) =>
  timeline.find(({ kind }) => kind === 'store')?.data

describe('a lead to the address of a group', () => {
  test('goes to the store that its vendor name names, which can read its text', async () => {
    const name = fresh('Lakeside Kia')
    const lotId = await toyota.addLot(name)
    const lead = await send({ vendor: vendor(`${name.toUpperCase()}!`) })
    expect(lead).toMatchObject({ lotId, organizationId: toyota.organizationId, needsStore: false })
    expect(storeEntry(lead)).toMatchObject({ toName: name, text: `By vendor name ${name.toUpperCase()}!.` })
    const sofia = await forecourt.as('sofia.marino', 'Northgate Toyota')
    expect((await sofia.call(leads.source, { id: lead.id })).text).toContain(lead.personName)
    const luis = await forecourt.as('northgate.dealer')
    await expect(luis.call(leads.get, { id: lead.id })).toRefuse(404)
  })

  test('is found by dealer code, dealer ID, VIN, stock number, make and ZIP code, in this order', async () => {
    const names = ['Code', 'Dealer', 'Stock', 'Make'].map((one) => fresh(one))
    const [code = '', dealer = '', stock = '', make = ''] = await Promise.all(
      names.map((one) => toyota.addLot(one)),
    )
    const [dealerId, onlyMake] = [fresh('D'), fresh('Make').replaceAll(' ', '')]
    const zip = '99017'
    await toyota.call(leadSettings.updateLot, { lotId: code, dealerCodes: ['01234'] })
    await toyota.call(lots.update, { id: dealer, dealerIds: [dealerId] })
    await toyota.call(lots.update, { id: make, makes: [onlyMake] })
    await toyota.call(leadSettings.updateLot, { lotId: make, postalCodes: ['990*', '98011'] })
    const vin = '1FMCU9GD8LUA00017'
    const number = fresh('S').replaceAll(' ', '')
    await toyota.addVehicle({ lotId: stock, vin, stock: number })
    const found = async (facts: Facts) => {
      const lead = await send(facts)
      return [lead.lotId, storeEntry(lead)?.text]
    }
    const car = (inner: string) => `<vehicle status="used">${inner}</vehicle>`
    expect(await found({ vendor: vendor('Nobody knows it', '1234') })).toEqual([code, 'By dealer code 1234.'])
    expect(await found({ vendor: vendor('', dealerId.toLowerCase()) })).toEqual([
      dealer,
      `By dealer ID ${dealerId.toLowerCase()}.`,
    ])
    expect(await found({ vehicle: car(`<vin>${vin}</vin>`) })).toEqual([stock, `By VIN ${vin}.`])
    expect(await found({ vehicle: car(`<stock>${number}</stock>`) })).toEqual([
      stock,
      `By stock number ${number}.`,
    ])
    expect(await found({ vehicle: car(`<make>${onlyMake.toLowerCase()}</make>`) })).toEqual([
      make,
      `By make ${onlyMake.toLowerCase()}.`,
    ])
    expect(await found({ zip })).toEqual([make, `By ZIP code ${zip}.`])
    expect((await found({ zip: '98011-1234' }))[0]).toBe(make)
  })

  test('says what contradicts: the vendor decides, and the vehicle stands at another store', async () => {
    const name = fresh('Vendor')
    const [lotId, otherName] = [await ford.addLot(name), fresh('Elsewhere')]
    const vin = '1FMCU9GD8LUA00020'
    await toyota.addVehicle({ lotId: await toyota.addLot(otherName), vin })
    const lead = await send({ vendor: vendor(name), vehicle: `<vehicle><vin>${vin}</vin></vehicle>` })
    expect(lead.lotId).toBe(lotId)
    expect(storeEntry(lead)?.text).toBe(
      `By vendor name ${name}. The vehicle with the VIN ${vin} is at ${otherName}.`,
    )
  })

  test('waits without a store if nothing says which one, with a response deadline and in a queue of its own', async () => {
    const before = (await ford.call(leads.counts, {})).noStore.count
    const lead = await send({ vendor: vendor('Unheard of', '9999') })
    expect(lead).toMatchObject({ lotId: null, needsStore: true, lotName: null })
    expect(lead.waitsUntil).not.toBeNull()
    expect(storeEntry(lead)).toMatchObject({
      toName: null,
      text: 'No store has the vendor name Unheard of or dealer code 9999. Choose the store.',
    })
    const { noStore } = await ford.call(leads.counts, {})
    expect(noStore.count).toBe(before + 1)
    const company = await send({ vendor: vendor('Unheard of, Inc.') })
    expect(storeEntry(company)?.text).toBe('No store has the vendor name Unheard of, Inc. Choose the store.')
  })

  test('is no one else\u2019s if its document has leads for several stores: each store sees its own, without the text', async () => {
    const [one, other] = [fresh('One'), fresh('Other')]
    const lotIds = [await ford.addLot(one), await toyota.addLot(other)]
    const { received } = await postInbound(
      forecourt,
      group.adfPath,
      adf(prospect({ vendor: vendor(one) }), prospect({ vendor: vendor(other) })),
    )
    const both = await Promise.all((received?.leads ?? []).map(({ id }) => ford.call(leads.get, { id })))
    expect(both.map((lead) => lead.lotId)).toEqual(lotIds)
    expect(both.map((lead) => lead.source === null)).toEqual([false, true])
  })

  test.for([
    {
      what: 'a label',
      vin: '1FMCU9GD8LUA00034',
      text: (vin: string) => `Name: Nora Plain\nEmail: ${word()}@mail.example\nVIN: ${vin}`,
    },
    { what: 'its sentence', vin: '1FMCU9GD6LUA00057', text: (vin: string) => `Is ${vin} still there?` },
  ])('is found in an email by the VIN that $what names', async ({ vin, text }) => {
    const name = fresh('Mailed')
    await toyota.addVehicle({ lotId: await toyota.addLot(name), vin })
    const mail = {
      MessageID: word(),
      FromFull: { Email: `${word()}@portal.example`.toLowerCase(), Name: 'Portal' },
      Subject: 'New lead',
      TextBody: text(vin),
    }
    const { received } = await postInbound(
      forecourt,
      group.mailPath,
      JSON.stringify(mail),
      'application/json',
    )
    const lead = await ford.call(leads.get, { id: received?.leads[0]?.id ?? '' })
    expect([lead.lotName, storeEntry(lead)?.text]).toEqual([name, `By VIN ${vin}.`])
  })
})

test('only users with access to the whole company have addresses for all stores', async () => {
  const luis = await forecourt.as('northgate.dealer')
  const address = { label: fresh('Group'), sourceName: 'Acme', isGroup: true }
  await expect(luis.call(inboundAddresses.add, address)).toRefuse(403)
  await expect(ford.call(inboundAddresses.add, { ...address, isGroup: false })).toRefuse(400, 'Choose a lot.')
  const { id } = await ford.call(inboundAddresses.add, address)
  const lotId = await toyota.addLot()
  const placed = await ford.call(inboundAddresses.update, { id, isGroup: false, lotId })
  expect(placed).toMatchObject({ isGroup: false, lotId })
  const again = await ford.call(inboundAddresses.update, { id, isGroup: true })
  expect(again).toMatchObject({ isGroup: true, lotId: null, organizationName: 'Northgate Ford' })
})

test('two lots of a group can\u2019t have the same dealer code', async () => {
  const [lotId, otherId] = [await ford.addLot(), await toyota.addLot()]
  const code = fresh('Code')
  await ford.call(leadSettings.updateLot, { lotId, dealerCodes: [code] })
  await expect(
    ford.call(leadSettings.updateLot, { lotId: otherId, dealerCodes: [code.toUpperCase()] }),
  ).toRefuse(400)
})

test('what an address of all stores received is read by the stores whose lead it is, and by no one who reads no leads', async () => {
  const name = fresh('Marsh Kia')
  await toyota.addLot(name)
  const lead = await send({ vendor: vendor(name) })
  const luis = await forecourt.as('northgate.dealer')
  const sofia = await forecourt.as('sofia.marino', 'Northgate Toyota')
  const auditor = await forecourt.as('northgate.auditor', 'Northgate Ford')
  const { results } = await ford.call(inboundMessages.list, {})
  const found = results.find((one) => one.leads.some(({ id }) => id === lead.id))
  const id = found?.id ?? ''
  expect((await ford.call(inboundMessages.get, { id })).raw).toContain(lead.personName)
  // The message is at the store of the address; the lead has its text.
  expect((await sofia.call(leads.source, { id: lead.id })).text).toContain(lead.personName)
  await expect(luis.call(inboundMessages.get, { id })).toRefuse(404)
  await expect(luis.call(inboundMessages.dismiss, { id })).toRefuse(404)
  expect((await luis.call(inboundMessages.list, {})).results.map((one) => one.id)).not.toContain(id)
  await expect(auditor.call(inboundMessages.get, { id })).toRefuse(403)
  await expect(auditor.call(personData.find, { contact: lead.personEmail ?? '' })).toRefuse(403)
  await expect(auditor.call(personData.export, { contact: lead.personEmail ?? '' })).toRefuse(403)
  const lists = [
    await auditor.call(inboundMessages.list, {}),
    await auditor.call(leadDeliveries.list, { pageSize: 200 }),
  ]
  for (const list of lists) {
    expect(list.results.length).toBeGreaterThan(0)
    expect(JSON.stringify(list)).not.toContain(lead.personName)
  }
})

test('the text of leads of two stores is for people of all stores; each lead has its own words', async () => {
  const [ours, theirs] = [fresh('Ours Kia'), fresh('Theirs Kia')]
  await ford.addLot(ours)
  await toyota.addLot(theirs)
  const [one, other] = [word(), word()]
  const { received } = await postInbound(
    forecourt,
    group.adfPath,
    adf(prospect({ name: one, vendor: vendor(ours) }), prospect({ name: other, vendor: vendor(theirs) })),
  )
  const [own = '', foreign = ''] = (received?.leads ?? []).map(({ id }) => id)
  const luis = await forecourt.as('northgate.dealer')
  await expect(luis.call(leads.get, { id: foreign })).toRefuse(404)
  expect(await luis.call(leads.get, { id: own })).toMatchObject({ personName: one, comments: 'Hello' })
  expect(await luis.call(leads.source, { id: own })).toMatchObject({ text: null, isOfSeveralStores: true })
  const seen = await luis.call(inboundMessages.get, { id: received?.messageId ?? '' })
  expect(JSON.stringify(seen)).not.toContain(other)
  expect(seen.warningSentences.join(' ')).toContain('leads of other stores')
  expect((await ford.call(leads.source, { id: own })).text).toContain(other)
  // One that is moved away takes its buyer along.
  const moved = await send({ vendor: vendor(ours) })
  expect((await luis.call(leads.source, { id: moved.id })).text).toContain(moved.personName)
})

test('a buyer who asks two stores about one model has a lead at each', async () => {
  const [one, other] = [fresh('First Kia'), fresh('Second Kia')]
  await toyota.addLot(one)
  await toyota.addLot(other)
  const vehicle = '<vehicle><year>2021</year><make>Kia</make><model>Soul</model></vehicle>'
  const name = word()
  const first = await send({ name, vehicle, vendor: vendor(one) })
  const second = await send({ name, vehicle, vendor: vendor(other) })
  const again = await send({ name, vehicle, vendor: vendor(one) })
  expect([first.status, second.status, again.status]).toEqual([first.status, first.status, 'duplicate'])
  expect(second.respondBy).not.toBeNull()
})
