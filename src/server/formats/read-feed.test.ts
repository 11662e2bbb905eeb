import { expect, test } from 'vitest'
import type { FeedRow } from '#contract/feeds/mappings/source-row.ts'
import { proposeMapping } from '#contract/feeds/mappings/presets.ts'
import { ANY_SHAPE, type FeedShape } from '#contract/feeds/mappings/feed-shape.ts'
import { joinFeeds, memoryPartners } from '#server/feeds/runs/reading/join-feeds.ts'
import { openFeed } from './open-feed.ts'

/** In small chunks, so that boundaries fall everywhere. */
async function* inParts(bytes: Buffer, size = 7) {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size))
}

async function read(given: string | Buffer, shape: Partial<FeedShape> = {}, size?: number) {
  const bytes = typeof given === 'string' ? Buffer.from(given) : given
  const feed = await openFeed(inParts(bytes, size ?? (bytes.length > 10_000 ? 65_536 : 7)), {
    ...ANY_SHAPE,
    ...shape,
  })
  const rows: FeedRow[] = []
  for await (const row of feed.rows) rows.push(row)
  const refused = rows.flatMap(({ line, problems }) =>
    problems.map(({ kind, sentence }) => `${line} ${kind}: ${sentence}`),
  )
  return { ...feed, rows, refused, cells: rows.map(({ cells }) => cells) }
}

const CARS = 'VIN,Make,Price\n1FTFW1E50PFA00001,Ford,"45,000"\n1FTFW1E50PFA00002,Ford,46000\n'

test.each([
  [',', CARS],
  ['\t', 'VIN\tMake\tPrice\n1FTFW1E50PFA00001\tFord\t45,000\n1FTFW1E50PFA00002\tFord\t46000\n'],
  ['|', 'VIN|Make|Price\n1FTFW1E50PFA00001|Ford|45,000\n1FTFW1E50PFA00002|Ford|46000\n'],
  [';', 'sep=;\r\nVIN;Make;Price\r\n1FTFW1E50PFA00001;Ford;45,000\r\n1FTFW1E50PFA00002;Ford;46000'],
])('detects the separator %j and removes quotes', async (delimiter, text) => {
  const feed = await read(text)
  expect(feed).toMatchObject({ delimiter, columns: ['VIN', 'Make', 'Price'], refused: [] })
  expect(feed.cells).toEqual([
    { VIN: '1FTFW1E50PFA00001', Make: 'Ford', Price: '45,000' },
    { VIN: '1FTFW1E50PFA00002', Make: 'Ford', Price: '46000' },
  ])
})

test('numbers the columns of a file without a header', async () => {
  const feed = await read(CARS.split('\n').slice(1).join('\n'))
  expect(feed.columns).toEqual(['Column 1', 'Column 2', 'Column 3'])
  expect(feed.cells[0]).toEqual({ 'Column 1': '1FTFW1E50PFA00001', 'Column 2': 'Ford', 'Column 3': '45,000' })
})

const ACCENTS = 'Make,Model,Note\nCitroën,Coupé,€ 10\nSkoda,Rapid,plain\n'
const wide = Buffer.from(ACCENTS, 'utf16le')

test.each([
  ['utf-8', Buffer.from(ACCENTS)],
  ['utf-8', Buffer.from(`\uFEFF${ACCENTS}`)],
  ['utf-16le', wide],
  ['utf-16le', Buffer.concat([Buffer.of(0xff, 0xfe), wide])],
  ['utf-16be', Buffer.from(wide).swap16()],
  ['utf-16be', Buffer.concat([Buffer.of(0xfe, 0xff), Buffer.from(wide).swap16()])],
  ['windows-1252', Buffer.from(ACCENTS.replaceAll('€', '\u0080'), 'latin1')],
])('detects %s from the bytes', async (encoding, bytes) => {
  const feed = await read(bytes)
  expect(feed.encoding).toBe(encoding)
  expect(feed.columns).toEqual(['Make', 'Model', 'Note'])
  expect(feed.cells[0]).toEqual({ Make: 'Citroën', Model: 'Coupé', Note: '€ 10' })
})

