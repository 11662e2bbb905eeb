import { sql } from 'kysely'
import type { Origin, Visit } from '#server/http/actor.ts'
import type { UserRow } from '../credentials/factor-state.ts'
import type { Identity } from '../identity.ts'
import { describeDevice } from '../sessions/device-names.ts'

/** Where a request comes from, as the audit log shows it. */
export const originOf = ({ ip, userAgent }: Pick<Visit, 'ip' | 'userAgent'>): Origin => ({
  address: ip,
  device: describeDevice(userAgent),
})

type Access = {
  /** The endpoint's name in the contract. */
  endpoint: string
  what: string
  /** The customer whose audit log gets the entry. Defaults to the user's own. */
  customerId?: string
}

/** Logs that a user signed in or out, or changed the organization. */
export async function noteAccess(
  iam: Identity['iam'],
  visit: Visit,
  of: UserRow,
  { endpoint, what, customerId = of.customerId }: Access,
): Promise<void> {
  const { address, device } = originOf(visit)
  await sql`
    insert into audit_log (customer_id, actor_user_id, actor_name, endpoint, operation, table_name, row_id, after,
      address, device)
    select ${customerId}, u.id, u.first_name || ' ' || u.last_name, ${endpoint}, 'event', 'sign_ins', u.id::text,
      ${JSON.stringify({ event: what, outcome: 'success' })}::jsonb, ${address}, ${device}
    from users u where u.customer_id = ${of.customerId} and u.id = ${of.userId}`.execute(iam)
}

/**
 * Logs a failed sign-in of an existing user, never what was typed. Repeated failures are one entry per address and hour.
 * Without a user it takes as long and logs nothing, so that the time doesn't tell whether there is one.
 */
export async function noteFailedSignIn(
  iam: Identity['iam'],
  visit: Visit,
  of: UserRow | null,
  { endpoint, factor }: { endpoint: string; factor: 'password' | 'code' },
): Promise<void> {
  const { address, device } = originOf(visit)
  await sql`select note_failed_sign_in(${of?.customerId ?? null}::bigint, ${of?.userId ?? null}::bigint,
    ${address}, ${device}, ${factor}, ${endpoint})`.execute(iam)
}
