import { Readable } from 'node:stream'
import type { Database } from '#server/database/tenant-transaction.ts'

/**
 * The file of a run, a part at a time, each in a transaction of its own: a slow reader holds no connection. A part that
 * is gone meanwhile breaks the stream off, so that nobody takes half a file for a whole one.
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
      if (row === undefined) throw new Error('A newer file took the place of this one.')
      read += row.bytes.length
      yield row.bytes
    }
  }
  return Readable.from(parts(), { objectMode: false })
}
