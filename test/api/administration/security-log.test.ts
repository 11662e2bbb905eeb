import { forbidden } from '#server/http/failure.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditLog, type AuditEntry } from '#contract/administration/audit-log.ts'
import { auth } from '#contract/identity/auth.ts'
import { impersonation } from '#contract/identity/impersonation/impersonation.ts'
import { sessions } from '#contract/identity/sessions/sessions.ts'
import { userTypes } from '#contract/identity/user-types/user-types.ts'
import { users } from '#contract/identity/users/users.ts'
import { whiteLabels } from '#contract/identity/branding/white-labels.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { reports } from '#contract/reports/reports.ts'
import { displayName } from '#server/administration/audit-changes.ts'
import { sweepSessions } from '#server/identity/index.ts'
import { clock } from '#server/clock.ts'
import { DEMO_PASSWORD } from '../../../demo/world.ts'
import { makeCaller, testApp, type Caller, type TestApp } from '#test/app.ts'
import { findUser } from '#test/factories/identity/find-user.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'

let forecourt: TestApp
let ford: TestOrganization
let admin: Caller
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
})
afterAll(() => forecourt.close())

const find = async (filter: string): Promise<AuditEntry[]> =>
  (await admin.call(auditLog.list, { filter })).results

/** The lines of the exported log, newest first. */
async function exported(filter: string): Promise<string[]> {
  const { text } = await admin.send({
    method: 'POST',
    url: reports.exportList.path,
    payload: { list: 'auditLog', format: 'csv', columns: ['what', 'actor', 'address', 'device'], filter },
  })
  return text.trim().split(/\r?\n/).slice(1)
}

function signIn(username: string, password: string, address = '203.0.113.9') {
  return forecourt.app.inject({
    method: 'POST',
    url: auth.signIn.path,
    payload: { username, password },
    remoteAddress: address,
    headers: { 'user-agent': FIREFOX },
  })
}

describe('signing in', () => {
  test('each sign-in, failed one, change of the organization and sign-out is one entry', async () => {
    const userName = fresh('is.watched').replace(' ', '.')
    const id = await ford.addMember({ userName, userType: 'Dealer user' })
    const of = `kind == "sign_ins" && rowId == "${id}"`
    await signIn(userName, 'Not-the-password-1')
    await signIn(userName, 'Not-the-password-2')
    const answer = await signIn(userName, DEMO_PASSWORD)
    const { accessToken } = answer.json().data
    const caller = makeCaller(forecourt.app, accessToken)
    const moved = await caller.call(auth.changeOrganization, { organizationId: ford.organizationId })
    await makeCaller(forecourt.app, moved.accessToken).call(auth.signOut, {})
    const entries = await find(of)
    expect(entries.map(({ what, actor }) => [what, actor])).toEqual([
      ['signed out', expect.any(String)],
      ['switched to Northgate Ford', expect.any(String)],
      ['signed in', expect.any(String)],
      [expect.stringMatching(/^failed to sign in with a wrong password as .+, 2 times$/), null],
    ])
    expect(entries.slice(2)).toMatchObject([
      { address: '203.0.113.9', device: 'Firefox on Windows' },
      { address: '203.0.113.9', device: 'Firefox on Windows' },
    ])
    const lines = await exported(of)
    expect(lines).toHaveLength(4)
    expect(lines[3]).toMatch(
      /^"failed to sign in with a wrong password as .+, 2 times",,"203\.0\.113\.9","Firefox on Windows"$/,
    )
    const open = await admin.call(auditLog.get, { id: entries[3]?.id ?? '' })
    expect(JSON.stringify([open, lines])).not.toContain('Not-the-password')
    // The sentence says everything but when it happened last, and the search finds its words.
    expect(open.changes).toEqual([
      {
        field: 'last',
        before: null,
        after: expect.stringMatching(/^2026-11-18 \d\d:\d\d UTC$/),
        isCovered: false,
      },
    ])
    const { results: wrong } = await admin.call(auditLog.list, { search: 'wrong password', filter: of })
    expect(wrong.map((entry) => entry.id)).toEqual([open.id])
    const history = await admin.call(sessions.history, { id })
    expect(history.map(({ what, isFailed }) => [what, isFailed])).toEqual([
      ['Signed out', false],
      ['Switched to Northgate Ford', false],
      ['Signed in', false],
      ['Failed to sign in, 2 times', true],
    ])
  })

  test('a name that nobody has leaves nothing', async () => {
    const count = async () => (await forecourt.owner.query('select from audit_log')).rows.length
    const before = await count()
    await signIn('nobody.of.this.name', 'Some-password-1')
    expect(await count()).toBe(before)
  })

  test('failed sign-ins of an hour share few entries, from however many addresses', async () => {
    const userName = fresh('is.attacked').replace(' ', '.')
    const id = await ford.addMember({ userName, userType: 'Dealer user' })
    for (let n = 0; n < 30; n++) await signIn(userName, 'Guess-number-1', `198.51.100.${n}`)
    const entries = await find(`kind == "sign_ins" && rowId == "${id}" && what.contains("failed")`)
    expect(entries).toHaveLength(21)
    expect(entries.find(({ address }) => address === 'Other addresses')?.what).toMatch(/, 10 times$/)
  })
})

