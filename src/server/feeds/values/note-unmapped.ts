import { sql } from 'kysely'
import { canonicalValue } from '#contract/vehicles/vin/canonical.ts'
import { type MappedField, valueKey } from '#contract/feeds/values/mapped-fields.ts'
import { VIN_FIELDS } from '#contract/vehicles/vin/vin.ts'
import { readToday } from '#server/database/tenant-today.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { decodeVin } from '#server/vehicles/index.ts'
import { suggestValue } from './suggest-value.ts'
import { isMapped } from './value-map.ts'

/** An unmapped value with its number of rows and some of their VINs. */
export type UnmappedCount = Readonly<{ field: string; raw: string; rows: number; vins: readonly string[] }>
/** A run may report in several batches: row counts add up within a run and restart with the next one. */
export type UnmappedRun = Readonly<{ run: string | null; providerMappingId: string | null }>

/** Maximum number of sample VINs stored per value. */
const MAX_VINS = 5
/** A column mapped to the wrong field can have as many values as rows; more than this is useless to review. */
const MAX_VALUES = 2_000

type StoredValue = { id: string; field: string; raw: string; vins: string[] }

/**
 * Adds unmapped values to the queue in one statement, with suggestions. Values of fields without data mappings are
 * skipped. Within a run, report each batch only once: repeated rows are counted again.
 */
export async function noteUnmapped(
  db: Database,
  { run, providerMappingId }: UnmappedRun,
  values: readonly UnmappedCount[],
): Promise<void> {
  const noted = mergeByKey(values).slice(0, MAX_VALUES)
  if (noted.length === 0) return
  const { rows } = await sql<StoredValue>`
    insert into unmapped_values as u (field, raw, raw_key, provider_mapping_id, run, rows, vins)
    select n.field, n.raw, n."rawKey", ${providerMappingId}::bigint, ${run}::text, n.rows, n.vins
    from json_to_recordset(${JSON.stringify(noted)}::json) as n (field text, raw text, "rawKey" text, rows int, vins text[])
    order by n.field, n."rawKey"
    on conflict on constraint unmapped_values_value do update set
      rows = case when u.run = excluded.run then least(u.rows::bigint + excluded.rows, 2000000000)::int else excluded.rows end,
      vins = (array(select distinct on (vin) vin from unnest(excluded.vins || u.vins) with ordinality as s (vin, place)
        order by vin, place))[1:${MAX_VINS}],
      raw = excluded.raw, run = excluded.run, provider_mapping_id = excluded.provider_mapping_id, last_seen_at = app_now()
    returning id, field, raw, vins`.execute(db)
  await suggestFor(db, rows)
}

function mergeByKey(values: readonly UnmappedCount[]) {
  const merged = new Map<
    string,
    { field: MappedField; raw: string; rawKey: string; rows: number; vins: string[] }
  >()
  for (const { field, raw, rows, vins } of values) {
    const rawKey = valueKey(raw).slice(0, 200)
    if (!isMapped(field) || rawKey === '' || rows < 1) continue
    const key = `${field}:${rawKey}`
    const before = merged.get(key) ?? { field, raw: raw.trim().slice(0, 200), rawKey, rows: 0, vins: [] }
    const both = [...new Set([...before.vins, ...vins])].slice(0, MAX_VINS)
    merged.set(key, { ...before, rows: before.rows + rows, vins: both })
  }
  return [...merged.values()].toSorted((one, other) => other.rows - one.rows)
}

async function suggestFor(db: Database, rows: readonly StoredValue[]): Promise<void> {
  const decided = await db
    .selectFrom('valueMappings')
    .select(['field', 'raw', 'canonical'])
    .where('canonical', 'is not', null)
    .limit(MAX_VALUES)
    .execute()
  const thisYear = Number((await readToday(db)).slice(0, 4))
  const suggested = rows.flatMap(({ id, field, raw, vins }) => {
    if (!isMapped(field)) return []
    const known = decided.flatMap((one) =>
      one.field === field && one.canonical !== null ? [{ raw: one.raw, canonical: one.canonical }] : [],
    )
    const vinValues = vins.map((vin) => decodeVinField(field, vin, thisYear))
    return [
      {
        id,
        ...(suggestValue({ field, raw, vinValues, known }) ?? { value: null, certainty: null, reason: null }),
      },
    ]
  })
  await sql`update unmapped_values u set suggestion = s.value, certainty = s.certainty, reason = s.reason
    from json_to_recordset(${JSON.stringify(suggested)}::json) as s (id bigint, value text, certainty int, reason text)
    where u.id = s.id`.execute(db)
}

/** Decodes a field from a VIN as a standard value; null if the VIN has none. */
export function decodeVinField(field: MappedField, vin: string, thisYear: number): string | null {
  const known = VIN_FIELDS.find((one) => one === field)
  if (known === undefined) return null
  const decoded = decodeVin(vin, thisYear).values[known]?.value
  return decoded === undefined ? null : canonicalValue(field, decoded)
}
