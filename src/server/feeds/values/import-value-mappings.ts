import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { ANY_SHAPE } from '#contract/feeds/mappings/feed-shape.ts'
import { textOf } from '#contract/feeds/mappings/source-row.ts'
import { fieldTitle, MAPPED_FIELDS, valueKey } from '#contract/feeds/values/mapped-fields.ts'
import { MAX_AT_ONCE, NewValueMapping } from '#contract/feeds/values/value-mappings.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { refused } from '#server/http/failure.ts'
import { FeedRefusal } from '#server/formats/feed-refusal.ts'
import { openFeed } from '#server/formats/open-feed.ts'

type Line = {
  field: string
  raw: string
  rawKey: string
  canonical: string | null
  providerMappingId: string | null
}

/** Maximum number of lines listed in the error. */
const MAX_LISTED = 10

/**
 * Imports data mappings from CSV and overwrites existing ones. All or nothing.
 * @throws Failure 400 with the lines that have errors.
 */
export async function importValueMappings(
  db: Database,
  text: string,
): Promise<{ added: number; changed: number; same: number }> {
  const providers = await db.selectFrom('providerMappings').select(['id', 'name']).execute()
  const idOf = new Map(providers.map(({ id, name }) => [name.toLowerCase(), id]))
  const { lines, problems } = await readLines(text, idOf)
  if (problems.length > 0) {
    const more =
      problems.length > MAX_LISTED ? ` ${problems.length - MAX_LISTED} more lines have errors.` : ''
    throw refused('Nothing was imported.', { text: `${problems.slice(0, MAX_LISTED).join(' ')}${more}` })
  }
  const { rows } = await sql<{ isNew: boolean }>`
    insert into value_mappings as m (field, raw, raw_key, canonical, provider_mapping_id)
    select n.field, n.raw, n."rawKey", n.canonical, n."providerMappingId"
    from json_to_recordset(${JSON.stringify(lines)}::json)
      as n (field text, raw text, "rawKey" text, canonical text, "providerMappingId" bigint)
    order by n.field, n."rawKey", n."providerMappingId"
    on conflict on constraint value_mappings_value do update set canonical = excluded.canonical
      where m.canonical is distinct from excluded.canonical
    returning xmax = 0 as is_new`.execute(db)
  const added = rows.filter(({ isNew }) => isNew).length
  return { added, changed: rows.length - added, same: lines.length - rows.length }
}

async function readLines(text: string, idOf: ReadonlyMap<string, string>) {
  const feed = await openFeed(Readable.from([Buffer.from(text)]), ANY_SHAPE).catch((error: unknown) => {
    if (error instanceof FeedRefusal) throw refused(error.message, { text: error.message })
    throw error
  })
  const named = (name: string) => feed.columns.find((column) => column.trim().toLowerCase() === name)
  const [value, field, becomes, provider] = ['value', 'field', 'becomes', 'provider mapping'].map(named)
  if (value === undefined || field === undefined || becomes === undefined) {
    const sentence = 'The file must have the columns Value, Field and Becomes.'
    throw refused(sentence, { text: sentence })
  }
  const lines = new Map<string, Line>()
  const problems: string[] = []
  for await (const row of feed.rows) {
    const fieldName = textOf(row, field).trim().toLowerCase()
    const name = provider === undefined ? '' : textOf(row, provider).trim()
    const providerMappingId = name === '' ? null : idOf.get(name.toLowerCase())
    const read = NewValueMapping.safeParse({
      field: MAPPED_FIELDS.find((one) =>
        [one.toLowerCase(), fieldTitle(one).toLowerCase()].includes(fieldName),
      ),
      raw: textOf(row, value),
      canonical: textOf(row, becomes).trim() === '' ? null : textOf(row, becomes),
      providerMappingId,
    })
    if (!read.success) {
      problems.push(`Line ${row.line}: ${read.error.issues[0]?.message ?? 'The line is invalid.'}`)
    } else if (providerMappingId === undefined) {
      problems.push(`Line ${row.line}: provider mapping “${name}” doesn't exist.`)
    } else {
      const { raw, canonical } = read.data
      const line = { field: read.data.field, raw, rawKey: valueKey(raw), canonical, providerMappingId }
      lines.set(`${line.field}:${line.rawKey}:${providerMappingId}`, line)
    }
    if (lines.size > MAX_AT_ONCE) {
      const sentence = `A file may have at most ${MAX_AT_ONCE} mappings.`
      throw refused(sentence, { text: sentence })
    }
  }
  return { lines: [...lines.values()], problems }
}
