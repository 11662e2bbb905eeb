import { execFileSync, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { users } from '#contract/identity/users/users.ts'
import type { Connection } from '#server/database/connect.ts'
import { findBinaries } from '#server/database/embedded/binaries.ts'
import { startEmbedded, type EmbeddedServer } from '#server/database/embedded/start-embedded.ts'
import { runStatement } from '#test/engine/run-statement.ts'
import { urlOf } from '#test/harness/whole-database.ts'
import { freePort } from '../../../bench/free-port.ts'
import { startProduct } from '../../../bench/product.ts'
import { signIn } from '../../../bench/sign-in.ts'
import flags from '../../../tools/node-flags.json' with { type: 'json' }
import { call } from '../calling.ts'
import { documentBlocks } from './document-blocks.ts'

const PASSWORD = 'Deployed-1!'
const LINK = /set-up\?token=(\S+)/
let folder = ''
let server: EmbeddedServer
let admin: Connection

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forecourt-deployed-'))
  const home = join(folder, 'server')
  await mkdir(home, { mode: 0o700 })
  server = await startEmbedded({
    home,
    binaries: await findBinaries(),
    settings: { fsync: false, maxConnections: 100 },
    say: () => {},
  })
  admin = { ...server.connection, database: 'postgres' }
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

const blocks = (heading: string, language: string) => documentBlocks('docs/deployment.md', heading, language)

/** Starts the product, and stops it after `use`. `lines`: what it printed until the link to set it up. */
async function withProduct<T>(
  environment: Readonly<Record<string, string>>,
  use: (address: string, lines: readonly string[]) => Promise<T>,
): Promise<T> {
  const port = await freePort()
  const child = spawn(process.execPath, [...flags, 'src/server/main.ts'], {
    env: { ...process.env, PORT: String(port), ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<number | null>((done) => child.once('exit', done))
  const lines: string[] = []
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      lines.push(line)
      if (LINK.test(line)) break
    }
    child.stdout.resume()
    return await use(`http://127.0.0.1:${port}`, lines)
  } finally {
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  }
}

test('an own PostgreSQL and the first account are set up with the statements and the command as they are written', async () => {
  const [statements = ''] = await blocks('Your own PostgreSQL', 'sql')
  const written = statements
    .replaceAll("'...'", `'${PASSWORD}'`)
    .split(';')
    .map((one) => one.trim())
  expect(written.filter((one) => one !== '')).toHaveLength(3)
  for (const statement of written) if (statement !== '') await runStatement(admin, statement)
  const [names = ''] = await blocks('Your own PostgreSQL', 'sh')
  expect(names).toMatch(
    /DATABASE_OWNER_URL=postgres:\/\/forecourt_owner:.*\nDATABASE_URL=postgres:\/\/forecourt_web:/,
  )

  const as = (user: string) => urlOf({ ...admin, user, password: PASSWORD, database: 'forecourt' })
  const home = join(folder, 'home')
  await mkdir(home, { mode: 0o700 })
  const environment = {
    DATABASE_OWNER_URL: as('forecourt_owner'),
    DATABASE_URL: as('forecourt_web'),
    FORECOURT_HOME: home,
    FORECOURT_DEMO: '0',
    FORECOURT_SECRET: '1:the-old-key-of-this-installation-1234',
  }
  const [command = ''] = await blocks('The first account', 'sh')
  await withProduct(environment, async (address, lines) => {
    const [, token = ''] = LINK.exec(lines.join('\n')) ?? []
    const here = command
      .replace('https://backoffice.example.com', address)
      .replace('the token of the printed link', token)
    const first: unknown = JSON.parse(execFileSync('sh', ['-c', here], { encoding: 'utf8' }))
    expect(first).toMatchObject({ status: true })
    // Never again after that.
    const second: unknown = JSON.parse(execFileSync('sh', ['-c', here], { encoding: 'utf8' }))
    expect(second).toMatchObject({ status: false })
  })

  // A newer key encrypts from now on, and the older one still decrypts.
  const product = await startProduct(home, [], {
    ...environment,
    FORECOURT_SECRET: '2:the-new-key-of-this-installation-5678,1:the-old-key-of-this-installation-1234',
  })
  try {
    const token = await signIn(product.address, 'ada', 'Enough1!')
    const { results } = await call({ product, token }, users.list, {})
    expect(results?.map(({ userName }) => userName)).toEqual(['ada'])
  } finally {
    await product.stop()
  }
}, 300_000)
