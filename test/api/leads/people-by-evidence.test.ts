import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { search } from '#contract/home/search.ts'
import { inboundAddresses } from '#contract/leads/inbound/inbound-addresses.ts'
import { leadDeliveries } from '#contract/leads/deliveries/lead-deliveries.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { people } from '#contract/leads/people/people.ts'
import { personData } from '#contract/leads/people/person-data.ts'
import { clock } from '#server/clock.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { postInbound } from '#test/factories/leads/add-inbound.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { type Buyer, householdProblems, households } from '#test/suites/households.ts'

let forecourt: TestApp
let ford: TestOrganization
/** Sends documents and emails to an address, and reads their leads. */
let inbound: { adf: (document: string) => Promise<string[]>; mail: (mail: object) => Promise<string> }
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  const id = await ford.addInboundAddress({ sourceName: fresh('Source') })
  const { adfPath, mailPath } = await ford.call(inboundAddresses.renewUrls, { id })
  const leadsOf = async (path: string, body: string, type: string) => {
    const { received, message } = await postInbound(forecourt, path, body, type)
    if (received === null) throw new Error(message ?? 'It was refused.')
    return received.leads.map((lead) => lead.id)
  }
  inbound = {
    adf: (document) => leadsOf(adfPath, document, 'text/xml'),
    mail: async (mail) => (await leadsOf(mailPath, JSON.stringify(mail), 'application/json'))[0] ?? '',
  }
})
afterAll(() => forecourt.close())

const word = () => fresh('Buyer').replaceAll(' ', '')
const address = () => `${word().toLowerCase()}@mail.example`
let lastNumber = 0
/** A number that nobody else has. */
const number = () => `(916) 421-${String((lastNumber += 1)).padStart(4, '0')}`
const get = (id: string) => ford.call(leads.get, { id })

type Sent = {
  name?: string
  emails?: string[]
  phones?: string[]
  vehicle?: string
  comments?: string
  more?: string
}
const prospect = ({ name, emails = [], phones = [], vehicle, comments, more = '' }: Sent) =>
  `<prospect><id source="Acme">${word()}</id><requestdate>2026-11-18T06:00:00-08:00</requestdate>
<vehicle interest="buy" status="used"><year>2021</year><make>Ford</make><model>${vehicle ?? 'Escape'}</model></vehicle>
<customer><contact>${name === undefined ? '' : `<name part="full">${name}</name>`}${emails.map((one) => `<email>${one}</email>`).join('')}${phones
    .map((one) => (one.startsWith('<') ? one : `<phone>${one}</phone>`))
    .join(
      '',
    )}</contact>${comments === undefined ? '' : `<comments>${comments}</comments>`}</customer>${more}</prospect>`
const adf = (...all: Sent[]) =>
  `<?xml version="1.0"?><?adf version="1.0"?><adf>${all.map(prospect).join('')}</adf>`
async function sendLead(sent: Sent) {
  clock.advance(60_000)
  const [id = ''] = await inbound.adf(adf(sent))
  return get(id)
}

