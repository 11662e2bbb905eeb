import type { z } from 'zod'
import { NewChannel } from '#contract/inventory/channels/channel-schema.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { addChannel } from '#server/inventory/index.ts'
import type { Secrets } from '#server/secrets.ts'

export type DemoChannel = Omit<z.input<typeof NewChannel>, 'secret'>

/** Adds a channel. Its first scheduled run starts with the product. */
export async function addDemoChannel(
  db: Database,
  { customerId, secrets, channel }: { customerId: string; secrets: Secrets; channel: DemoChannel },
): Promise<void> {
  await addChannel(db, { customerId, secrets }, NewChannel.parse(channel))
}
