import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { HEAD_BYTES } from './type-of-bytes.ts'

/**
 * Passes the bytes of an upload through, and collects size, hash and first bytes on the way. Beyond `most` bytes the rest is read
 * and left out, so that the fields after the file still arrive: its size then says that the file is too large.
 */
export function inspectUpload(stream: Readable, most = Infinity) {
  const hash = createHash('sha256')
  const head: Buffer[] = []
  let size = 0
  async function* through() {
    for await (const part of stream) {
      const bytes = Buffer.from(part)
      if (size < HEAD_BYTES) head.push(bytes.subarray(0, HEAD_BYTES - size))
      size += bytes.length
      if (size > most) continue
      hash.update(bytes)
      yield bytes
    }
  }
  return {
    body: Readable.from(through(), { objectMode: false }),
    result: () => ({ size, sha256: hash.digest('hex'), head: Buffer.concat(head) }),
  }
}
