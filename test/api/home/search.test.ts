import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { search } from '#contract/home/search.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { organizations } from '#contract/organizations/organizations.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let ford: TestOrganization
let toyota: TestOrganization
let admin: Caller
let dealer: Caller
let harbor: Caller
let staff: Caller
let vehicle: string
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  toyota = await testOrganization(forecourt, 'Northgate Toyota')
  vehicle = await ford.addVehicle({
    vin: '1FTZX1722XKA76091',
    stock: 'ZQ-4711',
    year: 2031,
    make: 'Zündapp',
    model: 'Q-150',
    trim: 'Super Sport',
  })
  await toyota.addVehicle({ vin: '2T3ZF4DV9BW099999', stock: 'ZQ-4712', make: 'Zündapp', model: 'Q-150' })
  await toyota.addMember({ userName: 'zeno.sister', userType: 'Dealer user', firstName: 'Zeno' })
  await ford.addMember({ userName: 'zeno.here', userType: 'Dealer user', firstName: 'Zeno' })
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  dealer = await forecourt.as('northgate.dealer')
  harbor = await forecourt.as('harbor.admin')
  staff = await forecourt.as('super', 'Forecourt Operations')
})
afterAll(() => forecourt.close())

const found = async (caller: Caller, text: string) =>
  (await caller.call(search.find, { text })).map(({ kind, title }) => `${kind}: ${title}`)

describe('a vehicle', () => {
  test.for([
    '1FTZX1722XKA76091',
    '1ftzx17',
    'xka76091',
    'a76091',
    'zq-4711',
    'zq4711',
    '4711',
    '2031 zün',
    'ZÜNDAPP',
    'q-150 super',
    'q150 zündapp',
    '  sport,   zü  ',
    '"super"',
  ])('is found by %j', async (text) => {
    return expect(await found(dealer, text)).toContain('vehicle: 2031 Zündapp Q-150 Super Sport')
  })

  test.for([
    'ündapp',
    '76091',
    'z',
    'zq-4711 toyota',
    'zq_4711',
    '%',
    "'; drop table vehicles; --",
    '',
    '"',
    '. -',
  ])('is not found by %j', async (text) => {
    expect(await found(dealer, text)).not.toContain('vehicle: 2031 Zündapp Q-150 Super Sport')
  })

  test('shows its stock number and lot, and links to its page', async () => {
    const [result] = await dealer.call(search.find, { text: 'zq-4711' })
    expect(result).toEqual({
      kind: 'vehicle',
      id: vehicle,
      title: '2031 Zündapp Q-150 Super Sport',
      about: expect.stringMatching(/^ZQ-4711, Lot \d+$/),
      path: `/inventory/vehicle-data/${vehicle}`,
    })
  })

  test('of a sister organization is found only with customer reach', async () => {
    expect(await found(admin, 'zq471')).toHaveLength(2)
    expect(await found(dealer, 'zq471')).toHaveLength(1)
    expect(await found(harbor, 'zq471')).toEqual([])
  })

  test('is found by its new words and no longer by its old ones', async () => {
    const id = await ford.addVehicle({ stock: 'OLDNAME1', make: 'Borgward' })
    expect(await found(dealer, 'oldname1 borgward')).toHaveLength(1)
    await forecourt.owner.query(`update vehicles set stock = 'NEWNAME1' where id = $1`, [id])
    expect([await found(dealer, 'oldname1'), await found(dealer, 'newname1 borgward')]).toEqual([
      [],
      ['vehicle: Borgward Focus'],
    ])
    await forecourt.owner.query('delete from vehicles where id = $1', [id])
    expect(await found(dealer, 'newname1')).toEqual([])
  })

  test('moves with its lot to another organization', async () => {
    const lot = await ford.addLot('Wandering yard')
    await ford.addVehicle({ lotId: lot, stock: 'WANDER1' })
    expect(await found(dealer, 'wander')).toHaveLength(2)
    await admin.call(lots.update, { id: lot, organizationId: toyota.organizationId })
    expect(await found(dealer, 'wander')).toEqual([])
    expect(await found(admin, 'wander')).toHaveLength(2)
  })
})

