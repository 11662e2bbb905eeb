import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'
import {
  addInboundAddress,
  makeAdfThread,
  readReceivingAddress,
  readStored,
  renewInboundUrls,
  storeInbound,
} from '#server/leads/index.ts'

const HOUR_MS = 3_600_000

type Vehicle = { vin: string | null; stock: string; year: number; make: string; model: string }
/** `of`: the place of its address in `ADDRESSES`. */
type Message = { of: number; hours: number; type: 'application/xml' | 'application/json'; text: string }

/** The third one receives emails; the last one was a trial and has no URLs. */
const ADDRESSES = ['AutoTrader', 'Cars.com', 'Store email', 'CarGurus'] as const
const TRIAL = 3

/** Adds inbound addresses and what arrived there in the last days: leads, and messages that need review or were ignored. */
export async function addDemoInbound(
  db: Database,
  { customerId, organizationId, now }: { customerId: string; organizationId: string; now: Date },
): Promise<void> {
  const { rows: lots } = await sql<{ id: string }>`select id::text from lots
    where customer_id = ${customerId} and type <> 'service' order by id limit 2`.execute(db)
  const [first, second = first] = lots
  if (first === undefined) return
  const ids: string[] = []
  for (const [at, sourceName] of ADDRESSES.entries()) {
    const lotId = at === 1 && second !== undefined ? second.id : first.id
    const { id } = await addInboundAddress(db, { label: sourceName, sourceName, lotId }, { organizationId })
    if (at !== TRIAL) await renewInboundUrls(db, { customerId, id })
    ids.push(id)
  }
  const group = await addGroupAddress(db, { customerId, organizationId })
  const thread = makeAdfThread()
  try {
    const vehicles = [await readStock(db, first.id), await readStock(db, second?.id ?? first.id)]
    for (const { of, hours, type, text: written } of messagesOf(vehicles)) {
      const text = written.replaceAll(REQUESTED, requestedAt(now, hours))
      const address = await readReceivingAddress(db, of === GROUP ? group : (ids[of] ?? ''))
      if (address === undefined) continue
      const content = await readStored(thread, customerId, { text, contentType: type })
      await storeInbound(db, address, {
        ...content,
        files: [],
        raw: text,
        contentType: type,
        contentHash: createHash('sha256').update(text).digest('hex'),
        encoding: 'utf-8',
        isTest: false,
        isInquiry: false,
        receivedAt: new Date(now.getTime() - hours * HOUR_MS),
      })
    }
  } finally {
    await thread.stop()
  }
}

const REQUESTED = 'REQUESTED'
/** A few minutes before it arrived; the same for a document that comes twice within the hour. */
const requestedAt = (now: Date, hours: number): string =>
  new Date(now.getTime() - Math.ceil(hours) * HOUR_MS - 180_000).toISOString()

async function readStock(db: Database, lotId: string): Promise<Vehicle[]> {
  const { rows } = await sql<Vehicle>`select vin, stock, year, make, model from vehicles
    where lot_id = ${lotId} and publishable order by id limit 40`.execute(db)
  return rows
}

/** The address of all stores; its leads are between those of the others. */
const GROUP = 4

async function addGroupAddress(
  db: Database,
  { customerId, organizationId }: { customerId: string; organizationId: string },
): Promise<string> {
  const label = 'All stores'
  const { id } = await addInboundAddress(
    db,
    { label, sourceName: 'Manufacturer leads', isGroup: true },
    { organizationId },
  )
  await renewInboundUrls(db, { customerId, id })
  return id
}

