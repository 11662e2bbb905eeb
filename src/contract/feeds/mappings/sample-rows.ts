import type { FeedRow } from './source-row.ts'

/** How many rows a mapping is proposed from. */
const SIZE = 400

/**
 * The rows that a mapping is proposed from: those with the smallest hashes, which are spread over the file and the same in
 * whatever order it lists them. The first rows of a sorted file are all of one make, or all new.
 */
export function sampleRows(rows: readonly FeedRow[]): FeedRow[] {
  const sampler = rowSampler()
  for (const row of rows) sampler.add(row)
  return sampler.rows()
}

/** The same for rows that are read one by one. Holds at most twice the sample. */
export function rowSampler(): { add: (row: FeedRow) => void; rows: () => FeedRow[] } {
  let kept: { key: number; row: FeedRow }[] = []
  const cut = () => {
    kept = kept.toSorted((one, other) => one.key - other.key || compare(one.row, other.row)).slice(0, SIZE)
  }
  return {
    add(row) {
      kept.push({ key: hashOf(row.raw), row })
      if (kept.length >= SIZE * 2) cut()
    },
    rows() {
      cut()
      return kept.map(({ row }) => row)
    },
  }
}

const compare = (one: FeedRow, other: FeedRow): number => {
  if (one.raw === other.raw) return 0
  return one.raw < other.raw ? -1 : 1
}

/** How many characters of a row are hashed: enough to tell its number from that of others. */
const HASHED = 200

/** FNV-1a, 32 bits, mixed once more: the hashes of similar texts must be far apart. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < Math.min(text.length, HASHED); at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return (hash ^ (hash >>> 13)) >>> 0
}
