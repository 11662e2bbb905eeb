import fc from 'fast-check'
import { expect } from 'vitest'
import { auth } from '#contract/identity/auth.ts'
import { DEMO_PASSWORD } from '../../demo/world.ts'
import { makeCaller, type TestApp } from '#test/app.ts'
import { idOf } from '#test/factories/identity/second-factor.ts'
import { testOrganization } from '#test/factories/test-organization.ts'
import { impersonationsOf } from '#test/factories/identity/impersonations.ts'
import { sendOtp, verifyOtp } from './second-factors.ts'
import {
  changePassword,
  jump,
  read,
  refreshOrReplay,
  setActive,
  signIn,
  signOut,
  stay,
  switchOrganization,
} from './sessions.ts'
import { restoreRights, revert, startImpersonation, toggleRight } from './impersonations.ts'
import {
  GRACE,
  IMPERSONATOR,
  IDLE_LIMIT,
  LIFE,
  outcomeOf,
  USERS,
  IMPERSONATION_SECONDS,
  TARGET,
  type Step,
  type World,
} from './world.ts'

const actions: Record<string, (world: World, step: Step) => Promise<void>> = {
  'sign in': signIn,
  refresh: refreshOrReplay,
  replay: refreshOrReplay,
  read,
  switch: switchOrganization,
  'sign out': signOut,
  password: changePassword,
  'send code': sendOtp,
  verify: verifyOtp,
  impersonate: startImpersonation,
  revert,
  right: toggleRight,
  disable: setActive,
  enable: setActive,
  jump,
  stay,
}
const often = ['refresh', 'replay', 'read', 'jump', 'verify']
const sometimes = ['impersonate', 'impersonate', 'impersonate', 'revert', 'stay', 'switch', 'right', 'enable']
const seldom = ['sign in', 'sign in', 'send code', 'sign out', 'password', 'disable']
const all = [...often, ...often, 'read', 'read', 'jump', ...sometimes, ...seldom, 'stay']
const step = fc.record<Step>({
  action: fc.constantFrom(...all),
  which: fc.nat(3),
  age: fc.nat(4),
  seconds: fc.constantFrom(
    3,
    15,
    GRACE + 6,
    590,
    610,
    LIFE - 60,
    LIFE + 6,
    IDLE_LIMIT + 6,
    IMPERSONATION_SECONDS + 6,
  ),
})
/** A walk that covers every event the tests check for; random walks may miss some. */
const FULL_COVERAGE: readonly Step[] = [
  { action: 'impersonate', which: 0, age: 1, seconds: 3 },
  { action: 'revert', which: 0, age: 1, seconds: 3 },
  { action: 'read', which: 1, age: 1, seconds: 3 },
  { action: 'verify', which: 0, age: 2, seconds: 15 },
  { action: 'password', which: 0, age: 1, seconds: 3 },
]
/** Every walk starts by signing in the impersonator, the user with emailed codes, and the target. */
const OPENING_STEPS: readonly Step[] = [0, 1, 2].map((which) => ({
  action: 'sign in',
  which,
  age: 0,
  seconds: 0,
}))

/**
 * Random walks through signing in, second factors, trusted devices, refreshes, replays, switches, impersonation,
 * changed passwords and permissions, sign-outs, deactivated users and clock jumps. Fails if an ended session grants
 * access, a generation gets two successors, an unverified session gets too much access, an impersonation outlives its
 * permission, or switching back doesn't restore the user. The failing walk is then shortened and reported. The
 * database must be the walk's own.
 * @returns how often each event happened.
 */
export async function walkSessions(
  forecourt: TestApp,
  { walks, mostSteps }: { walks: number; mostSteps: number },
): Promise<Record<string, number>> {
  const ford = await testOrganization(forecourt, 'Northgate Ford')
  const toyota = await testOrganization(forecourt, 'Northgate Toyota')
  const impersonations = impersonationsOf(forecourt)
  const lots = [8, 1] as const
  await impersonations.addTester(ford, { userName: IMPERSONATOR, rights: [[4, 7], lots, [8, 2]] })
  await impersonations.addTester(ford, { userName: TARGET, rights: [lots], below: IMPERSONATOR })
  const ids = new Map<string, string>()
  for (const user of USERS) ids.set(user, await idOf(forecourt, user))
  const original = await forecourt.owner.query<{ user_id: string; password_hash: string }>(
    'select user_id, password_hash from iam.credentials where user_id = any($1)',
    [[...ids.values()]],
  )
  const events = new Map<string, number>()
  let world: World | null = null

  async function walk(steps: readonly Step[]): Promise<void> {
    world = {
      forecourt,
      organizationIds: [ford.organizationId, toyota.organizationId],
      ids,
      jumped: 0,
      sessions: [],
      disabled: new Set(),
      passwords: new Map(USERS.map((user) => [user, DEMO_PASSWORD])),
      changedRights: new Set(),
      code: null,
      sends: { since: 0, count: 0 },
      device: null,
      seen: events,
    }
    for (const one of [...OPENING_STEPS, ...steps]) await actions[one.action]?.(world, one)
    // At the end, every token ever seen of an ended session is tried once more.
    const ended = world.sessions.filter((session) => session.isRevoked)
    const deadTokens = ended.flatMap(({ tokens }) => [...tokens.values()])
    const answers = await Promise.all(
      deadTokens.map((token) => outcomeOf(makeCaller(forecourt.app, token).call(auth.authFunc, {}))),
    )
    expect(answers.map(({ status }) => status)).toEqual(deadTokens.map(() => 401))
  }

  async function clear(): Promise<void> {
    if (world !== null) await restoreRights(world)
    await forecourt.owner.query(
      `update users set is_active = true where not is_active;
      delete from iam.sessions; delete from iam.mail_codes; delete from iam.request_counts;
      delete from iam.trusted_devices; delete from iam.known_browsers; delete from iam.sign_in_failures; delete from outbox_mails`,
    )
    for (const { user_id: userId, password_hash: hash } of original.rows) {
      await forecourt.owner.query(
        'update iam.credentials set password_hash = $2 where user_id = $1 and password_hash <> $2',
        [userId, hash],
      )
    }
  }

  await clear()
  await fc.assert(
    fc
      .asyncProperty(fc.array(step, { minLength: 6, maxLength: mostSteps, size: 'max' }), walk)
      .afterEach(clear),
    { numRuns: walks, examples: [[[...FULL_COVERAGE]]] },
  )
  return Object.fromEntries(events)
}
