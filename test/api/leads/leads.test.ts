import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerTemplates } from '#contract/leads/reply-templates/answer-templates.ts'
import { customerDetails } from '#contract/customers/details/details.ts'
import { pricingRules } from '#contract/pricing/rules/pricing-rules.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { people } from '#contract/leads/people/people.ts'
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
  // The clock goes on while the test runs.
  expect(answered).toMatchObject({
    waitsUntil: null,
    responseSeconds: expect.closeTo(250, -1.5),
    isMine: true,
  })
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
  // Discounts of used vehicles need their cost.
  const vehicleId = await ford.addVehicle({ condition: 'new', priceCents: 2_200_000 })
  await forecourt.prices.workDue()
  const id = await ford.addLead({ vehicleId })
  const disclaimers = [
    { name: 'Used', text: 'Mileage as shown.', appliesTo: 'used' as const },
    { name: 'New', text: 'Freight is included.', appliesTo: 'new' as const },
  ]
  await ford.call(customerDetails.update, { disclaimers })
  const { vehicle } = await ford.call(leads.get, { id })
  expect(vehicle?.priceDisclaimers).toEqual(['Freight is included.'])
  expect(vehicle?.totalCents).toBeGreaterThanOrEqual(2_000_000)
  const shown = ((vehicle?.totalCents ?? 0) / 100).toLocaleString('en-US')
  expect(vehicle?.priceText).toContain(`is $${shown}. `)
  // A rule that the stored price doesn't include yet.
  const rule = await ford.call(pricingRules.add, {
    name: fresh('Sale'),
    kind: 'discount',
    cents: 100_000,
    lotIds: [(await ford.call(vehicles.get, { id: vehicleId })).lotId],
  })
  const after = (await ford.call(leads.get, { id })).vehicle
  expect(after?.totalCents).toBe((vehicle?.totalCents ?? 0) - 100_000)
  expect(after?.priceText).toContain(`is $${((after?.totalCents ?? 0) / 100).toLocaleString('en-US')}. `)
  await ford.call(pricingRules.remove, { id: rule.id })
})

