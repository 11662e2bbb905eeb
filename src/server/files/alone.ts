import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '#server/database/tenant-transaction.ts'
import { conflict } from '#server/http/failure.ts'
import type { FileStorage } from '#server/outside/file-storage.ts'
import { namesOfPath, renameContents } from './media-contents.ts'
import { mediaPlace } from './storage-paths.ts'

/** From and to, from the top of the media. */
export const MovedItems = z.array(z.object({ from: z.string(), to: z.string() }))
export type MovedItems = z.infer<typeof MovedItems>

export type MediaParts = {
  storage: FileStorage
  inTenant: <T>(work: (db: Database) => Promise<T>) => Promise<T>
  customerId: string
}

const RENEWED_MS = 20_000
/** What wasn't renewed for so long belongs to a server that was killed. */
const LOST = sql`interval '2 minutes'`
const TRY_MS = 100
const TRIES = 100

/**
 * Does what changes paths of a customer's media while nothing else does: otherwise a folder could be deleted with a file that was
 * just moved into it. First finishes the move of a server that was killed.
 * @param work gets the ID of its row, which has the items that it moves, and stays if it has any
 * @throws Failure 409 if others take too long
 */
export async function alone<T>(parts: MediaParts, work: (id: string) => Promise<T>): Promise<T> {
  const { inTenant } = parts
  const id = await begin(parts)
  const touch = () =>
    inTenant((db) => sql`update media_moves set touched_at = app_now() where id = ${id}`.execute(db))
  const renewing = setInterval(() => void touch().catch(() => {}), RENEWED_MS)
  try {
    return await work(id)
  } finally {
    clearInterval(renewing)
    await inTenant((db) => end(db, id))
  }
}

async function begin(parts: MediaParts): Promise<string> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    // oxlint-disable-next-line no-await-in-loop -- Waits for others.
    const { rows } = await parts.inTenant((db) =>
      sql<{
        id: string
      }>`insert into media_moves default values on conflict do nothing returning id::text`.execute(db),
    )
    if (rows[0] !== undefined) return rows[0].id
    // oxlint-disable-next-line no-await-in-loop -- The same.
    if (!(await finishLost(parts))) await wait(TRY_MS)
  }
  throw conflict(
    'Other files of the media library are being moved or deleted right now. Try again in a moment.',
  )
}

async function end(db: Database, id: string): Promise<void> {
  await sql`delete from media_moves where id = ${id} and items = '[]'`.execute(db)
  await sql`update media_moves set is_running = false, touched_at = app_now() where id = ${id}`.execute(db)
}

/** Finishes what a killed server began: what it moved is followed. Whether there was anything. */
export async function finishLost({ storage, inTenant, customerId }: MediaParts): Promise<boolean> {
  const lost = await inTenant(async (db) => {
    const { rows } = await sql<{ id: string; items: unknown }>`update media_moves set touched_at = app_now()
      where is_running and touched_at < app_now() - ${LOST} returning id::text, items`.execute(db)
    return rows[0]
  })
  if (lost === undefined) return false
  const moved: MovedItems = []
  for (const item of MovedItems.parse(lost.items)) {
    const [before, after] = [item.from, item.to].map((path) => mediaPlace(customerId, namesOfPath(path)))
    if (before === undefined || after === undefined) continue
    // oxlint-disable-next-line no-await-in-loop -- Each is a call to the storage.
    if ((await storage.find(before)) === null && (await storage.find(after)) !== null) moved.push(item)
  }
  await inTenant(async (db) => {
    await followMoved(db, moved)
    await noteItems(db, lost.id, moved)
    await end(db, lost.id)
  })
  return true
}

/** Notes what is to be moved, or was. */
export async function noteItems(db: Database, id: string, items: MovedItems): Promise<void> {
  await sql`update media_moves set items = ${JSON.stringify(items)}, touched_at = app_now() where id = ${id}`.execute(
    db,
  )
}

/** Lets everything that refers to moved files and folders refer to them where they are now. Returns how many vehicles and pages. */
export async function followMoved(db: Database, moved: MovedItems): Promise<number> {
  if (moved.length === 0) return 0
  for (const { from, to } of moved) {
    // oxlint-disable-next-line no-await-in-loop -- One transaction.
    await renameContents(db, namesOfPath(from), namesOfPath(to))
  }
  const { rows } = await sql<{ total: number }>`select move_media_references(
    ${moved.map(({ from }) => from)}::text[], ${moved.map(({ to }) => to)}::text[]) as total`.execute(db)
  return rows[0]?.total ?? 0
}