test('reads a Windows-1252 letter far beyond the first chunk', async () => {
  const bytes = Buffer.from(`Make,Note\n${'Ford,plain\n'.repeat(20_000)}Citro\u00ebn,last\n`, 'latin1')
  expect((await read(bytes)).cells.at(-1)).toEqual({ Make: 'Citroën', Note: 'last' })
})

test('keeps line breaks, doubled quotes and inner quotes in a value', async () => {
  const text =
    'Stock,Note,Price\nA1,"two\nlines, and a comma",1\nA2,"he said ""new""",2\nA3,17" wheels,3\nA4,"17" wheels",4\n'
  const feed = await read(text)
  expect(feed.refused).toEqual([])
  expect(feed.cells.map(({ Note }) => Note)).toEqual([
    'two\nlines, and a comma',
    'he said "new"',
    '17" wheels',
    '17" wheels',
  ])
  expect(feed.rows.map(({ line }) => line)).toEqual([2, 4, 5, 6])
  expect(feed.rows[0]?.raw).toBe('A1,"two\nlines, and a comma",1')
})

test('an unclosed quote invalidates only its own line', async () => {
  const feed = await read('Stock,Note,Price\nA1,"open,1\nA2,fine,2\nA3,"also fine",3\nA4,fine,4\n')
  expect(feed.refused).toEqual([
    '2 refusal: A quote on this line is not closed, or is closed in the wrong place.',
  ])
  expect(feed.rows[0]?.raw).toBe('A1,"open,1')
  expect(feed.rows.slice(1).map(({ cells }) => cells.Stock)).toEqual(['A2', 'A3', 'A4'])
})

test('rejects rows with too many values, notes rows with too few, and ignores extra blank ones', async () => {
  const feed = await read('Stock,Note,Price\nA1,a,b,1\nA2,fine\nA3,fine,3,,\n,,\nStock,Note,Price\n')
  expect(feed.refused).toEqual([
    '2 refusal: The row has 4 values for 3 columns. A separator inside an unquoted value shifts the values after it.',
    '3 count: The row has 2 values for 3 columns.',
    '6 refusal: This line repeats the header.',
  ])
})

test('reports where an incomplete file ends', async () => {
  expect((await read(`${CARS}1FTFW1E5`)).refused).toEqual([
    '4 refusal: The file ends inside this row, after 1 of 3 values.',
  ])
  await expect(read('<l><c><a>1</a><b>2</b></c><c><a>3</a>\n<b>4')).rejects.toThrow(
    'Line 2: The file is incomplete: it ends inside <b>, which starts on line 2.',
  )
  await expect(read('[{"vin": "A", "make": "Ford"},\n{"vin": "B')).rejects.toThrow(
    'Line 2: The file is incomplete: it ends in the middle of a value.',
  )
})

test.each([
  ['', 'The file is empty.'],
  ['  \n \n', 'The file is empty: it contains only blank space.'],
  [
    Buffer.from('504b030414000600', 'hex'),
    'The file is a ZIP file or an Excel workbook (XLSX). Unzip it, or save it as CSV.',
  ],
  [Buffer.from('%PDF-1.7 ...'), 'The file is a PDF.'],
  [Buffer.from('VIN,Make\nA\0B,Ford\n'), "The file isn't text: byte 11 is zero."],
  ['<!DOCTYPE html><html><body>Sign in</body></html>', 'This is a web page, not a feed.'],
  ['just\nwords\nhere\n', 'No separator found: each line is a single value.'],
  [`${'a,'.repeat(3_000)}\n1,2\n`, 'Line 1: The file has more than 2,000 columns.'],
])('rejects %j, which is not a feed', async (given, sentence) => {
  await expect(read(given)).rejects.toThrow(sentence)
})

