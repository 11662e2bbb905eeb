import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Token } from '../sessions/session.ts'

export const google = {
  begin: endpoint({
    method: 'GET',
    path: '/api/auth/google-begin',
    allow: 'anyone',
    summary: 'Where to sign in with Google, and the word its token has to hold. 404 unless it is set up.',
    output: z.object({ url: z.string(), nonce: z.string() }),
  }),
  signIn: endpoint({
    method: 'POST',
    path: '/api/auth/google-login',
    allow: 'anyone',
    summary: "Signs in with Google's ID token, which travels as `accessToken`. Each is of use once.",
    input: z.strictObject({
      /** Specification section 3: 0. It says nothing. */
      expiresIn: z.number().optional(),
      accessToken: z.string('The token is missing.').min(1, 'The token is missing.').max(8192),
    }),
    output: Token,
  }),
}
