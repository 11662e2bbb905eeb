import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inboundAddresses } from '#contract/leads/inbound/inbound-addresses.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import type { LeadRecord } from '#contract/leads/inbox/leads.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { postInbound } from '#test/factories/leads/add-inbound.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { findReferenceFile } from '#test/harness/reference-data.ts'
import { formMailCase } from '#test/suites/form-mails.ts'

let forecourt: TestApp
let ford: TestOrganization
let mailPath: string
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  const id = await ford.addInboundAddress({ sourceName: 'Website' })
  mailPath = (await ford.call(inboundAddresses.renewUrls, { id })).mailPath
})
afterAll(() => forecourt.close())

const word = () => fresh('Form').replaceAll(' ', '')

type Sent = {
  text?: string | null
  html?: string | null
  subject?: string
  from?: string
  headers?: object[]
}

/** Posts an email of a website or portal, and returns its lead. */
async function sendForm({
  text = null,
  html = null,
  subject = 'Website form',
  from,
  headers = [],
}: Sent): Promise<LeadRecord> {
  const mail = {
    MessageID: word(),
    From: from ?? 'forms@site.example',
    FromFull: { Email: from ?? 'forms@site.example', Name: 'Dealer site' },
    Subject: subject,
    TextBody: text ?? '',
    HtmlBody: html ?? '',
    Headers: [{ Name: 'Message-ID', Value: `<${word()}@site.example>` }, ...headers],
    Attachments: [],
  }
  const { received } = await postInbound(forecourt, mailPath, JSON.stringify(mail), 'application/json')
  expect(received).toMatchObject({ state: 'received', leads: [{ isNew: true }] })
  return ford.call(leads.get, { id: received?.leads[0]?.id ?? '' })
}

const more = (lead: LeadRecord): Record<string, string> =>
  Object.fromEntries((lead.document?.more ?? []).map(({ name, value }) => [name, value]))

describe('an email of a form', () => {
  test('in nested HTML tables gives buyer, vehicle, trade-in and words, and keeps everything else under its label', async () => {
    const name = word()
    const rows = [
      ['First Name', name],
      ['Last Name', 'Formtest'],
      ['Phone #', '916-555-0206'],
      ['E-mail', `<a href="mailto:${name}@mail.example">${name}@mail.example</a>`],
      ['Vehicle of Interest', 'Used 2021 Ford Escape SE (Stock# Q-123)'],
      ['Trade-in', '2015 Honda Civic'],
      ['Trade-in mileage', '88,000'],
      ['Best time to call', 'Evenings after 6'],
      ['Favorite color', 'Blue'],
      ['Comments', 'Is it <b>red</b>?<br>I can come at 10:30.'],
    ]
    const table = rows.map(([label, value]) => `<tr><td><b>${label}</b></td><td>${value}</td></tr>`).join('')
    const html = `<html><body><table><tr><td><h2>New lead</h2></td></tr><tr><td><table>${table}</table></td></tr>
      <tr><td>To stop these emails, <a href="https://portal.example/u/7">unsubscribe</a>.</td></tr></table></body></html>`
    const lead = await sendForm({ html, headers: [{ Name: 'Auto-Submitted', Value: 'auto-generated' }] })
    expect(lead).toMatchObject({
      personName: `${name} Formtest`,
      personEmail: `${name}@mail.example`,
      personPhone: '916-555-0206',
      comments: 'Is it red?\nI can come at 10:30.',
      askedVehicle: { year: 2021, make: 'Ford', model: 'Escape SE', stock: 'Q-123', condition: 'used' },
      tradeIn: { year: 2015, make: 'Honda', model: 'Civic', mileage: 88_000 },
      person: { contactTime: 'Evenings after 6' },
      type: 'used',
    })
    expect(more(lead)).toMatchObject({ Favorite_color: 'Blue', Subject: 'Website form' })
    expect(more(lead)['Text_of_the_email']).toContain('https://portal.example/u/7')
    // The footer of a program is no opt-out of the buyer.
    expect(lead.channels.find(({ channel }) => channel === 'email')?.reason ?? '').not.toMatch(/asked/)
  })

  test.each(['Name\t: {}', 'Name  : {}', 'Name   :   {}', 'Name\t:\t{}', 'Name\u00A0: {}', 'Name \t = {}'])(
    'has a buyer after a label with blanks before its colon: %j',
    async (line) => {
      const name = word()
      const text = `Full ${line.replace('{}', name)}\nEmail\t: ${name}@mail.example\nComments\t: Is it red?\nOr blue?`
      const lead = await sendForm({ text })
      expect(lead).toMatchObject({
        personName: name,
        personEmail: `${name}@mail.example`,
        comments: 'Is it red?\nOr blue?',
      })
    },
  )

  test('of WordPress has the buyer after "From", and the message below', async () => {
    const name = word()
    const lead = await sendForm({
      text: `From: ${name} Doe <${name}@mail.example>\nSubject: Question\n\nMessage Body:\nIs it available?\n\n-- \nThis e-mail was sent from a contact form on Northgate`,
    })
    expect(lead).toMatchObject({ personName: `${name} Doe`, comments: 'Is it available?' })
  })

  test('that someone forwards is a lead of the buyer, also without labels', async () => {
    const name = word()
    const head = `From: ${name} Doe <${name}@mail.example>\nSent: Monday, November 30, 2026 9:12 AM\nTo: Sales\nSubject: The Escape`
    const lead = await sendForm({
      text: `Please call.\n\n${head}\n\nIs it there?`,
      subject: 'FW: The Escape',
    })
    expect(lead).toMatchObject({
      personName: `${name} Doe`,
      personEmail: `${name}@mail.example`.toLowerCase(),
    })
    expect(lead.comments).toContain('Is it there?')
    const quoted = `Name: ${word()}\nPhone: 916-555-0209\nMessage: Call me`
    const answered = await sendForm({
      text: `I called.\n\nOn Monday, Portal wrote:\n> ${quoted.replaceAll('\n', '\n> ')}`,
      subject: 'Re: New lead',
      from: `${word()}@mail.example`,
    })
    // An answer is from who wrote it.
    expect(answered.personPhone).toBeNull()
  })

  test('loses nothing of either body if text and HTML differ', async () => {
    const name = word()
    const text = `Name: ${name}\nEmail: ${name}@mail.example\nReference: TEXTONLY`
    const html = `<p>Name: ${name}<br>Email: ${name}@mail.example<br>Phone: 916-555-0233<br>Comments: HTMLONLY</p>`
    const lead = await sendForm({ text, html })
    expect(lead).toMatchObject({ personPhone: '916-555-0233', comments: 'HTMLONLY' })
    expect(JSON.stringify(lead)).toContain('TEXTONLY')
  })

  test('is not mistaken for one because of a signature', async () => {
    const from = `${word()}@mail.example`.toLowerCase()
    const lead = await sendForm({
      from,
      text: `Is it there?\n\nJane\nPhone: 916-555-0277\nEmail: other@mail.example`,
    })
    expect(lead).toMatchObject({ personEmail: from, document: null })
  })

  const file = findReferenceFile('outside')
  test.skipIf(file === null)('from the collected examples is a lead with name, email and phone', async () => {
    const mail = readFileSync(join(file ?? '', 'leads', 'form-mail-auto-generated.json'), 'utf8')
    const { received } = await postInbound(forecourt, mailPath, mail, 'application/json')
    const lead = await ford.call(leads.get, { id: received?.leads[0]?.id ?? '' })
    expect(lead).toMatchObject({
      personName: 'Paula Formtest',
      personEmail: 'paula@example.com',
      personPhone: '916-555-0206',
      comments: 'Is it there?',
      askedVehicle: { year: 2022, make: 'Ford', model: 'Escape' },
    })
  })
})