describe('a known buyer', () => {
  test('keeps every address and number of each lead; new ones are marked, and answers go to the one used last', async () => {
    const [name, home, work, next] = [word(), address(), address(), address()]
    const [voice, cell, newest] = [number(), number(), number()]
    const full = `${name} Park`
    const first = await sendLead({
      name: full,
      emails: [home, work],
      phones: [voice, `<phone type="cellphone">${cell}</phone>`],
    })
    expect(first.contacts.map(({ value, label, isNew, isUsed }) => [value, label, isNew, isUsed])).toEqual([
      [home, null, false, true],
      [voice, null, false, true],
      [work, null, false, false],
      [cell, 'mobile', false, false],
    ])
    // Known by the second address, with an address and a number that are new.
    const second = await sendLead({ name: full, emails: [work, next], phones: [newest], vehicle: 'Ranger' })
    expect(second.personId).toBe(first.personId)
    expect(second.otherLeads.map(({ id }) => id)).toEqual([first.id])
    const added = second.contacts.filter(({ isNew }) => isNew)
    expect(added.map(({ value, leadId }) => [value, leadId])).toEqual([
      [newest, second.id],
      [next, second.id],
    ])
    expect(second.person).toMatchObject({ email: work, phone: newest })
    await ford.call(leads.sendEmail, { id: second.id, subject: 'Yes', text: 'It is here.' })
    const chosen = await ford.call(leads.sendEmail, {
      id: second.id,
      subject: 'Yes',
      text: 'Here too.',
      toEmail: home,
    })
    const sent = chosen.timeline.flatMap(({ message }) => message?.toEmail ?? [])
    expect(sent).toEqual([work, home])
    await expect(
      ford.call(leads.sendEmail, { id: second.id, subject: 'Yes', text: 'No.', toEmail: address() }),
    ).toRefuse(400, 'addresses of this buyer')
    // Any of them finds both leads, and the person.
    for (const text of [home, next, voice, cell.replaceAll(/\D/g, '')]) {
      // oxlint-disable-next-line no-await-in-loop -- One after the other.
      const { results } = await ford.call(leads.list, { search: text })
      expect(results?.map(({ id }) => id).toSorted()).toEqual([first.id, second.id].toSorted())
    }
    for (const text of [voice, cell.replaceAll(/\D/g, ''), home, next]) {
      // oxlint-disable-next-line no-await-in-loop -- One after the other.
      const found = await ford.call(search.find, { text })
      expect(found).toContainEqual(expect.objectContaining({ kind: 'buyer', id: first.personId }))
    }
    for (const contact of [voice, next]) {
      // oxlint-disable-next-line no-await-in-loop -- One after the other.
      expect((await ford.call(personData.find, { contact })).counts).toMatchObject({ people: 1, leads: 2 })
    }
    const exported = await ford.call(personData.export, { contact: voice })
    for (const value of [home, work, next, voice, cell, newest])
      expect(JSON.stringify(exported.contacts)).toContain(value)
    const { counts } = await ford.call(personData.find, { contact: voice })
    await ford.call(personData.erase, { contact: voice, confirmed: counts })
    const { rows } = await forecourt.owner.query(
      `select value from person_contacts where value = any ($1) union all
        select row_id::text from audit_log where table_name = 'person_contacts' and (before::text || after::text) like any ($2)`,
      [[home, work, next, voice, cell, newest], [home, next].map((one) => `%${one}%`)],
    )
    expect(rows).toEqual([])
  })

  test('is reached where a user chooses, also after another lead, until the choice is taken back', async () => {
    const [name, old, next] = [`${word()} Bell`, address(), address()]
    const phone = number()
    const first = await sendLead({ name, emails: [old], phones: [phone] })
    const [contact] = first.contacts
    await ford.call(people.updateContact, { id: contact?.id ?? '', isPreferred: true, label: 'work' })
    const second = await sendLead({ name, emails: [next], phones: [phone], vehicle: 'Ranger' })
    expect(second).toMatchObject({ personId: first.personId, person: { email: old } })
    expect(second.contacts.find(({ value }) => value === old)).toMatchObject({
      label: 'work',
      isPreferred: true,
    })
    await ford.call(people.updateContact, { id: contact?.id ?? '', isPreferred: false })
    expect((await get(first.id)).person.email).toBe(next)
    // What a user enters is used, and nothing is thrown away.
    const typed = address()
    await ford.call(people.update, { id: first.personId, email: typed })
    const { person, contacts } = await get(second.id)
    expect(person.email).toBe(typed)
    expect(contacts.filter(({ kind }) => kind === 'email').map(({ value }) => value)).toEqual([
      old,
      next,
      typed,
    ])
    expect(contacts.at(-1)?.addedBy).toEqual(expect.any(String))
    const wrong = contacts.find(({ value }) => value === next)
    await ford.call(people.removeContact, { id: wrong?.id ?? '' })
    expect((await get(second.id)).contacts.map(({ value }) => value)).not.toContain(next)
    await expect(
      ford.call(people.addContact, { personId: first.personId, kind: 'email', value: 'no address' }),
    ).toRefuse(400, 'valid email address')
  })

  test('who opted out stays so under an address that is removed', async () => {
    const [old, phone] = [address(), number()]
    const first = await sendLead({ name: `${word()} Bell`, emails: [old], phones: [phone] })
    await ford.call(people.revoke, { id: first.personId, channel: 'email', text: 'By phone' })
    const contact = first.contacts.find(({ kind }) => kind === 'email')
    await ford.call(people.removeContact, { id: contact?.id ?? '' })
    const other = await sendLead({ name: `${word()} Else`, emails: [old] })
    expect(other.personId).not.toBe(first.personId)
    expect(other.channels.find(({ channel }) => channel === 'email')).toMatchObject({ isAllowed: false })
  })
})

