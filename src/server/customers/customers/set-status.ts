import { sql } from 'kysely'
import type { Customer, customers } from '#contract/customers/customers/customers.ts'
import type { Received } from '#contract/endpoint.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, notFound } from '#server/http/failure.ts'
import { endSessions } from '#server/identity/index.ts'

const VERBS = { active: 'open', suspended: 'suspend', closed: 'close' } as const

/**
 * Suspends, closes or opens a customer.
 * @returns false when somebody else changed the customer meanwhile, and then nothing was done.
 * @throws Failure 404, or 409 for the platform's own customer and the one the caller works in.
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
  if (found.isPlatform)
    throw conflict('The platform cannot be suspended or closed: its own people work in it.')
  if (status !== 'active' && id === actor.customerId) {
    throw conflict(
      `You are working in ${found.name}. Switch to another organization before you ${VERBS[status]} it.`,
    )
  }
  await setStatusOf(db, id, status, reason ?? null)
  return true
}

/**
 * Sets the status in the owner's transaction. The sessions of its people end with the same commit; unless it opens the
 * customer, staff who work in it stand before the choice of an organization again.
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
  // When it opens, too: a sign-in that was under way while it closed must not come alive with it.
  await endSessions(db, { customerId: id }, `customer ${status}`)
}
