import {
  ELEMENTS,
  FIRST_YEAR,
  LAYOUT,
  SECTIONS,
  WMI_BYTES,
  type SectionName,
} from '#server/vehicles/vin/table-layout.ts'
import type { Pattern, Vpic } from './read-vpic.ts'
import { Bytes } from './write-bytes.ts'

const MODEL = ELEMENTS.findIndex(({ name }) => name === 'model')
const CODES = new Map<number, number>(ELEMENTS.map(({ vpic }, code) => [vpic, code]))

/** The table in the server's format: a line of JSON with the offsets of the sections, then the sections. */
export function makeTable(vpic: Vpic): Buffer {
  const strings = numberStrings(vpic)
  const models = [...vpic.models.keys()]
  const numberOfModel = new Map(models.map((id, at) => [id, at]))
  const { schemas, schemaStarts, numberOfSchema } = writeSchemas(vpic, ({ element, value }) =>
    CODES.get(element) === MODEL ? numberOfModel.get(value) : strings.get(value),
  )
  const sections: Record<SectionName, Buffer> = {
    ...writeMakers(vpic, strings, numberOfSchema),
    schemaStarts,
    schemas,
    ...writeStrings([...strings.keys()]),
    models: fours(
      models.flatMap((id) => {
        const { name, make } = vpic.models.get(id) ?? { name: '', make: '' }
        return [strings.get(name) ?? 0, strings.get(make) ?? 0]
      }),
    ),
    engines: writeEngines(vpic, strings),
  }
  let at = 0
  const places = SECTIONS.map((name) => {
    const place = { name, at, length: sections[name].length }
    at += Math.ceil(place.length / 4) * 4
    return place
  })
  const text = JSON.stringify({ layout: LAYOUT, edition: vpic.edition, places })
  const head = `${text}${' '.repeat((4 - ((text.length + 1) % 4)) % 4)}\n`
  const body = Buffer.alloc(at)
  for (const place of places) sections[place.name].copy(body, place.at)
  return Buffer.concat([Buffer.from(head), body])
}

/** Each string once, the most frequent first, so that frequent ones have short numbers. */
function numberStrings({ patterns, makers, models, engines }: Vpic): Map<string, number> {
  const uses = new Map<string, number>()
  const use = (word: string) => uses.set(word, (uses.get(word) ?? 0) + 1)
  for (const { element, value } of patterns) if (CODES.get(element) !== MODEL) use(value)
  for (const { makes } of makers) makes.forEach(use)
  for (const { name, make } of models.values()) [name, make].forEach(use)
  for (const [engine, says] of engines) [engine, ...says.map(({ value }) => value)].forEach(use)
  const words = [...uses].toSorted(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
  return new Map(words.map(([word], at) => [word, at]))
}

function writeSchemas(
  { patterns }: Vpic,
  numberOf: (pattern: Pattern) => number | undefined,
): { schemas: Buffer; schemaStarts: Buffer; numberOfSchema: Map<number, number> } {
  const bytes = new Bytes()
  const starts: number[] = []
  const numberOfSchema = new Map<number, number>()
  const written = new Map<string, number>()
  for (const [schema, own] of Map.groupBy(patterns, (pattern) => pattern.schema)) {
    const one = writeSchema(own, numberOf)
    // A year's schema is often identical to the previous year's.
    const same = one.toString('latin1')
    const start = written.get(same) ?? bytes.length
    if (start === bytes.length) {
      written.set(same, start)
      bytes.append(one)
    }
    numberOfSchema.set(schema, starts.length)
    starts.push(start)
  }
  return { schemas: bytes.toBuffer(), schemaStarts: fours(starts), numberOfSchema }
}

function writeSchema(own: Pattern[], numberOf: (pattern: Pattern) => number | undefined): Buffer {
  const newestFirst = own.toSorted((one, other) => (one.createdOn < other.createdOn ? 1 : -1))
  const groups = [...Map.groupBy(newestFirst, ({ key }) => key)].toSorted(
    ([one], [other]) => exactness(other) - exactness(one),
  )
  const bytes = new Bytes()
  bytes.number(groups.length)
  for (const [key, says] of groups) {
    const entries = [
      ...new Map(
        says.toReversed().flatMap((pattern) => {
          const value = numberOf(pattern)
          const code = CODES.get(pattern.element)
          return value === undefined || code === undefined ? [] : [[code, value] as const]
        }),
      ),
    ]
    bytes.number(key.length)
    bytes.text(key)
    const listed = new Bytes(64)
    for (const [code, value] of entries) {
      listed.byte(code)
      listed.number(value)
    }
    bytes.number(listed.length)
    bytes.append(listed.toBuffer())
  }
  return Buffer.from(bytes.toBuffer())
}

/** A fixed character is more specific than a set, and a set more than a wildcard. */
function exactness(key: string): number {
  const choices = key.match(/\[[^\]]*\]/g) ?? []
  const single = key.replace(/\[[^\]]*\]|[*_|]/g, '').length
  return single * 100 + choices.reduce((sum, choice) => sum + 100 - Math.min(60, choice.length), 0)
}

function writeMakers(
  { makers }: Vpic,
  strings: ReadonlyMap<string, number>,
  numberOfSchema: ReadonlyMap<number, number>,
): Record<'wmis' | 'makerStarts' | 'makers', Buffer> {
  const sorted = makers.toSorted((one, other) => (one.wmi < other.wmi ? -1 : 1))
  const bytes = new Bytes()
  const starts = sorted.map(({ kind, makes, schemas }) => {
    const start = bytes.length
    bytes.number(kind)
    bytes.number(makes.length)
    for (const make of makes) bytes.number(strings.get(make) ?? 0)
    const known = schemas.flatMap(({ schema, from, to }) => {
      const number = numberOfSchema.get(schema)
      return number === undefined ? [] : [{ number, from, to }]
    })
    bytes.number(known.length)
    for (const { number, from, to } of known) {
      bytes.number(number)
      bytes.number(Math.max(0, from - FIRST_YEAR))
      bytes.number(Math.max(0, to - FIRST_YEAR))
    }
    return start
  })
  return {
    wmis: Buffer.from(sorted.map(({ wmi }) => wmi.padEnd(WMI_BYTES)).join('')),
    makerStarts: fours(starts),
    makers: bytes.toBuffer(),
  }
}

function writeStrings(words: readonly string[]): Record<'strings' | 'stringStarts', Buffer> {
  const bytes = new Bytes()
  const starts = words.map((word) => {
    const start = bytes.length
    bytes.text(word)
    return start
  })
  return { strings: bytes.toBuffer(), stringStarts: fours([...starts, bytes.length]) }
}

function writeEngines({ engines }: Vpic, strings: ReadonlyMap<string, number>): Buffer {
  const bytes = new Bytes()
  bytes.number(engines.size)
  for (const [engine, says] of engines) {
    bytes.number(strings.get(engine) ?? 0)
    bytes.number(says.length)
    for (const { element, value } of says) {
      bytes.byte(CODES.get(element) ?? 0)
      bytes.number(strings.get(value) ?? 0)
    }
  }
  return bytes.toBuffer()
}

function fours(values: readonly number[]): Buffer {
  const bytes = new Bytes()
  for (const value of values) bytes.four(value)
  return bytes.toBuffer()
}
