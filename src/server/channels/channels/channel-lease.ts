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

/**
 * SQL for when a file follows a change, over `channels ch`: within seconds if it is downloaded, within a minute if it is sent,
 * so that changes of the same minute are sent once.
 */
const followsAfter = sql`case when ch.destination = 'pull' then interval '3 seconds' else interval '1 minute' end`

/** Most changes that are taken at once. */
const MAX_CHANGES = 10_000

/**
 * Makes channels due whose customer has changed something that buyers see. Changes during a run count for the next one, and
 * don't hurry a channel whose deliveries fail.
 */
async function followChanges(queue: Kysely<DB>): Promise<void> {
  await sql`
    with taken as (
      delete from channel_requests r using (
        select customer_id, id from channel_requests order by customer_id, id limit ${sql.lit(MAX_CHANGES)}
      ) d where r.customer_id = d.customer_id and r.id = d.id returning r.customer_id, r.at, r.requested_by
    ), firsts as (
      select customer_id, min(at) as at, min(requested_by) as by from taken group by customer_id
    ), followers as (
      select s.customer_id, s.channel_id, f.at, f.by, greatest(f.at + ${followsAfter}, s.rests_until) as next
      from firsts f join channel_states s on s.customer_id = f.customer_id
      join channels ch on ch.customer_id = s.customer_id and ch.id = s.channel_id
      where ch.is_active and s.current_run_id is not null order by s.customer_id, s.channel_id for update of s
    )
    update channel_states s set changed_at = least(s.changed_at, f.at),
      requested_by = case when s.lease is null then coalesce(s.requested_by, f.by) else s.requested_by end,
      changed_by = case when s.lease is null then null else coalesce(s.changed_by, f.by) end,
      next_run_at = case when s.failures > 0 and s.lease is null and s.next_run_at is not null then s.next_run_at
        else least(s.next_run_at, f.next) end
    from followers f where s.customer_id = f.customer_id and s.channel_id = f.channel_id`.execute(queue)
}

/** Claims the next channel, in turns of customers; skips channels that other servers are working on. */
export async function claimChannel(queue: Kysely<DB>): Promise<ChannelLease | null> {
  await followChanges(queue)
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

/** SQL for until when a channel rests after a run, over `channel_runs r`: as long as the run took. */
export const restsUntil = sql<string>`r.ended_at + (r.ended_at - r.started_at)`

/** SQL for the next run if buyers' prices or vehicles changed during this one, over `channels ch`, `channel_states s` and `channel_runs r`. */
export const nextByChange = sql<string | null>`case when ch.is_active and s.changed_at is not null
  then greatest(app_now() + ${followsAfter}, ${restsUntil}) end`

/** SQL for the next scheduled run, over `channels ch` and `customers c`. */
export const nextBySchedule = nextOf('ch')
