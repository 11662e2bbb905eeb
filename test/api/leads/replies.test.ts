import { afterAll, beforeAll, expect, test } from 'vitest'
import { LEAD_QUEUES } from '#contract/leads/inbox/lead-list.ts'
import { leadSettings } from '#contract/leads/inbox/lead-settings.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { takeDueLeadSteps } from '#server/leads/index.ts'
import { type IncomingReply, receiveReply } from '#server/leads/inbox/receive-reply.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { inTenantOf } from '#test/harness/in-tenant.ts'
import { startFakeSmtpServer, type FakeSmtpServer } from '#test/fakes/smtp.ts'

let smtp: FakeSmtpServer
let forecourt: TestApp
let ford: TestOrganization
beforeAll(async () => {
  smtp = await startFakeSmtpServer()
  forecourt = await testApp({
    FORECOURT_SMTP_URL: smtp.url,
    FORECOURT_MAIL_FROM: 'Forecourt <noreply@forecourt.example>',
  })
  ford = await testOrganization(forecourt, 'Northgate Ford')
})
afterAll(async () => {
  await forecourt.close()
  await smtp.close()
})

/** Answers a lead by email. Returns the headers of the email as the buyer gets it. */
async function answer(id: string): Promise<Record<'replyTo' | 'messageId' | 'from' | 'raw', string>> {
  const { personEmail } = await ford.call(leads.sendEmail, { id, subject: 'Your question', text: 'Yes.' })
  await forecourt.outbox.deliver()
  const raw = smtp.emails.findLast(({ to }) => to.includes(personEmail ?? ''))?.raw ?? ''
  const unfolded = raw.replace(/\r\n[ \t]+/g, ' ')
  const header = (name: string) => new RegExp(`^${name}: (.*)\\r$`, 'im').exec(unfolded)?.[1] ?? ''
  return {
    raw: unfolded,
    replyTo: header('Reply-To'),
    messageId: header('Message-ID').replace(/[<>]/g, ''),
    from: header('From'),
  }
}

/** An email arrives at the customer's address. */
const receive = (more: Partial<IncomingReply>, at = ford) =>
  inTenantOf(forecourt, at, (db) =>
    receiveReply(db, {
      fromEmail: 'buyer@mail.example',
      fromName: 'Buyer',
      subject: 'Re: Your question',
      text: 'Saturday at ten?',
      mailboxHash: null,
      messageId: `${Math.random().toString(36).slice(2)}@mail.example`,
      answered: [],
      isAutomatic: false,
      ...more,
    }),
  )

test('without a reply address, answers go to the user who wrote, and the email is from a person', async () => {
  const id = await ford.addLead()
  const before = await ford.call(leads.get, { id })
  expect(before).toMatchObject({ repliesReturn: false, ownAddress: expect.stringContaining('@') })
  const { raw, replyTo, from } = await answer(id)
  expect(replyTo).toBe(before.ownAddress)
  expect(from).toMatch(/^.+ <noreply@forecourt\.example>$/)
  expect(from).not.toContain('Forecourt <')
  expect(raw).not.toMatch(/^Auto-Submitted:/im)
})

test('an answer comes back to its lead by its address or by the email it answers, once', async () => {
  const staff = await forecourt.as('super', 'Northgate Ford')
  await staff.call(leadSettings.update, { replyAddress: 'leads@inbound.northgate.example' })
  const id = await ford.addLead()
  expect(await ford.call(leads.get, { id })).toMatchObject({ repliesReturn: true })
  const { replyTo, messageId } = await answer(id)
  const token = /^leads\+([0-9a-f]{24})@inbound\.northgate\.example$/.exec(replyTo)?.[1] ?? ''
  const byAddress = { mailboxHash: token.toUpperCase(), messageId: 'one@mail.example' }
  expect(await receive(byAddress)).toEqual({ leadId: id, isNew: true })
  expect(await receive(byAddress)).toEqual({ leadId: id, isNew: false })
  expect(await receive({ answered: ['unknown@mail.example', messageId] })).toEqual({
    leadId: id,
    isNew: true,
  })
  const { timeline, unansweredSince } = await ford.call(leads.get, { id })
  expect(timeline.map(({ kind }) => kind)).toEqual([
    'received',
    'routed',
    'message-out',
    'message-in',
    'message-in',
  ])
  expect(timeline.at(-1)?.message).toMatchObject({ direction: 'in', text: 'Saturday at ten?' })
  expect(unansweredSince).not.toBeNull()
  // The next email continues the conversation in the mailbox of the buyer.
  await receive({ mailboxHash: token, messageId: 'latest@mail.example' })
  const next = await answer(id)
  await takeDueLeadSteps({
    queue: forecourt.jobsPool,
    pool: forecourt.appPool,
    put: forecourt.outbox.put,
    base: () => 'https://forecourt.example',
  })
  expect(next.raw).toMatch(/^In-Reply-To: <latest@mail\.example>\r$/im)
  expect(await ford.call(leads.get, { id })).toMatchObject({ unansweredSince: null })
})

test('a buyer who writes again brings a lost lead back to the queues', async () => {
  const id = await ford.addLead()
  const { messageId } = await answer(id)
  await ford.call(leads.setOutcome, { id, outcome: 'lost', lostReason: 'Price' })
  const isOpen = async () =>
    (await ford.call(leads.list, { filter: LEAD_QUEUES.open.rule, pageSize: 200 })).results?.some(
      (lead) => lead.id === id,
    )
  expect(await isOpen()).toBe(false)
  await receive({ answered: [messageId], text: 'I can pay that.' })
  expect(await isOpen()).toBe(true)
})

test('an automatic reply is in the conversation, but the lead does not wait for an answer', async () => {
  const id = await ford.addLead()
  const { messageId } = await answer(id)
  await receive({ answered: [messageId], isAutomatic: true, text: 'I am on vacation.' })
  const lead = await ford.call(leads.get, { id })
  expect(lead.unansweredSince).toBeNull()
  expect(lead.timeline.at(-1)?.message).toMatchObject({ isAutomatic: true, direction: 'in' })
})

test('an email that answers no lead, or one of another customer, is no reply', async () => {
  const id = await ford.addLead()
  const { messageId } = await answer(id)
  const harbor = await testOrganization(forecourt, 'Harbor Honda')
  expect(await receive({ answered: ['unknown@mail.example'], mailboxHash: 'sales' })).toBeNull()
  expect(await receive({ answered: [messageId] }, harbor)).toBeNull()
})

test('an email of the store that comes back is not added to the conversation', async () => {
  const id = await ford.addLead()
  const { messageId, replyTo } = await answer(id)
  const mailboxHash = /\+(\w+)@/.exec(replyTo)?.[1] ?? null
  expect(await receive({ messageId, mailboxHash })).toEqual({ leadId: id, isNew: false })
  const { timeline } = await ford.call(leads.get, { id })
  expect(timeline.map(({ kind }) => kind)).toEqual(['received', 'routed', 'message-out'])
})
