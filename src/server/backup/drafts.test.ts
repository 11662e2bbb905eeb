import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { clock } from '#server/clock.ts'
import { draftOf, removeLeftDrafts } from './drafts.ts'

test('removes the drafts of killed backups and no other files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'forecourt-drafts-'))
  const path = join(folder, 'forecourt-2026.tar.gz')
  const own = basename(draftOf(path))
  const { pid: ended } = spawnSync(process.execPath, ['--version'])
  const ofEnded = own.replace(`.${process.pid}.`, `.${ended}.`)
  const elsewhere = ['forecourt-1.tar.gz.other-host.1.draft', 'forecourt-2.tar.gz.other-host.1.draft']
  const names = [own, ofEnded, ...elsewhere, 'letter.draft', 'forecourt-0.tar.gz']
  for (const name of names) await writeFile(join(folder, name), 'x')
  const [old = '', young = ''] = elsewhere
  await utimes(join(folder, old), 1, 1)
  await utimes(join(folder, young), clock.date(), clock.date())
  await removeLeftDrafts(path)
  const left = await readdir(folder)
  await rm(folder, { recursive: true })
  expect(left.toSorted()).toEqual(
    [own, 'forecourt-2.tar.gz.other-host.1.draft', 'letter.draft', 'forecourt-0.tar.gz'].toSorted(),
  )
})
