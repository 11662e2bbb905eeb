import { ELEMENTS, type ElementName } from './table-layout.ts'
import { differences } from './key-matches.ts'
import { ByteReader, type VinTable } from './table.ts'

/** A value with the key that matched: `*W5L` for a VIN with W5L at characters 5 to 7. */
export type DecodedElement = { value: string; key: string }
export type Match = { make: string | null; elements: Partial<Record<ElementName, DecodedElement>> }

/** The values of a schema for a VIN; each element from its most specific matching key. `vin` as in `differences`. */
export function matchSchema(table: VinTable, schema: number, vin: Uint8Array): Match {
  const match: Match = { make: null, elements: {} }
  visitKeys(table, { schema, vin, most: 0 }, (key, element, number) => {
    if (match.elements[element] !== undefined) return
    if (element !== 'model') {
      match.elements[element] = { value: table.word(number), key }
      return
    }
    const { name, make } = table.model(number)
    match.make = make
    match.elements.model = { value: name, key }
  })
  return match
}

export type NearModel = { model: string; make: string; key: string }

/** Models of keys that match except for one character, because manufacturers' filings have gaps. */
export function nearModels(table: VinTable, schema: number, vin: Uint8Array): NearModel[] {
  const models: NearModel[] = []
  visitKeys(table, { schema, vin, most: 1 }, (key, element, number) => {
    if (element !== 'model' || key.replace(/\[[^\]]*\]/g, '?').replace(/[*_|]/g, '').length < 2) return
    const { name, make } = table.model(number)
    models.push({ model: name, make, key })
  })
  return models
}

/** Calls `visit` for each element of the keys that differ from the VIN in at most `most` characters. */
function visitKeys(
  table: VinTable,
  { schema, vin, most }: { schema: number; vin: Uint8Array; most: number },
  visit: (key: string, element: ElementName, number: number) => void,
): void {
  const reader = new ByteReader(table.schemas, table.startOf(schema))
  const keys = reader.number()
  for (let at = 0; at < keys; at += 1) {
    const length = reader.number()
    const from = reader.at
    const to = from + length
    reader.at = to
    const listed = reader.number()
    const end = reader.at + listed
    if (differences(table.schemas, from, to, vin, most) > most) {
      reader.at = end
      continue
    }
    const key = table.schemas.toString('latin1', from, to)
    while (reader.at < end) {
      const element = ELEMENTS[reader.byte()]
      const number = reader.number()
      if (element !== undefined) visit(key, element.name, number)
    }
  }
}
