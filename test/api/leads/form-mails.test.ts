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
