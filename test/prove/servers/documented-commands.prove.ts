import { execFile, spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { users } from '#contract/identity/users/users.ts'
import { userTypes } from '#contract/identity/user-types/user-types.ts'
import { freePort } from '../../../bench/free-port.ts'
import { startProduct, type Product } from '../../../bench/product.ts'
import { signIn } from '../../../bench/sign-in.ts'
import { call, signInTo } from '../calling.ts'
import { documentBlocks } from './document-blocks.ts'

/** Commands are run as they are written, but with these folders and this port. */
let folder = ''
let home = ''
let port = 0
const MOUNT = '/mnt/backups'
const TRIAL = '/tmp/trial'
const COPY = '2026-11-22T21-12-23-264Z-before-migration'
const run: string[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forecourt-documented-'))
  home = join(folder, 'home')
  port = await freePort()
  await mkdir(home, { mode: 0o700 })
  await mkdir(join(folder, 'backups'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The lines of the shell blocks under a heading, without comments. */
async function documented(heading: string): Promise<string[]> {
  const blocks = await documentBlocks('docs/operation.md', heading, 'sh')
  return blocks.flatMap((block) =>
    block
      .split('\n')
      .map((line) => line.replace(/\s+#.*$/, '').trim())
      .filter((line) => line !== ''),
  )
}

const here = (command: string): string =>
  command
    .replaceAll(MOUNT, join(folder, 'backups'))
    .replaceAll(TRIAL, join(folder, 'trial'))
    .replace('PORT=8099', `PORT=${port}`)

const settings = () => ({
  ...process.env,
  FORECOURT_HOME: home,
  FORECOURT_BACKUP_KEY: 'a key for the backups',
})

/** Runs a command in a shell. @returns what it prints; @throws Error with that if it fails */
function execute(command: string): Promise<string> {
  run.push(command)
  return new Promise((done, fail) => {
    execFile('sh', ['-c', here(command)], { env: settings(), timeout: 240_000 }, (error, out, problems) => {
      if (error === null) done(out)
      else fail(new Error(`${command}\n${out}\n${problems}`))
    })
  })
}

/** Runs `npm start` until it is ready, then stops it as Ctrl-C does. */
async function startAndStop(command: string): Promise<string> {
  run.push(command)
  const child = spawn('sh', ['-c', `exec ${here(command).replace(/^((\w+=\S+ )*)/, 'env $1')}`], {
    env: settings(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<number | null>((done) => child.once('exit', done))
  let ready = ''
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('Forecourt is ready')) continue
    ready = line
    child.kill('SIGINT')
  }
  expect(await ended).toBe(0)
  return ready
}

async function addRobin(product: Product): Promise<void> {
  const session = await signInTo(product, { userName: 'northgate.admin', organization: 'Northgate Ford' })
  const types = await call(session, userTypes.forParent, {})
  const type = types.find(({ name }) => name === 'Customer administrator')
  await call(session, users.add, {
    user: {
      userName: 'robin.hale',
      firstName: 'Robin',
      lastName: 'Hale',
      email: 'robin.hale@people.example',
      userTypeId: type?.id ?? '',
      organizationIds: [session.organizationId],
    },
  })
}

test('every command of docs/operation.md does what it says, as it is written', async () => {
  const product = await startProduct(home, [], { FORECOURT_DEMO: '1' })
  try {
    await addRobin(product)
    const backups = await documented('Back up')
    expect(backups).toHaveLength(3)
    for (const command of backups) expect(await execute(command)).toMatch(/Backed up \d+ tables/)
    const file = join(folder, 'backups', 'friday.tar.gz')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readdir(join(folder, 'backups'))).toHaveLength(2)
    const resets = await documented('Help a locked-out user')
    expect(resets).toHaveLength(2)
    for (const command of resets) expect(await execute(command)).toMatch(/reset-password#/)
  } finally {
    await product.stop()
  }

  for (const command of await documented('Migrate')) await execute(command)

  const [restore = '', replace = '', trial = '', start = ''] = await documented('Restore')
  await expect(execute(restore)).rejects.toThrow(/--replace/)
  expect(await execute(replace)).toContain('Restored')
  const [waiting = '', begin = '', declare = ''] = await documented('A restored copy')
  expect(await execute(waiting)).toContain('It sends and fetches nothing.')
  expect(await execute(begin)).toContain('This is the real installation now.')
  expect(await execute(waiting)).toContain('This is the real installation.')
  expect(await execute(declare)).toContain('This installation is a copy now.')
  expect(await execute(trial)).toContain('Restored')
  expect(await startAndStop(start)).toContain(`:${port}`)

  await cp(join(home, 'postgres'), join(home, 'backups', COPY), { recursive: true })
  const [newest = '', named = ''] = await documented('Upgrade and roll back')
  expect(named).toContain(COPY)
  for (const command of [newest, named]) expect(await execute(command)).toMatch(/\S/)
  const kept = (await readdir(home)).filter((name) => name.startsWith('postgres-before-rollback-'))
  expect(kept.length).toBeGreaterThan(0)

  expect(await execute('npm run rotate-secret')).toContain('Encrypted')
  expect((await readdir(home)).some((name) => name.startsWith('secret-until-'))).toBe(true)
  // The data is still there, under the new secret.
  const again = await startProduct(home)
  try {
    await signIn(again.address, 'northgate.admin')
  } finally {
    await again.stop()
  }
  console.log(`figure: commands of docs/operation.md that were run as written = ${run.length}`)
}, 900_000)
