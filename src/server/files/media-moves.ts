import { sql } from 'kysely'
import type pg from 'pg'
import { MEDIA_CONTAINER } from '#contract/files/files.ts'
import { type mediaMoves, MOST_MOVED_PATH } from '#contract/files/media-moves.ts'
import { readPath } from '#contract/files/names.ts'
import { inTenant as inTenantOf, type Database } from '#server/database/tenant-transaction.ts'
import { notFound, refused, unconfirmed } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { type FileStorage, type Stored, StorageRefusal } from '#server/outside/file-storage.ts'
import type { OutsideStorage } from '#server/outside/open-transaction.ts'
import { systemScope } from '#server/queue/due-items.ts'
import { alone, finishLost, followMoved, type MediaParts, MovedItems, noteItems } from './alone.ts'
import type { LogFileEvent } from './log-files.ts'
import { namesOfPath } from './media-contents.ts'
import { folderNotFound, freeFileName, mediaPlace, type Names } from './storage-paths.ts'

/** As many are moved before what shows them follows. */
const STEP = 10
const ROOT = { container: MEDIA_CONTAINER, root: [] }
const KEPT_FOR = sql`interval '1 day'`
const GONE = 'This was deleted or moved in the meantime.'
const TAKEN = 'The folder has this name already.'
const TOO_LONG = `Its path there would be longer than ${MOST_MOVED_PATH} characters, or more than 30 folders deep.`

type KeptItems = { path: string; reason: string }[]

/** Moves files and folders of the media, and back. */
export function mediaMoveHandlers(
  storageOf: OutsideStorage,
  logEvent: LogFileEvent,
): Handlers<typeof mediaMoves> {
  return {
    async move({ actor, inTenant, outside, input: { paths, to, taken } }) {
      const parts = { storage: storageOf(outside), inTenant, customerId: actor.customerId }
      const wanted = withoutNested(paths)
      requireOutside(wanted, to)
      const { id, ...done } = await alone(parts, async (row) => {
        const { items, kept } = await plan(parts, wanted, { to, taken })
        const answer = await moveItems(parts, row, items)
        return { id: row, ...answer, kept: [...kept, ...answer.kept] }
      })
      const [first] = done.moved
      if (first === undefined) return { undo: null, ...done }
      const more = { moved: done.moved, followed: done.followed }
      await logEvent(actor, { call: 'mediaMoves.move', root: ROOT, path: first.from, what: 'moved', more })
      return { undo: id, ...done }
    },

    async undo({ actor, inTenant, outside, input }) {
      const parts = { storage: storageOf(outside), inTenant, customerId: actor.customerId }
      const { moved, kept } = await alone(parts, async (row) => {
        const items = await inTenant((db) => takeMove(db, input.undo))
        const back = items.map(({ from, to }) => ({ from: to, to: from })).toReversed()
        return moveItems(parts, row, back)
      })
      const [first] = moved
      if (first !== undefined)
        await logEvent(actor, {
          call: 'mediaMoves.undo',
          root: ROOT,
          path: first.from,
          what: 'moved',
          more: { moved },
        })
      return { moved, kept }
    },
  }
}

/** Finishes the moves of killed servers, and forgets those that can't be undone anymore. */
export async function sweepMediaMoves(
  { storage, pool }: { storage: FileStorage; pool: pg.Pool },
  customerIds: readonly string[],
): Promise<void> {
  for (const customerId of customerIds) {
    const inTenant: MediaParts['inTenant'] = (work) =>
      inTenantOf(pool, systemScope(customerId, 'media-move-sweep'), work)
    // oxlint-disable-next-line no-await-in-loop -- One at a time, because no one waits for it.
    await finishLost({ storage, inTenant, customerId })
    // oxlint-disable-next-line no-await-in-loop -- The same.
    await inTenant((db) =>
      sql`delete from media_moves where not is_running and touched_at < app_now() - ${KEPT_FOR}`.execute(db),
    )
  }
}

/** Each once, and nothing that is in another one of them. */
function withoutNested(paths: readonly Names[]): Names[] {
  const wanted = new Map(paths.map((path) => [path.join('/'), path]))
  return [...wanted.values()].filter(
    (path) => !path.some((_, depth) => depth > 0 && wanted.has(path.slice(0, depth).join('/'))),
  )
}

/** @throws Failure 400 for a folder that is to be moved into itself */
function requireOutside(wanted: readonly Names[], to: Names): void {
  const path = `${to.join('/')}/`
  if (!wanted.some((one) => path.startsWith(`${one.join('/')}/`))) return
  const sentence = "A folder can't be moved into itself. Choose another folder."
  throw refused(sentence, { to: sentence })
}

