import type { ValueMapping } from '#contract/inventory/values/value-mappings.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { addValueMapping } from '#server/inventory/index.ts'

type Word = Pick<ValueMapping, 'field' | 'raw' | 'canonical'>

/** A customer's own words for values of feeds. */
export type DemoValues = {
  /** Said before any of its feeds came. */
  first: readonly Word[]
  /** Said since the last one: vehicles still hold these values as they were written. */
  since: readonly Word[]
}

/** Adds data mappings. */
export async function addDemoValues(db: Database, words: readonly Word[]): Promise<void> {
  for (const word of words) await addValueMapping(db, word)
}
