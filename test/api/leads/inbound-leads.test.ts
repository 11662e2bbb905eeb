import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inboundAddresses } from '#contract/leads/inbound/inbound-addresses.ts'
import { inboundMessages } from '#contract/leads/inbound/inbound-messages.ts'
import { SAMPLE_ADF } from '#contract/leads/inbound/sample-adf.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { clock } from '#server/clock.ts'
import { kyselyOver, statement } from '#server/database/tenant-transaction.ts'
import { sweepInboundTexts } from '#server/leads/index.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { postInbound } from '#test/factories/leads/add-inbound.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { checkInboundDocuments } from '#test/suites/inbound.ts'
import { findReferenceFile } from '#test/harness/reference-data.ts'
import { multipart } from '#test/harness/multipart.ts'

let forecourt: TestApp
let ford: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
})
afterAll(() => forecourt.close())

async function newAddress(more: { sourceName?: string } = {}) {
  const id = await ford.addInboundAddress(more)
  return { id, ...(await ford.call(inboundAddresses.renewUrls, { id })) }
}

const post = (url: string, body: string | Buffer, type?: string) => postInbound(forecourt, url, body, type)

type Facts = { name?: string; email?: string; id?: string; vehicle?: string; comments?: string }
const word = () => fresh('Buyer').replaceAll(' ', '')
function prospect({
  name = word(),
  email = `${name}@mail.example`,
  id,
  vehicle,
  comments,
}: Facts = {}): string {
  const ofVehicle = vehicle ?? '<vehicle><year>2021</year><make>Ford</make><model>Escape</model></vehicle>'
  return `<prospect>${id === undefined ? '' : `<id source="Cars">${id}</id>`}
<requestdate>2026-11-18T09:30:00-08:00</requestdate>${ofVehicle}
<customer><contact><name part="full">${name}</name><email>${email}</email></contact><comments>${comments ?? 'Hello'}</comments></customer>
<vendor><vendorname>Northgate Ford</vendorname><contact><name part="full">Northgate Ford</name></contact></vendor></prospect>`
}
const adf = (...prospects: string[]) =>
  `<?xml version="1.0"?><?adf version="1.0"?><adf>${prospects.join('')}</adf>`

type Header = { Name: string; Value: string }
const header = (Name: string, Value: string): Header => ({ Name, Value })
const mail = (more: object = {}, headers: Header[] = []) =>
  JSON.stringify({
    MessageID: word(),
    From: '"Dana Sample" <dana@mail.example>',
    FromFull: { Email: 'dana@mail.example', Name: 'Dana Sample' },
    Subject: 'The red Escape',
    TextBody: 'Is it still there?',
    Headers: [header('Message-ID', `<${word()}@mail.example>`), ...headers],
    Attachments: [],
    ...more,
  })
const sendMail = (url: string, body: string) => post(url, body, 'application/json')
const messagesOf = async (addressId: string) => (await ford.call(inboundMessages.list, { addressId })).results
const leadOf = async (id: string | undefined) => ford.call(leads.get, { id: id ?? '' })

