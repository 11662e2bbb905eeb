import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { outgoing } from '#contract/home/outgoing.ts'
import { EVERYONE } from '#contract/marketing/campaigns/audience.ts'
import { type Campaign, campaigns } from '#contract/marketing/campaigns/campaigns.ts'
import { clock } from '#server/clock.ts'
import { type CampaignWorld, campaignWorld } from '#test/factories/marketing/campaign-world.ts'

const HOUR = 3_600_000
let world: CampaignWorld
beforeAll(async () => {
  world = await campaignWorld()
})
afterAll(() => world.close())

let groups = 0
/** A scheduled campaign of a lot of its own, with buyers of its own. */
async function scheduleFor(
  buyers: number,
  more: object = {},
  zone = 'UTC',
): Promise<Campaign & { name: string }> {
  const lotId = await world.addLot(zone)
  const group = `group${++groups}n`
  await world.addManyBuyers(buyers, { name: group, lot: lotId })
  const campaign = await world.addCampaign({
    lotId,
    audience: { ...EVERYONE, lotIds: [lotId] },
    perHour: 20_000,
    ...more,
  })
  return { ...(await world.schedule(campaign)), name: group }
}
const sentTo = (group: string) =>
  world.smtp.emails.filter(({ to }) => to.some((email) => email.startsWith(group))).length
/** Works every ten seconds for some minutes. */
async function workFor(minutes: number, isOver: () => Promise<boolean> = async () => false): Promise<void> {
  for (let turn = 0; turn < minutes * 6 && !(await isOver()); turn += 1) {
    await world.work()
    clock.advance(10_000)
  }
}

test('it sends in its days and times of the zone of its lot', async () => {
  const { get } = world
  // A Wednesday, 7:30 AM in Los Angeles.
  clock.set('2027-01-13T15:30:00Z')
  const window = { weekdays: [3, 5], windowFrom: '09:00', windowTo: '10:00', perHour: 60 }
  const { id, name } = await scheduleFor(80, window, 'America/Los_Angeles')
  await world.work()
  expect([(await get(id)).state, sentTo(name)]).toEqual(['sending', 0])
  clock.set('2027-01-13T16:59:00Z')
  await world.work()
  expect(sentTo(name)).toBe(0)
  clock.set('2027-01-13T17:00:30Z')
  // The mail server puts one off until after the window, and takes it then.
  const later = `${name}50@mail.example`
  world.smtp.answers.set(later, 451)
  for (let turn = 0; turn < 62; turn += 1) {
    await world.work()
    clock.advance(60_500)
  }
  const first = sentTo(name)
  expect(first).toBeGreaterThan(55)
  expect(first).toBeLessThanOrEqual(60)
  world.smtp.answers.delete(later)
  clock.advance(3 * HOUR)
  await world.work()
  expect(sentTo(name)).toBe(first)
  // Thursday is none of its days.
  clock.set('2027-01-14T17:30:00Z')
  await world.work()
  expect(sentTo(name)).toBe(first)
  clock.set('2027-01-15T17:01:00Z')
  await world.work()
  expect(sentTo(name)).toBe(first + 2)
  expect(world.smtp.emails.filter(({ to }) => to.includes(later))).toHaveLength(1)
  await world.admin.call(campaigns.stop, { id })
})

test('a start that was missed by more than an hour asks first', async () => {
  const { admin, get, work, smtp, workToEnd } = world
  const { id } = await scheduleFor(2)
  const before = smtp.emails.length
  clock.advance(2 * HOUR)
  await work()
  expect(await get(id)).toMatchObject({ state: 'paused', reason: 'missed' })
  expect(smtp.emails).toHaveLength(before)
  await admin.call(campaigns.resume, { id })
  expect((await workToEnd(id)).state).toBe('finished')
  expect(smtp.emails).toHaveLength(before + 2)
})

