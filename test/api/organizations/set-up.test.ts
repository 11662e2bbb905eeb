import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { auth } from '#contract/identity/auth.ts'
import { setUp } from '#contract/organizations/set-up.ts'
import { kyselyOver, statement } from '#server/database/tenant-transaction.ts'
import { beginOutgoing } from '#server/home/index.ts'
import { makeCaller, testApp, type TestApp } from '#test/app.ts'
import { setUpFactor } from '#test/factories/identity/second-factor.ts'
import { readClaims, setUpToken } from '#test/factories/identity/sessions.ts'

let empty: TestApp
beforeAll(async () => {
  empty = await testApp()
})
// What was approved can't be emptied, so the triggers that keep it are passed over.
beforeEach(() =>
  empty.owner.query(
    'set session_replication_role = replica; truncate customers cascade; reset session_replication_role',
  ),
)
afterAll(() => empty.close())

const founder = {
  token: setUpToken(),
  company: 'New Motors',
  firstName: 'Nora',
  lastName: 'New',
  userName: 'nora',
  email: 'nora@new.example',
  password: 'NewMotors1!',
  timeZone: 'America/Chicago',
}
async function countCustomers(): Promise<number> {
  const { rows } = await empty.owner.query('select from customers')
  return rows.length
}

test('the one-time link creates the platform customer and its first super user', async () => {
  await empty.anonymous.call(setUp.begin, founder)
  const { accessToken } = await empty.anonymous.call(auth.signIn, {
    username: 'nora',
    password: founder.password,
  })
  // Who may do everything signs in with a second factor, and no email is sent yet.
  const caller = await setUpFactor(empty, makeCaller(empty.app, accessToken))
  const permissions = await caller.call(auth.authFunc, {})
  expect([readClaims(caller.token ?? '').organizationName, permissions.isSuper]).toEqual(['New Motors', true])
  const { rows } = await empty.owner.query('select time_zone from organizations')
  expect(rows).toEqual([{ time_zone: 'America/Chicago' }])
})

test('the link works only once', async () => {
  await empty.anonymous.call(setUp.begin, founder)
  const again = empty.anonymous.call(setUp.begin, { ...founder, userName: 'other', company: 'Other' })
  await expect(again).toRefuse(409, 'already set up')
  expect(await countCustomers()).toBe(1)
})

test('of five concurrent requests, one succeeds', async () => {
  const tries = [1, 2, 3, 4, 5].map((at) =>
    empty.anonymous.call(setUp.begin, { ...founder, userName: `nora${at}` }),
  )
  const outcomes = await Promise.allSettled(tries)
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await countCustomers()).toBe(1)
})

test.for([
  ['another link', { token: setUpToken().toLowerCase() }, 403],
  ['a part of the link', { token: setUpToken().slice(1) }, 403],
  ['letters outside ASCII in the link', { token: 'ö'.repeat(setUpToken().length / 2) }, 403],
  ['a weak password', { password: 'weak' }, 400],
  ['no e-mail address', { email: 'nora' }, 400],
] as const)('creates nothing with %s', async ([, change, status]) => {
  await expect(empty.anonymous.call(setUp.begin, { ...founder, ...change })).toRefuse(status)
  expect(await countCustomers()).toBe(0)
})

test('a restored copy that was never set up can be declared the real installation', async () => {
  await empty.owner.query(
    `insert into iam.installation (install_id, key_check_sealed, restored_at) values ('test', 'x', app_now())
     on conflict (only_row) do update set restored_at = app_now()`,
  )
  const db = kyselyOver((query) => empty.owner.query(statement(query)))
  await empty.owner.query('begin')
  expect(await beginOutgoing(db, { discards: ['emails'] }, null)).toEqual({
    discarded: [{ kind: 'emails', count: 0 }],
  })
  await empty.owner.query('commit')
  const { rows } = await empty.owner.query('select restored_at from iam.installation')
  expect(rows).toEqual([{ restored_at: null }])
})
