import { sql } from 'kysely'
import type { Visit } from '#server/http/actor.ts'
import { isSameSecret } from '../credentials/tokens.ts'
import type { Identity } from '../identity.ts'
import { CLOSED } from './sign-in.ts'

export const ENDED = 'Your session has ended. Sign in again.'

const ACTED_AS =
  'The access of the user you were impersonating was changed, which ended your session. Sign in again.'

/** Sentences for what is stored as the reason of an ended session. Others need no explanation. */
const REASONS: Readonly<Record<string, string>> = {
  'signed out by an administrator': 'An administrator ended your session. Sign in again.',
  'ended by an administrator': 'An administrator ended your session. Sign in again.',
  'switched on or off': 'An administrator changed your access, which ended your session. Sign in again.',
  'signed out everywhere': 'Your session was ended from another browser or device. Sign in again.',
  'ended by its user': 'Your session was ended from another browser or device. Sign in again.',
  'password changed': 'Your password was changed, which ended your session. Sign in with the new one.',
  'password set by a mailed link':
    'A new password was set by an emailed link, which ended your session. Sign in with the new one.',
  'second factor turned off': 'Your second factor was turned off, which ended your session. Sign in again.',
  'access reset on the server':
    'Your access was reset on the server, which ended your session. Sign in again.',
  'organization archived': CLOSED.archived,
  idle: 'Your session ended because of inactivity. Sign in again.',
}

/**
 * Why a session is no longer usable, in a sentence for its browser. Someone without the cookie of the session learns only that it
 * has ended.
 */
export async function whyEnded(
  { iam }: Identity,
  { cookie }: Visit,
  sessionId: string | undefined,
): Promise<string> {
  if (sessionId === undefined) return ENDED
  const { rows } = await sql<{
    cookieHash: Buffer | null
    reason: string | null
    isActingAs: boolean
    closedBy: 'suspended' | 'closed' | 'deactivated' | null
  }>`
    select s.cookie_hash, s.revoke_reason as reason,
      (s.effective_customer_id, s.effective_user_id) <> (s.customer_id, s.user_id) as is_acting_as,
      case when home.status <> 'active' then home.status when not u.is_active then 'deactivated' end as closed_by
    from iam.sessions s
    join users u on u.customer_id = s.customer_id and u.id = s.user_id
    join customers home on home.id = s.customer_id
    where s.id = ${sessionId}`.execute(iam)
  const [session] = rows
  if (session === undefined) return ENDED
  if (session.cookieHash !== null && !isSameSecret(session.cookieHash, cookie)) return ENDED
  if (session.closedBy !== null) return CLOSED[session.closedBy]
  if (session.isActingAs && session.reason === 'switched on or off') return ACTED_AS
  return REASONS[session.reason ?? ''] ?? ENDED
}