describe('two leads', () => {
  test.each<[string, Sent, Sent]>([
    ['a household phone and names that differ by one letter', { name: 'Mark Hall' }, { name: 'Mary Hall' }],
    ['one phone and an initial', { name: 'Olivia Brien' }, { name: 'Sean O’Brien' }],
    ['one phone, and only one has a name', { name: 'Mary Hall' }, {}],
  ])(
    'with %s are two people, both open and routed, and offered as “Same buyer?”',
    async (_what, one, two) => {
      const phone = number()
      const first = await sendLead({ ...one, emails: [address()], phones: [phone] })
      const second = await sendLead({ ...two, emails: [address()], phones: [phone] })
      expect(second.personId).not.toBe(first.personId)
      expect(second).toMatchObject({
        status: 'delivered',
        duplicateOfId: null,
        waitsUntil: expect.any(String),
      })
      const [similar] = await ford.call(people.similar, { id: second.personId })
      expect(similar).toMatchObject({
        id: first.personId,
        evidence: [{ kind: 'phone', value: expect.stringContaining('+1916421') }],
        decided: null,
      })
      expect(similar?.differs).toContainEqual({
        kind: 'email',
        own: second.personEmail,
        other: first.personEmail,
      })
    },
  )

  test('with one email and other names are two people', async () => {
    const email = address()
    const first = await sendLead({ name: 'Jean Roy', emails: [email] })
    const second = await sendLead({ name: 'Joan Roy', emails: [email.toUpperCase()] })
    expect(second.personId).not.toBe(first.personId)
    expect(await ford.call(people.similar, { id: first.personId })).toMatchObject([
      {
        evidence: [{ kind: 'email', value: email }],
        differs: [{ kind: 'name', own: 'Jean Roy', other: 'Joan Roy' }],
      },
    ])
  })

  test('with one name only are not offered; with the same ZIP code they are', async () => {
    const name = `${word()} Smith`
    const one = await get(await ford.addLead({ firstName: name, lastName: null, postalCode: '95814' }))
    await ford.addLead({ firstName: name, lastName: null, postalCode: '96001' })
    expect(await ford.call(people.similar, { id: one.personId })).toEqual([])
    const near = await get(await ford.addLead({ firstName: name, lastName: null, postalCode: '95814' }))
    expect(await ford.call(people.similar, { id: one.personId })).toMatchObject([
      { id: near.personId, evidence: [{ kind: 'postalCode', value: '95814' }] },
    ])
  })

  test.each<[string, Sent, Sent]>([
    ['placeholder numbers', { phones: ['555-555-5555'] }, { phones: ['(555) 555-5555'] }],
    ['zeros', { phones: ['000-000-0000'] }, { phones: ['0000000000'] }],
    ['a placeholder address', { emails: ['test@mail.example'] }, { emails: ['test@mail.example'] }],
    [
      'an address that takes no answers',
      { emails: ['noreply@mail.example'] },
      { emails: ['noreply@mail.example'] },
    ],
    [
      'the address of the provider',
      {
        emails: ['desk@acme.example'],
        more: '<provider><name part="full">Acme</name><email>desk@acme.example</email></provider>',
      },
      {
        emails: ['desk@acme.example'],
        more: '<provider><name part="full">Acme</name><email>desk@acme.example</email></provider>',
      },
    ],
  ])('with %s in common are never one person', async (_what, one, two) => {
    const named = { name: 'Alex Sample' }
    const first = await sendLead({ ...named, ...one, comments: word() })
    const second = await sendLead({ ...named, ...two, comments: word() })
    expect(second.personId).not.toBe(first.personId)
    expect(second).toMatchObject({ status: 'delivered', duplicateOfId: null })
    const offered = await ford.call(people.similar, { id: second.personId })
    expect(offered.flatMap(({ evidence }) => evidence)).not.toContainEqual(
      expect.objectContaining({ kind: expect.stringMatching(/email|phone/) }),
    )
  })

  test('that a portal sends from one address are of the buyers in them, and the portal is nobody', async () => {
    const portal = `desk${word().toLowerCase()}@portal.example`
    const send = (text: string) =>
      inbound.mail({
        MessageID: word(),
        FromFull: { Email: portal, Name: 'Portal' },
        From: portal,
        Subject: 'New lead',
        TextBody: text,
        Date: clock.date().toUTCString(),
      })
    const nora = await get(await send(`Name: Nora Plain\nEmail: ${address()}\nVehicle: 2021 Ford Escape`))
    const two = await get(
      await send(`Name: Tess Two\nEmail: ${address()}\nHome phone: ${number()}\nMobile: ${number()}`),
    )
    expect(two.contacts.flatMap(({ label }) => label ?? [])).toEqual(['home', 'mobile'])
    const plain = [await get(await send('A buyer asked.')), await get(await send('Another buyer asked.'))]
    const ids = new Set([nora, ...plain].map(({ personId }) => personId))
    expect(ids.size).toBe(3)
    for (const lead of plain) expect(lead).toMatchObject({ status: 'delivered', duplicateOfId: null })
  })

  test('of one person at the same moment are one person, and none is lost', async () => {
    const [name, email] = [`${word()} Park`, address()]
    const both = await Promise.all([
      inbound.adf(adf({ name, emails: [email], vehicle: 'Ranger' })),
      inbound.adf(adf({ name, emails: [email], vehicle: 'Bronco' })),
    ])
    const [one, two] = [await get(both[0]?.[0] ?? ''), await get(both[1]?.[0] ?? '')]
    expect(one.id).not.toBe(two.id)
    expect(one.personId).toBe(two.personId)
  })

  test('of one person, one of them broken off halfway, lose nothing and add nothing twice', async () => {
    const [name, email] = [`${word()} Park`, address()]
    const first = await sendLead({ name, emails: [email] })
    const document = adf({ name, emails: [email, address()], vehicle: 'Ranger' })
    // What a killed server leaves behind: its transaction is rolled back after the person was joined.
    await forecourt.owner.query(`create function break_off() returns trigger language plpgsql as
      $$ begin raise exception 'broken off'; end $$;
      create trigger break_off before insert on lead_events for each row when (new.kind = 'merged') execute function break_off()`)
    const counted = async () =>
      (
        await forecourt.owner.query(
          'select (select count(*) from people) as people, (select count(*) from person_contacts) as contacts, (select count(*) from person_merges) as merges',
        )
      ).rows
    const before = await counted()
    expect(await inbound.adf(document).catch(() => [])).toEqual([])
    expect(await counted()).toEqual(before)
    await forecourt.owner.query('drop trigger break_off on lead_events; drop function break_off')
    const [id = ''] = await inbound.adf(document)
    expect(await get(id)).toMatchObject({ personId: first.personId, status: 'delivered' })
    expect((await get(id)).merges).toHaveLength(1)
  })

  test('of two customers are two people', async () => {
    const harbor = await testOrganization(forecourt, 'Harbor Honda')
    const same = { firstName: 'Nina', lastName: word(), email: address(), phone: number() }
    const here = await get(await ford.addLead(same))
    const there = await harbor.call(leads.get, { id: await harbor.addLead(same) })
    expect(there.otherLeads).toEqual([])
    expect(there.personId).not.toBe(here.personId)
    await expect(harbor.call(people.tellApart, { id: there.personId, otherId: here.personId })).toRefuse(404)
  })
})

