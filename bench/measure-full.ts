import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { call } from '#test/prove/calling.ts'
import { addLot, importFeed, type ImportTimes, type Importer } from './import-feed.ts'
import { writeFeed, type FeedPart } from './feed-file.ts'
import { asOwner } from './generate.ts'
import { median } from './load.ts'
import { plainInsertIntoVehicles } from './plain-insert.ts'
import type { Row } from './run.ts'

const SAVES = 60
const IMPORTS = 3
const SAVE_GOAL_MS = 10
const IMPORT_GOAL = 1.3
/** Far from the numbers of the vehicles in other measurements, so that no VIN occurs twice. */
const FIRST = 1_000_000

/** A product whose database is full, one whose database has the demo data only, and the rows of each imported file. */
type Options = { full: Importer; empty: Importer; rows: number }

/**
 * What a write costs in a full database, compared with the same write in an empty one right before it: a write must depend
 * on what is written, and not on the rows that are there.
 */
export async function measureFull(options: Options): Promise<Row[]> {
  const many = await vehiclesOf(options.full)
  const rows = await measureSaves(options, `among ${many}`)
  return [
    ...rows,
    ...(await measureFullImports(options, `${many} vehicles`)),
    await measureMixed(options, `${many} vehicles`),
  ]
}

async function vehiclesOf({ home }: Importer): Promise<string> {
  const { rows } = await asOwner(home, (client) =>
    client.query<{ count: number }>('select count(*)::int as count from vehicles'),
  )
  return (rows[0]?.count ?? 0).toLocaleString('en')
}

/** One user who adds and renames vehicles, one after the other. Renaming writes search words too. */
async function measureSaves({ full, empty }: Options, among: string): Promise<Row[]> {
  const [fullLot, emptyLot] = [await addLot(full, 'BSV'), await addLot(empty, 'BSV')]
  const adds: Pair[] = []
  const renames: Pair[] = []
  for (let n = 0; n < SAVES; n += 1) {
    const theirs = await saveOne(empty, emptyLot, n)
    const ours = await saveOne(full, fullLot, n)
    adds.push({ ours: ours.addMs, theirs: theirs.addMs })
    renames.push({ ours: ours.renameMs, theirs: theirs.renameMs })
  }
  const row = (what: string, pairs: readonly Pair[]): Row => {
    const [ours, theirs] = mediansOf(pairs)
    return {
      what: `one vehicle ${what} ${among}, over HTTP`,
      measured: `${ours.toFixed(1)} ms`,
      comparison: `in an empty database ${theirs.toFixed(1)} ms; goal ${SAVE_GOAL_MS} ms`,
      ratio: `${(ours / SAVE_GOAL_MS).toFixed(2)}; of the empty database ${(ours / theirs).toFixed(2)}`,
    }
  }
  return [row('renamed', renames), row('added', adds)]
}

async function saveOne({ session }: Importer, lotId: string, n: number) {
  const begun = performance.now()
  const { id } = await call(session, vehicles.add, {
    lotId,
    stock: `SAVE${n}`,
    condition: 'used',
    year: 2023,
    make: 'Ford',
    model: 'F-150',
  })
  const added = performance.now()
  await call(session, vehicles.update, { id, trim: `Lariat ${n}` })
  return { addMs: added - begun, renameMs: performance.now() - added }
}

type Pair = { ours: number; theirs: number }
const mediansOf = (pairs: readonly Pair[]): readonly [ours: number, theirs: number] => [
  median(pairs.map(({ ours }) => ours)),
  median(pairs.map(({ theirs }) => theirs)),
]

/** Imports new vehicles into the empty database and into the full one, in turns, and the plain insert before each. */
async function measureFullImports({ full, empty, rows }: Options, into: string): Promise<Row[]> {
  const rounds: { ours: number; theirs: number; plain: number }[] = []
  for (let round = 0; round < IMPORTS; round += 1) {
    const part = { first: FIRST + round * rows, rows, edition: 0 }
    const [fullLot, emptyLot] = [await addLot(full, `BF${round}`), await addLot(empty, `BF${round}`)]
    await withFeed(full.home, [part], async (path) => {
      const theirs = timeOf(await importFeed(empty, { lotId: emptyLot, path }), rows)
      const plain = await asOwner(full.home, (client) => plainInsertIntoVehicles(client, path, fullLot))
      const ours = timeOf(await importFeed(full, { lotId: fullLot, path }), rows)
      rounds.push({ ours, theirs, plain })
    })
  }
  const [ours, theirs] = mediansOf(rounds)
  const plain = median(rounds.map((round) => round.plain))
  const what = `import of ${rows.toLocaleString('en')} new CSV rows into a database with ${into}`
  return [
    {
      what,
      measured: seconds(ours),
      comparison: `the same into an empty database ${seconds(theirs)}; goal ${IMPORT_GOAL} times that`,
      ratio: median(rounds.map((round) => round.ours / round.theirs)).toFixed(2),
    },
    {
      what,
      measured: seconds(ours),
      comparison: `COPY + plain insert into the full table ${seconds(plain)}`,
      ratio: median(rounds.map((round) => round.ours / round.plain)).toFixed(2),
    },
  ]
}

/** A file whose first half is new and whose second half is known, compared with one file of each kind. */
async function measureMixed({ full, rows }: Options, into: string): Promise<Row> {
  const lotId = await addLot(full, 'BMX')
  const known = { first: FIRST + IMPORTS * rows, rows, edition: 0 }
  const added = { ...known, first: known.first + rows }
  const importParts = (...parts: readonly FeedPart[]): Promise<ImportTimes> =>
    withFeed(full.home, parts, (path) => importFeed(full, { lotId, path }))
  const newMs = timeOf(await importParts(known), rows)
  const knownMs = timeOf(await importParts({ ...known, edition: 1 }), 0)
  const mixedMs = timeOf(await importParts(added, { ...known, edition: 2 }), rows)
  return {
    what: `import of ${(2 * rows).toLocaleString('en')} CSV rows, half new and half known, into a database with ${into}`,
    measured: seconds(mixedMs),
    comparison: `one file of each kind ${seconds(newMs)} + ${seconds(knownMs)}; goal ${IMPORT_GOAL} times their sum`,
    ratio: (mixedMs / (newMs + knownMs)).toFixed(2),
  }
}

/** Milliseconds of both jobs. @throws Error if another number of vehicles is new */
function timeOf({ run, readMs, applyMs }: ImportTimes, added: number): number {
  if (run.new !== added) throw new Error(`${run.new} instead of ${added} vehicles were added.`)
  return readMs + applyMs
}

async function withFeed<T>(
  home: string,
  parts: readonly FeedPart[],
  work: (path: string) => Promise<T>,
): Promise<T> {
  const path = join(home, 'full.csv')
  await writeFeed(path, ...parts)
  try {
    return await work(path)
  } finally {
    await rm(path, { force: true })
  }
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`
