import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeContents } from '#server/backup/target.ts'
import { readTar, tarEnd, tarHeader, tarPadding } from '#server/backup/tar.ts'
import { withOwner } from '#server/database/open-database.ts'
import { makeArchive, makeHome, putFile, restoreInto, seal } from '#test/factories/installation/backups.ts'
import { emptyDatabase, freshDatabase, type TestDatabase } from '#test/engine/database.ts'
import { readWhole } from '#test/harness/whole-database.ts'

type Part = { name: string; bytes: Buffer }

let source: TestDatabase
let target: TestDatabase
let place: Awaited<ReturnType<typeof makeHome>>
let whole = Buffer.alloc(0)
let parts: Part[] = []

async function unpack(archive: Buffer): Promise<Part[]> {
  const found: Part[] = []
  for await (const { name, body } of readTar(onePiece(gunzipSync(archive)))) {
    const pieces: Buffer[] = []
    for await (const piece of body) pieces.push(piece)
    found.push({ name, bytes: Buffer.concat(pieces) })
  }
  return found
}

async function* onePiece(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

const pack = (changed: readonly Part[]): Buffer =>
  gzipSync(
    Buffer.concat([
      ...changed.flatMap(({ name, bytes }) => [
        tarHeader(name, bytes.length),
        bytes,
        tarPadding(bytes.length),
      ]),
      tarEnd(),
    ]),
    { level: 1 },
  )

/** The parts, with one of them changed. */
const change = (partName: string, how: (text: string) => string): Part[] =>
  parts.map(({ name, bytes }) =>
    name === partName ? { name, bytes: Buffer.from(how(bytes.toString('utf8'))) } : { name, bytes },
  )

const without = (partName: string): Part[] => parts.filter(({ name }) => name !== partName)
const nameOf = (table: string): string => `tables/${table}/000000`

/** The parts, with one table changed and the manifest updated to match. */
function forge(table: string, how: (text: string) => string): Part[] {
  const changed = change(nameOf(table), how)
  const bytes = changed.find(({ name }) => name === nameOf(table))?.bytes ?? Buffer.alloc(0)
  const hash = createHash('sha256').update(bytes).digest('hex')
  const text = (parts.find(({ name }) => name === 'manifest.json')?.bytes ?? '').toString()
  const manifest: { tables: { schema: string; name: string }[] } = JSON.parse(text)
  const tables = manifest.tables.map((one) =>
    `${one.schema}.${one.name}` === table
      ? { ...one, bytes: bytes.length, sha256: hash, rows: bytes.toString().split('\n').length - 1 }
      : one,
  )
  const forged = Buffer.from(JSON.stringify({ ...manifest, tables }))
  return reseal(changed.map((part) => (part.name === 'manifest.json' ? { ...part, bytes: forged } : part)))
}

/** The parts, with the hash of the current manifest. */
function reseal(changed: readonly Part[]): Part[] {
  const list = changed.find(({ name }) => name === 'manifest.json')?.bytes ?? Buffer.alloc(0)
  const hash = Buffer.from(createHash('sha256').update(list).digest('hex'))
  return changed.map((part) => (part.name === 'manifest.sha256' ? { ...part, bytes: hash } : part))
}

async function tryRestore(archive: Buffer): Promise<string> {
  const path = join(place.home, 'damaged.tar.gz')
  await writeFile(path, archive)
  return restoreInto(target, place.home, path).then(
    () => 'It was restored.',
    (error: unknown) => String(error),
  )
}

const flipped = (bytes: Buffer, at: number): Buffer => {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ 0x10
  return copy
}

const damages: Record<string, [() => Buffer, string]> = {
  'one bit of the file': [() => flipped(whole, Math.floor(whole.length / 2)), 'is damaged'],
  'a missing second half': [() => whole.subarray(0, Math.floor(whole.length / 2)), 'is truncated'],
  'missing last bytes': [() => whole.subarray(0, -9), 'is truncated'],
  'an empty file': [() => Buffer.alloc(0), 'is'],
  'a text file': [() => Buffer.from('select 1;'), 'not a Forecourt backup'],
  'another archive': [
    () => pack([{ name: 'readme.txt', bytes: Buffer.from('hello') }]),
    'is not a Forecourt backup',
  ],
  'another format in the header': [
    () =>
      pack(
        change('forecourt-backup.json', (text) => text.replace('"formatVersion": 1', '"formatVersion": 2')),
      ),
    'a newer version',
  ],
  'another time in the header': [
    () => pack(change('forecourt-backup.json', (text) => text.replace('2026', '2025'))),
    'its manifest',
  ],
  'a row of a table': [
    () => pack(change(nameOf('public.users'), (text) => text.replace('northgate.admin', 'northgate.other'))),
    'the table public.users',
  ],
  'a missing table': [() => pack(without(nameOf('public.lots'))), 'is missing the table public.lots'],
  'an extra table': [
    () =>
      pack([
        ...parts.slice(0, -2),
        { name: nameOf('public.more'), bytes: Buffer.alloc(0) },
        ...parts.slice(-2),
      ]),
    'public.more',
  ],
  'a file of the installation': [() => pack(change('files/one.txt', () => 'two')), 'its files'],
  'a missing file': [() => pack(without('files/one.txt')), 'its files'],
  'a file path outside its folder': [
    () =>
      pack(parts.map((part) => (part.name === 'files/one.txt' ? { ...part, name: 'files/../../x' } : part))),
    'outside its folder',
  ],
  'the manifest': [
    () => pack(change('manifest.json', (text) => text.replace(/"rows": \d+/, '"rows": 987654'))),
    'its manifest',
  ],
  'the hash of the manifest': [
    () => pack(change('manifest.sha256', (text) => `${text.startsWith('0') ? '1' : '0'}${text.slice(1)}`)),
    'its manifest',
  ],
  'a missing manifest': [() => pack(parts.slice(0, -2)), 'its manifest is missing'],
  'data after the end': [
    () => pack([...parts, { name: 'files/late', bytes: Buffer.from('x') }]),
    'has data after its end',
  ],
}

/** The damages that `npm test` covers: two of the compressed bytes and one of the content. */
/** Tests for damaged backups. */
export function describeBackupDamage(): void {
  beforeAll(async () => {
    source = await freshDatabase()
    target = await emptyDatabase()
    place = await makeHome()
    await seal(source)
    await putFile(place.home, 'one.txt', Buffer.from('one'))
    whole = await readFile((await makeArchive(source, place.home)).path)
    parts = await unpack(whole)
  }, 60_000)

  afterAll(async () => {
    await source.drop()
    await target.drop()
    await place.remove()
  })

  test.for(Object.keys(damages))('rejects before anything is written: %s', async (name) => {
    const [make, words] = damages[name] ?? [() => whole, '']
    expect(await tryRestore(make())).toContain(words)
    expect(await withOwner(target.connection, describeContents)).toBeNull()
  })

  test('rejects an unknown migration', async () => {
    const later = change('manifest.json', (text) =>
      text.replace('0013-carbon-inventories', '0999-from-later'),
    )
    expect(await tryRestore(pack(reseal(later)))).toContain('newer than')
  })

  test('an error while loading rows leaves the existing data unchanged', async () => {
    const before = await readWhole(source.connection)
    const path = join(place.home, 'forged.tar.gz')
    // Everything is valid except one thing: users of a missing customer.
    await writeFile(path, pack(forge('public.customers', (text) => text.split('\n').slice(1).join('\n'))))
    await expect(restoreInto(source, place.home, path, { isReplacing: true })).rejects.toThrow('foreign key')
    expect(await readWhole(source.connection)).toEqual(before)
    await writeFile(path, pack(forge('public.users', (text) => `not a row\n${text}`)))
    await expect(restoreInto(source, place.home, path, { isReplacing: true })).rejects.toThrow(/users|bigint/)
    expect(await readWhole(source.connection)).toEqual(before)
  })

  test('a connection lost while loading rows leaves the existing data unchanged', async () => {
    const before = await readWhole(source.connection)
    const path = join(place.home, 'a.tar.gz')
    // With its own application name, because the restore rejects connections of the product.
    const superuser = new Client(source.superuser)
    await superuser.connect()
    const restoring = restoreInto(source, place.home, path, { isReplacing: true }).then(
      () => 'It was restored.',
      (error: unknown) => String(error),
    )
    for (let broken = 0; broken === 0;) {
      const { rowCount } = await superuser.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and query like 'copy %from stdin%' and pid <> pg_backend_pid()`,
      )
      broken = rowCount ?? 0
    }
    await superuser.end()
    expect(await restoring).toContain('The connection to the database was lost.')
    expect(await readWhole(source.connection)).toEqual(before)
  })
}
