import type { Database } from '#server/database/tenant-transaction.ts'
import { type ValueMap, valueMapOf } from '#server/feeds/values/value-map.ts'

/**
 * Loads the customer's value mappings for one run. Values without a mapping use the built-in spellings.
 * @param options.mappingId the provider mapping of the run; null if it was proposed automatically.
 */
export function readCanonical(db: Database, { mappingId }: { mappingId: string | null }): Promise<ValueMap> {
  return valueMapOf(db, mappingId)
}
