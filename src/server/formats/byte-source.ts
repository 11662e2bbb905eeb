/** A byte stream that allows looking ahead and pushing bytes back. */
export type ByteSource = {
  /** Bytes taken so far, not counting those pushed back. */
  readonly taken: number
  /** The next bytes without taking them; fewer at the end. */
  peek: (count: number) => Promise<Buffer>
  take: (count: number) => Promise<Buffer>
  /** The next chunk, of any size; null at the end. */
  part: () => Promise<Buffer | null>
  unread: (bytes: Buffer) => void
}

export function byteSource(bytes: AsyncIterable<Uint8Array>): ByteSource {
  const parts = bytes[Symbol.asyncIterator]()
  let buffered: Buffer = Buffer.alloc(0)
  let taken = 0
  async function fill(count: number): Promise<void> {
    while (buffered.length < count) {
      const { value, done } = await parts.next()
      if (done === true) return
      buffered = buffered.length === 0 ? Buffer.from(value) : Buffer.concat([buffered, value])
    }
  }
  function cut(count: number): Buffer {
    const out = buffered.subarray(0, count)
    buffered = buffered.subarray(count)
    taken += out.length
    return out
  }
  return {
    get taken() {
      return taken
    },
    async peek(count) {
      await fill(count)
      return buffered.subarray(0, count)
    },
    async take(count) {
      await fill(count)
      return cut(count)
    },
    async part() {
      await fill(1)
      return buffered.length === 0 ? null : cut(buffered.length)
    },
    unread(back) {
      buffered = Buffer.concat([back, buffered])
      taken -= back.length
    },
  }
}