/** Oldest first. The last of an address is the one that a provider sent twice. */
function messagesOf([ours = [], theirs = []]: readonly Vehicle[][]): Message[] {
  const adf = (of: number, hours: number, text: string): Message => ({
    of,
    hours,
    type: 'application/xml',
    text,
  })
  const mail = (hours: number, text: string): Message => ({ of: 2, hours, type: 'application/json', text })
  const stock = (list: readonly Vehicle[], at: number) => ({ vehicle: list[at % Math.max(1, list.length)] })
  const twice = document([{ ...BUYERS.priya, id: 'AT-88217', ...stock(ours, 3) }])
  return [
    adf(0, 410, document([{ ...BUYERS.marcus, id: 'AT-87011', ...stock(ours, 5) }])),
    adf(1, 300, document([{ ...BUYERS.elena, id: '5512031', ...stock(theirs, 2), ...VISITED }])),
    mail(
      262,
      email(WEBSITE, {
        subject: 'Website inquiry',
        text: '',
        html: formOf(BUYERS.tom),
        automatic: 'auto-generated',
      }),
    ),
    adf(0, 219, document([{ ...BUYERS.aisha, id: 'AT-87440', ...stock(ours, 11) }])),
    adf(
      1,
      160,
      document([
        { ...BUYERS.luis, id: '5519984', ...stock(theirs, 9) },
        { ...BUYERS.grace, id: '5519985', ...stock(theirs, 4) },
      ]),
    ),
    mail(
      121,
      email(BUYERS.away, {
        subject: 'Automatic reply: Your appointment',
        text: 'I am out of the office until Monday.',
        automatic: true,
      }),
    ),
    adf(
      1,
      98,
      document([
        {
          ...BUYERS.noah,
          id: '5523310',
          vehicle: { vin: '1HGCM82633A123456', stock: 'C0417', year: 2019, make: 'Honda', model: 'Accord' },
        },
      ]),
    ),
    mail(
      74,
      email(BUYERS.dealer, {
        subject: 'This week at the auction',
        text: '140 units, run list attached.',
        automatic: true,
      }),
    ),
    adf(0, 52, document([{ ...BUYERS.hana, id: 'AT-88102', ...stock(ours, 17) }])),
    mail(
      41,
      email(BUYERS.priya, {
        subject: 'New lead',
        text: document([{ ...BUYERS.owen, id: 'W-2041', ...stock(ours, 8) }]),
      }),
    ),
    adf(GROUP, 30, document([{ ...BUYERS.iris, id: 'OEM-1', ...stock(theirs, 12) }])),
    adf(GROUP, 26, document([{ ...BUYERS.carl, id: 'OEM-2', vehicle: undefined }])),
    adf(0, 20, twice),
    adf(0, 19.9, twice),
    adf(1, 5, document([{ ...BUYERS.ruth, id: '5530072', ...stock(theirs, 6) }]).slice(0, 610)),
    mail(3, email(BUYERS.mia, { subject: '', text: 'Hi, do you take trade-ins with a loan on them?' })),
    adf(1, 1.2, '<?xml version="1.0"?><?adf version="1.0"?><adf><prospects>0</prospects></adf>'),
    adf(
      0,
      0.4,
      document([
        {
          ...BUYERS.sofia,
          id: 'AT-88260',
          ...stock(ours, 21),
          ...DETAILED,
        },
      ]),
    ),
  ]
}

type Buyer = { name: string; email: string; phone: string; comments: string }
const buyer = (name: string, at: number, comments: string): Buyer => ({
  name,
  email: `${name.toLowerCase().replace(' ', '.')}@mail.example`,
  phone: `916-555-02${String(at).padStart(2, '0')}`,
  comments,
})
const BUYERS = {
  marcus: buyer('Marcus Reed', 1, 'Is this one still on the lot?'),
  elena: buyer('Elena Petrova', 2, 'What would it cost per month over 60 months?'),
  tom: buyer('Tom Becker', 3, 'Are you open on Saturday afternoon?'),
  aisha: buyer('Aisha Karim', 4, 'Can I see it this evening?'),
  luis: buyer('Luis Mendoza', 5, 'Please send the CARFAX report.'),
  grace: buyer('Grace Lin', 6, 'Does it have a tow package?'),
  away: buyer('Robert Hill', 7, ''),
  noah: buyer('Noah Fisher', 8, 'I saw this on your page last week.'),
  dealer: buyer('Valley Auction', 9, ''),
  hana: buyer('Hana Sato', 10, 'Would you hold it until Friday?'),
  priya: buyer('Priya Nair', 11, 'Best price with cash?'),
  iris: buyer('Iris Moore', 40, 'Which store has this one?'),
  carl: buyer('Carl Reyes', 41, 'I would like to talk about a lease.'),
  owen: buyer('Owen Clarke', 12, 'I have a 2016 Civic to trade in.'),
  ruth: buyer('Ruth Adler', 13, 'How many owners did it have?'),
  mia: buyer('Mia Torres', 14, ''),
  sofia: buyer('Sofia Brandt', 15, 'Is the price final?'),
} as const

