import { type MappedField, MAPPED_FIELDS, valueKey } from '#contract/inventory/values/mapped-fields.ts'
import type { VehicleFieldName } from '#contract/inventory/vehicles/vehicle-fields.ts'
import type { Database } from '#server/database/tenant-transaction.ts'

/** The customer's word for a value of a field; null passes it over, undefined: they have not said. */
export type ValueMap = (field: VehicleFieldName, raw: string) => string | null | undefined

/**
 * Reads the customer's data mappings, for as many values as come: what was said of one provider mapping goes before what
 * was said of all. `prepareMapping` takes it as `ownWord`, so that the product's own words serve where this has none.
 */
export async function valueMapOf(db: Database, providerMappingId: string | null): Promise<ValueMap> {
  const rows = await db
    .selectFrom('valueMappings')
    .select(['field', 'rawKey', 'canonical', 'providerMappingId'])
    .execute()
  const words = new Map<string, string | null>()
  const own = rows.filter(
    (row) => row.providerMappingId !== null && row.providerMappingId === providerMappingId,
  )
  for (const { field, rawKey, canonical } of rows.filter((row) => row.providerMappingId === null)) {
    words.set(`${field}:${rawKey}`, canonical)
  }
  for (const { field, rawKey, canonical } of own) words.set(`${field}:${rawKey}`, canonical)
  if (words.size === 0) return () => undefined
  return (field, raw) => words.get(`${field}:${valueKey(raw)}`)
}

/** Whether a field's values go through the data mapping. */
export function isMapped(field: string): field is MappedField {
  return MAPPED_FIELDS.some((one) => one === field)
}
