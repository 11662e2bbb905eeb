import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Instant } from '../fields.ts'
import { Appearance } from './branding/appearance.ts'
import { NewPassword } from './passwords/password.ts'
import { OrganizationChange, StoredToken, Token } from './sessions/session.ts'

/** What `auth-func` answers (specification section 3). */
export const OwnPermissions = z.object({
  isSuper: z.boolean(),
  permissions: z.array(z.object({ func: z.number().int(), opr: z.number().int() })),
})

/** One entry of the side menu, every field of specification section 3. */
export type MenuItem = {
  id: string
  title: string
  type: 'group' | 'collapse' | 'item'
  url: string | null
  icon: string | null
  classes: string | null
  hidden: boolean
  external: boolean
  target: string | null
  badge: { title: string; type: string } | null
  children: MenuItem[]
}
export const MenuItem: z.ZodType<MenuItem, MenuItem> = z
  .object({
    id: z.string(),
    title: z.string(),
    type: z.enum(['group', 'collapse', 'item']),
    url: z.string().nullable(),
    icon: z.string().nullable(),
    classes: z.string().nullable(),
    hidden: z.boolean(),
    external: z.boolean(),
    target: z.string().nullable(),
    badge: z.object({ title: z.string(), type: z.string() }).nullable(),
    get children() {
      return z.array(MenuItem)
    },
  })
  .meta({ id: 'MenuItem' })

/** Branding of the domain the product was opened on. `footer` is HTML, sanitised; `brand` a colour in hex. */
export const WhiteLabel = z.object({
  logo: z.string().nullable(),
  favicon: z.string().nullable(),
  title: z.string(),
  footer: z.string(),
  brand: z.string(),
})
export type WhiteLabel = z.infer<typeof WhiteLabel>

/**
 * Names to greet and show: user names are in the token. Not impersonating, both are the same person. `appearance` is
 * what the real person chose; null when they never did.
 */
export const Me = z.object({
  fullName: z.string(),
  impersonateFullName: z.string(),
  /** In somebody's skin: until when, and whether only to look. */
  impersonation: z.object({ endsAt: Instant, isLookOnly: z.boolean() }).nullable(),
  appearance: Appearance.nullable(),
})

/** Whose password a mailed link sets, so that the page can greet and say what it is for. */
export const PasswordLink = z.object({
  userName: z.string(),
  firstName: z.string(),
  /** The first password of somebody invited, or a new one. */
  purpose: z.enum(['first', 'reset']),
})

/** The word of a mailed link. */
const ResetValue = z.string().min(1, 'The link is not complete.').max(200)

/** Deadlines as the server sees them, so that a wrong clock in the browser does not matter. */
export const SessionState = z.object({
  serverTime: Instant,
  /** When the session ends unless the person is active before. */
  idleEndsAt: Instant,
  /** When it ends in any case. */
  endsAt: Instant,
  organizationId: z.string(),
  /** Changes whenever an administrator changed what this person may do. */
  permissionsVersion: z.string(),
})

export const auth = {
  signIn: endpoint({
    method: 'POST',
    path: '/api/auth',
    allow: 'anyone',
    summary: 'Signs in with user name (or e-mail) and password.',
    input: z.strictObject({
      username: z.string().trim().min(1, 'User name is required.').max(254),
      password: z.string().min(1, 'Password is required.').max(1024),
      isRemember: z.boolean().optional(),
    }),
    output: Token,
  }),
  refreshToken: endpoint({
    method: 'POST',
    path: '/api/auth/refresh-token',
    allow: 'anyone',
    summary:
      'Exchanges the stored token for its successor. Takes the string, `{token}` or the stored object.',
    input: z.union([
      StoredToken,
      z.looseObject({ token: z.union([StoredToken, z.null()]) }).transform((body) => body.token ?? ''),
      // Nothing in the body: the bearer, or the cookie together with the XSRF header, speaks.
      z.looseObject({}).transform(() => ''),
      z.union([z.undefined(), z.null()]).transform(() => ''),
    ]),
    output: Token,
  }),
  authFunc: endpoint({
    method: 'GET',
    path: '/api/auth/auth-func',
    allow: 'session',
    summary: 'What the caller may do; empty before verification and before an organization is chosen.',
    output: OwnPermissions,
  }),
  me: endpoint({
    method: 'GET',
    path: '/api/auth/me',
    allow: 'session',
    summary: 'The names of the caller, and of the person in whose skin they act.',
    output: Me,
  }),
  menu: endpoint({
    method: 'GET',
    path: '/api/auth/menu',
    allow: 'session',
    summary: 'The side menu of the caller.',
    output: z.array(MenuItem),
  }),
  changeOrganization: endpoint({
    method: 'POST',
    path: '/api/auth/change-organization',
    allow: 'verified',
    summary: 'Acts in another organization from now on. Answers a new token.',
    input: OrganizationChange,
    output: Token,
  }),
  keepAlive: endpoint({
    method: 'POST',
    path: '/api/auth/keep-alive',
    allow: 'session',
    summary: 'Says how long ago the person was last active, in milliseconds; extends a browser session.',
    input: z.strictObject({ idleMs: z.number().min(0).max(86_400_000) }),
    output: SessionState,
  }),
  signOut: endpoint({
    method: 'POST',
    path: '/api/auth/sign-out',
    // An expired token ends its session, too: otherwise its cookie could still revive it.
    allow: 'anyone',
    summary: 'Ends the session of the token, an expired one included. Without one there is nothing to end.',
  }),
  forgotPassword: endpoint({
    method: 'POST',
    path: '/api/auth/forgot-password',
    allow: 'anyone',
    summary: 'Mails a link to set a new password. Either field may be empty; the answer is always the same.',
    input: z.strictObject({
      email: z.union([z.null(), z.string().trim().max(254)]).optional(),
      userName: z.union([z.null(), z.string().trim().max(254)]).optional(),
    }),
  }),
  checkReset: endpoint({
    method: 'POST',
    path: '/api/auth/check-reset',
    allow: 'anyone',
    writes: false,
    summary:
      'Whose password a mailed link sets; 400 on resetValue when the link was used, replaced or is too old.',
    input: z.strictObject({ resetValue: ResetValue }),
    output: PasswordLink,
  }),
  resetPassword: endpoint({
    method: 'POST',
    path: '/api/auth/reset-password',
    allow: 'anyone',
    summary: 'Sets the password by the word of a mailed link, once, and ends every session of the person.',
    input: z.strictObject({ resetValue: ResetValue, password: NewPassword }),
  }),
  changePassword: endpoint({
    method: 'POST',
    path: '/api/auth/change-password',
    allow: 'verified',
    summary:
      "Changes the caller's own password and ends their other sessions. A wrong old one is 400 on its field.",
    input: z.strictObject({
      newPassword: NewPassword,
      oldPassword: z.string().min(1, 'Old Password is required').max(1024),
    }),
  }),
  saveAppearance: endpoint({
    method: 'POST',
    path: '/api/auth/appearance',
    allow: 'verified',
    summary: 'Keeps how the caller wants the product to look.',
    input: Appearance,
    output: Appearance,
  }),
  whiteLabel: endpoint({
    method: 'GET',
    path: '/api/auth/white-label',
    allow: 'anyone',
    summary: 'Logo, favicon, title and footer of the domain the product was opened on.',
    output: WhiteLabel,
  }),
}
