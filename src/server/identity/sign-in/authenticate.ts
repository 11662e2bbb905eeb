import {
  NO_ORGANIZATION,
  SUPERSEDED_GRACE_SECONDS,
  type Claims,
} from '#contract/identity/sessions/session.ts'
import { viewOnlyRefusal } from '#contract/identity/impersonation/read-only.ts'
import type { Endpoint, NamedEndpoint } from '#contract/endpoint.ts'
import { type Permission } from '#contract/permissions.ts'
import { clock } from '#server/clock.ts'
import type { Actor, Visit } from '#server/http/actor.ts'
import { conflict, forbidden, unauthenticated } from '#server/http/failure.ts'
import { missing } from '#server/http/require-permission.ts'
import type { Identity } from '../identity.ts'
import { keepAllowedImpersonation } from '../impersonation/impersonation-rights.ts'
import { NO_RIGHTS } from '../user-types/permission-cache.ts'
import { readSession, revokeSession, type SessionRow } from '../sessions/sessions.ts'
import { noteAccess, originOf } from './note-access.ts'
import { isSameSecret } from '../credentials/tokens.ts'
import { ENDED } from './why-ended.ts'

/**
 * Identifies the caller. The token only names the session and its generation. Everything else comes from the
 * session row, so a revoked session, a lost membership or a changed permission takes effect at once.
 * @throws Failure 401 without a valid session, 403 without organization or permission, 409 for a write with a
 * token that was just superseded by a switch.
 */
export async function authenticate(
  identity: Identity,
  visit: Visit,
  { name, endpoint }: NamedEndpoint,
): Promise<Actor> {
  if (visit.bearer === null) throw unauthenticated()
  const now = clock.now()
  const claims = await identity.tokens.verify(visit.bearer, now / 1000)
  const found = claims && (await readSession(identity.iam, claims.sid))
  if (claims === null || found === null || !found.isUsable) throw unauthenticated(ENDED)
  if (!isBoundTo(found, visit)) throw unauthenticated(ENDED)
  if (isIdle(identity, found, now)) {
    await endIdle(identity, visit, found)
    throw unauthenticated('Your session ended because of inactivity. Sign in again.')
  }
  const session = await keepAllowedImpersonation(identity, found)
  if (session === null || !session.isUsable) throw unauthenticated(ENDED)
  refuseSuperseded(claims, session, endpoint, now)
  const actor = { ...(await actorOf(identity, session)), origin: originOf(visit) }
  try {
    refuseUnlessAllowed(actor, endpoint)
  } catch (error) {
    await identity.refusals.ofCaller(actor, { endpoint: name, error })
    throw error
  }
  return actor
}

/** Whether a session's cookie was sent, if it has one. */
export function isBoundTo(session: SessionRow, visit: Visit): boolean {
  return session.cookieHash === null || isSameSecret(session.cookieHash, visit.cookie)
}

/** Whether the session was inactive longer than the idle time, its warning and one more minute. */
export function isIdle({ settings }: Identity, session: SessionRow, now: number): boolean {
  const limit = settings.idleSeconds + settings.idleWarningSeconds + 60
  return now - Date.parse(session.lastActiveAt) > limit * 1000
}

/** Ends a session that was inactive for too long, and logs it. */
export async function endIdle({ iam }: Identity, visit: Visit, session: SessionRow): Promise<void> {
  if (await revokeSession(iam, session.id, 'idle'))
    await noteAccess(iam, visit, session, {
      endpoint: 'auth.signOut',
      what: 'was signed out because of inactivity',
    })
}

/**
 * Whether the newest token was issued so recently that requests with its predecessor may still be arriving.
 */
export function isInGrace(session: SessionRow, now: number): boolean {
  return now - Date.parse(session.rotatedAt) <= SUPERSEDED_GRACE_SECONDS * 1000
}

function refuseSuperseded(claims: Claims, session: SessionRow, endpoint: Endpoint, now: number): void {
  if (claims.gen === session.generation) return
  if (claims.gen > session.generation || !isInGrace(session, now)) {
    throw unauthenticated('This token was replaced by a newer one. Sign in again.')
  }
  const isElsewhere =
    claims.organizationId !== (session.organizationId ?? NO_ORGANIZATION) ||
    claims.impersonateUserId !== session.effectiveUserId
  // Data entered for one organization must never end up in another.
  if (isElsewhere && endpoint.writes && endpoint.allow !== 'session') {
    throw conflict('You have since switched to another organization or user. Reload the page and try again.')
  }
}

async function actorOf(identity: Identity, session: SessionRow): Promise<Actor> {
  const hasWorkplace = session.isVerified && session.organizationId !== null
  const rights = hasWorkplace
    ? await identity.rightsOf({
        customerId: session.effectiveCustomerId,
        userId: session.effectiveUserId,
        userTypeId: session.userTypeId,
        isSuper: session.isSuper,
        isPlatform: session.isPlatform,
        version: session.permissionsVersion,
      })
    : NO_RIGHTS
  return {
    sessionId: session.id,
    isVerified: session.isVerified,
    userId: session.userId,
    userName: session.userName,
    fullName: session.fullName,
    userCustomerId: session.customerId,
    effectiveUserId: session.effectiveUserId,
    effectiveUserName: session.effectiveUserName,
    effectiveFullName: session.effectiveFullName,
    effectiveCustomerId: session.effectiveCustomerId,
    impersonation:
      session.impersonationEndsAt === null
        ? null
        : { endsAt: session.impersonationEndsAt, isViewOnly: session.isViewOnly },
    userTypeId: session.userTypeId,
    customerId: session.actingCustomerId,
    organizationId: session.organizationId,
    organizationName: session.organizationName ?? '',
    timeZone: session.timeZone,
    reach: session.reach,
    isPlatformStaff: session.isPlatform,
    permissions: rights.permissions,
    permissionsVersion: session.permissionsVersion,
    may: rights.may,
  }
}

function refuseUnlessAllowed(actor: Actor, endpoint: Endpoint): void {
  const { allow } = endpoint
  if (allow === 'anyone' || allow === 'session') return
  // Participants have sessions of their own; a user's is none of them.
  if (allow === 'participant') throw unauthenticated(ENDED)
  if (!actor.isVerified) throw unauthenticated('Finish signing in first.')
  const refusal = actor.impersonation?.isViewOnly === true ? viewOnlyRefusal(endpoint) : null
  if (refusal !== null) throw forbidden(refusal)
  if (allow === 'verified') return
  if (actor.organizationId === null) throw forbidden('Choose an organization first.')
  if (allow === 'member') return
  const wanted: readonly Permission[] = 'anyOf' in allow ? allow.anyOf : [allow]
  if (wanted.some((permission) => actor.may(permission))) return
  throw missing(actor, ...wanted)
}
