import type { Kysely } from 'kysely'
import type { DB } from '#server/database/schema.ts'
import type { Settings } from '#server/environment.ts'
import type { Secrets } from '#server/secrets.ts'
import type { Identity } from './identity.ts'
import { makePasswords } from './passwords/passwords.ts'
import { makePasswordRequests } from './passwords/password-requests.ts'
import { makePermissionCache } from './user-types/permission-cache.ts'
import { makeTokens } from './credentials/tokens.ts'
import { makeRefusals } from './refusals.ts'
import { makeStrangerLimits } from './stranger-limits.ts'

/** Creates the dependencies shared by the parts of identity. */
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
    refusals: makeRefusals(iam, onError),
    strangers: makeStrangerLimits(iam, onError),
    onError,
  }
  return identity
}
