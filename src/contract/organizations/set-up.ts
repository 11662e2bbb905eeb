import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { line, TimeZone } from '../fields.ts'
import { NewPassword } from '../identity/passwords/password.ts'

/** The path of the one-time set-up link of an empty installation. The token is added as `?token=`. */
export const SET_UP_PATH = '/auth/set-up'

export const setUp = {
  begin: endpoint({
    method: 'POST',
    path: '/api/auth/set-up',
    allow: 'anyone',
    summary:
      'Sets up an empty installation with the platform customer, first organization and first super user. Works once.',
    input: z.strictObject({
      token: z.string().min(1, 'This link is incomplete.').max(200),
      company: line(120, 'Company'),
      firstName: line(60, 'First name'),
      lastName: line(60, 'Last name'),
      userName: line(60, 'User name').regex(
        /^[\w.@-]+$/,
        'User name can contain letters, digits and . _ - @.',
      ),
      email: z.email('Enter a valid email address.').max(254),
      password: NewPassword,
      /** Of the first organization. */
      timeZone: TimeZone.optional().default('UTC'),
    }),
  }),
}