test('the server checks what an email about a vehicle says, and the timeline says what was sent anyway', async () => {
  const vehicleId = await ford.addVehicle({ condition: 'new', priceCents: 2_200_000 })
  await forecourt.prices.workDue()
  const id = await ford.addLead({ vehicleId })
  const { vehicle } = await ford.call(leads.get, { id })
  const write = (text: string, more = {}) =>
    ford.call(leads.sendEmail, { id, subject: 'Your question', text, ...more })
  await expect(write('Yes, it is.')).toRefuse(
    400,
    'The first written answer about a vehicle states its total price.',
  )
  const priced = `Yes, it is. ${vehicle?.priceText}`
  await expect(write(`${priced} Or take it for 19,500.`)).toRefuse(
    400,
    '“19,500”: This is below the total price',
  )
  const { timeline } = await write(priced)
  expect(timeline.at(-1)?.data.text).toBeUndefined()
  await expect(write('It is $299 a month.')).toRefuse(400, 'A monthly payment also needs')
  const sent = await write('It is $299 a month.', { sendsAnyway: true })
  expect(sent.timeline.at(-1)).toMatchObject({ kind: 'message-out' })
  expect(sent.timeline.at(-1)?.data.text).toContain('“$299 a month”: A monthly payment also needs')
  // Not the first answer anymore.
  await write('See you on Saturday.')
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
  const more = ({ count, url }: (typeof before)['open']) => ({ count: count + 1, url })
  expect(after).toEqual({
    ...before,
    mine: more(before.mine),
    open: more(before.open),
    all: more(before.all),
    waiting: more(before.waiting),
  })
  expect(after.late.count).toBeGreaterThan(0)
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

describe('a lead in quarantine', () => {
  const addSpam = async (fields: Record<string, string> = {}) => {
    const submissionId = await ford.addSubmission(undefined, { isBot: true, fields })
    const { leadId } = await ford.call(submissions.get, { id: submissionId })
    return { submissionId, id: leadId ?? '' }
  }
  const queued = async (queue: 'quarantined' | 'open') => (await ford.call(leads.counts, {}))[queue].count

  test('waits with its reasons, is neither routed nor counted, and changes no one', async () => {
    const email = `${fresh('same').replaceAll(' ', '')}@mail.example`
    const known = await ford.call(leads.get, { id: await ford.addLead({ firstName: 'Vera', email }) })
    const [quarantined, open] = [await queued('quarantined'), await queued('open')]
    const { id } = await addSpam({ name: 'Vera Example', email, phone: '(916) 555-0123' })
    const lead = await ford.call(leads.get, { id })
    expect(lead).toMatchObject({
      status: 'quarantined',
      suspicions: ['noPage'],
      waitsUntil: null,
      ownerId: null,
    })
    expect(lead.timeline.map(({ kind }) => kind)).toEqual(['received', 'quarantined'])
    expect(lead.personId).not.toBe(known.personId)
    expect((await ford.call(leads.get, { id: known.id })).person.phone).toBeNull()
    expect(await queued('quarantined')).toBe(quarantined + 1)
    expect(await queued('open')).toBe(open)
    await expect(ford.call(leads.sendEmail, { id, subject: 'Hi', text: 'Hi' })).toRefuse(409, 'quarantine')
    await expect(ford.call(leads.logCall, { id, result: 'reached' })).toRefuse(409, 'quarantine')
    await expect(ford.call(leads.accept, { id })).toRefuse(409, 'quarantine')
  })

  test('is routed once it is released, its person is the one they were before, and its time counts from then', async () => {
    const email = `${fresh('real').replaceAll(' ', '')}@mail.example`
    const known = await ford.call(leads.get, {
      id: await ford.addLead({ firstName: 'Real', email, type: 'used' }),
    })
    const { id, submissionId } = await addSpam({ name: 'Real Example', email })
    clock.advance(3 * 3_600_000)
    const released = await ford.call(leads.release, { id })
    expect(released).toMatchObject({ status: 'delivered', personId: known.personId, isLate: false })
    expect(released.timeline.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['quarantined', 'released', 'routed', 'merged']),
    )
    expect(await ford.call(submissions.get, { id: submissionId })).toMatchObject({
      state: 'received',
      leadId: id,
    })
    clock.advance(2 * 60_000)
    const answered = await ford.call(leads.logCall, { id, result: 'reached' })
    expect(answered.responseSeconds).toBeLessThan(180)
    await expect(ford.call(leads.release, { id })).toRefuse(409, 'not in quarantine')
  })

  test('is released with its submission, and is a duplicate if the buyer asked again meanwhile', async () => {
    const email = `${fresh('again').replaceAll(' ', '')}@mail.example`
    const { id, submissionId } = await addSpam({ name: 'Ada Again', email })
    const sent = await ford.addSubmission(undefined, { fields: { name: 'Ada Again', email } })
    const first = (await ford.call(submissions.get, { id: sent })).leadId ?? ''
    // The forms of the tests are of several stores.
    await forecourt.owner.query(
      'update leads set lot_id = (select lot_id from leads where id = $2) where id = $1',
      [id, first],
    )
    expect((await ford.call(submissions.release, { id: submissionId })).state).toBe('received')
    expect(await ford.call(leads.get, { id })).toMatchObject({ status: 'duplicate', duplicateOfId: first })
  })

  test('keeps the person whom a user chose before it was released', async () => {
    const email = `${fresh('chosen').replaceAll(' ', '')}@mail.example`
    await ford.addLead({ firstName: 'Cho', lastName: 'Sen', email })
    const chosen = await ford.call(leads.get, { id: await ford.addLead() })
    const { id } = await addSpam({ name: 'Cho Sen', email })
    const { personId } = await ford.call(leads.get, { id })
    await ford.call(people.merge, { keptId: chosen.personId, mergedId: personId })
    expect((await ford.call(leads.release, { id })).personId).toBe(chosen.personId)
    expect((await ford.call(leads.get, { id: chosen.id })).personId).toBe(chosen.personId)
  })

  test('is deleted with what it came in and its person, alone or with all that are listed, but never a released one', async () => {
    const [one, two, three] = [await addSpam(), await addSpam(), await addSpam()]
    const { personId } = await ford.call(leads.get, { id: one.id })
    const kept = await ford.addLead()
    const harbor = await testOrganization(forecourt, 'Harbor Honda')
    const ids = [one.id, two.id, kept]
    expect(await harbor.call(leads.discard, { ids })).toEqual({ deleted: 0 })
    expect(await ford.call(leads.discard, { ids })).toEqual({ deleted: 2 })
    await expect(ford.call(submissions.get, { id: one.submissionId })).toRefuse(404)
    expect((await ford.call(leads.get, { id: kept })).status).not.toBe('quarantined')
    const { rows } = await forecourt.owner.query('select from people where id = $1', [personId])
    expect(rows).toHaveLength(0)
    await ford.call(submissions.remove, { id: three.submissionId })
    await expect(ford.call(leads.get, { id: three.id })).toRefuse(404)
  })
})

describe('answer templates', () => {
  test('name only variables that exist, and an email never leaves with one that was not filled in', async () => {
    const name = fresh('Template')
    await expect(ford.call(answerTemplates.add, { name, text: 'Hello {first}' })).toRefuse(
      400,
      "{first} isn't a variable",
    )
    const added = await ford.call(answerTemplates.add, { name, text: 'Hello {firstName}. {price}' })
    expect(await ford.call(answerTemplates.list, {})).toContainEqual(added)
    await expect(ford.call(answerTemplates.add, { name, text: 'Hello' })).toRefuse(409, 'already')
    const id = await ford.addLead()
    await expect(ford.call(leads.sendEmail, { id, subject: 'Price', text: 'Hello. {price}' })).toRefuse(
      400,
      'Replace {price} first',
    )
  })

  test('a stale change of one is refused', async () => {
    const { id, version } = await ford.call(answerTemplates.add, { name: fresh('Template'), text: 'One' })
    await ford.call(answerTemplates.update, { id, version, text: 'Two' })
    await expect(ford.call(answerTemplates.update, { id, version, text: 'Three' })).toRefuse(409)
  })
})
