import { expect, test } from 'vitest'
import type { FeedRow } from './source-row.ts'
import { mapRow } from './map-row.ts'
import { PRESETS, proposeMapping } from './presets.ts'

const TODAY = '2026-11-21'

function rowsOf(table: string): { columns: string[]; rows: FeedRow[] } {
  const [header = [], ...lines] = table
    .trim()
    .split('\n')
    .map((line) => line.split(';').map((value) => value.trim()))
  const rows = lines.map((values, at) => ({
    line: at + 2,
    raw: values.join(';'),
    problems: [],
    cells: Object.fromEntries(header.map((name, index) => [name, values[index] ?? ''])),
  }))
  return { columns: header, rows }
}

test.each(PRESETS.map((preset) => [preset.title, preset] as const))(
  'recognizes %s by its columns and fills the required fields',
  (_, preset) => {
    const { preset: found, matches } = proposeMapping(
      { format: preset.format, columns: preset.columns, rows: [] },
      TODAY,
    )
    expect(found?.key).toBe(preset.key)
    const targets = new Set(matches.map(({ target }) => target))
    const required = ['vin', 'stock', 'year', 'make', 'model', 'price', 'photos', 'mileage'] as const
    const missing = required.filter((target) => !targets.has(target))
    const exceptions: Readonly<Record<string, readonly string[]>> = { edealer: ['mileage'], meta: ['stock'] }
    expect(missing).toEqual(exceptions[preset.key] ?? [])
  },
)

test('matches unnamed columns by their values', () => {
  const { columns, rows } = rowsOf(`
Column 1;Column 2;Column 3;Column 4;Column 5;Column 6;Column 7;Column 8
A1041;1FTFW1E50PFA00001;2023;Ford;$45,000;12,400 mi;Used;https://a.example/photos/1.jpg
A1042;1FTFW1E50PFA00002;2022;Ford;$41,000;22,400 mi;Used;https://a.example/photos/2.jpg
A1043;2T3A1RFV0PC280240;2021;Toyota;$31,000;9,400 mi;New;https://a.example/photos/3.jpg
A1044;KM8J3CA46JU691199;2018;Hyundai;$16,995;71,000 mi;Used;https://a.example/photos/4.jpg`)
  const { matches } = proposeMapping({ format: 'csv', columns, rows }, TODAY)
  const found = Object.fromEntries(
    matches.flatMap(({ target, mapping: { source } }) =>
      source.kind === 'column' ? [[target, source.column]] : [],
    ),
  )
  expect(found).toMatchObject({
    stock: 'Column 1',
    vin: 'Column 2',
    year: 'Column 3',
    make: 'Column 4',
    price: 'Column 5',
    mileage: 'Column 6',
    condition: 'Column 7',
    photos: 'Column 8',
  })
})

test('ignores a column name that its values contradict', () => {
  const { columns, rows } = rowsOf(`
VIN;Serial;Year
red;1FTFW1E50PFA00001;blue
red;1FTFW1E50PFA00002;blue`)
  const { matches } = proposeMapping({ format: 'csv', columns, rows }, TODAY)
  expect(matches.map(({ target, mapping }) => [target, mapping.source])).toEqual([
    ['vin', { kind: 'column', column: 'Serial' }],
    ['make', { kind: 'constant', value: 'Ford' }],
  ])
})

test('combines image columns into one list and marks used cars as certified by their flag', () => {
  const { columns, rows } = rowsOf(`
Stock;Type;Certified;Photo Url 1;Photo Url 2
A1;Used;1;http://a/1.jpg;http://a/2.jpg
A2;Used;0;http://a/3.jpg;
A3;New;1;http://a/4.jpg;`)
  const { mapping } = proposeMapping({ format: 'csv', columns, rows }, TODAY)
  const mapped = rows.map((row) => mapRow(mapping, row, { unit: 'mi', today: TODAY, columns }).values)
  expect(mapped.map(({ condition }) => condition)).toEqual(['cpo', 'used', 'new'])
  expect(mapped[0]?.photos).toEqual(['http://a/1.jpg', 'http://a/2.jpg'])
})

