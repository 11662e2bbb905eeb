import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { users } from '#contract/identity/users/users.ts'
import { views, type View } from '#contract/lists/views.ts'
import { refusalOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let ford: TestOrganization
let harbor: TestOrganization
let dealer: Caller
let admin: Caller
let auditor: Caller
let demo: Record<string, number | null>[]
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  harbor = await testOrganization(forecourt, 'Harbor Honda')
  dealer = await forecourt.as('northgate.dealer')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  auditor = await forecourt.as('northgate.auditor')
  demo = await Promise.all(['vehicles', 'lots', 'users'].map((list) => admin.call(views.counts, { list })))
})
afterAll(() => forecourt.close())
beforeEach(() => forecourt.owner.query('delete from list_views'))

const namesOf = async (caller: Caller, list = 'lots') =>
  (await caller.call(views.list, { list })).map(({ name }) => name)
const add = (caller: Caller, name: string, more: object = {}): Promise<View> =>
  caller.call(views.add, { list: 'lots', name, state: {}, ...more })

test('the views of the demo world are valid, and most have rows', () => {
  const counts = demo.flatMap((one) => Object.values(one))
  expect(counts).toEqual([1, 2, 3, 4, 5].map(() => expect.any(Number)))
  expect(counts.filter((count) => count !== 0).length).toBeGreaterThanOrEqual(4)
})

test('a view stores exactly how a list is shown', async () => {
  const state = {
    search: 'north',
    filter: 'isPublic == true',
    sort: '-updatedAt,name',
    columns: ['name', 'city', 'code'],
    widths: { name: 320 },
    density: 'compact',
    size: 0,
  } as const
  const added = await add(dealer, 'Mine', { state })
  expect(added).toMatchObject({
    list: 'lots',
    name: 'Mine',
    scope: 'private',
    ownerName: 'Luis Ortega',
    isMine: true,
    lock: null,
    isDefault: false,
    state,
    version: 1,
  })
  expect(await dealer.call(views.list, { list: 'lots' })).toEqual([added])
})

test('private views are visible to their owner, organization views to the organization, type views to the user type', async () => {
  const type = await ford.userType('Auditor')
  await add(dealer, 'Private')
  await add(dealer, 'For Ford', { scope: 'organization' })
  await add(dealer, 'For dealers', { scope: 'userType' })
  await add(admin, 'For auditors', { scope: 'userType', userTypeId: type })
  expect(await namesOf(dealer)).toEqual(['Private', 'For Ford', 'For dealers'])
  expect(await namesOf(auditor)).toEqual(['For Ford', 'For auditors'])
  expect(await namesOf(admin)).toEqual(['For Ford', 'For auditors'])
  expect(await namesOf(await forecourt.as('northgate.admin', 'Northgate Toyota'))).toEqual(['For auditors'])
  expect(await namesOf(await forecourt.as('harbor.dealer'))).toEqual([])
})

test('sharing requires a permission that users who only read do not have', async () => {
  const own = await add(auditor, 'Mine')
  for (const scope of ['organization', 'userType'] as const) {
    await expect(add(auditor, 'Shared', { scope })).toRefuse(403, 'Shared views, create (51, 3)')
    await expect(auditor.call(views.update, { id: own.id, scope })).toRefuse(
      403,
      'Shared views, create (51, 3)',
    )
  }
  await auditor.call(views.update, { id: own.id, name: 'Still mine' })
  // Shared before the permission was taken: it can be made private or deleted, but no longer changed for others.
  await forecourt.owner.query(
    `update list_views set scope = 'organization', organization_id = $1 where id = $2`,
    [ford.organizationId, own.id],
  )
  await expect(auditor.call(views.update, { id: own.id, name: 'Theirs' })).toRefuse(403, 'Shared views')
  await auditor.call(views.update, { id: own.id, scope: 'private' })
  await auditor.call(views.remove, { id: own.id })
  expect(await namesOf(dealer)).toEqual([])
})

test('sharing with another user type requires administering user types, and a type of the same customer', async () => {
  const type = await ford.userType('Auditor')
  await expect(add(dealer, 'Theirs', { scope: 'userType', userTypeId: type })).toRefuse(
    403,
    'User types, administer (3, 8)',
  )
  const foreign = await harbor.userType('Auditor')
  await expect(add(admin, 'Foreign', { scope: 'userType', userTypeId: foreign })).toRefuse(
    400,
    'Choose a user type of this customer.',
  )
  // Platform staff have no user type in the customer they work in.
  const staff = await forecourt.as('super', 'Northgate Ford')
  await expect(add(staff, 'Staff', { scope: 'userType' })).toRefuse(400, 'Choose a user type')
  expect(await add(staff, 'Staff', { scope: 'organization' })).toMatchObject({ isMine: true })
})

