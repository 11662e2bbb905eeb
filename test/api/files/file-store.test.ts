import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { backUp } from '#server/backup/backup.ts'
import { REFERENCED } from '#server/backup/referenced-files.ts'
import { readSettings } from '#server/environment.ts'
import { claimFileStore } from '#server/installation/file-store.ts'
import { openInstallation } from '#server/installation/open-installation.ts'
import { openStorage } from '#server/outside/open-storage.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { freshDatabase, type TestDatabase } from '#test/engine/database.ts'
import { NOW, putFile, seal, settingsFor } from '#test/factories/installation/backups.ts'
import { feedImports } from '#test/factories/feeds/feed-imports.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { secrets } from '#test/harness/secrets.ts'

let database: TestDatabase
let forecourt: TestApp
let ford: TestOrganization
let admin: Caller
let folder: string
beforeAll(async () => {
  database = await freshDatabase()
  forecourt = await testApp({}, { database })
  ford = await testOrganization(forecourt, 'Northgate Ford')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  folder = await mkdtemp(join(tmpdir(), 'forecourt-stores-'))
  await openInstallation(forecourt.iamPool, secrets)
})
afterAll(async () => {
  await forecourt.close()
  await rm(folder, { recursive: true })
})

const { uploadFeed, csv } = feedImports(() => forecourt)

/** Like starting a process with this home. */
async function start(home: string, { isMoved = false } = {}): Promise<void> {
  await mkdir(join(folder, home), { recursive: true })
  const settings = readSettings({ FORECOURT_HOME: join(folder, home) })
  await openStorage(
    settings,
    () => {},
    (identity) => claimFileStore(forecourt.iamPool, identity, { isMoved }),
  )
}

test('rejects a process with its own folder, until the files are declared moved', async () => {
  await start('a')
  await start('a')
  await expect(start('b')).rejects.toThrow('The files of this installation are in a different storage')
  await rename(join(folder, 'a'), join(folder, 'c'))
  await start('c')
  await start('b', { isMoved: true })
  await start('b')
  await expect(start('c')).rejects.toThrow('start once with FORECOURT_FILES_MOVED=1')
})

test('Azure Storage can replace the folder that had the files, and no other', async () => {
  const azure = 'azure account/forecourt'
  await start('own', { isMoved: true })
  const claim = (own: string, former: string | null) =>
    claimFileStore(forecourt.iamPool, { own, former }, { isMoved: false })
  await expect(claim(azure, null)).rejects.toThrow('in a different storage')
  await expect(claim(azure, 'another')).rejects.toThrow('in a different storage')
  const { rows } = await forecourt.owner.query<{ word: string }>(
    'select file_store as word from iam.installation',
  )
  await claim(azure, rows[0]?.word ?? '')
  await claim(azure, null)
})

test('a backup counts the referenced files, and reports missing ones', async () => {
  await seal(database)
  const home = join(folder, 'backed-up')
  await mkdir(home)
  await forecourt.owner.query(`update vehicles set photos = '[]'`)
  for (const place of ['There.jpg', 'Vehicles/Gone.jpg'])
    await forecourt.owner.query('update vehicles set photos = $2 where id = $1', [
      await ford.addVehicle(),
      JSON.stringify([{ kind: 'file', place, alt: '' }]),
    ])
  await putFile(home, `kept/${ford.customerId}/media/There.jpg`, Buffer.from('picture'))
  const { rows } = await forecourt.owner.query(
    `select from evidence_files where removed_at is null union all select from assessment_evidence where removed_at is null`,
  )
  const settings = settingsFor(database, home)
  const parts = { settings, target: join(home, 'a.tar.gz'), backupKey: null, now: NOW, say: () => {} }
  const { referenced } = await backUp(parts)
  expect(referenced?.count).toBe(rows.length + 2)
  expect(referenced?.missing).toHaveLength(rows.length + 1)
  expect(referenced?.missing).toContain(`${ford.customerId}/media/Vehicles/Gone.jpg`)
})

test('a backup counts the files of every table that names any', async () => {
  const { rows } = await forecourt.owner.query<{ name: string }>(
    `select distinct c.table_name as name from information_schema.columns c
      where c.table_schema = 'public' and c.column_name like '%stored_as'`,
  )
  expect(rows.length).toBeGreaterThan(3)
  expect(
    rows.map(({ name }) => name).filter((name) => !new RegExp(`\\b${name}\\b`).test(REFERENCED)),
  ).toEqual([])
})

test('a server without the file of a run returns the job, which fails after five such attempts', async () => {
  const feed = csv('VIN,Stock,Type,Year,Make,Model,Price,Mileage', ',LACK,Used,2015,Ford,Escape,11000,70000')
  const run = await uploadFeed(admin, { lotId: await ford.addLot() }, feed)
  const feeds = join(forecourt.filesFolder, 'kept', ford.customerId, '_feeds')
  const [name = ''] = await readdir(feeds)
  const away = join(forecourt.filesFolder, 'away')
  const readAgain = async () => {
    await admin.call(feedRuns.readAgain, { id: run.id })
    await forecourt.jobs.runDue()
    return admin.call(feedRuns.get, { id: run.id })
  }
  const lookAgain = async () => {
    await forecourt.owner.query(`update jobs set leased_until = app_now() where state = 'running'`)
    await forecourt.jobs.runDue()
    return admin.call(feedRuns.get, { id: run.id })
  }
  await rename(join(feeds, name), away)
  expect(await readAgain()).toMatchObject({ status: 'reading' })
  await rename(away, join(feeds, name))
  expect(await lookAgain()).toMatchObject({ status: 'ready', new: 1 })

  await rename(join(feeds, name), away)
  await readAgain()
  for (let more = 0; more < 3; more += 1) expect(await lookAgain()).toMatchObject({ status: 'reading' })
  expect(await lookAgain()).toMatchObject({
    status: 'failed',
    error: 'The file is no longer stored. Upload it again.',
  })
})
