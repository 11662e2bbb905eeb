import { z } from 'zod'
import { Instant } from './fields.ts'

/** A frozen file, which never changes: what was approved, or submitted. */
export const SNAPSHOT = {
  id: z.string(),
  /** Of the bytes that a download has. */
  sha256: z.string(),
  madeBy: z.string().nullable(),
  madeAt: Instant,
}

/** The SHA-256 of a file, in either case. */
export const Sha256 = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[0-9a-f]{64}$/, 'A SHA-256 has 64 digits and letters from a to f.')

/** What checking a frozen file found. */
export const SnapshotCheck = z.object({
  /** The stored bytes still have the hash that was stored with them. */
  isIntact: z.boolean(),
  /** For a hash that was sent: the ID of the frozen file of the same record that has it; null: none has. */
  matchesId: z.string().nullable(),
})
export type SnapshotCheck = z.infer<typeof SnapshotCheck>
