// @module-tag release
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inboundAddresses } from '#contract/leads/inbound/inbound-addresses.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { postInbound } from '#test/factories/leads/add-inbound.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let ford: TestOrganization
const sourceName = fresh('VIN source')
let adfPath = ''
let mailPath = ''
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  const id = await ford.addInboundAddress({ sourceName })
  const paths = await ford.call(inboundAddresses.renewUrls, { id })
  adfPath = paths.adfPath
  mailPath = paths.mailPath
})
afterAll(() => forecourt.close())

/** A 2003 Honda Accord EX, with the right check digit. */
const HONDA = '1HGCM82633A004352'
let number = 0
const contact = () => `<customer><contact><name part="full">Vin Buyer ${++number}</name>
  <email>vin${number}-${fresh('b').replaceAll(' ', '').toLowerCase()}@mail.example</email></contact></customer>`

async function sendOne(inside: string, comments = '') {
  const document = `<?adf version="1.0"?><adf><prospect><requestdate>2026-11-26T10:15:00-08:00</requestdate>
    ${inside}${contact().replace('</customer>', `<comments>${comments}</comments></customer>`)}</prospect></adf>`
  const { received } = await postInbound(forecourt, adfPath, document, 'text/xml')
  return ford.call(leads.get, { id: received?.leads[0]?.id ?? '' })
}

test('a VIN that is not in stock says year, make and model where the buyer gave none', async () => {
  const lead = await sendOne(`<vehicle><vin>${HONDA.toLowerCase()}</vin></vehicle>`)
  expect(lead.vehicle).toBeNull()
  expect(lead.vehicleTitle).toMatch(/^2003 Honda Accord/)
  expect(lead.askedVehicle).toMatchObject({ year: 2003, make: 'Honda', model: 'Accord' })
})

test('rules on the make send a lead of which only the VIN is known', async () => {
  const name = fresh('Honda desk')
  const destinationId = await ford.addLeadDestination({ name, kind: 'email', toEmail: 'honda@crm.example' })
  await ford.addLeadRule({
    makes: ['Honda'],
    sources: [sourceName],
    strategy: 'all',
    targets: [{ destinationId }],
  })
  const lead = await sendOne(`<vehicle><vin>${HONDA}</vin></vehicle>`)
  const { rows } = await forecourt.owner.query(
    'select id from lead_deliveries where lead_id = $1 and destination_id = $2',
    [lead.id, destinationId],
  )
  expect(rows).toHaveLength(1)
})

test('the words of the buyer stay, and what the VIN says stands beside them', async () => {
  const lead = await sendOne(
    `<vehicle><year>2021</year><make>Ford</make><model>Escape</model><vin>${HONDA}</vin></vehicle>`,
  )
  expect(lead.vehicleTitle).toBe('2021 Ford Escape')
  expect(lead.askedVehicle.vinSays).toMatch(/^2003 Honda Accord/)
})

test.for([
  { vin: HONDA.replace('352', '353'), what: 'a wrong check digit' },
  { vin: '12345678901234567', what: 'no maker' },
  { vin: 'VIN unknown', what: 'words' },
])('a VIN with $what changes nothing that the buyer said', async ({ vin }) => {
  const lead = await sendOne(`<vehicle><make>Ford</make><vin>${vin}</vin></vehicle>`)
  expect(lead.vehicleTitle).toBe('Ford')
  expect(lead.askedVehicle.vinSays ?? null).toBeNull()
})

test('the VIN of a trade-in is decoded', async () => {
  const lead = await sendOne(`<vehicle interest="trade-in"><vin>${HONDA}</vin></vehicle>`)
  expect(lead.tradeIn).toMatchObject({ vin: HONDA, year: 2003, make: 'Honda', model: 'Accord' })
})

test('a VIN in a message is the vehicle that the lead is about, unless it is of the buyer’s own car', async () => {
  const stock = '1FTFW1ET9DFC10312'
  const id = await ford.addVehicle({ vin: stock })
  const of = async (message: string) => {
    const { vehicle, askedVehicle } = await sendOne('', message)
    return { vehicle: vehicle?.id ?? null, vin: askedVehicle.vin ?? null }
  }
  expect(await of(`Is VIN: ${stock}, please, still there?`)).toEqual({ vehicle: id, vin: stock })
  expect(await of(`Do you have ${HONDA}?`)).toEqual({ vehicle: null, vin: HONDA })
  expect(await of(`I want to trade in ${HONDA}.`)).toEqual({ vehicle: null, vin: null })
  expect(await of(`What is my car worth? ${HONDA}`)).toEqual({ vehicle: null, vin: null })
  expect(await of(`Compare ${HONDA} with ${stock}`)).toEqual({ vehicle: null, vin: null })
})

test('a VIN in a plain email without labels is found as well', async () => {
  const text = `Hello, I saw ${HONDA} on your site. Is it available?`
  const from = `vin-mail-${fresh('m').replaceAll(' ', '').toLowerCase()}@mail.example`
  const mail = {
    MessageID: fresh('vin'),
    FromFull: { Email: from, Name: 'Mail Buyer' },
    Subject: 'Question',
    TextBody: text,
  }
  const { received } = await postInbound(forecourt, mailPath, JSON.stringify(mail), 'application/json')
  const lead = await ford.call(leads.get, { id: received?.leads[0]?.id ?? '' })
  expect(lead.vehicleTitle).toMatch(/^2003 Honda Accord/)
})
