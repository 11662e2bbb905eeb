import { clock } from '#server/clock.ts'
import { readClaims } from '#test/factories/identity/sessions.ts'
import {
  ago,
  effectiveOf,
  GRACE,
  idOf,
  IDLE_LIMIT,
  isEnded,
  isDisabled,
  now,
  IMPERSONATION_SECONDS,
  countEvent,
  type Session,
  type Step,
  type World,
} from './world.ts'

export type PickedToken = { session: Session; token: string; generation: number }

/** The session that a step selects, preferring those that fit, and one of its tokens. */
export function pick(
  world: World,
  step: Step,
  { fits = () => true, isReplay = false }: { fits?: (session: Session) => boolean; isReplay?: boolean } = {},
): PickedToken | null {
  const living = world.sessions.filter((session) => fits(session) && !session.isRevoked)
  const among = living.length > 0 && step.age > 0 ? living : world.sessions
  const session = among[step.which % Math.max(1, among.length)]
  if (session === undefined) return null
  const generations = [...session.tokens.keys()]
  const newest = Math.max(...generations)
  const generation = isReplay ? newest - (step.age % generations.length) : newest
  const token = session.tokens.get(generation)
  return token === undefined ? null : { session, token, generation }
}

function endImpersonation(world: World, session: Session): void {
  session.impersonation = null
  session.generation += 1
  session.rotatedAt = now(world)
  session.organizationId = session.ownOrganizationId
}

/** Reading a row ends an impersonation past its time limit. */
export function readRow(world: World, session: Session): void {
  if (session.impersonation === null || ago(world, session.impersonation.since) < IMPERSONATION_SECONDS)
    return
  countEvent(world, 'time over')
  endImpersonation(world, session)
}

/** Whether the impersonation could be started now, with the current permissions. */
export function mayImpersonate({ changedRights }: World): boolean {
  return !changedRights.has('helper may not impersonate') && !changedRights.has('target has more permissions')
}

/** How a call uses the token: it reads, writes, or is open to any session. */
export type Call = 'read' | 'write' | 'session'

/**
 * The status the product must return before the call itself runs, with its side effects. 200: the call runs. Unless
 * the call is open to any session, a verified user is required.
 */
export function expectedStatus(
  world: World,
  { session, token, generation }: PickedToken,
  call: Call,
): 200 | 401 | 409 {
  if (readClaims(token).exp * 1000 <= clock.now() || isEnded(world, session)) return 401
  readRow(world, session)
  if (isDisabled(world, session)) return 401
  if (ago(world, session.activeAt) > IDLE_LIMIT) {
    session.isRevoked = true
    return 401
  }
  if (session.impersonation !== null && !mayImpersonate(world)) {
    countEvent(world, 'right lost')
    endImpersonation(world, session)
  }
  if (generation !== session.generation) {
    if (ago(world, session.rotatedAt) > GRACE) return 401
    if (call === 'write' && isElsewhere(world, session, token)) return 409
  }
  return call === 'session' || session.isVerified ? 200 : 401
}

function isElsewhere(world: World, session: Session, token: string): boolean {
  const { organizationId, impersonateUserId } = readClaims(token)
  return organizationId !== session.organizationId || impersonateUserId !== idOf(world, effectiveOf(session))
}
