import { expect, test } from 'vitest'
import type { FeedRow } from './source-row.ts'
import { mapRow, mappingProblems } from './map-row.ts'
import { FeedMapping, type FieldMapping } from './mapping.ts'
import { withDateForms } from './with-date-forms.ts'

const TODAY = '2026-11-21'

function row(cells: FeedRow['cells'], problems: FeedRow['problems'] = []): FeedRow {
  return { line: 2, raw: '', cells, problems }
}

function map(cells: FeedRow['cells'], fields: Record<string, FieldMapping>, problems?: FeedRow['problems']) {
  const mapping = FeedMapping.parse({ fields })
  return mapRow(mapping, row(cells, problems), { unit: 'mi', today: TODAY, columns: Object.keys(cells) })
}

const column = (name: string, more: Partial<FieldMapping> = {}): FieldMapping => ({
  source: { kind: 'column', column: name },
  ...more,
})
const STOCK = { stock: column('Stock') }

test('reads every kind of source', () => {
  const { values } = map(
    { Stock: 'A1', One: '', Two: 'Ford', Cyl: '6 Cyl, 3.5L Turbo', Code: 'N', Price: '10000' },
    {
      ...STOCK,
      make: { source: { kind: 'firstOf', columns: ['One', 'Two'] } },
      engine: { source: { kind: 'part', column: 'Cyl', separators: ',', part: 2 } },
      body: { source: { kind: 'constant', value: 'SUV' } },
      condition: { source: { kind: 'rule', rule: 'code == "N" ? "new" : "used"' } },
      msrp: { source: { kind: 'rule', rule: 'price_number * 1.05' } },
      trim: column('Code', { map: [{ from: 'n', to: 'Base' }] }),
    },
  )
  expect(values).toEqual({
    stock: 'A1',
    make: 'Ford',
    engine: '3.5L Turbo',
    body: 'SUV',
    condition: 'new',
    msrp: 1_050_000,
    trim: 'Base',
  })
})

test.each([
  ['$12,995', 1_299_500],
  ['12.995,50 €', 1_299_550],
  ['1 299,00', 129_900],
  ["CHF 12'995.-", 1_299_500],
  ['12995.5 USD', 1_299_550],
  ['12.995', 1_299_500],
  ['US$ 9,999*', 999_900],
])('reads %s as a price', (text, cents) => {
  expect(map({ Stock: 'A1', Price: text }, { ...STOCK, price: column('Price') })).toMatchObject({
    values: { price: cents },
    warnings: [],
  })
})

test.each([
  ['Please Call', "\u201cPlease Call\u201d isn't a price. Left blank."],
  ['0', "\u201c0\u201d isn't a price. Left blank."],
  ['from 10 to 20', "\u201cfrom 10 to 20\u201d isn't a price."],
  ['-5', "\u201c-5\u201d isn't a valid price."],
])('warns that %s is not a price', (text, sentence) => {
  const mapped = map(
    { Stock: 'A1', Price: text },
    { ...STOCK, price: column('Price'), feedPrice: column('Price') },
  )
  expect(mapped).toMatchObject({ refusals: [], warnings: [{ target: 'price', sentence }] })
  expect(mapped.values).toEqual({ stock: 'A1' })
})

test.each([
  ['126,852 mi', {}, 126_852],
  ['100000 km', {}, 62_137],
  ['12.4k miles', {}, 12_400],
  ['100000', { unit: 'km' as const }, 62_137],
  ['100000', {}, 100_000],
  ['100000', { unitColumn: 'Unit' }, 62_137],
])('reads a mileage of %s with %o in miles', (text, more, miles) => {
  const { values } = map({ Stock: 'A1', Km: text, Unit: 'KM' }, { ...STOCK, mileage: column('Km', more) })
  expect(values.mileage).toBe(miles)
})

test.each([
  ['2026-03-01T10:00:00Z', undefined, '2026-03-01'],
  ['3/4/2026', undefined, undefined],
  ['4/4/2026', undefined, '2026-04-04'],
  ['3/4/2026', ['us' as const], '2026-03-04'],
  ['3/4/2026', ['eu' as const], '2026-04-03'],
  ['31/12/2025', undefined, '2025-12-31'],
  ['20260301', undefined, '2026-03-01'],
  ['Nov 21, 2026', undefined, '2026-11-21'],
  ['21-Nov-26', undefined, '2026-11-21'],
  ['10', ['daysAgo' as const], '2026-11-11'],
  ['1767225600', undefined, '2026-01-01'],
])('reads %s in the forms %o as a date', (text, dates, day) => {
  const { values } = map({ Stock: 'A1', Date: text }, { ...STOCK, inStockOn: column('Date', { dates }) })
  expect(values.inStockOn).toBe(day)
})

