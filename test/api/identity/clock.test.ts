import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { auth } from '#contract/identity/auth.ts'
import { channels } from '#contract/channels/channels/channels.ts'
import { feedSources } from '#contract/feeds/sources/feed-sources.ts'
import { clock } from '#server/clock.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { mailsTo, wordIn } from '#test/factories/mail/mails.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

let forecourt: TestApp
let ford: TestOrganization
let began: Date
beforeAll(async () => {
  began = clock.date()
  forecourt = await testApp({
    FORECOURT_DEMO: '1',
    FORECOURT_TOKEN_SECONDS: '7200',
    FORECOURT_IDLE_SECONDS: '1800',
    FORECOURT_IDLE_WARNING_SECONDS: '20',
  })
  ford = await testOrganization(forecourt, 'Northgate Ford')
  // The demo data has channels and feeds with schedules.
  await forecourt.owner.query('delete from channels')
  await forecourt.owner.query('update feed_source_states set next_run_at = null')
})
afterEach(() => clock.set(began))
afterAll(() => forecourt.close())

const signIn = () => forecourt.as('northgate.admin', 'Northgate Ford')

describe('when the clock moves', () => {
  test('a token expires at its exp claim', async () => {
    const other = await testApp({ FORECOURT_TOKEN_SECONDS: '1200' })
    try {
      const admin = await other.as('northgate.admin', 'Northgate Ford')
      clock.advance(19 * MINUTE)
      await admin.call(auth.me, {})
      clock.advance(2 * MINUTE)
      await expect(admin.call(auth.me, {})).toRefuse(401, 'Your session has ended. Sign in again.')
    } finally {
      await other.close()
    }
  })

  test('a session without activity ends after the idle time, its warning and a minute', async () => {
    const admin = await signIn()
    clock.advance(31 * MINUTE + 15_000)
    await admin.call(auth.me, {})
    clock.advance(10_000)
    await expect(admin.call(auth.me, {})).toRefuse(401, 'because of inactivity')
  })

  test('the link in a password email expires', async () => {
    const userName = fresh('late').replace(' ', '.')
    const id = await ford.addMember({ userName, userType: 'Dealer user' })
    await forecourt.anonymous.call(auth.forgotPassword, { userName })
    const [mail] = await mailsTo(forecourt, { id })
    const resetValue = wordIn(mail)
    clock.advance(29 * MINUTE)
    await expect(forecourt.anonymous.call(auth.checkReset, { resetValue })).resolves.toMatchObject({
      userName,
    })
    clock.advance(2 * MINUTE)
    await expect(forecourt.anonymous.call(auth.checkReset, { resetValue })).toRefuse(400, 'has expired')
  })

  test('a channel becomes due every N hours', async () => {
    const admin = await signIn()
    const { id } = await admin.call(
      channels.add,
      channels.add.input.parse({
        name: fresh('Channel'),
        kind: 'csv',
        destination: 'pull',
        rule: 'stock == "no such vehicle"',
        pageTemplate: 'https://www.northgate.example/cars/{stock}',
        everyHours: 6,
      }),
    )
    await forecourt.channels.workDue()
    const before = await runsOf(admin, id)
    clock.advance(6 * HOUR - MINUTE)
    await forecourt.channels.workDue()
    expect(await runsOf(await signIn(), id)).toBe(before)
    clock.advance(2 * MINUTE)
    await forecourt.channels.workDue()
    expect(await runsOf(await signIn(), id)).toBe(before + 1)
  })

  test("a feed becomes due at its time of day in the customer's time zone", async () => {
    // Eight in the evening in Sacramento, four in the morning in UTC.
    clock.set('2026-11-19T04:00:00Z')
    const admin = await signIn()
    const { id } = await admin.call(
      feedSources.add,
      feedSources.add.input.parse({
        name: fresh('Feed'),
        kind: 'https',
        host: 'localhost',
        port: 9,
        remotePath: '/stock.csv',
        secret: 'word',
        lotIds: [await ford.addLot()],
        dailyAt: '21:30',
      }),
    )
    // What is saved is fetched at once; nothing listens there.
    await forecourt.feeds.workDue()
    await forecourt.owner.query(
      `update feed_source_states set failures = 0, next_run_at = '2026-11-19T05:30:00Z' where source_id = $1`,
      [id],
    )
    const before = await deliveriesOf(admin, id)
    clock.set('2026-11-19T05:29:00Z')
    await forecourt.feeds.workDue()
    expect(await deliveriesOf(await signIn(), id)).toBe(before)
    clock.set('2026-11-19T05:31:00Z')
    await forecourt.feeds.workDue()
    expect(await deliveriesOf(await signIn(), id)).toBe(before + 1)
  })
})

async function runsOf(caller: Caller, id: string): Promise<number> {
  return (await caller.call(channels.runs, { id })).runs.length
}

async function deliveriesOf(caller: Caller, id: string): Promise<number> {
  return (await caller.call(feedSources.deliveries, { id })).deliveries.length
}
