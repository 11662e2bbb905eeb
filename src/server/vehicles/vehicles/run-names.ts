import type { Database } from '#server/database/tenant-transaction.ts'

/** The names of feed runs in a vehicle's timeline. `feeds` makes it. */
export type RunNames = Readonly<{
  /** The labels of the runs that the user has access to, by ID. */
  readLabels: (db: Database, runIds: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** The runs that these jobs undid, by job. Jobs are deleted after a while; then the timeline names only the job. */
  readUndone: (db: Database, jobIds: readonly string[]) => Promise<ReadonlyMap<string, string>>
}>
