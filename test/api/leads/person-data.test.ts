import { CALL_KEY_HEADER } from '#contract/repeatable-calls.ts'
import { jobs } from '#contract/jobs/jobs.ts'
import { reports } from '#contract/reports/reports.ts'
import { auditLog } from '#contract/administration/audit-log.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { search } from '#contract/home/search.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { people } from '#contract/leads/people/people.ts'
import { personData } from '#contract/leads/people/person-data.ts'
import { submissions } from '#contract/marketing/forms/submissions.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let ford: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
})
afterAll(() => forecourt.close())

const newName = () => fresh('Erased').replaceAll(' ', '')
const auditOf = async (word: string) =>
  (
    await forecourt.owner.query(
      `select id from audit_log where coalesce(before::text, '') || coalesce(after::text, '') ilike '%' || $1 || '%'`,
      [word],
    )
  ).rows.length

test('everything about a person is found by email or phone, exported, and erased after its counts are confirmed', async () => {
  const name = newName()
  const contact = `${name}@mail.example`
  const other = { firstName: 'Someone', lastName: 'Else', email: `${newName()}@mail.example` }
  const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  const id = await ford.addLead({ firstName: name, email: contact, phone: '(916) 555-0142' })
  await ford.call(leads.sendEmail, { id, subject: `For ${name}`, text: 'Yes, it is.' })
  const form = await ford.addForm({ replySubject: 'Thank you', replyText: 'We will answer.' })
  const submissionId = await ford.addSubmission(form, { fields: { email: contact } })
  const kept = await ford.addLead(other)
  const found = await ford.call(personData.find, { contact: contact.toUpperCase() })
  expect(found.counts).toMatchObject({ leads: 2, messages: 2, submissions: 1, emails: 2 })
  expect(await ford.call(personData.find, { contact: '916-555-0142' })).toMatchObject({
    counts: { leads: expect.any(Number) },
  })
  const exported = await ford.call(personData.export, { contact })
  expect(exported.leads).toHaveLength(2)
  expect(JSON.stringify(exported.timeline)).toContain('received')
  expect(JSON.stringify(exported)).not.toMatch(/sealed|reply_token/)
  const logged = await admin.call(auditLog.list, { filter: 'call == "personData.export"' })
  expect(logged.results).toContainEqual(
    expect.objectContaining({ what: 'downloaded everything about a buyer' }),
  )
  const { counts } = found
  await expect(
    ford.call(personData.erase, { contact, confirmed: { ...counts, leads: counts.leads + 1 } }),
  ).toRefuse(409, 'Search again')
  expect(await auditOf(contact)).toBeGreaterThan(0)
  // The answer of a call that was sent with a key.
  const addNote = () =>
    admin.send({
      method: 'POST',
      url: leads.addNote.path,
      payload: { id, text: 'Called' },
      headers: { [CALL_KEY_HEADER]: 'k'.repeat(32) },
    })
  expect((await addNote()).text).toContain(contact)
  // Another user's export, which can be downloaded for a week.
  const columns = ['personName', 'personEmail']
  const job = await admin.call(reports.startExport, { list: 'leads', format: 'csv', columns })
  await forecourt.jobs.runDue()
  const file = () => admin.send({ method: 'GET', url: jobs.download.path.replace('{id}', job.id) })
  expect((await file()).text).toContain(contact)
  expect(await ford.call(personData.erase, { contact, confirmed: counts })).toMatchObject({
    files: expect.any(Number),
  })
  expect(await file()).toMatchObject({ status: 404, text: expect.not.stringContaining(contact) })
  await expect(ford.call(leads.get, { id })).toRefuse(404)
  await expect(ford.call(submissions.get, { id: submissionId })).toRefuse(404)
  expect(await addNote()).toMatchObject({ status: 409, text: expect.not.stringContaining(contact) })
  expect(await auditOf(contact)).toBe(0)
  expect((await ford.call(personData.find, { contact })).counts.people).toBe(0)
  expect((await ford.call(leads.get, { id: kept })).personEmail).toBe(other.email)
})

