import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import type { FeedRun } from '#contract/feeds/runs/feed-runs.ts'
import { addLot, importFeed, importerOf, type ImportTimes } from './import-feed.ts'
import { writeFeed } from './feed-file.ts'
import { asOwner } from './generate.ts'
import { plainInsert } from './plain-insert.ts'
import type { Product } from './product.ts'
import type { Row } from './run.ts'

/**
 * Imports rows, then an edition with 14% different prices, then the same again. Compared with COPY of the same file into a
 * bare table, and with COPY plus an insert into a table with the indexes of vehicles.
 */
export async function measureImport(product: Product, home: string, rows: number): Promise<Row[]> {
  const importer = await importerOf(product, home)
  const lotId = await addLot(importer, 'BIM')
  const [first, second] = await Promise.all(
    [0, 1].map(async (edition) => {
      const path = join(home, `feed-${rows}-${edition}.csv`)
      await writeFeed(path, { first: 0, rows, edition })
      return path
    }),
  )
  try {
    const added = await importFeed(importer, { lotId, path: first ?? '' })
    await asOwner(home, (client) => client.query('vacuum analyze vehicles'))
    const baseline = await asOwner(home, (client) => insertNextTo(client, second ?? ''))
    const changed = await importFeed(importer, { lotId, path: second ?? '' })
    const same = await importFeed(importer, { lotId, path: second ?? '' })
    refuseOther(rows, added.run, changed.run, same.run)
    const many = rows.toLocaleString('en')
    const row = (what: string, { readMs, applyMs }: ImportTimes, goal: number | null): Row => ({
      what: `import of ${many} CSV rows, ${what}, with mapping, VINs, all indexes, search words and history`,
      measured: `${seconds(readMs + applyMs)} (read ${seconds(readMs)}, apply ${seconds(applyMs)})`,
      comparison: `bare COPY ${seconds(baseline.copyMs)}, COPY + indexed insert ${seconds(baseline.insertMs)}${goal === null ? '' : `; goal ${goal} times the latter`}`,
      ratio: `${((readMs + applyMs) / baseline.insertMs).toFixed(2)}; of bare COPY ${((readMs + applyMs) / baseline.copyMs).toFixed(1)}`,
    })
    return [
      row('all new', added, null),
      row('14% with a different price', changed, 4),
      row('unchanged', same, 2.5),
    ]
  } finally {
    for (const path of [first, second]) await rm(path ?? '', { force: true })
  }
}

/** The peak memory of the server while it reads and applies new rows. */
export async function measureImportMemory(product: Product, home: string, rows: number): Promise<Row> {
  const importer = await importerOf(product, home)
  const lotId = await addLot(importer, 'BIH')
  const path = join(home, `feed-${rows}.csv`)
  await writeFeed(path, { first: 0, rows, edition: 0 })
  try {
    const { run, readMs, applyMs, readMb, applyMb } = await importFeed(importer, { lotId, path })
    if (run.new !== rows) throw new Error(`${run.new} of ${rows} rows were imported.`)
    return {
      what: `peak resident memory of the server during an import of ${rows.toLocaleString('en')} new rows`,
      measured: `${readMb} MB while reading (${seconds(readMs)}), ${applyMb} MB while applying (${seconds(applyMs)})`,
      comparison: 'goal 400 MB',
      ratio: (Math.max(readMb, applyMb) / 400).toFixed(2),
    }
  } finally {
    await rm(path, { force: true })
  }
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`

function refuseOther(rows: number, added: FeedRun, changed: FeedRun, same: FeedRun): void {
  const isRight = added.new === rows && changed.changed > rows / 10 && same.unchanged === rows
  if (!isRight) throw new Error(`Unexpected import result: ${JSON.stringify({ added, changed, same })}`)
}

/** A plain insert of the same file into an empty table with all indexes of vehicles. */
async function insertNextTo(client: pg.Client, path: string): Promise<{ copyMs: number; insertMs: number }> {
  await client.query('create table bench_vehicles (like vehicles including all)')
  try {
    return await plainInsert(client, path, {
      table: 'bench_vehicles',
      customerId: '1',
      organizationId: '1',
      lotId: '1',
    })
  } finally {
    await client.query('drop table bench_vehicles')
  }
}
