import type { Kysely } from 'kysely'
import type { DB } from '#server/database/schema.ts'
import type { Settings } from '#server/environment.ts'
import type { Outbox } from '#server/mail/index.ts'
import type { Secrets } from '#server/secrets.ts'
import { makePasswords, type Passwords } from './passwords.ts'
import { makePasswordRequests, type PasswordRequests } from './password-requests.ts'
import { makePermissionCache, type HeldRights, type RightsOf } from './permission-cache.ts'
import { makeTokens, type Tokens } from './tokens.ts'

/** What identity's parts share. Only identity holds `iam`, the way to passwords and sessions. */
export type Identity = {
  iam: Kysely<DB>
  settings: Settings
  passwords: Passwords
  tokens: Tokens
  rightsOf: (of: RightsOf) => Promise<HeldRights>
  secrets: Secrets
  outbox: Outbox
  /** The address this server listens on, for links where no public one is set. */
  address: () => string
  /** Requests for a new password whose mails are still to be written. */
  passwordRequests: PasswordRequests
  /** Takes what went wrong where the answer must not show it. */
  onError: (error: unknown) => void
}

export function makeIdentity(
  iam: Kysely<DB>,
  settings: Settings,
  secrets: Secrets,
  {
    outbox,
    address,
    onError = () => {},
  }: Pick<Identity, 'outbox' | 'address'> & Partial<Pick<Identity, 'onError'>>,
): Identity {
  const identity: Identity = {
    iam,
    settings,
    passwords: makePasswords(settings.cores),
    tokens: makeTokens(secrets),
    rightsOf: makePermissionCache(iam),
    secrets,
    outbox,
    address,
    passwordRequests: makePasswordRequests(() => identity),
    onError,
  }
  return identity
}
