import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditLog } from '#contract/administration/audit-log.ts'
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
import { placeOf, type Place } from '#test/factories/places.ts'
import { alterSession, forkSession, readClaims, sessionIdOf } from '#test/factories/identity/sessions.ts'
import { skinsOf } from '#test/factories/identity/impersonations.ts'

let forecourt: TestApp
let ford: Place
let skins: ReturnType<typeof skinsOf>
let staff: Caller
beforeAll(async () => {
  forecourt = await testApp()
  skins = skinsOf(forecourt)
  ford = await placeOf(forecourt, 'Northgate Ford')
  await ford.addMember({ userName: 'wei.expires', userType: 'Dealer user' })
  staff = await forecourt.as('super', 'Forecourt Operations')
})
afterAll(() => forecourt.close())

const fork = (caller: Caller) => forkSession(forecourt, caller)

describe('looking only', () => {
  const lookAt = async (userName: string) => skins.become(await fork(staff), userName, { mode: 'look' })

  test('every call that writes is refused with one sentence, but going back and choosing an organization', async () => {
    const skin = await lookAt('northgate.dealer')
    expect((await skin.call(auth.me, {})).impersonation?.isLookOnly).toBe(true)
    const writing = everyCase.filter(
      ({ endpoint }) =>
        endpoint.writes &&
        endpoint.allow !== 'anyone' &&
        endpoint.allow !== 'session' &&
        !['/api/auth/impersonate-user', '/api/auth/change-organization'].includes(endpoint.path),
    )
    expect(writing.length).toBeGreaterThan(30)
    const letThrough: string[] = []
    for (const { name, endpoint, input } of writing) {
      const sentence = await skin.call(endpoint, await input(ford)).then(
        () => 'let in',
        (error: unknown) => (error instanceof Error ? error.message : ''),
      )
      if (!sentence.startsWith('403 You are only looking')) letThrough.push(`${name}: ${sentence}`)
    }
    expect(letThrough).toEqual([])
  })

  test('reads go on, and so do keep-alive and going back', async () => {
    const skin = await lookAt('northgate.dealer')
    await expect(skin.call(lots.list, {})).resolves.toBeDefined()
    await expect(skin.call(auth.keepAlive, { idleMs: 0 })).resolves.toBeDefined()
    await expect(
      skin.call(auth.changeOrganization, { organizationId: ford.organizationId }),
    ).resolves.toBeDefined()
    const back = await skins.goBack(makeCaller(forecourt.app, (await refreshed(skin)) ?? ''), {
      userId: null,
    })
    expect(readClaims(back.token).impersonateUserName).toBe('super')
    await expect(back.call(organizations.change, {})).resolves.toBeDefined()
  })

  async function refreshed(caller: Caller): Promise<string> {
    return (await forecourt.anonymous.call(auth.refreshToken, { token: caller.token ?? '' })).accessToken
  }
})

