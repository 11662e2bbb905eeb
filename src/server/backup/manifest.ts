import { createHash } from 'node:crypto'
import { z } from 'zod'

/** The first entry of an archive, which identifies its format. */
export const HEADER_ENTRY = 'forecourt-backup.json'
/** The last two entries: the manifest and its hash. */
export const MANIFEST_ENTRY = 'manifest.json'
export const MANIFEST_HASH_ENTRY = 'manifest.sha256'

const Hash = z.string().regex(/^[0-9a-f]{64}$/)

/** A table: its non-generated columns, and the size and hash of its data. */
const Part = z.object({
  schema: z.string(),
  name: z.string(),
  columns: z.array(z.string()),
  rows: z.number().int(),
  bytes: z.number().int(),
  sha256: Hash,
})

export const Header = z.object({
  format: z.literal('forecourt-backup'),
  formatVersion: z.literal(1),
  productVersion: z.string(),
  madeAt: z.string(),
})

export const Manifest = z.object({
  header: Header,
  migrations: z.array(z.object({ name: z.string(), checksum: Hash })),
  tables: z.array(Part),
  sequences: z.array(
    z.object({ schema: z.string(), name: z.string(), lastValue: z.string(), isCalled: z.boolean() }),
  ),
  /** All files in FORECOURT_HOME/files, with one hash. */
  files: z.object({ count: z.number().int(), bytes: z.number().int(), sha256: Hash }),
  /** The key check value, which only the right secret decrypts. Null if the installation was never started. */
  keyCheckSealed: z.string().nullable(),
  /** The secret, encrypted with FORECOURT_BACKUP_KEY. Null if no key was set. */
  secretSealed: z.string().nullable(),
})
export type Manifest = z.infer<typeof Manifest>
export type Header = z.infer<typeof Header>
export type TablePart = z.infer<typeof Part>

/** The name of a table's entry. Its data is split into pieces of a few megabytes. */
export const tableEntry = ({ schema, name }: { schema: string; name: string }, piece: number): string =>
  `tables/${schema}.${name}/${String(piece).padStart(6, '0')}`

/** The table of an entry (`schema.name`), or null. */
export const tableOfEntry = (entry: string): string | null =>
  /^tables\/([^/]+)\/\d{6,}$/.exec(entry)?.[1] ?? null

/** The path of an entry's file in FORECOURT_HOME/files, with `/` as separator, or null. */
export const fileOfEntry = (entry: string): string | null =>
  entry.startsWith('files/') ? entry.slice('files/'.length) : null

/** Counts and hashes a stream of bytes. */
export function startChecksum(): {
  add: (bytes: Buffer) => void
  note: (text: string) => void
  end: () => { bytes: number; sha256: string }
} {
  const hash = createHash('sha256')
  let bytes = 0
  return {
    add(piece) {
      bytes += piece.length
      hash.update(piece)
    },
    note: (text) => void hash.update(text),
    end: () => ({ bytes, sha256: hash.digest('hex') }),
  }
}

/** The text before each file's bytes in the hash of all files. */
export const fileMark = (name: string, size: number): string => `${name}\0${size}\0`
