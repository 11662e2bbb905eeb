import type { Database } from '#server/database/tenant-transaction.ts'

const MOST = 50

/** How the columns are called on the screen. Those that are not here change beside others and are not told. */
const words: ReadonlyMap<string, string> = new Map([
  ['name', 'name'],
  ['legal_name', 'legal name'],
  ['website', 'website'],
  ['phone', 'phone'],
  ['time_zone', 'time zone'],
  ['currency', 'currency'],
  ['distance_unit', 'distances'],
  ['price_law', 'price law'],
  ['makes', 'makes'],
  ['contacts', 'contacts'],
  ['fees', 'mandatory fees'],
  ['disclaimers', 'disclaimers'],
  ['custom_fields', 'custom fields of vehicles'],
  ['status', 'status'],
])

type Change = { at: string; by: string | null; what: string }

/**
 * The latest changes of a customer's row in words, newest first. They belong to the whole customer: who reaches one
 * organization only sees none.
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
    .limit(MOST)
    .execute()
  return rows.flatMap(({ at, actorName, operation, before, after }) => {
    const what = operation === 'insert' ? 'Founded the customer' : describeChange(before, after)
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
