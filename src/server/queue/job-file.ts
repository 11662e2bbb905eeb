import { Readable } from 'node:stream'
import type { Database } from '#server/database/tenant-transaction.ts'

/**
 * Streams a job's file part by part, without holding a connection in between. Fails if parts were deleted in the meantime, so
 * that an incomplete file is not mistaken for the whole.
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
