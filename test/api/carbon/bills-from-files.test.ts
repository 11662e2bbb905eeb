import { writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { activities } from '#contract/carbon/activity/activity.ts'
import { activityImports } from '#contract/carbon/activity/activity-imports.ts'
import { carbonAssignments } from '#contract/carbon/inventories/assignments.ts'
import { customSources } from '#contract/carbon/inventories/custom-sources.ts'
import { carbonInventories } from '#contract/carbon/inventories/inventories.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { importWorld, type ImportOptions } from '#test/factories/carbon/import-world.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let admin: Caller
let ford: TestOrganization
let world: Awaited<ReturnType<typeof importWorld>>
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  ford = await testOrganization(forecourt, 'Northgate Ford')
  world = await importWorld(forecourt, ford, admin)
})
afterAll(() => forecourt.close())

type Case = {
  name: string
  file: string | Uint8Array
  isGas?: true
  answers?: Record<string, string>
  options?: ImportOptions
  /** First day, last day, quantity and unit of each ready line. */
  ready: readonly string[]
  /** The questions with their answer. */
  questions?: readonly string[]
  /** Of the lines that aren't ready. */
  others?: readonly string[]
}

const utf16 = (text: string): Uint8Array => Buffer.from(`\uFEFF${text}`, 'utf16le')
const hours = (day: string, use: string) =>
  Array.from({ length: 24 }, (_, at) => `${day} ${String(at).padStart(2, '0')}:00,${use}`).join('\n')