describe('an email with several buyers', () => {
  const people = () => [word(), word(), word()]
  const row = (cells: readonly string[], tag = 'td') =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`
  const asTable = (names: readonly string[]) =>
    `<p>Leads of today</p><table>${row(['Name', 'Email', 'Phone', 'Vehicle', 'Comments'], 'th')}${names
      .map((name, at) =>
        row([
          `${name} Many`,
          `${name}@mail.example`,
          `916-555-01${at}7`,
          '2021 Ford Escape',
          `Question ${at}`,
        ]),
      )
      .join('')}</table>`
  const asBlocks = (names: readonly string[]) =>
    names
      .map(
        (name, at) =>
          `Vehicle: 2021 Ford Escape\nName: ${name} Many\nEmail: ${name}@mail.example\nPhone: 916-555-01${at}7\nComments: Question ${at}\n`,
      )
      .join('\n---\n')

  test.each([
    ['the rows of a table', (names: readonly string[]) => ({ html: asTable(names) })],
    ['parts of the same labels', (names: readonly string[]) => ({ text: asBlocks(names) })],
  ])('in %s is a lead of each, once', async (_where, bodies) => {
    const names = people()
    const { text = '', html = '' }: { text?: string; html?: string } = bodies(names)
    const mail = {
      MessageID: word(),
      FromFull: { Email: 'forms@site.example', Name: 'Dealer site' },
      Subject: 'Leads',
      TextBody: text,
      HtmlBody: html,
      Headers: [{ Name: 'Message-ID', Value: `<${word()}@site.example>` }],
      Attachments: [],
    }
    const send = () => postInbound(forecourt, mailPath, JSON.stringify(mail), 'application/json')
    const { received } = await send()
    expect(received?.leads).toHaveLength(3)
    for (const [at, { id }] of received?.leads.entries() ?? []) {
      // oxlint-disable-next-line no-await-in-loop -- In their order.
      const lead = await ford.call(leads.get, { id })
      expect(lead).toMatchObject({
        personName: `${names[at]} Many`,
        personEmail: `${names[at]}@mail.example`,
        personPhone: `916-555-01${at}7`,
        askedVehicle: { year: 2021, make: 'Ford', model: 'Escape' },
        comments: `Question ${at}`,
      })
      for (const other of names.filter((_name, of) => of !== at))
        expect(JSON.stringify(lead.document)).not.toContain(other)
    }
    expect(await send()).toMatchObject({ received: { isRepeated: true } })
  })

  test('of which one only gives two numbers, or a second name, is one lead', async () => {
    const name = word()
    const text = `Name: ${name} Once\nEmail: ${name}@mail.example\nPhone: 916-555-0107\nSalesperson name: Sam Seller\nWork phone: 916-555-0108`
    expect(await sendForm({ text })).toMatchObject({
      personName: `${name} Once`,
      personPhone: '916-555-0107',
    })
  })
})

test.each([
  [
    'Spanish',
    [
      'Nombre',
      'Apellidos',
      'Correo electrónico',
      'Teléfono',
      'Vehículo de interés',
      'Mensaje',
      'Vehículo a cambio',
      'Código postal',
    ],
  ],
  [
    'French',
    [
      'Prénom',
      'Nom',
      'Adresse courriel',
      'Téléphone',
      'Véhicule souhaité',
      'Votre message',
      'Véhicule de reprise',
      'Code postal',
    ],
  ],
  [
    'German',
    [
      'Vorname',
      'Nachname',
      'E-Mail-Adresse',
      'Telefonnummer',
      'Fahrzeug',
      'Ihre Nachricht',
      'Inzahlungnahme',
      'PLZ',
    ],
  ],
])('a form in %s gives buyer, vehicle, trade-in and words', async (_language, labels) => {
  const name = word()
  const values = [
    name,
    'Vega',
    `${name}@mail.example`,
    '916-555-0206',
    '2021 Ford Escape',
    'Is it red?',
    '2015 Honda Civic',
    '95814',
  ]
  const lead = await sendForm({ text: labels.map((label, at) => `${label}: ${values[at]}`).join('\n') })
  expect(lead).toMatchObject({
    personName: `${name} Vega`,
    personEmail: `${name}@mail.example`,
    personPhone: '916-555-0206',
    askedVehicle: { year: 2021, make: 'Ford', model: 'Escape' },
    tradeIn: { year: 2015, make: 'Honda', model: 'Civic' },
    comments: 'Is it red?',
  })
  expect(JSON.stringify(lead.document?.customer)).toContain('95814')
})

test.each([
  ['Your trade', '2018 Mazda CX-5 GT (95 000 km)', { year: 2018, make: 'Mazda', mileage: 95_000 }],
  ['Échange', '2015 Honda Civic, 80 000 km', { year: 2015, make: 'Honda', model: 'Civic', mileage: 80_000 }],
  ['My trade-in', '2016 Ram 1500 102,400 mi', { year: 2016, make: 'Ram', model: '1500' }],
])('"%s: %s" is a trade-in', async (label, value, tradeIn) => {
  const name = word()
  const lead = await sendForm({
    text: `Name: ${name}\nEmail: ${name}@mail.example\nVehicle: 2021 Ford Escape\n${label}: ${value}`,
  })
  expect(lead.tradeIn).toMatchObject({ ...tradeIn, mileage: expect.any(Number) })
})

describe('a phone number in the words of a buyer', () => {
  test.each([
    ['Is it there? Call me at (916) 555-0131 after 5.', '(916) 555-0131'],
    ['Thanks,\nJane\n916.555.0132', '916.555.0132'],
    ['My cell 9165550133', '9165550133'],
    ['I called your store at 916-555-0134 and got no answer.', null],
    ['Stock 9165550135?', null],
    ['On Monday Sam wrote:\n> Call us at 916-555-0136', null],
    ['Not 555-555-5555 of course.', null],
  ])('"%s"', async (text, phone) => {
    const lead = await sendForm({ text, from: `${word()}@mail.example` })
    expect(lead).toMatchObject({ personPhone: phone })
    expect(lead.comments).toContain(text)
  })
})

/** Each value of a mail is found again in the lead, and the buyer, vehicle and words are in their fields. */
async function checkCase(seed: number): Promise<void> {
  const { text, html, subject, values, wanted } = formMailCase(seed)
  const lead = await sendForm({ text, html, subject })
  expect({
    seed,
    name: lead.personName,
    email: lead.personEmail,
    phone: lead.personPhone,
    comments: lead.comments?.split('\n')[0],
    model: lead.askedVehicle.model,
    stock: lead.askedVehicle.stock,
  }).toEqual({ seed, ...wanted })
  const shown = JSON.stringify(lead)
  for (const value of values) {
    const isThere = value.split(' ').every((part) => shown.includes(JSON.stringify(part).slice(1, -1)))
    expect({ seed, value, isThere }).toEqual({ seed, value, isThere: true })
  }
}

test.each(Array.from({ length: 12 }, (_one, at) => at + 1))(
  'mail %i of random labels, order and markup keeps every value',
  checkCase,
)

test('200 more of them keep every value', { tags: ['release'], timeout: 240_000 }, async () => {
  expect.hasAssertions()
  for (let seed = 101; seed <= 300; seed += 1) {
    // oxlint-disable-next-line no-await-in-loop -- As they arrive.
    await checkCase(seed)
  }
})
