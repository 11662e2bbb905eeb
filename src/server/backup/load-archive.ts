import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { tableOfEntry, tally, type Manifest, type TablePart } from './manifest.ts'
import { BadArchive, openArchive } from './read-archive.ts'
import {
  listForeignKeys,
  listSequences,
  listTables,
  listTriggers,
  PLAIN_SETTINGS,
  sqlColumns,
  sqlName,
} from './tables.ts'

/**
 * Puts the rows of an archive in place of all rows of the database, within the transaction that `owner` has open. The
 * database has the archive's migrations. Works for an owner who is no superuser: triggers are switched off one by one,
 * foreign keys taken away and made again, which proves every reference.
 * @throws Error when a table does not fit, or its rows are not as many as were backed up.
 */
export async function loadArchive(owner: pg.Client, path: string, manifest: Manifest): Promise<void> {
  await owner.query(PLAIN_SETTINGS.replaceAll('set ', 'set local '))
  await refuseOtherTables(owner, manifest)
  const foreignKeys = await listForeignKeys(owner)
  const triggers = await listTriggers(owner)
  for (const { table, name } of foreignKeys) await owner.query(`alter table ${table} drop constraint ${name}`)
  for (const { table, name } of triggers) await owner.query(`alter table ${table} disable trigger ${name}`)
  // What a migration puts into new tables stands in the archive as well.
  await owner.query(`truncate ${manifest.tables.map((table) => sqlName(owner, table)).join(', ')}`)

  await loadTables(owner, path, manifest)

  for (const { table, name, definition } of foreignKeys) {
    await owner.query(`alter table ${table} add constraint ${name} ${definition}`)
  }
  for (const { table, name } of triggers) await owner.query(`alter table ${table} enable trigger ${name}`)
  await setSequences(owner, manifest)
}

async function refuseOtherTables(owner: pg.Client, manifest: Manifest): Promise<void> {
  const shape = (table: Pick<TablePart, 'schema' | 'name' | 'columns'>): string =>
    `${table.schema}.${table.name} (${table.columns.join(', ')})`
  const wanted = manifest.tables.map(shape)
  const there = (await listTables(owner)).map(shape)
  const [odd] = [
    ...wanted.filter((table) => !there.includes(table)),
    ...there.filter((table) => !wanted.includes(table)),
  ]
  if (odd !== undefined) throw new BadArchive(`${odd} differs between the archive and its migrations.`)
}

type Loading = { part: TablePart; stream: Writable & { rowCount: number }; counted: ReturnType<typeof tally> }

async function loadTables(owner: pg.Client, path: string, manifest: Manifest): Promise<void> {
  const waiting = new Map(manifest.tables.map((part) => [`${part.schema}.${part.name}`, part]))
  let loading: Loading | null = null
  for await (const entry of openArchive(path)) {
    const name = tableOfEntry(entry.name)
    if (name === null) continue
    if (loading === null || `${loading.part.schema}.${loading.part.name}` !== name) {
      await finishTable(loading)
      const part = waiting.get(name)
      waiting.delete(name)
      // It was looked through a moment ago: somebody changed it since.
      if (part === undefined) throw new BadArchive(`${path} changed while it was restored.`)
      loading = beginTable(owner, part)
    }
    for await (const bytes of entry.body) {
      loading.counted.add(bytes)
      await write(loading.stream, bytes)
    }
  }
  await finishTable(loading)
  if (waiting.size > 0) throw new BadArchive(`${path} changed while it was restored.`)
}

function beginTable(owner: pg.Client, part: TablePart): Loading {
  const stream = owner.query(
    copyFrom(`copy ${sqlName(owner, part)} (${sqlColumns(owner, part)}) from stdin (encoding 'UTF8')`),
  )
  // Heard between two writes as well, where nobody waits: the next one then fails.
  stream.on('error', () => {})
  return { part, stream, counted: tally() }
}

/** Waits for the stream's next turn. A refusal of the server comes while it is written, or at its end. */
function write(stream: Writable, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.once('error', reject)
    stream.write(bytes, (error) => {
      stream.off('error', reject)
      if (error) reject(error)
      else resolve()
    })
  })
}

async function finishTable(loading: Loading | null): Promise<void> {
  if (loading === null) return
  const { part, stream, counted } = loading
  stream.end()
  await finished(stream)
  const { sha256 } = counted.end()
  if (sha256 === part.sha256 && stream.rowCount === part.rows) return
  throw new BadArchive(
    `The table ${part.schema}.${part.name} has ${stream.rowCount} rows after loading, ${part.rows} were backed up.`,
  )
}

async function setSequences(owner: pg.Client, manifest: Manifest): Promise<void> {
  const there = new Set((await listSequences(owner)).map((sequence) => sqlName(owner, sequence)))
  for (const { lastValue, isCalled, ...sequence } of manifest.sequences) {
    const name = sqlName(owner, sequence)
    if (!there.has(name))
      throw new BadArchive(`The sequence ${name} is not made by the archive's migrations.`)
    await owner.query('select setval($1::regclass, $2::bigint, $3)', [name, lastValue, isCalled])
  }
}
