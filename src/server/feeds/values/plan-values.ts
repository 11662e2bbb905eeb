import { sql, type RawBuilder } from 'kysely'
import { MAPPED_FIELDS, valueKey, TEXT_FIELDS, type TextField } from '#contract/feeds/values/mapped-fields.ts'
import { MAX_CHANGES, type ValuePreview } from '#contract/feeds/values/value-mappings.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'

export type Change = ValuePreview['changes'][number]

/** The columns of the mapped text fields. */
export const COLUMNS: Readonly<Record<TextField, string>> = {
  body: 'body',
  drivetrain: 'drivetrain',
  fuel: 'fuel',
  transmission: 'transmission',
  genericColor: 'generic_color',
  make: 'make',
  model: 'model',
}

/**
 * The changes that the mappings would make to existing vehicles; each distinct value is looked up once. Mappings for a
 * single provider are skipped, because a vehicle doesn't record which provider its value came from.
 */
export async function planValues(db: Database, actor: Member): Promise<Change[]> {
  const rows = await db
    .selectFrom('valueMappings')
    .select(['field', 'rawKey', 'canonical'])
    .where('providerMappingId', 'is', null)
    .where('field', 'in', MAPPED_FIELDS)
    .execute()
  const mapped = new Map(rows.map(({ field, rawKey, canonical }) => [`${field}:${rawKey}`, canonical]))
  const fields = TEXT_FIELDS.filter((field) => rows.some((row) => row.field === field))
  const changes: Change[] = []
  for (const field of fields) {
    for (const { value, vehicles, locked } of await countValues(db, actor, field)) {
      const to = mapped.get(`${field}:${valueKey(value)}`)
      if (to !== undefined && to !== value) changes.push({ field, from: value, to, vehicles, locked })
    }
  }
  return changes.toSorted((one, other) => other.vehicles - one.vehicles).slice(0, MAX_CHANGES)
}

async function countValues(db: Database, { customerId }: Member, field: TextField) {
  const column = sql.ref(`v.${COLUMNS[field]}`)
  const { rows } = await sql<{ value: string; vehicles: number; locked: number }>`
    select ${column} as value, (count(*) filter (where ${field} <> all(v.locked)))::int as vehicles,
      (count(*) filter (where ${field} = any(v.locked)))::int as locked
    from vehicles v where v.customer_id = ${customerId} and ${column} is not null group by 1`.execute(db)
  return rows
}

/** SQL condition: at least one of the changes applies to vehicle `v`. */
export function matchesChanges(changes: readonly Change[]): RawBuilder<boolean> {
  const conditions = TEXT_FIELDS.flatMap((field) => {
    const from = changes.filter((change) => change.field === field).map((change) => change.from)
    if (from.length === 0) return []
    return [sql`(${sql.ref(`v.${COLUMNS[field]}`)} = any(${from}::text[]) and ${field} <> all(v.locked))`]
  })
  return conditions.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(conditions, sql` or `)})`
}