describe('an address', () => {
  test('shows its URLs once; renewed and revoked ones return 404 like unknown ones', async () => {
    const { id, adfPath } = await newAddress()
    expect(JSON.stringify(await ford.call(inboundAddresses.get, { id }))).not.toContain(adfPath.slice(-20))
    const renewed = await ford.call(inboundAddresses.renewUrls, { id })
    const answers = [
      (await post(adfPath, SAMPLE_ADF)).status,
      (await post(renewed.adfPath, SAMPLE_ADF)).status,
    ]
    expect(answers).toEqual([404, 200])
    expect(await ford.call(inboundAddresses.revoke, { id })).toMatchObject({
      tokenAt: null,
      messages: 1,
      leads: 1,
    })
    const revoked = await post(renewed.adfPath, SAMPLE_ADF)
    expect(revoked).toEqual(await post('/api/leads/adf/1-1-unknown', SAMPLE_ADF))
    expect(revoked).toMatchObject({ status: 404, message: 'Inbound address not found.' })
  })

  test('limits how often it is used', async () => {
    const { adfPath } = await newAddress()
    await post(adfPath, SAMPLE_ADF)
    await forecourt.owner.query(
      `update iam.request_counts set count = 2000 where kind = 'leads sent to an address' and key like '%/' || $1`,
      [adfPath.split('-')[1]],
    )
    expect(await post(adfPath, SAMPLE_ADF)).toMatchObject({ status: 429, received: null })
  })

  test('tells a sender over the network that its document is too large', async () => {
    const { adfPath } = await newAddress()
    const { port } = new URL(await forecourt.app.listen({ port: 0, host: '127.0.0.1' }))
    const socket = connect(Number(port), '127.0.0.1')
    // More than a connection buffers.
    const size = 20_000_000
    socket.write(`POST ${adfPath} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${size}\r\n\r\n`)
    const answered = once(socket, 'data')
    // Many programs read the response only when they have sent everything.
    await new Promise<void>((done, fail) => {
      socket.write(Buffer.alloc(size, 'x'), (error) => (error ? fail(error) : done()))
    })
    expect(String(await answered)).toMatch(/^HTTP\/1.1 413 .*The message is larger than the limit of 1 MB/s)
    socket.destroy()
  })

  test('is deleted once its messages are reviewed, and its leads are kept', async () => {
    const { id, adfPath } = await newAddress()
    const { received } = await post(adfPath, adf(prospect()))
    await post(adfPath, '<adf><prospect>')
    const remove = () => ford.call(inboundAddresses.remove, { id })
    await expect(remove()).toRefuse(409, 'still need review')
    const [refused] = await messagesOf(id)
    await ford.call(inboundMessages.dismiss, { id: refused?.id ?? '' })
    await remove()
    await expect(ford.call(inboundAddresses.get, { id })).toRefuse(404)
    expect(await leadOf(received?.leads[0]?.id)).toMatchObject({ sourceKind: 'adf-http' })
  })
})