test('suggests the right separator when the wrong one is set', async () => {
  await expect(read(CARS, { delimiter: ';' })).rejects.toThrow(
    'Line 1: With a semicolon as the separator, the line has only one column. With a comma it has 3 columns.',
  )
})

test('rejects a row of 10 MB and reads the rows after it', async () => {
  for (const long of [
    'x'.repeat(10_000_000),
    `"${'x\n'.repeat(2)}${'y'.repeat(10_000_000)}`,
    ','.repeat(10_000_000),
  ]) {
    const feed = await read(`Stock,Price\nA1,1\nA2,${long}\nA3,3\n`)
    expect(feed.rows.length).toBeGreaterThanOrEqual(3)
    expect(feed.refused[0]).toMatch(/^3 refusal: /)
    expect(feed.rows.at(-1)?.cells).toEqual({ Stock: 'A3', Price: '3' })
  }
})

const XML = `<?xml version="1.0"?><rss xmlns:g="http://base.google.com/ns/1.0"><channel><title>Cars</title>
<item id="7"><g:vin>V1</g:vin><title><![CDATA[A & B <new>]]></title><mileage><value>10</value><unit>KM</unit></mileage>
<image><url>http://a/1.jpg</url></image><image><url>http://a/2.jpg</url></image>
<address><component name="city">Berne</component></address><note>caf&eacute; &#8364; &amp; more &unknown;</note></item>
<item id="8"><g:vin>V2</g:vin><title>C</title><note/></item></channel></rss>`

test('finds the rows of XML and names nested values by their path', async () => {
  const feed = await read(XML)
  expect(feed).toMatchObject({ format: 'xml', path: 'rss/channel/item', refused: [] })
  expect(feed.cells).toEqual([
    {
      '@id': '7',
      vin: 'V1',
      title: 'A & B <new>',
      'mileage.value': '10',
      'mileage.unit': 'KM',
      'image.url': ['http://a/1.jpg', 'http://a/2.jpg'],
      'address.city': 'Berne',
      note: 'café € & more &unknown;',
    },
    { '@id': '8', vin: 'V2', title: 'C', note: '' },
  ])
  expect(feed.rows[1]?.raw).toBe('<item id="8"><g:vin>V2</g:vin><title>C</title><note/></item>')
})

const VINS = ['1FTFW1E50PFA00001', '1FADP3F20DL200002', '2FMPK4J90HBB00003']

test('takes the repeated element as the row, with its dealer, photos and currency', async () => {
  const item = (
    vin: string,
  ) => `<item><shop>D1</shop><car><vin>${vin}</vin><make>Ford</make><model>Edge</model>
<year>2017</year><price currency="CAD">21000</price></car><pictures><picture>http://a/${vin}-1.jpg</picture><picture>http://a/${vin}-2.jpg</picture></pictures></item>`
  const feed = await read(`<items>${VINS.map(item).join('')}</items>`)
  expect(feed.path).toBe('items/item')
  expect(feed.cells[0]).toMatchObject({
    shop: 'D1',
    'car.vin': VINS[0],
    'car.price@currency': 'CAD',
    'pictures.picture': [`http://a/${VINS[0]}-1.jpg`, `http://a/${VINS[0]}-2.jpg`],
  })
  const { mapping } = proposeMapping({ ...feed, rows: feed.rows }, '2026-11-21')
  expect(mapping.fields).toMatchObject({
    photos: { source: { column: 'pictures.picture' } },
    price: { source: { column: 'car.price' }, currencyColumn: 'car.price@currency' },
  })
  // Several vehicles in one group are several rows.
  const grouped = await read(
    `<stock>${[1, 2].map(() => `<dealer><name>D</name>${VINS.map((vin) => `<car><vin>${vin}</vin><make>F</make></car>`).join('')}</dealer>`).join('')}</stock>`,
  )
  expect(grouped).toMatchObject({ path: 'stock/dealer/car' })
  expect(grouped.rows).toHaveLength(6)
})

