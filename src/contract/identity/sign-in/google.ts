import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Token } from '../sessions/session.ts'

export const google = {
  begin: endpoint({
    method: 'GET',
    path: '/api/auth/google-begin',
    allow: 'anyone',
    summary:
      'URL for signing in with Google, and the nonce its token must contain. 404 if Google sign-in is not set up.',
    output: z.object({ url: z.string(), nonce: z.string() }),
  }),
  signIn: endpoint({
    method: 'POST',
    path: '/api/auth/google-login',
    allow: 'anyone',
    summary: 'Signs in with a Google ID token, sent as `accessToken`. Each token works once.',
    input: z.strictObject({
      /** Specification section 3: always 0; ignored. */
      expiresIn: z.number().optional(),
      accessToken: z.string('The token is missing.').min(1, 'The token is missing.').max(8192),
    }),
    output: Token,
  }),
}
