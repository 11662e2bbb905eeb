import { afterAll, beforeAll, expect, test } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { auth } from '#contract/identity/auth.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { placeOf, type Place } from '#test/factories/places.ts'
import { readClaims } from '#test/factories/identity/sessions.ts'
import { skinsOf } from '#test/factories/identity/impersonations.ts'

let forecourt: TestApp
let ford: Place
let skins: ReturnType<typeof skinsOf>
beforeAll(async () => {
  forecourt = await testApp()
  ford = await placeOf(forecourt, 'Northgate Ford')
  skins = skinsOf(forecourt)
})
afterAll(() => forecourt.close())

let made = 0
type Pair = { helper: string; worn: string; own: Caller; skin: Caller }

/** Somebody of one organization in the skin of somebody of the same, both new. */
async function whileImpersonating(): Promise<Pair> {
  made += 1
  const [helper, worn] = [`helper.${made}`, `worn.${made}`]
  const rights = [[8, 1] as const]
  await skins.addTester(ford, { userName: helper, rights: [[4, 7], ...rights] })
  await skins.addTester(ford, { userName: worn, rights })
  const own = await forecourt.as(helper)
  return { helper, worn, own, skin: await skins.become(own, worn) }
}

const change = (text: string, values: unknown[]) => forecourt.owner.query(text, values)
const TYPE = 'select user_type_id from users where user_name = $1'

test('a skin goes on while both hold what they held', async () => {
  const { skin } = await whileImpersonating()
  await expect(skin.call(lots.list, {})).resolves.toBeDefined()
  expect((await skin.call(auth.me, {})).impersonation).not.toBeNull()
})

test.for([
  [
    'whoever wears it may impersonate no more',
    `delete from user_type_permissions where func = 4 and user_type_id = (${TYPE})`,
    'helper',
  ],
  [
    'whoever wears it lost a right that the other holds',
    `delete from user_type_permissions where func = 8 and user_type_id = (${TYPE})`,
    'helper',
  ],
  [
    'the other was given a right that whoever wears it does not hold',
    `insert into user_type_permissions (customer_id, user_type_id, func, opr)
    select customer_id, user_type_id, 8, 5 from users where user_name = $1`,
    'worn',
  ],
  [
    'the other reaches the whole customer now',
    `update user_types set reach = 'customer' where id = (${TYPE})`,
    'worn',
  ],
  [
    'whoever wears it left the organization',
    'delete from memberships where user_id = (select id from users where user_name = $1)',
    'helper',
  ],
] as const)('where %s, the next request is by themselves, and it is noted once', async ([, text, who]) => {
  const pair = await whileImpersonating()
  await change(text, [pair[who]])
  await expect(pair.skin.call(lots.add, { name: 'Late', code: 'LTE' })).toRefuse(409, 'another organization')
  const seen = await Promise.all([pair.skin.call(auth.me, {}), pair.skin.call(auth.me, {})])
  expect(seen.map(({ impersonation }) => impersonation)).toEqual([null, null])
  const { accessToken } = await forecourt.anonymous.call(auth.refreshToken, { token: pair.skin.token ?? '' })
  expect(readClaims(accessToken).impersonateUserName).toBe(pair.helper)
  expect(await skins.told(pair.worn, 'stopped acting as them: they may not any more')).toHaveLength(1)
})

test('a super user who is none any more is back in their own skin', async () => {
  const staff = await forecourt.as('super', 'Forecourt Operations')
  const skin = await skins.become(staff, 'northgate.dealer')
  await change('update users set is_super = false where user_name = $1', ['super'])
  const seen = await skin.call(auth.me, {})
  await change('update users set is_super = true where user_name = $1', ['super'])
  expect(seen.impersonation).toBeNull()
})
