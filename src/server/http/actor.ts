import type { Permission, Permissions } from '#contract/permissions.ts'

/** The caller, from the session row. IDs are text, as everywhere outside the database. */
export type Actor = Readonly<{
  sessionId: string
  isVerified: boolean
  /** The real user and the customer they belong to. */
  userId: string
  userName: string
  fullName: string
  userCustomerId: string
  /** The impersonated user, or the real one. Permissions and reach come from this user. */
  effectiveUserId: string
  effectiveUserName: string
  effectiveFullName: string
  effectiveCustomerId: string
  /** Null when not impersonating, and for background work. */
  impersonation: Readonly<{ endsAt: string; isViewOnly: boolean }> | null
  userTypeId: string
  /** The customer the session acts in. For platform staff it can differ from their own. */
  customerId: string
  organizationId: string | null
  organizationName: string
  /** The time zone of the current organization, or of the customer if there is none. */
  timeZone: string
  reach: 'organization' | 'customer'
  isPlatformStaff: boolean
  permissions: Permissions
  permissionsVersion: string
  may: (permission: Permission) => boolean
  /** Where the request comes from, for the audit log. Not set for background work. */
  origin?: Origin | undefined
}>

/** The address, and the device in words: "Firefox on Windows". */
export type Origin = Readonly<{ address: string; device: string }>

/** An actor signed in to an organization. Tenant handlers receive this. */
export type Member = Actor & Readonly<{ organizationId: string }>

/** A person who opened an invitation to an assessment. They have no account and no permissions. */
export type Participant = Readonly<{
  participantId: string
  fullName: string
  /** The language they read, such as `es`. */
  language: string
  customerId: string
  organizationId: string
  timeZone: string
  /** When the session ends without further calls. */
  sessionExpiresAt: string
  /** Where the request comes from, for the audit log. */
  origin?: Origin | undefined
}>

/** The caller's connection and client. Only identity reads it; other domains see the actor. */
export type Visit = Readonly<{
  /** Host header without the port, in lower case. */
  host: string
  ip: string
  userAgent: string
  /** True for our own web client, whose sessions are bound to a cookie. */
  isWebClient: boolean
  /** From this machine or with the operator's token, so that it may see what is wrong with the installation. */
  isOperator: boolean
  bearer: string | null
  cookie: string | null
  /** The cookie of a trusted device, shared by all users who sign in there. */
  device: string | null
  /** The cookie of a browser that was used to sign in before. */
  browser: string | null
  xsrf: string | null
  /** Sets the binding cookie and the XSRF cookie. With `seconds: null` they end with the browser session. */
  setSessionCookies: (cookies: { secret: string; xsrf: string; seconds: number | null }) => void
  clearSessionCookies: () => void
  /** Sets the trusted-device cookie. */
  setDeviceCookie: (secret: string, seconds: number) => void
  /** Sets the cookie that marks a browser used to sign in. */
  setBrowserCookie: (secret: string, seconds: number) => void
}>