/** In the style of the portals of utilities, of spreadsheets, and of other software. */
const CASES: Case[] = [
  {
    name: 'a header in line 5, a totals line, and notes below the table',
    file: `Riverside Power & Light,,,,
Customer: Northgate Ford,,,,
Account no.: 7700 123 456,,,,

Account Number,Bill Start Date,Bill End Date,kWh Used,Amount Due
7700123456,04/03/2025,05/02/2025,"12,400","$1,902.10"
7700123456,05/03/2025,06/02/2025,"11,950","$1,850.77"
,,Total,"24,350","$3,752.87"
* Estimated reads are marked E.,,,,
`,
    ready: ['2025-04-03 2025-05-02 12400 kWh', '2025-05-03 2025-06-02 11950 kWh'],
    others: ['left', 'left'],
  },
  {
    name: 'a German file in UTF-16 with readings, a multiplier and a use',
    file: utf16(`Zählernummer;Von;Bis;Zählerstand alt;Zählerstand neu;Wandlerfaktor;Verbrauch (kWh);Betrag (€)
1EMH0012345678;01.01.2025;31.01.2025;1.200,5;1.250,5;40;2.000,0;412,30
1EMH0012345678;01.02.2025;28.02.2025;1.250,5;1.295,5;40;1.800,0;380,10
Summe;;;;;;3.800,0;792,40
`),
    ready: ['2025-01-01 2025-01-31 2000 kWh', '2025-02-01 2025-02-28 1800 kWh'],
    others: ['left'],
  },
  {
    name: 'a French file in which every quantity is ambiguous, but the language and the semicolons are not',
    file: `Date de début;Date de fin;Consommation (kWh)
01/05/2025;31/05/2025;3.150
01/06/2025;30/06/2025;4.075
`,
    ready: ['2025-05-01 2025-05-31 3150 kWh', '2025-06-01 2025-06-30 4075 kWh'],
    questions: ['decimal ,'],
  },
  {
    name: 'an English file in which every quantity is ambiguous: it is asked about',
    file: `From;To;Consumption (kWh)
2025-05-01;2025-05-31;3.150
2025-06-01;2025-06-30;4.075
`,
    ready: [],
    questions: ['decimal null'],
    others: ['open', 'open'],
  },
  {
    name: 'the same, answered',
    file: `From;To;Consumption (kWh)
2025-05-01;2025-05-31;3.150
2025-06-01;2025-06-30;4.075
`,
    answers: { decimal: ',' },
    ready: ['2025-05-01 2025-05-31 3150 kWh', '2025-06-01 2025-06-30 4075 kWh'],
    questions: ['decimal ,'],
  },
  {
    name: 'decimals of a workbook are decimals',
    file: new Uint8Array(),
    ready: ['2025-05-01 2025-05-31 3.15 kWh', '2025-06-01 2025-06-30 4.075 kWh'],
  },
  {
    name: 'a month in each column, and the year in the heading',
    file: `Meter,Unit,Jan 2025,Feb 2025,Mar 2025,Total
Main,kWh,1000,1100,1200,3300
`,
    ready: [
      '2025-01-01 2025-01-31 1000 kWh',
      '2025-02-01 2025-02-28 1100 kWh',
      '2025-03-01 2025-03-31 1200 kWh',
    ],
  },
  {
    name: 'a year and a month in two columns',
    file: `Year,Month,Electricity (kWh),Gas (therms),Cost
2025,January,1000,90,300
2025,February,1100,80,310
`,
    ready: ['2025-01-01 2025-01-31 1000 kWh', '2025-02-01 2025-02-28 1100 kWh'],
    // It is the cost of both.
    questions: ['cost none'],
  },
  {
    name: 'months without a year',
    file: 'Month,kWh\nJanuary,1000\nFebruary,1100\n',
    answers: { year: '2025' },
    ready: ['2025-01-01 2025-01-31 1000 kWh', '2025-02-01 2025-02-28 1100 kWh'],
    questions: ['year 2025'],
  },
  {
    name: 'the period in one cell, and units behind the numbers',
    file: `Service period,Usage,Current charges
"Apr 3, 2025 - May 2, 2025","1,234 kWh",$201.50
"May 3, 2025 - Jun 2, 2025","1,300 kWh",$210.00
`,
    ready: ['2025-04-03 2025-05-02 1234 kWh', '2025-05-03 2025-06-02 1300 kWh'],
  },
  {
    name: 'on-peak and off-peak use without a total: the user says that they are added',
    file: `Start,End,On-Peak kWh,Off-Peak kWh,Demand kW
2025-01-01,2025-01-31,600,400,55
2025-02-01,2025-02-28,500,300,52
`,
    answers: { quantity: '2+3' },
    ready: ['2025-01-01 2025-01-31 1000 kWh', '2025-02-01 2025-02-28 800 kWh'],
  },
  {
    name: 'on-peak and off-peak use with their total',
    file: `Start,End,On-Peak kWh,Off-Peak kWh,Total kWh,Max kW
2025-01-01,2025-01-31,600,400,1000,55
2025-02-01,2025-02-28,500,300,800,52
`,
    ready: ['2025-01-01 2025-01-31 1000 kWh', '2025-02-01 2025-02-28 800 kWh'],
  },
  {
    name: 'hours of a smart meter as one column of times',
    file: `Interval start,Usage (kWh)\n${hours('2025-03-01', '1.5')}\n${hours('2025-03-02', '2')}\n`,
    ready: ['2025-03-01 2025-03-01 36 kWh', '2025-03-02 2025-03-02 48 kWh'],
  },
  {
    name: 'a day in each line and an hour in each column',
    file: `Meter,Date,${Array.from({ length: 24 }, (_, at) => `${at}:00`).join(',')}
M1,2025-03-01,${Array.from({ length: 24 }, () => '1.5').join(',')}
M1,2025-03-02,${Array.from({ length: 24 }, () => '2').join(',')}
`,
    ready: ['2025-03-01 2025-03-01 36 kWh', '2025-03-02 2025-03-02 48 kWh'],
    questions: ['unit:of kWh kWh'],
  },
  {
    name: 'one reading a line',
    file: `Read date,Meter reading
2025-01-01,120500
2025-02-01,123600
2025-03-01,126400
`,
    ready: ['2025-01-01 2025-01-31 3100 kWh', '2025-02-01 2025-02-28 2800 kWh'],
    questions: ['unit:of kWh kWh'],
    others: ['refused'],
  },
  {
    name: 'readings that contradict the stated use: both are named, and the multiplier is offered',
    file: `From,To,Start reading,End reading,Usage (kWh)
2025-01-01,2025-01-31,12000,12050,2000
2025-02-01,2025-02-28,12050,12095,1700
`,
    ready: [],
    questions: ['readings null'],
    others: ['open', 'open'],
  },
  {
    name: 'a column that is only called "Value", and identifiers: the user is asked',
    file: `Contract ID,From,To,Value,Zone
880012,2025-01-01,2025-01-31,1500,7
880012,2025-02-01,2025-02-28,1400,7
`,
    ready: [],
    questions: ['quantity null'],
    others: ['open', 'open'],
  },
  {
    name: 'negative quantities that may be solar energy',
    file: `From,To,Net kWh
2025-06-01,2025-06-30,800
2025-07-01,2025-07-31,-120
`,
    ready: ['2025-06-01 2025-06-30 800 kWh'],
    questions: ['credits null'],
    others: ['open'],
  },
  {
    name: 'a gas bill with a description that is no source, and units in another column',
    isGas: true,
    file: `Service,From,To,Usage,Units
Gas delivery,2025-02-01,2025-02-28,110,therms
Gas delivery,2025-03-01,2025-03-31,9.5,DTH
`,
    ready: ['2025-02-01 2025-02-28 110 therm', '2025-03-01 2025-03-31 9.5 Dth'],
  },
  {
    name: 'a column of hours is no unit, and an unknown unit is asked about',
    isGas: true,
    file: `Slot,From,To,Usage,UOM
hour,2025-02-01,2025-02-28,110,GUs
hour,2025-03-01,2025-03-31,95,GUs
`,
    answers: { 'unit:gus': 'ccf' },
    ready: ['2025-02-01 2025-02-28 110 ccf', '2025-03-01 2025-03-31 95 ccf'],
    questions: ['unit:gus ccf'],
  },
  {
    name: 'a table with two lines of headings, and blank columns',
    file: `Site A,,Electric,,,Gas,,
From,To,kWh,,Cost,Therms,,Cost
1/1/2025,1/31/2025,900,,120.55,80,,70.15
2/1/2025,2/28/2025,850,,115.20,75,,66.40
`,
    ready: ['2025-01-01 2025-01-31 900 kWh', '2025-02-01 2025-02-28 850 kWh'],
  },
  {
    name: 'quarter hours with their period in one cell',
    file: `Energy usage information

"Energy consumption time period","Usage (real energy in kilowatt-hours)","Reading quality"
"2025-01-01 00:00:00 to 2025-01-01 00:15:00","0.5",""
"2025-01-01 00:15:00 to 2025-01-01 00:30:00","0.5",""
"2025-01-01 00:30:00 to 2025-01-01 00:45:00","0.5",""
"2025-01-01 00:45:00 to 2025-01-01 01:00:00","0.5",""
`,
    ready: ['2025-01-01 2025-01-01 2 kWh'],
  },
  {
    name: 'a thousand with and without its separator, newest first, with blank lines',
    file: `End Date,Start Date,Usage kWh
,,
2025-02-28,2025-02-01,1400

2025-01-31,2025-01-01,"1,500"
`,
    ready: ['2025-02-01 2025-02-28 1400 kWh', '2025-01-01 2025-01-31 1500 kWh'],
  },
  {
    name: 'gas in two units with readings: the user is asked, and readings keep the unit of their heading',
    isGas: true,
    file: `From,To,Opening Reading (m3),Closing Reading (m3),Units Used (m3),Consumption (kWh)
01/01/2025,31/01/2025,1000,1150,150,1683.2
01/02/2025,28/02/2025,1150,1280,130,1458.8
`,
    answers: { quantity: '4' },
    ready: ['2025-01-01 2025-01-31 150 m3', '2025-02-01 2025-02-28 130 m3'],
  },
  {
    name: 'thousands of kilowatt-hours in the heading',
    file: 'Start,End,Usage (1000 kWh)\n2025-01-01,2025-01-31,1.5\n',
    ready: ['2025-01-01 2025-01-31 1.5 MWh'],
  },
  {
    name: 'the unit above the table, and the numbers of months',
    file: 'Utility: ABC\nUnits: MWh\nYear,Month,Usage\n2025,1,15\n2025,2,14\n',
    ready: ['2025-01-01 2025-01-31 15 MWh', '2025-02-01 2025-02-28 14 MWh'],
  },
  {
    name: 'several sites by their ID: each has to be named',
    file: `Site ID,Start,End,Usage,Unit
100234,2025-01-01,2025-01-31,1500,kWh
100235,2025-01-01,2025-01-31,1400,kWh
`,
    ready: [],
    others: ['refused', 'refused'],
  },
  {
    name: 'a Spanish file with a line of units',
    file: `Fecha inicio;Fecha fin;Consumo;Importe
dd/mm/yyyy;dd/mm/yyyy;kWh;€
01/01/2025;31/01/2025;1.234,5;250,10
01/02/2025;28/02/2025;987;210,00
`,
    ready: ['2025-01-01 2025-01-31 1234.5 kWh', '2025-02-01 2025-02-28 987 kWh'],
  },
]

