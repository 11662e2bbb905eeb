import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import type pg from 'pg'
import { ListExport, MAX_ROWS_AT_ONCE, type reports } from '#contract/reports/reports.ts'
import { openSnapshot, type Snapshot } from '#server/database/snapshot.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, noneFound, tooMany } from '#server/http/failure.ts'
import { Download } from '#server/http/kinds.ts'
import { scopeOf } from '#server/http/scope-of.ts'
import type { Handlers } from '#server/http/serve.ts'
import { noteEvent, type Identity } from '#server/identity/index.ts'
import { fileKind, type JobKind, type MadeFile } from '#server/queue/job-kind.ts'
import type { StartJobs } from '#server/queue/jobs.ts'
import type { ListSource } from '#server/lists/list-source.ts'
import { cellSql, headOf, readCell, type Cell } from './cells.ts'
import { csvOf } from './csv.ts'
import { needsOf, readExport, type ReadExport, readyToExport } from './read-export.ts'
import { XLSX_TYPE, xlsxOf } from './xlsx.ts'

export type Exports = {
  /** Separate from the request pool, so that slow readers only delay other exports. */
  pool: pg.Pool
  sources: readonly ListSource[]
  iam: Identity['iam']
}

const JOB = 'reports.startExport'
/** Downloads of one customer at the same time. Each keeps a connection until its reader has everything. */
const MOST_DOWNLOADS = 2

/** Exports lists, directly or as a job. */
export function exportHandlers(
  exports: Exports,
  { startFile }: StartJobs,
): Pick<Handlers<typeof reports>, 'exportList' | 'startExport'> {
  const downloads = new Map<string, number>()

  /** @throws Failure 429 if too many downloads of the customer are open */
  function openDownload(customerId: string): () => void {
    const open = downloads.get(customerId) ?? 0
    if (open >= MOST_DOWNLOADS) {
      throw tooMany(
        'Two exports of your company are being downloaded. Wait for one to finish, or start this one as a job.',
        10,
      )
    }
    downloads.set(customerId, open + 1)
    return () => {
      const others = (downloads.get(customerId) ?? 1) - 1
      if (others > 0) downloads.set(customerId, others)
      else downloads.delete(customerId)
    }
  }

  /** The download stays open until its last row is read, it is aborted, or it fails. */
  async function openShared(actor: Member, input: ListExport): Promise<MadeFile> {
    const close = openDownload(actor.customerId)
    try {
      const file = await openExport(exports, actor, { input, most: MAX_ROWS_AT_ONCE })
      file.body.once('close', close)
      return file
    } catch (error) {
      close()
      throw error
    }
  }

  return {
    async exportList({ actor, input }) {
      const { list } = readyToExport(exports.sources, actor, input)
      const file = await openShared(actor, input)
      try {
        await noteEvent(exports.iam, {
          customerId: actor.customerId,
          organizationId: actor.reach === 'organization' ? actor.organizationId : null,
          by: actor,
          endpoint: 'reports.exportList',
          table: 'downloads',
          rowId: '',
          what: `exported ${file.total} rows of ${list.title} as ${input.format.toUpperCase()}`,
          more: { rows: file.total, asked: input },
        })
        return new Download({ ...file, isTaken: false })
      } catch (error) {
        file.body.destroy()
        throw error
      }
    },

    async startExport({ db, actor, input }) {
      const read = await readExport(db, actor, exports.sources, input)
      const { source } = read
      if (input.ids !== undefined && (await countRows(db, read, 0)) === 0) {
        throw noneFound(source.list.nouns[1])
      }
      const title = `${source.list.title} as ${input.format.toUpperCase()}`
      return startFile(db, actor, { kind: JOB, title, payload: input })
    },
  }
}

export function exportJob(exports: Exports): JobKind {
  return fileKind({
    name: JOB,
    payload: ListExport,
    needs: (input) => needsOf(exports.sources, input),
    makeFile: ({ actor, payload: input }) => openExport(exports, actor, { input, most: null }),
  })
}

/**
 * Opens a list as a file streamed from one snapshot, so the row count is exact.
 * @throws Failure 409 for more than `most` rows, 404 if none of the selected rows exist.
 */
async function openExport(
  { pool, sources }: Exports,
  actor: Member,
  { input, most }: { input: ListExport; most: number | null },
): Promise<MadeFile> {
  readyToExport(sources, actor, input)
  const snapshot = await openSnapshot(pool, scopeOf(actor, { endpoint: JOB, isReadOnly: true }))
  try {
    const read = await readExport(snapshot.db, actor, sources, input)
    const [, many] = read.source.list.nouns
    const total = await countRows(snapshot.db, read, most)
    if (most !== null && total > most) {
      throw conflict(
        `Exports of more than ${most.toLocaleString('en-US')} ${many} run as a job. Start a job and download its file under Jobs.`,
      )
    }
    if (total === 0 && input.ids !== undefined) throw noneFound(many)
    return await openFile(snapshot, actor, { read, input, total })
  } catch (error) {
    await snapshot.close()
    throw error
  }
}

/** @param most stops counting at one more; null counts all. */
async function countRows(
  db: Database,
  { source, isMatch }: ReadExport,
  most: number | null,
): Promise<number> {
  const limit = most === null ? sql`` : sql`limit ${most + 1}`
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from (select from ${source.from} where ${isMatch} ${limit}) counted`.execute(
    db,
  )
  return rows[0]?.total ?? 0
}

async function openFile(
  snapshot: Snapshot,
  actor: Member,
  { read, input, total }: { read: ReadExport; input: ListExport; total: number },
): Promise<MadeFile> {
  const { source, columns, isMatch, order } = read
  const found = await sql<{ timeZone: string; today: string }>`
    select time_zone, to_char(app_now() at time zone time_zone, 'YYYY-MM-DD') as today from organizations
    where customer_id = ${actor.customerId} and id = ${actor.organizationId}`.execute(snapshot.db)
  const { timeZone: zone, today } = found.rows[0] ?? { timeZone: 'UTC', today: '' }
  const rows = await snapshot.rows(sql`
    select ${sql.join(columns.map((column) => cellSql(column, zone)))}
    from ${source.from} where ${isMatch} order by ${order}`)
  let done = 0
  async function* cells(): AsyncGenerator<Cell[][]> {
    for await (const some of rows) {
      yield some.map((row) => columns.map((column, at) => readCell(column, row[at])))
      done += some.length
    }
  }
  const head = columns.map((column) => ({ title: headOf(column, zone), kind: column.field.kind }))
  const body: Readable =
    input.format === 'csv'
      ? csvOf(
          head.map(({ title }) => title),
          cells(),
        )
      : xlsxOf(source.list.title, head, cells())
  // Releases the connection after a complete or aborted read.
  body.once('close', () => void snapshot.close())
  return {
    name: `${fileName(source.list.title)}-${today}.${input.format}`,
    type: input.format === 'csv' ? 'text/csv; charset=utf-8' : XLSX_TYPE,
    total,
    body,
    done: () => done,
  }
}

export const fileName = (title: string): string => title.toLowerCase().replace(/[^a-z0-9]+/g, '-')
