import fc from 'fast-check'
import { expect } from 'vitest'
import { auth } from '#contract/identity/auth.ts'
import { makeCaller, Refused, type TestApp } from '#test/app.ts'
import { placeOf } from '#test/places.ts'
import { readClaims, signToken } from '#test/sessions.ts'

// What the product promises, in a model small enough to be believed: seconds since something happened, and no more.
const LIFE = 1800
const GRACE = 30
const IDLE_LIMIT = 1800 + 20 + 60
/** How close to a limit the walk does not look, so that the seconds it takes itself decide nothing. */
const BLUR = 5
const PEOPLE = ['northgate.admin', 'northgate.sustain'] as const

type Session = {
  person: string
  isRevoked: boolean
  /** Tokens by generation, oldest first; the walk keeps every one ever seen. */
  tokens: Map<number, string>
  /** What the different tokens seen for a generation say. */
  successors: Map<number, Set<string>>
  rotatedAgo: number
  activeAgo: number
}
type World = {
  forecourt: TestApp
  organizationIds: readonly string[]
  sessions: Session[]
  disabled: Set<string>
}
type Step = { act: Act; which: number; age: number; seconds: number }
type Act = 'sign in' | 'refresh' | 'replay' | 'read' | 'switch' | 'sign out' | 'disable' | 'enable' | 'jump'

async function outcomeOf<T>(call: Promise<T>): Promise<{ status: number; data: T | null }> {
  try {
    return { status: 200, data: await call }
  } catch (error) {
    if (error instanceof Refused) return { status: error.status, data: null }
    throw error
  }
}

function pick(
  world: World,
  step: Step,
): { session: Session; generation: number; token: string; newest: number } | null {
  const session = world.sessions[step.which % Math.max(1, world.sessions.length)]
  if (session === undefined) return null
  const generations = [...session.tokens.keys()]
  const newest = Math.max(...generations)
  const age = step.act === 'replay' ? step.age % generations.length : 0
  const generation = newest - age
  const token = session.tokens.get(generation)
  return token === undefined ? null : { session, generation, token, newest }
}

const near = (value: number, limit: number) => Math.abs(value - limit) <= BLUR
const isOut = (world: World, { person, isRevoked }: Session) => isRevoked || world.disabled.has(person)

const wordsOf = (token: string) => JSON.stringify(readClaims(token))

/** Notes a token that came out, and that its generation has no other. */
function keep(session: Session, token: string): void {
  const { gen } = readClaims(token)
  const known = session.successors.get(gen) ?? new Set()
  session.successors.set(gen, known.add(wordsOf(token)))
  expect(known.size).toBe(1)
  if (!session.tokens.has(gen)) session.rotatedAgo = 0
  session.tokens.set(gen, token)
}

async function signIn(world: World, step: Step): Promise<void> {
  const { forecourt } = world
  const person = PEOPLE[step.which % PEOPLE.length] ?? PEOPLE[0]
  const { status, data } = await outcomeOf(
    forecourt.anonymous.call(auth.signIn, { username: person, password: 'DemoForecourt7!' }),
  )
  expect(status).toBe(world.disabled.has(person) ? 401 : 200)
  await forecourt.owner.query('delete from iam.sign_in_failures')
  if (data === null) return
  const session = {
    person,
    isRevoked: false,
    tokens: new Map(),
    successors: new Map(),
    rotatedAgo: 0,
    activeAgo: 0,
  }
  keep(session, data.accessToken)
  world.sessions.push(session)
}

async function refreshOrReplay(world: World, step: Step): Promise<void> {
  const picked = pick(world, step)
  if (picked === null) return
  const { session, token, generation, newest } = picked
  const expired = readClaims(token).exp * 1000 - Date.now()
  const { status, data } = await outcomeOf(world.forecourt.anonymous.call(auth.refreshToken, token))
  if (Math.abs(expired) < BLUR * 1000 || near(session.activeAgo, IDLE_LIMIT))
    return note(session, status, data)
  const isIdle = session.activeAgo > IDLE_LIMIT
  const mayCome = !isOut(world, session) && expired > 0 && !isIdle
  expect({ generation, newest, status }).toEqual({ generation, newest, status: mayCome ? 200 : 401 })
  if (isIdle && expired > 0 && !isOut(world, session)) session.isRevoked = true
  note(session, status, data)
}

function note(session: Session, status: number, data: { accessToken: string } | null): void {
  if (status !== 200 || data === null) return
  const before = session.tokens.size
  keep(session, data.accessToken)
  if (session.tokens.size > before) session.activeAgo = 0
}

async function read(world: World, step: Step): Promise<void> {
  const picked = pick(world, { ...step, act: 'replay' })
  if (picked === null) return
  const { session, token, generation, newest } = picked
  const left = readClaims(token).exp * 1000 - Date.now()
  const { status } = await outcomeOf(makeCaller(world.forecourt.app, token).call(auth.authFunc, {}))
  if (Math.abs(left) < BLUR * 1000 || near(session.activeAgo, IDLE_LIMIT) || near(session.rotatedAgo, GRACE))
    return
  const isIdle = session.activeAgo > IDLE_LIMIT
  const isCurrent = generation === newest || session.rotatedAgo < GRACE
  const mayEnter = !isOut(world, session) && left > 0 && !isIdle && isCurrent
  expect({ generation, newest, status }).toEqual({ generation, newest, status: mayEnter ? 200 : 401 })
  if (isIdle && left > 0 && !isOut(world, session)) session.isRevoked = true
}

