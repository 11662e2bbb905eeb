import type { files } from '#contract/files/files.ts'
import { FolderName } from '#contract/files/names.ts'
import { notFound, refused } from '#server/http/failure.ts'
import { Download } from '#server/http/kinds.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { FileStorage, StoragePath } from '#server/outside/file-storage.ts'
import type { OutsideStorage } from '#server/outside/open-transaction.ts'
import type { LogFileEvent } from './log-files.ts'
import {
  contentOf,
  folderNotFound,
  namesInMedia,
  nodeOf,
  pathInMedia,
  placeOf,
  spaceOf,
  nameTaken,
  toFailure,
} from './storage-paths.ts'
import { alone } from './alone.ts'
import { forgetContents, renameContents } from './media-contents.ts'
import { readTextsIn } from './media-texts.ts'
import { type FindMediaUses, makeRequireReplaceable, makeRequireUnused } from './media-uses.ts'
import { MOST_PICTURE_BYTES, type PublicPictures } from './public-pictures.ts'
import { makeQuota, type Limits, type Quota } from './quota.ts'
import { readBytes, versionOf } from './read-media.ts'
import { receive } from './receive.ts'
import { makeRequireShowable } from './replaced-pictures.ts'
import { noteUploaded, requireNewContent } from './same-content.ts'

/** A browser shows a thumbnail again for this long. */
const THUMBNAIL_SECONDS = 600

/** The specification's file manager on top of file storage. Every change is recorded in the audit log. */
export function fileHandlers(
  storageOf: OutsideStorage,
  limits: Limits,
  logEvent: LogFileEvent,
  pictures: PublicPictures,
  findUses: FindMediaUses,
): Handlers<typeof files> {
  const requireUnused = makeRequireUnused(findUses)
  return {
    getChildren: makeGetChildren(storageOf),

    async createDirectory({ actor, outside, input: { folder, dirName, ...root } }) {
      const storage = storageOf(outside)
      const parent = placeOf(actor.customerId, root, folder)
      if (folder.length > 0) await requireFolder(storage, parent)
      await storage.makeFolder([...parent, dirName]).catch((error: unknown) => {
        throw toFailure(error, dirName)
      })
      const node = nodeOf([...folder, dirName])
      await logEvent(actor, { call: 'createDirectory', root, path: node.path, what: 'created a folder' })
      return node
    },

    async uses({ db, input: { path, ...root } }) {
      const place = pathInMedia(root, path)
      return place === null ? { total: 0, uses: [] } : findUses(db, [place])
    },

    async rename({ actor, inTenant, outside, input: { path, newName, ...root } }) {
      const storage = storageOf(outside)
      const place = placeOf(actor.customerId, root, path)
      const found = await storage.find(place)
      if (found === null) throw notFound('File or folder')
      const name = found.kind === 'folder' ? folderName(newName) : newName
      const above = path.slice(0, -1)
      const renamed = nodeOf([...above, name])
      if (name === found.name) return renamed
      const parts = { storage, inTenant, customerId: actor.customerId }
      await alone(parts, async () => {
        await requireUnused(inTenant, root, { paths: [path], act: 'renamed' })
        const target = placeOf(actor.customerId, root, [...above, name])
        const other = await storage.find(target)
        if (other !== null) throw nameTaken(name, other.kind)
        await storage.move(place, target).catch((error: unknown) => {
          throw toFailure(error, name)
        })
        const [before, after] = [namesInMedia(root, path), namesInMedia(root, [...above, name])]
        if (before !== null && after !== null) await inTenant((db) => renameContents(db, before, after))
      })
      const from = path.join('/')
      await logEvent(actor, { call: 'rename', root, path: from, what: 'renamed', more: { to: renamed.path } })
      return renamed
    },

    async delete({ actor, inTenant, outside, input: { toDelete, ...root } }) {
      const storage = storageOf(outside)
      const existing: (typeof toDelete)[number][] = []
      for (const path of toDelete) {
        if ((await storage.find(placeOf(actor.customerId, root, path))) !== null) existing.push(path)
      }
      if (existing.length === 0) throw notFound('File or folder')
      const parts = { storage, inTenant, customerId: actor.customerId }
      await alone(parts, async () => {
        await requireUnused(inTenant, root, { paths: existing, act: 'deleted' })
        await storage.remove(existing.map((path) => placeOf(actor.customerId, root, path)))
        const media = existing.flatMap((path) => [namesInMedia(root, path) ?? []])
        if (namesInMedia(root, []) !== null) await inTenant((db) => forgetContents(db, media))
      })
      const more = { paths: existing.map((path) => path.join('/')) }
      await logEvent(actor, { call: 'delete', root, path: more.paths[0] ?? '', what: 'deleted', more })
      return null
    },

    download({ actor: { customerId }, outside, input: { path, w: width, ...root } }) {
      const storage = storageOf(outside)
      const place = placeOf(customerId, root, path)
      return width === undefined
        ? wholeFile(storage, place)
        : thumbnail(storage, pictures, { customerId, place, width })
    },

    upload: makeUpload(storageOf, makeQuota(limits), logEvent, findUses),
  }
}