test('changes of settings say from where they were made, a domain is named by itself, and addresses are forgotten', async () => {
  const id = await ford.addDomain()
  const { domain, version } = await admin.call(whiteLabels.get, { id })
  await admin.call(whiteLabels.save, { id, version, title: 'Northgate and Sons' })
  await admin.call(whiteLabels.remove, { id })
  const changes = await find(`kind == "white_labels" && rowId == "${id}" && actor == "Dana Whitfield"`)
  const from = { what: domain, address: '127.0.0.1', device: expect.any(String) }
  expect(changes).toMatchObject([
    { operation: 'delete', ...from },
    { operation: 'update', ...from },
  ])
  const staff = await forecourt.as('super', 'Northgate Ford')
  const dealer = await findUser(admin, 'northgate.desk')
  const { accessToken } = await staff.call(impersonation.impersonate, { userId: dealer.id })
  await makeCaller(forecourt.app, accessToken).call(impersonation.impersonate, { userId: null })
  expect(await find(`what == "stopped acting as them" && rowId == "${dealer.id}"`)).toMatchObject([
    { address: '127.0.0.1', device: expect.any(String) },
  ])
  await forecourt.owner.query(
    `update audit_log set at = at - interval '401 days' where table_name = 'white_labels' and row_id = $1`,
    [id],
  )
  await sweepSessions(forecourt.identity.iam)
  expect(await find(`kind == "white_labels" && rowId == "${id}"`)).toMatchObject([
    { what: domain, address: null, device: null },
    { what: domain, address: null, device: null },
    { what: domain, address: null, device: null },
  ])
})

describe('what people may do', () => {
  test('changes are sentences in the log, its export and the activity of the user', async () => {
    const userName = fresh('is.changed').replace(' ', '.')
    const id = await ford.addMember({ userName, userType: 'Dealer user' })
    const { firstName, lastName, version } = await admin.call(users.get, { id })
    const held = await admin.call(users.permissions, { id })
    const wanted = held.permissions.filter(({ func, opr }) => func !== Func.lots.func || opr !== Opr.export)
    await admin.call(users.update, { user: { id, version }, permissions: wanted })
    const sentence = `Denied Lots, export for ${firstName} ${lastName}`
    const [entry] = await find(`kind == "user_permissions" && what == "${sentence}"`)
    expect(entry).toMatchObject({ what: sentence, actor: 'Dana Whitfield', address: '127.0.0.1' })
    expect(entry?.device).not.toBeNull()
    expect((await admin.call(auditLog.get, { id: entry?.id ?? '' })).changes).toEqual([])
    expect((await exported(`what == "${sentence}"`)).join()).toContain(sentence)
    const activity = await admin.call(users.activity, { id })
    expect(activity.map(({ what }) => what)).toContain('Denied Lots, export')
    const [joined] = await find(`kind == "memberships" && rowId == "${id}/${ford.organizationId}"`)
    expect(joined?.what).toBe(`${firstName} ${lastName} joined Northgate Ford`)
  })

  test('grants of a user type name the permission and the type', async () => {
    const name = fresh('Readers')
    await admin.call(userTypes.add, {
      userType: { name, parentId: await ford.userType('Customer administrator'), reach: 'organization' },
      permissions: [can(Func.lots, Opr.list)],
    })
    const [entry] = await find(`what == "Granted Lots, list to ${name}"`)
    expect(entry).toMatchObject({ kind: 'user_type_permissions', actor: 'Dana Whitfield' })
  })

  test('impersonation without a reason says so', async () => {
    const staff = await forecourt.as('super', 'Northgate Ford')
    const { id } = await findUser(admin, 'northgate.dealer')
    await staff.call(impersonation.impersonate, { userId: id, token: staff.token })
    const [started] = await find('what == "started acting as them"')
    const { changes } = await admin.call(auditLog.get, { id: started?.id ?? '' })
    expect(changes).toEqual([{ field: 'reason', before: null, after: 'no reason given', isCovered: false }])
  })
})

