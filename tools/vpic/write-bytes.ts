/** A growing byte buffer. */
export class Bytes {
  #bytes: Buffer
  length = 0

  constructor(atFirst = 1 << 16) {
    this.#bytes = Buffer.alloc(atFirst)
  }

  byte(value: number): void {
    this.#reserve(1)
    this.#bytes[this.length++] = value
  }

  /** Little-endian. */
  four(value: number): void {
    this.#reserve(4)
    this.length = this.#bytes.writeUInt32LE(value, this.length)
  }

  /** Varint: seven bits per byte, lowest first; the highest bit is set if more bytes follow. */
  number(value: number): void {
    let rest = value
    while (rest > 127) {
      this.byte((rest & 127) | 128)
      rest >>>= 7
    }
    this.byte(rest)
  }

  text(value: string): void {
    this.append(Buffer.from(value))
  }

  append(value: Buffer): void {
    this.#reserve(value.length)
    this.length += value.copy(this.#bytes, this.length)
  }

  toBuffer(): Buffer {
    return this.#bytes.subarray(0, this.length)
  }

  #reserve(more: number): void {
    if (this.length + more <= this.#bytes.length) return
    const larger = Buffer.alloc((this.length + more) * 2)
    this.#bytes.copy(larger)
    this.#bytes = larger
  }
}
