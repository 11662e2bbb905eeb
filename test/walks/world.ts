import { expect } from 'vitest'
import { clock } from '#server/clock.ts'
import { Refused, type TestApp } from '#test/app.ts'
import { readClaims } from '#test/factories/identity/sessions.ts'

// What the product promises, in a model small enough to be believed: seconds since something happened, and no more.
export const LIFE = 1800
export const GRACE = 30
export const IDLE_LIMIT = 1800 + 20 + 60
export const SKIN_SECONDS = 3600
const UNVERIFIED_LIFE = 3600
/** How close to a limit the walk does not look: the server's clock and the walk's are read one after the other. */
const BLUR = 5

export const HELPER = 'walk.helper'
export const WORN = 'walk.worn'
/** Gets codes by mail. */
export const CODED = 'northgate.desk'
export const PEOPLE = [HELPER, CODED, WORN, 'northgate.admin'] as const

/** Moments are seconds of the walk's own clock, which jumps. */
export type Session = {
  id: string
  person: string
  isVerified: boolean
  isRevoked: boolean
  bornAt: number
  activeAt: number
  rotatedAt: number
  /** Of the row: one more than any token seen, when the product itself brought the session home. */
  generation: number
  /** Tokens by generation, oldest first; the walk keeps every one ever seen. */
  tokens: Map<number, string>
  /** What the different tokens seen for a generation say. */
  successors: Map<number, Set<string>>
  skin: { since: number } | null
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
  /** Rights that were changed, by their names in `RIGHTS`. */
  turned: Set<string>
  code: { text: string; at: number; tries: number } | null
  sends: { since: number; count: number }
  device: { cookie: string; at: number; isVoid: boolean } | null
  /** How often something happened that the walk is about. */
  seen: Map<string, number>
}

export type Step = { act: string; which: number; age: number; seconds: number }
export type Outcome<T> = { status: number; data: T | null }

export const now = (world: World): number => clock.now() / 1000 + world.jumped
export const ago = (world: World, moment: number): number => now(world) - moment
export const isNear = (value: number, limit: number): boolean => Math.abs(value - limit) <= BLUR
export const idOf = (world: World, person: string): string => world.ids.get(person) ?? ''
export const tally = (world: World, what: string): void =>
  void world.seen.set(what, (world.seen.get(what) ?? 0) + 1)

export async function outcomeOf<T>(call: Promise<T>): Promise<Outcome<T>> {
  try {
    return { status: 200, data: await call }
  } catch (error) {
    if (error instanceof Refused) return { status: error.status, data: null }
    throw error
  }
}

const wordsOf = (token: string) => JSON.stringify(readClaims(token))

/** Notes a token that came out, and that its generation has no other. */
export function keep(world: World, session: Session, token: string): void {
  const claims = readClaims(token)
  const known = session.successors.get(claims.gen) ?? new Set()
  session.successors.set(claims.gen, known.add(wordsOf(token)))
  expect(known.size).toBe(1)
  expect(claims.isVerified).toBe(session.isVerified ? 'true' : 'false')
  if (claims.gen > session.generation) {
    session.generation = claims.gen
    session.rotatedAt = now(world)
  }
  session.tokens.set(claims.gen, token)
}

/** A token that is older by so many seconds takes the place of the one it was made of. */
export function age(session: Session, generation: number, token: string): void {
  session.tokens.set(generation, token)
  session.successors.set(generation, new Set([wordsOf(token)]))
}

export function openSession(world: World, person: string, token: string): Session {
  const claims = readClaims(token)
  const session: Session = {
    id: claims.sid,
    person,
    isVerified: claims.isVerified === 'true',
    isRevoked: false,
    bornAt: now(world),
    activeAt: now(world),
    rotatedAt: now(world),
    generation: claims.gen,
    tokens: new Map(),
    successors: new Map(),
    skin: null,
    organizationId: claims.organizationId,
    ownOrganizationId: claims.organizationId,
  }
  keep(world, session, token)
  world.sessions.push(session)
  return session
}

export function revoke(world: World, whose: (session: Session) => boolean): void {
  for (const session of world.sessions) if (whose(session)) session.isRevoked = true
}

/** Whoever the session acts as. */
export const effectiveOf = ({ skin, person }: Session): string => (skin === null ? person : WORN)

/** Whether its row is read at all. */
export const isOver = (world: World, { isRevoked, isVerified, bornAt }: Session): boolean =>
  isRevoked || (!isVerified && ago(world, bornAt) > UNVERIFIED_LIFE)

/** Whether somebody in it is switched off. */
export const isShut = (world: World, session: Session): boolean =>
  world.disabled.has(session.person) || world.disabled.has(effectiveOf(session))

/** What nobody can tell: the moments at which one thing becomes another. */
export function isBlurred(world: World, session: Session, token: string): boolean {
  return (
    Math.abs(readClaims(token).exp * 1000 - clock.now()) < BLUR * 1000 ||
    isNear(ago(world, session.activeAt), IDLE_LIMIT) ||
    isNear(ago(world, session.rotatedAt), GRACE) ||
    (!session.isVerified && isNear(ago(world, session.bornAt), UNVERIFIED_LIFE)) ||
    (session.skin !== null && isNear(ago(world, session.skin.since), SKIN_SECONDS))
  )
}

/** Takes from the database what nobody could tell. */
export async function look(world: World, session: Session): Promise<void> {
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
  if (row.is_home) session.skin = null
}