async function switchOrganization(world: World, step: Step): Promise<void> {
  const picked = pick(world, step)
  if (picked === null) return
  const { session, token } = picked
  const organizationId = world.organizationIds[step.age % world.organizationIds.length] ?? ''
  const { status, data } = await outcomeOf(
    makeCaller(world.forecourt.app, token).call(auth.changeOrganization, { organizationId }),
  )
  if (isOut(world, session)) expect(status).toBe(401)
  if (status === 401 && session.activeAgo > IDLE_LIMIT - BLUR && readClaims(token).exp * 1000 > Date.now()) {
    session.isRevoked = session.isRevoked || !world.disabled.has(session.person)
  }
  if (data !== null) keep(session, data.accessToken)
}

async function signOut(world: World, step: Step): Promise<void> {
  const picked = pick(world, step)
  if (picked === null) return
  const { status } = await outcomeOf(makeCaller(world.forecourt.app, picked.token).call(auth.signOut, {}))
  // Signing out always succeeds: what has ended already stays ended.
  expect(status).toBe(200)
  picked.session.isRevoked = true
}

async function setActive(world: World, step: Step): Promise<void> {
  const person = PEOPLE[step.which % PEOPLE.length] ?? PEOPLE[0]
  const isActive = step.act === 'enable'
  await world.forecourt.owner.query('update users set is_active = $1 where user_name = $2', [
    isActive,
    person,
  ])
  if (isActive) world.disabled.delete(person)
  else world.disabled.add(person)
}

/** The clock jumps: every moment the server remembers, and every token that is out, is that much older. */
async function jump(world: World, { seconds }: Step): Promise<void> {
  const moments = ['issued_at', 'rotated_at', 'last_active_at', 'ends_at']
  const change = moments.map((name) => `${name} = ${name} - $1 * interval '1 second'`).join(', ')
  await world.forecourt.owner.query(`update iam.sessions set ${change}`, [seconds])
  for (const session of world.sessions) {
    session.rotatedAgo += seconds
    session.activeAgo += seconds
    for (const [generation, token] of session.tokens) {
      const claims = readClaims(token)
      const older = await signToken({ ...claims, iat: claims.iat - seconds, exp: claims.exp - seconds })
      session.tokens.set(generation, older)
      session.successors.set(generation, new Set([wordsOf(older)]))
    }
  }
}

const acts: Record<Act, (world: World, step: Step) => Promise<void>> = {
  'sign in': signIn,
  refresh: refreshOrReplay,
  replay: refreshOrReplay,
  read,
  switch: switchOrganization,
  'sign out': signOut,
  disable: setActive,
  enable: setActive,
  jump,
}
const often: readonly Act[] = ['refresh', 'replay', 'replay', 'read', 'read', 'switch', 'jump']
const step = fc.record<Step>({
  act: fc.constantFrom<Act[]>(...often, 'sign in', 'sign out', 'disable', 'enable'),
  which: fc.nat(3),
  age: fc.nat(4),
  seconds: fc.constantFrom(3, 15, GRACE + 6, 600, LIFE - 60, LIFE + 6, IDLE_LIMIT + 6),
})

/**
 * Walks at random through signing in, refreshing, replays, switches, sign-outs, disabled people and jumps of the clock.
 * Fails where a session that has ended lets anybody in again, or a generation gets two successors; the walk is made
 * shorter then, and told. The database must be the walk's own.
 */
export async function walkSessions(
  forecourt: TestApp,
  { walks, mostSteps }: { walks: number; mostSteps: number },
): Promise<void> {
  const places = await Promise.all(
    ['Northgate Ford', 'Northgate Toyota'].map((name) => placeOf(forecourt, name)),
  )
  const organizationIds = places.map(({ organizationId }) => organizationId)
  await fc.assert(
    fc
      .asyncProperty(fc.array(step, { minLength: 6, maxLength: mostSteps }), async (steps) => {
        const world: World = { forecourt, organizationIds, sessions: [], disabled: new Set() }
        await signIn(world, { act: 'sign in', which: 0, age: 0, seconds: 0 })
        for (const one of steps) await acts[one.act](world, one)
        // At the end every token ever seen of a session that ended knocks once more.
        const ended = world.sessions.filter((session) => session.isRevoked)
        const knocks = ended.flatMap(({ tokens }) => [...tokens.values()])
        const answers = await Promise.all(
          knocks.map((token) => outcomeOf(makeCaller(forecourt.app, token).call(auth.authFunc, {}))),
        )
        expect(answers.map(({ status }) => status)).toEqual(knocks.map(() => 401))
      })
      .afterEach(async () => {
        await forecourt.owner.query('update users set is_active = true')
        await forecourt.owner.query('delete from iam.sessions')
      }),
    { numRuns: walks },
  )
}