test('a row has the values of its group that stand before it, such as the ID of the dealer', async () => {
  const car = (vin: string) =>
    `<car><vin>${vin}</vin><make>Ford</make><model>Edge</model><year>2017</year></car>`
  const group = (id: string, vins: readonly string[]) =>
    `<dealer rank="1"><dealer_id>${id}</dealer_id><name>North</name><description>Fords</description><address><city>Reno</city></address><cars>${vins.map(car).join('')}</cars><closed>no</closed></dealer>`
  const feed = await read(
    `<stock created="2026-11-21" xmlns="http://a/b"><date>today</date>${group('7', VINS.slice(0, 2))}${group('8', VINS.slice(2))}</stock>`,
  )
  expect(feed.path).toBe('stock/dealer/cars/car')
  const shared = { make: 'Ford', model: 'Edge', year: '2017' }
  expect(feed.cells).toEqual([
    { dealer_id: '7', 'dealer.name': 'North', vin: VINS[0], ...shared },
    { dealer_id: '7', 'dealer.name': 'North', vin: VINS[1], ...shared },
    { dealer_id: '8', 'dealer.name': 'North', vin: VINS[2], ...shared },
  ])
  const { mapping } = proposeMapping({ ...feed, rows: feed.rows }, '2026-11-21')
  expect(mapping.fields.dealer).toMatchObject({
    source: { kind: 'firstOf', columns: ['dealer_id', 'dealer.name'] },
  })
})

test('a dealer ID at the top of the document belongs to all rows, a date there to none', async () => {
  const car = (vin: string) => `<car><vin>${vin}</vin><make>Ford</make><model>Edge</model></car>`
  const feed = await read(
    `<inventory dealerId="55" created="2026-11-21"><updated>now</updated>${VINS.map(car).join('')}</inventory>`,
  )
  expect(feed.cells[2]).toEqual({ dealerId: '55', vin: VINS[2], make: 'Ford', model: 'Edge' })
  const { mapping } = proposeMapping({ ...feed, rows: feed.rows }, '2026-11-21')
  expect(mapping.fields.dealer).toMatchObject({ source: { column: 'dealerId' } })
})

test('a dealer without an ID has none, and not that of the dealer before', async () => {
  const car = (vin: string) => `<car><vin>${vin}</vin><make>Ford</make><model>Edge</model></car>`
  const feed = await read(
    `<stock><dealer id="7">${VINS.slice(0, 2).map(car).join('')}</dealer><dealer>${VINS.slice(2).map(car).join('')}</dealer></stock>`,
  )
  expect(feed.cells.map((cells) => cells['dealer@id'])).toEqual(['7', '7', undefined])
})

test('takes the outermost objects with one VIN each as the rows of JSON', async () => {
  const item = (vin: string) => ({
    shop: 'D1',
    identifiers: [{ type: 'vin', value: vin }],
    photos: [{ url: `http://a/${vin}.jpg` }],
  })
  const feed = await read(JSON.stringify({ data: { items: VINS.map(item) } }))
  expect(feed.path).toBe('data.items')
  expect(feed.cells[0]).toEqual({
    shop: 'D1',
    'identifiers.type': 'vin',
    'identifiers.value': VINS[0],
    'photos.url': `http://a/${VINS[0]}.jpg`,
  })
  const groups = [{ name: 'North', cars: VINS.map((vin) => ({ vin })) }]
  expect((await read(JSON.stringify({ groups }))).path).toBe('groups.cars')
})

test.each([
  ['<!DOCTYPE l [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><l><c><v>&b;</v></c></l>', 'DOCTYPE'],
  ['<!DOCTYPE l [<!ENTITY x SYSTEM "file:///etc/passwd">]><l><c><v>&x;</v></c></l>', 'DOCTYPE'],
  [`<l>${'<a>'.repeat(100)}`, 'nested more than 64 levels deep'],
  ['<l><a>1</b></l>', 'Unexpected </b>: <a> from line 1 is open.'],
  [`<l><c><v>1</v><w>2</w></c><c v="${'x'.repeat(2_000_000)}"/></l>`, 'more than 1,000,000 characters'],
])('rejects malicious XML: %.40s', async (text, sentence) => {
  await expect(read(text)).rejects.toThrow(sentence)
})

