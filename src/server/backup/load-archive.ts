import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { tableOfEntry, startChecksum, type Manifest, type TablePart } from './manifest.ts'
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
 * Replaces all rows of the database with those of an archive, in the open transaction of `owner`. The database must have
 * the archive's migrations. Works without superuser rights: it disables triggers one by one, and drops and recreates
 * foreign keys, which checks every reference.
 * @throws Error if a table does not match, or the row counts differ from the backup.
 */
export async function loadArchive(owner: pg.Client, path: string, manifest: Manifest): Promise<void> {
  await owner.query(PLAIN_SETTINGS.replaceAll('set ', 'set local '))
  await refuseOtherTables(owner, manifest)
  const foreignKeys = await listForeignKeys(owner)
  const triggers = await listTriggers(owner)
  for (const { table, name } of foreignKeys) await owner.query(`alter table ${table} drop constraint ${name}`)
  for (const { table, name } of triggers) await owner.query(`alter table ${table} disable trigger ${name}`)
  // The archive also has the rows that migrations insert.
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
  const expected = manifest.tables.map(shape)
  const actual = (await listTables(owner)).map(shape)
  const [different] = [
    ...expected.filter((table) => !actual.includes(table)),
    ...actual.filter((table) => !expected.includes(table)),
  ]
  if (different !== undefined)
    throw new BadArchive(`The table ${different} differs between the archive and its migrations.`)
}

type TableLoad = {
  part: TablePart
  stream: Writable & { rowCount: number }
  counted: ReturnType<typeof startChecksum>
}

async function loadTables(owner: pg.Client, path: string, manifest: Manifest): Promise<void> {
  const waiting = new Map(manifest.tables.map((part) => [`${part.schema}.${part.name}`, part]))
  let loading: TableLoad | null = null
  for await (const entry of openArchive(path)) {
    const name = tableOfEntry(entry.name)
    if (name === null) continue
    if (loading === null || `${loading.part.schema}.${loading.part.name}` !== name) {
      await finishTable(loading)
      const part = waiting.get(name)
      waiting.delete(name)
      // The archive was checked a moment ago, so it was modified since.
      if (part === undefined) throw new BadArchive(`${path} changed during the restore.`)
      loading = beginTable(owner, part)
    }
    for await (const bytes of entry.body) {
      loading.counted.add(bytes)
      await write(loading.stream, bytes)
    }
  }
  await finishTable(loading)
  if (waiting.size > 0) throw new BadArchive(`${path} changed during the restore.`)
}

function beginTable(owner: pg.Client, part: TablePart): TableLoad {
  const stream = owner.query(
    copyFrom(`copy ${sqlName(owner, part)} (${sqlColumns(owner, part)}) from stdin (encoding 'UTF8')`),
  )
  // An error between two writes must not be unhandled. The next write fails then.
  stream.on('error', () => {})
  return { part, stream, counted: startChecksum() }
}

/** Waits until the bytes are written. The server reports errors during a write or at the end. */
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

async function finishTable(loading: TableLoad | null): Promise<void> {
  if (loading === null) return
  const { part, stream, counted } = loading
  stream.end()
  await finished(stream)
  const { sha256 } = counted.end()
  if (sha256 === part.sha256 && stream.rowCount === part.rows) return
  throw new BadArchive(
    `The table ${part.schema}.${part.name} has ${stream.rowCount} rows after the restore, but ${part.rows} were backed up.`,
  )
}

async function setSequences(owner: pg.Client, manifest: Manifest): Promise<void> {
  const existing = new Set((await listSequences(owner)).map((sequence) => sqlName(owner, sequence)))
  for (const { lastValue, isCalled, ...sequence } of manifest.sequences) {
    const name = sqlName(owner, sequence)
    if (!existing.has(name))
      throw new BadArchive(`The archive's migrations do not create the sequence ${name}.`)
    await owner.query('select setval($1::regclass, $2::bigint, $3)', [name, lastValue, isCalled])
  }
}
