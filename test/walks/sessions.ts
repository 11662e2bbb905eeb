import { expect } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { auth } from '#contract/identity/auth.ts'
import { secondFactor } from '#contract/identity/second-factor/second-factor.ts'
import { clock } from '#server/clock.ts'
import { makeCaller } from '#test/app.ts'
import { accessTokenOf, readClaims, signToken } from '#test/factories/identity/sessions.ts'
import { enter, pick, readRow } from './entry.ts'
import {
  age,
  ago,
  CODED,
  effectiveOf,
  HELPER,
  IDLE_LIMIT,
  idOf,
  isBlurred,
  isOver,
  isShut,
  keep,
  LIFE,
  look,
  now,
  openSession,
  outcomeOf,
  PEOPLE,
  revoke,
  tally,
  WORN,
  type Step,
  type World,
} from './world.ts'

const TRUST_SECONDS = 30 * 86_400

export async function signIn(world: World, step: Step): Promise<void> {
  const { forecourt } = world
  const device = step.age > 0 ? world.device : null
  const anybody = PEOPLE[step.which % PEOPLE.length] ?? PEOPLE[0]
  const person = device !== null && step.age > 2 ? CODED : anybody
  const { status, text } = await forecourt.anonymous.send({
    method: 'POST',
    url: '/api/auth',
    payload: { username: person, password: world.passwords.get(person) },
    headers: device === null ? {} : { cookie: device.cookie },
  })
  await forecourt.owner.query('delete from iam.sign_in_failures')
  expect(status).toBe(world.disabled.has(person) ? 401 : 200)
  if (status !== 200) return
  const session = openSession(world, person, accessTokenOf(text))
  const isTrusted = device !== null && !device.isVoid && ago(world, device.at) < TRUST_SECONDS
  if (isTrusted && person === CODED) tally(world, 'trusted')
  expect({ person, isVerified: session.isVerified }).toEqual({
    person,
    isVerified: person !== CODED || isTrusted,
  })
}

export async function refreshOrReplay(world: World, step: Step): Promise<void> {
  const picked = pick(world, step, { isReplay: step.act === 'replay' })
  if (picked === null) return
  const { session, token, generation } = picked
  const isUnknown = isBlurred(world, session, token)
  const isGone = isOver(world, session)
  if (!isGone && !isUnknown) readRow(world, session)
  const isExpired = readClaims(token).exp * 1000 <= clock.now()
  const isIdle = ago(world, session.activeAt) > IDLE_LIMIT
  const isIn = !isGone && !isShut(world, session)
  const before = session.generation
  const { status, data } = await outcomeOf(world.forecourt.anonymous.call(auth.refreshToken, token))
  if (!isUnknown) {
    const mayCome = isIn && !isExpired && !isIdle
    expect({ generation, status }).toEqual({ generation, status: mayCome ? 200 : 401 })
    if (isIn && !isExpired && isIdle) session.isRevoked = true
  }
  if (data !== null) {
    if (isUnknown) await look(world, session)
    keep(world, session, data.accessToken)
    if (session.generation > before) session.activeAt = now(world)
    expect(readClaims(data.accessToken)).toMatchObject({
      userId: idOf(world, session.person),
      impersonateUserId: idOf(world, effectiveOf(session)),
      organizationId: session.organizationId,
    })
    return
  }
  if (isUnknown) await look(world, session)
}

/** Somebody works on: their browser refreshes in time, so that what ends by the clock ends under their hands. */
export async function stay(world: World, step: Step): Promise<void> {
  await jump(world, { ...step, seconds: LIFE - 60 })
  const stayed = world.sessions.filter((session) => !session.isRevoked)
  for (const session of stayed) {
    await refreshOrReplay(world, { ...step, act: 'refresh', which: world.sessions.indexOf(session), age: 0 })
  }
}

/** Looks at the session with any token it ever had, and at what it may see. */
export async function read(world: World, step: Step): Promise<void> {
  const picked = pick(world, step, { isReplay: true })
  if (picked === null) return
  const { session, token, generation } = picked
  const isUnknown = isBlurred(world, session, token)
  const expected = isUnknown ? 0 : enter(world, picked, 'session')
  const caller = makeCaller(world.forecourt.app, token)
  const me = await outcomeOf(caller.call(auth.me, {}))
  if (isUnknown) return look(world, session)
  expect({ generation, status: me.status }).toEqual({ generation, status: expected })
  if (me.data === null) return
  expect(me.data.impersonation !== null).toBe(session.skin !== null)
  const held = await caller.call(auth.authFunc, {})
  if (!session.isVerified) {
    tally(world, 'unverified')
    expect(held).toEqual({ isSuper: false, permissions: [] })
    const organizationId = world.organizationIds[0] ?? ''
    await expect(caller.call(lots.list, {})).toRefuse(401)
    await expect(caller.call(secondFactor.own, {})).toRefuse(401)
    await expect(caller.call(auth.changeOrganization, { organizationId })).toRefuse(401)
    return
  }
  const lotsSeen = await outcomeOf(caller.call(lots.list, {}))
  if (effectiveOf(session) === WORN) {
    // No more than the person themselves may: never what whoever wears the skin holds besides.
    const mayDelete = world.turned.has('worn may do more')
    const own = [...(maySeeLots(world) ? [1] : []), ...(mayDelete ? [5] : [])]
    expect(held.permissions).toEqual(own.map((opr) => ({ func: 8, opr })))
    expect(lotsSeen.status).toBe(maySeeLots(world) ? 200 : 403)
  }
  if (session.person === HELPER && session.skin === null) expect(lotsSeen.status).toBe(200)
}

