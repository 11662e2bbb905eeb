/** Bytes as they come, of which a few can be looked at, taken, or given back. */
export type ByteSource = {
  /** How many were taken, those that were given back not counted. */
  readonly taken: number
  /** The next ones without taking them; fewer at the end. */
  peek: (count: number) => Promise<Buffer>
  take: (count: number) => Promise<Buffer>
  /** The next part in whatever size it came; null at the end. */
  part: () => Promise<Buffer | null>
  releaseLease: (bytes: Buffer) => void
}

export function byteSource(bytes: AsyncIterable<Uint8Array>): ByteSource {
  const parts = bytes[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)
  let taken = 0
  async function fill(count: number): Promise<void> {
    while (held.length < count) {
      const { value, done } = await parts.next()
      if (done === true) return
      held = held.length === 0 ? Buffer.from(value) : Buffer.concat([held, value])
    }
  }
  function cut(count: number): Buffer {
    const out = held.subarray(0, count)
    held = held.subarray(count)
    taken += out.length
    return out
  }
  return {
    get taken() {
      return taken
    },
    async peek(count) {
      await fill(count)
      return held.subarray(0, count)
    },
    async take(count) {
      await fill(count)
      return cut(count)
    },
    async part() {
      await fill(1)
      return held.length === 0 ? null : cut(held.length)
    },
    releaseLease(back) {
      held = Buffer.concat([back, held])
      taken -= back.length
    },
  }
}
