import type { Visit } from '#server/http/actor.ts'
import { isBoundTo } from './authenticate.ts'
import type { Identity } from './identity.ts'
import { readSession, revokeSession } from './sessions.ts'

/**
 * Ends the session that the bearer names, expired or superseded as it may be, where the session's cookie came along;
 * without a bearer the one that the cookie names, where the XSRF header proves that the page is ours.
 */
export async function endSession({ iam, tokens }: Identity, visit: Visit): Promise<void> {
  const claims = visit.bearer === null ? null : await tokens.verify(visit.bearer)
  const sessionId = claims?.sid ?? sessionOfCookie(tokens, visit)
  const session = sessionId === null ? null : await readSession(iam, sessionId)
  if (session !== null && isBoundTo(session, visit)) await revokeSession(iam, session.id, 'signed out')
}

/** The session whose cookie speaks alone; null unless the XSRF header goes with it. */
export function sessionOfCookie(tokens: Identity['tokens'], { cookie, xsrf }: Visit): string | null {
  const [sessionId = ''] = cookie?.split('.') ?? []
  return /^[0-9a-f-]{36}$/.test(sessionId) && xsrf === tokens.xsrf(sessionId) ? sessionId : null
}