test('an email is one entry, however often its delivery is tried', async () => {
  const id = await ford.addMember({ userName: fresh('is.mailed').replace(' ', '.'), userType: 'Dealer user' })
  await admin.call(users.sendPasswordMail, { id })
  await forecourt.outbox.deliver()
  const { rows } = await forecourt.owner.query<{ id: string }>(
    'select id from outbox_mails where user_id = $1',
    [id],
  )
  expect(rows).toHaveLength(1)
  expect(await find(`kind == "outbox_mails" && rowId == "${rows[0]?.id}"`)).toMatchObject([
    { operation: 'insert', actor: 'Dana Whitfield' },
  ])
})

test('files that are taken out are entries with their names', async () => {
  await admin.call(reports.exportList, { list: 'lots', format: 'csv', columns: ['name'] })
  const job = await admin.call(reports.startExport, { list: 'lots', format: 'csv', columns: ['name'] })
  await forecourt.jobs.runDue()
  await admin.send({ method: 'GET', url: `/api/jobs/download-job-file/${job.id}` })
  const entries = await find('kind == "downloads" && (what.contains("Lots") || what.contains("lots"))')
  expect(entries).toMatchObject([
    { what: expect.stringMatching(/^downloaded .+\.csv$/), actor: 'Dana Whitfield', call: 'jobs.download' },
    { what: expect.stringMatching(/^exported \d+ rows of Lots as CSV$/), call: 'reports.exportList' },
  ])
  expect(entries.every(({ address, device }) => address === '127.0.0.1' && device !== null)).toBe(true)
})

describe('no entry shows a key', () => {
  test('no field is named like a column', async () => {
    const { rows } = await forecourt.owner.query<{ name: string; column: string }>(
      `select c.relname as name, a.attname as column from pg_trigger t join pg_class c on c.oid = t.tgrelid
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where t.tgname = 'audit' and c.relname <> all('{user_permissions,user_type_permissions,memberships}')`,
    )
    expect(rows.length).toBeGreaterThan(300)
    const bare = rows.filter(
      ({ column }) => /_|(^| )(ids?|func|opr|is|has)( |$)/.test(displayName(column)) && column !== 'id',
    )
    expect(bare).toEqual([])
  })

  test('no entry of the demo data is named by a key', async () => {
    const { text } = await admin.send({
      method: 'POST',
      url: reports.exportList.path,
      payload: { list: 'auditLog', format: 'csv', columns: ['what', 'kind'] },
    })
    const lines = text.trim().split(/\r?\n/).slice(1)
    expect(lines.length).toBeGreaterThan(1_000)
    expect(lines.filter((line) => /^"?[\d/:-]*"?,|_/.test(line)).slice(0, 5)).toEqual([])
  })
})

// The last one, because it ends every session.
test('failed sign-ins are deleted after 90 days, others after 400', async () => {
  const userName = fresh('is.old').replace(' ', '.')
  const id = await ford.addMember({ userName, userType: 'Dealer user' })
  await signIn(userName, 'Guess-number-1')
  await signIn(userName, DEMO_PASSWORD)
  const left = async () => {
    await sweepSessions(forecourt.identity.iam)
    const { rows } = await forecourt.owner.query<{ event: string }>(
      `select after ->> 'event' as event from audit_log where table_name = 'sign_ins' and row_id = $1 order by id`,
      [id],
    )
    return rows.map(({ event }) => event)
  }
  expect(await left()).toEqual(['failed to sign in', 'signed in'])
  clock.advance(91 * 86_400_000)
  expect(await left()).toEqual(['signed in'])
  clock.advance(310 * 86_400_000)
  expect(await left()).toEqual([])
})

