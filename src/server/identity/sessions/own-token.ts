import type { Actor } from '#server/http/actor.ts'
import { refused } from '#server/http/failure.ts'
import type { Identity } from '../identity.ts'

/** Checks that the `token` of a payload belongs to the caller's session. @throws Failure 400 on the field. */
export async function refuseForeignToken(
  tokens: Identity['tokens'],
  actor: Actor,
  token: string,
): Promise<void> {
  const claims = await tokens.verify(token)
  if (claims?.sid === actor.sessionId) return
  throw refused('Some fields are invalid.', { token: "This token doesn't belong to your session." })
}