/** What is moved to where. @throws Failure 404 without the target, 409 if names are taken and the user is to be asked */
async function plan(
  { storage, customerId }: MediaParts,
  wanted: readonly Names[],
  { to, taken }: { to: Names; taken: 'ask' | 'number' | 'skip' },
): Promise<{ items: MovedItems; kept: KeptItems }> {
  const folder = mediaPlace(customerId, to)
  if (to.length > 0 && (await storage.find(folder))?.kind !== 'folder') throw folderNotFound()
  const names = new Set(((await storage.list(folder)) ?? []).map(({ name }) => name))
  const items: MovedItems = []
  const kept: KeptItems = []
  const asked: string[] = []
  for (const path of wanted) {
    const from = path.join('/')
    // oxlint-disable-next-line no-await-in-loop -- Each is a call to the storage.
    const found = await storage.find(mediaPlace(customerId, path))
    if (found === null) {
      kept.push({ path: from, reason: GONE })
      continue
    }
    if (path.slice(0, -1).join('/') === to.join('/')) {
      kept.push({ path: from, reason: 'It is in this folder already.' })
      continue
    }
    const isTaken = names.has(found.name)
    if (isTaken && taken === 'ask') asked.push(from)
    if (isTaken && taken === 'skip') kept.push({ path: from, reason: TAKEN })
    if (isTaken && taken !== 'number') continue
    const target = [...to, freeFileName(found.name, names)]
    // oxlint-disable-next-line no-await-in-loop -- The same.
    if (!(await fits(storage, mediaPlace(customerId, path), { found, target }))) {
      kept.push({ path: from, reason: TOO_LONG })
      continue
    }
    names.add(target.at(-1) ?? '')
    items.push({ from, to: target.join('/') })
  }
  if (asked.length === 0) return { items, kept }
  const sentence =
    asked.length === 1
      ? `The folder has a file or folder named ${asked[0]?.split('/').at(-1) ?? ''} already.`
      : `The folder has ${asked.length} of these names already.`
  throw unconfirmed(sentence, asked)
}

/** Whether the paths of what is moved, and of everything in it, aren't too long. */
async function fits(
  storage: FileStorage,
  place: Names,
  { found, target }: { found: Stored; target: Names },
): Promise<boolean> {
  const waiting: Names[] = [[]]
  for (let below = waiting.pop(); below !== undefined; below = waiting.pop()) {
    const path = [...target, ...below].join('/')
    if (path.length > MOST_MOVED_PATH || 'fault' in readPath(path)) return false
    const here = [...place, ...below]
    // oxlint-disable-next-line no-await-in-loop -- Each is a call to the storage.
    const children = found.kind === 'folder' ? ((await storage.list(here)) ?? []) : []
    for (const { kind, name } of children) {
      if (kind === 'folder') waiting.push([...below, name])
      else if (`${path}/${name}`.length > MOST_MOVED_PATH) return false
    }
  }
  return true
}

/** Moves some at a time, and what shows them follows. What was moved is followed also when the storage fails in between. */
async function moveItems(
  { storage, inTenant, customerId }: MediaParts,
  id: string,
  items: MovedItems,
): Promise<{ moved: MovedItems; followed: number; kept: KeptItems }> {
  const moved: MovedItems = []
  const kept: KeptItems = []
  let followed = 0
  await inTenant((db) => noteItems(db, id, items))
  try {
    for (let at = 0; at < items.length; at += STEP) {
      const step: MovedItems = []
      try {
        for (const item of items.slice(at, at + STEP)) {
          const [from, to] = [namesOfPath(item.from), namesOfPath(item.to)]
          // oxlint-disable-next-line no-await-in-loop -- Each is a call to the storage.
          const why = await moveOne(storage, mediaPlace(customerId, from), mediaPlace(customerId, to))
          if (why === null) step.push(item)
          else kept.push({ path: item.from, reason: why })
        }
      } finally {
        moved.push(...step)
        // oxlint-disable-next-line no-await-in-loop -- In order.
        followed += await inTenant((db) => followMoved(db, step))
      }
    }
  } finally {
    await inTenant((db) => noteItems(db, id, moved))
  }
  return { moved, followed, kept }
}

/** Why something wasn't moved; null if it was. */
async function moveOne(storage: FileStorage, from: Names, to: Names): Promise<string | null> {
  try {
    await storage.move(from, to)
    return null
  } catch (error) {
    if (error instanceof StorageRefusal) return error.why === 'missing' ? GONE : TAKEN
    throw error
  }
}

/** What a move moved. It can be undone once. @throws Failure 404 */
async function takeMove(db: Database, id: string): Promise<MovedItems> {
  const { rows } = await sql<{ items: unknown }>`delete from media_moves
    where id = ${id} and not is_running and touched_at > app_now() - ${KEPT_FOR} returning items`.execute(db)
  if (rows[0] === undefined) throw notFound('Move')
  return MovedItems.parse(rows[0].items)
}
