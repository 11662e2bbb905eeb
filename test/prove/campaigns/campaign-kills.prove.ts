import { mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { people } from '#contract/leads/people/people.ts'
import { type Campaign, campaigns } from '#contract/marketing/campaigns/campaigns.ts'
import { type CampaignWorld, campaignWorld } from '#test/factories/marketing/campaign-world.ts'
import type { Product } from '../../../bench/product.ts'
import { startSharing } from '../several-processes.ts'

const RECIPIENTS = 10_000
const KILLS = 6
/** The mail server doesn't know them. */
const REFUSED = 100
/** They withdraw consent while it sends. */
const WITHDRAWN = 20
const folder = resolve('.forecourt-test', `campaigns-${process.pid}`)
/** Waits for the pace of a campaign are left out, and others take a second: 10,000 emails would take half an hour. */
const HURRY = `
  create function hurry() returns trigger language plpgsql as $$
  begin
    new.next_at := case when new.next_at < app_clock_timestamp() + interval '20 seconds' then app_clock_timestamp()
      else app_clock_timestamp() + interval '1 second' end;
    return new;
  end
  $$;
  create trigger hurry before update of next_at on campaign_states for each row when (new.next_at is not null) execute function hurry()`

let world: CampaignWorld
beforeAll(async () => {
  await mkdir(join(folder, 'files'), { recursive: true, mode: 0o700 })
  world = await campaignWorld()
})
afterAll(async () => {
  await world.close()
  await rm(folder, { recursive: true, force: true })
})

async function addAudience(): Promise<void> {
  const { addManyBuyers, smtp } = world
  await addManyBuyers(RECIPIENTS)
  await addManyBuyers(500, { name: 'MANY' })
  await addManyBuyers(300, { name: 'wrong', emailOf: `(array['n/a', 'none@none.com', 'x'])[1 + n % 3]` })
  await addManyBuyers(200, { emailOf: 'null::text' })
  await addManyBuyers(300, { name: 'said', kind: 'none' })
  await addManyBuyers(200, { name: 'no', kind: 'revoked' })
  for (let at = 1; at <= REFUSED; at += 1) smtp.answers.set(`many${at * 90}@mail.example`, 550)
}

/** Pauses it, and looks for emails that leave in spite of it. */
async function pauseAndResume(campaign: Campaign): Promise<void> {
  const { admin, smtp } = world
  await admin.call(campaigns.pause, { id: campaign.id })
  // What a mail server was getting.
  await wait(2_000)
  const before = smtp.emails.length
  await wait(7_000)
  expect(smtp.emails).toHaveLength(before)
  const { rows } = await world.forecourt.owner.query<{ id: string }>(
    `select id::text from people where email = any($1)`,
    [Array.from({ length: WITHDRAWN }, (_, at) => `many${RECIPIENTS - at}@mail.example`)],
  )
  for (const { id } of rows) await admin.call(people.revoke, { id, channel: 'email', text: 'By phone' })
  await admin.call(campaigns.resume, { id: campaign.id })
}

async function readOutcomes(id: string): Promise<Map<string, string>> {
  const { rows } = await world.forecourt.owner.query<{ email: string; state: string }>(
    `select lower(r.email) as email, case when m.in_doubt then 'doubt' when r.state = 'left-out' then 'left-out' else m.state end as state
    from campaign_recipients r left join outbox_mails m on m.customer_id = r.customer_id and m.id = r.mail_id where r.campaign_id = $1`,
    [id],
  )
  expect(new Set(rows.map(({ email }) => email)).size).toBe(rows.length)
  return new Map(rows.map(({ email, state }) => [email, state]))
}

test('a campaign of 10,000 recipients reaches each of them once, although its two servers are killed again and again', async () => {
  const { admin, smtp, database, environment, lotId, addCampaign, get, schedule, forecourt } = world
  const start = (name: string): Promise<Product> => startSharing(folder, name, database, environment)
  const servers = [await start('one'), await start('two')]
  try {
    await addAudience()
    await forecourt.owner.query(HURRY)
    const campaign = await addCampaign({ perHour: 20_000 })
    const counted = await admin.call(campaigns.countAudience, { lotId, audience: campaign.audience })
    expect(counted.mailed).toBe(RECIPIENTS)
    const startedAt = performance.now()
    await schedule(campaign)
    for (let kill = 0; kill < KILLS; kill += 1) {
      const enough = (RECIPIENTS * (kill + 1)) / (KILLS + 2)
      while (smtp.emails.length < enough) await wait(5)
      const at = kill % 2
      await servers[at]?.kill()
      servers[at] = await start(at === 0 ? 'one' : 'two')
      if (kill === KILLS / 2) await pauseAndResume(campaign)
    }
    for (const until = performance.now() + 10 * 60_000; performance.now() < until;) {
      if ((await get(campaign.id)).state === 'finished') break
      await wait(1_000)
    }
    const seconds = (performance.now() - startedAt) / 1_000
    expect(await get(campaign.id)).toMatchObject({ state: 'finished', recipients: RECIPIENTS })
    const outcomes = await readOutcomes(campaign.id)
    const of = (state: string) => [...outcomes].flatMap(([email, one]) => (one === state ? [email] : []))
    // The product sends other emails, too.
    const arrived = smtp.emails
      .flatMap(({ to }) => to.map((email) => email.toLowerCase()))
      .filter((email) => /^(?:many|wrong|said|no)\d/.test(email))
    const inbox = new Set(arrived)
    // Nobody twice, and nobody without a row.
    expect(arrived.filter((email, n) => arrived.indexOf(email) < n)).toEqual([])
    expect(arrived.filter((email) => !['sent', 'doubt'].includes(outcomes.get(email) ?? ''))).toEqual([])
    // Nobody missed.
    expect(of('sent').filter((email) => !inbox.has(email))).toEqual([])
    const doubted = of('doubt')
    expect(doubted.length).toBeLessThanOrEqual(KILLS)
    expect(of('left-out')).toHaveLength(WITHDRAWN)
    // A refused one can be in doubt, too: its server was killed before it noted the answer.
    const refused = new Set(smtp.answers.keys())
    expect(of('failed').filter((email) => !refused.has(email))).toEqual([])
    expect(of('failed').length).toBeGreaterThanOrEqual(REFUSED - doubted.length)
    expect(of('sent').length + doubted.length + of('failed').length).toBe(RECIPIENTS - WITHDRAWN)
    const counts = await admin.call(campaigns.recipientCounts, { id: campaign.id })
    expect(counts.find(({ state }) => state === 'in-doubt')?.count ?? 0).toBe(doubted.length)
    console.log(
      `figure: emails of a campaign over ${KILLS} kills of two servers = ${of('sent').length} sent, 0 lost, 0 twice, ` +
        `${doubted.length} in doubt, of which ${doubted.filter((email) => inbox.has(email)).length} arrived`,
    )
    console.log(`figure: emails of a campaign, with kills = ${(RECIPIENTS / seconds).toFixed(0)}/s`)
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
})
