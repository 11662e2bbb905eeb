import { expect } from 'vitest'
import { clock } from '#server/clock.ts'
import { Refused, type TestApp } from '#test/app.ts'
import { readClaims } from '#test/factories/identity/sessions.ts'

// A model of what the product promises, kept simple: only seconds since events.
export const LIFE = 1800
export const GRACE = 30
export const IDLE_LIMIT = 1800 + 20 + 60
export const IMPERSONATION_SECONDS = 3600
const UNVERIFIED_LIFE = 3600
/**
 * Margin around a limit in which nothing is checked, because the server's and the walk's clocks are read one after
 * the other.
 */
const MARGIN = 5

export const IMPERSONATOR = 'walk.helper'
export const TARGET = 'walk.worn'
/** Gets codes by email. */
export const EMAIL_CODE_USER = 'northgate.desk'
export const USERS = [IMPERSONATOR, EMAIL_CODE_USER, TARGET, 'northgate.admin'] as const

/** Times are seconds of the walk's own clock, which jumps. */
export type Session = {
  id: string
  user: string
  isVerified: boolean
  isRevoked: boolean
  bornAt: number
  activeAt: number
  rotatedAt: number
  /** Generation of the row: one more than any token seen after the product itself ended an impersonation. */
  generation: number
  /** Tokens by generation, oldest first; every token ever seen. */
  tokens: Map<number, string>
  /** The distinct tokens seen for a generation, by their claims. */
  successors: Map<number, Set<string>>
  impersonation: { since: number } | null
  organizationId: string
  ownOrganizationId: string
}

export type World = {
  forecourt: TestApp
  organizationIds: readonly string[]
  ids: ReadonlyMap<string, string>
  /** Seconds by which the clock has jumped. */
  jumped: number
  sessions: Session[]
  disabled: Set<string>
  passwords: Map<string, string>
  /** Changed permissions, by their names in `RIGHTS`. */
  changedRights: Set<string>
  code: { text: string; at: number; tries: number } | null
  sends: { since: number; count: number }
  device: { cookie: string; at: number; isVoid: boolean } | null
  /** How often each event of interest happened. */
  seen: Map<string, number>
}

export type Step = { action: string; which: number; age: number; seconds: number }
export type Outcome<T> = { status: number; data: T | null }

export const now = (world: World): number => clock.now() / 1000 + world.jumped
export const ago = (world: World, moment: number): number => now(world) - moment
export const isNear = (value: number, limit: number): boolean => Math.abs(value - limit) <= MARGIN
export const idOf = (world: World, user: string): string => world.ids.get(user) ?? ''
export const countEvent = (world: World, what: string): void =>
  void world.seen.set(what, (world.seen.get(what) ?? 0) + 1)

export async function outcomeOf<T>(call: Promise<T>): Promise<Outcome<T>> {
  try {
    return { status: 200, data: await call }
  } catch (error) {
    if (error instanceof Refused) return { status: error.status, data: null }
    throw error
  }
}

const claimsText = (token: string) => JSON.stringify(readClaims(token))

/** Records a new token, and checks that its generation has no other. */
export function recordToken(world: World, session: Session, token: string): void {
  const claims = readClaims(token)
  const known = session.successors.get(claims.gen) ?? new Set()
  session.successors.set(claims.gen, known.add(claimsText(token)))
  expect(known.size).toBe(1)
  expect(claims.isVerified).toBe(session.isVerified ? 'true' : 'false')
  if (claims.gen > session.generation) {
    session.generation = claims.gen
    session.rotatedAt = now(world)
  }
  session.tokens.set(claims.gen, token)
}

/** Replaces a token after a clock jump. */
export function replaceToken(session: Session, generation: number, token: string): void {
  session.tokens.set(generation, token)
  session.successors.set(generation, new Set([claimsText(token)]))
}

export function openSession(world: World, user: string, token: string): Session {
  const claims = readClaims(token)
  const session: Session = {
    id: claims.sid,
    user,
    isVerified: claims.isVerified === 'true',
    isRevoked: false,
    bornAt: now(world),
    activeAt: now(world),
    rotatedAt: now(world),
    generation: claims.gen,
    tokens: new Map(),
    successors: new Map(),
    impersonation: null,
    organizationId: claims.organizationId,
    ownOrganizationId: claims.organizationId,
  }
  recordToken(world, session, token)
  world.sessions.push(session)
  return session
}

export function revoke(world: World, whose: (session: Session) => boolean): void {
  for (const session of world.sessions) if (whose(session)) session.isRevoked = true
}

/** The user the session acts as. */
export const effectiveOf = ({ impersonation, user }: Session): string =>
  impersonation === null ? user : TARGET

/** Whether the session's row can no longer be read. */
export const isEnded = (world: World, { isRevoked, isVerified, bornAt }: Session): boolean =>
  isRevoked || (!isVerified && ago(world, bornAt) > UNVERIFIED_LIFE)

/** Whether its user or the impersonated user is deactivated. */
export const isDisabled = (world: World, session: Session): boolean =>
  world.disabled.has(session.user) || world.disabled.has(effectiveOf(session))

/** Whether the state is too close to a limit to predict. */
export function isTimingUncertain(world: World, session: Session, token: string): boolean {
  return (
    Math.abs(readClaims(token).exp * 1000 - clock.now()) < MARGIN * 1000 ||
    isNear(ago(world, session.activeAt), IDLE_LIMIT) ||
    isNear(ago(world, session.rotatedAt), GRACE) ||
    (!session.isVerified && isNear(ago(world, session.bornAt), UNVERIFIED_LIFE)) ||
    (session.impersonation !== null && isNear(ago(world, session.impersonation.since), IMPERSONATION_SECONDS))
  )
}

/** Reads the state from the database when it couldn't be predicted. */
export async function syncFromDatabase(world: World, session: Session): Promise<void> {
  const { rows } = await world.forecourt.owner.query<{
    generation: number
    is_revoked: boolean
    is_home: boolean
    organization_id: string | null
    rotated: number
    active: number
  }>(
    `select generation, revoked_at is not null as is_revoked, user_id = effective_user_id as is_home, organization_id,
      extract(epoch from app_now() - rotated_at)::float8 as rotated, extract(epoch from app_now() - last_active_at)::float8 as active
    from iam.sessions where id = $1`,
    [session.id],
  )
  const [row] = rows
  if (row === undefined) throw new Error(`There is no session ${session.id}.`)
  session.generation = row.generation
  session.isRevoked = row.is_revoked
  session.organizationId = row.organization_id ?? '0'
  session.rotatedAt = now(world) - row.rotated
  session.activeAt = now(world) - row.active
  if (row.is_home) session.impersonation = null
}