describe('an ADF document', () => {
  test('is a lead of its vehicle in stock, with the text it came in; the sample has no warnings', async () => {
    const { id, adfPath } = await newAddress({ sourceName: 'CarGurus' })
    const vehicleId = await ford.addVehicle()
    const { stock } = await ford.call(vehicles.get, { id: vehicleId })
    const name = word()
    const sent = adf(prospect({ name, vehicle: `<vehicle><stock>${stock ?? ''}</stock></vehicle>` }))
    const { status, received } = await post(adfPath, sent)
    expect(status).toBe(200)
    expect(received).toMatchObject({
      state: 'received',
      isRepeated: false,
      reason: null,
      leads: [{ isNew: true }],
    })
    expect(await leadOf(received?.leads[0]?.id)).toMatchObject({
      personName: name,
      vehicleId,
      sourceName: 'CarGurus',
      comments: 'Hello',
      isTest: false,
    })
    const [message] = await messagesOf(id)
    expect(message).toMatchObject({ state: 'received', leads: [{ name }] })
    expect((await ford.call(inboundMessages.get, { id: message?.id ?? '' })).raw).toBe(sent)
    expect(await ford.call(leads.source, { id: received?.leads[0]?.id ?? '' })).toMatchObject({
      text: sent,
      correctedText: null,
    })
    const sample = await post(`${adfPath}?test=1`, SAMPLE_ADF)
    expect(sample.received?.warnings).toEqual(['No vehicle in stock has stock number A1234.'])
    expect((await leadOf(sample.received?.leads[0]?.id)).isTest).toBe(true)
  })

  test('counts once when it is sent again, also at the same moment', async () => {
    const { id, adfPath } = await newAddress()
    const sent = adf(prospect())
    const answers = await Promise.all([1, 2, 3].map(() => post(adfPath, sent)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(answers.map(({ received }) => received?.leads[0]?.id)).size).toBe(1)
    expect(answers.filter(({ received }) => received?.isRepeated === false)).toHaveLength(1)
    expect(await messagesOf(id)).toMatchObject([{ repeats: 2, leads: [{ isNew: true }] }])
  })

  test('with an ID that the provider used before is the same lead, unless it is another person', async () => {
    const { adfPath } = await newAddress({ sourceName: fresh('Provider') })
    const id = word()
    const name = word()
    const first = await post(adfPath, adf(prospect({ id, name })))
    const again = await post(adfPath, adf(prospect({ id, name })).replaceAll('\n', '\n\n'))
    const other = await post(adfPath, adf(prospect({ id })))
    expect(again.received?.leads).toEqual([{ id: first.received?.leads[0]?.id, isNew: false }])
    expect(other.received?.leads).toMatchObject([{ isNew: true }])
    await ford.call(leads.remove, { id: first.received?.leads[0]?.id ?? '' })
    const { rows } = await forecourt.owner.query(`select from lead_sources where raw like '%' || $1 || '%'`, [
      name,
    ])
    expect(rows).toHaveLength(0)
  })

  test('with two prospects is two leads; one that is unusable is left out', async () => {
    const { adfPath } = await newAddress()
    const two = await post(adfPath, adf(prospect(), prospect()))
    expect(two.received?.leads).toMatchObject([{ isNew: true }, { isNew: true }])
    const one = await post(adfPath, adf(prospect(), '<prospect></prospect>'))
    expect(one.received?.leads).toHaveLength(1)
    expect(one.received?.reason).toMatch(/^1 of 2 leads was left out: /)
  })

  const text = adf(prospect({ comments: 'Price &amp; terms + tax' }))
  const inParts = multipart({ xml: text }, [])
  test.each<[string, string | Buffer, string]>([
    ['a form', new URLSearchParams({ to: 'x', adf: text }).toString(), 'application/x-www-form-urlencoded'],
    ['a form that is not encoded', `adf=${text}`, 'application/x-www-form-urlencoded'],
    ['a plain body with the type of a form', text, 'application/x-www-form-urlencoded'],
    ['a property of JSON', JSON.stringify({ lead: { format: 'adf', body: text } }), 'application/json'],
    ['a JSON string', JSON.stringify(text), 'text/plain'],
    ['a field of a multipart body', inParts.payload, inParts.headers['content-type'] ?? ''],
  ])('is read from %s', async (_where, body, type) => {
    const { adfPath } = await newAddress({ sourceName: fresh('Provider') })
    const { received } = await post(adfPath, body, type)
    expect(received?.leads).toHaveLength(1)
    expect((await leadOf(received?.leads[0]?.id)).comments).toBe('Price & terms + tax')
  })

  test('about an unknown vehicle, or with a wrong VIN, is a lead with warnings', async () => {
    const { adfPath } = await newAddress()
    const vehicle = '<vehicle><vin>1HGCM82633A123456</vin><stock>ZZ99</stock></vehicle>'
    const { received } = await post(adfPath, adf(prospect({ vehicle })))
    expect(received?.warnings).toEqual(
      expect.arrayContaining([
        'The check digit of the VIN "1HGCM82633A123456" is wrong.',
        'No vehicle in stock has VIN 1HGCM82633A123456 or stock number ZZ99.',
      ]),
    )
    expect(await leadOf(received?.leads[0]?.id)).toMatchObject({
      vehicleId: null,
      askedVehicle: { vin: '1HGCM82633A123456', stock: 'ZZ99' },
      source: { warnings: received?.warnings.toSorted() },
    })
  })

  const nested = `<adf>${'<a>'.repeat(200)}${'</a>'.repeat(200)}</adf>`
  const long = (comments: string) => adf(prospect({ comments }))
  test.each<[string, string | Buffer, RegExp, number?]>([
    ['that ends early', adf(prospect()).slice(0, 200), /incomplete/],
    ['that is nested too deep', nested, /nested more than 32 levels/],
    [
      'with an external entity',
      '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><adf>&e;</adf>',
      /DOCTYPE/,
    ],
    [
      'with 900 KB of comments',
      adf(`<!--${'x'.repeat(900_000)}-->`, prospect()),
      /more than 100,000 characters/,
    ],
    ['with 150,000 references', long('&#65;'.repeat(150_000)), /more than 20,000 character references/],
    ['of 5 MB of references', long('&#65;'.repeat(1_000_000)), /limit of 1 MB/, 413],
    ['of 5 MB of comments', adf(`<!--${'x'.repeat(5_000_000)}-->`), /limit of 1 MB/, 413],
    ['without a prospect', '<adf></adf>', /no "prospect" element/],
    ['that is empty', '', /empty/],
    ['that is compressed', gzipSync(adf(prospect())), /isn't text/],
    ['of JSON without a document', '{"name":"Dana"}', /neither an ADF document/],
    ['of JSON that ends early', '{"name":"Dana', /JSON is incomplete/],
  ])(
    '%s is refused with the reason, and its text is kept for review',
    async (_name, body, reason, status = 422) => {
      const { id, adfPath } = await newAddress()
      const answer = await post(adfPath, body)
      expect(answer).toMatchObject({ status, received: null })
      expect(answer.message).toMatch(reason)
      expect((await post(adfPath, body)).status).toBe(status)
      const [message, ...others] = await messagesOf(id)
      expect(others).toEqual([])
      expect(message).toMatchObject({ state: 'quarantined', repeats: 1, leads: [] })
      const { raw } = await ford.call(inboundMessages.get, { id: message?.id ?? '' })
      const whole = body instanceof Buffer ? raw : body
      expect(raw).toBe(whole.slice(0, status === 413 ? 64_000 : undefined))
    },
  )
})

test('40 damaged and wrapped documents each get a clear response, and none is lost', async () => {
  const { longestMs } = await checkInboundDocuments(forecourt, ford, { documents: 40, seed: 7 })
  expect(longestMs).toBeLessThan(5_000)
})

const folder = findReferenceFile('adf')
test.runIf(folder === null)(
  'Skipped: the real ADF files (../shared/data/adf) are not on this machine',
  () => {
    expect(folder).toBe(null)
  },
)

type Vehicle = { vin?: string; stock?: string; make?: string; model?: string }
type Expected = {
  accept: boolean
  statuses?: string[]
  customer?: { full?: string; first?: string; last?: string; email?: string }
  vehicle_of_interest?: Vehicle | null
  trade_in?: { year: string; mileage: string }
}

/** What posting a file has to show, with the facts of its lead that expected.json states. */
function wantedOf({ accept, customer = {}, vehicle_of_interest: vehicle, trade_in: tradeIn }: Expected) {
  if (!accept) return { status: 422, state: 'quarantined', leads: 0, lead: null }
  const { full, first, last, email } = customer
  const { vin, stock, make, model } = vehicle ?? {}
  const name = full ?? (first === undefined ? undefined : [first, last].join(' '))
  const lead = {
    ...(name !== undefined && { personName: name }),
    ...(email !== undefined && { personEmail: email }),
    askedVehicle: JSON.parse(JSON.stringify({ vin, stock, make, model })),
    ...(tradeIn !== undefined && {
      tradeIn: { year: Number(tradeIn.year), mileage: Number(tradeIn.mileage) },
    }),
  }
  // Of the two prospects of one file, the second has neither a customer nor a vendor.
  return { status: 200, state: 'received', leads: 1, lead }
}

const expected: Record<string, Expected> =
  folder === null ? {} : JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8'))

describe.skipIf(folder === null)('the real ADF file', () => {
  test.each(Object.entries(expected))(
    '%s is a lead as expected, or refused with its text',
    async (name, wanted) => {
      const { id, adfPath } = await newAddress({ sourceName: name })
      const file = readFileSync(join(folder ?? '', name))
      const { status } = await post(adfPath, file)
      const [message] = await messagesOf(id)
      const [first] = message?.leads ?? []
      const lead = first === undefined ? null : await leadOf(first.id)
      const shown = { status, state: message?.state, leads: message?.leads.length, lead }
      expect(shown).toMatchObject(wantedOf(wanted))
      const { raw } = await ford.call(inboundMessages.get, { id: message?.id ?? '' })
      expect(raw).toBe(file.toString('utf8'))
    },
  )
})

describe('an email', () => {
  test('is a lead, also without a subject or with an HTML text only, and once for each Message-ID', async () => {
    const { id, mailPath } = await newAddress()
    const person = word()
    const from = { FromFull: { Email: `${person}@mail.example`, Name: person } }
    const html = '<p>Is it <b>red</b>?</p><p>Dana</p><script>x</script>'
    const sent = mail({ ...from, Subject: '', TextBody: '', HtmlBody: html })
    const { received } = await sendMail(mailPath, sent)
    expect(await leadOf(received?.leads[0]?.id)).toMatchObject({
      personName: person,
      sourceKind: 'email',
      comments: 'Is it red?\nDana',
    })
    expect(await sendMail(mailPath, sent)).toMatchObject({ status: 200, received: { isRepeated: true } })
    expect(await messagesOf(id)).toMatchObject([
      { kind: 'email', subject: null, repeats: 1, fromEmail: `${person.toLowerCase()}@mail.example` },
    ])
  })

  test('of a website that sends for a buyer is a lead of the buyer', async () => {
    const { mailPath } = await newAddress()
    const buyer = word()
    const { received } = await sendMail(mailPath, mail({ ReplyTo: `"${buyer}" <${buyer}@mail.example>` }))
    expect(await leadOf(received?.leads[0]?.id)).toMatchObject({
      personName: buyer,
      personEmail: `${buyer.toLowerCase()}@mail.example`,
    })
  })

  const escaped = (html: string) =>
    html.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const attached = (content: Buffer) => ({
    Attachments: [
      { Name: 'photo.jpg', ContentType: 'image/jpeg', Content: 'AAAA' },
      { Name: 'lead.xml', ContentType: 'application/octet-stream', Content: content.toString('base64') },
    ],
  })
  test.each<[string, (document: string) => object]>([
    ['its text', (document) => ({ TextBody: `New lead:\n\n${document}\n-- \nSent by Cars` })],
    ['its HTML', (document) => ({ TextBody: '', HtmlBody: `<html><pre>${escaped(document)}</pre></html>` })],
    ['an attachment', (document) => attached(Buffer.from(document))],
    ['an attachment in UTF-16', (document) => attached(Buffer.from(`\uFEFF${document}`, 'utf16le'))],
  ])('with an ADF document in %s is the lead of that document', async (_where, bodyOf) => {
    const { mailPath } = await newAddress()
    const notice = [header('Auto-Submitted', 'auto-generated'), header('Precedence', 'bulk')]
    const name = word()
    const { received } = await sendMail(mailPath, mail(bodyOf(adf(prospect({ name }))), notice))
    expect(received).toMatchObject({ state: 'received', leads: [{ isNew: true }] })
    expect(await leadOf(received?.leads[0]?.id)).toMatchObject({ personName: name, sourceKind: 'adf-mail' })
  })

  test('with an incomplete ADF document needs review', async () => {
    const { mailPath } = await newAddress()
    const cut = await sendMail(mailPath, mail({ TextBody: adf(prospect()).slice(0, 300) }))
    expect(cut).toMatchObject({ status: 200, received: { state: 'quarantined', leads: [] } })
  })

  test('that the provider marked as spam is a lead in quarantine, and says why', async () => {
    const { mailPath } = await newAddress()
    const { received } = await sendMail(mailPath, mail({}, [header('X-Spam-Status', 'Yes')]))
    expect(received).toMatchObject({ state: 'received', reason: expect.stringContaining('quarantine') })
    const lead = await ford.call(leads.get, { id: received?.leads[0]?.id ?? '' })
    expect(lead).toMatchObject({ status: 'quarantined', suspicions: ['spamMark'], ownerId: null })
    const scored = await sendMail(mailPath, mail({}, [header('X-Spam-Score', '1.2')]))
    const { status } = await ford.call(leads.get, { id: scored.received?.leads[0]?.id ?? '' })
    expect(status).not.toBe('quarantined')
  })

  test('that this product sent itself is no lead', async () => {
    const { mailPath } = await newAddress()
    const mailId = await ford.addMail()
    const { rows } = await forecourt.owner.query<{ key: string }>(
      'select message_key as key from outbox_mails where id = $1',
      [mailId],
    )
    const own = [header('Message-ID', `<${rows[0]?.key ?? ''}@forecourt.example>`)]
    const { received } = await sendMail(mailPath, mail({ Headers: own, TextBody: adf(prospect()) }))
    expect(received).toMatchObject({
      state: 'ignored',
      reason: expect.stringContaining('sent this email'),
    })
  })

  test('that is not an email of the provider is refused in the message list, with its text', async () => {
    const { id, mailPath } = await newAddress()
    expect(await sendMail(mailPath, '{"Subject":"No sender"}')).toMatchObject({
      status: 200,
      received: { state: 'quarantined' },
    })
    expect(await messagesOf(id)).toMatchObject([{ state: 'quarantined', kind: 'adf' }])
  })
})

describe('an answer of a buyer', () => {
  async function emailedLead() {
    const id = await ford.addLead()
    await ford.call(leads.sendEmail, { id, subject: 'Your Escape', text: 'It is still here.' })
    const { rows } = await forecourt.owner.query<{ token: string; messageId: string }>(
      `select l.reply_token as token, m.message_id as "messageId" from leads l
        join lead_messages m on m.customer_id = l.customer_id and m.lead_id = l.id where l.id = $1`,
      [id],
    )
    return { id, token: rows[0]?.token ?? '', messageId: rows[0]?.messageId ?? '' }
  }

  test('comes back to its lead by the reply address or the email it answers, and makes no new lead', async () => {
    const { id: addressId, mailPath } = await newAddress()
    const { id, token, messageId } = await emailedLead()
    const byToken = mail({ MailboxHash: token, TextBody: 'I come on Saturday.' })
    const byAnswer = mail({ TextBody: 'At ten.' }, [header('In-Reply-To', `<${messageId}>`)])
    for (const sent of [byToken, byAnswer, byAnswer]) {
      const { received } = await sendMail(mailPath, sent)
      expect(received).toMatchObject({ state: 'reply', leads: [{ id, isNew: false }] })
    }
    const lead = await ford.call(leads.get, { id })
    expect(lead.unansweredSince).not.toBeNull()
    expect(
      lead.timeline.filter(({ kind }) => kind === 'message-in').map(({ message }) => message?.text),
    ).toEqual(['I come on Saturday.', 'At ten.'])
    expect(await messagesOf(addressId)).toMatchObject([
      { state: 'reply', repeats: 1, leads: [{ id }] },
      { state: 'reply', repeats: 0, leads: [{ id }] },
    ])
  })

  test('that is automatic is in the timeline, and no response', async () => {
    const { mailPath } = await newAddress()
    const { id, token } = await emailedLead()
    const away = mail({ MailboxHash: token, TextBody: 'I am away.' }, [
      header('Auto-Submitted', 'auto-replied'),
    ])
    const { received } = await sendMail(mailPath, away)
    expect(received).toMatchObject({ state: 'reply', reason: expect.stringContaining('automatic reply') })
    const lead = await ford.call(leads.get, { id })
    expect(lead.unansweredSince).toBeNull()
    expect(lead.timeline.at(-1)).toMatchObject({ kind: 'message-in', message: { text: 'I am away.' } })
  })

  test('with the same email of ours is not mistaken for one: our own emails are ignored', async () => {
    const { mailPath } = await newAddress()
    const { id, token, messageId } = await emailedLead()
    const own = mail({ MailboxHash: token, Headers: [header('Message-ID', `<${messageId}>`)] })
    expect((await sendMail(mailPath, own)).received).toMatchObject({ state: 'ignored', leads: [] })
    expect((await ford.call(leads.get, { id })).timeline.map(({ kind }) => kind)).not.toContain('message-in')
  })
})

test('a lead that routing delivered and that comes back as ADF is no new lead', async () => {
  const { adfPath } = await newAddress()
  const sourceName = fresh('Looping')
  const destinationId = await ford.addLeadDestination({ kind: 'adf', toEmail: 'crm@northgate.example' })
  await ford.addLeadRule({ sources: [sourceName], targets: [{ destinationId }] })
  const leadId = await ford.addLead({ sourceName })
  const { rows } = await forecourt.owner.query<{ key: string }>(
    'select key from lead_deliveries where lead_id = $1',
    [leadId],
  )
  const { received } = await post(adfPath, adf(prospect({ id: rows[0]?.key ?? 'none' })))
  expect(received).toMatchObject({
    state: 'ignored',
    leads: [],
    reason: expect.stringContaining('Forecourt sent this lead'),
  })
})

test('a lead that a fault prevents is kept for review, and is received when it is sent again', async () => {
  const { id, adfPath } = await newAddress()
  const sent = adf(prospect())
  await forecourt.owner.query('alter table lead_events add constraint scratch check (false) not valid')
  const failed = await post(adfPath, sent)
  await forecourt.owner.query('alter table lead_events drop constraint scratch')
  expect(failed.status).toBe(500)
  expect(await messagesOf(id)).toMatchObject([{ state: 'quarantined', leads: [] }])
  expect(await post(adfPath, sent)).toMatchObject({ status: 200, received: { isRepeated: false } })
  expect(await messagesOf(id)).toMatchObject([{ state: 'quarantined' }, { state: 'received' }])
})

describe('review', () => {
  test('messages that need review come first; a corrected text becomes the lead and the original is kept', async () => {
    const { id, adfPath } = await newAddress()
    const name = word()
    const broken = adf(prospect({ name })).replace('</adf>', '')
    await post(adfPath, broken)
    await post(adfPath, adf(prospect()))
    const list = await ford.call(inboundMessages.list, { addressId: id })
    expect(list).toMatchObject({ rowCount: 2, results: [{ state: 'quarantined' }, { state: 'received' }] })
    const message = list.results[0]?.id ?? ''
    expect(await ford.call(inboundMessages.retry, { id: message })).toMatchObject({ state: 'quarantined' })
    const fixed = await ford.call(inboundMessages.retry, { id: message, text: `${broken}</adf>` })
    expect(fixed).toMatchObject({
      state: 'received',
      raw: broken,
      correctedText: `${broken}</adf>`,
      leads: [{ name, isNew: true }],
    })
    expect(fixed.reviewedBy).not.toBeNull()
    await expect(ford.call(inboundMessages.retry, { id: message })).toRefuse(409, 'is already a lead')
    await expect(ford.call(inboundMessages.dismiss, { id: message })).toRefuse(409, 'does not need review')
    const twice = [ford.call(inboundMessages.list, { addressId: id, state: 'quarantined' })]
    expect((await Promise.all(twice))[0]?.results).toEqual([])
  })

  test('two people who read a message again at the same time make one lead', async () => {
    const { id, adfPath } = await newAddress()
    const broken = adf(prospect()).replace('</adf>', '')
    await post(adfPath, broken)
    const [message] = await messagesOf(id)
    const again = { id: message?.id ?? '', text: `${broken}</adf>` }
    const outcomes = await Promise.allSettled([
      ford.call(inboundMessages.retry, again),
      ford.call(inboundMessages.retry, again),
    ])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect((await messagesOf(id))[0]?.leads).toHaveLength(1)
  })

  test('an automatic email becomes a lead when a user says so', async () => {
    const { id, mailPath } = await newAddress()
    await sendMail(mailPath, mail({}, [header('Precedence', 'bulk')]))
    const [message] = await messagesOf(id)
    const of = { id: message?.id ?? '' }
    expect(await ford.call(inboundMessages.retry, of)).toMatchObject({ state: 'quarantined' })
    expect(await ford.call(inboundMessages.retry, { ...of, isInquiry: true })).toMatchObject({
      state: 'received',
      leads: [{ name: 'Dana Sample' }],
    })
  })

  test('texts of messages that are no lead are deleted after 90 days, those of leads are kept', async () => {
    const { id, adfPath } = await newAddress()
    await post(adfPath, adf(prospect()))
    await post(adfPath, '<adf>')
    const sweep = () => sweepInboundTexts(kyselyOver((query) => forecourt.jobsPool.query(statement(query))))
    clock.advance(89 * 86_400_000)
    await sweep()
    expect(await messagesOf(id)).toHaveLength(2)
    clock.advance(2 * 86_400_000)
    await sweep()
    expect(await messagesOf(id)).toMatchObject([{ state: 'received' }])
  })
})
