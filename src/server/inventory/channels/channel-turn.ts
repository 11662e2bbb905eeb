import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { DB } from '#server/database/schema.ts'
import type { Database, TenantScope } from '#server/database/tenant-transaction.ts'

/** For so long nobody else takes a channel that a server works on. A server that is gone is missed after that. */
const LEASE_SECONDS = 60

/** A channel that is this server's for a while. */
export type ChannelTurn = {
  customerId: string
  channelId: string
  lease: string
  /** Who wanted it now; null: the schedule. */
  askedBy: string | null
  /** Turns that were begun since one ended well, this one among them. */
  failures: number
}

/** Another server took the channel over, because this one did not come on. */
export class LostTurn extends Error {}

/** Takes the channel that is due longest; what another server works on is passed by. */
export async function claimChannel(queue: Kysely<DB>): Promise<ChannelTurn | null> {
  const { rows } = await sql<ChannelTurn>`
    update channel_states s set lease = gen_random_uuid(), failures = s.failures + 1,
      leased_until = clock_timestamp() + ${LEASE_SECONDS} * interval '1 second'
    from (
      select d.customer_id, d.channel_id from channel_states d
      where d.next_run_at <= clock_timestamp() and coalesce(d.leased_until <= clock_timestamp(), true)
      order by d.next_run_at limit 1 for update of d skip locked
    ) due
    where s.customer_id = due.customer_id and s.channel_id = due.channel_id
    returning s.customer_id, s.channel_id, s.lease, s.asked_by, s.failures`.execute(queue)
  return rows[0] ?? null
}

/** Where a turn works: in the whole customer, as nobody. */
export function scopeOfTurn(
  { customerId }: Pick<ChannelTurn, 'customerId'>,
  isReadOnly = false,
): TenantScope {
  return {
    customerId,
    organizationId: null,
    reach: 'customer',
    actorUserId: null,
    actorName: null,
    effectiveUserId: null,
    effectiveName: null,
    endpoint: 'channels.run',
    isReadOnly,
  }
}

/** Holds the turn for longer. @throws LostTurn when it is no longer ours */
export async function holdTurn(db: Database, { channelId, lease }: ChannelTurn): Promise<void> {
  const { rows } = await sql`
    update channel_states set leased_until = clock_timestamp() + ${LEASE_SECONDS} * interval '1 second'
    where channel_id = ${channelId} and lease = ${lease}::uuid returning 1`.execute(db)
  if (rows.length === 0) throw new LostTurn('Another server works on this channel.')
}

/** When a channel is due next by its schedule, over `channels ch` and `customers c`; null: when somebody asks. */
export const nextBySchedule: RawBuilder<string | null> = sql<string | null>`case
  when not ch.is_active then null
  when ch.every_hours is not null then now() + ch.every_hours * interval '1 hour'
  when ch.daily_at is not null then ((now() at time zone c.time_zone)::date
    + case when (now() at time zone c.time_zone)::time >= ch.daily_at::time then 1 else 0 end
    + ch.daily_at::time) at time zone c.time_zone end`
