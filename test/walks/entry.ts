import { clock } from '#server/clock.ts'
import { readClaims } from '#test/factories/identity/sessions.ts'
import {
  ago,
  effectiveOf,
  GRACE,
  idOf,
  IDLE_LIMIT,
  isOver,
  isShut,
  now,
  SKIN_SECONDS,
  tally,
  type Session,
  type Step,
  type World,
} from './world.ts'

export type Picked = { session: Session; token: string; generation: number }

/** The session that a step means, of those that fit where there are any, and one of its tokens. */
export function pick(
  world: World,
  step: Step,
  { fits = () => true, isReplay = false }: { fits?: (session: Session) => boolean; isReplay?: boolean } = {},
): Picked | null {
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

function goHome(world: World, session: Session): void {
  session.skin = null
  session.generation += 1
  session.rotatedAt = now(world)
  session.organizationId = session.ownOrganizationId
}

/** What reading its row does to a session: a skin whose time is over is left. */
export function readRow(world: World, session: Session): void {
  if (session.skin === null || ago(world, session.skin.since) < SKIN_SECONDS) return
  tally(world, 'time over')
  goHome(world, session)
}

/** Whether whoever wears the skin could start it now, by the rights as they are. */
export function mayWear({ turned }: World): boolean {
  return !turned.has('helper may not impersonate') && !turned.has('worn may do more')
}

/** The rows of the answers: what a token gets from a call that writes, reads, or is open to any session. */
export type Call = 'read' | 'write' | 'session'

/**
 * What the product must answer before the call itself is asked, and what it does on the way. 200: the call is asked.
 * A verified person is wanted unless the call is open to any session.
 */
export function enter(world: World, { session, token, generation }: Picked, call: Call): 200 | 401 | 409 {
  if (readClaims(token).exp * 1000 <= clock.now() || isOver(world, session)) return 401
  readRow(world, session)
  if (isShut(world, session)) return 401
  if (ago(world, session.activeAt) > IDLE_LIMIT) {
    session.isRevoked = true
    return 401
  }
  if (session.skin !== null && !mayWear(world)) {
    tally(world, 'right lost')
    goHome(world, session)
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