/** The store's website writes for buyers, in a table of labels. */
const WEBSITE: Buyer = {
  name: 'Northgate website',
  email: 'forms@northgate.example',
  phone: '',
  comments: '',
}
const formOf = ({ name, email: address, phone, comments }: Buyer): string => {
  const rows = [
    ['Name', name],
    ['E-mail', address],
    ['Phone #', phone],
    ['Best time to call', 'After 5 PM'],
    ['How did you hear about us?', 'A friend'],
    ['Comments', comments],
  ]
  const cells = rows.map(([label, value]) => `<tr><td><b>${label}</b></td><td>${value}</td></tr>`)
  return `<html><body><h2>New inquiry</h2><table>${cells.join('')}</table></body></html>`
}

/** What some providers send besides, in elements of ADF and in their own. */
type More = { ofVehicle?: string; contact?: string; customer?: string; after?: string }

const DETAILED: More = {
  ofVehicle: `<colorcombination><interiorcolor>Black</interiorcolor><exteriorcolor>Blue</exteriorcolor><preference>1</preference></colorcombination>
      <price type="offer" currency="USD">27500</price><pricecomments>If I can pick it up this week</pricecomments>
      <option><optionname>Tow package</optionname></option>
      <finance><method>finance</method><amount type="downpayment" currency="USD">4000</amount><amount type="monthly" currency="USD">450</amount></finance>`,
  contact: `<phone type="cellphone" time="evening">530-555-0216</phone><email>sofia.work@mail.example</email>`,
  customer: `<timeframe><description>Within two weeks</description></timeframe>
      <remarks>I drive a camper on weekends, so the hitch matters most.</remarks>`,
  after: `<provider><name part="full">AutoTrader</name><service>Vehicle inquiry</service></provider>`,
}
/** A path of pages and keywords: more than the pane shows at once. */
const VISITED: More = {
  after: `<provider><name part="full">Cars.com</name><service>Website</service><keyword>used suv sacramento</keyword>
      <referrer>Search engine</referrer><device>Phone</device><firstpage>/used</firstpage><lastpage>/used/suv</lastpage>
      <pagecount>14</pagecount><minutes>22</minutes><savedvehicles>3</savedvehicles></provider>`,
}

type Prospect = Buyer & { id: string; vehicle: Vehicle | undefined } & More
const tag = (name: string, value: string | number | null): string =>
  value === null ? '' : `<${name}>${String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</${name}>`

function document(prospects: readonly Prospect[]): string {
  const each = prospects.map(({ id, vehicle, name, email: address, phone, comments, ...more }) => {
    const { ofVehicle = '', contact = '', customer = '', after = '' } = more
    const facts =
      vehicle === undefined
        ? ''
        : [
            tag('year', vehicle.year),
            tag('make', vehicle.make),
            tag('model', vehicle.model),
            tag('vin', vehicle.vin),
            tag('stock', vehicle.stock),
          ].join('')
    const [first = '', last = ''] = name.split(' ')
    return `  <prospect>
    <id source="provider">${id}</id>
    <requestdate>${REQUESTED}</requestdate>
    <vehicle interest="buy" status="used">${facts}${ofVehicle}</vehicle>
    <customer>
      <contact>
        <name part="first">${first}</name><name part="last">${last}</name>
        ${tag('email', address)}${tag('phone', phone)}${contact}
      </contact>
      ${customer}${tag('comments', comments)}
    </customer>
    <vendor><vendorname>Store</vendorname><contact><name part="full">Store</name></contact></vendor>${after}
  </prospect>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<?adf version="1.0"?>\n<adf>\n${each.join('\n')}\n</adf>\n`
}

type EmailParts = { subject: string; text: string; html?: string; automatic?: boolean | 'auto-generated' }

/** As Postmark's inbound webhook sends it. */
function email(
  { name, email: address }: Buyer,
  { subject, text, html = '', automatic = false }: EmailParts,
): string {
  const id = createHash('sha256').update(`${name} ${subject}`).digest('hex').slice(0, 24)
  const headers = [{ Name: 'Message-ID', Value: `<${id}@mail.example>` }]
  return JSON.stringify(
    {
      MessageID: id,
      FromFull: { Email: address, Name: name },
      Subject: subject,
      TextBody: text,
      ...(html !== '' && { HtmlBody: html }),
      Headers:
        automatic === false
          ? headers
          : [...headers, { Name: 'Auto-Submitted', Value: automatic === true ? 'auto-replied' : automatic }],
      Attachments: [],
    },
    null,
    2,
  )
}
