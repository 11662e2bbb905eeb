import { z } from 'zod'
import { Id } from '#contract/fields.ts'

/** Specification section 9: the refresh runs this many seconds before the token expires. */
export const REFRESH_BEFORE_EXPIRY_SECONDS = 60
/** Specification section 9: the keepalive ping is sent this often while the user is active. */
export const KEEP_ALIVE_SECONDS = 15
/** Specification section 9: activity events count at most this often, in milliseconds. */
export const ACTIVITY_THROTTLE_MS = 500
/** After a rotation, a switch or an impersonation, the older token can still read for this long. */
export const SUPERSEDED_GRACE_SECONDS = 30
/** Angular's names for the cross-site-request-forgery pair (specification section 7 leaves them open). */
export const XSRF_COOKIE = 'XSRF-TOKEN'
export const XSRF_HEADER = 'X-XSRF-TOKEN'
/** Sent by our own web client at sign-in. Only then is the session bound to a cookie. */
export const CLIENT_HEADER = 'X-Forecourt-Client'
/** As with signing in, a 401 from this call is about the submitted code and signs nobody out. */
export const VERIFY_OTP_PATH = '/api/auth/verify-otp'
/** Specification section 3: value of `organizationId` when none is chosen. */
export const NO_ORGANIZATION = '0'

/** The claims of a token (specification section 3): `exp` and `gen` are numbers, all else is text. */
export const Claims = z.object({
  exp: z.number(),
  iat: z.number(),
  sid: z.uuid(),
  gen: z.number().int().min(1),
  isVerified: z.enum(['true', 'false']),
  customerId: z.string(),
  userId: z.string(),
  userName: z.string(),
  impersonateUserId: z.string(),
  impersonateUserName: z.string(),
  impersonateUserTypeId: z.string(),
  organizationId: z.string(),
  organizationName: z.string(),
})
export type Claims = z.infer<typeof Claims>

/** Response of every call that issues a token. `expiresIn` is in seconds. */
export const Token = z.object({
  accessToken: z.string(),
  expiresIn: z.number().int(),
  tokenType: z.literal('Bearer'),
})
export type Token = z.infer<typeof Token>

/** The stored token as callers send it: the string, or the stored object with any other fields it has. */
export const StoredToken = z.union([
  z.string().max(8192),
  z.looseObject({ accessToken: z.string().max(8192) }).transform((stored) => stored.accessToken),
])

/** `organizationId` may be text or a number. */
export const OrganizationChange = z.strictObject({
  organizationId: Id,
  token: z.union([StoredToken, z.null()]).optional(),
})
