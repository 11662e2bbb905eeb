import { readdirSync, readFileSync } from 'node:fs'
import { parseCsv } from 'hucre/csv'
import { writeXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'
import { Failure } from '#server/http/failure.ts'
import { parseCsvFile } from './parse-csv-file.ts'
import { parseWorkbook } from './parse-workbook.ts'
import { readSpreadsheet } from './read-spreadsheet.ts'
import { type Sheet, SheetRefusal } from './sheet.ts'
import { unpackWorkbook } from './unpack-workbook.ts'

const MAX_BYTES = 30_000_000
let customers = 0

async function read(bytes: Uint8Array | string, limits?: { milliseconds: number; heapMegabytes: number }) {
  async function* stream() {
    yield typeof bytes === 'string' ? Buffer.from(bytes) : bytes
  }
  customers += 1
  return readSpreadsheet(stream(), {
    customerId: String(customers),
    maxBytes: MAX_BYTES,
    ...(limits && { limits }),
  })
}

/** Parses like the worker, but without a thread, because starting one is slow. */
const parse = async (bytes: Uint8Array | string): Promise<Sheet[]> => {
  const file = Buffer.from(bytes)
  return file.subarray(0, 2).toString() === 'PK' ? parseWorkbook(file) : [parseCsvFile(file)]
}

async function sentenceOf(reading: Promise<unknown>): Promise<string> {
  const error = await reading.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (error instanceof Failure) return `${error.status} ${error.message}`
  if (error instanceof SheetRefusal) return error.message
  throw new Error('It was not rejected.', { cause: error })
}

const bookOf = (rows: (string | number)[][]) => writeXlsx({ sheets: [{ name: 'Bills', rows }] })

test('reads the factor files cell by cell like the parser', async () => {
  const folder = 'data/carbon'
  const files = readdirSync(folder).filter((name) => name.endsWith('.csv'))
  expect(files.length).toBeGreaterThan(5)
  for (const name of files) {
    const text = readFileSync(`${folder}/${name}`, 'utf8')
    const cells = parseCsv(text, { typeInference: false, delimiter: ',' })
    const [sheet, ...more] = await parse(text)
    expect(more).toEqual([])
    expect(sheet?.lines).toEqual(cells.map((row) => row.map((cell) => String(cell ?? '').trim())))
  }
})

test('keeps the sheets, numbers, dates and empty lines of a workbook', async () => {
  const book = await writeXlsx({
    sheets: [
      {
        name: 'Bills',
        rows: [['Site', 'kWh'], [], ['North', 12.5], [new Date('2026-03-01T00:00:00Z'), true]],
      },
      { name: 'Empty', rows: [] },
    ],
  })
  expect(await read(book)).toEqual([
    { name: 'Bills', lines: [['Site', 'kWh'], expect.any(Array), ['North', '12.5'], ['2026-03-01', 'true']] },
    { name: 'Empty', lines: [] },
  ])
})

test.each([
  ['From\tTo\tkWh\n1\t2\t3\n', 'utf16le', '\uFEFF'],
  ['From;To;kWh\n1;2;3\n', 'utf8', 'sep=;\r\n'],
  ['From|To|kWh\n1|2|3\n', 'latin1', ''],
  // More commas than semicolons, but not in every line.
  ['"Main St, 1, Sacramento, CA";;\nFrom;To;kWh\n1;2;3,5\n', 'utf8', ''],
] as const)('finds what separates the cells, and reads UTF-16 (%#)', async (text, encoding, start) => {
  const [sheet] = await parse(Buffer.from(`${start}${text}`, encoding))
  expect(sheet?.lines.find(([first]) => first === 'From')).toEqual(['From', 'To', 'kWh'])
})

test('reads quotes, line breaks in cells and both line endings of a CSV file', async () => {
  const [sheet] = await parse('a;"b ""c""\nd";""\r\n5" pipe;x""y;z\n')
  expect(sheet).toEqual({
    name: 'CSV',
    isText: true,
    delimiter: ';',
    lines: [
      ['a', 'b "c"\nd', ''],
      ['5" pipe', 'x""y', 'z'],
    ],
  })
})

const long = Array.from({ length: 20_200 }, (_, line) => [line])
test.for<[string, () => Uint8Array | string | Promise<Uint8Array>, string]>([
  ['a line of a million cells', () => 'a,'.repeat(1_000_000), 'Line 1 has more than 300 columns'],
  ['a wide line further down', () => `a,b\n${'a,'.repeat(400)}`, 'Line 2 has more than 300 columns'],
  ['two million lines', () => 'a,b\n'.repeat(2_000_000), 'more than 20,000 lines'],
  ['a million empty lines', () => '\n'.repeat(1_000_000), 'more than 60,000 lines, including empty ones'],
  [
    'a quote that is never closed',
    () => `a,"${'b\n'.repeat(40_000)}`,
    'Line 1, column 2 has more than 32,767',
  ],
  ['a wide workbook', () => bookOf([Array.from({ length: 301 }, () => 'x')]), 'line 1 has 301 columns'],
  ['a broken workbook', () => Buffer.from('PK\u0003\u0004 and no more'), "can't be read"],
  ['too many cells', () => `${'1,'.repeat(99)}1\n`.repeat(7_000), 'more than 600,000 cells up to line 6,001'],
  ['a picture', () => Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]), 'neither a CSV file nor a workbook'],
])('rejects %s with its position', async ([, make, sentence]) => {
  const message = await sentenceOf(parse(await make()))
  expect(message).toContain(sentence)
})

