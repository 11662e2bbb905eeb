import { afterAll, beforeAll, expect, test } from 'vitest'
import { leadDestinations } from '#contract/leads/destinations/lead-destinations.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { views } from '#contract/lists/views.ts'
import { personData } from '#contract/leads/people/person-data.ts'
import { KEPT_TEXTS } from '#server/leads/people/person-mentions.ts'
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

test('no text of any table keeps the address or number of an erased person', async () => {
  const { email, national, name } = newPerson()
  await ford.addLead({ firstName: name, email, phone: national })
  const { rows: columns } = await forecourt.owner.query<{ tableName: string; name: string; type: string }>(
    `select a.attrelid::regclass::text as "tableName", quote_ident(a.attname) as name, a.atttypid::regtype::text as type
     from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
       and a.attgenerated = '' and a.atttypid in ('text'::regtype, 'varchar'::regtype, 'jsonb'::regtype, 'text[]'::regtype)
       and exists (select from pg_attribute o where o.attrelid = c.oid and o.attname = 'customer_id')
     order by 1, 2`,
  )
  const marked: string[] = []
  for (const { tableName, name: column, type } of columns) {
    const value = {
      jsonb: `jsonb_build_object('notes', jsonb_build_array($1::text))`,
      'text[]': 'array[$1::text]',
    }[type]
    if (tableName in KEPT_TEXTS) continue
    // oxlint-disable no-await-in-loop -- One connection.
    await forecourt.owner.query('begin')
    await forecourt.owner.query(`alter table ${tableName} disable trigger user`)
    const isMarked = await forecourt.owner
      .query(
        `update ${tableName} set ${column} = ${value ?? '$1'} where ctid = (select t.ctid from ${tableName} t
         where t.customer_id = $2 order by t.ctid limit 1)`,
        [
          `Ask ${email} or (${national.slice(0, 3)}) ${national.slice(3, 6)}-${national.slice(6)}.`,
          ford.customerId,
        ],
      )
      // What a constraint refuses can't be stored.
      .then(
        ({ rowCount }) => rowCount === 1,
        () => false,
      )
    if (isMarked) await forecourt.owner.query(`alter table ${tableName} enable trigger user`)
    await forecourt.owner.query(isMarked ? 'commit' : 'rollback')
    // oxlint-enable no-await-in-loop
    if (isMarked) marked.push(`${tableName}.${column}`)
  }
  expect(marked.length).toBeGreaterThan(200)
  expect(await tablesWith(email)).toContain('vehicles')
  await erase(email)
  expect(
    (await tablesWith(email, `${national.slice(3, 6)}-${national.slice(6)}`)).filter(
      (table) => !(table in KEPT_TEXTS),
    ),
  ).toEqual([])
})

test('searches for a make, or for others with a part of the name, stay; another person with the number is named', async () => {
  const { email, phone, name } = newPerson()
  await ford.addLead({ firstName: name, lastName: 'Maverick', email, phone })
  await ford.addVehicle({ make: 'Ford', model: 'Maverick' })
  await ford.addLead({
    firstName: 'Other',
    lastName: `Mave ${phone}`,
    email: `${fresh('o').replaceAll(' ', '')}@mail.example`,
  })
  const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  const add = (search: string) =>
    admin.call(views.add, { list: 'leads', name: fresh('Search'), scope: 'private', state: { search } })
  for (const search of ['Ford Maverick', `${name} Maverick`, name]) await add(search)
  const { left } = await erase(email)
  expect(left).toEqual(expect.arrayContaining([expect.objectContaining({ isKept: true })]))
  const searches = (await admin.call(views.list, { list: 'leads' })).map(({ state }) => JSON.stringify(state))
  expect(searches.filter((one) => one.includes('Maverick'))).toEqual([
    expect.stringContaining('Ford Maverick'),
  ])
  expect(searches.filter((one) => one.includes(name))).toEqual([])
})

test('an address that leads are sent to stays, and every place where it stays is named', async () => {
  const { email, name } = newPerson()
  await ford.addLead({ firstName: name, lastName: 'Ode', email })
  const other = await ford.addLead({ firstName: 'Someone', comments: `Forward to ${email}` })
  const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  await admin.call(leadDestinations.add, {
    kind: 'email',
    name: fresh('Desk'),
    isActive: false,
    toEmail: email,
  })
  await admin.call(views.add, {
    list: 'leads',
    name: `${name} view`,
    scope: 'private',
    state: { search: name },
  })
  const { mentions } = await ford.call(personData.find, { contact: email })
  expect(mentions).toEqual(expect.arrayContaining([{ what: 'Lead', count: 1, isKept: true }]))
  const { left } = await erase(email)
  expect(left).toEqual(expect.arrayContaining([{ what: 'Lead', count: 1, isKept: true }]))
  expect((await ford.call(leads.get, { id: other })).comments).toContain(email)
  // Their name in a search is only theirs.
  const kept = await admin.call(views.list, { list: 'leads' })
  expect(kept.filter((view) => JSON.stringify(view).includes(name))).toEqual([])
})
