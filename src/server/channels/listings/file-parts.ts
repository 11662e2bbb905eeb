import { Readable } from 'node:stream'
import type { Database } from '#server/database/tenant-transaction.ts'

/**
 * Streams the file of a run part by part, each in its own transaction, so that a slow reader doesn't hold a database
 * connection. If a part has been deleted, the stream fails so that no one mistakes a partial file for a complete one.
 */
export function readParts(
  inTenant: <T>(work: (db: Database) => Promise<T>) => Promise<T>,
  { runId, bytes }: { runId: string; bytes: number },
): Readable {
  async function* parts(): AsyncGenerator<Buffer> {
    let read = 0
    for (let part = 0; read < bytes; part += 1) {
      const row = await inTenant((db) =>
        db
          .selectFrom('channelFileParts')
          .select('bytes')
          .where('runId', '=', runId)
          .where('part', '=', part)
          .executeTakeFirst(),
      )
      if (row === undefined) throw new Error('A newer file replaced this one.')
      read += row.bytes.length
      yield row.bytes
    }
  }
  return Readable.from(parts(), { objectMode: false })
}
