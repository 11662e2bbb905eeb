import { PRESETS, proposeMapping } from '#contract/feeds/mappings/presets.ts'
import { addProviderMapping } from '#server/feeds/index.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { DemoFeed } from './feeds/demo-feed.ts'
import { FEED_SHAPES } from './feeds/write-feed.ts'

export type DemoMapping = { name: string; provider: DemoFeed['shape'] }

/** Saves the mapping that the product proposes for the columns of a provider. */
export async function addDemoMapping(
  db: Database,
  customerId: string,
  { name, provider }: DemoMapping,
): Promise<void> {
  const preset = PRESETS.find(({ key }) => key === provider)
  if (preset === undefined) throw new Error(`Preset ${provider} does not exist.`)
  const { mapping } = proposeMapping(
    { format: preset.format, columns: Object.keys(FEED_SHAPES[provider].columns), rows: [] },
    '2026-11-21',
  )
  await addProviderMapping(db, { customerId }, { name, provider, mapping })
}
