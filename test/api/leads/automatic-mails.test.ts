import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inboundAddresses } from '#contract/leads/inbound/inbound-addresses.ts'
import { inboundMessages } from '#contract/leads/inbound/inbound-messages.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { postInbound } from '#test/factories/leads/add-inbound.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let ford: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
})
afterAll(() => forecourt.close())

async function newAddress() {
  const id = await ford.addInboundAddress()
  return { id, ...(await ford.call(inboundAddresses.renewUrls, { id })) }
}
const word = () => fresh('Auto').replaceAll(' ', '')
type Header = { Name: string; Value: string }
const header = (Name: string, Value: string): Header => ({ Name, Value })
const mail = (more: object = {}, headers: Header[] = []) =>
  JSON.stringify({
    MessageID: word(),
    FromFull: { Email: 'dana@mail.example', Name: 'Dana Sample' },
    Subject: 'The red Escape',
    TextBody: 'Is it still there?',
    Headers: [header('Message-ID', `<${word()}@mail.example>`), ...headers],
    ...more,
  })
const sendMail = (url: string, body: string) => postInbound(forecourt, url, body, 'application/json')
const messagesOf = async (addressId: string) => (await ford.call(inboundMessages.list, { addressId })).results

describe('an email', () => {
  test.each<[string, object, Header[], RegExp]>([
    ['an automatic reply', {}, [header('Auto-Submitted', 'auto-replied')], /automatic reply/],
    ['a bounce', { FromFull: { Email: 'MAILER-DAEMON@mail.example' } }, [], /couldn't be delivered/],
    ['a newsletter', {}, [header('Precedence', 'bulk')], /mailing list/],
    ['a mail loop', {}, [header('X-Loop', 'sales@northgate.example')], /forwarded in a loop/],
    ['an out-of-office notice', { Subject: 'Automatic reply: The Escape' }, [], /out-of-office/],
    ['a failed delivery', {}, [header('X-Failed-Recipients', 'a@mail.example')], /couldn't be delivered/],
    ['a mailing list', {}, [header('List-Id', '<news.example>')], /mailing list/],
  ])(
    'that is %s waits for review, is counted, and becomes a lead with one click',
    async (_name, more, headers, reason) => {
      const { id, mailPath } = await newAddress()
      const sent = mail(more, headers)
      const { status, received } = await sendMail(mailPath, sent)
      expect(status).toBe(200)
      expect(received).toMatchObject({
        state: 'quarantined',
        leads: [],
        reason: expect.stringMatching(reason),
      })
      expect((await sendMail(mailPath, sent)).received).toMatchObject({
        isRepeated: true,
        state: 'quarantined',
      })
      expect(await ford.call(inboundAddresses.get, { id })).toMatchObject({
        automatic: 1,
        quarantined: 1,
        leads: 0,
      })
      const list = await ford.call(inboundMessages.list, { addressId: id })
      expect(list.automatic.count).toBe(1)
      const [message] = list.results
      expect(message).toMatchObject({ repeats: 1, automatic: expect.any(String) })
      expect((await ford.call(inboundMessages.get, { id: message?.id ?? '' })).raw).toContain(
        'Is it still there?',
      )
      const added = await ford.call(inboundMessages.retry, { id: message?.id ?? '', isInquiry: true })
      expect(added).toMatchObject({ state: 'received', leads: [{ isNew: true }] })
      expect(await ford.call(inboundAddresses.get, { id })).toMatchObject({ quarantined: 0, leads: 1 })
    },
  )

  test('that a portal sends to a list for a buyer whom it names is a lead', async () => {
    const { mailPath } = await newAddress()
    const text = `Name: ${word()}\nEmail: ${word()}@mail.example\nComments: Is it there?`
    const headers = [header('Precedence', 'bulk'), header('List-Unsubscribe', '<mailto:x@portal.example>')]
    const { received } = await sendMail(mailPath, mail({ TextBody: text }, headers))
    expect(received).toMatchObject({ state: 'received', leads: [{ isNew: true }] })
  })

  test('that is automatic is dismissed with the others of its address, but not those that came later', async () => {
    const [one, other] = [await newAddress(), await newAddress()]
    const bulk = [header('Precedence', 'bulk')]
    for (const { mailPath } of [one, one, other]) {
      // oxlint-disable-next-line no-await-in-loop -- In this order.
      await sendMail(mailPath, mail({}, bulk))
    }
    const { automatic } = await ford.call(inboundMessages.list, { addressId: one.id })
    expect(automatic.count).toBe(2)
    await sendMail(one.mailPath, mail({}, bulk))
    const upTo = automatic.upTo ?? ''
    expect(await ford.call(inboundMessages.dismissAutomatic, { addressId: one.id, upTo })).toEqual({
      count: 2,
    })
    expect((await messagesOf(one.id)).map(({ state }) => state).toSorted()).toEqual([
      'ignored',
      'ignored',
      'quarantined',
    ])
    expect(await messagesOf(other.id)).toMatchObject([{ state: 'quarantined' }])
  })
})
