import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { line } from '../fields.ts'
import { NewPassword } from '../identity/passwords/password.ts'

/** Where the one-time link of an empty installation leads; the token follows as `?token=`. */
export const SET_UP_PATH = '/auth/set-up'

export const setUp = {
  begin: endpoint({
    method: 'POST',
    path: '/api/auth/set-up',
    allow: 'anyone',
    summary:
      'Founds an empty installation: its own customer, first organization and first super user. Works once.',
    input: z.strictObject({
      token: z.string().min(1, 'The link is not complete.').max(200),
      company: line(120, 'Company'),
      firstName: line(60, 'First name'),
      lastName: line(60, 'Last name'),
      userName: line(60, 'User name').regex(/^[\w.@-]+$/, 'User name may have letters, digits and . _ - @.'),
      email: z.email('This is not an e-mail address.').max(254),
      password: NewPassword,
    }),
  }),
}