test('splits lists at any separator', () => {
  const { values, warnings } = map(
    {
      Stock: 'A1',
      Photos: 'http://a/1.jpg,http://a/2.jpg?w=1,h=2|//b/3.jpg broken',
      More: ['http://a/4.jpg', 'http://a/1.jpg'],
      Options: 'Heated seats|Roof, glass|Heated seats',
    },
    {
      ...STOCK,
      photos: { source: { kind: 'allOf', columns: ['Photos', 'More'] } },
      options: column('Options'),
    },
  )
  expect(values.options).toEqual(['Heated seats', 'Roof, glass'])
  expect(values.photos).toEqual(['http://a/1.jpg', 'http://a/2.jpg?w=1,h=2', 'http://a/4.jpg'])
  expect(warnings).toHaveLength(1)
})

test('dates that may be two days are read as their column proves, and are left blank with a warning if it proves nothing', () => {
  const mapping = FeedMapping.parse({ fields: { ...STOCK, inStockOn: column('Date') } })
  const read = (...dates: string[]) => {
    const rows = dates.map((date) => row({ Stock: 'A1', Date: date }))
    const decided = withDateForms(mapping, { columns: ['Stock', 'Date'], rows, own: [] })
    const options = { unit: 'mi', today: '2026-11-21', columns: ['Stock', 'Date'] } as const
    return rows
      .map((one) => mapRow(decided, one, options))
      .map(({ values, warnings }) => values.inStockOn ?? warnings[0]?.sentence)
  }
  expect(read('3/4/2026', '13/4/2026')).toEqual(['2026-04-03', '2026-04-13'])
  expect(read('3/4/2026', '4/13/2026')).toEqual(['2026-03-04', '2026-04-13'])
  expect(read('3/4/2026', '5/4/2026')).toEqual([
    '“3/4/2026” may be two days. Choose the date format of the field in the provider mapping.',
    expect.stringContaining('may be two days'),
  ])
  // In a column that contradicts itself, only the clear ones are read.
  expect(read('3/4/2026', '13/4/2026', '4/13/2026')[0]).toContain('may be two days')
})

test('reads extremely long texts quickly', () => {
  const commas = `http://a/1.jpg${','.repeat(500_000)}x`
  const blanks = `1${' '.repeat(500_000)}!`
  const startedAt = performance.now()
  const { values } = map(
    { Stock: 'A1', Photos: commas, Price: blanks, Date: blanks, Make: blanks, Text: '<a'.repeat(200_000) },
    {
      ...STOCK,
      photos: column('Photos'),
      price: column('Price'),
      inStockOn: column('Date'),
      make: column('Make'),
      description: column('Text'),
    },
  )
  expect(values.stock).toBe('A1')
  expect(performance.now() - startedAt).toBeLessThan(2_000)
})

test('converts spellings to standard values and reports values that have none', () => {
  const { values, unmapped } = map(
    {
      Stock: 'A1',
      Make: 'DODGE TRUCK',
      Body: 'STELVIO',
      Fuel: 'Regular unleaded',
      Drive: '4X4',
      Type: 'Pre-Owned',
    },
    {
      ...STOCK,
      make: column('Make'),
      body: column('Body'),
      fuel: column('Fuel'),
      drivetrain: column('Drive'),
      condition: column('Type'),
    },
  )
  expect(values).toMatchObject({
    make: 'Dodge',
    body: 'STELVIO',
    fuel: 'Gasoline',
    drivetrain: '4WD',
    condition: 'used',
  })
  expect(unmapped).toEqual([{ field: 'body', value: 'STELVIO' }])
})

test('rejects a row only if it has neither a VIN nor a stock number', () => {
  const fields = { vin: column('VIN'), stock: column('Stock'), year: column('Year') }
  expect(map({ VIN: '', Stock: '', Year: '2020' }, fields).refusals).toEqual(['No VIN or stock number.'])
  expect(map({ VIN: 'call us', Stock: '', Year: '2020' }, fields).refusals).toEqual([
    'No VIN or stock number.',
  ])
  expect(map({ VIN: 'red', Stock: 'A1', Year: 'soon' }, fields)).toMatchObject({
    refusals: [],
    warnings: [{ target: 'vin' }, { target: 'year' }],
  })
  expect(map({ VIN: '1FTFW1E50PFA0000O', Stock: '', Year: '2020' }, fields)).toMatchObject({
    refusals: [],
    values: { vin: '1FTFW1E50PFA0000O' },
    warnings: [{ target: 'vin' }],
  })
})

