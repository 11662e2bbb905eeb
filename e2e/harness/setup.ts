import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { discardTestHome, findHomes, makeTestHome } from '#test/engine/home.ts'
import { makeCertificate } from '#test/fakes/certificate.ts'
import { copyDatabase, runStatement, TEMPLATE } from '#test/engine/run-statement.ts'
import { setup as startEngine } from '#test/engine/setup.ts'
import { startServerProcess } from './server-process.ts'
import { createSession, type StoredSession } from './sessions.ts'
import { sessionKey, worldEnvironment } from './world.ts'

const INSTALLATION = 'forecourt_e2e'

/** Users whose sessions are created once for the whole run. */
const PEOPLE: readonly (readonly [userName: string, organization?: string])[] = [
  ['super', 'Forecourt Operations'],
  ['super', 'Northgate Ford'],
  ['northgate.admin'],
  ['northgate.admin', 'Northgate Ford'],
  ['northgate.admin', 'Northgate Toyota'],
  ['northgate.dealer'],
  ['northgate.sustain', 'Northgate Ford'],
  ['northgate.auditor'],
  ['northgate.phone'],
  ['northgate.desk'],
  ['theo.lindqvist'],
  ['harbor.admin'],
  ['harbor.dealer'],
]

/**
 * One PostgreSQL server for the run, with one installation including demo world, files and sessions: every test
 * world is a copy of it.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const stopEngine = await startEngine(project)
  const homes = await makeTestHome(await findHomes('forecourt-e2e'))
  const teardown = async () => {
    await discardTestHome(homes)
    await stopEngine()
  }
  try {
    const { admin, owner, startsAt } = project.getProvidedContext().engine
    const offset = Date.parse(startsAt) - Date.now()
    await copyDatabase(admin, { database: INSTALLATION, template: TEMPLATE, owner })
    const home = join(homes, 'installation')
    await mkdir(home)
    const sessions = await makeSessions({ owner: { ...owner, database: INSTALLATION }, home, offset })
    await runStatement(admin, `alter database ${INSTALLATION} with allow_connections false`)
    const certificate = makeCertificate()
    const trusted = join(homes, 'localhost.pem')
    await writeFile(trusted, certificate.cert)
    project.provide('installation', {
      template: INSTALLATION,
      home,
      homes,
      sessions,
      certificate,
      trusted,
      offset,
    })
  } catch (error) {
    await teardown()
    throw error
  }
  return teardown
}

/** Creates the demo world's files and signs its users in. */
async function makeSessions({
  owner,
  home,
  offset,
}: Parameters<typeof worldEnvironment>[0] & { offset: number }): Promise<Record<string, StoredSession>> {
  const server = startServerProcess()
  try {
    const address = await server.open({
      environment: { ...worldEnvironment({ owner, home }), PORT: '0' },
      clock: new Date(Date.now() + offset).toISOString(),
      isFirst: true,
    })
    const made = await Promise.all(
      PEOPLE.map(async ([userName, organization = null]) => {
        const session = await createSession(address, { userName, organization, now: Date.now() + offset })
        return [sessionKey(userName, organization ?? undefined), session] as const
      }),
    )
    await server.close()
    return Object.fromEntries(made)
  } finally {
    await server.end()
  }
}
