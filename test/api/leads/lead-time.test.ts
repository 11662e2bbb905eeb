import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { leadNotices } from '#contract/leads/inbox/lead-notices.ts'
import { leadResponses } from '#contract/leads/inbox/lead-responses.ts'
import { leadSettings } from '#contract/leads/inbox/lead-settings.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { people } from '#contract/leads/people/people.ts'
import { clock } from '#server/clock.ts'
import { hasDueLeadSteps, purgeLeads, takeDueLeadSteps } from '#server/leads/index.ts'
import { assignLead } from '#server/leads/inbox/assign-lead.ts'
import { lockLead } from '#server/leads/inbox/lock-lead.ts'
import { receiveReply } from '#server/leads/inbox/receive-reply.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { inTenantOf } from '#test/harness/in-tenant.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
let forecourt: TestApp
let ford: TestOrganization
let parts: Parameters<typeof takeDueLeadSteps>[0]
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  parts = {
    queue: forecourt.jobsPool,
    pool: forecourt.appPool,
    put: forecourt.outbox.put,
    base: () => 'https://forecourt.example',
  }
})
afterAll(() => forecourt.close())

/** Two servers at the same time. */
const takeSteps = () => Promise.all([takeDueLeadSteps(parts), takeDueLeadSteps(parts)])
const kinds = async (id: string) => (await ford.call(leads.get, { id })).timeline.map(({ kind }) => kind)

test('a snoozed lead waits for nothing until its time, and then is in the list again, once', async () => {
  const id = await ford.addLead()
  const until = new Date(clock.now() + 60 * MINUTE).toISOString()
  const snoozed = await ford.call(leads.snooze, { id, until })
  expect(snoozed).toMatchObject({ waitsUntil: null, isMine: true, snoozedUntil: expect.any(String) })
  await expect(ford.call(leads.snooze, { id, until: '2020-01-01T00:00:00Z' })).toRefuse(400, 'future')
  clock.advance(59 * MINUTE)
  await takeSteps()
  expect((await ford.call(leads.get, { id })).snoozedUntil).not.toBeNull()
  clock.advance(MINUTE)
  expect(await hasDueLeadSteps(forecourt.jobsPool)).toBe(true)
  await takeSteps()
  const woken = await ford.call(leads.get, { id })
  expect(woken).toMatchObject({ snoozedUntil: null, isLate: true })
  expect((await kinds(id)).filter((kind) => kind === 'woken')).toEqual(['woken'])
})

test('a lead that is not accepted goes to the next person, to the manager, and to no one else', async () => {
  const ids: string[] = []
  for (let user = 0; user < 3; user += 1) ids.push(await ford.createUser('Sales manager'))
  const lotId = await ford.addLot()
  await ford.call(leadSettings.updateLot, { lotId, responseMinutes: 20, managerId: ids[1] ?? null })
  const known = { managerId: null }
  await expect(ford.call(leadSettings.updateLot, { lotId, managerId: null, known })).toRefuse(
    409,
    'The manager of this lot was changed',
  )
  const settings = await ford.call(leadSettings.updateLot, {
    lotId,
    managerId: ids[2] ?? null,
    known: { managerId: ids[1] ?? null },
  })
  expect(settings.lots.find((lot) => lot.lotId === lotId)).toMatchObject({ responseMinutes: 20 })
  await ford.call(leadSettings.updateLot, { lotId, responseMinutes: null })
  const id = await ford.addLead({ lotId })
  await inTenantOf(forecourt, ford, async (db) =>
    assignLead(db, await lockLead(db, id), {
      userId: ids[0] ?? null,
      userName: 'First',
      nextOwnerIds: ids.slice(1, 2),
      byName: null,
    }),
  )
  const owners: (string | null)[] = []
  for (let step = 0; step < 3; step += 1) {
    clock.advance(6 * MINUTE)
    await takeSteps()
    owners.push((await ford.call(leads.get, { id })).ownerId)
  }
  expect(owners).toEqual([ids[1], ids[2], ids[2]])
  expect((await kinds(id)).filter((kind) => ['returned', 'escalated'].includes(kind))).toEqual([
    'returned',
    'escalated',
  ])
})

