import type { Permission, Permissions } from '#contract/permissions.ts'

/** Who is calling, as the session row says. Numbers are text, as everywhere outside the database. */
export type Actor = Readonly<{
  sessionId: string
  isVerified: boolean
  /** The real person and the customer they belong to. */
  userId: string
  userName: string
  fullName: string
  userCustomerId: string
  /** In whose skin: the same unless impersonating. Rights and reach are theirs. */
  effectiveUserId: string
  effectiveUserName: string
  effectiveFullName: string
  effectiveCustomerId: string
  /** Null as oneself, and for work that goes on without its person. */
  impersonation: Readonly<{ endsAt: string; isLookOnly: boolean }> | null
  userTypeId: string
  /** Where they act. Platform staff act in other customers than their own. */
  customerId: string
  organizationId: string | null
  organizationName: string
  /** Whose day it is: of the organization they act in, of the customer without one. */
  timeZone: string
  reach: 'organization' | 'customer'
  isPlatformStaff: boolean
  permissions: Permissions
  permissionsVersion: string
  may: (permission: Permission) => boolean
}>

/** Someone signed in with an organization: what a tenant's handler gets. */
export type Member = Actor & Readonly<{ organizationId: string }>

/** What is known of the caller's connection and client. Only identity looks at it; others see the actor. */
export type Visit = Readonly<{
  /** Host header without port, lower case. */
  host: string
  ip: string
  userAgent: string
  /** Our own web client: its sessions are bound to a cookie. */
  isWebClient: boolean
  bearer: string | null
  cookie: string | null
  /** What a trusted device shows, whoever signs in there. */
  device: string | null
  /** What a browser shows on which somebody signed in before. */
  browser: string | null
  xsrf: string | null
  /** Sends the binding cookie and the XSRF cookie with the answer. Without `seconds` they end with the browser. */
  keepCookies: (cookies: { secret: string; xsrf: string; seconds: number | null }) => void
  dropCookies: () => void
  /** Sends the cookie of a trusted device. */
  keepDevice: (secret: string, seconds: number) => void
  /** Sends the cookie of a browser on which somebody signed in. */
  keepBrowser: (secret: string, seconds: number) => void
}>
