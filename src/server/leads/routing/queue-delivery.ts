import { sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { StoredDestination } from './rule-rows.ts'

/**
 * Queues a lead, or without an ID a test, for a destination outside the product. `next`: the destinations after a failure.
 */
export async function queueDelivery(
  db: Database,
  of: {
    lead: { id: string | null; organizationId: string }
    destination: Pick<StoredDestination, 'id' | 'name' | 'kind'>
    next: readonly string[]
  },
): Promise<string> {
  const { id: destinationId, name, kind } = of.destination
  if (kind === 'user' || kind === 'team') throw new Error('Leads for the inbox have no deliveries.')
  const { id } = await db
    .insertInto('leadDeliveries')
    .values({
      organizationId: of.lead.organizationId,
      leadId: of.lead.id,
      isTest: of.lead.id === null,
      destinationId,
      destinationName: name,
      kind,
      nextDestinationIds: sql<string[]>`${[...of.next]}::bigint[]`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
