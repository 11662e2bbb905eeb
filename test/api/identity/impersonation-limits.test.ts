import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditLog } from '#contract/administration/audit-log.ts'
import { jobs } from '#contract/jobs/jobs.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { auth } from '#contract/identity/auth.ts'
import { impersonation } from '#contract/identity/impersonation/impersonation.ts'
import { userTypes } from '#contract/identity/user-types/user-types.ts'
import { users } from '#contract/identity/users/users.ts'
import { organizations } from '#contract/organizations/organizations.ts'
import { reports } from '#contract/reports/reports.ts'
import { makeCaller, testApp, type Caller, type TestApp } from '#test/app.ts'
import { everyCase } from '#test/cases/cases.ts'
import { eventsOf, mailsTo } from '#test/factories/mail/mails.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { alterSession, forkSession, readClaims, sessionIdOf } from '#test/factories/identity/sessions.ts'
import { impersonationsOf } from '#test/factories/identity/impersonations.ts'

let forecourt: TestApp
let ford: TestOrganization
let impersonations: ReturnType<typeof impersonationsOf>
let staff: Caller
beforeAll(async () => {
  forecourt = await testApp()
  impersonations = impersonationsOf(forecourt)
  ford = await testOrganization(forecourt, 'Northgate Ford')
  await ford.addMember({ userName: 'wei.expires', userType: 'Dealer user' })
  staff = await forecourt.as('super', 'Forecourt Operations')
})
afterAll(() => forecourt.close())

test('someone without an organization is told to choose one', async () => {
  const undecided = await forecourt.as('super')
  const userId = await impersonations.idOf('northgate.dealer')
  await expect(undecided.call(impersonation.impersonate, { userId })).toRefuse(
    403,
    'Choose an organization first.',
  )
})

const fork = (caller: Caller) => forkSession(forecourt, caller)

describe('view only', () => {
  const viewAs = async (userName: string) =>
    impersonations.impersonate(await fork(staff), userName, { mode: 'view' })

  test('rejects every write except switching back and choosing an organization', async () => {
    const impersonated = await viewAs('northgate.dealer')
    expect((await impersonated.call(auth.me, {})).impersonation?.isViewOnly).toBe(true)
    const writing = everyCase.filter(
      ({ endpoint }) =>
        endpoint.writes &&
        endpoint.allow !== 'anyone' &&
        endpoint.allow !== 'session' &&
        endpoint.allow !== 'participant' &&
        !['/api/auth/impersonate-user', '/api/auth/change-organization'].includes(endpoint.path),
    )
    expect(writing.length).toBeGreaterThan(30)
    const letThrough: string[] = []
    for (const { name, endpoint, input } of writing) {
      const sentence = await impersonated.call(endpoint, await input(ford)).then(
        () => 'let in',
        (error: unknown) => (error instanceof Error ? error.message : ''),
      )
      if (!sentence.startsWith("403 You're in view-only mode")) letThrough.push(`${name}: ${sentence}`)
    }
    expect(letThrough).toEqual([])
  })

  test('rejects every export and report, and the file of an export', async () => {
    const impersonated = await viewAs('northgate.dealer')
    const exporting = everyCase.filter(
      ({ endpoint }) => endpoint.kind === 'report' || endpoint === jobs.download,
    )
    expect(exporting.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['reports.make', 'reports.exportList', 'jobs.download']),
    )
    for (const { endpoint, input } of exporting) {
      await expect(impersonated.call(endpoint, await input(ford))).rejects.toThrow(
        "403 You're in view-only mode, so you can't export lists or create reports.",
      )
    }
  })

  test('allows reads, keepalive and switching back', async () => {
    const impersonated = await viewAs('northgate.dealer')
    await expect(impersonated.call(lots.list, {})).resolves.toBeDefined()
    await expect(impersonated.call(auth.keepAlive, { idleMs: 0 })).resolves.toBeDefined()
    await expect(
      impersonated.call(auth.changeOrganization, { organizationId: ford.organizationId }),
    ).resolves.toBeDefined()
    const back = await impersonations.switchBack(
      makeCaller(forecourt.app, (await refreshed(impersonated)) ?? ''),
      {
        userId: null,
      },
    )
    expect(readClaims(back.token).impersonateUserName).toBe('super')
    await expect(back.call(organizations.change, {})).resolves.toBeDefined()
  })

  async function refreshed(caller: Caller): Promise<string> {
    return (await forecourt.anonymous.call(auth.refreshToken, { token: caller.token ?? '' })).accessToken
  }
})

