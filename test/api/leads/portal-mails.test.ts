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

const withWord = <T>(value: T, name: string): T =>
  JSON.parse(JSON.stringify(value).replaceAll('@@', name)) as T

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
    if (phones !== undefined) expect(numbers).toEqual(phones)
    for (const part of more) expect(JSON.stringify(lead)).toContain(part)
  }
})