/** Lists folders; the pictures of the media with their alternative texts. */
function makeGetChildren(storageOf: OutsideStorage): Handlers<typeof files>['getChildren'] {
  return async ({ actor, inTenant, outside, input: { folder, ...root } }) => {
    const storage = storageOf(outside)
    const children = await storage.list(placeOf(actor.customerId, root, folder))
    // The root exists even when it's empty.
    if (children === null && folder.length > 0) throw folderNotFound()
    const content = contentOf(children ?? [], folder)
    const names = namesInMedia(root, folder)
    const texts = names === null ? null : await inTenant((db) => readTextsIn(db, names))
    if (texts === null || texts.size === 0) return content
    const leafs = content.leafs.map((leaf) => {
      const alt = texts.get(leaf.name)
      return alt === undefined ? leaf : { ...leaf, alt }
    })
    return { ...content, leafs }
  }
}

/** Uploads to the file manager. */
function makeUpload(
  storageOf: OutsideStorage,
  quota: Quota,
  logEvent: LogFileEvent,
  findUses: FindMediaUses,
): Handlers<typeof files>['upload'] {
  const requireReplaceable = makeRequireReplaceable(findUses)
  const requireShowable = makeRequireShowable(findUses)
  return async ({
    actor,
    inTenant,
    outside,
    files: coming,
    input: { path, overwrite, askIfSame, ...root },
  }) => {
    const storage = storageOf(outside)
    const folder = placeOf(actor.customerId, root, path)
    if (path.length > 0) await requireFolder(storage, folder)
    const check = async (staged: readonly { name: string; content: string; replaces: boolean }[]) => {
      const replaced = staged.filter(({ replaces }) => replaces).map(({ name }) => [...path, name])
      await requireReplaceable(actor, inTenant, root, replaced)
      if (askIfSame) await requireNewContent({ storage, inTenant, actor }, { root, path }, staged)
    }
    const checkReplaced = (name: string, bytes: Buffer | null) =>
      requireShowable(actor, inTenant, { root, path: [...path, name], bytes })
    const counted = await quota.begin(storage, spaceOf(actor.customerId))
    try {
      const request = { files: coming, actor, folder, path, overwrite, counted, check, checkReplaced }
      const received = await receive(storage, request)
      try {
        await noteUploaded(inTenant, { root, path }, received.stored)
        await logEvent(actor, describeUpload(root, received))
      } catch (error) {
        // The upload failed, so new files must not remain. Replaced files can't be restored.
        const added = received.leafs.filter((leaf) => !received.replaced.includes(leaf.path))
        await storage.remove(added.map(({ name }) => [...folder, name]))
        throw error
      }
      return received.leafs
    } finally {
      counted.end()
    }
  }
}

async function requireFolder(storage: FileStorage, place: StoragePath): Promise<void> {
  if ((await storage.find(place))?.kind !== 'folder') throw folderNotFound()
}

function describeUpload(
  root: { container: string; root: readonly string[] },
  { leafs, replaced }: Awaited<ReturnType<typeof receive>>,
): Parameters<LogFileEvent>[1] {
  const paths = leafs.map((leaf) => leaf.path)
  const more = { paths, ...(replaced.length > 0 && { replaced }) }
  return { call: 'upload', root, path: paths[0] ?? '', what: 'uploaded', more }
}

async function wholeFile(storage: FileStorage, place: StoragePath): Promise<Download> {
  const file = await storage.read(place)
  if (file === null) throw notFound('File')
  // Screens show pictures with this call.
  const isTaken = !file.type.startsWith('image/')
  return new Download({ name: place.at(-1) ?? '', type: file.type, body: file.body, isTaken })
}

async function thumbnail(
  storage: FileStorage,
  pictures: PublicPictures,
  { customerId, place, width }: { customerId: string; place: StoragePath; width: number },
): Promise<Download> {
  const found = await storage.find(place)
  const type = 'image/webp'
  const bytes =
    found?.kind === 'file' && found.type.startsWith('image/')
      ? await pictures.read({
          customerId,
          original: `${place.join('/')} ${versionOf(found)}`,
          width,
          type,
          load: async () => (await readBytes(storage, place, MOST_PICTURE_BYTES))?.bytes ?? null,
        })
      : null
  if (bytes === null) throw notFound('File')
  return new Download({
    name: 'picture.webp',
    type,
    body: bytes,
    privateSeconds: THUMBNAIL_SECONDS,
    isInline: true,
  })
}

/** Applies the folder naming rule when a folder is renamed. */
function folderName(name: string): string {
  const read = FolderName.safeParse(name)
  if (read.success) return read.data
  const sentence = read.error.issues[0]?.message ?? ''
  throw refused(sentence, { newName: sentence })
}