describe('acting', () => {
  test('requires a reason, and logs it for both customers', async () => {
    const own = await fork(staff)
    await expect(impersonations.impersonate(own, 'mara.okafor', { mode: 'act' })).toRefuse(
      400,
      'Enter a reason',
    )
    const impersonated = await impersonations.impersonate(own, 'mara.okafor', {
      mode: 'act',
      reason: 'Ticket 4711',
    })
    await impersonations.switchBack(impersonated, { userId: null })
    const platform = await testOrganization(forecourt, 'Forecourt Operations')
    const names = {
      actor: await impersonations.idOf('super'),
      effective: await impersonations.idOf('mara.okafor'),
      actor_name: 'Robin Hale',
    }
    const started = await impersonations.entriesOf('mara.okafor', 'started acting as them')
    expect(started).toHaveLength(2)
    expect(started).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...names, customer_id: ford.customerId, reason: 'Ticket 4711' }),
        expect.objectContaining({ ...names, customer_id: platform.customerId, reason: 'Ticket 4711' }),
      ]),
    )
    expect(await impersonations.entriesOf('mara.okafor', 'stopped acting as them')).toHaveLength(2)
  })

  test("emails the user with their customer's template", async () => {
    const before = (await mailsTo(forecourt, { id: await impersonations.idOf('sofia.marino') })).length
    await impersonations.impersonate(await fork(staff), 'sofia.marino', { mode: 'view' })
    const mails = (await mailsTo(forecourt, { id: await impersonations.idOf('sofia.marino') })).slice(before)
    expect(mails).toHaveLength(1)
    expect(mails[0]).toMatchObject({
      toEmail: 'sofia.marino@northgate.example',
      subject: expect.stringContaining('Robin Hale is viewing your account'),
      text: expect.stringContaining('/account/sessions'),
    })
  })

  test('a rejected start sends no email and logs nothing', async () => {
    const before = await mailsTo(forecourt, { id: await impersonations.idOf('harbor.dealer') })
    await expect(
      impersonations.impersonate(await forecourt.as('northgate.dealer'), 'harbor.dealer'),
    ).toRefuse(403)
    expect(await mailsTo(forecourt, { id: await impersonations.idOf('harbor.dealer') })).toEqual(before)
    expect(await eventsOf(forecourt, { id: await impersonations.idOf('harbor.dealer') })).toEqual([])
  })

  test('rejects changing passwords, permissions and user types, deleting users, and exporting the audit log', async () => {
    const own = await forecourt.as('super', 'Northgate Ford')
    const impersonated = await impersonations.impersonate(own, 'northgate.admin')
    const userId = await ford.createUser()
    const typeId = await ford.addUserType()
    const REFUSAL = "You can't do this while impersonating a user."
    await expect(
      impersonated.call(auth.changePassword, { oldPassword: 'x', newPassword: 'NewForecourt9!' }),
    ).toRefuse(403, REFUSAL)
    await expect(impersonated.call(users.sendPasswordMail, { id: userId })).toRefuse(403, REFUSAL)
    await expect(impersonated.call(users.remove, { id: userId })).toRefuse(403, REFUSAL)
    await expect(
      impersonated.call(users.update, { user: { id: userId }, permissions: [{ func: 8, opr: 1 }] }),
    ).toRefuse(403, REFUSAL)
    await expect(impersonated.call(userTypes.add, { userType: { name: 'While impersonating' } })).toRefuse(
      403,
      REFUSAL,
    )
    await expect(impersonated.call(userTypes.update, { userType: { id: typeId, name: 'Other' } })).toRefuse(
      403,
      REFUSAL,
    )
    await expect(impersonated.call(userTypes.remove, { id: typeId })).toRefuse(403, REFUSAL)
    const file = { list: 'auditLog', format: 'csv' as const, columns: ['what'] }
    await expect(impersonated.call(reports.exportList, file)).toRefuse(403, REFUSAL)
    await expect(impersonated.call(reports.startExport, file)).toRefuse(403, REFUSAL)
    await expect(impersonated.call(auditLog.list, {})).resolves.toBeDefined()
    await expect(
      impersonated.call(users.update, { user: { id: userId, jobTitle: 'Fine' } }),
    ).resolves.toBeDefined()
  })
})

describe('tokens', () => {
  test('rejects a token of another session', async () => {
    const { token } = await forecourt.as('northgate.dealer')
    await expect(
      staff.call(impersonation.impersonate, { userId: await impersonations.idOf('northgate.dealer'), token }),
    ).toRefuse(400, "doesn't belong to your session")
  })

  test('the earlier token can read during the grace period, never write, and is rejected afterward', async () => {
    const own = await forecourt.as('super', 'Northgate Ford')
    const impersonated = await impersonations.impersonate(own, 'northgate.dealer')
    await expect(own.call(lots.list, {})).resolves.toBeDefined()
    await expect(own.call(lots.add, { name: 'Stale', code: 'STL' })).toRefuse(
      409,
      'another organization or user',
    )
    await alterSession(forecourt, sessionIdOf(own), `rotated_at = rotated_at - interval '31 s'`)
    await expect(own.call(lots.list, {})).toRefuse(401, 'replaced by a newer one')
    await expect(impersonated.call(lots.list, {})).resolves.toBeDefined()
  })

  test('after the time limit the session belongs to its own user again, logged once', async () => {
    const own = await fork(staff)
    const impersonated = await impersonations.impersonate(own, 'wei.expires')
    await alterSession(forecourt, sessionIdOf(own), `impersonation_ends_at = app_now() - interval '1 s'`)
    await expect(impersonated.call(lots.add, { name: 'Too late', code: 'TLT' })).toRefuse(409)
    await Promise.all([
      impersonated.call(auth.me, {}),
      impersonated.call(auth.me, {}),
      impersonated.call(auth.me, {}),
    ])
    expect((await impersonated.call(auth.me, {})).impersonation).toBeNull()
    const { accessToken } = await forecourt.anonymous.call(auth.refreshToken, {
      token: impersonated.token ?? '',
    })
    expect(readClaims(accessToken)).toMatchObject({
      impersonateUserName: 'super',
      organizationName: 'Forecourt Operations',
    })
    expect(
      await impersonations.entriesOf('wei.expires', 'stopped acting as them: the time limit was reached'),
    ).toHaveLength(2)
    await alterSession(forecourt, sessionIdOf(own), `rotated_at = rotated_at - interval '31 s'`)
    await expect(impersonated.call(auth.me, {})).toRefuse(401)
  })

  test('deactivating the impersonated user ends the session', async () => {
    const id = await ford.addMember({ userName: 'soon.off', userType: 'Dealer user' })
    const impersonated = await impersonations.impersonate(await fork(staff), 'soon.off')
    const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
    await admin.call(users.update, { user: { id, isActive: false } })
    await expect(impersonated.call(auth.me, {})).toRefuse(401)
  })
})
