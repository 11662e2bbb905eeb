import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { auth } from '#contract/identity/auth.ts'
import { secondFactor } from '#contract/identity/second-factor/second-factor.ts'
import { userTypes } from '#contract/identity/user-types/user-types.ts'
import { users } from '#contract/identity/users/users.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { DEMO_PASSWORD } from '../../../demo/world.ts'
import { refusalOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { startSignIn, verifyIn } from '#test/factories/identity/second-factor.ts'
import { eventsOf, mailsTo } from '#test/factories/mail/mails.ts'
import { fresh, testOrganization } from '#test/factories/test-organization.ts'
import { alterSession, readClaims, sessionIdOf } from '#test/factories/identity/sessions.ts'
import { timeCode } from '#test/factories/identity/time-code.ts'

let forecourt: TestApp
beforeAll(async () => {
  forecourt = await testApp()
})
afterAll(() => forecourt.close())
afterEach(() => forecourt.owner.query('delete from iam.sign_in_failures'))

const password = DEMO_PASSWORD

async function join(userType = 'Dealer user'): Promise<{ id: string; userName: string; me: Caller }> {
  const { addMember } = await testOrganization(forecourt, 'Northgate Ford')
  const userName = fresh('factor').replace(' ', '.')
  const id = await addMember({ userName, userType })
  return { id, userName, me: await forecourt.as(userName) }
}

/** A user with an authenticator. The next valid code is the one of the next time step. */
async function joinWithApp(userType?: string) {
  const person = await join(userType)
  const { secret } = await person.me.call(secondFactor.startAuthenticator, { password })
  const otp = await timeCode({ secret })
  const { backupCodes } = await person.me.call(secondFactor.confirmAuthenticator, { otp })
  return { ...person, secret, backupCodes }
}

const isAsked = async (userName: string): Promise<boolean> =>
  readClaims((await startSignIn(forecourt, userName)).token).isVerified === 'false'

describe('setting up an authenticator', () => {
  test('requires the password and the first code, and is required at sign-in from then on', async () => {
    const { me, userName, id } = await join()
    const { secret, uri } = await me.call(secondFactor.startAuthenticator, { password })
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    const read = new URL(uri)
    expect([read.protocol, read.host, read.searchParams.get('secret')]).toEqual(['otpauth:', 'totp', secret])
    expect(decodeURIComponent(read.pathname)).toBe(`/Forecourt:${userName}`)
    expect(await isAsked(userName)).toBe(false)

    const otp = await timeCode({ secret })
    const { backupCodes } = await me.call(secondFactor.confirmAuthenticator, { otp })
    expect(new Set(backupCodes).size).toBe(10)
    expect(backupCodes.every((code) => /^[A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4}$/.test(code))).toBe(true)
    expect(await isAsked(userName)).toBe(true)
    expect(await me.call(secondFactor.own, {})).toMatchObject({
      isRequired: false,
      codeEmail: null,
      backupCodesLeft: 10,
    })
    expect(await eventsOf(forecourt, { id })).toEqual(['turned on an authenticator'])

    const waiting = await startSignIn(forecourt, userName)
    await expect(waiting.call(secondFactor.verifyOtp, { otp })).toRefuse(400, 'already used')
    await expect(waiting.call(secondFactor.verifyOtp, { otp: backupCodes[0] ?? '' })).resolves.toBeDefined()
    expect(await me.call(secondFactor.own, {})).toMatchObject({ backupCodesLeft: 9 })
  })

  test('stores its codes and secret only hashed or sealed', async () => {
    const { secret, backupCodes } = await joinWithApp()
    const { rows } = await forecourt.owner.query<{ kept: string }>(
      `select a::text as kept from iam.authenticators a union all select b::text from iam.backup_codes b
      union all select l::text from audit_log l`,
    )
    const secrets = [secret, ...backupCodes, ...backupCodes.map((code) => code.replaceAll('-', ''))]
    expect(rows.filter(({ kept }) => secrets.some((one) => kept.includes(one)))).toEqual([])
  })

  test('limits password guesses as at sign-in', async () => {
    const { me } = await join()
    const wrong = () => refusalOf(me.call(secondFactor.startAuthenticator, { password: 'not-it' }))
    expect((await wrong()).refusal.fields).toEqual({ password: 'This password is incorrect.' })
    for (let time = 0; time < 4; time += 1) await wrong()
    const { refusal } = await refusalOf(me.call(secondFactor.startAuthenticator, { password }))
    expect(refusal.fields?.['password']).toContain('Too many incorrect attempts')
  })

  test('rejects a code of another or a replaced secret', async () => {
    const { me, userName } = await join()
    const first = await me.call(secondFactor.startAuthenticator, { password })
    await me.call(secondFactor.startAuthenticator, { password })
    const otp = await timeCode({ secret: first.secret })
    const { refusal } = await refusalOf(me.call(secondFactor.confirmAuthenticator, { otp }))
    expect(refusal.fields?.['otp']).toContain('incorrect')
    const { setupId } = first
    const told = await refusalOf(me.call(secondFactor.confirmAuthenticator, { otp, setupId }))
    expect(told.refusal.fields?.['otp']).toContain('Another set-up was begun since')
    expect(told.refusal.fields?.['otp']).not.toContain('clock')
    expect(await isAsked(userName)).toBe(false)
  })

  test('is rejected while one is on', async () => {
    const { me } = await joinWithApp()
    await expect(me.call(secondFactor.startAuthenticator, { password })).toRefuse(409, 'Turn it off first')
  })
})

describe('the own second factor', () => {
  test('is turned off with the password, which removes backup codes and trusted devices', async () => {
    const { me, userName, secret, id } = await joinWithApp()
    const waiting = await startSignIn(forecourt, userName)
    await verifyIn(forecourt, waiting, { otp: await timeCode({ secret, steps: 1 }), isTrust: true })
    await expect(me.call(secondFactor.removeAuthenticator, { password: 'not-it' })).toRefuse(400)
    await me.call(secondFactor.removeAuthenticator, { password })
    expect(await me.call(secondFactor.own, {})).toEqual({
      isRequired: false,
      codeEmail: null,
      authenticatorAt: null,
      backupCodesLeft: 0,
      withoutAuthenticator: 'nothing',
      devices: [],
    })
    expect(await isAsked(userName)).toBe(false)
    expect((await eventsOf(forecourt, { id })).at(-1)).toBe('turned off their authenticator')
    await expect(me.call(secondFactor.removeAuthenticator, { password })).toRefuse(409)
  })

  test('gets new backup codes that replace the earlier ones', async () => {
    const { me, userName, backupCodes } = await joinWithApp()
    const renewed = (await me.call(secondFactor.renewBackupCodes, { password })).backupCodes
    const waiting = await startSignIn(forecourt, userName)
    await expect(waiting.call(secondFactor.verifyOtp, { otp: backupCodes[0] ?? '' })).toRefuse(400)
    await expect(waiting.call(secondFactor.verifyOtp, { otp: renewed[0] ?? '' })).resolves.toBeDefined()
  })

  test('has backup codes only with an authenticator', async () => {
    const { me } = await join()
    await expect(me.call(secondFactor.renewBackupCodes, { password })).toRefuse(409)
  })

  test('shows the masked address of emailed codes', async () => {
    const waiting = await startSignIn(forecourt, 'northgate.desk')
    await alterSession(forecourt, sessionIdOf(waiting), 'is_verified = true')
    expect(await waiting.call(secondFactor.own, {})).toMatchObject({
      isRequired: true,
      codeEmail: 'n•••@n•••.example',
    })
  })

  test('is not accessible while impersonating', async () => {
    const { me } = await joinWithApp()
    const { rows } = await forecourt.owner.query<{ id: string }>(
      `select id from users where user_name = 'northgate.auditor'`,
    )
    await alterSession(forecourt, sessionIdOf(me), `effective_user_id = ${rows[0]?.id}`)
    const id = '00000000-0000-4000-8000-000000000000'
    const calls = [
      () => me.call(secondFactor.own, {}),
      () => me.call(secondFactor.startAuthenticator, { password }),
      () => me.call(secondFactor.confirmAuthenticator, { otp: '000000' }),
      () => me.call(secondFactor.removeAuthenticator, { password }),
      () => me.call(secondFactor.renewBackupCodes, { password }),
      () => me.call(secondFactor.forgetDevice, { id }),
    ]
    for (const call of calls) await expect(call()).toRefuse(403, 'Switch back first')
  })
})

describe('resetting a second factor', () => {
  test('is audited, and the user is notified by email', async () => {
    const { id, userName, secret } = await joinWithApp()
    const waiting = await startSignIn(forecourt, userName)
    const { device } = await verifyIn(forecourt, waiting, {
      otp: await timeCode({ secret, steps: 1 }),
      isTrust: true,
    })
    expect(device).not.toBeNull()
    const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
    expect((await admin.call(users.get, { id })).authenticatorAt).not.toBeNull()
    expect((await admin.call(secondFactor.reset, { id })).authenticatorAt).toBeNull()
    expect(await isAsked(userName)).toBe(false)
    expect((await eventsOf(forecourt, { id })).at(-1)).toBe('reset their second factor')
    const mail = (await mailsTo(forecourt, { id })).at(-1)
    expect(mail?.subject).toBe('Your authenticator for Forecourt was removed')
    expect(mail?.text).toContain('Dana Whitfield removed the authenticator')
    await expect(admin.call(secondFactor.reset, { id })).toRefuse(
      409,
      'This user signs in with a password only, so there is no second factor to reset.',
    )
  })

  test('is rejected for oneself, and for a user with more permissions', async () => {
    const admin = await joinWithApp('Customer administrator')
    const own = await forecourt.as('northgate.admin', 'Northgate Ford')
    const { rows } = await forecourt.owner.query<{ id: string }>(
      `select id from users where user_name = 'northgate.admin'`,
    )
    await expect(own.call(secondFactor.reset, { id: rows[0]?.id ?? '' })).toRefuse(403, 'your own account')
    await forecourt.owner.query(
      `insert into user_permissions (customer_id, user_id, func, opr, is_allowed)
      select customer_id, id, f, o, true from users, unnest(array[2, 2], array[1, 8]) g (f, o)
      where user_name = 'northgate.dealer'`,
    )
    const dealer = await forecourt.as('northgate.dealer')
    const call = dealer.call(secondFactor.reset, { id: admin.id })
    await expect(call).toRefuse(403)
    await forecourt.owner.query('delete from user_permissions')
    expect(await isAsked(admin.userName)).toBe(true)
  })
})

describe('a user type', () => {
  test('requires a second factor automatically if it grants leads or submissions', async () => {
    const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
    const add = async (permissions: { func: number; opr: number }[], requiresSecondFactor?: boolean) => {
      const userType = {
        name: fresh('Type'),
        ...(requiresSecondFactor !== undefined && { requiresSecondFactor }),
      }
      return (await admin.call(userTypes.add, { userType, permissions })).requiresSecondFactor
    }
    expect([
      await add([can(Func.lots, Opr.list)]),
      await add([can(Func.leads, Opr.list)]),
      await add([can(Func.submissions, Opr.read)]),
      await add([can(Func.leads, Opr.list)], false),
      await add([], true),
    ]).toEqual([false, true, true, false, true])
  })

  test('of a new customer requires one; those of the demo data do not', async () => {
    const { rows } = await forecourt.owner.query(`select name from user_types where requires_second_factor
      and name in ('Lead desk', 'Dealer user', 'Customer administrator', 'Super user', 'Participant')`)
    expect(rows).toEqual([{ name: 'Lead desk' }])
  })

  test('is changed by an administrator, which affects its users', async () => {
    const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
    const { addUserType } = await testOrganization(forecourt, 'Northgate Ford')
    const id = await addUserType()
    const changed = await admin.call(userTypes.update, { userType: { id, requiresSecondFactor: true } })
    expect(changed.requiresSecondFactor).toBe(true)
    expect(
      (await admin.call(userTypes.update, { userType: { id, name: fresh('Type') } })).requiresSecondFactor,
    ).toBe(true)
    await forecourt.owner.query(
      `insert into user_permissions (customer_id, user_id, func, opr, is_allowed)
      select customer_id, id, 3, 8, false from users where user_name = 'northgate.admin'`,
    )
    const refusal = admin.call(userTypes.update, { userType: { id, requiresSecondFactor: false } })
    await expect(refusal).toRefuse(403, 'User types, administer (3, 8)')
    await forecourt.owner.query('delete from user_permissions')
  })
})

test('a user without a second factor signs in with only the password', async () => {
  const { accessToken } = await forecourt.anonymous.call(auth.signIn, {
    username: 'northgate.dealer',
    password,
  })
  expect(readClaims(accessToken)).toMatchObject({ isVerified: 'true', organizationName: 'Northgate Ford' })
})
