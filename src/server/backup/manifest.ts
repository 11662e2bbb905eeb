import { createHash } from 'node:crypto'
import { z } from 'zod'

/** The first entry of an archive: what it is. */
export const HEADER_ENTRY = 'forecourt-backup.json'
/** The last two: what is in it, and the hash of that. */
export const MANIFEST_ENTRY = 'manifest.json'
export const MANIFEST_HASH_ENTRY = 'manifest.sha256'

const Hash = z.string().regex(/^[0-9a-f]{64}$/)

/** Of one table: its columns that are not computed, and what all its bytes together come to. */
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
  /** The files of FORECOURT_HOME/files, all as one. */
  files: z.object({ count: z.number().int(), bytes: z.number().int(), sha256: Hash }),
  /** The installation's sealed word: only the right secret opens it. Null where the database never was started. */
  keyCheckSealed: z.string().nullable(),
  /** The secret, sealed with FORECOURT_BACKUP_KEY; null where no key was given. */
  secretSealed: z.string().nullable(),
})
export type Manifest = z.infer<typeof Manifest>
export type Header = z.infer<typeof Header>
export type TablePart = z.infer<typeof Part>

/** How an entry of a table is called: its bytes come in pieces of some megabytes. */
export const tableEntry = ({ schema, name }: { schema: string; name: string }, piece: number): string =>
  `tables/${schema}.${name}/${String(piece).padStart(6, '0')}`

/** Which table an entry belongs to (`schema.name`), or null. */
export const tableOfEntry = (entry: string): string | null =>
  /^tables\/([^/]+)\/\d{6,}$/.exec(entry)?.[1] ?? null

/** Which file of FORECOURT_HOME/files an entry is, with `/` between its folders, or null. */
export const fileOfEntry = (entry: string): string | null =>
  entry.startsWith('files/') ? entry.slice('files/'.length) : null

/** Counts and hashes bytes as they pass. */
export function tally(): {
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

/** What stands before a file's bytes in the hash of all files. */
export const fileMark = (name: string, size: number): string => `${name}\0${size}\0`
