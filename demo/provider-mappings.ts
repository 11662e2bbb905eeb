import { proposeMapping, PRESETS } from '#contract/inventory/feeds/presets.ts'
import { addProviderMapping } from '#server/inventory/index.ts'
import type { Database } from '#server/database/tenant-transaction.ts'

export type DemoMapping = { name: string; provider: string }

/** The mapping a customer would have saved for a provider: what its preset proposes. */
export async function addDemoMapping(db: Database, { name, provider }: DemoMapping): Promise<void> {
  const preset = PRESETS.find(({ key }) => key === provider)
  if (preset === undefined) throw new Error(`There is no preset ${provider}.`)
  const { mapping } = proposeMapping(
    { format: preset.format, columns: preset.columns, rows: [] },
    '2026-11-21',
  )
  await addProviderMapping(db, { name, provider, mapping })
}
