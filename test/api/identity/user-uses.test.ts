import { afterAll, beforeAll, expect, test } from 'vitest'
import { feedSources } from '#contract/feeds/sources/feed-sources.ts'
import { users } from '#contract/identity/users/users.ts'
import { userTypes } from '#contract/identity/user-types/user-types.ts'
import { leadDestinations } from '#contract/leads/destinations/lead-destinations.ts'
import { views } from '#contract/lists/views.ts'
import { USER_USES } from '#server/identity/users/user-uses.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let place: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  place = await testOrganization(forecourt, 'Northgate Ford')
})
afterAll(() => forecourt.close())

/** References to users that a deletion empties and doesn't mention, with reasons. */
const UNMENTIONED = [
  'assessment_participants.user_id', // an invitation by email, which stays
  'data_requests.data_owner_id', // keeps the name; its source is mentioned
  'lead_messages.by_user_id',
  'lead_moves.by_user_id', // history, with the name
  'leads.first_responder_id', // history, with the name
  'past_leads.owner_id', // figures of former leads
]

test('a deletion mentions each kind of record that it leaves without the user', async () => {
  const { rows } = await forecourt.owner.query<{ key: string }>(`
    select f.conrelid::regclass || '.' || a.attname as key from pg_constraint f
    join pg_attribute a on a.attrelid = f.conrelid and a.attnum = any(f.confdelsetcols)
    where f.contype = 'f' and f.conparentid = 0 and f.confdeltype = 'n' and f.confrelid = 'users'::regclass order by 1`)
  const mentioned = USER_USES.flatMap(({ columns }) => columns)
  expect(rows.map(({ key }) => key).filter((key) => !mentioned.includes(key))).toEqual(UNMENTIONED)
})

test('a user is not deleted while an active lead destination would be left with no one', async () => {
  const [one, other] = [await place.createUser(), await place.createUser()]
  const name = fresh('Team')
  const add = (more: object) =>
    place.call(leadDestinations.add, leadDestinations.add.input.parse({ name, kind: 'team', ...more }))
  const team = await add({ memberIds: [one, other] })
  expect(await place.call(users.uses, { id: one })).toEqual({
    uses: [{ noun: 'lead destination', total: 1, names: [name] }],
    refusal: null,
  })
  await place.call(users.remove, { id: one })
  const refusal = `No one would be left in the team ${name}. Choose someone else there first, or pause it.`
  expect((await place.call(users.uses, { id: other })).refusal).toBe(refusal)
  await expect(place.call(users.remove, { id: other })).toRefuse(409, refusal)
  await place.call(leadDestinations.update, { id: team.id, isActive: false })
  await place.call(users.remove, { id: other })
})

test('two users of a team who are deleted at once do not leave it empty', async () => {
  const ids = [await place.createUser(), await place.createUser()]
  const input = { name: fresh('Team'), kind: 'team', memberIds: ids }
  await place.call(leadDestinations.add, leadDestinations.add.input.parse(input))
  const results = await Promise.allSettled(ids.map((id) => place.call(users.remove, { id })))
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('a user type says which saved views are deleted with it', async () => {
  const type = await place.call(userTypes.add, {
    userType: { name: fresh('Type'), reach: 'customer' },
  })
  const name = fresh('View')
  await place.call(views.add, { list: 'lots', name, scope: 'userType', userTypeId: type.id, state: {} })
  expect(await place.call(userTypes.get, { id: type.id })).toMatchObject({ sharedViews: [name] })
})

test('a feed source that runs with the permissions of a user is named before they are deleted', async () => {
  const userName = fresh('feeds').replaceAll(' ', '.').toLowerCase()
  const id = await place.addMember({ userName, userType: 'Customer administrator' })
  const own = await forecourt.as(userName, 'Northgate Ford')
  const name = fresh('Source')
  await own.call(feedSources.add, { name, kind: 'upload', lotIds: [await place.addLot()] })
  expect((await place.call(users.uses, { id })).uses).toEqual([
    { noun: 'feed source that runs with their permissions', total: 1, names: [name] },
  ])
})