test('rejects a short row whose VIN or year is in the wrong column', () => {
  const fields = { vin: column('VIN'), stock: column('Stock'), year: column('Year') }
  const short = [{ kind: 'count' as const, sentence: 'The row has 2 values for 3 columns.' }]
  expect(map({ VIN: '1FTFW1E50PFA00001', Stock: 'A1', Year: '' }, fields, short).refusals).toEqual([])
  expect(map({ VIN: 'Ford', Stock: '2020', Year: '' }, fields, short).refusals).toEqual([
    "The values are in the wrong columns: \u201cFord\u201d isn't a VIN.",
  ])
})

test('leaves out rows that match the rule, with its reason, without rejecting them', () => {
  const skipRule = { rule: 'deleted == "1"', reason: 'Deleted.' }
  const mapping = FeedMapping.parse({ fields: STOCK, skipRule })
  const options = { unit: 'mi' as const, today: TODAY, columns: ['Stock', 'deleted'] }
  const [deleted, offered] = ['1', '0'].map((flag) =>
    mapRow(mapping, row({ Stock: 'A1', deleted: flag }), options),
  )
  expect(deleted).toMatchObject({ refusals: [], leftOut: 'Deleted.' })
  expect(offered).toMatchObject({ refusals: [], leftOut: null })
})

test('warns about a wrong check digit and keeps the VIN', () => {
  const read = (vin: string) => map({ VIN: vin }, { vin: column('VIN') })
  expect(read('1FMCU9GD1VD319096')).toMatchObject({
    values: { vin: '1FMCU9GD1VD319096' },
    refusals: [],
    warnings: [
      { target: 'vin', sentence: 'The VIN 1FMCU9GD1VD319096 has a wrong check digit. Check it for typos.' },
    ],
  })
  expect(read('4T1C11AK0PU167330').warnings).toEqual([])
  // Masked by the factory, and a European VIN, which has no check digit.
  expect(read('2T3A1RFV0PC28F240').warnings).toEqual([])
  expect(read('WVWZZZAUZKW000200').warnings).toEqual([])
})

test('leaves an amount in another currency blank, with a warning', () => {
  const price = column('price', { currencyColumn: 'price@currency' })
  const mapping = FeedMapping.parse({ fields: { ...STOCK, price } })
  const options = { unit: 'mi' as const, currency: 'USD', today: TODAY, columns: [] }
  const read = (amount: string, currency: string) => {
    const { values, warnings } = mapRow(
      mapping,
      row({ Stock: 'A1', price: amount, 'price@currency': currency }),
      options,
    )
    return [values.price, ...warnings.map(({ sentence }) => sentence)]
  }
  expect(read('21000', 'USD')).toEqual([2_100_000])
  expect(read('21000', '')).toEqual([2_100_000])
  expect(read('21000', 'CAD')).toEqual([undefined, '“21000” is in CAD, not in USD. Left blank.'])
  expect(read('78000 CAD', '')).toEqual([undefined, '“78000 CAD” is in CAD, not in USD. Left blank.'])
})

test.each([
  ['In Stock', 'live'],
  ['SOLD', 'sold'],
  ['Wholesale', 'wholesale'],
  ['Sale Pending', 'pending'],
  ['In-Transit', 'incoming'],
  ['ON_HOLD', 'hold'],
  ['Bright', null],
])('reads the status %s as %s', (text, status) => {
  const mapped = map({ Stock: 'A1', Status: text }, { ...STOCK, status: column('Status') })
  expect(mapped.status).toBe(status)
  expect(mapped.warnings).toHaveLength(status === null ? 1 : 0)
})

test('says that a mapping has no column for VINs and stock numbers', () => {
  expect(map({ Make: 'Ford' }, { make: column('Make') }).refusals).toEqual([
    'The mapping has no column for the VIN or the stock number.',
  ])
})

test('reports mapping errors by field', () => {
  const mapping = FeedMapping.parse({
    fields: { ...STOCK, make: { source: { kind: 'rule', rule: 'brnd == "x"' } } },
    skipRule: { rule: 'brand', reason: 'No.' },
  })
  expect(mappingProblems(mapping, ['brand'])).toEqual({
    stock: 'The file has no column Stock.',
    make: 'Unknown field `brnd`. Did you mean `brand`?',
    skipRule: 'The rule must be true or false.',
  })
})