test('a merge shows the leads of two people as one buyer, and undoing it restores both exactly', async () => {
  const add = async (more: { email: string; phone?: string; postalCode?: string }) => {
    const id = await ford.addLead({ firstName: newName(), ...more })
    return ford.call(leads.get, { id })
  }
  const kept = await add({ email: `${newName()}@mail.example`, postalCode: '95814' })
  const merged = await add({
    email: `${newName()}@mail.example`,
    phone: '(916) 555-0177',
    postalCode: '95821',
  })
  const { id } = await ford.call(people.merge, { keptId: kept.personId, mergedId: merged.personId })
  const shown = await ford.call(leads.get, { id: merged.id })
  // A missing detail is filled in, and none is changed. The address that was used last is used.
  expect(shown.person).toMatchObject({
    id: kept.personId,
    email: merged.person.email,
    phoneE164: '+19165550177',
    postalCode: '95814',
  })
  expect(shown.contacts.map(({ value }) => value)).toEqual([
    kept.person.email,
    merged.person.email,
    '(916) 555-0177',
  ])
  expect(shown.otherLeads.map((other) => other.id)).toEqual([kept.id])
  await ford.call(people.undoMerge, { id })
  for (const before of [kept, merged]) {
    const { person, otherLeads } = await ford.call(leads.get, { id: before.id })
    const { version: _, updatedAt: __, updatedBy: ___, ...own } = before.person
    expect(person).toMatchObject(own)
    expect(otherLeads).toEqual([])
  }
  await expect(ford.call(people.undoMerge, { id })).toRefuse(409, 'already undone')
})

test('an opt-out stays with the address it was given for when the person gets another one', async () => {
  const contact = `${newName()}@mail.example`
  const one = await ford.call(leads.get, { id: await ford.addLead({ firstName: newName(), email: contact }) })
  await ford.call(people.revoke, { id: one.personId, channel: 'email', text: 'By phone' })
  await ford.call(people.update, { id: one.personId, email: `${newName()}@mail.example` })
  const other = await ford.addLead({ firstName: newName(), email: contact })
  for (const id of [one.id, other]) {
    const { channels } = await ford.call(leads.get, { id })
    expect(channels.find(({ channel }) => channel === 'email')).toMatchObject({ isAllowed: false })
  }
})

test('who opted out while two people were one has opted out as both', async () => {
  const add = async () => {
    const id = await ford.addLead({ firstName: newName(), email: `${newName()}@mail.example` })
    return ford.call(leads.get, { id })
  }
  const [kept, merged] = [await add(), await add()]
  const { id } = await ford.call(people.merge, { keptId: kept.personId, mergedId: merged.personId })
  await ford.call(people.revoke, { id: kept.personId, channel: 'email', text: 'Told us on the phone' })
  await ford.call(people.undoMerge, { id })
  for (const one of [kept, merged])
    expect((await ford.call(leads.get, { id: one.id })).consents).toContainEqual(
      expect.objectContaining({ kind: 'revoked', channel: 'email', text: 'Told us on the phone' }),
    )
})

test('who asked not to be emailed is remembered by the address alone', async () => {
  const name = newName()
  const contact = `${name}@mail.example`
  const id = await ford.addLead({ firstName: name, email: contact })
  const { personId } = await ford.call(leads.get, { id })
  await ford.call(people.revoke, { id: personId, channel: 'email', text: 'Unsubscribed' })
  const { counts } = await ford.call(personData.find, { contact })
  expect(await ford.call(personData.erase, { contact, confirmed: counts })).toMatchObject({ kept: 1 })
  const again = await ford.call(leads.get, {
    id: await ford.addLead({ firstName: null, lastName: null, email: contact }),
  })
  expect(again.channels.find(({ channel }) => channel === 'email')).toMatchObject({ isAllowed: false })
  expect(again.personName).toBe(contact)
})

test('the search of the product finds leads by number and vehicle, and buyers by name and phone, of the own store', async () => {
  const name = newName()
  const vehicleId = await ford.addVehicle({ make: 'Ford', model: 'Maverick' })
  const person = { firstName: name, email: `${name}@mail.example`, phone: '(916) 555-0187' }
  const id = await ford.addLead({ ...person, vehicleId })
  const { personId } = await ford.call(leads.get, { id })
  const kinds = async (text: string) =>
    (await ford.call(search.find, { text })).filter(({ kind }) => kind === 'lead' || kind === 'buyer')
  expect(await kinds(name)).toMatchObject([{ kind: 'buyer', id: personId }])
  expect((await kinds('9165550187')).map((one) => one.id)).toContain(personId)
  expect(await kinds(`maverick ${id}`)).toMatchObject([{ kind: 'lead', id }])
  expect((await kinds('555-0187')).map((one) => one.id)).toContain(personId)
  // A user of a sister store finds neither the lead nor the buyer.
  const caller = await forecourt.as('sofia.marino', 'Northgate Toyota')
  expect(await caller.call(search.find, { text: name })).toEqual([])
  await expect(caller.call(leads.get, { id })).toRefuse(404)
  const { results } = await ford.call(leads.list, { filter: `personId == "${personId}"` })
  expect(results?.map((one) => one.id)).toEqual([id])
})
