import { afterAll, beforeAll, expect, test } from 'vitest'
import { inboundAddresses } from '#contract/leads/inbound/inbound-addresses.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { postInbound } from '#test/factories/leads/add-inbound.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { PORTAL_MAILS, type PortalLead } from '#test/suites/portal-mails.ts'

let forecourt: TestApp
let ford: TestOrganization
let mailPath: string
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  const id = await ford.addInboundAddress({ sourceName: 'Portal' })
  mailPath = (await ford.call(inboundAddresses.renewUrls, { id })).mailPath
})
afterAll(() => forecourt.close())

const word = () => fresh('Portal').replaceAll(' ', '')

type Sent = {
  text?: string | undefined
  html?: string | undefined
  subject?: string | undefined
  from?: string
}

/** Posts an email, and returns its leads. */
async function send({
  text = '',
  html = '',
  subject = 'New lead',
  from = 'noreply@autoportal.example',
}: Sent) {
  const mail = {
    MessageID: word(),
    FromFull: { Email: from, Name: 'AutoPortal' },
    Subject: subject,
    TextBody: text,
    HtmlBody: html,
    Headers: [{ Name: 'Message-ID', Value: `<${word()}@autoportal.example>` }],
    Attachments: [],
  }
  const { received } = await postInbound(forecourt, mailPath, JSON.stringify(mail), 'application/json')
  return Promise.all((received?.leads ?? []).map(({ id }) => ford.call(leads.get, { id })))
}

function withWord<T>(value: T, name: string): T {
  const named: T = JSON.parse(JSON.stringify(value).replaceAll('@@', name))
  return named
}

test.each(PORTAL_MAILS)('$title', async ({ text, html, subject, leads: given }) => {
  const name = word()
  const received = await send(withWord({ text, html, subject }, name))
  const wanted: readonly PortalLead[] = withWord(given, name)
  expect(received.map(({ personName }) => personName)).toEqual(wanted.map((one) => one.name))
  for (const [at, lead] of received.entries()) {
    const { email, phones, vehicle, tradeIn, comments, postalCode, more = [] } = wanted[at] ?? { name: '' }
    expect(lead).toMatchObject({
      ...(email !== undefined && { personEmail: email }),
      ...(vehicle !== undefined && { askedVehicle: vehicle }),
      ...(tradeIn !== undefined && { tradeIn }),
      ...(comments !== undefined && { comments }),
      ...(postalCode !== undefined && { person: { postalCode } }),
    })
    const numbers = lead.contacts.flatMap(({ kind, value }) => (kind === 'phone' ? [value] : []))
    expect(phones === undefined ? [] : numbers).toEqual(phones ?? [])
    for (const part of more) expect(JSON.stringify(lead)).toContain(part)
  }
})

test.each([
  ['Please call my wife Donna at 916-555-2004, she decides.\nCarl\n916-555-2005', ['916-555-2005']],
  ['I spoke to Luis (916-555-2008) yesterday.', []],
  ['My phone (916-555-2009).', ['916-555-2009']],
  ['My old number 916-555-2010 no longer works, the new one is 916-555-2011.', ['916-555-2011']],
  ['I changed my number from 916-555-2012 to 916-555-2013', ['916-555-2013']],
  ['My mom Rita wants it, her number is 916-555-2014, but please talk to me: 916-555-2015', ['916-555-2015']],
  ['My insurance agent is at 916-555-2016. Reach me at 916-555-2017.', ['916-555-2017']],
  ['I saw "call Northgate Ford 916-555-2018". My number: 916-555-2019', ['916-555-2019']],
  ['Jane\nc: 916-555-2020\nf: 916-555-2021', ['916-555-2020']],
])('the numbers of a buyer who writes %j', async (text, phones) => {
  const [lead] = await send({ text, from: `${word()}@mail.example` })
  expect(lead?.contacts.flatMap(({ kind, value }) => (kind === 'phone' ? [value] : []))).toEqual(phones)
  expect(lead?.comments).toContain(text)
})

const AN = 'sales@northgate.example'
test.each([
  [
    'WG: Frage',
    `-------- Weitergeleitete Nachricht --------\nBetreff: Frage\nDatum: Mon, 30 Nov 2026\nVon: @@\nAn: ${AN}`,
  ],
  ['WG: Frage', `Von: @@\nGesendet: Montag, 30. November 2026 08:12\nAn: ${AN}\nBetreff: Frage`],
  [
    'Fwd: Q',
    `---------- Message transféré ---------\nDe : @@\nDate : lun. 30 nov. 2026\nObjet : Q\nÀ : ${AN}`,
  ],
  ['TR: Q', `De : @@\nEnvoyé : lundi 30 novembre 2026 08:00\nÀ : ${AN}\nObjet : Q`],
  ['RV: Q', `De: @@\nEnviado: lunes, 30 de noviembre de 2026 8:12\nPara: ${AN}\nAsunto: Q`],
])('who wrote what "%s" forwards below %j', async (subject, head) => {
  const name = word()
  const text = `FYI\n\n${head.replace('@@', `${name} Doe <${name}@mail.example>`)}\n\nIs it there?`
  const [lead] = await send({ text, subject, from: 'luis@northgate.example' })
  expect(lead).toMatchObject({ personName: `${name} Doe`, personEmail: `${name}@mail.example`.toLowerCase() })
})

test.each(['Dealer', 'Date'])(
  'a table whose first column is "%s" has one buyer in each row',
  async (label) => {
    const names = [word(), word()]
    const rows = names.map((name, at) => [`First ${at}`, name, `${name}@mail.example`, `m${at}`])
    const html = `<table>${[[label, 'Name', 'Email', 'Message'], ...rows]
      .map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
      .join('')}</table>`
    const blocks = names.map(
      (name, at) => `${label}: First ${at}\nName: ${name}\nEmail: ${name}@mail.example\nMessage: m${at}\n`,
    )
    const found = [...(await send({ html })), ...(await send({ text: blocks.join('\n') }))]
    expect(found.map(({ comments }) => comments)).toEqual(['m0', 'm1', 'm0', 'm1'])
    for (const [at, lead] of found.entries()) {
      expect(JSON.stringify(lead.document)).toContain(`First ${at % 2}`)
      expect(JSON.stringify(lead.document)).not.toContain(`First ${1 - (at % 2)}`)
    }
  },
)
