import { auth } from '#contract/identity/auth.ts'
import { DEMO_PASSWORD } from '../demo/world.ts'

export const credentials = JSON.stringify({ username: 'northgate.dealer', password: DEMO_PASSWORD })

/** The demo dealer's token. */
export async function signInDealer(address: string): Promise<string> {
  const response = await fetch(`${address}${auth.signIn.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: credentials,
  })
  const answer: unknown = await response.json()
  if (typeof answer !== 'object' || answer === null || !('data' in answer)) throw new Error('Sign-in failed.')
  return auth.signIn.output.parse(answer.data).accessToken
}
