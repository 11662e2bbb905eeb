import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { Download } from '#server/http/kinds.ts'

/** In characters: a frozen file is stored in parts of about this length. */
const PART_LENGTH = 1_000_000

export type WrittenSnapshot = Readonly<{ sha256: string; size: number; parts: number }>

/**
 * Writes a frozen file part by part, so that a large one is never in memory as a whole. `store` saves the next part.
 * `finish` returns the hash of all bytes.
 */
export function snapshotWriter(store: (number: number, content: string) => Promise<void>) {
  const hash = createHash('sha256')
  let waiting: string[] = []
  let length = 0
  let parts = 0
  let size = 0
  async function flush(): Promise<void> {
    if (length === 0) return
    const content = waiting.join('')
    waiting = []
    length = 0
    parts += 1
    hash.update(content)
    size += Buffer.byteLength(content)
    await store(parts, content)
  }
  return {
    async write(text: string): Promise<void> {
      waiting.push(text)
      length += text.length
      if (length >= PART_LENGTH) await flush()
    },
    async finish(): Promise<WrittenSnapshot> {
      await flush()
      return { sha256: hash.digest('hex'), size, parts }
    },
  }
}

/** The hash of a frozen file, as lower-case hexadecimal digits. */
export const sha256Of = (content: string): string => createHash('sha256').update(content).digest('hex')

/** Whether the parts of a frozen file, in their order, still have its hash. */
export async function isIntact(parts: AsyncIterable<string>, sha256: string): Promise<boolean> {
  const hash = createHash('sha256')
  for await (const part of parts) hash.update(part)
  return hash.digest('hex') === sha256
}

/** A frozen file as a download: exactly the bytes that the hash is of. */
export function snapshotDownload(name: string, parts: AsyncIterable<string>): Download {
  return new Download({
    name,
    type: 'application/json',
    body: Readable.from(parts, { objectMode: false }),
  })
}
