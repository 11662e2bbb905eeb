import fc from 'fast-check'
import { expect } from 'vitest'
import { auth } from '#contract/identity/auth.ts'
import { DEMO_PASSWORD } from '../../demo/world.ts'
import { makeCaller, type TestApp } from '#test/app.ts'
import { idOf } from '#test/factories/identity/second-factor.ts'
import { placeOf } from '#test/factories/places.ts'
import { skinsOf } from '#test/factories/identity/impersonations.ts'
import { sendOtp, verifyOtp } from './factors.ts'
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
import { restoreRights, revert, startImpersonationWalk, turnRight } from './skins.ts'
import {
  GRACE,
  HELPER,
  IDLE_LIMIT,
  LIFE,
  outcomeOf,
  PEOPLE,
  SKIN_SECONDS,
  WORN,
  type Step,
  type World,
} from './world.ts'

const acts: Record<string, (world: World, step: Step) => Promise<void>> = {
  'sign in': signIn,
  refresh: refreshOrReplay,
  replay: refreshOrReplay,
  read,
  switch: switchOrganization,
  'sign out': signOut,
  password: changePassword,
  'send code': sendOtp,
  verify: verifyOtp,
  skin: startImpersonationWalk,
  revert,
  right: turnRight,
  disable: setActive,
  enable: setActive,
  jump,
  stay,
}
const often = ['refresh', 'replay', 'read', 'jump', 'verify']
const sometimes = ['skin', 'skin', 'skin', 'revert', 'stay', 'switch', 'right', 'enable']
const seldom = ['sign in', 'sign in', 'send code', 'sign out', 'password', 'disable']
const all = [...often, ...often, 'read', 'read', 'jump', ...sometimes, ...seldom, 'stay']
const step = fc.record<Step>({
  act: fc.constantFrom(...all),
  which: fc.nat(3),
  age: fc.nat(4),
  seconds: fc.constantFrom(3, 15, GRACE + 6, 590, 610, LIFE - 60, LIFE + 6, IDLE_LIMIT + 6, SKIN_SECONDS + 6),
})
/** A walk to everything that a caller looks for among what happened: whether the others get there is chance. */
const EVERYWHERE: readonly Step[] = [
  { act: 'skin', which: 0, age: 1, seconds: 3 },
  { act: 'revert', which: 0, age: 1, seconds: 3 },
  { act: 'read', which: 1, age: 1, seconds: 3 },
  { act: 'verify', which: 0, age: 2, seconds: 15 },
  { act: 'password', which: 0, age: 1, seconds: 3 },
]
/** Every walk begins with whoever may wear a skin, whoever waits for a code, and whose skin it is. */
const BEGINNING: readonly Step[] = [0, 1, 2].map((which) => ({ act: 'sign in', which, age: 0, seconds: 0 }))

/**
 * Walks at random through signing in, second factors, trusted devices, refreshing, replays, switches, other people's
 * skins, changed passwords and rights, sign-outs, disabled people and jumps of the clock. Fails where a session that has
 * ended lets anybody in again, a generation gets two successors, somebody unverified reaches what they may not, a skin
 * outlives its right, or whoever goes back is not themselves; the walk is made shorter then, and told. The database must
 * be the walk's own.
 * @returns how often what happened.
 */
export async function walkSessions(
  forecourt: TestApp,
  { walks, mostSteps }: { walks: number; mostSteps: number },
): Promise<Record<string, number>> {
  const ford = await placeOf(forecourt, 'Northgate Ford')
  const toyota = await placeOf(forecourt, 'Northgate Toyota')
  const skins = skinsOf(forecourt)
  const lots = [8, 1] as const
  await skins.addTester(ford, { userName: HELPER, rights: [[4, 7], lots, [8, 2]] })
  await skins.addTester(ford, { userName: WORN, rights: [lots] })
  const ids = new Map<string, string>()
  for (const person of PEOPLE) ids.set(person, await idOf(forecourt, person))
  const kept = await forecourt.owner.query<{ user_id: string; password_hash: string }>(
    'select user_id, password_hash from iam.credentials where user_id = any($1)',
    [[...ids.values()]],
  )
  const seen = new Map<string, number>()
  let world: World | null = null

  async function walk(steps: readonly Step[]): Promise<void> {
    world = {
      forecourt,
      organizationIds: [ford.organizationId, toyota.organizationId],
      ids,
      jumped: 0,
      sessions: [],
      disabled: new Set(),
      passwords: new Map(PEOPLE.map((person) => [person, DEMO_PASSWORD])),
      turned: new Set(),
      code: null,
      sends: { since: 0, count: 0 },
      device: null,
      seen,
    }
    for (const one of [...BEGINNING, ...steps]) await acts[one.act]?.(world, one)
    // At the end every token ever seen of a session that ended knocks once more.
    const ended = world.sessions.filter((session) => session.isRevoked)
    const knocks = ended.flatMap(({ tokens }) => [...tokens.values()])
    const answers = await Promise.all(
      knocks.map((token) => outcomeOf(makeCaller(forecourt.app, token).call(auth.authFunc, {}))),
    )
    expect(answers.map(({ status }) => status)).toEqual(knocks.map(() => 401))
  }

  async function clear(): Promise<void> {
    if (world !== null) await restoreRights(world)
    await forecourt.owner.query(
      `update users set is_active = true where not is_active;
      delete from iam.sessions; delete from iam.mail_codes; delete from iam.request_counts;
      delete from iam.trusted_devices; delete from iam.known_browsers; delete from iam.sign_in_failures; delete from outbox_mails`,
    )
    for (const { user_id: userId, password_hash: hash } of kept.rows) {
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
    { numRuns: walks, examples: [[[...EVERYWHERE]]] },
  )
  return Object.fromEntries(seen)
}