test('truncates a sheet that is too long, so that the other sheets can still be read', async () => {
  const book = await writeXlsx({
    sheets: [
      { name: 'Raw', rows: long },
      { name: 'Sum', rows: [['Total', 1]] },
    ],
  })
  const [raw, sum] = await parse(book)
  expect({ isCut: raw?.isCut, lines: raw?.lines.length, sum: sum?.lines }).toEqual({
    isCut: true,
    lines: 20_100,
    sum: [['Total', '1']],
  })
})

test('stops a thread that needs too much memory or time, and reads the next file', async () => {
  const book = await bookOf(
    Array.from({ length: 2_000 }, (_, line) => Array.from({ length: 30 }, () => line)),
  )
  expect(await sentenceOf(read(book, { milliseconds: 60_000, heapMegabytes: 8 }))).toMatch(
    /^400 .*too much memory/,
  )
  expect(await sentenceOf(read(book, { milliseconds: 1, heapMegabytes: 200 }))).toMatch(/^400 .*too long/)
  expect(await sentenceOf(read(''))).toBe('400 The file is empty.')
  expect(await sentenceOf(read('a,'.repeat(400)))).toMatch(/^400 Line 1 has more than 300 columns/)
  const lines = Array.from({ length: 5_000 }, (_, line) => [String(line), 'x', 'y', 'z', 'more'])
  expect(await read(lines.map((cells) => cells.join(',')).join('\n'))).toEqual([
    { name: 'CSV', isText: true, delimiter: ',', lines },
  ])
}, 60_000)

test('rejects an entry that unpacks to too much before parsing it', async () => {
  const book = Buffer.from(await bookOf([['x'.repeat(30_000)], ...Array.from({ length: 9 }, () => ['x'])]))
  expect(unpackWorkbook(book).length).toBeGreaterThan(book.length)
  // Set the unpacked size of each directory entry to 0xfffffff0 bytes.
  for (let at = book.indexOf('504b0102', 0, 'hex'); at >= 0; at = book.indexOf('504b0102', at + 1, 'hex')) {
    book.writeUInt32LE(0xfffffff0, at + 24)
  }
  expect(() => unpackWorkbook(book)).toThrow('is too large when unpacked')
})

test('what our own files protect from spreadsheets is read as it was', async () => {
  const [sheet] = await parse("Quantity;Comment\r\n'-120.5;'=note\r\n'tis;it's")
  expect(JSON.stringify(sheet)).toContain('"-120.5"')
  expect(JSON.stringify(sheet)).toContain('"=note"')
  expect(JSON.stringify(sheet)).toContain('"\'tis"')
})
