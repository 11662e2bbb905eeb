import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { inboundAddresses } from '#contract/leads/inbound/inbound-addresses.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { freshDatabase, type TestDatabase } from '#test/engine/database.ts'
import { makeCertificate } from '#test/fakes/certificate.ts'
import { openDatabaseProxy, type DatabaseProxy } from '#test/harness/database-proxy.ts'
import { TEST_SECRET } from '#test/harness/secrets.ts'
import { urlOf } from '#test/harness/whole-database.ts'
import { startProduct, type Product } from '../../../bench/product.ts'
import { signIn } from '../../../bench/sign-in.ts'
import { expectNothingLost, readStored, useDuring, waitFor, warmUp } from '../buyers.ts'
import { call, signInTo, type Session } from '../calling.ts'
import { openMailbox, publishPhotosAt, startHangingHost } from '../harbor.ts'
import { findLost, nothingWritten, tryAgain, writeUntilOver } from '../kills/writing.ts'
import { ATTACKS } from './attacks.ts'
import { makeTarget } from './target.ts'

// Harbor attacks two processes in every way at once, while they and their database are killed, frozen and restarted. Northgate's
// users save and its buyers send forms meanwhile.

const NAMES = ['one', 'two'] as const
type Name = (typeof NAMES)[number]
const WRITERS = 3
const PHOTOS = 12
const DISK_MB = 64
const ATTEMPTS = 5
/** Both processes, their database and all attackers share the machine, and the database is frozen for ten seconds. */
const LONGEST_MS = 30_000
const CALM_MS = 6_000
/** Only Northgate's lots and buyers have it. */
const CANARY = 'Canary'

const folder = resolve('.forecourt-test', `hostile-${process.pid}`)
const files = join(folder, 'files')
const MOUNT = `mount -t tmpfs -o size=${DISK_MB}m,mode=700 tmpfs`
/** Not every machine allows mounts. There the disk is never full. */
const canMount = spawnSync('unshare', ['--mount', 'sh', '-c', `${MOUNT} /mnt`]).status === 0
if (!canMount)
  console.warn('SKIPPED: this machine does not allow mounts, so the disk is never full in this test.')

let database: TestDatabase
let proxy: DatabaseProxy
let closeHost = () => {}
let photoPort = 0
let within: readonly string[] = []
let endDisk = () => {}
const running = new Map<Name, Product>()

beforeAll(async () => {
  await mkdir(files, { recursive: true, mode: 0o700 })
  const certificate = makeCertificate()
  await writeFile(join(folder, 'photo-host.pem'), certificate.cert)
  const host = await startHangingHost(certificate)
  photoPort = host.port
  closeHost = host.close
  if (canMount) await mountDisk()
  database = await freshDatabase()
  proxy = await openDatabaseProxy(database.login)
  for (const name of NAMES) await start(name)
})
afterAll(async () => {
  for (const product of running.values()) await product.stop()
  await proxy.close()
  await database.drop()
  closeHost()
  endDisk()
  await rm(folder, { recursive: true, force: true })
})

/** A small disk for files that both processes see, and nothing else on the machine. */
async function mountDisk(): Promise<void> {
  const holder = spawn('unshare', [
    '--mount',
    'sh',
    '-c',
    `${MOUNT} "$0" && echo ready && exec sleep 3600`,
    files,
  ])
  await once(holder.stdout, 'data')
  endDisk = () => holder.kill()
  const enter = ['sh', '-c', 'cd "$0" && exec "$@"', process.cwd()]
  within = ['nsenter', '--target', String(holder.pid), '--mount', ...enter]
}

async function start(name: Name): Promise<void> {
  const home = join(folder, name)
  await mkdir(home, { recursive: true })
  await symlink(files, join(home, 'files')).catch(() => {})
  const product = await startAgain(home, {
    DATABASE_URL: urlOf(proxy.login),
    DATABASE_OWNER_URL: urlOf(database.connection),
    FORECOURT_SECRET: TEST_SECRET,
    FORECOURT_DEMO: '1',
    TRUST_PROXY: '1',
    FORECOURT_PRIVATE_ADDRESSES: '1',
    NODE_EXTRA_CA_CERTS: join(folder, 'photo-host.pem'),
    // Buyers' requests reach the host: otherwise the background finds out first that it hangs.
    FORECOURT_PHOTO_COPIES: '0',
  })
  running.set(name, product)
}

/** As a supervisor: a process that can't start, because the database is away, is started again. */
async function startAgain(home: string, environment: Readonly<Record<string, string>>): Promise<Product> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startProduct(home, within, environment)
    } catch (reason) {
      if (attempt === ATTEMPTS) throw reason
      await wait(1_000)
    }
  }
}

async function kill(...names: readonly Name[]): Promise<void> {
  const killed = names.map(async (name) => {
    const product = running.get(name)
    running.delete(name)
    await product?.kill()
  })
  await Promise.all(killed)
}

let turn = 0
/** The processes take turns, like behind a load balancer that noticed which are gone. */
function place(): string {
  const all = [...running.values()]
  return all[++turn % Math.max(1, all.length)]?.address ?? 'http://127.0.0.1:9'
}

