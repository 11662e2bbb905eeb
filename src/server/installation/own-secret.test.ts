import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { finishHome } from '#server/backup/home-files.ts'
import { clock } from '#server/clock.ts'
import { readSecrets } from '#server/secrets.ts'
import { readOrCreateSecret } from './secret-file.ts'

let home = ''
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'forecourt-own-secret-'))
})
afterEach(() => rm(home, { recursive: true }))

test.for([
  'ops-secret-0123456789abcdef',
  'sixteen letters!',
  ' with blanks at both ends ',
  '2:new-secret-of-ours,1:old-secret-of-ours',
])('a restore with the custom secret "%s" leaves a home that starts', async (own) => {
  const sealed = readSecrets(own).seal('word', 'here')
  await finishHome(home, { secret: own, now: clock.date() })
  const read = await readOrCreateSecret(home, 'secret')
  expect(readSecrets(read).open(sealed, 'here')).toBe('word')
})

test('reads a custom secret without the line break at its end', async () => {
  await writeFile(join(home, 'secret'), 'ops-secret-0123456789abcdef\r\n')
  expect(await readOrCreateSecret(home, 'secret')).toBe('ops-secret-0123456789abcdef')
})

test.for(['fifteen letters', '', '\n', 'ops-secret-0123456789\nabcdef'])(
  'rejects a secret file that would not be valid as FORECOURT_SECRET: %j',
  async (text) => {
    await writeFile(join(home, 'secret'), text)
    await expect(readOrCreateSecret(home, 'secret')).rejects.toThrow('is damaged')
  },
)
