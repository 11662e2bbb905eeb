import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readOrCreateSecret } from './secret-file.ts'

let home = ''
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'forecourt-secret-'))
})
afterEach(() => rm(home, { recursive: true }))

test('creates a secret once, 32 bytes long, readable only by its owner', async () => {
  const secret = await readOrCreateSecret(home, 'secret')
  expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
  expect((await stat(join(home, 'secret'))).mode & 0o777).toBe(0o600)
  expect(await readOrCreateSecret(home, 'secret')).toBe(secret)
})

test('concurrent starts get the same secret and leave no other files', async () => {
  const secrets = await Promise.all(Array.from({ length: 10 }, () => readOrCreateSecret(home, 'secret')))
  expect(new Set(secrets).size).toBe(1)
  expect(await readdir(home)).toEqual(['secret'])
})

test('rejects a damaged secret instead of replacing it', async () => {
  await writeFile(join(home, 'secret'), 'half')
  await expect(readOrCreateSecret(home, 'secret')).rejects.toThrow('is damaged')
})
