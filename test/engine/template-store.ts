import {
  constants,
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { codeOf } from '#server/error-code.ts'
import { HOMES } from './home.ts'

/** The metadata stored with a template. */
export type TemplateNotes = {
  /** The password of the owner that runs migrations. Null: the owner is the superuser. */
  ownerPassword: string | null
  /** The time on the product's clock at which tests start. */
  startsAt: string
}
const Notes = z.object({ ownerPassword: z.string().nullable(), startsAt: z.string() })

const STORE = join(HOMES, 'templates')
/** Two versions of the code, on two servers each. */
const MAX_TEMPLATES = 4
const NOTES = 'template.json'
const DATA = 'postgres'
const PASSWORD = 'postgres-password'

const copying = { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE }

/**
 * Copies the stored template into an empty home folder, from which a server can be started. Returns null if there is none,
 * or if another run removed it in the meantime.
 */
export async function takeTemplate(key: string, home: string): Promise<TemplateNotes | null> {
  const stored = join(STORE, key)
  try {
    const notes = Notes.parse(JSON.parse(await readFile(join(stored, NOTES), 'utf8')))
    const now = new Date()
    await utimes(stored, now, now)
    await cp(join(stored, PASSWORD), join(home, PASSWORD), copying)
    await cp(join(stored, DATA), join(home, DATA), copying)
    return notes
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    await rm(join(home, DATA), { recursive: true, force: true })
    await rm(join(home, PASSWORD), { force: true })
    return null
  }
}

/**
 * Stores the data of a cleanly stopped server. The copy is created inside `home`, which is cleaned up if this run is killed,
 * and renamed when complete. If another run stored the same template first, that one stays.
 */
export async function storeTemplate(
  key: string,
  { home, data, notes }: { home: string; data: string; notes: TemplateNotes },
): Promise<void> {
  const draft = join(home, 'draft')
  await mkdir(draft, { mode: 0o700 })
  await cp(join(home, PASSWORD), join(draft, PASSWORD), copying)
  await cp(data, join(draft, DATA), copying)
  await writeFile(join(draft, DATA, 'postgresql.auto.conf'), SERVER_SETTINGS, { mode: 0o600 })
  await writeFile(join(draft, NOTES), JSON.stringify(notes), { mode: 0o600 })
  await mkdir(STORE, { recursive: true, mode: 0o700 })
  await removeOldest(home)
  try {
    await rename(draft, join(STORE, key))
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '')) throw error
    await rm(draft, { recursive: true })
  }
}

/** Test data does not outlive its run, so the server needs no crash safety, replication or autovacuum. */
const SERVER_SETTINGS = `
wal_level = minimal
max_wal_senders = 0
max_wal_size = 8GB
checkpoint_timeout = 1h
shared_buffers = 256MB
autovacuum = off
`

/** Removes the oldest templates. Each is moved into `home` first, so that nobody uses a half-removed template. */
async function removeOldest(home: string): Promise<void> {
  const names = await readdir(STORE)
  const aged = await Promise.all(
    names.map(async (name) => ({
      name,
      at: (await stat(join(STORE, name)).catch(() => null))?.mtimeMs ?? 0,
    })),
  )
  for (const { name } of aged.toSorted((one, other) => other.at - one.at).slice(MAX_TEMPLATES - 1)) {
    const aside = join(home, `removed-${name}`)
    const isMoved = await rename(join(STORE, name), aside).then(
      () => true,
      () => false,
    )
    if (isMoved) await rm(aside, { recursive: true, force: true })
  }
}
