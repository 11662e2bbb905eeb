import { afterAll, beforeAll, expect, test } from 'vitest'
import { leadResponses } from '#contract/leads/inbox/lead-responses.ts'
import { leadSettings } from '#contract/leads/inbox/lead-settings.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { outbox } from '#contract/mail/outbox/outbox.ts'
import { clock } from '#server/clock.ts'
import { hasDueLeadSteps, takeDueLeadSteps } from '#server/leads/index.ts'
import { assignLead } from '#server/leads/inbox/assign-lead.ts'
import { lockLead } from '#server/leads/inbox/lock-lead.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { impersonationsOf } from '#test/factories/identity/impersonations.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { startFakeSmtpServer, type FakeSmtpServer } from '#test/fakes/smtp.ts'
import { inTenantOf } from '#test/harness/in-tenant.ts'

const MINUTE = 60_000
let smtp: FakeSmtpServer
let forecourt: TestApp
let ford: TestOrganization
let parts: Parameters<typeof takeDueLeadSteps>[0]
beforeAll(async () => {
  smtp = await startFakeSmtpServer()
  forecourt = await testApp({
    FORECOURT_SMTP_URL: smtp.url,
    FORECOURT_MAIL_FROM: 'Forecourt <noreply@forecourt.example>',
  })
  ford = await testOrganization(forecourt, 'Northgate Ford')
  parts = {
    queue: forecourt.jobsPool,
    pool: forecourt.appPool,
    put: forecourt.outbox.put,
    base: () => 'https://forecourt.example',
  }
})
afterAll(async () => {
  await forecourt.close()
  await smtp.close()
})

/** Two servers at the same time. */
const takeSteps = () => Promise.all([takeDueLeadSteps(parts), takeDueLeadSteps(parts)])
const write = (id: string, by: Pick<Caller, 'call'> = ford) =>
  by.call(leads.sendEmail, { id, subject: 'Your question', text: 'Yes, it is.' })
const read = (id: string) => ford.call(leads.get, { id })
const kinds = async (id: string) => (await read(id)).timeline.map(({ kind }) => kind)
async function deliver(): Promise<void> {
  await forecourt.outbox.deliver()
  await takeSteps()
}
const bounce = (id: string) =>
  forecourt.owner.query(
    `update outbox_mails set outcome = 'bounced' where id in (select mail_id from lead_messages where lead_id = $1)`,
    [id],
  )
const period = { from: '2026-11-01', to: '2026-12-31' }

test('a late lead of a lot without a manager says that no one was told', async () => {
  const lotId = await ford.addLot()
  await ford.call(leadSettings.updateLot, { lotId, responseMinutes: 20 })
  const id = await ford.addLead({ lotId })
  clock.advance(21 * MINUTE)
  await takeSteps()
  const late = (await read(id)).timeline.find(({ kind }) => kind === 'late')
  expect(late?.data).toMatchObject({ toName: null, text: 'No one was told: its lot has no manager.' })
})

test('an email answers the buyer once a mail server accepted it, at that time', async () => {
  const id = await ford.addLead()
  clock.advance(2 * MINUTE)
  const written = await write(id)
  expect(written).toMatchObject({ firstResponseAt: null, isMine: true, acceptBy: null })
  expect(written.waitsUntil).toBe(written.respondBy)
  clock.advance(3 * MINUTE)
  await deliver()
  expect(await read(id)).toMatchObject({ waitsUntil: null, firstResponseBy: expect.any(String) })
  expect((await read(id)).responseSeconds).toBeGreaterThanOrEqual(300)
  expect(await hasDueLeadSteps(forecourt.jobsPool)).toBe(false)
})

test.for(['refused', 'kept'])('an email that is %s is no answer', async (what) => {
  const id = await ford.addLead()
  const { personEmail } = await read(id)
  if (what === 'refused') smtp.answers.set(personEmail ?? '', 550)
  else await forecourt.owner.query(`update outbox_mails set state = 'failed' where state = 'waiting'`)
  const { timeline } = await write(id)
  if (what === 'kept')
    await forecourt.owner.query(
      `update outbox_mails set state = 'kept', next_attempt_at = null where id =
      (select mail_id from lead_messages where lead_id = $1)`,
      [id],
    )
  await deliver()
  const lead = await read(id)
  expect(lead).toMatchObject({ firstResponseAt: null })
  expect(lead.waitsUntil).not.toBeNull()
  expect(lead.timeline).toHaveLength(timeline.length)
  expect(lead.timeline.at(-1)?.message?.delivery).toBe(what === 'refused' ? 'failed' : 'kept')
})

