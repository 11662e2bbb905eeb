import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inboundAddresses } from '#contract/leads/inbound/inbound-addresses.ts'
import { inboundMessages } from '#contract/leads/inbound/inbound-messages.ts'
import { type LeadRecord, leads } from '#contract/leads/inbox/leads.ts'
import { personData } from '#contract/leads/people/person-data.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { postInbound } from '#test/factories/leads/add-inbound.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { multipart } from '#test/harness/multipart.ts'

let forecourt: TestApp
let ford: TestOrganization
let addressId: string
let mailPath: string
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  addressId = await ford.addInboundAddress({ sourceName: 'Website' })
  mailPath = (await ford.call(inboundAddresses.renewUrls, { id: addressId })).mailPath
})
afterAll(() => forecourt.close())

const word = () => fresh('Raw').replaceAll(' ', '')
const leadOf = (id: string | undefined) => ford.call(leads.get, { id: id ?? '' })
const moreOf = ({ document }: LeadRecord) => (document?.more ?? []).map(({ value }) => value).join('\n')
const message = (head: readonly string[], body: string) =>
  [...head, `Message-ID: <${word()}@mail.example>`, 'MIME-Version: 1.0', '', body].join('\r\n')
const from = (name: string) => [
  `From: ${name} <${name}@mail.example>`,
  'To: leads@in.example',
  'Subject: The Escape',
]
/** One part of a message. */
const part = (head: string, body: string) => `--B1\r\n${head}\r\n\r\n${body}\r\n`
const mixed = (...parts: string[]) => `${parts.join('')}--B1--\r\n`
const MIXED = 'Content-Type: multipart/mixed; boundary=B1'

async function postRaw(sent: string | Buffer, type = 'message/rfc822') {
  const { status, received } = await postInbound(forecourt, mailPath, sent, type)
  expect(status).toBe(200)
  return received
}

async function sendRaw(sent: string | Buffer, type?: string) {
  const received = await postRaw(sent, type)
  expect(received).toMatchObject({ state: 'received', leads: [{ isNew: true }] })
  return leadOf(received?.leads[0]?.id)
}

const adf = (name: string) => `<?xml version="1.0"?><?adf version="1.0"?><adf><prospect>
<requestdate>2026-11-18T09:30:00-08:00</requestdate><vehicle><year>2021</year><make>Ford</make><model>Escape</model></vehicle>
<customer><contact><name part="full">${name}</name><email>${name}@mail.example</email></contact><comments>Hello</comments></customer>
</prospect></adf>`
const inLines = (base64: string) => base64.replaceAll(/.{76}/g, '$&\r\n')

