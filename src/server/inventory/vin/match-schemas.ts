import { ELEMENTS, type ElementName } from './table-layout.ts'
import { differences } from './key-matches.ts'
import { Reading, type VinTable } from './table.ts'

/** A value with the key that said it: `*W5L` of a VIN with W5L at its characters 5 to 7. */
export type DecodedElement = { value: string; key: string }
export type Match = { make: string | null; said: Partial<Record<ElementName, DecodedElement>> }

/** What a schema says of a VIN: of each element what its most exact key says. `vin` as `differences` takes it. */
export function matchSchema(table: VinTable, schema: number, vin: Uint8Array): Match {
  const match: Match = { make: null, said: {} }
  visitKeys(table, { schema, vin, most: 0 }, (key, element, number) => {
    if (match.said[element] !== undefined) return
    if (element !== 'model') {
      match.said[element] = { value: table.word(number), key }
      return
    }
    const { name, make } = table.model(number)
    match.make = make
    match.said.model = { value: name, key }
  })
  return match
}

export type NearModel = { model: string; make: string; key: string }

/** The models of keys from which a VIN differs in one character and agrees in another: makers leave some out. */
export function nearModels(table: VinTable, schema: number, vin: Uint8Array): NearModel[] {
  const models: NearModel[] = []
  visitKeys(table, { schema, vin, most: 1 }, (key, element, number) => {
    if (element !== 'model' || key.replace(/\[[^\]]*\]/g, '?').replace(/[*_|]/g, '').length < 2) return
    const { name, make } = table.model(number)
    models.push({ model: name, make, key })
  })
  return models
}

/** Calls `visit` with what each key says from which a VIN differs in `most` characters or fewer. */
function visitKeys(
  table: VinTable,
  { schema, vin, most }: { schema: number; vin: Uint8Array; most: number },
  visit: (key: string, element: ElementName, number: number) => void,
): void {
  const reading = new Reading(table.schemas, table.startOf(schema))
  const keys = reading.number()
  for (let at = 0; at < keys; at += 1) {
    const length = reading.number()
    const from = reading.at
    const to = from + length
    reading.at = to
    const listed = reading.number()
    const end = reading.at + listed
    if (differences(table.schemas, from, to, vin, most) > most) {
      reading.at = end
      continue
    }
    const key = table.schemas.toString('latin1', from, to)
    while (reading.at < end) {
      const element = ELEMENTS[reading.byte()]
      const number = reading.number()
      if (element !== undefined) visit(key, element.name, number)
    }
  }
}
