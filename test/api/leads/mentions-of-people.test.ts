import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditLog } from '#contract/administration/audit-log.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { personData } from '#contract/leads/people/person-data.ts'
import { views } from '#contract/lists/views.ts'
import { reports } from '#contract/reports/reports.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let ford: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
})
afterAll(() => forecourt.close())

/** Numbers of stories end in 0100 to 0199. */
let numbers = 0
const newPerson = () => {
  numbers += 1
  const name = fresh('Quill').replaceAll(' ', '')
  const national = `207555${String(100 + numbers).padStart(4, '0')}`
  return {
    name,
    national,
    email: `${name.toLowerCase()}@mail.example`,
    phone: `+1 (${national.slice(0, 3)}) ${national.slice(3, 6)}-${national.slice(6)}`,
  }
}

/** The tables of the customer in which a text is anywhere. */
async function tablesWith(...words: readonly string[]): Promise<string[]> {
  const { rows } = await forecourt.owner.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'customer_id'
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1`,
  )
  const found: string[] = []
  for (const { name } of rows) {
    // oxlint-disable-next-line no-await-in-loop -- One connection.
    const { rowCount } = await forecourt.owner.query(
      `select from public.${name} t where t::text ilike any ($1) limit 1`,
      [words.map((word) => `%${word}%`)],
    )
    if ((rowCount ?? 0) > 0) found.push(name)
  }
  return found
}

async function erase(contact: string) {
  const { counts } = await ford.call(personData.find, { contact })
  return { counts, ...(await ford.call(personData.erase, { contact, confirmed: counts })) }
}

test(
  'searches for a person in exports, views and the log are erased, and so is who is mentioned in notes',
  { tags: ['release'] },
  async () => {
    const person = newPerson()
    const { email, name, national, phone } = person
    const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
    await ford.addLead({ firstName: name, lastName: 'Ode', email, phone })
    for (const search of [email.toUpperCase(), `${name} Ode`, national.slice(3), `1-${national}`]) {
      const asked = { list: 'leads', format: 'csv', columns: ['personName'], search } as const
      // oxlint-disable-next-line no-await-in-loop -- In order.
      await admin.call(reports.startExport, asked)
      // oxlint-disable-next-line no-await-in-loop -- In order.
      await ford.call(reports.exportList, asked)
    }
    await forecourt.jobs.runDue()
    // What an owner of the lead is told.
    await forecourt.owner.query(
      `insert into outbox_mails (customer_id, user_id, to_name, to_email, subject, text_sealed, message_id, state)
     select customer_id, id, first_name, email, $1, 'sealed', 'of-a-story', 'sent' from users where user_name = 'northgate.admin'`,
      [`New lead: ${name} Ode, 2023 Ford Maverick`],
    )
    await admin.call(views.add, {
      list: 'leads',
      name: `${name} view`,
      scope: 'private',
      state: {
        search: `${name} ${email}`,
        filter: `personEmail == "${email}" || personName == "${name} Ode"`,
      },
    })
    const other = await ford.addLead({
      firstName: 'Someone',
      email: `${fresh('Else').replaceAll(' ', '')}@mail.example`,
      comments: `Husband of ${email}, 207.555 ${national.slice(6)} x4, not x${email}`,
    })
    await ford.call(leads.addNote, {
      id: other,
      text: `Call ${phone} or https://m.example/?e=${email.replace('@', '%40')}`,
    })
    const vehicleId = await ford.addVehicle({ make: 'Ford', model: 'Maverick' })
    const { version } = await ford.call(vehicles.get, { id: vehicleId })
    await ford.call(vehicles.update, {
      id: vehicleId,
      version,
      status: 'hold',
      statusReason: `Held for ${email}`,
    })

    const { mentions, counts } = await ford.call(personData.find, { contact: email })
    expect(mentions).toEqual(
      expect.arrayContaining([
        { what: 'Job', count: 4, isKept: false },
        { what: 'View', count: 1, isKept: false },
        { what: 'Lead', count: 1, isKept: false },
        { what: 'Vehicle', count: 1, isKept: false },
      ]),
    )
    await ford.call(personData.erase, { contact: email, confirmed: counts })
    expect(await tablesWith(`${name} ode`, `"${name}`, ` ${email}`, `"${email}`, national, phone)).toEqual([])
    expect(await ford.call(leads.get, { id: other })).toMatchObject({
      comments: `Husband of [erased], [erased] x4, not x${email}`,
    })
    expect((await ford.call(vehicles.get, { id: vehicleId })).statusReason).toBe('Held for [erased]')
    const [view] = (await admin.call(views.list, { list: 'leads' })).filter((one) =>
      one.name.includes('[erased'),
    )
    expect(view?.state).toEqual({
      search: '[erased] [erased]',
      filter: 'personEmail == "[erased]" || personName == "[erased]"',
    })
    const { results } = await admin.call(auditLog.list, { filter: 'call == "personData.erase"' })
    expect(results[0]).toMatchObject({ what: 'erased the data of a person', kind: 'people' })
  },
)

test('an address that another buyer or the company has, too, stays in their texts', async () => {
  const person = newPerson()
  const spouse = newPerson()
  await ford.addLead({ firstName: person.name, email: person.email, phone: person.phone })
  const id = await ford.addLead({
    firstName: 'Rosalind',
    email: spouse.email,
    phone: person.phone,
    comments: `Call ${person.phone}`,
  })
  await erase(person.email)
  expect((await ford.call(leads.get, { id })).comments).toBe(`Call ${person.phone}`)
})

test('the text of an email to someone else is emptied, and every spelling of a number is found', async () => {
  const { email, national, phone, name } = newPerson()
  await ford.addLead({ firstName: name, email, phone })
  const bob = await ford.addLead({
    firstName: 'Bob',
    email: `${fresh('bob').replaceAll(' ', '')}@mail.example`,
  })
  await ford.call(leads.sendEmail, { id: bob, subject: 'Your question', text: `Please call ${email}` })
  const odd = [
    national.replace(/(\d{3})(\d{3})/, '$1\u2011$2\u2011'),
    national
      .split('')
      .map((digit) => String.fromCodePoint(0xff10 + Number(digit)))
      .join(''),
    email.replace('@', ' @ '),
    email.replace('@', '&#64;'),
  ]
  for (const text of odd) await ford.call(leads.addNote, { id: bob, text })
  const { mentions } = await ford.call(personData.find, { contact: email })
  expect(mentions).toContainEqual({ what: 'Text of an email', count: 1, isKept: false })
  await erase(email)
  const { rows } = await forecourt.owner.query<{ textSealed: string }>(
    `select o.text_sealed as "textSealed" from outbox_mails o join lead_messages m on m.mail_id = o.id where m.lead_id = $1`,
    [bob],
  )
  expect(rows).toEqual([{ textSealed: '' }])
  expect(await tablesWith(...odd)).toEqual([])
})