describe('a user', () => {
  test.for(['zeno', 'zeno tester', 'tester zeno', 'zeno.here', 'zeno.here@people.example'])(
    'is found by %j',
    async (text) => {
      expect(await found(await forecourt.as('northgate.admin', 'Northgate Ford'), text)).toContain(
        'person: Zeno Tester',
      )
    },
  )

  test('of a sister organization is not found with organization reach', async () => {
    const manager = await forecourt.as('sofia.marino', 'Northgate Ford')
    expect(await found(manager, 'zeno.here')).toEqual(['person: Zeno Tester'])
    expect(await found(manager, 'zeno.sister')).toEqual([])
    expect(await found(admin, 'zeno.sister')).toEqual(['person: Zeno Tester'])
  })

  test('is found where they became a member, and no longer where they stopped being one', async () => {
    const manager = await forecourt.as('sofia.marino', 'Northgate Ford')
    const id = await toyota.addMember({ userName: 'wandering.person', userType: 'Dealer user' })
    await forecourt.owner.query('insert into memberships values ($1, $2, $3)', [
      ford.customerId,
      id,
      ford.organizationId,
    ])
    expect(await found(manager, 'wandering.person')).toHaveLength(1)
    expect(await found(admin, 'wandering.person')).toHaveLength(1)
    await forecourt.owner.query('delete from memberships where user_id = $1', [id])
    expect(await found(manager, 'wandering.person')).toEqual([])
    expect(await found(admin, 'wandering.person')).toHaveLength(1)
    await forecourt.owner.query('delete from users where id = $1', [id])
    expect(await found(admin, 'wandering.person')).toEqual([])
  })

  test('is not found by users who cannot list users', async () => {
    expect(await found(dealer, 'zeno')).toEqual([])
  })
})

test('a lot is found by name, code and city', async () => {
  for (const text of ['northgate pre', 'ngp', 'west sacr']) {
    expect(await found(dealer, text)).toContain('lot: Northgate Pre-Owned')
  }
  expect(await found(dealer, 'NGT')).toEqual([])
})

test('an organization is found by name and links to its page, or to the list if out of reach', async () => {
  const results = await admin.call(search.find, { text: 'northgate toyota' })
  expect(results.find(({ kind }) => kind === 'organization')).toMatchObject({
    title: 'Northgate Toyota',
    id: toyota.organizationId,
    path: `/organizations/${toyota.organizationId}`,
  })
  const keeper = await forecourt.as('northgate.sustain', 'Northgate Ford')
  const sister = await keeper.call(search.find, { text: 'northgate toyota' })
  expect(sister.find(({ kind }) => kind === 'organization')?.path).toBe('/organizations')
  const renamed = await admin.call(organizations.save, { id: toyota.organizationId, name: 'Quokka Motors' })
  expect(await found(admin, 'quok')).toEqual(['organization: Quokka Motors'])
  await admin.call(organizations.save, { ...renamed, name: 'Northgate Toyota' })
})

test('customers are found by platform staff only', async () => {
  expect(await staff.call(search.find, { text: 'harb' })).toContainEqual(
    expect.objectContaining({
      kind: 'customer',
      title: 'Harbor Auto Collective',
      path: expect.stringMatching(/^\/customers\?customer=\d+$/),
    }),
  )
  expect(
    (await admin.call(search.find, { text: 'harb auto' })).filter(({ kind }) => kind === 'customer'),
  ).toEqual([])
  expect(
    (await admin.call(search.find, { text: 'northgate motor' })).filter(({ kind }) => kind === 'customer'),
  ).toEqual([])
})

test('returns at most five of each kind, vehicles first', async () => {
  const results = await admin.call(search.find, { text: 'no' })
  const kinds = results.map(({ kind }) => kind)
  expect(
    Math.max(...[...Map.groupBy(kinds, (kind) => kind).values()].map((group) => group.length)),
  ).toBeLessThanOrEqual(5)
  expect(kinds).toEqual(
    kinds.toSorted(
      (one, other) =>
        ['vehicle', 'lot', 'person', 'organization'].indexOf(one) -
        ['vehicle', 'lot', 'person', 'organization'].indexOf(other),
    ),
  )
})

test('every demo record has search words, and every search word has a record', async () => {
  const { rows } = await forecourt.owner.query(`
    with wanted as (
      select r.customer_id, r.kind, r.record_id, r.organization_id, f.word from search.records r
      cross join lateral (select word from search.words_of(r.texts) union select fold_case(w) from unnest(r.whole) w where w <> '') f)
    select count(*)::int as differences from (
      (select customer_id, kind, record_id, organization_id, word from wanted
        except select customer_id, kind, record_id, organization_id, word from search_words)
      union all
      (select customer_id, kind, record_id, organization_id, word from search_words
        except select customer_id, kind, record_id, organization_id, word from wanted)) d`)
  expect(rows).toEqual([{ differences: 0 }])
})