test('a shared view can be changed by its owner and by users who administer user types, and by no other user', async () => {
  const { id, version } = await add(dealer, 'Shared', { scope: 'organization' })
  const [seen] = await auditor.call(views.list, { list: 'lots' })
  expect(seen).toMatchObject({
    isMine: false,
    lock: 'Only Luis Ortega and users who administer user types can change this view.',
  })
  await expect(auditor.call(views.update, { id, name: 'Taken' })).toRefuse(403, 'Only Luis Ortega')
  await expect(auditor.call(views.remove, { id })).toRefuse(403)
  expect(await admin.call(views.update, { id, version, name: 'Renamed' })).toMatchObject({
    name: 'Renamed',
    version: 2,
  })
  const stale = await refusalOf(dealer.call(views.update, { id, version, name: 'Too late' }))
  expect(stale).toMatchObject({ status: 409, refusal: { current: { name: 'Renamed', version: 2 } } })
  await admin.call(views.remove, { id })
  expect(await namesOf(dealer)).toEqual([])

  const own = await add(dealer, 'Private')
  await expect(admin.call(views.update, { id: own.id, name: 'Seen' })).toRefuse(404, 'View not found.')
})

test('names are unique within a scope, ignoring case', async () => {
  await add(dealer, 'Same')
  await expect(add(dealer, 'SAME')).toRefuse(409, 'This name is already in use.')
  await add(dealer, 'Same', { scope: 'organization' })
  await add(admin, 'Same')
  await expect(add(admin, 'same', { scope: 'organization' })).toRefuse(409)
  const other = await add(dealer, 'Other')
  await expect(dealer.call(views.update, { id: other.id, scope: 'organization', name: 'Same' })).toRefuse(409)
})

test('fields the list does not have for its author are rejected by name', async () => {
  for (const [state, text] of [
    [{ columns: ['name', 'cost'] }, 'There is no column cost.'],
    [{ sort: '-cost' }, 'Cannot sort by cost.'],
    [{ filter: 'cost > 1' }, 'cost'],
    [{ filter: 'stock ==' }, 'at character'],
  ] as const) {
    await expect(dealer.call(views.add, { list: 'vehicles', name: fresh('No'), state })).toRefuse(400, text)
  }
})

test('a reader gets the parts available to them: other columns and sorts are dropped, the rule stays and counts nothing', async () => {
  const state = {
    columns: ['name', 'cost', 'price'],
    widths: { cost: 90, price: 90 },
    sort: '-cost,stock',
    filter: 'cost > 1',
  }
  const { id } = await admin.call(views.add, {
    list: 'vehicles',
    name: 'Costly',
    scope: 'organization',
    state,
  })
  const [seen] = await dealer.call(views.list, { list: 'vehicles' })
  expect(seen?.state).toEqual({
    columns: ['name', 'price'],
    widths: { price: 90 },
    sort: 'stock',
    filter: 'cost > 1',
  })
  expect(await dealer.call(views.counts, { list: 'vehicles' })).toEqual({ [id]: null })
  expect(Object.keys(await admin.call(views.counts, { list: 'vehicles' }))).toEqual([id])
  // A field that the product no longer has.
  await forecourt.owner.query(`update list_views set state = '{"columns": ["gone"], "filter": "gone == 1"}'`)
  const [old] = await admin.call(views.list, { list: 'vehicles' })
  expect(old?.state).toEqual({ filter: 'gone == 1' })
  expect(await admin.call(views.counts, { list: 'vehicles' })).toEqual({ [id]: null })
})

test('views are counted with the permissions of the caller', async () => {
  const word = fresh('Counted')
  const toyota = await testOrganization(forecourt, 'Northgate Toyota')
  for (const name of ['a', 'b']) await ford.addLot(`${word} ${name}`)
  await toyota.addLot(`${word} c`)
  const { id } = await add(dealer, 'Counted', { scope: 'organization', state: { search: word } })
  const all = await add(dealer, 'All')
  const { totalRows } = await dealer.call(lots.list, {})
  expect(await dealer.call(views.counts, { list: 'lots' })).toEqual({ [id]: 2, [all.id]: totalRows })
  expect(await admin.call(views.counts, { list: 'lots' })).toEqual({ [id]: 3 })
})

