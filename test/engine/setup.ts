import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { Connection } from '#server/database/connect.ts'
import type { TestProject } from 'vitest/node'
import { installedBinaries } from '#server/database/embedded/binaries.ts'
import { startEmbedded } from '#server/database/embedded/start-embedded.ts'
import { discardTestHome, makeTestHome } from './home.ts'
import { LOGIN } from './login.ts'
import { runStatement, TEMPLATE } from './run-statement.ts'
import { buildTemplate } from './template.ts'

/** What test files get: the superuser who makes databases, and the owner whom the application migrates as. */
export type TestEngine = { admin: Connection; owner: Connection }

declare module 'vitest' {
  interface ProvidedContext {
    engine: TestEngine
  }
}

const DEBIAN_15 = '/usr/lib/postgresql/15/bin'

/**
 * One server for the whole run, with one migrated and seeded template. FORECOURT_TEST_POSTGRES=15 takes Debian's
 * PostgreSQL 15 and an owner who is no superuser: the oldest server and the weakest owner we support.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const isOld = process.env.FORECOURT_TEST_POSTGRES === '15'
  if (isOld && !existsSync(DEBIAN_15)) throw new Error(`There is no PostgreSQL 15 in ${DEBIAN_15}.`)
  const home = await makeTestHome()
  const server = await startEmbedded({
    home,
    settings: { fsync: false, maxConnections: 200 },
    say: (line) => console.log(line),
    ...(isOld ? { binaries: installedBinaries(DEBIAN_15) } : {}),
  })
  const teardown = async () => {
    await server.stop()
    await discardTestHome(home)
  }
  try {
    const admin = { ...server.connection, database: 'postgres' }
    const owner = isOld ? await makePlainOwner(admin) : admin
    await runStatement(admin, `create role ${LOGIN.user} login noinherit password '${LOGIN.password}'`)
    await runStatement(admin, `create database ${TEMPLATE} owner ${owner.user}`)
    await buildTemplate({ ...owner, database: TEMPLATE })
    // A template cannot be copied while someone is connected to it: from here on nobody can be.
    await runStatement(admin, `alter database ${TEMPLATE} with allow_connections false`)
    project.provide('engine', { admin, owner })
  } catch (error) {
    await teardown()
    throw error
  }
  return teardown
}

async function makePlainOwner(admin: Connection): Promise<Connection> {
  const user = 'forecourt_owner'
  const password = randomBytes(16).toString('hex')
  await runStatement(
    admin,
    `create role ${user} login createrole createdb nosuperuser nobypassrls password '${password}'`,
  )
  return { ...admin, user, password }
}