test('an email that comes back is no answer anymore, and the clock runs on; a later one or a call is', async () => {
  const id = await ford.addLead()
  await write(id)
  await deliver()
  const answered = await read(id)
  expect(answered.waitsUntil).toBeNull()
  await bounce(id)
  await takeSteps()
  await takeSteps()
  const waits = await read(id)
  expect(waits).toMatchObject({ firstResponseAt: null, firstResponseBy: null, responseSeconds: null })
  expect(waits.waitsUntil).toBe(answered.respondBy)
  expect((await kinds(id)).filter((kind) => kind === 'bounced')).toHaveLength(1)
  clock.advance(MINUTE)
  await ford.call(leads.logCall, { id, result: 'reached' })
  expect(await read(id)).toMatchObject({ waitsUntil: null })
  // The same email again changes nothing.
  await bounce(id)
  await takeSteps()
  expect(await read(id)).toMatchObject({ waitsUntil: null })
})

test('"Contacted" without contact stops no clock and is late in the report', async () => {
  const before = (await ford.call(leadResponses.get, period)).total
  const id = await ford.addLead()
  const contacted = await ford.call(leads.setOutcome, { id, outcome: 'contacted' })
  expect(contacted.waitsUntil).toBe(contacted.respondBy)
  clock.advance(60 * MINUTE)
  expect(await read(id)).toMatchObject({ isLate: true })
  const after = (await ford.call(leadResponses.get, period)).total
  expect(after.late.count - before.late.count).toBeGreaterThanOrEqual(1)
  await ford.call(leads.setOutcome, { id, outcome: 'lost', lostReason: 'Price' })
  expect(await read(id)).toMatchObject({ waitsUntil: null })
})

test('an answer is of the one who wrote it, also while they act as someone else', async () => {
  const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  const me = await forecourt.owner.query<{ id: string; name: string }>(
    `select id, concat_ws(' ', first_name, last_name) as name from users where user_name in ('northgate.admin', 'northgate.dealer') order by user_name`,
  )
  const [dana, owner] = me.rows
  const id = await ford.addLead()
  await ford.call(leads.assign, { id, userId: owner?.id ?? '' })
  const figure = async (userId: string | undefined) =>
    (await ford.call(leadResponses.get, period)).byUser.find((one) => one.id === userId)?.answered.count ?? 0
  const before = [await figure(dana?.id), await figure(owner?.id)]
  const acting = await impersonationsOf(forecourt).impersonate(admin, 'northgate.dealer', {
    mode: 'act',
    reason: 'Luis is away',
  })
  await write(id, acting)
  await deliver()
  expect(await read(id)).toMatchObject({ firstResponseBy: dana?.name, ownerId: owner?.id })
  expect([await figure(dana?.id), await figure(owner?.id)]).toEqual([(before[0] ?? 0) + 1, before[1]])
})

test('a lead that a colleague has time to accept is theirs until then, except for managers', async () => {
  const luis = await forecourt.as('northgate.dealer', 'Northgate Ford')
  const userId = await ford.createUser('Sales manager')
  const id = await ford.addLead()
  await inTenantOf(forecourt, ford, async (db) =>
    assignLead(db, await lockLead(db, id), { userId, userName: 'Nia', byName: null }),
  )
  const luisId = (
    await forecourt.owner.query<{ id: string }>(`select id from users where user_name = 'northgate.dealer'`)
  ).rows[0]?.id
  await expect(luis.call(leads.accept, { id })).toRefuse(409, 'AM to accept this lead')
  await expect(luis.call(leads.assign, { id, userId: luisId ?? '' })).toRefuse(409, 'has until')
  expect(await read(id)).toMatchObject({ ownerId: userId, acceptedAt: null })
  const { isManager } = await ford.call(leads.accept, { id })
  expect(isManager).toBe(false)
})

test.for([
  ['accepted', 'accepted the lead of'],
  ['assigned', "who hasn't accepted it"],
  ['without an owner', 'has no owner'],
] as const)(
  'a lead that is %s and unanswered at its deadline is told to the manager once',
  async ([state, told]) => {
    const [userId, managerId] = [
      await ford.createUser('Sales manager'),
      await ford.createUser('Sales manager'),
    ]
    const lotId = await ford.addLot()
    await ford.call(leadSettings.updateLot, { lotId, responseMinutes: 20, managerId })
    const id = await ford.addLead({ lotId })
    if (state !== 'without an owner') await ford.call(leads.assign, { id, userId })
    await forecourt.owner.query(
      'update leads set accepted_at = case when $2 then app_now() end, accept_by = null where id = $1',
      [id, state === 'accepted'],
    )
    clock.advance(19 * MINUTE)
    await takeSteps()
    expect(await kinds(id)).not.toContain('late')
    clock.advance(2 * MINUTE)
    await takeSteps()
    clock.advance(60 * MINUTE)
    await takeSteps()
    expect((await kinds(id)).filter((kind) => kind === 'late')).toHaveLength(1)
    expect(await read(id)).toMatchObject({
      ownerId: state === 'without an owner' ? null : userId,
      isLate: true,
    })
    const { rows } = await forecourt.owner.query<{ id: string }>(
      `select id::text from outbox_mails where user_id = $1 and subject like 'Not answered in time: %'`,
      [managerId],
    )
    expect(rows).toHaveLength(1)
    expect((await ford.call(outbox.get, { id: rows[0]?.id ?? '' })).text).toContain(told)
  },
)