test('the owner is emailed once about a new lead and about a reply, unless they are faster or turned it off', async () => {
  const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  const { rows } = await forecourt.owner.query<{ id: string }>(
    `select id from users where user_name = 'northgate.admin'`,
  )
  const userId = rows[0]?.id ?? ''
  const assign = async () => {
    const id = await ford.addLead()
    await inTenantOf(forecourt, ford, async (db) =>
      assignLead(db, await lockLead(db, id), { userId, userName: 'Dana', byName: null }),
    )
    return id
  }
  const subjects = async () =>
    (
      await forecourt.owner.query<{ subject: string }>(
        'select subject from outbox_mails where user_id = $1 and subject ~ $2 order by id',
        [userId, '^New lead|replied$'],
      )
    ).rows.map(({ subject }) => subject)
  const id = await assign()
  const faster = await assign()
  await admin.call(leads.accept, { id: faster })
  await takeSteps()
  const { personName } = await ford.call(leads.get, { id })
  expect(await subjects()).toEqual([`New lead: ${personName}`])
  await inTenantOf(forecourt, ford, (db) =>
    sql`insert into lead_messages (organization_id, lead_id, direction, text, message_id)
      values (${ford.organizationId}, ${id}, 'out', 'Yes.', 'known@mail.example')`.execute(db),
  )
  const reply = {
    fromEmail: 'b@mail.example',
    fromName: null,
    subject: null,
    text: 'When?',
    mailboxHash: null,
  }
  await inTenantOf(forecourt, ford, (db) =>
    receiveReply(db, {
      ...reply,
      messageId: 'r@mail.example',
      answered: ['known@mail.example'],
      isAutomatic: false,
    }),
  )
  await takeSteps()
  expect(await subjects()).toEqual([`New lead: ${personName}`, `${personName} replied`])
  await admin.call(leadNotices.update, { isOn: false })
  await assign()
  await takeSteps()
  expect(await subjects()).toHaveLength(2)
  expect(await hasDueLeadSteps(forecourt.jobsPool)).toBe(false)
})

test('an accepted or answered lead stays with its owner', async () => {
  const userId = await ford.createUser('Sales manager')
  const accepted = await ford.addLead({ isMine: true })
  const answered = await ford.addLead()
  await ford.call(leads.assign, { id: answered, userId })
  await ford.call(leads.logCall, { id: answered, result: 'reached' })
  clock.advance(60 * MINUTE)
  await takeSteps()
  expect(await ford.call(leads.get, { id: accepted })).toMatchObject({ isMine: true })
  expect(await ford.call(leads.get, { id: answered })).toMatchObject({ ownerId: userId })
})

test('retention deletes the lead and its person, keeps its figures, and honors a revoked channel', async () => {
  const staff = await forecourt.as('super', 'Northgate Ford')
  const id = await ford.addLead()
  const revoked = await ford.addLead({ phone: '(916) 555-0178' })
  await ford.call(leads.logCall, { id, result: 'reached' })
  await ford.call(leads.sendEmail, { id, subject: 'Your question', text: 'Yes, it is.' })
  const [{ personId, personEmail }, { personId: keptId }] = [
    await ford.call(leads.get, { id }),
    await ford.call(leads.get, { id: revoked }),
  ]
  await ford.call(people.revoke, { id: keptId, channel: 'call', text: 'Asked on the phone' })
  const period = { from: '2026-11-01', to: '2026-12-31' }
  const before = await ford.call(leadResponses.get, period)
  await staff.call(leadSettings.update, { keepMonths: 1 })
  clock.advance(20 * DAY)
  const recent = await ford.addLead()
  clock.advance(15 * DAY)
  await Promise.all([purgeLeads(parts), purgeLeads(parts)])
  await expect(ford.call(leads.get, { id })).toRefuse(404)
  expect((await ford.call(leads.get, { id: recent })).id).toBe(recent)
  const after = await ford.call(leadResponses.get, period)
  expect(after.total).toMatchObject({
    leads: { count: before.total.leads.count + 1 },
    answered: { count: before.total.answered.count },
    medianSeconds: before.total.medianSeconds,
  })
  const { rows } = await forecourt.owner.query<{
    email: string | null
    phone: string | null
    name: string | null
  }>('select name, email, phone from people where id = any ($1) order by id', [[personId, keptId]])
  expect(rows).toEqual([{ name: null, email: null, phone: '(916) 555-0178' }])
  // Also not in the outbox and the audit log.
  const { rows: left } = await forecourt.owner.query(
    `select 'mail' from outbox_mails where to_email = $1 union all
    select 'audit' from audit_log where before::text like '%' || $1 || '%' or after::text like '%' || $1 || '%'`,
    [personEmail],
  )
  expect(left).toEqual([])
})

test('a sold lead is linked to its vehicle, and others that asked about it say that it was sold', async () => {
  const vehicleId = await ford.addVehicle()
  const [buyer, other] = [await ford.addLead({ vehicleId }), await ford.addLead({ vehicleId })]
  const sold = await ford.call(leads.setOutcome, { id: buyer, outcome: 'sold' })
  expect(sold.soldVehicle).toMatchObject({ id: vehicleId })
  // A feed reports the sale.
  await forecourt.owner.query(`update vehicles set status = 'sold' where id = $1`, [vehicleId])
  expect(await ford.call(leads.get, { id: buyer })).toMatchObject({ isSoldElsewhere: false })
  expect(await ford.call(leads.get, { id: other })).toMatchObject({ isSoldElsewhere: true })
  const { results } = await ford.call(leads.list, { filter: 'isSoldElsewhere' })
  expect(results?.map(({ id }) => id)).toEqual([other])
})
