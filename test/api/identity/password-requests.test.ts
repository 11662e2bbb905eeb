import { afterAll, beforeAll, expect, test } from 'vitest'
import { kyselyOver, statement } from '#server/database/tenant-transaction.ts'
import { makePasswordRequests } from '#server/identity/passwords/password-requests.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { freshDatabase, type TestDatabase } from '#test/engine/database.ts'
import { mailsTo } from '#test/factories/mail/mails.ts'
import { fresh, testOrganization } from '#test/factories/test-organization.ts'

let database: TestDatabase
let forecourt: TestApp
beforeAll(async () => {
  database = await freshDatabase()
  forecourt = await testApp({}, { database })
})
afterAll(() => forecourt.close())

async function createUser() {
  const place = await testOrganization(forecourt, 'Northgate Ford')
  const userName = fresh('asking').replace(' ', '.')
  return { id: await place.addMember({ userName, userType: 'Dealer user' }), userName }
}
/** Without waiting for background work. */
const ask = (userName: string) =>
  forecourt.app.inject({ method: 'POST', url: '/api/auth/forgot-password', payload: { userName } })

test('responds while the email is still being written', async () => {
  const person = await createUser()
  const { outbox, passwordRequests } = forecourt.identity
  const { compose } = outbox
  let release = (): void => {}
  const isReleased = new Promise<void>((done) => void (release = done))
  outbox.compose = async (...mail) => {
    await isReleased
    return compose(...mail)
  }
  const known = await ask(person.userName)
  const before = await mailsTo(forecourt, person)
  release()
  await passwordRequests.idle()
  outbox.compose = compose
  const unknown = await ask('nobody.at.all')
  expect([known.statusCode, known.body]).toEqual([unknown.statusCode, unknown.body])
  expect([before.length, (await mailsTo(forecourt, person)).length]).toEqual([0, 1])
})

test('handles a request that arrives while others are being claimed right after them', async () => {
  const [first, second] = [await createUser(), await createUser()]
  const taking = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const iam = kyselyOver(async (query) => {
    const answer = await forecourt.iamPool.query(statement(query))
    if (query.sql.includes('update iam.password_requests r set attempts')) {
      taking.resolve()
      await release.promise
    }
    return answer
  })
  const origin = { address: '203.0.113.9', device: 'Firefox on Windows' }
  const requests = makePasswordRequests(() => ({ ...forecourt.identity, iam }))
  await requests.add({ userName: first.userName, email: '', reachesDemo: false, origin })
  await taking.promise
  await requests.add({ userName: second.userName, email: '', reachesDemo: false, origin })
  release.resolve()
  await requests.idle()
  const emails = await Promise.all([first, second].map((person) => mailsTo(forecourt, person)))
  expect(emails.map(({ length }) => length)).toEqual([1, 1])
})

test('runs the same statements for a known and an unknown name', async () => {
  const person = await createUser()
  await forecourt.identity.passwordRequests.stop()
  await ask(person.userName)
  await ask('nobody.at.all')
  const { rows } = await forecourt.owner.query(
    'select user_name, attempts from iam.password_requests order by id desc limit 2',
  )
  expect(rows).toEqual([
    { user_name: 'nobody.at.all', attempts: 0 },
    { user_name: person.userName, attempts: 0 },
  ])
})

test('handles a request left behind by a stopped server once', async () => {
  const person = await createUser()
  await forecourt.identity.passwordRequests.stop()
  await ask(person.userName)
  expect(await mailsTo(forecourt, person)).toEqual([])
  await forecourt.close({ keepsDatabase: true })
  forecourt = await testApp({}, { database })
  const { passwordRequests } = forecourt.identity
  passwordRequests.wake()
  passwordRequests.wake()
  await passwordRequests.idle()
  expect(await mailsTo(forecourt, person)).toHaveLength(1)
  const { rows } = await forecourt.owner.query('select from iam.password_requests')
  expect(rows).toEqual([])
})

test('retries a failed request after a minute, up to five attempts', async () => {
  const person = await createUser()
  const { identity } = forecourt
  const { onError, outbox } = identity
  const { put } = outbox
  const reported: unknown[] = []
  identity.onError = (error) => reported.push(error)
  outbox.put = () => Promise.reject(new Error('no room'))
  await ask(person.userName)
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    await identity.passwordRequests.idle()
    await forecourt.owner.query('delete from iam.request_counts')
    await forecourt.owner.query(
      `update iam.password_requests set next_attempt_at = next_attempt_at - interval '1 minute'`,
    )
    identity.passwordRequests.wake()
  }
  await identity.passwordRequests.idle()
  const { rows } = await forecourt.owner.query('select from iam.password_requests')
  identity.onError = onError
  outbox.put = put
  expect([reported.length, rows]).toEqual([5, []])
})
