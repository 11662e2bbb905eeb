import type { Database } from '#server/database/tenant-transaction.ts'
import { type ValueMap, valueMapOf } from '#server/inventory/values/value-map.ts'

/**
 * The customer's own words for the values of a feed, for one run. Where they say nothing the shipped spellings serve.
 * @param of the mapping that reads the feed; null where it was proposed.
 */
export function readCanonical(db: Database, { mappingId }: { mappingId: string | null }): Promise<ValueMap> {
  return valueMapOf(db, mappingId)
}
