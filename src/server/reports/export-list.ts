import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import type pg from 'pg'
import { ListExport, MOST_ROWS_AT_ONCE, type reports } from '#contract/reports/reports.ts'
import { openSnapshot, type Snapshot } from '#server/database/snapshot.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, noneThere } from '#server/http/failure.ts'
import { Download } from '#server/http/kinds.ts'
import { scopeOf } from '#server/http/scope-of.ts'
import type { Handlers } from '#server/http/serve.ts'
import { noteEvent, type Identity } from '#server/identity/index.ts'
import { fileKind, type JobKind, type MadeFile } from '#server/jobs/job-kind.ts'
import type { StartJobs } from '#server/jobs/jobs.ts'
import type { ListSource } from '#server/lists/list-source.ts'
import { cellSql, headOf, readCell, type Cell } from './cells.ts'
import { csvOf } from './csv.ts'
import { needsOf, readExport, type ReadExport, readyToExport } from './read-export.ts'
import { XLSX_TYPE, xlsxOf } from './xlsx.ts'

export type Exports = {
  /** Of the request's role, beside its pool: whoever reads slowly holds up exports and nothing else. */
  pool: pg.Pool
  sources: readonly ListSource[]
  iam: Identity['iam']
}

const JOB = 'reports.startExport'

/** Lists as files: at once, or by a job. */
export function exportHandlers(
  exports: Exports,
  { startFile }: StartJobs,
): Pick<Handlers<typeof reports>, 'exportList' | 'startExport'> {
  return {
    async exportList({ actor, input }) {
      const { list } = readyToExport(exports.sources, actor, input)
      const file = await openExport(exports, actor, { input, most: MOST_ROWS_AT_ONCE })
      try {
        await noteEvent(exports.iam, {
          customerId: actor.customerId,
          organizationId: actor.reach === 'organization' ? actor.organizationId : null,
          by: actor,
          endpoint: 'reports.exportList',
          table: input.list,
          rowId: '',
          what: `took ${file.total} rows of ${list.title} as ${input.format.toUpperCase()}`,
          more: { rows: file.total, asked: input },
        })
        return new Download(file)
      } catch (error) {
        file.body.destroy()
        throw error
      }
    },

    async startExport({ db, actor, input }) {
      const read = await readExport(db, actor, exports.sources, input)
      const { source } = read
      if (input.ids !== undefined && (await countRows(db, read, 0)) === 0) {
        throw noneThere(source.list.nouns[1])
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
 * Opens a list as a file that is made while it is read, of one moment: the rows counted are the rows in it.
 * @throws Failure 409 for more than `most` rows, and where none of the chosen is there.
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
        `More than ${most.toLocaleString('en-US')} ${many} are exported by a job: start it, and take its file from the jobs.`,
      )
    }
    if (total === 0 && input.ids !== undefined) throw noneThere(many)
    return await openFile(snapshot, actor, { read, input, total })
  } catch (error) {
    await snapshot.close()
    throw error
  }
}

/** @param most counting ends at one more; null: all are counted. */
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
  // Read to its end or left half-way: the connection goes back.
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
