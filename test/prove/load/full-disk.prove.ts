import { spawnSync } from 'node:child_process'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { files, MEDIA_CONTAINER } from '#contract/files/files.ts'
import { asOwner } from '../../../bench/generate.ts'
import { startProduct, type Product } from '../../../bench/product.ts'
import { signIn } from '../../../bench/sign-in.ts'
import { call, tryCall, type Session } from '../calling.ts'
import { sendFile } from './sending.ts'

const DISK_MB = 16
const MOST_OF_IT = 10 * 1_048_576
const MANY_LOTS = 500
const ROWS_TO_FILL = 10_000
/** PostgreSQL's disk_full. */
const DISK_FULL = '53100'
const container = MEDIA_CONTAINER
const home = resolve('.forecourt-test', `disk-${process.pid}`)
const filesFolder = join(home, 'files')
const rowsFolder = join(home, 'rows')
const MOUNT = `mount -t tmpfs -o size=${DISK_MB}m,mode=700 tmpfs`
/** Mounts both folders as small disks in a mount namespace that only the product sees. */
const within = ['unshare', '--mount', 'sh', '-c', `${MOUNT} "$0" && ${MOUNT} "$1" && shift && exec "$@"`]

/** Not every machine allows mounts. There the test is skipped with a warning. */
const canMount = spawnSync('unshare', ['--mount', 'sh', '-c', `${MOUNT} /mnt`]).status === 0
if (!canMount) console.warn('SKIPPED: this machine does not allow mounts, so the full-disk test cannot run.')

let product: Product
let session: Session
beforeAll(async () => {
  if (!canMount) return
  for (const folder of [filesFolder, rowsFolder]) await mkdir(folder, { recursive: true, mode: 0o700 })
  product = await startProduct(home, [...within, filesFolder, rowsFolder])
  session = { product, token: await signIn(product.address) }
})
afterAll(async () => {
  if (canMount) await product.stop()
  await rm(home, { recursive: true, force: true })
})

const incoming = () => readdir(join(`/proc/${product.pid}/root`, filesFolder, 'incoming'))
const namesInMedia = async () =>
  (await call(session, files.getChildren, { container })).leafs.map(({ name }) => name)

async function sizeOf(path: string): Promise<number> {
  const url = `${product.address}${files.download.path}?${new URLSearchParams({ container, path })}`
  const response = await fetch(url, { headers: { authorization: `Bearer ${session.token}` } })
  return (await response.arrayBuffer()).byteLength
}

test.skipIf(!canMount)(
  'rejects a file that does not fit with a sentence, leaves nothing behind, and still serves reads',
  async () => {
    expect(await sendFile(session, 'first.bin', MOST_OF_IT)).toMatchObject({ status: 200 })
    const before = await namesInMedia()
    for (const name of ['second.bin', 'third.bin']) {
      expect(await sendFile(session, name, MOST_OF_IT)).toEqual({
        status: 507,
        message: expect.stringContaining('File storage is full'),
      })
      expect(await incoming()).toEqual([])
      expect(await namesInMedia()).toEqual(before)
    }
    expect(await sizeOf('first.bin')).toBe(MOST_OF_IT)
    await call(session, lots.list, { sort: 'code' })
    // Freed space is available at once.
    await call(session, files.delete, { container, toDelete: ['first.bin'] })
    expect(await sendFile(session, 'second.bin', MOST_OF_IT)).toMatchObject({ status: 200 })
    expect(await sizeOf('second.bin')).toBe(MOST_OF_IT)
  },
)

test.skipIf(!canMount)(
  'rejects writes as temporary errors while the database disk is full, and still serves reads',
  async () => {
    const statuses: number[] = []
    await asOwner(home, async (client) => {
      await client.query(`create tablespace small location '${rowsFolder}'`)
      await client.query('alter table lots set tablespace small')
      // No autovacuum, because it would free the pages of rolled-back rows.
      await client.query(
        'create table filler (words text storage plain) with (autovacuum_enabled = false) tablespace small',
      )
      const filling = client.query(
        `insert into filler select repeat('x', 4000) from generate_series(1, ${ROWS_TO_FILL})`,
      )
      await expect(filling).rejects.toMatchObject({ code: DISK_FULL })
      // Fill the remaining pages, which were too few for the large insert.
      const fillOne = () =>
        client.query(`insert into filler values (repeat('x', 4000))`).then(
          () => true,
          () => false,
        )
      while (await fillOne());
      while (statuses.length < MANY_LOTS && statuses.at(-1) !== 503) {
        const code = `FULL${statuses.length}`
        const answer = await tryCall(session, lots.add, { code, name: 'No room' })
        statuses.push(answer?.status ?? 0)
      }
      expect(statuses.at(-1)).toBe(503)
      expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([])
      const { filteredRows } = await call(session, lots.list, { sort: 'code', search: 'No room' })
      expect(filteredRows).toBe(statuses.length - 1)
      await client.query('drop table filler')
    })
    await call(session, lots.add, { code: 'ROOM', name: 'Room again' })
  },
)