async function readsAs({ file, isGas, answers = {}, options, ready, questions = [], others = [] }: Case) {
  const isBook = typeof file !== 'string' && file.length === 0
  const bytes = isBook ? await workbook() : file
  const asked = {
    ...options,
    sourceId: isGas ? world.gas : world.power,
    ...(isBook && { file: 'bills.xlsx' }),
  }
  const first = await world.preview(bytes, asked)
  const mapping = { ...first.mapping, answers: { ...first.mapping.answers, ...answers } }
  const found = Object.keys(answers).length === 0 ? first : await world.preview(bytes, { ...asked, mapping })
  const lines = found.shown.toSorted((one, other) => one.line - other.line)
  const readyLines = lines.filter(({ state }) => state === 'ready')
  expect(
    readyLines.map(
      ({ period, amount }) => `${period?.first} ${period?.last} ${amount?.quantity} ${amount?.unit}`,
    ),
  ).toEqual(ready)
  const isOther = (id: string) =>
    !(id.startsWith('unit:of ') || id === 'quantity') || questions.some((one) => one.startsWith(`${id} `))
  expect(found.questions.filter(({ id }) => isOther(id)).map(({ id, answer }) => `${id} ${answer}`)).toEqual(
    questions,
  )
  expect(lines.filter(({ state }) => state !== 'ready').map(({ state }) => state)).toEqual(others)
  expect(readyLines.every(({ kg }) => Number(kg) > 0)).toBe(true)
}

