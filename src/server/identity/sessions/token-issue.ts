import { NO_ORGANIZATION, type Claims, type Token } from '#contract/identity/sessions/session.ts'
import { clock } from '#server/clock.ts'
import type { Identity } from '../identity.ts'
import type { SessionRow } from './sessions.ts'

const seconds = (instant: string): number => Math.floor(Date.parse(instant) / 1000)

/** Claims are derived from the session row alone, so the same generation always gives the same token. */
export function claimsOf({ settings }: Identity, session: SessionRow): Claims {
  const issued = seconds(session.issuedAt)
  return {
    iat: issued,
    exp: Math.min(issued + settings.tokenSeconds, seconds(session.endsAt)),
    sid: session.id,
    gen: session.generation,
    isVerified: session.isVerified ? 'true' : 'false',
    customerId: session.actingCustomerId,
    userId: session.userId,
    userName: session.userName,
    impersonateUserId: session.effectiveUserId,
    impersonateUserName: session.effectiveUserName,
    impersonateUserTypeId: session.userTypeId,
    organizationId: session.organizationId ?? NO_ORGANIZATION,
    organizationName: session.organizationName ?? '',
  }
}

/** The token of a session's newest generation. `expiresIn` is its remaining lifetime, in seconds. */
export async function issueToken(identity: Identity, session: SessionRow): Promise<Token> {
  const claims = claimsOf(identity, session)
  return {
    accessToken: await identity.tokens.sign(claims),
    expiresIn: Math.max(0, Math.round(claims.exp - clock.now() / 1000)),
    tokenType: 'Bearer',
  }
}
