import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { ANY_SHAPE } from '#contract/feeds/mappings/feed-shape.ts'
import { textOf } from '#contract/feeds/mappings/source-row.ts'
import { fieldTitle, MAPPED_FIELDS, valueKey } from '#contract/feeds/values/mapped-fields.ts'
import { MAX_AT_ONCE, NewValueMapping } from '#contract/feeds/values/value-mappings.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { refused } from '#server/http/failure.ts'
import { natural } from '#server/formats/formula-guard.ts'
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

/** Bytes, and rows, that are read in one turn. */
const [PIECE, ROWS] = [16_384, 250]

/** A file in pieces, so that other requests have their turn between them. */
async function* piecesOf(text: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += PIECE) {
    // oxlint-disable-next-line no-await-in-loop -- As above.
    await turn()
    yield bytes.subarray(at, at + PIECE)
  }
}

function tooMany() {
  const sentence = `A file may have at most ${MAX_AT_ONCE.toLocaleString('en')} mappings.`
  return refused(sentence, { text: sentence })
}

/** Also blank ones, which are read as well. */
function countLines(text: string): number {
  let lines = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}

const effectOf = (canonical: string | null): string =>
  canonical === null ? 'is ignored' : `becomes ${canonical}`

/** The mappings of a file, and what is wrong with its other lines. @throws Failure 400 if it isn't such a file */
export async function readLines(text: string, idOf: ReadonlyMap<string, string>) {
  if (countLines(text) > 2 * MAX_AT_ONCE) throw tooMany()
  const feed = await openFeed(piecesOf(text), { ...ANY_SHAPE, format: 'csv' }).catch((error: unknown) => {
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
  let count = 0
  for await (const row of feed.rows) {
    count += 1
    // oxlint-disable-next-line no-await-in-loop -- The first rows come in one piece.
    if (count % ROWS === 0) await turn()
    const fieldName = textOf(row, field).trim().toLowerCase()
    const name = provider === undefined ? '' : natural(textOf(row, provider)).trim()
    const providerMappingId = name === '' ? null : idOf.get(name.toLowerCase())
    const read = NewValueMapping.safeParse({
      field: MAPPED_FIELDS.find((one) =>
        [one.toLowerCase(), fieldTitle(one).toLowerCase()].includes(fieldName),
      ),
      raw: natural(textOf(row, value)),
      canonical: textOf(row, becomes).trim() === '' ? null : natural(textOf(row, becomes)),
      providerMappingId,
    })
    if (!read.success) {
      problems.push(`Line ${row.line}: ${read.error.issues[0]?.message ?? 'The line is invalid.'}`)
    } else if (providerMappingId === undefined) {
      problems.push(`Line ${row.line}: provider mapping “${name}” doesn't exist.`)
    } else {
      const { raw, canonical } = read.data
      const line = { field: read.data.field, raw, rawKey: valueKey(raw), canonical, providerMappingId }
      const key = `${line.field}:${line.rawKey}:${providerMappingId}`
      const before = lines.get(key)
      if (before !== undefined && before.canonical !== canonical)
        problems.push(
          `Line ${row.line}: “${raw}” ${effectOf(canonical)} here, but ${effectOf(before.canonical)} in an earlier line.`,
        )
      lines.set(key, line)
    }
    // Also of those that aren't right: each is read.
    if (count > MAX_AT_ONCE) throw tooMany()
  }
  return { lines: [...lines.values()], problems }
}