/** The others are read before a release. */
const isSampled = (_one: Case, at: number): boolean => at % 3 === 0

describe('bills from the files of utilities', () => {
  test.each(CASES.filter(isSampled))('$name', readsAs)
  test.each(CASES.filter((one, at) => !isSampled(one, at)))('$name', { tags: 'release' }, readsAs)
})

const workbook = () =>
  writeXlsx({
    sheets: [
      {
        name: 'Bills',
        rows: [
          ['From', 'To', 'Usage (kWh)'],
          [new Date('2025-05-01T00:00:00Z'), new Date('2025-05-31T00:00:00Z'), 3.15],
          [new Date('2025-06-01T00:00:00Z'), new Date('2025-06-30T00:00:00Z'), 4.075],
        ],
      },
    ],
  })

test.each([
  ['<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"></feed>', 'Green Button'],
  ['%PDF-1.7 ...', 'This is a PDF.'],
  ['<html><table></table></html>', 'This is a web page'],
])('a file of another kind says what to do instead (%#)', async (bytes, words) => {
  const { statusCode, message } = await world.upload({ path: '/api/carbon/read-activity-import' }, bytes)
  expect({ statusCode, message }).toEqual({ statusCode: 400, message: expect.stringContaining(words) })
})

test('a corrected bill replaces the earlier one, and undoing its import brings that back', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const file = (quantity: string) =>
    `From,To,Usage (kWh),Bill,Extra\n2025-01-01,2025-01-31,${quantity},B-1,kept\n`
  await one.bring(file('1500'))
  const { first, done } = await one.bring(file('1600'), { replace: 'replace' })
  expect(first.questions).toMatchObject([{ id: 'replace', answer: null, lines: 1 }])
  const shown = async () =>
    (await one.records()).map(({ quantity, version, reference }) => `${quantity} ${version} ${reference}`)
  expect(await shown()).toEqual(['1600 2 B-1'])
  const { rows } = await forecourt.owner.query<{ cells: string[] }>(
    'select cells from activity_import_lines where import_id = $1 and record_id is not null',
    [done.import?.id],
  )
  expect(rows.map(({ cells }) => cells)).toEqual([['2025-01-01', '2025-01-31', '1600', 'B-1', 'kept']])
  expect(await admin.call(activityImports.undo, { id: done.import?.id ?? '' })).toEqual({
    deleted: 0,
    restored: 1,
    kept: [],
    loose: [],
  })
  expect(await shown()).toEqual(['1500 3 B-1'])
  // The answer was about that bill only.
  expect(await one.preview(file('1700'))).toMatchObject({ isRemembered: true, open: 1 })
})