test('a list has one default view per user', async () => {
  const one = await add(dealer, 'One', { scope: 'organization' })
  const two = await add(dealer, 'Two')
  const defaults = async (caller: Caller) =>
    (await caller.call(views.list, { list: 'lots' })).flatMap(({ name, isDefault }) =>
      isDefault ? [name] : [],
    )
  await dealer.call(views.setDefault, { list: 'lots', id: one.id })
  await dealer.call(views.setDefault, { list: 'lots', id: two.id })
  await auditor.call(views.setDefault, { list: 'lots', id: one.id })
  expect([await defaults(dealer), await defaults(auditor), await defaults(admin)]).toEqual([
    ['Two'],
    ['One'],
    [],
  ])
  await dealer.call(views.remove, { id: two.id })
  await auditor.call(views.setDefault, { list: 'lots', id: null })
  expect([await defaults(dealer), await defaults(auditor)]).toEqual([[], []])
  await expect(auditor.call(views.setDefault, { list: 'lots', id: two.id })).toRefuse(404)
  await expect(dealer.call(views.setDefault, { list: 'vehicles', id: one.id })).toRefuse(
    404,
    'View not found.',
  )
})

test('views of a list require the permission to read it', async () => {
  await expect(dealer.call(views.list, { list: 'users' })).toRefuse(403, 'Users, list (2, 1)')
  await expect(dealer.call(views.add, { list: 'users', name: 'No', state: {} })).toRefuse(403)
  await expect(dealer.call(views.list, { list: 'nothing' })).toRefuse(404, 'List not found.')
  const shared = await admin.call(views.add, {
    list: 'users',
    name: 'People',
    scope: 'organization',
    state: {},
  })
  await expect(dealer.call(views.update, { id: shared.id, name: 'No' })).toRefuse(403)
})

test('platform staff get no counts for views of cross-customer lists, but can save them', async () => {
  const staff = await forecourt.as('super', 'Northgate Ford')
  const state = { filter: 'status == "active"' }
  const { id } = await staff.call(views.add, { list: 'customers', name: 'Active', state })
  expect(await staff.call(views.counts, { list: 'customers' })).toEqual({ [id]: null })
})

test('a user can have at most fifty views of one list, even when saved concurrently', async () => {
  await forecourt.owner.query(
    `insert into list_views (customer_id, list, name, scope, owner_user_id, owner_name)
    select customer_id, 'lots', 'View ' || n, 'private', id, 'Luis Ortega' from users, generate_series(1, 49) n
    where user_name = 'northgate.dealer'`,
  )
  const outcomes = await Promise.allSettled([add(dealer, 'Fiftieth'), add(dealer, 'Last')])
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  await expect(add(dealer, 'More')).toRefuse(409, 'You already have 50 views of this list.')
  expect(await dealer.call(views.add, { list: 'vehicles', name: 'Other list', state: {} })).toMatchObject({
    version: 1,
  })
})

test('an organization and a user type can share at most a hundred views of one list', async () => {
  const owner = await forecourt.as('northgate.admin', 'Northgate Ford')
  const first = await owner.call(views.add, {
    list: 'users',
    name: 'First',
    scope: 'organization',
    state: {},
  })
  await forecourt.owner.query(
    `insert into list_views (customer_id, list, name, scope, organization_id, owner_user_id, owner_name)
    select v.customer_id, v.list, 'Shared ' || n, v.scope, v.organization_id, u.id, 'Luis Ortega'
    from list_views v join users u on u.customer_id = v.customer_id and u.user_name = 'northgate.dealer',
      generate_series(1, 99) n where v.id = $1`,
    [first.id],
  )
  const refusal = 'This organization already shares 100 views of this list. Delete one first.'
  const input = { list: 'users', state: {} }
  await expect(owner.call(views.add, { ...input, name: 'One more', scope: 'organization' })).toRefuse(
    409,
    refusal,
  )
  const { id } = await owner.call(views.add, { ...input, name: 'My own' })
  await expect(owner.call(views.update, { id, scope: 'organization' })).toRefuse(409, refusal)
  await owner.call(views.update, { id: first.id, name: 'Renamed', scope: 'organization' })
  await owner.call(views.update, { id, scope: 'userType' })
})

test("a deleted user's own views are deleted, and shared ones stay", async () => {
  const userId = await ford.addMember({ userName: 'view.owner', userType: 'Dealer user' })
  const owner = await forecourt.as('view.owner')
  const own = await add(owner, 'Own')
  await owner.call(views.setDefault, { list: 'lots', id: own.id })
  await add(owner, 'Left behind', { scope: 'organization' })
  await admin.call(users.remove, { id: userId })
  const { rows } = await forecourt.owner.query<{ name: string; owner_name: string }>(
    'select name, owner_name from list_views',
  )
  expect(rows).toEqual([{ name: 'Left behind', owner_name: 'Sam Tester' }])
})