const maySeeLots = ({ turned }: World): boolean => !turned.has('worn may not see lots')

export async function switchOrganization(world: World, step: Step): Promise<void> {
  const picked = pick(world, step)
  if (picked === null) return
  const { session, token } = picked
  const organizationId = world.organizationIds[step.age % world.organizationIds.length] ?? ''
  const isUnknown = isBlurred(world, session, token)
  const expected = isUnknown ? 0 : enter(world, picked, 'write')
  const { status, data } = await outcomeOf(
    makeCaller(world.forecourt.app, token).call(auth.changeOrganization, { organizationId }),
  )
  if (isUnknown) await look(world, session)
  else if (expected !== 200) expect(status).toBe(expected)
  else expect([200, 404]).toContain(status)
  if (data === null) return
  keep(world, session, data.accessToken)
  session.organizationId = organizationId
  if (session.skin === null) session.ownOrganizationId = organizationId
}

export async function signOut(world: World, step: Step): Promise<void> {
  const picked = pick(world, step)
  if (picked === null) return
  const { status } = await outcomeOf(makeCaller(world.forecourt.app, picked.token).call(auth.signOut, {}))
  // Signing out always succeeds: what has ended already stays ended.
  expect(status).toBe(200)
  picked.session.isRevoked = true
}

/** Ends the other sessions of the person, those of others in their skin, and the trust in devices. */
export async function changePassword(world: World, step: Step): Promise<void> {
  // Where somebody's skin is worn, or their device trusted, it is them whose password matters.
  const isWorn = world.sessions.some(({ skin, isRevoked }) => skin !== null && !isRevoked)
  const whose = isWorn ? WORN : CODED
  const picked = pick(world, step, {
    fits: ({ person, isVerified }) => person === whose && isVerified,
  })
  if (picked === null) return
  const { session, token } = picked
  const isUnknown = isBlurred(world, session, token)
  const expected = isUnknown ? 0 : enter(world, picked, 'write')
  const { person } = session
  const oldPassword = world.passwords.get(person) ?? ''
  const newPassword = oldPassword.endsWith('7!') ? 'WalkForecourt8!' : 'WalkForecourt7!'
  const { status } = await outcomeOf(
    makeCaller(world.forecourt.app, token).call(auth.changePassword, { oldPassword, newPassword }),
  )
  if (isUnknown) await look(world, session)
  else if (expected !== 200) expect(status).toBe(expected)
  else expect(status).toBe(session.skin === null ? 200 : 403)
  if (status !== 200) return
  tally(world, 'password')
  world.passwords.set(person, newPassword)
  revoke(world, (other) => other.id !== session.id && [other.person, effectiveOf(other)].includes(person))
  if (person === CODED && world.device !== null) world.device.isVoid = true
}

export async function setActive(world: World, step: Step): Promise<void> {
  const person = PEOPLE[step.which % PEOPLE.length] ?? PEOPLE[0]
  const isActive = step.act === 'enable'
  await world.forecourt.owner.query('update users set is_active = $1 where user_name = $2', [
    isActive,
    person,
  ])
  if (isActive) world.disabled.delete(person)
  else world.disabled.add(person)
}

const MOMENTS = {
  'iam.sessions': ['issued_at', 'rotated_at', 'last_active_at', 'ends_at', 'impersonation_ends_at'],
  'iam.mail_codes': ['expires_at'],
  'iam.request_counts': ['window_started_at'],
  'iam.trusted_devices': ['created_at', 'last_used_at', 'expires_at'],
  'iam.known_browsers': ['last_used_at', 'last_failure_at', 'blocked_until'],
  'iam.credentials': ['changed_at'],
} as const

/** The clock jumps: every moment the server remembers, and every token that is out, is that much older. */
export async function jump(world: World, { seconds }: Step): Promise<void> {
  for (const [table, moments] of Object.entries(MOMENTS)) {
    const change = moments.map((name) => `${name} = ${name} - $1 * interval '1 second'`).join(', ')
    await world.forecourt.owner.query(`update ${table} set ${change}`, [seconds])
  }
  world.jumped += seconds
  for (const session of world.sessions) {
    for (const [generation, token] of session.tokens) {
      const claims = readClaims(token)
      age(
        session,
        generation,
        await signToken({ ...claims, iat: claims.iat - seconds, exp: claims.exp - seconds }),
      )
    }
  }
}
