import { afterAll, beforeAll, expect, test } from 'vitest'
import { people } from '#contract/leads/people/people.ts'
import { campaigns } from '#contract/marketing/campaigns/campaigns.ts'
import { campaignRecipients } from '#contract/marketing/campaigns/recipients.ts'
import { clock } from '#server/clock.ts'
import { openSmtp } from '#server/outside/smtp.ts'
import { testApp, type TestApp } from '#test/app.ts'
import {
  CAMPAIGN_SENDER,
  type CampaignWorld,
  campaignWorld,
} from '#test/factories/marketing/campaign-world.ts'

const BUYERS = 200
/** As many are sent by the server that is killed. */
const AT_KILL = 25
let world: CampaignWorld
/** Another server on the same database. After some emails it stops between an email and the note that it was sent. */
let other: TestApp
let isKilled = false
const killed = Promise.withResolvers<void>()
let sentByOther = 0
beforeAll(async () => {
  world = await campaignWorld()
  const { smtp, database, environment } = world
  const by = openSmtp({ url: smtp.url, from: CAMPAIGN_SENDER })
  other = await testApp(environment, {
    database,
    transport: {
      async send(mail) {
        const outcome = await by.send(mail)
        sentByOther += 1
        if (sentByOther < AT_KILL) return outcome
        isKilled = true
        killed.resolve()
        return new Promise(() => {})
      },
    },
  })
})
afterAll(async () => {
  await other.close({ keepsDatabase: true })
  await world.close()
})

/** Both servers do what is due at the same time. */
async function workBoth(): Promise<void> {
  const { forecourt } = world
  const both = isKilled ? [forecourt] : [forecourt, other]
  await Promise.all(both.map(({ campaigns: due }) => due.workDue()))
  await Promise.all(
    both.map(({ outbox }) =>
      Promise.race([outbox.deliver(), ...(outbox === other.outbox ? [killed.promise] : [])]),
    ),
  )
}
test('two servers, one of them killed, and a pause: nobody is missed, nobody is mailed twice, one email is in doubt', async () => {
  const { admin, forecourt, smtp, addCampaign, addManyBuyers, get, schedule, lotId } = world
  await addManyBuyers(BUYERS)
  await addManyBuyers(20, { name: 'MANY' })
  await addManyBuyers(10, { name: 'wrong', emailOf: `'n/a'` })
  await addManyBuyers(10, { name: 'none', emailOf: 'null::text' })
  await addManyBuyers(10, { name: 'said', kind: 'none' })
  await addManyBuyers(10, { name: 'no', kind: 'declined' })
  const campaign = await addCampaign({ perHour: 20_000 })
  const counted = await admin.call(campaigns.countAudience, { lotId, audience: campaign.audience })
  expect(counted.mailed).toBe(BUYERS)
  expect(counted.leftOut.map(({ count }) => count).reduce((sum, count) => sum + count)).toBe(60)
  await schedule(campaign)
  const state = async () => (await get(campaign.id)).state
  let isPaused = false
  let sentWhilePaused = 0
  for (let turn = 0; turn < 60 && (await state()) !== 'finished'; turn += 1) {
    await workBoth()
    if (isKilled && !isPaused) {
      isPaused = true
      await admin.call(campaigns.pause, { id: campaign.id })
      const before = smtp.emails.length
      await workBoth()
      clock.advance(20_000)
      await workBoth()
      sentWhilePaused = smtp.emails.length - before
      // Withdrawn in between.
      const { rows } = await forecourt.owner.query<{ id: string }>(
        `select id::text from people where email = $1`,
        [`many${BUYERS}@mail.example`],
      )
      const personId = rows[0]?.id ?? ''
      await admin.call(people.revoke, { id: personId, channel: 'email', text: 'By phone' })
      await admin.call(campaigns.resume, { id: campaign.id })
    }
    clock.advance(20_000)
  }
  expect([isKilled, isPaused, sentWhilePaused]).toEqual([true, true, 0])
  const counts = await admin.call(campaigns.recipientCounts, { id: campaign.id })
  const by = Object.fromEntries(counts.map((one) => [one.state, one.count]))
  expect(by).toEqual({ sent: BUYERS - 2, 'in-doubt': 1, 'left-out': 1 })
  const { results: doubted } = await admin.call(campaignRecipients.list, {
    filter: `campaignName == "${campaign.name}" && state == "in-doubt"`,
  })
  const arrived = smtp.emails.flatMap(({ to }) => to).map((email) => email.toLowerCase())
  expect(new Set(arrived).size).toBe(arrived.length)
  expect(arrived).toContain(doubted[0]?.email.toLowerCase())
  expect(arrived).toHaveLength(BUYERS - 1)
  expect(await get(campaign.id)).toMatchObject({ state: 'finished', recipients: BUYERS })
})
