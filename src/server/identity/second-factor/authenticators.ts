import { sql } from 'kysely'
import { conflict } from '#server/http/failure.ts'
import type { SealedColumn } from '#server/installation/sealed-columns.ts'
import { backupCodeHash, newBackupCodes } from './backup-codes.ts'
import type { FactorState, UserRow } from '../credentials/factor-state.ts'
import type { Identity } from '../identity.ts'
import { fingerprintOf } from '../credentials/tokens.ts'
import { findTimeStep, newTimeSecret } from './time-codes.ts'

/**
 * Stores a new secret for a user, replacing one that was never confirmed.
 * @throws Failure 409 if an authenticator is already on.
 */
export async function startAuthenticator({ iam, secrets }: Identity, of: UserRow): Promise<string> {
  const secret = newTimeSecret()
  const { rows } = await sql<{ userId: string }>`
    insert into iam.authenticators as a (customer_id, user_id, secret_sealed)
    values (${of.customerId}, ${of.userId}, ${secrets.seal(secret, contextOf(of))})
    on conflict (customer_id, user_id) do update set secret_sealed = excluded.secret_sealed, created_at = app_now()
    where a.confirmed_at is null
    returning user_id`.execute(iam)
  if (rows.length === 0) throw conflict('An authenticator is already on. Turn it off first.')
  return secret
}

/** Names a secret without telling it. */
export const setupIdOf = (secret: string): string =>
  fingerprintOf(`authenticator set-up/${secret}`).toString('hex')

/**
 * Turns on the pending secret if the code matches it. Removes earlier backup codes and trusted devices.
 * @param setupId which secret the caller was given, if they say it.
 * @returns new backup codes; null if the code is wrong; `replaced` if the caller's secret is no longer pending.
 */
export async function confirmAuthenticator(
  { iam, secrets }: Identity,
  of: UserRow,
  { otp, now, setupId }: { otp: string; now: number; setupId?: string | undefined },
): Promise<string[] | 'replaced' | null> {
  const row = await iam
    .selectFrom('iam.authenticators')
    .select('secretSealed')
    .where('customerId', '=', of.customerId)
    .where('userId', '=', of.userId)
    .where('confirmedAt', 'is', null)
    .executeTakeFirst()
  const secret = row && secrets.open(row.secretSealed, contextOf(of))
  if (setupId !== undefined && (secret === undefined || setupIdOf(secret) !== setupId)) return 'replaced'
  if (row === undefined || secret === undefined) return null
  const step = await findTimeStep(secret, otp, now)
  if (step === null) return null
  return turnOn({ iam }, of, { secretSealed: row.secretSealed, step })
}

/** Stores a given secret and turns it on, for users created with an authenticator. */
export async function addAuthenticator(
  identity: Pick<Identity, 'iam' | 'secrets'>,
  of: UserRow,
  { secret, backupCodes }: { secret: string; backupCodes: readonly string[] },
): Promise<void> {
  const secretSealed = identity.secrets.seal(secret, contextOf(of))
  await identity.iam
    .insertInto('iam.authenticators')
    .values({ ...of, secretSealed })
    .execute()
  await turnOn(identity, of, { secretSealed, step: 0, backupCodes })
}

async function turnOn(
  { iam }: Pick<Identity, 'iam'>,
  of: UserRow,
  {
    secretSealed,
    step,
    backupCodes = newBackupCodes(),
  }: { secretSealed: string; step: number; backupCodes?: readonly string[] },
): Promise<string[] | null> {
  const whose = sql`customer_id = ${of.customerId} and user_id = ${of.userId}`
  const { rows } = await sql<{ userId: string }>`
    with turned as (
      update iam.authenticators set confirmed_at = app_now(), last_step = ${step}
      where ${whose} and confirmed_at is null and secret_sealed = ${secretSealed}
      returning customer_id, user_id
    ), told as (
      insert into user_access (customer_id, user_id, authenticator_at) select customer_id, user_id, app_now() from turned
      on conflict (customer_id, user_id) do update set authenticator_at = app_now()
    ), devices as (
      delete from iam.trusted_devices where ${whose} and exists (select from turned)
    ), mailed as (
      delete from iam.mail_codes where ${whose} and exists (select from turned)
    ), before as (
      delete from iam.backup_codes where ${whose} and exists (select from turned)
    ), codes as (
      insert into iam.backup_codes (customer_id, user_id, code_hash)
      select t.customer_id, t.user_id, h.hash
      from turned t, unnest(${backupCodes.map((code) => backupCodeHash(of, code))}::bytea[]) h (hash)
    )
    select user_id from turned`.execute(iam)
  return rows.length > 0 ? [...backupCodes] : null
}

/**
 * Checks a code of the authenticator; each time step counts only once. `lost`: the secret was sealed with an
 * installation key that no longer exists.
 */
export async function spendTimeCode(
  { iam, secrets }: Identity,
  of: FactorState,
  { given, now }: { given: string; now: number },
): Promise<'right' | 'wrong' | 'used' | 'lost'> {
  const row = await iam
    .selectFrom('iam.authenticators')
    .select('secretSealed')
    .where('customerId', '=', of.customerId)
    .where('userId', '=', of.userId)
    .where('confirmedAt', 'is not', null)
    .executeTakeFirst()
  if (row === undefined) return 'wrong'
  const secret = openSecret(secrets, of, row.secretSealed)
  if (secret === null) return 'lost'
  const step = await findTimeStep(secret, given, now)
  if (step === null) return 'wrong'
  const taken = await iam
    .updateTable('iam.authenticators')
    .set({ lastStep: String(step) })
    .where('customerId', '=', of.customerId)
    .where('userId', '=', of.userId)
    .where('lastStep', '<', String(step))
    .executeTakeFirst()
  return taken.numUpdatedRows > 0n ? 'right' : 'used'
}

/**
 * Removes a user's authenticator, backup codes and trusted devices.
 * @returns whether there was one.
 */
export async function removeAuthenticator({ iam }: Pick<Identity, 'iam'>, of: UserRow): Promise<boolean> {
  const whose = sql`customer_id = ${of.customerId} and user_id = ${of.userId}`
  const { rows } = await sql<{ wasOn: boolean }>`
    with gone as (
      delete from iam.authenticators where ${whose} returning confirmed_at
    ), codes as (
      delete from iam.backup_codes where ${whose}
    ), devices as (
      delete from iam.trusted_devices where ${whose}
    ), told as (
      update user_access set authenticator_at = null where ${whose}
    )
    select confirmed_at is not null as was_on from gone`.execute(iam)
  return rows[0]?.wasOn ?? false
}

function openSecret(secrets: Identity['secrets'], of: UserRow, secretSealed: string): string | null {
  try {
    return secrets.open(secretSealed, contextOf(of))
  } catch {
    return null
  }
}

/** The sealed column, for rotating the installation secret. */
export const sealedAuthenticators: SealedColumn = {
  table: 'iam.authenticators',
  column: 'secret_sealed',
  contextColumns: ['customer_id', 'user_id'],
  context: (row) => contextOf({ customerId: row.customer_id ?? '', userId: row.user_id ?? '' }),
}

function contextOf({ customerId, userId }: UserRow): string {
  return `iam.authenticators.secret_sealed/${customerId}/${userId}`
}
