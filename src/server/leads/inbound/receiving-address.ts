import { sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'
import { isOpenOrganization } from '#server/organizations/index.ts'
import type { ReceivingAddress } from './inbound-outcome.ts'

/** An inbound address with the hash of its token, if its customer is active and its organization isn't archived. */
export async function readReceivingAddress(
  db: Database,
  id: string,
): Promise<(ReceivingAddress & { tokenHash: string | null }) | undefined> {
  return db
    .selectFrom('inboundAddresses as a')
    .innerJoin('customers as c', 'c.id', 'a.customerId')
    .select([
      'a.id',
      'a.customerId',
      'a.organizationId',
      'a.sourceName',
      'a.lotId',
      'a.isGroup',
      'a.tokenHash',
      'c.currency',
    ])
    .select(sql<'mi' | 'km'>`c.distance_unit`.as('distanceUnit'))
    .where('a.id', '=', id)
    .where('c.status', '=', 'active')
    .where(
      isOpenOrganization({
        customerId: sql.ref('a.customerId'),
        organizationId: sql.ref('a.organizationId'),
      }),
    )
    .executeTakeFirst()
}
