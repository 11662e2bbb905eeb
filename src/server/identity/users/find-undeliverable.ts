import { sql } from 'kysely'
import { describe, type Permission } from '#contract/permissions.ts'
import type { Identity } from '../identity.ts'

type RecipientQuery = {
  customerId: string
  organizationId: string
  userIds: readonly string[]
  /** What each has to hold for the mail to lead anywhere. */
  needs: readonly Permission[]
}

type Row = {
  id: string
  fullName: string
  isActive: boolean
  isMember: boolean
  hasAddress: boolean
  isSuppressed: boolean
  /** Which of the permissions is missing, from 1; null: none. */
  lacks: number | null
}

/**
 * Why a mail would be of no use to some people of a customer, as a sentence by their number; whoever can be written to
 * and can do what it asks for is not in it. Those who are gone are.
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
            and t.user_type_id = u.user_type_id and t.func = w.func and t.opr = w.opr))) as lacks
    from users u join customers c on c.id = u.customer_id
    where u.customer_id = ${customerId} and u.id = any(${ids}::bigint[])`.execute(iam)
  const found = new Map(rows.map((row) => [row.id, row]))
  return new Map(
    ids.flatMap((id): [string, string][] => {
      const row = found.get(id)
      const why = row === undefined ? 'The person is not here any more.' : whyUndeliverable(row, needs)
      return why === null ? [] : [[id, why]]
    }),
  )
}

function whyUndeliverable(row: Row, needs: readonly Permission[]): string | null {
  if (!row.isActive) return `${row.fullName} may not sign in.`
  if (!row.isMember) return `${row.fullName} is no member of the organization any more.`
  const lacking = row.lacks === null ? undefined : needs[row.lacks - 1]
  if (lacking) return `${row.fullName} may not enter figures: that needs ${describe(lacking)}.`
  if (!row.hasAddress) return `${row.fullName} has no e-mail address.`
  return row.isSuppressed ? `Nothing is sent to the address of ${row.fullName} any more.` : null
}
