import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { auth } from '#contract/identity/auth.ts'
import { setUp } from '#contract/organizations/set-up.ts'
import { makeCaller, testApp, type TestApp } from '#test/app.ts'
import { readClaims, setUpToken } from '#test/factories/identity/sessions.ts'

let empty: TestApp
beforeAll(async () => {
  empty = await testApp()
})
beforeEach(() => empty.owner.query('truncate customers cascade'))
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
  const permissions = await makeCaller(empty.app, accessToken).call(auth.authFunc, {})
  expect([readClaims(accessToken).organizationName, permissions.isSuper]).toEqual(['New Motors', true])
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