/** What is left of three imports of one bill, after these were undone. */
const leftAfter = async (order: readonly number[]) => {
  const one = await importWorld(forecourt, ford, admin)
  const bring = async (quantity: string) => {
    const { done } = await one.bring(`From,To,Usage (kWh),Bill\n2025-01-01,2025-01-31,${quantity},B-1\n`, {
      replace: 'replace',
    })
    return done.import?.id ?? ''
  }
  const ids = [await bring('1500'), await bring('1600')]
  if (order.includes(2)) ids.push(await bring('1700'))
  for (const at of order) await admin.call(activityImports.undo, { id: ids[at] ?? '' })
  return (await one.records()).map(({ quantity }) => quantity)
}
test.for([
  { order: [0, 1], left: [] },
  { order: [2, 0], left: ['1600'] },
])('of three imports of one bill, undone in the order $order, stays $left', async ({ order, left }) => {
  expect(await leftAfter(order)).toEqual(left)
})
test.for([
  { order: [1, 0], left: [] },
  { order: [0, 2, 1], left: [] },
  { order: [2, 1, 0], left: [] },
  { order: [1, 2], left: ['1500'] },
])(
  'of three imports of one bill, undone in the order $order, stays $left',
  { tags: 'release' },
  async ({ order, left }) => {
    expect(await leftAfter(order)).toEqual(left)
  },
)

test('a layout whose headings may mean something else is confirmed once, and again if it is read differently', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const file = (month: string, head = 'Netzbezug') =>
    `Acme energy report ${month} 2025\n\nVon,Bis,${head} (kWh),Rest (kWh)\n2025-0${month}-01,2025-0${month}-27,1500,3\n`
  const answers = { quantity: '2' }
  const read = await one.preview(file('1'))
  expect(read.layout.isConfirmed).toBe(false)
  const mapping = { ...read.mapping, answers: { ...read.mapping.answers, ...answers } }
  const sent = await one.upload({ path: '/api/carbon/add-activity-import' }, file('1'), { mapping })
  expect(sent).toMatchObject({ statusCode: 400, data: null })
  expect(await one.records()).toEqual([])
  await one.bring(file('1'), answers)
  // The next month.
  const next = await one.preview(file('2'))
  expect(next).toMatchObject({ isRemembered: true, ready: 1, layout: { isConfirmed: true } })
  // Another column is the use now.
  const other = { ...next.mapping, answers: { ...next.mapping.answers, quantity: '3' } }
  expect((await one.preview(file('2'), { mapping: other })).layout.isConfirmed).toBe(false)
  expect((await one.preview(file('2').replace('energy', 'gas'))).layout.isConfirmed).toBe(false)
})