describe('a duplicate', () => {
  test('reaches the owner and every destination of the first lead once, as an update, and waits for an answer', async () => {
    const sourceName = fresh('Source')
    const targets = []
    for (const kind of ['adf', 'email', 'webhook'] as const) {
      const name = fresh(kind)
      const to = kind === 'webhook' ? { url: 'https://crm.example/hook', toEmail: null } : {}
      // oxlint-disable-next-line no-await-in-loop -- In this order.
      targets.push({ destinationId: await ford.addLeadDestination({ name, kind, ...to }) })
    }
    await ford.addLeadRule({ sources: [sourceName], strategy: 'all', targets, dedupeMinutes: 43_200 })
    const same = { sourceName, firstName: 'Nina', lastName: word(), email: address(), type: 'used' as const }
    const vehicleId = await ford.addVehicle()
    const firstId = await ford.addLead({ ...same, vehicleId, isMine: true })
    await ford.call(leads.logCall, { id: firstId, result: 'reached' })
    const keys = await deliveriesOf(firstId)
    expect(keys.map(({ isUpdate }) => isUpdate)).toEqual([false, false, false])
    clock.advance(60_000)
    const phone = number()
    const secondId = await ford.addLead({ ...same, vehicleId, phone, comments: 'Is it still there today?' })
    expect(await get(secondId)).toMatchObject({ status: 'duplicate', duplicateOfId: firstId })
    expect(await deliveriesOf(secondId)).toEqual([])
    const updates = (await deliveriesOf(firstId)).filter(({ isUpdate }) => isUpdate)
    expect(updates.map(({ kind }) => kind).toSorted()).toEqual(['adf', 'email', 'webhook'])
    const sentAs = async (kind: string) => {
      const { subject, body } = await ford.call(leadDeliveries.content, {
        id: updates.find((one) => one.kind === kind)?.id ?? '',
      })
      expect(body).toContain('Is it still there today?')
      expect(body).toContain(phone)
      return { subject, body }
    }
    const keyOf = (kind: string) => keys.find((one) => one.kind === kind)?.key ?? 'none'
    expect(JSON.parse((await sentAs('webhook')).body)).toMatchObject({
      type: 'lead.updated',
      data: {
        id: firstId,
        firstKey: keyOf('webhook'),
        update: { leadId: secondId, comments: 'Is it still there today?' },
      },
    })
    const document = await sentAs('adf')
    expect(document.subject).toMatch(/^Update: Nina /)
    expect(document.body).toContain('status="resend"')
    expect(document.body).toContain(keyOf('adf'))
    expect((await sentAs('email')).body).toContain('This is an update of a lead that you have already.')
    // A third one is a second update.
    await ford.addLead({ ...same, vehicleId, comments: 'And now?' })
    expect((await deliveriesOf(firstId)).filter(({ isUpdate }) => isUpdate)).toHaveLength(6)
    expect(await get(firstId)).toMatchObject({ unansweredSince: expect.any(String), snoozedUntil: null })
    const { rows } = await forecourt.owner.query(
      `select from lead_notices where lead_id = $1 and kind = 'reply'`,
      [firstId],
    )
    expect(rows).toHaveLength(1)
  })

  test('that a rule sends again is no update as well', async () => {
    const sourceName = fresh('Source')
    const destinationId = await ford.addLeadDestination()
    await ford.addLeadRule({ sources: [sourceName], targets: [{ destinationId }], dedupeMinutes: 0 })
    const same = { sourceName, firstName: 'Nina', lastName: word(), email: address() }
    const vehicleId = await ford.addVehicle()
    const firstId = await ford.addLead({ ...same, vehicleId })
    const secondId = await ford.addLead({ ...same, vehicleId })
    expect(await deliveriesOf(secondId)).toMatchObject([{ isUpdate: false }])
    expect(await deliveriesOf(firstId)).toMatchObject([{ isUpdate: false }])
  })
})

