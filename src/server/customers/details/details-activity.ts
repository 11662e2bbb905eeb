import type { Database } from '#server/database/tenant-transaction.ts'

const MAX_CHANGES = 50

/** Column labels. Other columns only change along with these, and are left out. */
const words: ReadonlyMap<string, string> = new Map([
  ['name', 'name'],
  ['legal_name', 'legal name'],
  ['website', 'website'],
  ['phone', 'phone'],
  ['time_zone', 'time zone'],
  ['currency', 'currency'],
  ['distance_unit', 'distance unit'],
  ['price_law', 'price advertising rules'],
  ['price_limits', 'price protection'],
  ['makes', 'makes'],
  ['contacts', 'contacts'],
  ['fees', 'mandatory fees'],
  ['fee_caps', 'highest fees'],
  ['price_profiles', 'price profiles'],
  ['disclaimers', 'disclaimers'],
  ['custom_fields', 'custom vehicle fields'],
  ['status', 'status'],
])

type Change = { at: string; by: string | null; what: string }

/**
 * The latest changes to a customer's details as sentences, newest first. They belong to the whole customer: users with
 * access to a single organization see none.
 */
export async function detailsActivity(db: Database, customerId: string): Promise<Change[]> {
  const rows = await db
    .selectFrom('auditLog')
    .select(['at', 'actorName', 'operation', 'before', 'after'])
    .where('customerId', '=', customerId)
    .where('tableName', '=', 'customers')
    .where('rowId', '=', customerId)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_CHANGES)
    .execute()
  return rows.flatMap(({ at, actorName, operation, before, after }) => {
    const what = operation === 'insert' ? 'Created the customer' : describeChange(before, after)
    return what === null ? [] : [{ at, by: actorName, what }]
  })
}

function describeChange(before: unknown, after: unknown): string | null {
  const changed = [...words].flatMap(([column, word]) =>
    JSON.stringify(read(before, column)) === JSON.stringify(read(after, column)) ? [] : [word],
  )
  const [only] = changed
  if (only === undefined) return null
  if (changed.length === 1 && only === 'status') return `Set the status to ${String(read(after, 'status'))}`
  return `Changed ${new Intl.ListFormat('en').format(changed)}`
}

function read(image: unknown, column: string): unknown {
  return typeof image === 'object' && image !== null
    ? Object.entries(image).find(([name]) => name === column)?.[1]
    : null
}