test.each([
  ['From,To,Usage (kWh),Cost', true],
  ['Start date,End date,kWh,Total cost', true],
  ['From,To,Usage (kWh),Energy cost', false],
  ['Contract start,Contract end,Usage (kWh),Cost', false],
  ['From,To,Usage,Cost', false],
])('%s is clear without a confirmation: %s', async (head, isConfirmed) => {
  const { layout } = await world.preview(`${head}\n2025-01-01,2025-01-31,1500,300\n`)
  expect(layout.isConfirmed).toBe(isConfirmed)
})

test.each([
  ['gas', 'Gas,86.4,gallons'],
  ['power', 'Electricity,310.5,therms'],
] as const)('a unit that the energy is never billed in is asked about: %s', async (which, line) => {
  const file = `From,To,Utility,Quantity,Unit\n2025-01-01,2025-01-31,${line}\n`
  const { questions, ready } = await world.preview(file, { sourceId: world[which] })
  expect({ ready, ids: questions.map(({ id }) => id.split(':')[0]) }).toEqual({ ready: 0, ids: ['product'] })
})

test('the bills of an account that belongs to another facility so far are not put on the chosen one without a question', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const other = await one.addSource({
    activity: 'electricity/grid',
    scope: '2',
    unit: 'kWh',
    facilityId: await one.addFacility({ gridRegion: 'CAMX' }),
  })
  await forecourt.owner.query(
    "update emission_sources set source_type = 'electricity', name = null where id = $1",
    [other],
  )
  const file = (...lines: string[]) => ['Account,From,To,kWh', ...lines].join('\n')
  await one.bring(file('1,2025-01-01,2025-01-31,900'))
  await one.bring(file('2,2025-01-01,2025-01-31,500'), {}, { sourceId: other })
  const both = file('1,2025-02-01,2025-02-28,950', '2,2025-02-01,2025-02-28,520')
  const { questions } = await one.preview(both)
  expect(questions).toMatchObject([
    {
      id: `meterPlace:${other}`,
      answer: null,
      text: expect.stringMatching(/^Account “2” belongs to Site \d+, Electricity so far\. Where do these/),
    },
  ])
  const sums = async () => {
    const all = Map.groupBy(await one.records(), ({ sourceId }) => sourceId)
    return [one.power, other].map((id) =>
      (all.get(id) ?? []).reduce((sum, { quantity }) => sum + Number(quantity), 0),
    )
  }
  await one.bring(both, { [`meterPlace:${other}`]: 'there' })
  expect(await sums()).toEqual([1_850, 1_020])
  // The answer is remembered: the same file again is known in both places; a new account is of the chosen one.
  const again = await one.bring(`${both}\n3,2025-02-01,2025-02-28,10`)
  expect(again.last).toMatchObject({ known: 2, ready: 1, open: 0 })
  expect(await sums()).toEqual([1_860, 1_020])
  // Who wants them here after all is asked about those that are there.
  const here = { [`meterPlace:${other}`]: 'here', elsewhere: 'leave' }
  const moved = await one.bring(`${both}\n3,2025-02-01,2025-02-28,10\n2,2025-03-01,2025-03-31,530`, here)
  expect(moved.last.questions.map(({ id, answer }) => [id.split(':')[0], answer])).toContainEqual([
    'elsewhere',
    'leave',
  ])
  expect(await sums()).toEqual([2_390, 1_020])
})

