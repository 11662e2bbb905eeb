import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
// Must be the first import: it sets the start time of the clock.
import { RUN_STARTS_AT } from './start-clock.ts'
import { clock } from '#server/clock.ts'
import type { Connection } from '#server/database/connect.ts'
import { findBinaries, installedBinaries, type Binaries } from '#server/database/embedded/binaries.ts'
import { startEmbedded, type EmbeddedServer } from '#server/database/embedded/start-embedded.ts'
import { discardTestHome, HOMES, makeTestHome } from './home.ts'
import { LOGIN } from './login.ts'
import { runStatement, TEMPLATE } from './run-statement.ts'
import { makeTemplateKey } from './template-key.ts'
import { storeTemplate, takeTemplate, type TemplateNotes } from './template-store.ts'

/**
 * Provided to test files: the superuser that creates databases, the owner that runs migrations, and the time on the
 * product's clock at which each file starts. Nothing in the template is later.
 */
export type TestEngine = { admin: Connection; owner: Connection; startsAt: string }

export type RunningEngine = TestEngine & {
  /** Stops the server and removes its data. */
  stop: () => Promise<void>
}

const DEBIAN_15 = '/usr/lib/postgresql/15/bin'
const OWNER = 'forecourt_owner'
const MINUTE = 60_000

/** `isOld`: Debian's PostgreSQL 15 and an owner without superuser rights, the oldest server and weakest owner we support. */
type EngineKind = { isOld: boolean }

/**
 * Starts a PostgreSQL server in `homes` with the migrated and seeded template, from its stored copy if there is one.
 */
export async function startTestEngine({
  isOld,
  homes,
}: EngineKind & { homes: string }): Promise<RunningEngine> {
  if (isOld && !existsSync(DEBIAN_15)) throw new Error(`There is no PostgreSQL 15 in ${DEBIAN_15}.`)
  const binaries = isOld ? installedBinaries(DEBIAN_15) : await findBinaries()
  const key = await makeTemplateKey({ binaries, isOwnerPlain: isOld })
  const home = await makeTestHome(homes)
  try {
    let notes = await takeTemplate(key, home)
    if (notes === null) {
      await makeTemplate(key, { binaries, isOld })
      notes = await takeTemplate(key, home)
    }
    if (notes === null)
      throw new Error('The template was removed while it was being copied. Start the tests again.')
    const server = await startServer({ home, binaries })
    const stop = async () => {
      await server.stop()
      await discardTestHome(home)
    }
    return { ...connectionsOf(server, notes), startsAt: notes.startsAt, stop }
  } catch (error) {
    await discardTestHome(home)
    throw error
  }
}

function startServer({ home, binaries }: { home: string; binaries: Binaries }): Promise<EmbeddedServer> {
  return startEmbedded({
    home,
    binaries,
    settings: { fsync: false, maxConnections: 200 },
    say: (line) => console.log(line),
  })
}

function connectionsOf(server: EmbeddedServer, { ownerPassword }: Pick<TemplateNotes, 'ownerPassword'>) {
  const admin = { ...server.connection, database: 'postgres' }
  return { admin, owner: ownerPassword === null ? admin : { ...admin, user: OWNER, password: ownerPassword } }
}

/** Builds the template on a separate server and stores its data. */
async function makeTemplate(
  key: string,
  { binaries, isOld }: EngineKind & { binaries: Binaries },
): Promise<void> {
  // On the file system of the template store, so that the finished template only needs a rename.
  const home = await makeTestHome(HOMES)
  try {
    const server = await startServer({ home, binaries })
    const ownerPassword = isOld ? randomBytes(16).toString('hex') : null
    try {
      await seedServer(connectionsOf(server, { ownerPassword }))
    } finally {
      await server.stop()
    }
    const startsAt = new Date(Math.ceil(clock.now() / MINUTE) * MINUTE).toISOString()
    const data = await realpath(join(home, 'postgres'))
    await storeTemplate(key, { home, data, notes: { ownerPassword, startsAt } })
  } finally {
    await discardTestHome(home)
  }
}

async function seedServer({ admin, owner }: Pick<TestEngine, 'admin' | 'owner'>): Promise<void> {
  const { buildTemplate } = await import('./template.ts')
  clock.set(RUN_STARTS_AT)
  if (owner !== admin) {
    await runStatement(
      admin,
      `create role ${owner.user} login createrole createdb nosuperuser nobypassrls password '${owner.password}'`,
    )
  }
  await runStatement(admin, `create role ${LOGIN.user} login noinherit password '${LOGIN.password}'`)
  await runStatement(admin, `create database ${TEMPLATE} owner ${owner.user}`)
  await buildTemplate({ ...owner, database: TEMPLATE })
  // Gives every copy planner statistics, because autovacuum is off on the test server.
  await runStatement({ ...admin, database: TEMPLATE }, 'vacuum (freeze, analyze)')
  // A template cannot be copied while there are connections to it, so don't allow any from now on.
  await runStatement(admin, `alter database ${TEMPLATE} with allow_connections false`)
}