describe('an internet message', () => {
  const plain = (name: string) => message(from(name), 'Is it still there?')
  const field = (name: string, value: string) => {
    const { payload, headers } = multipart({ to: 'leads@in.example', envelope: '{}', [name]: value }, [])
    return [payload, headers['content-type']] as const
  }
  const sns = (content: string) =>
    JSON.stringify({ Type: 'Notification', Message: JSON.stringify({ content }) })
  test.each<[string, (sent: string) => readonly [string | Buffer, string]]>([
    ['as the body', (sent) => [sent, 'message/rfc822']],
    ['as a body of another type', (sent) => [sent, 'application/octet-stream']],
    ['in the field "email" of a form', (sent) => field('email', sent)],
    ['in the field "body-mime" of a form', (sent) => field('body-mime', sent)],
    [
      'in an encoded form',
      (sent) => [
        new URLSearchParams({ to: 'x', 'body-mime': sent }).toString(),
        'application/x-www-form-urlencoded',
      ],
    ],
    ['in JSON', (sent) => [JSON.stringify({ to: 'x', raw: sent }), 'application/json']],
    [
      'in base64 in JSON',
      (sent) => [JSON.stringify({ raw: Buffer.from(sent).toString('base64url') }), 'application/json'],
    ],
    ['in the text of a notification', (sent) => [sns(sent), 'text/plain; charset=UTF-8']],
  ])('%s is a lead of who sent it', async (_how, wrap) => {
    const name = word()
    const lead = await sendRaw(...wrap(plain(name)))
    expect(lead).toMatchObject({
      personName: name,
      personEmail: `${name}@mail.example`.toLowerCase(),
      comments: 'The Escape\n\nIs it still there?',
      sourceKind: 'email',
    })
  })

  test('sent twice is one lead, and its text is kept as it was sent', async () => {
    const sent = plain(word())
    const first = await postRaw(sent)
    const again = await postRaw(sent.replace('Is it', 'Is it  '), 'text/plain')
    expect(again).toMatchObject({ isRepeated: true, leads: [{ id: first?.leads[0]?.id }] })
    const { raw } = await ford.call(inboundMessages.get, { id: first?.messageId ?? '' })
    expect(raw).toBe(sent)
  })

  test('is read in its encodings: quoted-printable, base64, Windows-1252, and encoded subjects and names', async () => {
    const name = word()
    const head = [
      `From: =?iso-8859-1?Q?Ren=E9e_${name}?= <${name}@mail.example>`,
      'To: leads@in.example',
      'Subject: =?utf-8?B?TGUgdsOpaGljdWxlIOKCrA==?=',
      MIXED,
    ]
    const body = mixed(
      part(
        'Content-Type: multipart/alternative; boundary=B2',
        [
          '--B2',
          'Content-Type: text/plain; charset=windows-1252',
          'Content-Transfer-Encoding: quoted-printable',
          '',
          'Caf=E9 =80 20=\r\n00 =93now=94',
          '--B2',
          'Content-Type: text/html; charset=utf-8',
          'Content-Transfer-Encoding: base64',
          '',
          inLines(Buffer.from('<p>Café € 2000 “now”</p>').toString('base64')),
          '--B2--',
        ].join('\r\n'),
      ),
    )
    const lead = await sendRaw(message(head, body))
    expect(lead).toMatchObject({
      personName: `Renée ${name}`,
      comments: 'Le véhicule €\n\nCafé € 2000 “now”',
    })
    // Bytes that aren't UTF-8, which a user reads again.
    const latin = Buffer.from(
      message(
        [...from(word()), 'Content-Type: text/plain; charset=iso-8859-1', 'Precedence: bulk'],
        'Très belle',
      ),
      'latin1',
    )
    const received = await postRaw(latin)
    const { leads: added } = await ford.call(inboundMessages.retry, {
      id: received?.messageId ?? '',
      isInquiry: true,
    })
    expect((await leadOf(added[0]?.id)).comments).toContain('Très belle')
  })

  test.each([
    ['application/xml', 'lead.xml'],
    ['text/xml', 'lead'],
    ['application/octet-stream', 'lead.adf'],
    ['application/octet-stream', 'noname'],
    ['text/plain', 'lead.txt'],
  ])('with an ADF document attached as %s "%s" is the lead of that document', async (type, file) => {
    const name = word()
    const attached = part(
      `Content-Type: ${type}; name="${file}"\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename="${file}"`,
      inLines(Buffer.from(adf(name)).toString('base64')),
    )
    const sent = message(
      [...from('crm'), MIXED],
      mixed(part('Content-Type: text/plain', 'New lead'), attached),
    )
    expect(await sendRaw(sent)).toMatchObject({ personName: name, sourceKind: 'adf-mail', comments: 'Hello' })
  })

  test('with an ADF document as its text is the lead of that document', async () => {
    const name = word()
    expect(await sendRaw(message(from('crm'), adf(name)), 'text/plain')).toMatchObject({ personName: name })
  })

  test('with several ADF documents is a lead of each, also where one repeats another or the text has one', async () => {
    const [first, second, third] = [word(), word(), word()]
    const files = [
      { name: 'a.xml', type: 'application/xml', content: adf(first) },
      { name: 'b.xml', type: 'application/xml', content: adf(second) },
      { name: 'again.xml', type: 'application/xml', content: adf(second).replaceAll('\n', '\r\n') },
      { name: 'broken.xml', type: 'application/xml', content: '<?adf version="1.0"?><adf><prospect>' },
      { name: 'note.txt', type: 'text/plain', content: 'Our hours' },
    ]
    const body = `Three buyers today.\n${adf(third)}`
    const encoded = (text: string) => inLines(Buffer.from(text).toString('base64'))
    const attached = files.map(({ name, type, content }) =>
      part(
        `Content-Type: ${type}; name="${name}"\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename="${name}"`,
        encoded(content),
      ),
    )
    const mime = message(
      [...from('crm'), MIXED],
      mixed(part('Content-Type: text/plain', body.replaceAll('\n', '\r\n')), ...attached),
    )
    const json = JSON.stringify({
      MessageID: word(),
      From: 'crm@mail.example',
      Subject: 'Leads',
      TextBody: body,
      Attachments: files.map(({ name, type, content }) => ({
        Name: name,
        ContentType: type,
        Content: Buffer.from(content).toString('base64'),
      })),
    })
    for (const [sent, type] of [
      [mime, 'message/rfc822'],
      [json, 'application/json'],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop -- One after the other.
      const received = await postRaw(sent, type)
      // oxlint-disable-next-line no-await-in-loop -- As above.
      const added = await Promise.all((received?.leads ?? []).map(({ id }) => leadOf(id)))
      expect(added.map(({ personName }) => personName)).toEqual([first, second, third])
      // What isn't a lead is still a file, and said.
      expect(added[0]?.attachments.map(({ name }) => name)).toEqual(['broken.xml', 'note.txt'])
      expect(received?.warnings.join(' ')).toContain('broken.xml')
      for (const one of added) expect(moreOf(one)).toContain('Three buyers today.')
    }
  })

  test('with words between ADF documents is a lead of each, and names one that is broken', async () => {
    const [first, second, third] = [word(), word(), word()]
    const said = 'And the next one, who calls at noon.'
    const two = await postRaw(
      message(from('crm'), `Two buyers.\r\n${adf(first)}\r\n${said}\r\n${adf(second)}\r\nBest`),
      'message/rfc822',
    )
    const added = await Promise.all((two?.leads ?? []).map(({ id }) => leadOf(id)))
    expect(added.map(({ personName }) => personName)).toEqual([first, second])
    for (const one of added) expect(moreOf(one)).toContain(said)
    const broken = adf(word()).replace('</contact>', '')
    const mixedUp = await postRaw(message(from('crm'), `${adf(third)}\r\n${broken}`), 'message/rfc822')
    expect(mixedUp?.leads).toHaveLength(1)
    expect(mixedUp?.warnings.join(' ')).toContain('its text')
    expect(moreOf(await leadOf(mixedUp?.leads[0]?.id ?? ''))).not.toContain('prospect')
  })

  test('with words around an ADF document keeps them with the lead', async () => {
    const words = 'The buyer called & wants delivery on Friday.'
    const [inText, attached, posted] = [word(), word(), word()]
    const inline = await sendRaw(
      message(from('crm'), `${words}\r\n\r\n${adf(inText)}\r\nBest, Dana <dana@crm.example>`),
    )
    expect(inline).toMatchObject({ personName: inText })
    expect(moreOf(inline)).toContain(words)
    expect(moreOf(inline)).toContain('Best, Dana <dana@crm.example>')
    expect(moreOf(inline)).not.toContain('adf')
    const file = part(
      'Content-Type: application/xml; name=lead.xml\r\nContent-Disposition: attachment; filename=lead.xml',
      adf(attached),
    )
    const both = part(
      'Content-Type: multipart/alternative; boundary=B2',
      `--B2\r\nContent-Type: text/plain\r\n\r\nSee below\r\n--B2\r\nContent-Type: text/html\r\n\r\n<p>${words.replace('&', '&amp;')}</p>\r\n--B2--`,
    )
    const withFile = await sendRaw(message([...from('crm'), MIXED], mixed(both, file)))
    expect(withFile).toMatchObject({ personName: attached })
    for (const text of [words, 'See below', 'The Escape']) expect(moreOf(withFile)).toContain(text)
    const contact = withFile.personEmail ?? ''
    expect(JSON.stringify(await ford.call(personData.export, { contact }))).toContain(words)
    const { counts } = await ford.call(personData.find, { contact })
    await ford.call(personData.erase, { contact, confirmed: counts })
    const { rows } = await forecourt.owner.query('select from leads where id = $1 and leads::text like $2', [
      withFile.id,
      `%${words}%`,
    ])
    expect(rows).toHaveLength(0)
    const { adfPath } = await ford.call(inboundAddresses.renewUrls, { id: await ford.addInboundAddress() })
    const { received } = await postInbound(forecourt, adfPath, `${words}\n${adf(posted)}`)
    expect(moreOf(await leadOf(received?.leads[0]?.id))).toContain(words)
    expect(received?.warnings.join(' ')).not.toContain('ignored')
  })

  test.each([
    ['View this mail in HTML', '<p>Is the red one still there?</p>'],
    ['Your program does not show HTML emails.', '<div><b>Is the red one still there?</b></div>'],
    ['See our message below.', '<p>See our message below.</p><p>Is the red one still there?</p>'],
  ])('with only "%s" as its text has the words of its HTML, and loses none', async (text, html) => {
    const alternative = (name: string) =>
      message(
        [...from(name), 'Content-Type: multipart/alternative; boundary=B1'],
        mixed(part('Content-Type: text/plain', text), part('Content-Type: text/html', html)),
      )
    const json = (name: string) =>
      JSON.stringify({
        MessageID: word(),
        From: `${name}@mail.example`,
        Subject: 'The Escape',
        TextBody: text,
        HtmlBody: html,
      })
    for (const lead of [
      await sendRaw(alternative(word())),
      await sendRaw(json(word()), 'application/json'),
    ]) {
      expect(lead.comments).toContain('Is the red one still there?')
      expect(`${lead.comments} ${moreOf(lead)}`).toContain(text)
    }
    const long = 'I saw it on your lot today, and I would like to drive it.'
    const other = await sendRaw(
      json(word()).replace(JSON.stringify(text), JSON.stringify(long)).replace('Is the', 'Is a'),
      'application/json',
    )
    expect(other.comments).toContain(long)
    expect(`${other.comments} ${moreOf(other)}`).toContain('Is a red one still there?')
  })

  test('that is too long says so, and one in JSON has the name in "From"', async () => {
    const received = await postRaw(message(from(word()), `Hello ${'word '.repeat(5_000)}`))
    expect(received?.warnings.join(' ')).toContain('is too long. The rest is only in the original text.')
    const json = (sender: string) =>
      JSON.stringify({ MessageID: word(), From: sender, Subject: 'Hi', TextBody: `Is it there? ${word()}` })
    const name = word()
    for (const [written, read] of [
      [`Dana ${name}`, `Dana ${name}`],
      [`"Doe, Dana ${name}"`, `Doe, Dana ${name}`],
      [`=?utf-8?B?${Buffer.from(`Zoë ${name}`).toString('base64')}?=`, `Zoë ${name}`],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop -- One after the other.
      const lead = await sendRaw(json(`${written} <${word()}@mail.example>`), 'application/json')
      expect(lead.personName).toBe(read)
    }
  })

  test('that forwards another one is a lead of who wrote that, with all words', async () => {
    const [seller, buyer] = [word(), word()]
    const inner = message(
      [`From: "Dana, ${buyer}" <${buyer}@mail.example>`, 'Subject: Question'],
      'Is it red?',
    )
    const sent = message(
      [...from(seller), MIXED],
      mixed(
        part('Content-Type: text/plain', 'Please call her.'),
        part('Content-Type: message/rfc822', inner),
      ),
    )
    const lead = await sendRaw(sent)
    expect(lead).toMatchObject({
      personName: `Dana, ${buyer}`,
      personEmail: `${buyer}@mail.example`.toLowerCase(),
    })
    for (const words of ['Please call her.', 'Is it red?', 'Question']) expect(lead.comments).toContain(words)
    const form = message(
      ['From: Portal <leads@portal.example>', 'Subject: Lead'],
      `Name: ${word()}\nPhone: 916-555-0288\nMessage: Hi`,
    )
    const passedOn = await sendRaw(
      message(
        [...from(seller), MIXED],
        mixed(part('Content-Type: text/plain', 'For you'), part('Content-Type: message/rfc822', form)),
      ),
    )
    expect(passedOn).toMatchObject({ personPhone: '916-555-0288', comments: 'Hi' })
    expect(JSON.stringify(passedOn.document?.more)).toContain('For you')
  })

  test('that answers an email of ours belongs to that lead', async () => {
    const id = await ford.addLead()
    await ford.call(leads.sendEmail, { id, subject: 'Your Escape', text: 'It is still here.' })
    const { rows } = await forecourt.owner.query<{ token: string }>(
      'select reply_token as token from leads where id = $1',
      [id],
    )
    const sent = message(
      [
        `From: buyer@mail.example`,
        `To: Northgate <reply+${rows[0]?.token ?? ''}@in.example>`,
        'Subject: Re: Your Escape',
      ],
      'I come on Saturday.',
    )
    expect(await postRaw(sent)).toMatchObject({ state: 'reply', leads: [{ id, isNew: false }] })
  })

  test('of 25 MB is a lead; one that is empty or has no sender waits for review', async () => {
    const big = part(
      'Content-Type: image/jpeg; name=car.jpg\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename=car.jpg',
      inLines(Buffer.alloc(18_500_000, 7).toString('base64')),
    )
    const name = word()
    const sent = message(
      [...from(name), MIXED],
      mixed(part('Content-Type: text/plain', 'See the photo.'), big),
    )
    const { payload, headers } = multipart({ email: sent }, [])
    expect(await sendRaw(payload, headers['content-type'])).toMatchObject({ personName: name })
    for (const empty of ['', '\r\n', 'Subject: x\r\n\r\nHello'])
      expect(await postRaw(empty)).toMatchObject({ state: 'quarantined', leads: [] })
  }, 60_000)

  test('with 1,000 nested parts or 60 emails within each other is kept for review or is a lead', async () => {
    const deep = Array.from(
      { length: 1_000 },
      (_one, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`,
    )
    const nested = await postRaw(message([...from(word()), deep[0]?.slice(0, -10) ?? ''], deep.join('')))
    expect(['quarantined', 'received']).toContain(nested?.state)
    const within = Array.from({ length: 60 }).reduce<string>(
      (inner) => message([...from('inner'), MIXED], mixed(part('Content-Type: message/rfc822', inner))),
      message(from('last'), 'The last one'),
    )
    expect(await postRaw(within)).toMatchObject({ state: 'received' })
  })
})
