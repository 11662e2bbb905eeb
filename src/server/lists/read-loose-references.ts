import { sql } from 'kysely'
import { parse } from '#contract/expressions/parse.ts'
import { RuleError } from '#contract/expressions/rule-error.ts'
import { holdRecords } from '#server/database/hold-records.ts'
import { LOOSE_REFERENCES, type LooseReference } from '#server/database/loose-references.ts'
import type { Database } from '#server/database/tenant-transaction.ts'

type Named = Readonly<{ row: string; name: string; key: string }>

/** Why a filter of vehicles can't be saved: it names a lot that doesn't exist, or was deleted in this moment. Null if all exist. */
export async function findLostLot(db: Database, rule: string): Promise<string | null> {
  const ids = idsInRule(rule, ['lotId']).filter((id) => /^[1-9]\d{0,17}$/.test(id))
  const held = await holdRecords(db, 'lots', ids)
  return ids.every((id) => held.has(id)) ? null : "The filter names a lot that doesn't exist."
}

/** The rows that name records of a table, with the IDs of these. */
export async function findNaming(
  db: Database,
  { table, key: only }: Readonly<{ table: string; key?: string | undefined }>,
  ids: readonly string[],
): Promise<{ nouns: readonly [string, string]; name: string; id: string }[]> {
  const found = []
  const those = LOOSE_REFERENCES.filter(
    ({ target, key }) => target === table && (only === undefined || key === only),
  )
  for (const reference of those) {
    const { key = 'id', nouns } = reference
    // One after the other: all are on the connection of the transaction.
    // oxlint-disable-next-line no-await-in-loop
    const { rows } = await sql<{ id: string; key: string }>`select id::text, ${sql.ref(key)}::text as key
      from ${sql.table(table)} where id = any(${[...ids]}::bigint[])`.execute(db)
    const idOf = new Map(rows.map((row) => [row.key, row.id]))
    // oxlint-disable-next-line no-await-in-loop
    for (const named of await readNamed(db, reference)) {
      const id = idOf.get(named.key)
      if (id !== undefined) found.push({ nouns, name: named.name, id })
    }
  }
  return found
}

/** What rows of a table name that neither exists nor can be restored: the noun of its table, by the ID of the row. */
export async function findUnnamed(
  db: Database,
  { table, customerId }: Readonly<{ table: string; customerId: string }>,
  ids: ReadonlySet<string>,
): Promise<{ row: string; target: string }[]> {
  const found = []
  for (const reference of LOOSE_REFERENCES.filter((one) => one.table === table)) {
    const { key = 'id', target } = reference
    // oxlint-disable-next-line no-await-in-loop
    const named = (await readNamed(db, reference)).filter(({ row }) => ids.has(row))
    if (named.length === 0) continue
    const keys = named.map((one) => one.key)
    // oxlint-disable-next-line no-await-in-loop
    const { rows } = await sql<{ key: string }>`
      select ${sql.ref(key)}::text as key from ${sql.table(target)} where ${sql.ref(key)}::text = any(${keys})
      union all select row_id::text from deleted_dependents
      where customer_id = ${customerId} and table_name = ${target} and ${key} = 'id' and row_id::text = any(${keys})`.execute(
      db,
    )
    const there = new Set(rows.map((row) => row.key))
    for (const one of named) if (!there.has(one.key)) found.push({ row: one.row, target })
  }
  return found
}

async function readNamed(db: Database, { named, ruleFields }: LooseReference): Promise<Named[]> {
  const { rows } = await sql<Named>`select n.row::text, n.name, n.key from (${named}) n (row, name, key)
    where n.key <> ''`.execute(db)
  if (ruleFields === undefined) return rows
  return rows.flatMap((row) => idsInRule(row.key, ruleFields).map((key) => ({ ...row, key })))
}

/** The values that a rule compares with some of its fields: the IDs of lots in `lotId == "37" || lotId in ["4"]`. */
function idsInRule(text: string, fields: readonly string[]): string[] {
  try {
    return [...new Set(compared(parse(text), fields))]
  } catch (error) {
    // A rule that is no longer valid applies to nothing.
    if (error instanceof RuleError) return []
    throw error
  }
}

function compared(node: unknown, fields: readonly string[]): string[] {
  if (Array.isArray(node)) return node.flatMap((part) => compared(part, fields))
  if (!isNode(node)) return []
  const { op, args } = node
  const isComparison = (op === '==' || op === '!=' || op === 'in') && Array.isArray(args)
  if (isComparison && args.some((side) => isNode(side) && side.op === 'id' && isOneOf(fields, side.args)))
    return args.flatMap(values)
  return compared(args, fields)
}

function values(node: unknown): string[] {
  if (!isNode(node)) return []
  if (node.op === 'list' && Array.isArray(node.args)) return node.args.flatMap(values)
  return node.op === 'value' ? [String(node.args)] : []
}

const isOneOf = (fields: readonly string[], name: unknown): boolean =>
  typeof name === 'string' && fields.includes(name)

const isNode = (node: unknown): node is { op: unknown; args: unknown } =>
  typeof node === 'object' && node !== null && 'op' in node && 'args' in node
