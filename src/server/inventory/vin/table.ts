import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { z } from 'zod'
import { FIRST_YEAR, LAYOUT, SECTIONS, WMI_BYTES, type SectionName } from './table-layout.ts'

/** What a maker's code stands for, and where its schemas are. Years are included; `to` null has no end. */
export type Maker = {
  kind: number
  makes: readonly string[]
  schemas: readonly { schema: number; from: number; to: number | null }[]
}

/** The packed vPIC. It stays as bytes, about five megabytes beside the heap; words are made when they are asked for. */
export type VinTable = {
  /** The day of the last change in it. */
  edition: string
  maker(wmi: string): Maker | null
  /** The bytes in which schemas lie, and where one begins. */
  schemas: Buffer
  startOf(schema: number): number
  word(number: number): string
  model(number: number): { name: string; make: string }
  /** What an engine's name says, as codes of elements with the numbers of their words. */
  engine(name: string): readonly (readonly [element: number, word: number])[]
}

const FILE = join(import.meta.dirname, '../../../../data/vin/vpic.bin.br')
const Head = z.strictObject({
  layout: z.literal(LAYOUT),
  edition: z.string(),
  places: z.array(z.strictObject({ name: z.enum(SECTIONS), at: z.number(), length: z.number() })),
})

let opened: VinTable | undefined

/** The table that comes with the product, read once, when the first VIN is decoded: some 30 ms. */
export function vinTable(): VinTable {
  opened ??= readTable(brotliDecompressSync(readFileSync(FILE)))
  return opened
}

/** Reads a table that `tools/pack-vpic.ts` made. */
function readTable(bytes: Buffer): VinTable {
  const headEnd = bytes.indexOf('\n') + 1
  const { edition, places } = Head.parse(JSON.parse(bytes.toString('utf8', 0, headEnd)))
  const section = (name: SectionName): Buffer => {
    const place = places.find((one) => one.name === name)
    if (place === undefined) throw new Error(`The table of VINs has no ${name}.`)
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

/** Reads numbers as the table writes them: seven bits a byte, the highest bit says that more follow. */
export class Reading {
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
    if (byte === undefined) throw new Error('The table of VINs ends too early.')
    this.at += 1
    return byte
  }
}

/** By halves: the codes are sorted. */
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
  const reading = new Reading(makers, at)
  const kind = reading.number()
  const makes = Array.from({ length: reading.number() }, () => word(reading.number()))
  const schemas = Array.from({ length: reading.number() }, () => {
    const schema = reading.number()
    const from = FIRST_YEAR + reading.number()
    const last = reading.number()
    return { schema, from, to: last === 0 ? null : FIRST_YEAR + last }
  })
  return { kind, makes, schemas }
}

function readEngines(
  bytes: Buffer,
  word: (number: number) => string,
): Map<string, (readonly [number, number])[]> {
  const reading = new Reading(bytes, 0)
  return new Map(
    Array.from({ length: reading.number() }, () => {
      const name = word(reading.number())
      const says = Array.from({ length: reading.number() }, () => [reading.byte(), reading.number()] as const)
      return [name, says] as const
    }),
  )
}
