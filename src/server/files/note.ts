import type { files } from '#contract/files/files.ts'
import type { Actor } from '#server/http/actor.ts'
import type { Names } from './places.ts'

export type FileEvent = {
  call: keyof typeof files
  root: { container: string; root: Names }
  path: string
  what: string
  more?: Readonly<Record<string, unknown>>
}

/** Puts what was done with files into the audit log of the customer acted in. */
export type NoteFileEvent = (actor: Actor, event: FileEvent) => Promise<void>

/** What an entry of the audit log takes; identity, which stands above, writes it. */
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

// An index of the audit log holds the first of it; the whole path stands in the entry.
const ROW_ID_LENGTH = 400

/** Files are no rows: each entry is an event that names the path. */
export function noteFiles(write: (entry: Entry) => Promise<void>): NoteFileEvent {
  return (actor, { call, root: { container, root }, path, what, more = {} }) =>
    write({
      customerId: actor.customerId,
      organizationId: actor.organizationId,
      by: actor,
      endpoint: `files.${call}`,
      table: 'files',
      rowId: [container, ...root, path].join('/').slice(0, ROW_ID_LENGTH),
      what,
      more: { path, ...more },
    })
}
