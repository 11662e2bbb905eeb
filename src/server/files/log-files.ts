import type { files } from '#contract/files/files.ts'
import type { mediaMoves } from '#contract/files/media-moves.ts'
import type { sameFiles } from '#contract/files/same-files.ts'
import type { Actor } from '#server/http/actor.ts'
import type { Names } from './storage-paths.ts'

export type FileEvent = {
  /** Of the file manager, or with its domain. */
  call:
    | keyof typeof files
    | `sameFiles.${keyof typeof sameFiles}`
    | `mediaMoves.${keyof typeof mediaMoves}`
    | 'largeUploads.complete'
  root: { container: string; root: Names }
  path: string
  what: string
  more?: Readonly<Record<string, unknown>>
}

/** Records a file event in the current customer's audit log. */
export type LogFileEvent = (actor: Actor, event: FileEvent) => Promise<void>

/** An audit log entry, written by identity, which depends on this domain. */
type Entry = {
  customerId: string
  organizationId: string | null
  by: Actor
  endpoint: string
  table: string
  rowId: string
  what: string
  more: Readonly<Record<string, unknown>>
}

// The audit log indexes a prefix; the entry contains the whole path.
const ROW_ID_LENGTH = 400

/** Files aren't database rows, so each entry is an event with the path. */
export function logFiles(write: (entry: Entry) => Promise<void>): LogFileEvent {
  return (actor, { call, root: { container, root }, path, what, more = {} }) =>
    write({
      customerId: actor.customerId,
      organizationId: actor.organizationId,
      by: actor,
      endpoint: call.includes('.') ? call : `files.${call}`,
      table: 'files',
      rowId: [container, ...root, path].join('/').slice(0, ROW_ID_LENGTH),
      what,
      more: { path, ...more },
    })
}
