import { auth } from '#contract/identity/auth.ts'
import type { Claims, Token } from '#contract/identity/sessions/session.ts'
import { call } from '#web/api/client.ts'
import { CallFailure } from '#web/api/failure.ts'
import { readClaims } from '#web/session/token.ts'

/**
 * The token of the organization that was acted in before, for somebody who may choose among several. Where they work
 * there no more it is the token as it came.
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
