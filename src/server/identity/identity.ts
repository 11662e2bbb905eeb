import type { Kysely } from 'kysely'
import type { DB } from '#server/database/schema.ts'
import type { Settings } from '#server/environment.ts'
import type { Outbox } from '#server/mail/index.ts'
import type { Secrets } from '#server/secrets.ts'
import type { Passwords } from './passwords/passwords.ts'
import type { OwnRights, RightsOf } from './user-types/permission-cache.ts'
import type { Tokens } from './sessions/tokens.ts'

/** Who asked for a new password: a user name, an email address or both, in lower case. */
export type PasswordRequest = { userName: string; email: string; reachesDemo: boolean }

export type PasswordRequests = {
  /** Keeps a request, in the same time whether there is such an account or not, and works on it in the background. */
  add: (request: PasswordRequest) => Promise<void>
  /** Starts what is due. */
  wake: () => void
  /** Resolves when nothing is under way any more. */
  idle: () => Promise<void>
  stop: () => Promise<void>
}

/** What identity's parts share. Only identity holds `iam`, the way to passwords and sessions. */
export type Identity = {
  iam: Kysely<DB>
  settings: Settings
  passwords: Passwords
  tokens: Tokens
  rightsOf: (of: RightsOf) => Promise<OwnRights>
  secrets: Secrets
  outbox: Outbox
  /** The address this server listens on, for links where no public one is set. */
  address: () => string
  /** Requests for a new password whose mails are still to be written. */
  passwordRequests: PasswordRequests
  /** Takes what went wrong where the answer must not show it. */
  onError: (error: unknown) => void
}
