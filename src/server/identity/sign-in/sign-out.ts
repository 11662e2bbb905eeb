import type { Visit } from '#server/http/actor.ts'
import { isBoundTo } from './authenticate.ts'
import type { Identity } from '../identity.ts'
import { readSession, revokeSession } from '../sessions/sessions.ts'
import { sessionIdIn } from '../sessions/tokens.ts'

/**
 * Ends the session of the bearer token, even if expired or superseded, provided that the session's cookie was
 * sent. Without a bearer token, ends the session of the cookie if the XSRF header proves that the request is
 * from our page.
 */
export async function endSession({ iam, tokens }: Identity, visit: Visit): Promise<void> {
  const claims = visit.bearer === null ? null : await tokens.verify(visit.bearer)
  const sessionId = claims?.sid ?? sessionOfPage(tokens, visit)
  const session = sessionId === null ? null : await readSession(iam, sessionId)
  if (session !== null && isBoundTo(session, visit)) await revokeSession(iam, session.id, 'signed out')
}

function sessionOfPage(tokens: Identity['tokens'], { cookie, xsrf }: Visit): string | null {
  const sessionId = sessionIdIn(cookie)
  return sessionId !== null && xsrf === tokens.xsrf(sessionId) ? sessionId : null
}