/** Everything that goes wrong with the processes and their database, one after another. */
async function goWrong(): Promise<void> {
  const steps = [
    async () => {
      await kill('one')
      await wait(2_000)
      await start('one')
    },
    async () => {
      await proxy.refuse()
      await wait(6_000)
      await proxy.restore()
    },
    async () => {
      proxy.freeze()
      await wait(10_000)
      await proxy.restore()
    },
    async () => {
      for (let times = 0; times < 5; times += 1) {
        proxy.restart()
        await wait(1_500)
      }
    },
    async () => {
      await kill('one', 'two')
      await Promise.all(NAMES.map(start))
    },
    async () => {
      await proxy.refuse()
      await wait(3_000)
      await kill('two')
      await proxy.restore()
      await start('two')
    },
  ]
  for (const step of steps) {
    await wait(CALM_MS)
    await step()
  }
  await wait(CALM_MS)
}

/** The photos of one of Harbor's published vehicles, all on the host that hangs, by their paths on its site. */
async function publishPhotos(harbor: Session): Promise<string[]> {
  const { results } = await call(harbor, vehicles.list, { filter: 'published == "published"' })
  return publishPhotosAt(harbor, results?.[0]?.id ?? '', { port: photoPort, count: PHOTOS })
}

/** IDs of rows that Harbor must not see. */
async function foreignIdsOf(northgate: Session): Promise<string[]> {
  const [lotList, vehicleList, addressList] = await Promise.all([
    call(northgate, lots.list, {}),
    call(northgate, vehicles.list, {}),
    call(northgate, inboundAddresses.list, {}),
  ])
  const listed = [lotList, vehicleList].flatMap(({ results }) => results?.map(({ id }) => id) ?? [])
  return [...listed, ...addressList.map(({ id }) => id)]
}

test('nothing is lost, shown to others or answered with 500 during a hostile afternoon', async () => {
  // The address changes from call to call.
  const everywhere = {
    get address() {
      return place()
    },
  }
  const northgate = await signInTo(everywhere, {
    userName: 'northgate.admin',
    organization: 'Northgate Ford',
  })
  let token = await signIn(place(), 'harbor.admin')
  const harbor: Session = { product: everywhere, token }
  await warmUp(place())
  const over = new AbortController()
  const target = makeTarget({
    place,
    token: () => token,
    foreignIds: await foreignIdsOf(northgate),
    mailPath: await openMailbox(harbor),
    photoPaths: await publishPhotos(harbor),
    canary: new RegExp(CANARY),
    over: over.signal,
  })
  const written = nothingWritten()
  const attacks = ATTACKS.flatMap(([attack, width]) =>
    Array.from({ length: width }, async () => {
      while (!over.signal.aborted) {
        await attack(target)
        await wait(20)
      }
    }),
  )
  const keepSignedIn = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await wait(60_000, undefined, { signal: over.signal }).catch(() => {})
      token = await signIn(place(), 'harbor.admin').catch(() => token)
    }
  }
  const writing = Array.from({ length: WRITERS }, (_, writer) =>
    writeUntilOver(northgate, {
      prefix: `${CANARY.toUpperCase()}${writer}N`,
      name: `${CANARY} lot`,
      written,
      isOver: () => over.signal.aborted,
    }),
  )
  const watched = await useDuring(place, CANARY, goWrong)
  over.abort()
  await Promise.all([...attacks, ...writing, keepSignedIn()])

  const told = [...target.seen.statuses].filter(([what]) => !/\./.test(what))
  for (const [what, counts] of told)
    console.log(`${what}: ${[...counts].map(([status, times]) => `${status} ${times}x`).join(', ')}`)
  const calls = [...target.seen.statuses.values()].reduce((sum, counts) => sum + sumOf(counts), 0)
  console.log(`figure: hostile calls = ${calls}, of these answered wrongly ${target.seen.wrong.size}`)
  console.log(`figure: buyers' forms acknowledged = ${watched.acknowledged.size}`)
  console.log(`figure: saves acknowledged = ${written.answered.size}`)
  console.log(`figure: slowest answer to a buyer = ${Math.round(watched.slowest)} ms`)
  const again = await tryAgain(northgate, written)
  expect(again.filter((status) => status !== 200 && status !== 409)).toEqual([])
  expect([...target.seen.wrong]).toEqual([])
  expect([...written.statuses.keys()].filter((status) => ![0, 200, 409, 503].includes(status))).toEqual([])
  expect(await findLost(northgate, written)).toEqual({ lost: [], twice: 0 })
  for (const name of NAMES) await waitFor(join(folder, name), 0)
  const { default: pg } = await import('pg')
  const client = new pg.Client({ ...database.connection })
  await client.connect()
  const stored = await readStored((text) => client.query(text), CANARY)
  await client.end()
  expectNothingLost(watched, stored, LONGEST_MS)
})

const sumOf = (counts: ReadonlyMap<number, number>): number =>
  [...counts.values()].reduce((sum, times) => sum + times, 0)
