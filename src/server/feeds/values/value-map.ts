import { type MappedField, MAPPED_FIELDS, valueKey } from '#contract/feeds/values/mapped-fields.ts'
import type { VehicleFieldName } from '#contract/vehicles/vehicles/vehicle-fields.ts'
import type { Database } from '#server/database/tenant-transaction.ts'

/** The customer's mapping of a field value; null: ignore the value, undefined: no mapping. */
export type ValueMap = (field: VehicleFieldName, raw: string) => string | null | undefined

/**
 * Loads the customer's data mappings once for any number of lookups. Mappings for the provider take precedence over those
 * for all feeds. Passed to `prepareMapping` as `ownWord`; built-in mappings apply to values without one.
 */
export async function valueMapOf(db: Database, providerMappingId: string | null): Promise<ValueMap> {
  const rows = await db
    .selectFrom('valueMappings')
    .select(['field', 'rawKey', 'canonical', 'providerMappingId'])
    .execute()
  const mapped = new Map<string, string | null>()
  const own = rows.filter(
    (row) => row.providerMappingId !== null && row.providerMappingId === providerMappingId,
  )
  for (const { field, rawKey, canonical } of rows.filter((row) => row.providerMappingId === null)) {
    mapped.set(`${field}:${rawKey}`, canonical)
  }
  for (const { field, rawKey, canonical } of own) mapped.set(`${field}:${rawKey}`, canonical)
  if (mapped.size === 0) return () => undefined
  return (field, raw) => mapped.get(`${field}:${valueKey(raw)}`)
}

/** Whether a field has data mappings. */
export function isMapped(field: string): field is MappedField {
  return MAPPED_FIELDS.some((one) => one === field)
}
