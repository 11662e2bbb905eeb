import { afterAll, beforeAll, expect, test } from 'vitest'
import { leads } from '#contract/leads/leads/leads.ts'
import { submissions } from '#contract/marketing/forms/submissions.ts'
import { clock } from '#server/clock.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let ford: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
})
afterAll(() => forecourt.close())

const buyer = (name: string) => ({ firstName: name, lastName: 'Example', email: `${name}@mail.example` })

test('a lead waits for its first response, which is measured once', async () => {
  const id = await ford.addLead()
  const before = await ford.call(leads.get, { id })
  expect(before).toMatchObject({ status: 'delivered', outcome: 'open', isLate: false })
  expect(before.waitsUntil).toBe(before.respondBy)
  clock.advance(4 * 60_000)
  const answered = await ford.call(leads.logCall, { id, result: 'reached', text: 'Comes on Saturday.' })
  expect(answered).toMatchObject({ waitsUntil: null, responseSeconds: 240, isMine: true })
  clock.advance(60_000)
  const again = await ford.call(leads.sendEmail, { id, subject: 'Saturday', text: 'See you then.' })
  expect(again.firstResponseAt).toBe(answered.firstResponseAt)
  expect(again.timeline.map(({ kind }) => kind)).toEqual(['received', 'routed', 'call', 'message-out'])
  expect(again.timeline.at(-1)?.message).toMatchObject({ text: 'See you then.', delivery: 'kept' })
})

test('a voicemail and a note are no response', async () => {
  const id = await ford.addLead()
  await ford.call(leads.logCall, { id, result: 'voicemail' })
  const noted = await ford.call(leads.addNote, { id, text: 'Speaks Spanish.' })
  expect(noted.firstResponseAt).toBeNull()
  expect(noted.waitsUntil).not.toBeNull()
})

test('a lead about a vehicle has the price that answers state, with the sentence of the price law', async () => {
  const vehicleId = await ford.addVehicle({ priceCents: 2_000_000 })
  await forecourt.prices.workDue()
  const id = await ford.addLead({ vehicleId })
  const { vehicle } = await ford.call(leads.get, { id })
  expect(vehicle?.totalCents).toBeGreaterThanOrEqual(2_000_000)
  const shown = ((vehicle?.totalCents ?? 0) / 100).toLocaleString('en-US')
  expect(vehicle?.priceText).toContain(`is $${shown}. `)
})

test('the same person about the same vehicle again is a duplicate of the first lead', async () => {
  const vehicleId = await ford.addVehicle()
  const person = buyer(fresh('Twice').replaceAll(' ', ''))
  const first = await ford.addLead({ ...person, vehicleId })
  const second = await ford.call(leads.get, { id: await ford.addLead({ ...person, vehicleId }) })
  expect(second).toMatchObject({ status: 'duplicate', duplicateOfId: first, waitsUntil: null })
  const { timeline, personId, otherLeads } = await ford.call(leads.get, { id: first })
  expect(timeline.at(-1)).toMatchObject({ kind: 'duplicate', data: { leadId: second.id } })
  expect(personId).toBe(second.personId)
  expect(otherLeads).toMatchObject([{ id: second.id, isDuplicate: true }])
})

test('the list starts with the least time left, and its queues count what they show', async () => {
  const late = await ford.addLead()
  clock.advance(20 * 60_000)
  const before = await ford.call(leads.counts, {})
  const waiting = await ford.addLead({ isMine: true })
  const { results } = await ford.call(leads.list, { filter: '!isTest && outcome == "open"' })
  const ids = (results ?? []).map(({ id }) => id)
  expect(ids).toContain(waiting)
  expect(ids.indexOf(late)).toBeLessThan(ids.indexOf(waiting))
  expect(results?.find(({ id }) => id === late)).toMatchObject({ isLate: true })
  const after = await ford.call(leads.counts, {})
  expect(after).toEqual({
    ...before,
    mine: before.mine + 1,
    open: before.open + 1,
    all: before.all + 1,
    waiting: before.waiting + 1,
  })
  expect(after.late).toBeGreaterThan(0)
})

test('a finished form is a lead with its consent, in the same transaction, and they are linked', async () => {
  const form = await ford.addForm({ replySubject: 'Thank you', replyText: 'We will answer.' })
  const submissionId = await ford.addSubmission(form, { fields: { news: '1' } })
  const submission = await ford.call(submissions.get, { id: submissionId })
  const lead = await ford.call(leads.get, { id: submission.leadId ?? '' })
  expect(lead).toMatchObject({
    submissionId,
    sourceKind: 'form',
    formId: form.id,
    personName: submission.senderName,
    type: 'general',
    consents: [{ kind: 'given', purpose: 'marketing', channel: 'email', textVersion: 1 }],
  })
  const { text } = await ford.call(leads.source, { id: lead.id })
  expect(JSON.parse(text ?? '')).toEqual(submission.answers)
  // An automatic reply is no response.
  expect(lead.timeline.map(({ kind }) => kind)).toEqual(['received', 'consent', 'routed', 'auto-reply'])
  expect(lead.waitsUntil).not.toBeNull()
})

test('a submission in quarantine is a lead once it is released', async () => {
  const id = await ford.addSubmission(undefined, { isBot: true })
  expect(await ford.call(submissions.get, { id })).toMatchObject({ state: 'quarantined', leadId: null })
  const { leadId } = await ford.call(submissions.release, { id })
  const lead = await ford.call(leads.get, { id: leadId ?? '' })
  expect(lead.submissionId).toBe(id)
  expect(lead.status).not.toBe('quarantined')
})
