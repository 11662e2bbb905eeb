import type { VinFacts } from '#contract/inventory/vin/vin.ts'
import type { YearMatch } from './best-match.ts'
import type { DecodedElement } from './match-schemas.ts'
import { ELEMENTS, VEHICLE_KINDS, type ElementName } from './table-layout.ts'
import type { Maker, VinTable } from './table.ts'
import { tradeName } from './trade-name.ts'
import {
  findDrivetrain,
  findElectrification,
  findTransmission,
  shortBody,
  shortDrivetrain,
  shortElectrification,
  shortFuel,
  wordEngine,
} from './words.ts'

type Values = VinFacts['values']
type Value = { value: string; from: string }

/** The first of the five characters that keys begin with, and the first of those behind the check digit. */
const DESCRIPTION_AT = 4
const BAR_AT = 5
const YEAR_AT = 10

/** What the screen and the import get of a match, each value with what it follows from. */
export function valuesOf(of: {
  vin: string
  table: VinTable
  code: { wmi: string; maker: Maker } | null
  match: YearMatch | null
  years: readonly number[]
}): Values {
  const { vin, table, code, match, years } = of
  const values: Values = {}
  const year = match?.year ?? years[0]
  if (year !== undefined) values.year = { value: String(year), from: `Character 10: ${vin[9]}` }
  if (code === null) return values
  const maker = code.maker
  const byCode = `The maker's code: ${code.wmi}`
  const kind = VEHICLE_KINDS[maker.kind]
  if (kind !== undefined) values.kind = { value: kind, from: byCode }
  const [make] = maker.makes
  if (match?.make) values.make = { value: match.make, from: 'The make of the model' }
  else if (make !== undefined) values.make = { value: make, from: byCode }
  if (match === null) return values

  const said = withEngine(table, match.said)
  const from = ({ key }: DecodedElement) => (key === '' ? 'The name of the engine' : describe(key, vin))
  const take = (name: ElementName, shorten: (word: string) => string = (word) => word): Value | null => {
    const one = said[name]
    return one === undefined ? null : { value: shorten(one.value), from: from(one) }
  }
  const engine = engineOf(said, from)
  const found: Record<Exclude<keyof Values, 'year' | 'make' | 'kind'>, Value | null> = {
    model: modelOf(match, from),
    series: take('series'),
    trim: take('trim'),
    body: take('body', shortBody),
    doors: take('doors'),
    engine,
    fuel: take('fuel', shortFuel),
    electrification: take('electrification', shortElectrification) ?? electrificationOf(said, from),
    transmission: byName(said, findTransmission),
    drivetrain: take('drivetrain', shortDrivetrain) ?? byName(said, findDrivetrain),
  }
  for (const [name, value] of Object.entries(found))
    if (value !== null) Object.assign(values, { [name]: value })
  return values
}

function modelOf({ year, make, said }: YearMatch, from: (of: DecodedElement) => string): Value | null {
  if (said.model === undefined) return null
  const value = tradeName({
    year,
    make,
    model: said.model.value,
    series: said.series?.value ?? '',
    trim: said.trim?.value ?? '',
  })
  return { value, from: from(said.model) }
}

/** What the engine's name says is added to what the keys leave open. */
function withEngine(table: VinTable, said: YearMatch['said']): YearMatch['said'] {
  const name = said.engineModel?.value
  if (name === undefined) return said
  const added: YearMatch['said'] = {}
  for (const [element, word] of table.engine(name)) {
    const kind = ELEMENTS[element]
    if (kind !== undefined) added[kind.name] = { value: table.word(word), key: '' }
  }
  return { ...added, ...said }
}

function engineOf(said: YearMatch['said'], from: (of: DecodedElement) => string): Value | null {
  const source = said.engineModel ?? said.cylinders ?? said.litres
  const value = wordEngine({
    litres: said.litres?.value,
    cylinders: said.cylinders?.value,
    layout: said.cylinderLayout?.value,
    isTurbo: said.turbo?.value === 'Yes',
    model: said.engineModel?.value,
  })
  return value === null || source === undefined ? null : { value, from: from(source) }
}

/** By the second fuel or the battery, where no name says it. */
function electrificationOf(said: YearMatch['said'], from: (of: DecodedElement) => string): Value | null {
  const named = byName(said, findElectrification)
  if (named !== null) return named
  const { fuel, secondFuel, battery } = said
  if (fuel?.value === 'Electric')
    return { value: secondFuel === undefined ? 'electric' : 'plug-in', from: from(fuel) }
  if (fuel?.value === 'Fuel Cell') return { value: 'fuel-cell', from: from(fuel) }
  if (secondFuel?.value === 'Electric') return { value: 'hybrid', from: from(secondFuel) }
  return fuel !== undefined && battery !== undefined ? { value: 'hybrid', from: from(battery) } : null
}

/** What makers put into names rather than into fields of their own. */
function byName(
  said: YearMatch['said'],
  find: (text: string) => { value: string; word: string } | null,
): Value | null {
  const places = ['trim', 'series', 'model', 'engineNotes'] as const
  for (const place of places) {
    const found = find(said[place]?.value ?? '')
    if (found !== null) {
      return {
        value: found.value,
        from: `${found.word} in the ${place === 'engineNotes' ? 'engine' : place}`,
      }
    }
  }
  return null
}

/** `Characters 5 to 7: W5L`, those that a key looks at. */
function describe(key: string, vin: string): string {
  const signs = key.match(/\[[^\]]*\]|./g) ?? []
  const places = signs.flatMap((sign, at) => {
    if (/^[*_|]$/.test(sign)) return []
    return at < BAR_AT ? DESCRIPTION_AT + at : YEAR_AT + at - BAR_AT - 1
  })
  const characters = places.map((place) => vin[place - 1]).join('')
  const [first, ...others] = places
  if (first === undefined) return 'All vehicles of that code and year'
  const last = others.at(-1)
  if (last === undefined) return `Character ${first}: ${characters}`
  const isRow = last - first === others.length
  return isRow
    ? `Characters ${first} to ${last}: ${characters}`
    : `Characters ${places.join(', ')}: ${characters}`
}
