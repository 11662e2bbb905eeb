import { sql } from 'kysely'
import type { Customer, customers } from '#contract/customers/customers/customers.ts'
import type { Received } from '#contract/endpoint.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, notFound } from '#server/http/failure.ts'
import { endSessions } from '#server/identity/index.ts'

const VERBS = { active: 'reopen', suspended: 'suspend', closed: 'close' } as const

/**
 * Suspends, closes or reopens a customer.
 * @returns false, without a change, if the version is outdated.
 * @throws Failure 404, or 409 for the platform's own customer and the caller's current one.
 */
export async function setStatus(
  db: Database,
  actor: Member,
  { id, version, status, reason }: Received<typeof customers.setStatus>,
): Promise<boolean> {
  const found = await db
    .selectFrom('customers')
    .select(['name', 'status', 'isPlatform', 'version'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (found === undefined) throw notFound('Customer')
  if (version !== undefined && version !== found.version) return false
  if (status === found.status) return true
  if (found.isPlatform) throw conflict("The platform's own customer can't be suspended or closed.")
  if (status !== 'active' && id === actor.customerId) {
    throw conflict(
      `You are working in ${found.name}. Switch to another organization before you ${VERBS[status]} it.`,
    )
  }
  await setStatusOf(db, id, status, reason ?? null)
  return true
}

/**
 * Sets the status in the owner's transaction. The sessions of its users end with the same commit. Unless it reopens the
 * customer, platform staff working in it must choose an organization again.
 */
export async function setStatusOf(
  db: Database,
  id: string,
  status: Customer['status'],
  reason: string | null,
): Promise<void> {
  await db
    .updateTable('customers')
    .set({ status, statusReason: status === 'active' ? null : reason, statusChangedAt: sql`app_now()` })
    .where('id', '=', id)
    .execute()
  await sql`
    update iam.sessions set acting_customer_id = customer_id, organization_id = null
    where acting_customer_id = ${id} and customer_id <> ${id} and effective_customer_id <> ${id}
      and ${status !== 'active'}`.execute(db)
  // On reopening too: a sign-in in progress when it was closed must not become valid.
  await endSessions(db, { customerId: id }, `customer ${status}`)
}
