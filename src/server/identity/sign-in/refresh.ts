import type { Token } from '#contract/identity/sessions/session.ts'
import { clock } from '#server/clock.ts'
import type { Visit } from '#server/http/actor.ts'
import { forbidden, unauthenticated } from '#server/http/failure.ts'
import { endIdle, isBoundTo, isIdle, isInGrace } from './authenticate.ts'
import { noteRevocation } from '../events.ts'
import type { Identity } from '../identity.ts'
import { readSession, revokeSession, rotateSession, type SessionRow } from '../sessions/sessions.ts'
import { claimsOf, issueToken } from '../sessions/token-issue.ts'
import { sessionIdIn } from '../credentials/tokens.ts'
import { ENDED, whyEnded } from './why-ended.ts'
/** A successor that expires sooner than this is useless, so the next one is issued instead. */
const MIN_REMAINING_SECONDS = 60

/**
 * Exchanges a token for its successor. The same token always gets the same successor. An older token gets the
 * current successor, unless its session is bound to a cookie that wasn't sent: then someone else has the
 * token, and the session ends. An expired token works only for a remembered session with its cookie.
 */
export async function refresh(identity: Identity, visit: Visit, given: string): Promise<Token> {
  const token = given === '' ? visit.bearer : given
  const now = clock.now()
  if (token === null) return refreshByCookie(identity, visit, now)

  const claims = await identity.tokens.verify(token)
  const session = claims && (await readSession(identity.iam, claims.sid))
  if (claims === null || session === null || !session.isUsable || claims.gen > session.generation) {
    throw unauthenticated(await whyEnded(identity, visit, claims?.sid))
  }
  const isOlder = claims.gen < session.generation
  if (!isBoundTo(session, visit)) {
    if (isOlder && !isInGrace(session, now)) {
      await revokeSession(identity.iam, session.id, 'an old token was refreshed without its cookie')
      await noteRevocation(
        identity.iam,
        session,
        'session revoked: an old token was refreshed without its cookie',
      )
    }
    throw unauthenticated(ENDED)
  }
  await refuseExpired(identity, visit, { session, exp: claims.exp, now })
  return nextToken(identity, session, { isOlder, now })
}

/**
 * Only the cookie identifies the caller, so the XSRF header must prove that the request comes from our page.
 */
async function refreshByCookie(identity: Identity, visit: Visit, now: number): Promise<Token> {
  const sessionId = sessionIdIn(visit.cookie)
  if (sessionId === null) throw unauthenticated()
  if (visit.xsrf !== identity.tokens.xsrf(sessionId))
    throw forbidden('The X-XSRF-TOKEN header is missing or wrong.')
  const session = await readSession(identity.iam, sessionId)
  if (session === null || session.cookieHash === null || !session.isUsable || !isBoundTo(session, visit)) {
    throw unauthenticated(await whyEnded(identity, visit, sessionId))
  }
  await refuseExpired(identity, visit, { session, exp: claimsOf(identity, session).exp, now })
  return nextToken(identity, session, { isOlder: false, now })
}

async function refuseExpired(
  identity: Identity,
  visit: Visit,
  { session, exp, now }: { session: SessionRow; exp: number; now: number },
): Promise<void> {
  const isRemembered = session.isRemembered && session.cookieHash !== null
  if (isRemembered) return
  if (exp * 1000 <= now) throw unauthenticated(ENDED)
  if (isIdle(identity, session, now)) {
    await endIdle(identity, visit, session)
    throw unauthenticated(ENDED)
  }
}

async function nextToken(
  identity: Identity,
  session: SessionRow,
  { isOlder, now }: { isOlder: boolean; now: number },
): Promise<Token> {
  const isExpiring = claimsOf(identity, session).exp * 1000 - now < MIN_REMAINING_SECONDS * 1000
  if (!isOlder || isExpiring) {
    // Browsers report activity by keep-alive. Without one, the refresh itself counts as activity, as it does
    // for a remembered user who returns after the idle time.
    const isActive = session.cookieHash === null || isIdle(identity, session, now)
    await rotateSession(identity.iam, session.id, session.generation, { isActive })
  }
  const current = await readSession(identity.iam, session.id)
  if (current === null) throw unauthenticated(ENDED)
  return issueToken(identity, current)
}
