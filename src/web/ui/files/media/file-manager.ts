import type { PictureWidth } from '#contract/files/picture-widths.ts'
import { useQuery } from '@tanstack/react-query'
import {
  type FileLeaf,
  files,
  type FolderContent,
  MEDIA_CONTAINER,
  type MediaUses,
} from '#contract/files/files.ts'
import { call } from '#web/api/client.ts'
import { download } from '#web/api/download.ts'
import { CallFailure } from '#web/api/failure.ts'
import { keyOf, query, queryClient } from '#web/api/query.ts'
import { upload } from '#web/api/upload.ts'
import { type SendingParts, sendInParts } from './send-in-parts.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { fetchFile } from '#web/ui/tasks/fetch-file.ts'

const at = { container: MEDIA_CONTAINER }
const NOTHING: FolderContent = { leafs: [], nodes: [] }

/**
 * The contents of a media folder. On any error, `content` is the empty lists of specification section 8, and
 * `failure` holds the reason.
 */
export function useFolder(folder: string) {
  const { data, error, isPending, refetch } = useQuery(query(files.getChildren, { ...at, folder }))
  const content = error ? NOTHING : (data ?? NOTHING)
  return { content, failure: error, isPending, retry: () => void refetch() }
}

/** Creates the missing folders of a path. False if one was rejected; a dialog has shown the reason. */
export async function ensureFolder(path: readonly string[]): Promise<boolean> {
  for (const [depth, dirName] of path.entries()) {
    const folder = path.slice(0, depth).join('/')
    const made = await call(files.createDirectory, { ...at, folder, dirName }).catch((failure: unknown) => {
      // The folder already exists.
      if (failure instanceof CallFailure && failure.status === 409) return true
      if (failure instanceof CallFailure) showError(failure)
      return false
    })
    if (made === false) return false
  }
  await queryClient.invalidateQueries({ queryKey: keyOf(files.getChildren) })
  return true
}

/** What uses a file, or files in a folder; null if it can't be read, which a dialog has shown. */
export async function readUses(path: string): Promise<MediaUses | null> {
  return (await orFalse(call(files.uses, { ...at, path }))) || null
}

/** Deletes files and folders. False if it was rejected; a dialog has shown the reason (section 8). */
export async function remove(toDelete: string[]): Promise<boolean> {
  return (await orFalse(call(files.delete, { ...at, toDelete }))) !== false
}

export type Sending = {
  folder: string
  replaces: boolean
  /** Whether to reject a file that the library has under another name. `onRefused` receives those as `preview`. */
  asksIfSame?: boolean
  signal: AbortSignal
  onSent: (bytes: number) => void
}

/** Uploads one file. False as above; `onRefused` also receives the reason. A canceled upload shows nothing. */
export function sendFile(
  file: File,
  { folder, replaces, asksIfSame = false, signal, onSent }: Sending,
  onRefused: (failure: CallFailure) => void,
): Promise<FileLeaf[] | false> {
  const input = {
    ...at,
    path: folder,
    ...(replaces && { overwrite: 'true' as const }),
    ...(asksIfSame && { askIfSame: 'true' as const }),
  }
  return orFalse(upload(files.upload, input, [file], { signal, onSent }), onRefused)
}

/** Uploads one large file in parts, and goes on with what arrived before. As `sendFile`; a lost connection shows nothing. */
export function sendLargeFile(
  file: File,
  sending: SendingParts,
  onRefused: (failure: CallFailure) => void,
): Promise<FileLeaf[] | false> {
  return orFalse(sendInParts(file, sending), onRefused)
}

/** Fetches a file for use on the page, usually a picture, in one width or as it is; null if it fails (section 8). */
export function fetchBlob(path: string, signal: AbortSignal, width?: PictureWidth): Promise<File | null> {
  const w = width === undefined ? {} : { w: String(width) }
  return download(files.download, { ...at, path, ...w }, { signal, onBytes: () => {} }).catch(() => null)
}

const THUMBNAIL = '320'

/** Fetches a small picture of a file; null if the file isn't one that can be shown. @throws CallFailure */
export function fetchThumbnail(path: string, signal: AbortSignal): Promise<File | null> {
  const asked = download(files.download, { ...at, path, w: THUMBNAIL }, { signal, onBytes: () => {} })
  return asked.catch((failure: unknown) => {
    if (failure instanceof CallFailure && failure.status === 404) return null
    throw failure
  })
}

/** Downloads a file to the user's machine, and shows an error if it fails. */
export function saveToDisk({ path, name }: Pick<FileLeaf, 'path' | 'name'>): Promise<void> {
  return fetchFile(files.download, { ...at, path }, name).catch((failure: unknown) => {
    if (!(failure instanceof CallFailure)) throw failure
    showError(failure)
  })
}

async function orFalse<T>(
  answer: Promise<T>,
  onRefused?: (failure: CallFailure) => void,
): Promise<T | false> {
  try {
    const data = await answer
    await queryClient.invalidateQueries({ queryKey: keyOf(files.getChildren) })
    return data
  } catch (failure) {
    if (!(failure instanceof CallFailure)) return false
    onRefused?.(failure)
    // The list of uploads asks what to do, or goes on later.
    const isListed = failure.preview !== undefined || (onRefused && failure.kind === 'offline')
    if (!isListed) showError(failure)
    return false
  }
}
