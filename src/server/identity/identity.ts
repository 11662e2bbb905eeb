import type { Kysely } from 'kysely'
import type { DB } from '#server/database/schema.ts'
import type { Origin } from '#server/http/actor.ts'
import type { Settings } from '#server/environment.ts'
import type { Outbox } from '#server/mail/index.ts'
import type { Secrets } from '#server/secrets.ts'
import type { Passwords } from './passwords/passwords.ts'
import type { Refusals } from './refusals.ts'
import type { StrangerLimits } from './stranger-limits.ts'
import type { OwnRights, RightsOf } from './user-types/permission-cache.ts'
import type { Tokens } from './credentials/tokens.ts'

/** A request for a new password: user name, email address or both, in lowercase. */
export type PasswordRequest = { userName: string; email: string; reachesDemo: boolean; origin: Origin }

export type PasswordRequests = {
  /**
   * Stores a request and handles it in the background. Takes the same time whether the account exists or not.
   */
  add: (request: PasswordRequest) => Promise<void>
  /** Starts the requests that are due. */
  wake: () => void
  /** Resolves when no request is in progress. */
  idle: () => Promise<void>
  stop: () => Promise<void>
}

/**
 * Dependencies shared by the parts of identity. Only identity has `iam`, the connection to passwords and
 * sessions.
 */
export type Identity = {
  iam: Kysely<DB>
  settings: Settings
  passwords: Passwords
  tokens: Tokens
  rightsOf: (of: RightsOf) => Promise<OwnRights>
  secrets: Secrets
  outbox: Outbox
  /** The address this server listens on, for links if no public URL is set. */
  address: () => string
  /** Pending requests for a new password. */
  passwordRequests: PasswordRequests
  /** Refused calls and limits, for the audit log. */
  refusals: Refusals
  /** Limits that strangers reached, for the audit log. */
  strangers: StrangerLimits
  /** Reports errors that the response must not reveal. */
  onError: (error: unknown) => void
}
