import { sql, type Kysely, type SqlBool } from 'kysely'
import type { DB } from '#server/database/schema.ts'
import type { Database, TenantScope } from '#server/database/tenant-transaction.ts'
import {
  claimLease,
  dueTable,
  type DueLease,
  renewLease,
  nextBySchedule as nextOf,
  systemScope,
  whileTransferring,
} from '#server/queue/due-items.ts'

const CHANNELS = dueTable(
  'channel_states',
  'channel_id',
  sql<SqlBool>`exists (select from channels ch where ch.customer_id = d.customer_id and ch.id = d.channel_id
    and ch.destination <> 'pull')`,
)

/** This server's temporary lease on a channel. */
export type ChannelLease = DueLease & { channelId: string }

/** Claims the next channel, in turns of customers; skips channels that other servers are working on. */
export async function claimChannel(queue: Kysely<DB>): Promise<ChannelLease | null> {
  const lease = await claimLease(queue, CHANNELS)
  return lease && { ...lease, channelId: lease.id }
}

/** The scope of a run: the whole customer, without a user. */
export function scopeOfLease(
  { customerId }: Pick<ChannelLease, 'customerId'>,
  isReadOnly = false,
): TenantScope {
  return systemScope(customerId, 'channels.run', isReadOnly)
}

/** Renews the lease. @throws LostLease if another server holds it */
export const holdChannelLease = (db: Database, lease: ChannelLease): Promise<void> =>
  renewLease(db, CHANNELS, lease)

/** Renews the lease while a file is delivered. */
export const whileDelivering = <T>(
  within: (work: (db: Database) => Promise<boolean>) => Promise<boolean>,
  lease: ChannelLease,
  work: () => Promise<T>,
): Promise<T> => whileTransferring(within, CHANNELS, lease, work)

/** SQL for the next scheduled run, over `channels ch` and `customers c`. */
export const nextBySchedule = nextOf('ch')
