import { files } from '#contract/files/files.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Actor } from '#server/http/actor.ts'
import { unconfirmed } from '#server/http/failure.ts'
import type { FileStorage, StoredFile } from '#server/outside/file-storage.ts'
import { findCurrent, noteContent, pathOf, readSame } from './media-contents.ts'
import { namesInMedia, type Names, type Root } from './storage-paths.ts'

/** The most files with the same content that are named. */
const MOST_NAMED = 5

type InTenant = <T>(work: (db: Database) => Promise<T>) => Promise<T>

/**
 * Requires that no other file of the customer's media has the content of a file that is being uploaded to a folder. Who may not see
 * the media isn't asked.
 * @throws Failure 409 with those that have it, as `preview`
 */
export async function requireNewContent(
  { storage, inTenant, actor }: { storage: FileStorage; inTenant: InTenant; actor: Actor },
  folder: { root: Root; path: Names },
  incoming: readonly { name: string; content: string }[],
): Promise<void> {
  if (namesInMedia(folder.root, []) === null || !actor.may(files.getChildren.allow)) return
  const contents = [...new Set(incoming.map(({ content }) => content))]
  const known = await inTenant((db) => readSame(db, contents))
  // What an upload replaces isn't another file.
  const replaced = new Set(
    incoming.map(({ name }) => (namesInMedia(folder.root, [...folder.path, name]) ?? []).join('/')),
  )
  const found: Awaited<ReturnType<typeof findCurrent>> = []
  for (const content of contents) {
    const others = known.filter((one) => one.content === content && !replaced.has(pathOf(one)))
    // oxlint-disable-next-line no-await-in-loop -- Few, and each is a call to the storage.
    found.push(...(await findCurrent(storage, actor.customerId, others.slice(0, MOST_NAMED))))
  }
  const preview = incoming
    .map(({ name, content }) => ({
      name,
      same: found.filter((one) => one.content === content).map(({ leaf }) => leaf),
    }))
    .filter(({ same }) => same.length > 0)
  const [first] = preview
  if (first === undefined) return
  const where = first.same[0]?.path ?? ''
  throw unconfirmed(
    preview.length === 1
      ? `The media library has the same file already: ${where}.`
      : `The media library has ${preview.length} of these files already, such as ${where}.`,
    preview,
  )
}

/** Notes what uploaded files contain, if they are in the media. */
export async function noteUploaded(
  inTenant: InTenant,
  folder: { root: Root; path: Names },
  stored: readonly { file: StoredFile; content: string }[],
): Promise<void> {
  const media = stored.flatMap((one) => {
    const path = namesInMedia(folder.root, [...folder.path, one.file.name])
    return path === null ? [] : [{ ...one, path }]
  })
  if (media.length === 0) return
  await inTenant(async (db) => {
    for (const { path, ...one } of media) {
      // oxlint-disable-next-line no-await-in-loop -- One transaction.
      await noteContent(db, path, one)
    }
  })
}