describe('refused calls', () => {
  // The sessions of before have ended: the clock was moved on.
  beforeAll(async () => {
    ford = await testOrganization(forecourt, 'Northgate Ford')
    admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  })

  /** A user without permission to add lots, and the filter of the log for what they were refused. */
  async function addWatched(userName: string) {
    const id = await ford.addMember({ userName, userType: 'Auditor' })
    return { id, caller: await forecourt.as(userName), of: `kind == "refusals" && rowId == "${id}"` }
  }

  test('include what could not be saved because file storage is full', async () => {
    const { ofCaller } = forecourt.identity.refusals
    const { customerId, organizationId } = ford
    const people = { fullName: 'Ann Participant', language: 'en', timeZone: 'UTC', sessionExpiresAt: '' }
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    const participantId = '999999'
    await ofCaller(
      { ...people, customerId, organizationId, participantId },
      { endpoint: 'participantArea.addEvidence', error: full },
    )
    expect(await find('kind == "refusals" && rowId == "participant 999999"')).toMatchObject([
      {
        what: expect.stringMatching(/^could not save, because file storage is full/),
        actor: 'Ann Participant',
      },
    ])
  })

  test('are one entry for a person, address and minute, with a count and the sentence that was shown', async () => {
    const { caller, of } = await addWatched(fresh('curious').replace(' ', '.'))
    const add = () => expect(caller.call(lots.add, { name: 'Yard', code: 'YRD' })).toRefuse(403)
    await add()
    expect(await find(of)).toMatchObject([
      {
        what: expect.stringMatching(
          /^was refused: You don't have permission to do this\. It requires Lots, create/,
        ),
        actor: expect.any(String),
        call: 'lots.add',
      },
    ])
    for (let n = 0; n < 30; n += 1) await add()
    await forecourt.identity.refusals.flush()
    expect(await find(of)).toMatchObject([
      { what: expect.stringMatching(/^was refused 31 times: You don't/) },
    ])
    clock.advance(61_000)
    await add()
    expect(await find(of)).toHaveLength(2)
  })

  test('are found by their call, also if the same person was refused others in the same minute, at most 21', async () => {
    const { id, of } = await addWatched(fresh('thorough').replace(' ', '.'))
    const { ofCaller, flush } = forecourt.identity.refusals
    clock.advance(60_000 - (clock.now() % 60_000))
    const actor = {
      participantId: id,
      customerId: ford.customerId,
      organizationId: ford.organizationId,
      fullName: 'Ann',
      language: 'en',
      timeZone: 'UTC',
      sessionExpiresAt: '',
    }
    for (let n = 0; n < 30; n += 1)
      for (let times = 0; times < 3; times += 1)
        await ofCaller(actor, { endpoint: `lots.call${n}`, error: forbidden(`It requires right ${n}.`) })
    await flush()
    const entries = await find(of.replace(`"${id}"`, `"participant ${id}"`))
    expect(entries).toHaveLength(21)
    expect(entries).toContainEqual(
      expect.objectContaining({ what: 'was refused 3 times: It requires right 7.', call: 'lots.call7' }),
    )
    expect(entries).toContainEqual(
      expect.objectContaining({
        what: 'was refused 30 times: Other calls were refused as well.',
        call: null,
      }),
    )
  })

  test('are also limits that a handler ran into', async () => {
    const domain = `${fresh('limit').replace(' ', '-')}.example`
    const { id } = await admin.call(whiteLabels.save, { domain, title: 'Limit' })
    // As after sixty checks.
    await forecourt.owner.query(
      `insert into iam.request_counts (kind, key, count, window_started_at)
      values ('domain checks of a customer', $1, 60, $2)
      on conflict (kind, key) do update set count = 60, window_started_at = excluded.window_started_at`,
      [ford.customerId, clock.date().toISOString()],
    )
    await expect(admin.call(whiteLabels.verify, { id })).toRefuse(429)
    expect(await find('kind == "refusals" && call == "whiteLabels.verify"')).toMatchObject([
      {
        what: 'reached a limit: The limit is 60 checks an hour. Try again later.',
        actor: expect.any(String),
      },
    ])
  })

  test('name the account whose sign-in was blocked, at most 21 entries in a minute', async () => {
    const userName = fresh('blocked').replace(' ', '.')
    const id = await ford.addMember({ userName, userType: 'Dealer user' })
    // As after a hundred failures from ten networks, by the clock of this test.
    await forecourt.owner.query(
      `insert into iam.sign_in_failures (kind, key, failures, blocked_until)
       values ('account', $1, 100, app_now() + interval '3 years')`,
      [userName.toLowerCase()],
    )
    // So that all of it is within one minute.
    clock.advance(60_000 - (clock.now() % 60_000))
    // Each of them is answered slowly.
    await Promise.all(
      Array.from({ length: 40 }, (_, n) => signIn(userName, `Not-the-password-${n}`, `203.0.113.${n}`)),
    )
    await forecourt.identity.refusals.flush()
    const entries = await find(`kind == "refusals" && rowId == "${id}"`)
    expect(entries).toHaveLength(21)
    expect(entries.map(({ address }) => address)).toContain('Other addresses')
    expect(entries[0]).toMatchObject({
      what: expect.stringMatching(
        /^sign-in was blocked for .+: Too many failed sign-ins for this account\.$/,
      ),
      actor: null,
      call: 'auth.signIn',
    })
  })

  test('are forgotten after 90 days', async () => {
    const { caller, of } = await addWatched(fresh('former').replace(' ', '.'))
    await expect(caller.call(lots.add, { name: 'Yard', code: 'YRD' })).toRefuse(403)
    await forecourt.owner.query(
      `update audit_log set at = at - interval '91 days' where table_name = 'refusals'`,
    )
    await sweepSessions(forecourt.identity.iam)
    expect(await find(of)).toEqual([])
  })
})
