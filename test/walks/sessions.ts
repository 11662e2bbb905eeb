import { expect } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { auth } from '#contract/identity/auth.ts'
import { secondFactor } from '#contract/identity/second-factor/second-factor.ts'
import { clock } from '#server/clock.ts'
import { makeCaller } from '#test/app.ts'
import { accessTokenOf, readClaims, signToken } from '#test/factories/identity/sessions.ts'
import { expectedStatus, pick, readRow } from './entry.ts'
import {
  replaceToken,
  ago,
  EMAIL_CODE_USER,
  effectiveOf,
  IMPERSONATOR,
  IDLE_LIMIT,
  idOf,
  isTimingUncertain,
  isEnded,
  isDisabled,
  recordToken,
  LIFE,
  syncFromDatabase,
  now,
  openSession,
  outcomeOf,
  USERS,
  revoke,
  countEvent,
  TARGET,
  type Step,
  type World,
} from './world.ts'

const TRUST_SECONDS = 30 * 86_400

export async function signIn(world: World, step: Step): Promise<void> {
  const { forecourt } = world
  const device = step.age > 0 ? world.device : null
  const anyUser = USERS[step.which % USERS.length] ?? USERS[0]
  const user = device !== null && step.age > 2 ? EMAIL_CODE_USER : anyUser
  const { status, text } = await forecourt.anonymous.send({
    method: 'POST',
    url: '/api/auth',
    payload: { username: user, password: world.passwords.get(user) },
    headers: device === null ? {} : { cookie: device.cookie },
  })
  await forecourt.owner.query('delete from iam.sign_in_failures')
  expect(status).toBe(world.disabled.has(user) ? 401 : 200)
  if (status !== 200) return
  const session = openSession(world, user, accessTokenOf(text))
  const isTrusted = device !== null && !device.isVoid && ago(world, device.at) < TRUST_SECONDS
  if (isTrusted && user === EMAIL_CODE_USER) countEvent(world, 'trusted')
  expect({ user, isVerified: session.isVerified }).toEqual({
    user,
    isVerified: user !== EMAIL_CODE_USER || isTrusted,
  })
}

export async function refreshOrReplay(world: World, step: Step): Promise<void> {
  const picked = pick(world, step, { isReplay: step.action === 'replay' })
  if (picked === null) return
  const { session, token, generation } = picked
  const isUnknown = isTimingUncertain(world, session, token)
  const hasEnded = isEnded(world, session)
  if (!hasEnded && !isUnknown) readRow(world, session)
  const isExpired = readClaims(token).exp * 1000 <= clock.now()
  const isIdle = ago(world, session.activeAt) > IDLE_LIMIT
  const isActive = !hasEnded && !isDisabled(world, session)
  const before = session.generation
  const { status, data } = await outcomeOf(world.forecourt.anonymous.call(auth.refreshToken, token))
  if (!isUnknown) {
    const mayRefresh = isActive && !isExpired && !isIdle
    expect({ generation, status }).toEqual({ generation, status: mayRefresh ? 200 : 401 })
    if (isActive && !isExpired && isIdle) session.isRevoked = true
  }
  if (data !== null) {
    if (isUnknown) await syncFromDatabase(world, session)
    recordToken(world, session, data.accessToken)
    if (session.generation > before) session.activeAt = now(world)
    expect(readClaims(data.accessToken)).toMatchObject({
      userId: idOf(world, session.user),
      impersonateUserId: idOf(world, effectiveOf(session)),
      organizationId: session.organizationId,
    })
    return
  }
  if (isUnknown) await syncFromDatabase(world, session)
}

/** Keeps working: every browser refreshes in time, so that what expires does so during use. */
export async function stay(world: World, step: Step): Promise<void> {
  await jump(world, { ...step, seconds: LIFE - 60 })
  const active = world.sessions.filter((session) => !session.isRevoked)
  for (const session of active) {
    await refreshOrReplay(world, {
      ...step,
      action: 'refresh',
      which: world.sessions.indexOf(session),
      age: 0,
    })
  }
}

/** Reads with any token the session ever had, and checks what it can see. */
export async function read(world: World, step: Step): Promise<void> {
  const picked = pick(world, step, { isReplay: true })
  if (picked === null) return
  const { session, token, generation } = picked
  const isUnknown = isTimingUncertain(world, session, token)
  const expected = isUnknown ? 0 : expectedStatus(world, picked, 'session')
  const caller = makeCaller(world.forecourt.app, token)
  const me = await outcomeOf(caller.call(auth.me, {}))
  if (isUnknown) return syncFromDatabase(world, session)
  expect({ generation, status: me.status }).toEqual({ generation, status: expected })
  if (me.data === null) return
  expect(me.data.impersonation !== null).toBe(session.impersonation !== null)
  const held = await caller.call(auth.authFunc, {})
  if (!session.isVerified) {
    countEvent(world, 'unverified')
    expect(held).toEqual({ isSuper: false, permissions: [] })
    const organizationId = world.organizationIds[0] ?? ''
    await expect(caller.call(lots.list, {})).toRefuse(401)
    await expect(caller.call(secondFactor.own, {})).toRefuse(401)
    await expect(caller.call(auth.changeOrganization, { organizationId })).toRefuse(401)
    return
  }
  const lotsSeen = await outcomeOf(caller.call(lots.list, {}))
  if (effectiveOf(session) === TARGET) {
    // No more than the target's own permissions, never those of the impersonator.
    const mayDelete = world.changedRights.has('target has more permissions')
    const own = [...(maySeeLots(world) ? [1] : []), ...(mayDelete ? [5] : [])]
    expect(held.permissions).toEqual(own.map((opr) => ({ func: 8, opr })))
    expect(lotsSeen.status).toBe(maySeeLots(world) ? 200 : 403)
  }
  if (session.user === IMPERSONATOR && session.impersonation === null) expect(lotsSeen.status).toBe(200)
}