describe('acting', () => {
  test('wants a reason where it is asked for by name, and keeps it in the log of both customers', async () => {
    const own = await fork(staff)
    await expect(skins.become(own, 'mara.okafor', { mode: 'act' })).toRefuse(400, 'Say why')
    const skin = await skins.become(own, 'mara.okafor', { mode: 'act', reason: 'Ticket 4711' })
    await skins.goBack(skin, { userId: null })
    const platform = await placeOf(forecourt, 'Forecourt Operations')
    const names = {
      actor: await skins.idOf('super'),
      effective: await skins.idOf('mara.okafor'),
      actor_name: 'Robin Hale',
    }
    const started = await skins.told('mara.okafor', 'started acting as them')
    expect(started).toHaveLength(2)
    expect(started).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...names, customer_id: ford.customerId, reason: 'Ticket 4711' }),
        expect.objectContaining({ ...names, customer_id: platform.customerId, reason: 'Ticket 4711' }),
      ]),
    )
    expect(await skins.told('mara.okafor', 'stopped acting as them')).toHaveLength(2)
  })

  test('the person is told by a mail in the words of their customer', async () => {
    const before = (await mailsTo(forecourt, { id: await skins.idOf('sofia.marino') })).length
    await skins.become(await fork(staff), 'sofia.marino', { mode: 'look' })
    const mails = (await mailsTo(forecourt, { id: await skins.idOf('sofia.marino') })).slice(before)
    expect(mails).toHaveLength(1)
    expect(mails[0]).toMatchObject({
      toEmail: 'sofia.marino@northgate.example',
      subject: expect.stringContaining('Robin Hale looks at your account'),
      text: expect.stringContaining('/account/sessions'),
    })
  })

  test('a refused start tells nobody', async () => {
    const before = await mailsTo(forecourt, { id: await skins.idOf('harbor.dealer') })
    await expect(skins.become(await forecourt.as('northgate.dealer'), 'harbor.dealer')).toRefuse(403)
    expect(await mailsTo(forecourt, { id: await skins.idOf('harbor.dealer') })).toEqual(before)
    expect(await eventsOf(forecourt, { id: await skins.idOf('harbor.dealer') })).toEqual([])
  })

  test('passwords, grants, user types, deleting people and taking the log away are refused meanwhile', async () => {
    const own = await forecourt.as('super', 'Northgate Ford')
    const skin = await skins.become(own, 'northgate.admin')
    const person = await ford.createUser()
    const typeId = await ford.addUserType()
    const AS_ELSE = 'You are acting as somebody else.'
    await expect(
      skin.call(auth.changePassword, { oldPassword: 'x', newPassword: 'NewForecourt9!' }),
    ).toRefuse(403, AS_ELSE)
    await expect(skin.call(users.sendPasswordMail, { id: person })).toRefuse(403, AS_ELSE)
    await expect(skin.call(users.remove, { id: person })).toRefuse(403, AS_ELSE)
    await expect(
      skin.call(users.update, { user: { id: person }, permissions: [{ func: 8, opr: 1 }] }),
    ).toRefuse(403, AS_ELSE)
    await expect(skin.call(userTypes.add, { userType: { name: 'In a skin' } })).toRefuse(403, AS_ELSE)
    await expect(skin.call(userTypes.update, { userType: { id: typeId, name: 'Other' } })).toRefuse(
      403,
      AS_ELSE,
    )
    await expect(skin.call(userTypes.remove, { id: typeId })).toRefuse(403, AS_ELSE)
    const file = { list: 'auditLog', format: 'csv' as const, columns: ['what'] }
    await expect(skin.call(reports.exportList, file)).toRefuse(403, AS_ELSE)
    await expect(skin.call(reports.startExport, file)).toRefuse(403, AS_ELSE)
    await expect(skin.call(auditLog.list, {})).resolves.toBeDefined()
    await expect(skin.call(users.update, { user: { id: person, jobTitle: 'Fine' } })).resolves.toBeDefined()
  })
})

describe('tokens', () => {
  test('a token of another session is a mistake', async () => {
    const { token } = await forecourt.as('northgate.dealer')
    await expect(
      staff.call(impersonation.impersonate, { userId: await skins.idOf('northgate.dealer'), token }),
    ).toRefuse(400, 'does not belong to your session')
  })

  test('the token from before reads for the grace, never writes, and is refused after it', async () => {
    const own = await forecourt.as('super', 'Northgate Ford')
    const skin = await skins.become(own, 'northgate.dealer')
    await expect(own.call(lots.list, {})).resolves.toBeDefined()
    await expect(own.call(lots.add, { name: 'Stale', code: 'STL' })).toRefuse(
      409,
      'another organization or person',
    )
    await alterSession(forecourt, sessionIdOf(own), `rotated_at = rotated_at - interval '31 s'`)
    await expect(own.call(lots.list, {})).toRefuse(401, 'replaced by a newer one')
    await expect(skin.call(lots.list, {})).resolves.toBeDefined()
  })

  test('after its time the session is back in its own skin, once and noted', async () => {
    const own = await fork(staff)
    const skin = await skins.become(own, 'wei.expires')
    await alterSession(forecourt, sessionIdOf(own), `impersonation_ends_at = app_now() - interval '1 s'`)
    await expect(skin.call(lots.add, { name: 'Too late', code: 'TLT' })).toRefuse(409)
    await Promise.all([skin.call(auth.me, {}), skin.call(auth.me, {}), skin.call(auth.me, {})])
    expect((await skin.call(auth.me, {})).impersonation).toBeNull()
    const { accessToken } = await forecourt.anonymous.call(auth.refreshToken, { token: skin.token ?? '' })
    expect(readClaims(accessToken)).toMatchObject({
      impersonateUserName: 'super',
      organizationName: 'Forecourt Operations',
    })
    expect(await skins.told('wei.expires', 'stopped acting as them: the time was over')).toHaveLength(2)
    await alterSession(forecourt, sessionIdOf(own), `rotated_at = rotated_at - interval '31 s'`)
    await expect(skin.call(auth.me, {})).toRefuse(401)
  })

  test('whoever is switched off takes the skin with them', async () => {
    const id = await ford.addMember({ userName: 'soon.off', userType: 'Dealer user' })
    const skin = await skins.become(await fork(staff), 'soon.off')
    const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
    await admin.call(users.update, { user: { id, isActive: false } })
    await expect(skin.call(auth.me, {})).toRefuse(401)
  })
})
