import { Readable } from 'node:stream'
import type { Database } from '#server/database/tenant-transaction.ts'

/**
 * The bytes of a job's file, a part at a time: no connection is held while the caller reads. Breaks off where parts are
 * gone meanwhile, so that nobody takes a piece for the whole.
 */
export function readJobFile(
  inTenant: <T>(work: (db: Database) => Promise<T>) => Promise<T>,
  { jobId, bytes }: { jobId: string; bytes: number },
): Readable {
  async function* parts(): AsyncGenerator<Buffer> {
    let sent = 0
    for (let part = 1; sent < bytes; part += 1) {
      const found = await inTenant((db) =>
        db
          .selectFrom('jobFileParts')
          .select('bytes')
          .where('jobId', '=', jobId)
          .where('part', '=', part)
          .executeTakeFirst(),
      )
      if (found === undefined)
        throw new Error(`The file of job ${jobId} ends after ${sent} of ${bytes} bytes.`)
      sent += found.bytes.byteLength
      yield found.bytes
    }
  }
  return Readable.from(parts(), { objectMode: false })
}
