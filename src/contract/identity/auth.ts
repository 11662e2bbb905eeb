import { trimmed } from '#contract/trimmed.ts'
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Instant } from '../fields.ts'
import { Appearance } from './branding/appearance.ts'
import { NewPassword } from './passwords/password.ts'
import { OrganizationChange, StoredToken, Token } from './sessions/session.ts'

/** Response of `auth-func` (specification section 3). */
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

/** Branding for the domain the product was opened on. `footer` is sanitized HTML; `brand` is a hex color. */
export const WhiteLabel = z.object({
  logo: z.string().nullable(),
  favicon: z.string().nullable(),
  title: z.string(),
  footer: z.string(),
  brand: z.string(),
})
export type WhiteLabel = z.infer<typeof WhiteLabel>

/**
 * Display names (the token has only user names). When not impersonating, both names are the same.
 * `appearance` is the real user's choice; null if they never made one.
 */
export const Me = z.object({
  fullName: z.string(),
  impersonateFullName: z.string(),
  /** Null when not impersonating. */
  impersonation: z.object({ endsAt: Instant, isViewOnly: z.boolean() }).nullable(),
  appearance: Appearance.nullable(),
  /** This installation is a restored copy, which sends and fetches nothing. */
  isRestoredCopy: z.boolean(),
})

/** The user and purpose behind an emailed password link, for the greeting on its page. */
export const PasswordLink = z.object({
  userName: z.string(),
  firstName: z.string(),
  /** `first`: an invited user sets their first password. `reset`: a new one. */
  purpose: z.enum(['first', 'reset']),
})

/** The secret in an emailed link. */
const ResetValue = z.string().min(1, 'This link is incomplete. Copy the whole link from the email.').max(200)

/** Deadlines by the server's clock, so a wrong browser clock doesn't matter. */
export const SessionState = z.object({
  serverTime: Instant,
  /** When the session ends unless the user is active before then. */
  idleEndsAt: Instant,
  /** When the session ends regardless of activity. */
  endsAt: Instant,
  organizationId: z.string(),
  /** Changes whenever an administrator changes this user's permissions. */
  permissionsVersion: z.string(),
})

export const auth = {
  signIn: endpoint({
    method: 'POST',
    path: '/api/auth',
    allow: 'anyone',
    summary: 'Signs in with a user name (or email address) and password.',
    input: z.strictObject({
      username: z.string().overwrite(trimmed).min(1, 'User name is required.').max(254),
      password: z.string().min(1, 'Password is required.').max(1024),
      isRemember: z.boolean().optional(),
    }),
    output: Token,
  }),
  refreshToken: endpoint({
    method: 'POST',
    path: '/api/auth/refresh-token',
    allow: 'anyone',
    summary: 'Exchanges the stored token for a new one. Accepts the string, `{token}` or the stored object.',
    input: z.union([
      StoredToken,
      z.looseObject({ token: z.union([StoredToken, z.null()]) }).transform((body) => body.token ?? ''),
      // Empty body: the bearer token is used, or the cookie together with the XSRF header.
      z.looseObject({}).transform(() => ''),
      z.union([z.undefined(), z.null()]).transform(() => ''),
    ]),
    output: Token,
  }),
  authFunc: endpoint({
    method: 'GET',
    path: '/api/auth/auth-func',
    allow: 'session',
    summary: 'Permissions of the caller. Empty before verification and before an organization is chosen.',
    output: OwnPermissions,
  }),
  me: endpoint({
    method: 'GET',
    path: '/api/auth/me',
    allow: 'session',
    summary: 'Display names of the caller and of the user they impersonate.',
    output: Me,
  }),
  menu: endpoint({
    method: 'GET',
    path: '/api/auth/menu',
    allow: 'session',
    summary: 'Side menu of the caller.',
    output: z.array(MenuItem),
  }),
  changeOrganization: endpoint({
    method: 'POST',
    path: '/api/auth/change-organization',
    allow: 'verified',
    summary: 'Switches to another organization. Returns a new token.',
    input: OrganizationChange,
    output: Token,
  }),
  keepAlive: endpoint({
    method: 'POST',
    path: '/api/auth/keep-alive',
    allow: 'session',
    summary: 'Reports how long ago the user was last active, in milliseconds. Extends a browser session.',
    input: z.strictObject({ idleMs: z.number().min(0).max(86_400_000) }),
    output: SessionState,
  }),
  signOut: endpoint({
    method: 'POST',
    path: '/api/auth/sign-out',
    // An expired token ends its session too. Otherwise its cookie could still revive the session.
    allow: 'anyone',
    summary: 'Ends the session of the token, even an expired one. Does nothing without a session.',
  }),
  forgotPassword: endpoint({
    method: 'POST',
    path: '/api/auth/forgot-password',
    allow: 'anyone',
    summary:
      'Emails a link to set a new password. Either field may be empty. The response is always the same.',
    input: z.strictObject({
      email: z.union([z.null(), z.string().trim().max(254)]).optional(),
      userName: z.union([z.null(), z.string().trim().max(254)]).optional(),
    }),
  }),
  checkReset: endpoint({
    method: 'POST',
    path: '/api/auth/check-reset',
    allow: 'anyone',
    isSecretLink: true,
    writes: false,
    summary:
      'Returns the user whose password an emailed link sets. 400 on resetValue if the link was used, replaced or has expired.',
    input: z.strictObject({ resetValue: ResetValue }),
    output: PasswordLink,
  }),
  resetPassword: endpoint({
    method: 'POST',
    path: '/api/auth/reset-password',
    allow: 'anyone',
    isSecretLink: true,
    summary: 'Sets a password with the secret from an emailed link, once, and ends all sessions of the user.',
    input: z.strictObject({ resetValue: ResetValue, password: NewPassword }),
  }),
  changePassword: endpoint({
    method: 'POST',
    path: '/api/auth/change-password',
    allow: 'verified',
    summary:
      "Changes the caller's password and ends their other sessions. A wrong old password is 400 on its field.",
    input: z.strictObject({
      newPassword: NewPassword,
      oldPassword: z.string().min(1, 'Old Password is required').max(1024),
    }),
  }),
  saveAppearance: endpoint({
    method: 'POST',
    path: '/api/auth/appearance',
    allow: 'verified',
    summary: "Saves the caller's appearance settings.",
    input: Appearance,
    output: Appearance,
  }),
  whiteLabel: endpoint({
    method: 'GET',
    path: '/api/auth/white-label',
    allow: 'anyone',
    summary: 'Logo, favicon, title and footer for the domain the product was opened on.',
    output: WhiteLabel,
  }),
}