async function deliveriesOf(leadId: string) {
  const { rows } = await forecourt.owner.query<{ id: string; kind: string; key: string; isUpdate: boolean }>(
    'select id::text, kind, key::text, is_update as "isUpdate" from lead_deliveries where lead_id = $1 order by id',
    [leadId],
  )
  return rows
}

describe('a decision about “Same buyer?”', () => {
  test('“Not the same” stays, with who decided it and when, also after either side is merged with someone else', async () => {
    const phone = number()
    const mark = await sendLead({ name: 'Mark Hall', emails: [address()], phones: [phone] })
    const mary = await sendLead({ name: 'Mary Hall', emails: [address()], phones: [phone] })
    await ford.call(people.tellApart, { id: mary.personId, otherId: mark.personId })
    const decided = { at: expect.any(String), byName: expect.any(String) }
    expect(await ford.call(people.similar, { id: mark.personId })).toMatchObject([
      { id: mary.personId, decided },
    ])
    const other = await sendLead({ name: `${word()} Hall`, emails: [address()] })
    await ford.call(people.merge, { keptId: other.personId, mergedId: mary.personId })
    expect(await ford.call(people.similar, { id: mark.personId })).toMatchObject([
      { id: other.personId, decided },
    ])
    // Another lead of Mark is Mark's, and asks nothing.
    const again = await sendLead({ name: 'Mark Hall', phones: [phone], vehicle: 'Ranger' })
    expect(again.personId).toBe(mark.personId)
    const open = (await ford.call(people.similar, { id: again.personId })).filter(
      (one) => one.decided === null,
    )
    expect(open).toEqual([])
  })

  test('a lead that was joined automatically is split: leads, contacts and consents go back, and its duplicate is routed', async () => {
    const [name, email, typo] = [`${word()} Bell`, address(), address()]
    const first = await sendLead({ name, emails: [email] })
    const second = await sendLead({ name, emails: [email, typo], phones: [number()], comments: 'Me again' })
    expect(second).toMatchObject({ status: 'duplicate', duplicateOfId: first.id, personId: first.personId })
    const joined = second.timeline.find(({ kind }) => kind === 'merged')
    expect(joined?.data).toMatchObject({ isAutomatic: true, reasons: ['email', 'name'] })
    const [merge] = second.merges
    expect(merge).toMatchObject({ isAutomatic: true, leadId: second.id })
    await ford.call(people.undoMerge, { id: merge?.id ?? '' })
    const [one, two] = [await get(first.id), await get(second.id)]
    expect(two.personId).not.toBe(one.personId)
    expect(two).toMatchObject({ status: 'delivered', duplicateOfId: null, merges: [] })
    expect(one.contacts.map(({ value }) => value)).toEqual([email])
    expect(two.contacts.map(({ value }) => value)).toContain(typo)
    expect(one.person.phone).toBeNull()
    for (const lead of [one, two]) expect(lead.timeline.map(({ kind }) => kind)).toContain('unmerged')
    // It isn't asked again, but can be joined by hand.
    expect(await ford.call(people.similar, { id: one.personId })).toMatchObject([{ decided: {} }])
    const again = await ford.call(people.merge, { keptId: one.personId, mergedId: two.personId })
    expect(await ford.call(people.similar, { id: one.personId })).toEqual([])
    expect(again).toMatchObject({ isAutomatic: false })
  })

  test('a merge below a later one is split, too, and takes back what it gave', async () => {
    const add = async (postalCode: string | null) =>
      get(await ford.addLead({ firstName: word(), email: address(), postalCode }))
    const [a, b, c] = [await add('95821'), await add(null), await add(null)]
    const inner = await ford.call(people.merge, { keptId: b.personId, mergedId: a.personId })
    await ford.call(people.merge, { keptId: c.personId, mergedId: b.personId })
    expect((await get(a.id)).person).toMatchObject({ id: c.personId, postalCode: '95821' })
    await ford.call(people.undoMerge, { id: inner.id })
    expect((await get(a.id)).person).toMatchObject({
      id: a.personId,
      postalCode: '95821',
      email: a.personEmail,
    })
    expect((await get(b.id)).person).toMatchObject({ id: c.personId, postalCode: null })
  })
})

test('households and placeholders: nobody is merged wrongly, and nobody is unrouted', async () => {
  expect(await problemsOf(households(8))).toEqual([])
})

test('the same holds for 200 more', { tags: ['release'], timeout: 900_000 }, async () => {
  expect(await problemsOf(households(200, 8))).toEqual([])
})

async function problemsOf(all: readonly (readonly Buyer[])[]): Promise<string[]> {
  const problems: string[] = []
  for (const household of all) {
    const ids: string[] = []
    for (const buyer of household)
      for (const sent of buyer.sent)
        // oxlint-disable-next-line no-await-in-loop -- In this order.
        ids.push((await inbound.adf(adf(sent)))[0] ?? '')
    // oxlint-disable-next-line no-await-in-loop -- As above.
    problems.push(...householdProblems(household, await Promise.all(ids.map(get))))
  }
  return problems
}
