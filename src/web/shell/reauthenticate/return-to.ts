import { auth } from '#contract/identity/auth.ts'
import type { Claims, Token } from '#contract/identity/sessions/session.ts'
import { call } from '#web/api/client.ts'
import { CallFailure } from '#web/api/failure.ts'
import { readClaims } from '#web/session/token.ts'

/**
 * Switches the new session to the previous organization. Returns the given token if it is already there, or
 * if the user no longer has access to that organization.
 */
export async function returnTo(before: Claims, token: Token): Promise<Token> {
  const { organizationId } = readClaims(token.accessToken)
  if (organizationId === before.organizationId) return token
  try {
    return await call(
      auth.changeOrganization,
      { organizationId: before.organizationId },
      { bearer: token.accessToken },
    )
  } catch (failure) {
    if (failure instanceof CallFailure && failure.status === 404) return token
    throw failure
  }
}