const maySeeLots = ({ changedRights }: World): boolean => !changedRights.has('target may not see lots')

export async function switchOrganization(world: World, step: Step): Promise<void> {
  const picked = pick(world, step)
  if (picked === null) return
  const { session, token } = picked
  const organizationId = world.organizationIds[step.age % world.organizationIds.length] ?? ''
  const isUnknown = isTimingUncertain(world, session, token)
  const expected = isUnknown ? 0 : expectedStatus(world, picked, 'write')
  const { status, data } = await outcomeOf(
    makeCaller(world.forecourt.app, token).call(auth.changeOrganization, { organizationId }),
  )
  if (isUnknown) await syncFromDatabase(world, session)
  else if (expected !== 200) expect(status).toBe(expected)
  else expect([200, 404]).toContain(status)
  if (data === null) return
  recordToken(world, session, data.accessToken)
  session.organizationId = organizationId
  if (session.impersonation === null) session.ownOrganizationId = organizationId
}

export async function signOut(world: World, step: Step): Promise<void> {
  const picked = pick(world, step)
  if (picked === null) return
  const { status } = await outcomeOf(makeCaller(world.forecourt.app, picked.token).call(auth.signOut, {}))
  // Signing out always succeeds, even if the session has already ended.
  expect(status).toBe(200)
  picked.session.isRevoked = true
}

/** Ends the user's other sessions, those of impersonators, and trust in devices. */
export async function changePassword(world: World, step: Step): Promise<void> {
  // Choose the user whose password affects an impersonation or a trusted device.
  const isImpersonating = world.sessions.some(
    ({ impersonation, isRevoked }) => impersonation !== null && !isRevoked,
  )
  const whose = isImpersonating ? TARGET : EMAIL_CODE_USER
  const picked = pick(world, step, {
    fits: ({ user, isVerified }) => user === whose && isVerified,
  })
  if (picked === null) return
  const { session, token } = picked
  const isUnknown = isTimingUncertain(world, session, token)
  const expected = isUnknown ? 0 : expectedStatus(world, picked, 'write')
  const { user } = session
  const oldPassword = world.passwords.get(user) ?? ''
  const newPassword = oldPassword.endsWith('7!') ? 'WalkForecourt8!' : 'WalkForecourt7!'
  const { status } = await outcomeOf(
    makeCaller(world.forecourt.app, token).call(auth.changePassword, { oldPassword, newPassword }),
  )
  if (isUnknown) await syncFromDatabase(world, session)
  else if (expected !== 200) expect(status).toBe(expected)
  else expect(status).toBe(session.impersonation === null ? 200 : 403)
  if (status !== 200) return
  countEvent(world, 'password')
  world.passwords.set(user, newPassword)
  revoke(world, (other) => other.id !== session.id && [other.user, effectiveOf(other)].includes(user))
  if (user !== EMAIL_CODE_USER) return
  if (world.device !== null) world.device.isVoid = true
  world.code = null
  world.sends = { since: 0, count: 0 }
}

export async function setActive(world: World, step: Step): Promise<void> {
  const user = USERS[step.which % USERS.length] ?? USERS[0]
  const isActive = step.action === 'enable'
  await world.forecourt.owner.query('update users set is_active = $1 where user_name = $2', [isActive, user])
  if (isActive) world.disabled.delete(user)
  else world.disabled.add(user)
}

const TIMES = {
  'iam.sessions': ['issued_at', 'rotated_at', 'last_active_at', 'ends_at', 'impersonation_ends_at'],
  'iam.mail_codes': ['expires_at'],
  'iam.request_counts': ['window_started_at'],
  'iam.trusted_devices': ['created_at', 'last_used_at', 'expires_at'],
  'iam.known_browsers': ['last_used_at', 'last_failure_at', 'blocked_until'],
  'iam.credentials': ['changed_at'],
} as const

/** Jumps the clock: every time the server has stored, and every token, becomes that much older. */
export async function jump(world: World, { seconds }: Step): Promise<void> {
  for (const [table, columns] of Object.entries(TIMES)) {
    const change = columns.map((name) => `${name} = ${name} - $1 * interval '1 second'`).join(', ')
    await world.forecourt.owner.query(`update ${table} set ${change}`, [seconds])
  }
  world.jumped += seconds
  for (const session of world.sessions) {
    for (const [generation, token] of session.tokens) {
      const claims = readClaims(token)
      replaceToken(
        session,
        generation,
        await signToken({ ...claims, iat: claims.iat - seconds, exp: claims.exp - seconds }),
      )
    }
  }
}
