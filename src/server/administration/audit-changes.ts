import { isDeepStrictEqual } from 'node:util'
import type { AuditChange } from '#contract/administration/audit-log.ts'
import { can, Func, Opr, type Permission } from '#contract/permissions.ts'

/** A row as the log keeps it: its columns by their names in the database. */
export type Image = Readonly<Record<string, unknown>> | null

/** What the database puts in place of a secret. */
const COVERED = '***'
/** What says nothing of its own: it follows from the change, or from another column. */
const SILENT =
  /^(id|customer_id|version|created_at|updated_at|updated_by|event|.*_key|provenance|photo_count|completeness|waits_since)$/
/** Columns that not everybody sees who may read the log. */
const GUARDED: Readonly<Record<string, Permission>> = {
  'vehicles.cost_cents': can(Func.vehicleCost, Opr.read),
  'vehicles.invoice_cents': can(Func.vehicleCost, Opr.read),
}
const LONGEST = 2_000

type Entry = { table: string; before: Image; after: Image; may: (permission: Permission) => boolean }

/** What an entry tells, field by field, for somebody who may read it. */
export function changesOf({ table, before, after, may }: Entry): AuditChange[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return names.flatMap((name): AuditChange[] => {
    const guard = GUARDED[`${table}.${name}`]
    const isOwnKey = name === 'key' && table === 'email_templates'
    if ((SILENT.test(name) && !isOwnKey) || (guard !== undefined && !may(guard))) return []
    const [was, is] = [before?.[name] ?? null, after?.[name] ?? null]
    const shown = { before: shownValue(name, was), after: shownValue(name, is) }
    const isSame = isDeepStrictEqual(was, is) || (shown.before === null && shown.after === null)
    if (isSame) return []
    return [
      {
        field: wordsOf(name),
        ...shown,
        isCovered: was === COVERED || is === COVERED,
      },
    ]
  })
}

/** "postal code" of postal_code, "price" of price_cents, "password" of password_hash. */
function wordsOf(name: string): string {
  return name.replace(/_(cents|hash|sealed|secret)$/, '').replaceAll('_', ' ')
}

function shownValue(name: string, value: unknown): string | null {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return null
  if (value === true || value === false) return value ? 'Yes' : 'No'
  if (typeof value === 'number' && name.endsWith('_cents')) return (value / 100).toFixed(2)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
