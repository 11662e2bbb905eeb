import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { organizations } from '#contract/organizations/organizations.ts'
import { Refused, testApp, type Caller, type TestApp } from '#test/app.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let admin: Caller
let dealer: Caller
let ford: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  dealer = await forecourt.as('northgate.dealer')
  ford = await testOrganization(forecourt, 'Northgate Ford')
})
afterAll(() => forecourt.close())

const namesOf = (rows: readonly { name: string }[]) => rows.map(({ name }) => name)
const OWN = ['Northgate Ford', 'Northgate Toyota']

describe('reading', () => {
  test.for(['all', 'listAll'] as const)(
    '%s returns all organizations of the customer by name',
    async (key) => {
      expect(
        namesOf(await dealer.call(organizations[key], {})).filter((name) => name.startsWith('Northgate')),
      ).toEqual(OWN)
    },
  )

  test('list-all returns only ID and name', async () => {
    const [first] = await dealer.call(organizations.listAll, {})
    expect(Object.keys(first ?? {})).toEqual(['id', 'name'])
  })

  test('the list can be searched and sorted, and returns counts; its parameters are optional', async () => {
    const { results, filteredRows } = await admin.call(organizations.list, { search: 'TOY', sort: '-name' })
    expect([namesOf(results), filteredRows]).toEqual([['Northgate Toyota'], 1])
    expect((await admin.call(organizations.list, {})).totalRows).toBeGreaterThanOrEqual(2)
  })

  test.for([
    ['northgate.sustain', OWN],
    ['northgate.dealer', ['Northgate Ford']],
    ['harbor.admin', ['Harbor Honda']],
  ] as const)(
    'change returns the organizations %s can switch to, even before one is selected',
    async ([userName, names]) => {
      const caller = await forecourt.as(userName)
      expect(namesOf(await caller.call(organizations.change, {}))).toEqual(names)
    },
  )

  test('change returns the organizations of all active customers to platform staff', async () => {
    const staff = await forecourt.as('super')
    await forecourt.owner.query(`update customers set status = 'suspended' where name like 'Harbor%'`)
    const without = await staff.call(organizations.change, {})
    await forecourt.owner.query(`update customers set status = 'active' where name like 'Harbor%'`)
    const choices = await staff.call(organizations.change, {})
    const customers = (rows: typeof choices) => [...new Set(rows.map(({ customerName }) => customerName))]
    expect(customers(choices)).toEqual([
      'Harbor Auto Collective',
      'Northgate Motor Group',
      'Summit Auto Group',
      'Forecourt Platform',
    ])
    expect(customers(without)).toEqual(['Northgate Motor Group', 'Summit Auto Group', 'Forecourt Platform'])
  })
})

describe('saving', () => {
  test('without an ID it creates an organization, and its creator can switch to it', async () => {
    const made = await admin.call(organizations.save, { name: 'Northgate Kia', timeZone: 'America/Denver' })
    expect(made).toEqual({
      id: made.id,
      name: 'Northgate Kia',
      logo: null,
      timeZone: 'America/Denver',
      version: 1,
    })
    expect(namesOf(await admin.call(organizations.change, {}))).toContain('Northgate Kia')
  })

  test('without a time zone it is where its company is', async () => {
    const { timeZone } = await admin.call(organizations.save, { name: fresh('Annex') })
    expect(timeZone).toBe('America/Los_Angeles')
  })

  test('with an ID it updates the given fields, and accepts the response of {id} as is', async () => {
    const made = await admin.call(organizations.save, { id: null, name: fresh('Saved') })
    const renamed = await admin.call(organizations.save, {
      ...made,
      name: 'Renamed',
      logo: 'https://example.com/a.png',
    })
    const cleared = await admin.call(organizations.save, { id: made.id, name: 'Renamed', logo: '' })
    expect([renamed, cleared]).toEqual([
      { ...made, name: 'Renamed', logo: 'https://example.com/a.png', version: 2 },
      { ...made, name: 'Renamed', version: 3 },
    ])
  })

  test('rejects a name that is in use in the customer, ignoring case, on its field', async () => {
    const refused = await admin
      .call(organizations.save, { name: 'northgate TOYOTA' })
      .catch((error: unknown) => error)
    expect(refused instanceof Refused ? refused.refusal : null).toMatchObject({
      message: 'Another organization already has this name.',
      fields: { name: 'This name is already in use.' },
    })
  })

  test('accepts a name that another customer uses', async () => {
    await expect(admin.call(organizations.save, { name: 'Harbor Honda' })).resolves.toMatchObject({
      version: 1,
    })
  })

  test('rejects a stale version with the current organization', async () => {
    const { id } = await admin.call(organizations.save, { name: fresh('Stale') })
    const current = await admin.call(organizations.save, { id, name: fresh('Newer'), version: 1 })
    const refused = await admin
      .call(organizations.save, { id, name: 'Too late', version: 1 })
      .catch((error: unknown) => error)
    expect(refused instanceof Refused ? [refused.status, refused.refusal.current] : null).toMatchObject([
      409,
      current,
    ])
  })

  test.for([
    'javascript:alert(1)',
    'data:text/html;base64,PHA+',
    'data:image/svg+xml;base64,PHN2Zz4=',
    'http://plain.example/a.png',
    'https://x/"onload="',
  ])('rejects the logo %s', async (logo) => {
    await expect(admin.call(organizations.save, { name: fresh('Logo'), logo })).toRefuse(
      400,
      'The logo must be',
    )
  })
})

describe('deleting', () => {
  test('deletes an unused organization with the membership of its creator', async () => {
    const { id } = await admin.call(organizations.save, { name: fresh('Short-lived') })
    await expect(admin.call(organizations.remove, { id })).resolves.toBeNull()
    await expect(admin.call(organizations.get, { id })).toRefuse(404, 'Organization not found.')
  })

  test.for([
    ['1 lot', async (place: TestOrganization): Promise<void> => void (await place.addLot())],
    [
      '2 lots',
      async (place: TestOrganization): Promise<void> => void [await place.addLot(), await place.addLot()],
    ],
    [
      '1 person',
      async (place: TestOrganization): Promise<void> =>
        void (await place.addMember({ userName: fresh('member').replace(' ', '.'), userType: 'Auditor' })),
    ],
  ] as const)('does not delete an organization with %s', async ([uses, fill]) => {
    const { id, name } = await admin.call(organizations.save, { name: fresh('In use') })
    await fill(await testOrganization(forecourt, name))
    await expect(admin.call(organizations.remove, { id })).toRefuse(409, `${name} has ${uses}.`)
    await expect(admin.call(organizations.get, { id })).resolves.toMatchObject({ name })
  })

  test("does not delete the user's current organization", async () => {
    await expect(admin.call(organizations.remove, { id: ford.organizationId })).toRefuse(
      409,
      'You are working in Northgate Ford.',
    )
  })

  test('a session in a deleted organization has no organization right away', async () => {
    const { id, name } = await admin.call(organizations.save, { name: fresh('Closing') })
    const other = await forecourt.as('northgate.admin', name)
    await admin.call(organizations.remove, { id })
    await expect(other.call(organizations.all, {})).toRefuse(403, 'Choose an organization first.')
  })
})
