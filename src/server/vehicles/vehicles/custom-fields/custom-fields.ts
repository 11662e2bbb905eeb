import { sql } from 'kysely'
import {
  customFieldName,
  type CustomField,
  type CustomFieldName,
  type CustomValue,
  isCustomFieldName,
  readCustomValue,
} from '#contract/customers/custom-fields/custom-fields.ts'
import type { customFields } from '#contract/vehicles/vehicles/custom-fields/custom-fields.ts'
import { listWithCustom } from '#contract/vehicles/vehicles/custom-fields/custom-list-fields.ts'
import { holdCustomFields, readCustomFields } from '#server/customers/index.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { refused } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { FieldSql, ListSource } from '#server/lists/list-source.ts'

export const customFieldHandlers: Handlers<typeof customFields> = {
  list: ({ db, actor }) => readCustomFields(db, actor.customerId),
}

/** The vehicle list with the customer's active custom fields added. */
export function withCustomFields(source: ListSource, fields: readonly CustomField[]): ListSource {
  const open = fields.filter(({ isArchived }) => !isArchived)
  const inSql = open.map((field): [string, FieldSql] => [customFieldName(field), { value: valueOf(field) }])
  return {
    ...source,
    list: listWithCustom(source.list, fields),
    fields: { ...source.fields, ...Object.fromEntries(inSql) },
    shape: JSON.stringify(open.map(({ key, kind }) => [key, kind])),
  }
}

/**
 * Validates custom field values and converts them for storage; null clears a value. Unchanged values are skipped, also of
 * archived fields. @throws Failure 400 for values that their field doesn't accept.
 */
export async function readCustomValues(
  db: Database,
  { customerId }: Member,
  sent: CustomPatch,
  before: CustomPatch,
): Promise<CustomPatch> {
  const named = Object.keys(sent).filter(isCustomFieldName)
  if (named.length === 0) return {}
  // Not removed before the vehicle is saved.
  const fields = new Map(
    (await holdCustomFields(db, customerId)).map((field) => [customFieldName(field), field]),
  )
  const wrong: Record<string, string> = {}
  const kept: CustomPatch = {}
  for (const name of named) {
    const value = sent[name] ?? null
    const field = fields.get(name)
    if (value === (before[name] ?? null)) continue
    const read =
      refusalOf(field, value) ?? (field === undefined ? { value: null } : readCustomValue(field, value))
    if (typeof read === 'string') wrong[`custom.${name}`] = read
    else kept[name] = read.value
  }
  if (Object.keys(wrong).length > 0) throw refused('Some fields are invalid.', wrong)
  return kept
}

export type CustomPatch = Record<CustomFieldName, CustomValue | null>

/** A deleted or archived field can only be cleared. */
function refusalOf(field: CustomField | undefined, value: CustomValue | null): string | null {
  if (value === null) return null
  if (field === undefined) return 'This field no longer exists. Reload the vehicle.'
  return field.isArchived ? `${field.name} is archived, so its values can't be changed.` : null
}

/** The value in the field's type. A leftover value of another type, from an earlier field with the same name, counts as missing. */
function valueOf(field: CustomField) {
  const name: CustomFieldName = customFieldName(field)
  const json = sql`v.custom -> ${sql.lit(name)}`
  const text = sql`v.custom ->> ${sql.lit(name)}`
  switch (field.kind) {
    case 'number':
      return sql`case when jsonb_typeof(${json}) = 'number' then (${text})::numeric end`
    case 'flag':
      return sql`case when jsonb_typeof(${json}) = 'boolean' then (${text})::boolean end`
    case 'date':
      return sql`case when ${text} ~ '^[12][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$' then (${text})::date end`
    default:
      return text
  }
}
