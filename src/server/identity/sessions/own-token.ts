import type { Actor } from '#server/http/actor.ts'
import { refused } from '#server/http/failure.ts'
import type { Identity } from '../identity.ts'

/** The `token` of a payload is the caller's own, or the call is a mistake. @throws Failure 400 on the field. */
export async function refuseForeignToken(
  tokens: Identity['tokens'],
  actor: Actor,
  token: string,
): Promise<void> {
  const claims = await tokens.verify(token)
  if (claims?.sid === actor.sessionId) return
  throw refused('Some fields are not right.', { token: 'This token does not belong to your session.' })
}
