import { expect, test } from 'vitest'
import type { AdfLead } from '#contract/leads/adf/adf-lead.ts'
import { parseAdf } from './parse-adf.ts'

function leadOf(xml: string): AdfLead {
  const adf = parseAdf(new TextEncoder().encode(xml))
  if (adf.kind === 'refused') throw new Error(adf.message)
  const [lead] = adf.document.leads
  if (lead === undefined) throw new Error('There is no lead.')
  return lead
}

const CONTACT = '<name part="full">Nina Park</name><email>nina@mail.example</email>'
const document = (customer: string, contact = CONTACT, vehicle = '') =>
  `<?adf version="1.0"?><adf><prospect><requestdate>2026-11-26T10:15:00-08:00</requestdate>${vehicle}
<customer><contact>${contact}</contact>${customer}</customer></prospect></adf>`

test('words in tags of HTML stay in the text, with their line breaks', () => {
  const { comments } = leadOf(
    document(
      '<comments>Is the <b>red one</b> still there?<br/>I can come <i>after 6 PM</i>. <a href="https://x.example/1">This one</a></comments>',
    ),
  )
  expect(comments).toBe('Is the red one still there?\nI can come after 6 PM. This one (https://x.example/1)')
})

test('words of any element within a sentence stay in it', () => {
  expect(leadOf(document('<comments>Is the <item sku="7">red one</item> there?</comments>')).comments).toBe(
    'Is the red one (7) there?',
  )
})

test.each([
  ['<name><first>Nina</first><last>Park</last></name>'],
  ['<name><FirstName>Nina</FirstName><LastName>Park</LastName></name>'],
  ['<firstname>Nina</firstname><lastname>Park</lastname>'],
  ['<first_name>Nina</first_name><surname>Park</surname>'],
])('a name as elements is a name: %s', (name) => {
  const { customer, rest } = leadOf(document('', `${name}<email>nina@mail.example</email>`))
  expect(customer.contact.name).toMatchObject({ first: 'Nina', last: 'Park' })
  expect(rest).toEqual([])
})

test('what stands in for a name or a number is neither, and is kept', () => {
  const { customer, rest } = leadOf(
    document(
      '',
      '<name part="first">N/A</name><name part="last">Null</name><phone>000-000-0000</phone><phone>(555) 555-5555</phone><phone>916-555-0111</phone>',
    ),
  )
  expect(customer.contact.name).toMatchObject({ first: null, last: 'Null' })
  expect(customer.contact.phones.map(({ value }) => value)).toEqual(['916-555-0111'])
  expect(rest.map(({ value }) => value)).toEqual(
    expect.arrayContaining(['N/A', '000-000-0000', '(555) 555-5555']),
  )
})

test('years and odometers are read as in feeds', () => {
  const { vehicles, tradeIns } = leadOf(
    document(
      '',
      CONTACT,
      `<vehicle status="certified"><year>21</year><make>Ford</make><price>$18,500.50</price></vehicle>
       <vehicle interest="trade-in"><year>99</year><odometer units="mi">98.765</odometer></vehicle>`,
    ),
  )
  expect(vehicles).toMatchObject([
    { year: '2021', status: 'used', statusText: 'certified', price: { value: '18500.50' } },
  ])
  expect(tradeIns).toMatchObject([{ year: '1999', odometer: { value: '98765' } }])
})

test('a document that was forwarded as text has no signs of quoting in it', () => {
  const quoted = document('<comments>First line\nSecond line</comments>').replaceAll(/^/gm, '> ')
  expect(leadOf(quoted).comments).toBe('First line\nSecond line')
  expect(leadOf(`Begin forwarded message:\n\n${quoted}`).comments).toBe('First line\nSecond line')
  expect(leadOf(document('<comments>You wrote:\n> Is it there?\nYes</comments>')).comments).toContain(
    '> Is it there?',
  )
})

test('a document inside a comment is read', () => {
  const lead = leadOf(`<!-- ${document('<comments>Hello</comments>')} -->`)
  expect(lead.comments).toBe('Hello')
  expect(lead.warnings.map(({ code }) => code)).toContain('inComment')
})

test('what no field holds is kept with its place', () => {
  const { rest, extensions, requestedAt } = leadOf(
    `<lead source="Portal 7"><adf tier="gold"><prospect weight="3"><requestdate>last Monday</requestdate>
      <requestdate>2026-11-26T10:15:00-08:00</requestdate>
      <vehicle heat="9"><year>2021</year><price offered="Yes">Ask</price>loose words</vehicle>
      <customer><contact>${CONTACT}<email optin="true">two@mail.example</email>
        <address><city>Davis</city></address><address type="work"><city>Dixon</city></address></contact>
        <remarks mood="glad">Tow package?<part n="2">Hitch</part></remarks></customer>
      <vendor><vendorname>A</vendorname></vendor><vendor><vendorname>B</vendorname></vendor></prospect></adf></lead>`,
  )
  expect(requestedAt).toBe(null)
  expect(rest.map(({ at, attribute, value }) => `${at} ${attribute ?? ''} ${value}`)).toEqual([
    'prospect weight 3',
    'requestdate  last Monday',
    'requestdate  2026-11-26T10:15:00-08:00',
    'vehicle heat 9',
    'vehicle  loose words',
    'vehicle/price offered Yes',
    'customer/contact/email optin true',
    'customer/contact/address type work',
    'customer/contact/address/city  Dixon',
    'vendor/vendorname  B',
    'lead source Portal 7',
    'lead/adf tier gold',
  ])
  expect(extensions).toMatchObject([
    { at: 'customer', element: { name: 'remarks', attributes: { mood: 'glad' } } },
  ])
})

test('a text that is too long is kept whole', () => {
  const long = 'word '.repeat(200)
  const { customer, rest } = leadOf(document('', `<name>${long}</name><email>n@mail.example</email>`))
  expect(customer.contact.name.full).toHaveLength(499)
  expect(rest).toEqual([{ at: 'customer/contact/name', attribute: null, value: long.trim() }])
})
