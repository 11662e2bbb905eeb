import { afterAll, beforeAll, expect, test } from 'vitest'
import { inboundAddresses } from '#contract/leads/inbound/inbound-addresses.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { people } from '#contract/leads/people/people.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { postInbound } from '#test/factories/leads/add-inbound.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let ford: TestOrganization
let paths: { adfPath: string; mailPath: string }
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  const id = await ford.addInboundAddress({ sourceName: fresh('Source') })
  paths = await ford.call(inboundAddresses.renewUrls, { id })
})
afterAll(() => forecourt.close())

let numbers = 0
const address = () => `${fresh('optout').replaceAll(' ', '').toLowerCase()}@mail.example`
const get = (id: string) => ford.call(leads.get, { id })
const channelsOf = async (id: string) =>
  Object.fromEntries(
    (await get(id)).channels.map(({ channel, isAllowed, reason }) => [channel, isAllowed || reason]),
  )

async function sendAdf(
  email: string,
  { inside = '', comments = '', name = 'Opal Buyer' } = {},
): Promise<string> {
  const document = `<?adf version="1.0"?><adf><prospect><requestdate>2026-11-26T10:15:00-08:00</requestdate>
    <customer><contact><name part="full">${name}</name><email>${email}</email><phone>916-555-0${100 + ++numbers}</phone>${inside}</contact>
    <comments>${comments}</comments></customer></prospect></adf>`
  const { received } = await postInbound(forecourt, paths.adfPath, document, 'text/xml')
  return received?.leads[0]?.id ?? ''
}

async function reply(
  id: string,
  { from, text, subject = 'Re: Your question' }: { from: string; text: string; subject?: string },
) {
  const { rows } = await forecourt.owner.query<{ token: string }>(
    'select reply_token as token from leads where id = $1',
    [id],
  )
  const mail = {
    MessageID: fresh('reply'),
    FromFull: { Email: from, Name: 'Opal Buyer' },
    Subject: subject,
    TextBody: text,
    MailboxHash: rows[0]?.token,
    Headers: [{ Name: 'Message-ID', Value: `<${fresh('id').replaceAll(' ', '')}@mail.example>` }],
  }
  await postInbound(forecourt, paths.mailPath, JSON.stringify(mail), 'application/json')
}

test('who answers that they want no emails gets none, under no name, and what waits is not sent', async () => {
  const from = address()
  const id = await sendAdf(from)
  await ford.call(leads.sendEmail, { id, subject: 'Your question', text: 'Yes.' })
  await reply(id, { from, text: 'STOP emailing me, unsubscribe.\n\nOn Monday, Northgate wrote:\n> Yes.' })
  const { timeline, consents } = await get(id)
  expect(timeline.at(-1)).toMatchObject({
    kind: 'consent',
    byName: null,
    data: { consent: 'revoked', channels: ['email'], text: 'STOP emailing me, unsubscribe.' },
  })
  expect(consents[0]).toMatchObject({ kind: 'revoked', channel: 'email' })
  await expect(ford.call(leads.sendEmail, { id, subject: 'Hi', text: 'Hi' })).toRefuse(
    409,
    'not to be emailed',
  )
  const other = await sendAdf(from, { name: 'Mary Jones' })
  await expect(ford.call(leads.sendEmail, { id: other, subject: 'Hi', text: 'Hi' })).toRefuse(
    409,
    'not to be emailed',
  )
})

test('what an email quotes, and when someone can’t be called, are no opt-outs', async () => {
  const from = address()
  const id = await sendAdf(from)
  await reply(id, {
    from,
    text: "Don't call me before 5 PM.\n\nOn Monday, Northgate wrote:\n> Reply STOP to unsubscribe",
  })
  expect(await channelsOf(id)).toMatchObject({ email: true, call: true })
})

test('an opt-out in a message or in an element of a source counts, and an opt-in is only proposed', async () => {
  const message = await sendAdf(address(), { comments: 'Is it there? Please do not call me.' })
  expect(await channelsOf(message)).toMatchObject({
    email: true,
    call: 'This person asked not to be called.',
  })
  const element = await sendAdf(address(), {
    inside: '<email_opt_out>true</email_opt_out><smsOptIn>Yes</smsOptIn>',
  })
  expect(await channelsOf(element)).toEqual({
    email: 'This person asked not to be emailed.',
    call: true,
    text: 'Text needs consent.',
  })
})

test('a consent after an opt-out is recorded with how it was given', async () => {
  const email = address()
  const id = await sendAdf(email, { comments: 'No more emails please.' })
  const { person } = await get(id)
  const text = 'Asked for the offer by email, on the phone'
  await ford.call(people.consent, { id: person.id, channel: 'email', text })
  const { timeline, channels } = await get(id)
  expect(channels.find(({ channel }) => channel === 'email')?.isAllowed).toBe(true)
  expect(timeline.at(-1)).toMatchObject({ kind: 'consent', data: { consent: 'given', text } })
  await ford.call(leads.sendEmail, { id, subject: 'Your offer', text: 'Here it is.' })
})
