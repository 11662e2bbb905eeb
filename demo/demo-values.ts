import type { ValueMapping } from '#contract/feeds/values/value-mappings.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { addValueMapping } from '#server/feeds/index.ts'

type DemoMapping = Pick<ValueMapping, 'field' | 'raw' | 'canonical'>

/** A customer's data mappings. */
export type DemoValues = {
  /** Added before the first feed. */
  first: readonly DemoMapping[]
  /** Added after the last feed, so vehicles still have the unmapped values. */
  since: readonly DemoMapping[]
}

/** Adds data mappings. */
export async function addDemoValues(db: Database, mappings: readonly DemoMapping[]): Promise<void> {
  for (const mapping of mappings) await addValueMapping(db, mapping)
}