test('units of two energies are asked about, those of one are not', async () => {
  const read = async (head: string, ...lines: string[]) => {
    const { questions, mapping } = await world.preview([head, ...lines].join('\n'), { sourceId: world.gas })
    const open = questions.filter(({ answer }) => answer === null || answer === 'none').map(({ id }) => id)
    return { open, cost: mapping.columns.cost }
  }
  const days = ['2025-01-01,2025-01-31,9000,120,900', '2025-02-01,2025-02-28,8000,150,880']
  const two = ['2025-01,9000,120,900', '2025-02,8000,150,880', '2025-03,8500,90,850']
  expect(await read('Month,kWh,CCF,Total Bill', ...two)).toEqual({
    open: ['quantity', 'cost'],
    cost: undefined,
  })
  // The same with units that name no energy, for each of the two.
  for (const sourceId of [world.power, world.gas]) {
    const { mapping } = await world.preview(['From,To,kWh,Therms,Total Charges', ...days].join('\n'), {
      sourceId,
    })
    expect(mapping.columns.cost).toBeUndefined()
  }
  // Also if one grows as the other: no gas has so little energy.
  const same = ['2025-01-01,2025-01-31,5000,360,900', '2025-02-01,2025-02-28,5100,367,910']
  for (const volume of ['CCF', 'm3', 'Therms', 'kgal'])
    expect(await read(`From,To,kWh,${volume},Cost`, ...same)).toMatchObject({ cost: undefined })
  expect(await read('From,To,kWh,CCF,Cost', ...same)).toMatchObject({ open: ['quantity', 'cost'] })
  // Electricity is never billed in therms.
  const ofPower = await world.preview(['From,To,kWh,Therms,Cost', ...same].join('\n'), {
    sourceId: world.power,
  })
  expect(ofPower.questions.map(({ id }) => id)).toEqual(['cost'])
  expect(ofPower.mapping.columns).toMatchObject({ quantity: 2 })
  const one = ['2025-01,3516,120,900', '2025-02,4410,150,980', '2025-03,2628,90,850']
  expect(await read('Month,kWh,CCF,Total Bill', ...one)).toMatchObject({ open: [], cost: 3 })
})

test('a total of all energy of a line is not the cost of one of them', async () => {
  const file = 'Month,Electric kWh,Gas Therms,Total Cost\n2025-01,900,40,150\n2025-02,950,38,160'
  for (const sourceId of [world.power, world.gas]) {
    const { questions, shown } = await world.preview(file, { sourceId })
    expect(questions).toMatchObject([
      { id: 'cost', answer: 'none', choices: [{ label: 'Total Cost: 150, 160' }, {}] },
    ])
    expect(shown.map(({ cells }) => cells.cost)).toEqual([undefined, undefined])
  }
})

test('a credit of January with the use of a bill of the year before is asked about', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const { id: inventoryId } = await admin.call(carbonInventories.add, {
    organizationId: one.organizationId,
    name: '2024',
    periodStart: '2024-01-01',
    periodEnd: '2024-12-31',
    boundary: 'operational',
    gwpSet: 'AR5',
    yearRule: 'edition',
    scope3: [],
  })
  const choices = [{ facilityId: one.site, choice: 'included' as const }]
  await admin.call(carbonAssignments.choose, { inventoryId, choices })
  const { sourceType } = await admin.call(customSources.add, {
    inventoryId,
    name: 'Power',
    activity: 'electricity/grid',
    scope: '2',
    unit: 'kWh',
    facilityIds: [one.site],
    frequency: 'year',
  })
  const { rows } = await forecourt.owner.query<{ id: string }>(
    `update emission_sources set source_type = 'electricity', name = null
      where inventory_id = $1 and source_type = $2 returning id::text`,
    [inventoryId, sourceType],
  )
  const days = { periodStart: '2024-12-01', periodEnd: '2024-12-31' }
  const record = {
    ...days,
    sourceId: rows[0]?.id ?? '',
    kind: 'calculated' as const,
    quantity: '3900',
    unit: 'kWh',
  }
  await admin.call(activities.save, {
    inventoryId,
    rows: [{ key: '1', record: { ...record, reference: 'B12' } }],
  })
  const file = 'Bill number,From,To,kWh\nC12,2025-01-01,2025-01-31,-3900\nB13,2025-01-01,2025-01-31,4000'
  const { first, last } = await one.bring(file, { credits: 'subtract', lastYear: 'leave' })
  expect(first.questions.map(({ id }) => id)).toEqual(['credits'])
  expect(last.questions.find(({ id }) => id === 'lastYear')?.text).toMatch(
    /^Line 2 takes back 3,900 kWh for .* In the inventory of the year before, .*B12 for .* has this use\./,
  )
  expect((await one.records()).map(({ quantity }) => quantity)).toEqual(['4000'])
})