test('a restored copy asks first, and what waited when it was saved is in doubt and not sent', async () => {
  const { admin, get, work, forecourt, workToEnd, smtp } = world
  const sending = await scheduleFor(60)
  const scheduled = await scheduleFor(2, {
    sendOn: new Date(clock.now() + 48 * HOUR).toISOString().slice(0, 10),
  })
  await forecourt.campaigns.workDue()
  await forecourt.owner.query(
    `insert into iam.installation (install_id, key_check_sealed) values ('test', 'x') on conflict do nothing`,
  )
  await forecourt.owner.query('update iam.installation set restored_at = app_now()')
  const before = smtp.emails.length
  clock.advance(30_000)
  await work()
  expect(await get(sending.id)).toMatchObject({ state: 'paused', reason: 'restored' })
  expect(await get(scheduled.id)).toMatchObject({ state: 'paused', reason: 'restored' })
  await admin.call(outgoing.begin, { discards: [] })
  await workFor(1)
  expect(smtp.emails).toHaveLength(before)
  await admin.call(campaigns.resume, { id: sending.id })
  expect(await workToEnd(sending.id)).toMatchObject({ state: 'finished' })
  const counts = await admin.call(campaigns.recipientCounts, { id: sending.id })
  expect(counts).toEqual([
    { state: 'sent', count: 10 },
    { state: 'in-doubt', count: 50 },
  ])
  expect(smtp.emails).toHaveLength(before + 10)
})

describe('a new sending domain', () => {
  test(
    'sends 200 emails on the first day, and twice as many on the next',
    { tags: 'release', timeout: 240_000 },
    async () => {
      clock.set(new Date(Math.ceil(clock.now() / (24 * HOUR)) * 24 * HOUR + 12 * HOUR))
      const { id, name } = await scheduleFor(650, { rampsUp: true })
      const isOver = async () => (await world.get(id)).state === 'finished'
      await workFor(3)
      expect(sentTo(name)).toBe(200)
      clock.advance(11.8 * HOUR)
      await world.work()
      expect(sentTo(name)).toBe(200)
      clock.advance(0.5 * HOUR)
      await workFor(4)
      expect(sentTo(name)).toBe(600)
      clock.advance(24 * HOUR)
      await workFor(2, isOver)
      expect(sentTo(name)).toBe(650)
    },
  )
})

describe('it stops by itself', () => {
  const isStopped = (id: string) => async () => (await world.get(id)).state === 'stopped'

  test('at bounces of 5%', { tags: 'release' }, async () => {
    const { admin, get, smtp } = world
    const { id, name } = await scheduleFor(250)
    for (let at = 1; at <= 120; at += 1) if (at % 19 === 0) smtp.answers.set(`${name}${at}@mail.example`, 550)
    await workFor(3, isStopped(id))
    expect(await get(id)).toMatchObject({ state: 'stopped', reason: 'bounces' })
    const counts = await admin.call(campaigns.recipientCounts, { id })
    expect(counts.find(({ state }) => state === 'left-out')?.count).toBeGreaterThan(50)
  })

  test('at complaints of 0.3%, and not at one', { tags: 'release' }, async () => {
    const { admin, get, forecourt } = world
    const { id, name } = await scheduleFor(400)
    const complain = (at: number) =>
      forecourt.owner.query(`update outbox_mails set outcome = 'complained' where to_email = $1`, [
        `${name}${at}@mail.example`,
      ])
    await workFor(1, async () => sentTo(name) >= 150)
    await complain(1)
    await workFor(1, async () => sentTo(name) >= 250)
    expect((await get(id)).state).toBe('sending')
    await complain(2)
    await workFor(2, isStopped(id))
    expect(await get(id)).toMatchObject({ state: 'stopped', reason: 'complaints' })
    const counts = await admin.call(campaigns.recipientCounts, { id })
    expect(counts.find(({ state }) => state === 'complained')?.count).toBe(2)
    expect(counts.find(({ state }) => state === 'left-out')?.count).toBeGreaterThan(50)
  })
})
