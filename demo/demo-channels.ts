import type { z } from 'zod'
import { NewChannel } from '#contract/channels/channels/channel-schema.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { addChannel } from '#server/channels/index.ts'
import type { Secrets } from '#server/secrets.ts'

export type DemoChannel = Omit<z.input<typeof NewChannel>, 'secret'>

/** Adds channels. Their first scheduled runs start with the product. */
export async function addDemoChannels(
  db: Database,
  {
    customerId,
    secrets,
    channels,
  }: { customerId: string; secrets: Secrets; channels: readonly DemoChannel[] },
): Promise<void> {
  for (const channel of channels) await addChannel(db, { customerId, secrets }, NewChannel.parse(channel))
}
