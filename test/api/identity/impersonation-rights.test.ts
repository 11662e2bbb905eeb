import { afterAll, beforeAll, expect, test } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { auth } from '#contract/identity/auth.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { readClaims } from '#test/factories/identity/sessions.ts'
import { impersonationsOf } from '#test/factories/identity/impersonations.ts'

let forecourt: TestApp
let ford: TestOrganization
let impersonations: ReturnType<typeof impersonationsOf>
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  impersonations = impersonationsOf(forecourt)
})
afterAll(() => forecourt.close())

let pairs = 0
type Pair = { helper: string; target: string; own: Caller; impersonated: Caller }

/** A new user impersonating another new user of the same organization. */
async function startImpersonation(): Promise<Pair> {
  pairs += 1
  const [helper, target] = [`helper.${pairs}`, `target.${pairs}`]
  const rights = [[8, 1] as const]
  await impersonations.addTester(ford, { userName: helper, rights: [[4, 7], ...rights] })
  await impersonations.addTester(ford, { userName: target, rights, below: helper })
  const own = await forecourt.as(helper)
  return { helper, target, own, impersonated: await impersonations.impersonate(own, target) }
}

const change = (text: string, values: unknown[]) => forecourt.owner.query(text, values)
const TYPE = 'select user_type_id from users where user_name = $1'

test('impersonation continues while permissions are unchanged', async () => {
  const { impersonated } = await startImpersonation()
  await expect(impersonated.call(lots.list, {})).resolves.toBeDefined()
  expect((await impersonated.call(auth.me, {})).impersonation).not.toBeNull()
})

test.for([
  [
    'the impersonator lost the permission to impersonate',
    `delete from user_type_permissions where func = 4 and user_type_id = (${TYPE})`,
    'helper',
  ],
  [
    'the impersonator lost a permission that the user has',
    `delete from user_type_permissions where func = 8 and user_type_id = (${TYPE})`,
    'helper',
  ],
  [
    'the user got a permission that the impersonator lacks',
    `insert into user_type_permissions (customer_id, user_type_id, func, opr)
    select customer_id, user_type_id, 8, 5 from users where user_name = $1`,
    'target',
  ],
  [
    'the user got access to all organizations',
    `update user_types set reach = 'customer' where id = (${TYPE})`,
    'target',
  ],
  [
    'the impersonator left the organization',
    'delete from memberships where user_id = (select id from users where user_name = $1)',
    'helper',
  ],
] as const)('when %s, the next request ends the impersonation, logged once', async ([, text, who]) => {
  const pair = await startImpersonation()
  await change(text, [pair[who]])
  await expect(pair.impersonated.call(lots.add, { name: 'Late', code: 'LTE' })).toRefuse(
    409,
    'another organization',
  )
  const seen = await Promise.all([pair.impersonated.call(auth.me, {}), pair.impersonated.call(auth.me, {})])
  expect(seen.map(({ impersonation }) => impersonation)).toEqual([null, null])
  const { accessToken } = await forecourt.anonymous.call(auth.refreshToken, {
    token: pair.impersonated.token ?? '',
  })
  expect(readClaims(accessToken).impersonateUserName).toBe(pair.helper)
  expect(
    await impersonations.entriesOf(pair.target, 'stopped acting as them: no longer allowed'),
  ).toHaveLength(1)
})

test('impersonation ends when the impersonator is no longer a super user', async () => {
  const staff = await forecourt.as('super', 'Forecourt Operations')
  const impersonated = await impersonations.impersonate(staff, 'northgate.dealer')
  await change('update users set is_super = false where user_name = $1', ['super'])
  const seen = await impersonated.call(auth.me, {})
  await change('update users set is_super = true where user_name = $1', ['super'])
  expect(seen.impersonation).toBeNull()
})