test.each([
  ['an array', '[{"vin":"V1","build":{"year":2020}},\n{"vin":"V2","photos":["a","b"]}]', ''],
  ['line-delimited objects', '{"vin":"V1","build":{"year":2020}}\n{"vin":"V2","photos":["a","b"]}\n', ''],
  [
    'a nested array',
    '{"num_found":2,"facets":{"make":[{"n":1}]},"listings":[{"vin":"V1","build":{"year":2020}},\n{"vin":"V2","photos":["a","b"]}]}',
    'listings',
  ],
])('reads JSON as %s', async (_, text, path) => {
  const feed = await read(text)
  expect(feed).toMatchObject({ format: 'json', path, columns: ['vin', 'build.year', 'photos'], refused: [] })
  expect(feed.cells).toEqual([
    { vin: 'V1', 'build.year': '2020' },
    { vin: 'V2', photos: ['a', 'b'] },
  ])
  expect(feed.rows[1]?.line).toBe(2)
})

test('rejects only the invalid JSON object and the one of 10 MB', async () => {
  const feed = await read(`[{"vin":"V1"},{"vin":V2},{"vin":"${'x'.repeat(10_000_000)}"},{"vin":"V4"}]`)
  expect(feed.rows.map(({ cells }) => cells.vin)).toEqual(['V1', undefined, undefined, 'V4'])
  expect(feed.refused).toEqual([
    expect.stringContaining('Invalid JSON'),
    '1 refusal: The row is longer than 1,000,000 characters.',
  ])
})

test('joins two files by VIN and keeps unmatched rows', async () => {
  const open = (text: string) => openFeed(inParts(Buffer.from(text)), ANY_SHAPE)
  const joined = await joinFeeds(
    await open(CARS),
    await open('vin,Price,Photos\n1ftfw1e50pfa00001 ,9,http://a/1.jpg\nOTHER,1,http://a/2.jpg\n'),
    { column: 'VIN', secondColumn: 'vin', partners: memoryPartners() },
  )
  expect(joined.columns).toEqual(['VIN', 'Make', 'Price', 'vin (2)', 'Price (2)', 'Photos'])
  const rows: FeedRow[] = []
  for await (const row of joined.rows) rows.push(row)
  expect(rows[0]?.cells).toMatchObject({ Price: '45,000', 'Price (2)': '9', Photos: 'http://a/1.jpg' })
  expect(rows[1]?.cells).not.toHaveProperty('Photos')
  expect(rows[2]?.problems).toEqual([{ kind: 'refusal', sentence: 'The first file has no row for OTHER.' }])
})

test('recognizes a header even if one of its names is as long as a VIN', async () => {
  const feed = await read('Fahrgestellnummer;Preis\nWVWAA7AU1KW000200;15.234,56\n')
  expect(feed).toMatchObject({ columns: ['Fahrgestellnummer', 'Preis'], rows: { length: 1 } })
})

test('finds vehicles in nested lists by their VINs', async () => {
  const car = (vin: string) => ({
    ident: { chassis: vin },
    pictures: [{ href: 'https://a.example/1.jpg', width: 640, height: 480 }],
  })
  const feed = await read(
    JSON.stringify({
      contacts: [{ name: 'A', mail: 'a@b.example', phone: '1' }],
      groups: [
        { branch: 'North', items: [car('1FTFW1E50PFA00001'), car('1FTFW1E50PFA00002')] },
        { branch: 'South', items: [car('1FTFW1E50PFA00003')] },
      ],
    }),
  )
  expect(feed).toMatchObject({ path: 'groups.items', rows: { length: 3 } })
  expect(feed.cells[2]).toMatchObject({ 'ident.chassis': '1FTFW1E50PFA00003' })
})
