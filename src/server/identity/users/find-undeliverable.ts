import { sql } from 'kysely'
import { type Permission } from '#contract/permissions.ts'
import { describe } from '#contract/permission-text.ts'
import type { Identity } from '../identity.ts'

type RecipientQuery = {
  customerId: string
  organizationId: string
  userIds: readonly string[]
  /** Permissions each recipient needs to use the email's link. */
  needs: readonly Permission[]
}

type Row = {
  id: string
  fullName: string
  isActive: boolean
  isMember: boolean
  hasAddress: boolean
  isSuppressed: boolean
  /** Position of the first missing permission, starting at 1; null if none is missing. */
  missingIndex: number | null
}

/**
 * Why an email would be useless for some users of a customer, as a sentence by user ID, including users that
 * no longer exist. Users who can receive it and act on it aren't included.
 */
export async function findUndeliverable(
  { iam }: Pick<Identity, 'iam'>,
  { customerId, organizationId, userIds, needs }: RecipientQuery,
): Promise<Map<string, string>> {
  const ids = [...new Set(userIds)]
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Row>`
    select u.id::text, u.first_name || ' ' || u.last_name as full_name, u.is_active, u.email <> '' as has_address,
      exists (select from memberships m where m.customer_id = u.customer_id and m.user_id = u.id
        and m.organization_id = ${organizationId}) as is_member,
      exists (select from suppressed_addresses s where s.customer_id = u.customer_id and s.email_key = lower(u.email))
        as is_suppressed,
      (select min(w.place)::int from unnest(${needs.map(({ func }) => func)}::int[], ${needs.map(({ opr }) => opr)}::int[])
          with ordinality w(func, opr, place)
        where not (u.is_super and c.is_platform) and not coalesce(
          (select p.is_allowed from user_permissions p where p.customer_id = u.customer_id and p.user_id = u.id
            and p.func = w.func and p.opr = w.opr),
          exists (select from user_type_permissions t where t.customer_id = u.customer_id
            and t.user_type_id = u.user_type_id and t.func = w.func and t.opr = w.opr))) as missing_index
    from users u join customers c on c.id = u.customer_id
    where u.customer_id = ${customerId} and u.id = any(${ids}::bigint[])`.execute(iam)
  const found = new Map(rows.map((row) => [row.id, row]))
  return new Map(
    ids.flatMap((id): [string, string][] => {
      const row = found.get(id)
      const reason = row === undefined ? 'This user no longer exists.' : whyUndeliverable(row, needs)
      return reason === null ? [] : [[id, reason]]
    }),
  )
}

function whyUndeliverable(row: Row, needs: readonly Permission[]): string | null {
  if (!row.isActive) return `${row.fullName} can't sign in.`
  if (!row.isMember) return `${row.fullName} is no longer a member of the organization.`
  const missing = row.missingIndex === null ? undefined : needs[row.missingIndex - 1]
  if (missing) return `${row.fullName} can't enter data. It requires ${describe(missing)}.`
  if (!row.hasAddress) return `${row.fullName} has no email address.`
  return row.isSuppressed ? `${row.fullName}'s email address is suppressed.` : null
}
