import type { VinFacts } from '#contract/vehicles/vin/vin.ts'
import type { YearMatch } from './best-match.ts'
import type { DecodedElement } from './match-schemas.ts'
import { ELEMENTS, VEHICLE_KINDS, type ElementName } from './table-layout.ts'
import type { Maker, VinTable } from './table.ts'
import {
  findDrivetrain,
  findElectrification,
  findTransmission,
  shortBody,
  shortDrivetrain,
  shortElectrification,
  shortFuel,
  describeEngine,
} from './short-names.ts'

type Named = { year: number; make: string | null; model: string; series: string; trim: string }

/** From this model year, every Sierra and Silverado above 1500 is called HD. */
const ALL_HEAVY_FROM = 2007

/** Manufacturers file some models under different names; these rules give the names that dealers use. */
const RULES: readonly ((of: Named) => string | null)[] = [
  // Giulia (952), Kicks MPV, Equus Passenger Car.
  ({ model }) => model.replace(/ (\([^)]*\)|MPV|Passenger Car)$/, ''),
  // GLC-Class is a GLC; an E-Class stays one.
  ({ make, model }) => (make === 'Mercedes-Benz' ? model.replace(/^([A-Z]{3})-Class$/, '$1') : null),
  ({ year, make, model, series }) => {
    const [load] = /\b(1500|2500|3500)\b/.exec(series) ?? []
    const [, name, heavy = ''] = /^(Sierra|Silverado)(?: (HD))?$/.exec(model) ?? []
    if (name === undefined || load === undefined || !['GMC', 'Chevrolet'].includes(make ?? '')) return null
    return `${name} ${load}${load !== '1500' && year >= ALL_HEAVY_FROM ? 'HD' : heavy}`
  },
  // Polestar files PS2.
  ({ make, model }) => (make === 'Polestar' ? model.replace(/^PS(\d)$/, '$1') : null),
  // Lexus files NX and, in the trim, 350.
  ({ make, model, trim }) => {
    const [number] = /^\d{3}[a-z]{0,2}\b/i.exec(trim) ?? []
    return make === 'Lexus' && number !== undefined && /^[A-Z]{2}$/.test(model) ? `${model} ${number}` : null
  },
]

/** The model name that dealers and feeds use. */
function tradeName(of: Named): string {
  return RULES.reduce((model, rule) => rule({ ...of, model }) ?? model, of.model)
}

type Values = VinFacts['values']
type Value = { value: string; from: string }

/** VIN positions: keys start at character 4; after the vertical bar (index 5 of a key) they continue at character 10. */
const DESCRIPTION_AT = 4
const BAR_AT = 5
const YEAR_AT = 10

/** The decoded values of a match for screens and imports, each with its source. */
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
  const byCode = `Manufacturer code: ${code.wmi}`
  const kind = VEHICLE_KINDS[maker.kind]
  if (kind !== undefined) values.kind = { value: kind, from: byCode }
  const [make] = maker.makes
  if (match?.make) values.make = { value: match.make, from: 'Derived from the model' }
  else if (make !== undefined) values.make = { value: make, from: byCode }
  if (match === null) return values

  const elements = withEngine(table, match.elements)
  const from = ({ key }: DecodedElement) => (key === '' ? 'Engine name' : describe(key, vin))
  const take = (name: ElementName, shorten: (word: string) => string = (word) => word): Value | null => {
    const one = elements[name]
    return one === undefined ? null : { value: shorten(one.value), from: from(one) }
  }
  const engine = engineOf(elements, from)
  const found: Record<Exclude<keyof Values, 'year' | 'make' | 'kind'>, Value | null> = {
    model: modelOf(match, from),
    series: take('series'),
    trim: take('trim'),
    body: take('body', shortBody),
    doors: take('doors'),
    engine,
    fuel: take('fuel', shortFuel),
    electrification: take('electrification', shortElectrification) ?? electrificationOf(elements, from),
    transmission: byName(elements, findTransmission),
    drivetrain: take('drivetrain', shortDrivetrain) ?? byName(elements, findDrivetrain),
  }
  for (const [name, value] of Object.entries(found))
    if (value !== null) Object.assign(values, { [name]: value })
  return values
}

function modelOf({ year, make, elements }: YearMatch, from: (of: DecodedElement) => string): Value | null {
  if (elements.model === undefined) return null
  const value = tradeName({
    year,
    make,
    model: elements.model.value,
    series: elements.series?.value ?? '',
    trim: elements.trim?.value ?? '',
  })
  return { value, from: from(elements.model) }
}

/** Fills in missing elements from the engine name. */
function withEngine(table: VinTable, elements: YearMatch['elements']): YearMatch['elements'] {
  const name = elements.engineModel?.value
  if (name === undefined) return elements
  const added: YearMatch['elements'] = {}
  for (const [element, word] of table.engine(name)) {
    const kind = ELEMENTS[element]
    if (kind !== undefined) added[kind.name] = { value: table.word(word), key: '' }
  }
  return { ...added, ...elements }
}

function engineOf(elements: YearMatch['elements'], from: (of: DecodedElement) => string): Value | null {
  const source = elements.engineModel ?? elements.cylinders ?? elements.litres
  const value = describeEngine({
    litres: elements.litres?.value,
    cylinders: elements.cylinders?.value,
    layout: elements.cylinderLayout?.value,
    isTurbo: elements.turbo?.value === 'Yes',
    model: elements.engineModel?.value,
  })
  return value === null || source === undefined ? null : { value, from: from(source) }
}

/** Derived from the second fuel or the battery if no name states it. */
function electrificationOf(
  elements: YearMatch['elements'],
  from: (of: DecodedElement) => string,
): Value | null {
  const named = byName(elements, findElectrification)
  if (named !== null) return named
  const { fuel, secondFuel, battery } = elements
  if (fuel?.value === 'Electric')
    return { value: secondFuel === undefined ? 'electric' : 'plug-in', from: from(fuel) }
  if (fuel?.value === 'Fuel Cell') return { value: 'fuel-cell', from: from(fuel) }
  if (secondFuel?.value === 'Electric') return { value: 'hybrid', from: from(secondFuel) }
  return fuel !== undefined && battery !== undefined ? { value: 'hybrid', from: from(battery) } : null
}

/** Finds values that manufacturers put in names instead of separate fields. */
function byName(
  elements: YearMatch['elements'],
  find: (text: string) => { value: string; word: string } | null,
): Value | null {
  const places = ['trim', 'series', 'model', 'engineNotes'] as const
  for (const place of places) {
    const found = find(elements[place]?.value ?? '')
    if (found !== null) {
      return {
        value: found.value,
        from: `${found.word} in the ${place === 'engineNotes' ? 'engine' : place}`,
      }
    }
  }
  return null
}

/** `Characters 5 to 7: W5L`: the characters that a key tests. */
function describe(key: string, vin: string): string {
  const signs = key.match(/\[[^\]]*\]|./g) ?? []
  const places = signs.flatMap((sign, at) => {
    if (/^[*_|]$/.test(sign)) return []
    return at < BAR_AT ? DESCRIPTION_AT + at : YEAR_AT + at - BAR_AT - 1
  })
  const characters = places.map((place) => vin[place - 1]).join('')
  const [first, ...others] = places
  if (first === undefined) return 'All vehicles with this manufacturer code and year'
  const last = others.at(-1)
  if (last === undefined) return `Character ${first}: ${characters}`
  const isRow = last - first === others.length
  return isRow
    ? `Characters ${first} to ${last}: ${characters}`
    : `Characters ${places.join(', ')}: ${characters}`
}
