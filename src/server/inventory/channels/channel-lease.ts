import type { Kysely } from 'kysely'
import type { DB } from '#server/database/schema.ts'
import type { Database, TenantScope } from '#server/database/tenant-transaction.ts'
import {
  claimLease,
  type DueLease,
  holdLease,
  type LeaseTable,
  nextBySchedule as nextOf,
  scopeOfMachine,
} from '../due-turn.ts'

const CHANNELS: LeaseTable = { table: 'channel_states', key: 'channel_id' }

/** A channel that is this server's for a while. */
export type ChannelLease = DueLease & { channelId: string }

/** Takes the channel that is due longest; what another server works on is passed by. */
export async function claimChannel(queue: Kysely<DB>): Promise<ChannelLease | null> {
  const turn = await claimLease(queue, CHANNELS)
  return turn && { ...turn, channelId: turn.id }
}

/** Where a turn works: in the whole customer, as nobody. */
export function scopeOfLease(
  { customerId }: Pick<ChannelLease, 'customerId'>,
  isReadOnly = false,
): TenantScope {
  return scopeOfMachine(customerId, 'channels.run', isReadOnly)
}

/** Holds the turn for longer. @throws LostLease when it is no longer ours */
export const holdChannelLease = (db: Database, turn: ChannelLease): Promise<void> =>
  holdLease(db, CHANNELS, turn)

/** When a channel is due next by its schedule, over `channels ch` and `customers c`. */
export const nextBySchedule = nextOf('ch')
