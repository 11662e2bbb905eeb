import { auth } from '#contract/identity/auth.ts'
import { DEMO_PASSWORD } from '../demo/world.ts'

/** The body of a sign-in call, by default for the demo dealer. */
export const credentialsOf = (username: string, password = DEMO_PASSWORD) =>
  JSON.stringify({ username, password })
export const credentials = credentialsOf('northgate.dealer')

/** The token of a demo user, by default the dealer. Both demo dealers have the reach of one organization. */
export async function signIn(
  address: string,
  username = 'northgate.dealer',
  password = DEMO_PASSWORD,
): Promise<string> {
  const response = await fetch(`${address}${auth.signIn.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: credentialsOf(username, password),
  })
  const answer: unknown = await response.json()
  if (typeof answer !== 'object' || answer === null || !('data' in answer)) throw new Error('Sign-in failed.')
  return auth.signIn.output.parse(answer.data).accessToken
}
