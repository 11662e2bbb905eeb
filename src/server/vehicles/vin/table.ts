import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { z } from 'zod'
import { FIRST_YEAR, LAYOUT, SECTIONS, WMI_BYTES, type SectionName } from './table-layout.ts'

/** A manufacturer code with its makes and schemas. Year ranges are inclusive; `to` is null if open-ended. */
export type Maker = {
  kind: number
  makes: readonly string[]
  schemas: readonly { schema: number; from: number; to: number | null }[]
}

/** The packed vPIC data. It stays in a buffer of about 5 MB outside the heap; strings are decoded on demand. */
export type VinTable = {
  /** Date of the last change in the data. */
  edition: string
  maker(wmi: string): Maker | null
  /** The schema section; `startOf` returns the offset of a schema. */
  schemas: Buffer
  startOf(schema: number): number
  word(number: number): string
  model(number: number): { name: string; make: string }
  /** The elements implied by an engine name, as element codes and string numbers. */
  engine(name: string): readonly (readonly [element: number, word: number])[]
}

const FILE = join(import.meta.dirname, '../../../../data/vin/vpic.bin.br')
const Head = z.strictObject({
  layout: z.literal(LAYOUT),
  edition: z.string(),
  places: z.array(z.strictObject({ name: z.enum(SECTIONS), at: z.number(), length: z.number() })),
})

let opened: VinTable | undefined

/** The table that ships with the product, loaded once at the first decode (about 30 ms). */
export function vinTable(): VinTable {
  opened ??= readTable(brotliDecompressSync(readFileSync(FILE)))
  return opened
}

/** Parses a table written by `tools/pack-vpic.ts`. */
function readTable(bytes: Buffer): VinTable {
  const headEnd = bytes.indexOf('\n') + 1
  const { edition, places } = Head.parse(JSON.parse(bytes.toString('utf8', 0, headEnd)))
  const section = (name: SectionName): Buffer => {
    const place = places.find((one) => one.name === name)
    if (place === undefined) throw new Error(`The VIN table has no ${name} section.`)
    return bytes.subarray(headEnd + place.at, headEnd + place.at + place.length)
  }
  const [strings, stringStarts] = [section('strings'), section('stringStarts')]
  const [wmis, makers, makerStarts] = [section('wmis'), section('makers'), section('makerStarts')]
  const [models, schemas, schemaStarts] = [section('models'), section('schemas'), section('schemaStarts')]
  const word = (number: number): string =>
    strings.toString('utf8', stringStarts.readUInt32LE(number * 4), stringStarts.readUInt32LE(number * 4 + 4))
  const engines = readEngines(section('engines'), word)
  const known = new Map<string, Maker>()
  return {
    edition,
    maker: (wmi) => {
      const before = known.get(wmi)
      if (before !== undefined) return before
      const place = findPlace(wmis, wmi)
      if (place === null) return null
      const maker = readMaker(makers, makerStarts.readUInt32LE(place * 4), word)
      known.set(wmi, maker)
      return maker
    },
    schemas,
    startOf: (schema) => schemaStarts.readUInt32LE(schema * 4),
    word,
    model: (number) => ({
      name: word(models.readUInt32LE(number * 8)),
      make: word(models.readUInt32LE(number * 8 + 4)),
    }),
    engine: (name) => engines.get(name) ?? [],
  }
}

/** Reads the table's varints: seven bits per byte; the highest bit is set if more bytes follow. */
export class ByteReader {
  readonly bytes: Buffer
  at: number

  constructor(bytes: Buffer, at: number) {
    this.bytes = bytes
    this.at = at
  }

  number(): number {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte()
      value |= (byte & 127) << shift
      if (byte < 128) return value
    }
  }

  byte(): number {
    const byte = this.bytes[this.at]
    if (byte === undefined) throw new Error('The VIN table is truncated.')
    this.at += 1
    return byte
  }
}

/** Binary search: the codes are sorted. */
function findPlace(wmis: Buffer, wmi: string): number | null {
  const wanted = Buffer.from(wmi.padEnd(WMI_BYTES))
  let low = 0
  let high = wmis.length / WMI_BYTES
  while (low < high) {
    const middle = (low + high) >> 1
    const order = wmis.compare(wanted, 0, WMI_BYTES, middle * WMI_BYTES, (middle + 1) * WMI_BYTES)
    if (order === 0) return middle
    if (order < 0) low = middle + 1
    else high = middle
  }
  return null
}

function readMaker(makers: Buffer, at: number, word: (number: number) => string): Maker {
  const reader = new ByteReader(makers, at)
  const kind = reader.number()
  const makes = Array.from({ length: reader.number() }, () => word(reader.number()))
  const schemas = Array.from({ length: reader.number() }, () => {
    const schema = reader.number()
    const from = FIRST_YEAR + reader.number()
    const last = reader.number()
    return { schema, from, to: last === 0 ? null : FIRST_YEAR + last }
  })
  return { kind, makes, schemas }
}

function readEngines(
  bytes: Buffer,
  word: (number: number) => string,
): Map<string, (readonly [number, number])[]> {
  const reader = new ByteReader(bytes, 0)
  return new Map(
    Array.from({ length: reader.number() }, () => {
      const name = word(reader.number())
      const says = Array.from({ length: reader.number() }, () => [reader.byte(), reader.number()] as const)
      return [name, says] as const
    }),
  )
}
