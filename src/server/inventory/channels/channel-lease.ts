import type { Kysely } from 'kysely'
import type { DB } from '#server/database/schema.ts'
import type { Database, TenantScope } from '#server/database/tenant-transaction.ts'
import {
  claimDue,
  type DueTurn,
  holdDue,
  type Line,
  nextBySchedule as nextOf,
  scopeOfMachine,
} from '../due-turn.ts'

const CHANNELS: Line = { table: 'channel_states', key: 'channel_id' }

/** A channel that is this server's for a while. */
export type ChannelTurn = DueTurn & { channelId: string }

/** Takes the channel that is due longest; what another server works on is passed by. */
export async function claimChannel(queue: Kysely<DB>): Promise<ChannelTurn | null> {
  const turn = await claimDue(queue, CHANNELS)
  return turn && { ...turn, channelId: turn.id }
}

/** Where a turn works: in the whole customer, as nobody. */
export function scopeOfTurn(
  { customerId }: Pick<ChannelTurn, 'customerId'>,
  isReadOnly = false,
): TenantScope {
  return scopeOfMachine(customerId, 'channels.run', isReadOnly)
}

/** Holds the turn for longer. @throws LostTurn when it is no longer ours */
export const holdTurn = (db: Database, turn: ChannelTurn): Promise<void> => holdDue(db, CHANNELS, turn)

/** When a channel is due next by its schedule, over `channels ch` and `customers c`. */
export const nextBySchedule = nextOf('ch')