test('matches a German feed by its column names and takes the year from the first registration', () => {
  const { columns, rows } = rowsOf(`
Fahrgestellnummer;Interne Nummer;Marke;Modell;Ausstattung;Erstzulassung;Preis (brutto);Kilometerstand;Außenfarbe;Karosserieform;Getriebe;Kraftstoff;Türen;Zustand
WVWAA7AU1KW000200;G-100;Volkswagen;Golf;Comfortline;03.2019;15.234,56;20.100;Schwarz;Kombi;Schaltgetriebe;Benzin;5;Gebrauchtwagen
WVWAA7AU3KW000201;G-101;Volkswagen;Golf;Highline;11.2020;16.100,00;21.900;Weiß;Limousine;Automatik;Diesel;5;Neuwagen`)
  const { mapping, unused } = proposeMapping({ format: 'csv', columns, rows }, TODAY)
  expect(unused).toEqual([])
  const [row] = rows
  const { values, refusals } = mapRow(mapping, row ?? raise(), { columns, unit: 'km', today: TODAY })
  expect(refusals).toEqual([])
  expect(values).toMatchObject({
    year: 2019,
    price: 1_523_456,
    mileage: 20_100,
    color: 'Schwarz',
    body: 'Wagon',
    transmission: 'Manual',
    fuel: 'Gasoline',
    condition: 'used',
  })
})

/** `count` rows of a provider whose values are made by `value`. */
function fileOf(
  columns: readonly string[],
  count: number,
  value: (name: string, at: number) => string,
): FeedRow[] {
  return Array.from({ length: count }, (_, at) => ({
    line: at + 2,
    raw: String(at),
    problems: [],
    cells: Object.fromEntries(columns.map((name) => [name, value(name, at)])),
  }))
}

const smedia = PRESETS.find(({ key }) => key === 'smedia-csv') ?? raise()

test('uses the stock number column of a known provider whose values are hashes', () => {
  const rows = fileOf(smedia.columns, 20, (name, at) =>
    name === 'stock_number' ? String(at).padStart(32, 'a1b2') : '',
  )
  for (const presetKey of [undefined, null]) {
    const { mapping } = proposeMapping({ format: 'csv', columns: smedia.columns, rows }, TODAY, presetKey)
    expect(mapping.fields.stock?.source).toEqual({ kind: 'column', column: 'stock_number' })
  }
})

test('maps a known provider the same whatever its values are', () => {
  const empty = proposeMapping({ format: 'csv', columns: smedia.columns, rows: [] }, TODAY)
  const fuels = ['Gas engine, one owner', 'Diesel, low mileage', 'Electric and fast']
  for (const certified of ['0', '1', '']) {
    const rows = fileOf(smedia.columns, 200, (name, at) => {
      if (name === 'certified') return certified
      if (name === 'title') return fuels[at % 3] ?? ''
      return name === 'stock_type' ? 'used' : `${name} ${at}`
    })
    const { mapping } = proposeMapping({ format: 'csv', columns: smedia.columns, rows }, TODAY)
    expect(mapping).toEqual(empty.mapping)
    expect(mapping.fields.fuel).toBeUndefined()
  }
  expect(empty.mapping.fields.condition?.source.kind).toBe('rule')
})

test('recognizes a provider in a file with many more columns, and uses one of two columns with the same photos', () => {
  const own = PRESETS.find(({ key }) => key === 'marketcheck') ?? raise()
  const columns = [
    ...own.columns,
    'media.photo_links_cached',
    ...Array.from({ length: 110 }, (_, at) => `extra.field_${at}`),
  ]
  const rows = fileOf(columns, 20, (name, at) =>
    name.startsWith('media.') ? `https://a.example/photos/${at}.jpg|https://a.example/photos/${at}b.jpg` : '',
  )
  const { mapping, preset } = proposeMapping({ format: 'json', columns, rows }, TODAY)
  expect(preset?.key).toBe('marketcheck')
  const photos = { kind: 'column', column: 'media.photo_links' }
  expect(mapping.fields.photos?.source).toEqual(photos)
  expect(
    proposeMapping({ format: 'json', columns, rows }, TODAY, null).mapping.fields.photos?.source,
  ).toEqual(photos)
})

test('proposes the status column, unless it says whether vehicles are new', () => {
  const { columns, rows } = rowsOf(`
Stock;Status;Type
A1;SOLD;Used
A2;In Stock;New`)
  const { mapping } = proposeMapping({ format: 'csv', columns, rows }, TODAY)
  expect(mapping.fields.status?.source).toEqual({ kind: 'column', column: 'Status' })
  expect(mapping.fields.condition?.source).toEqual({ kind: 'column', column: 'Type' })
  const other = rowsOf(`
Stock;Status
A1;Used
A2;New`)
  const { fields } = proposeMapping({ format: 'csv', ...other }, TODAY).mapping
  expect(fields.status).toBeUndefined()
  expect(fields.condition?.source).toEqual({ kind: 'column', column: 'Status' })
  const sold = rowsOf(`
Stock;Sold
A1;1
A2;0`)
  const flagged = proposeMapping({ format: 'csv', ...sold }, TODAY).mapping
  expect(
    sold.rows.map((row) => mapRow(flagged, row, { unit: 'mi', today: TODAY, columns: sold.columns }).status),
  ).toEqual(['sold', 'live'])
})

function raise(): never {
  throw new Error('There is no row.')
}
