import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { csv } from '#test/factories/carbon/imported-bill.ts'
import { importWorld } from '#test/factories/carbon/import-world.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let admin: Caller
let ford: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  ford = await testOrganization(forecourt, 'Northgate Ford')
})
afterAll(() => forecourt.close())

type Sent = Readonly<{ file: string; answers?: Readonly<Record<string, string>>; asks?: readonly string[] }>
type Case = Readonly<{ what: string; source?: 'cars' | 'gas'; files: readonly Sent[]; total: number }>
const JAN = '2025-01-01,2025-01-31'
const FEB = '2025-02-01,2025-02-28'

const METERS = csv(
  'Meter number,Bill number,From,To,Usage,Unit',
  `81001,INV1,${JAN},750,kWh`,
  `81002,INV1,${JAN},800,kWh`,
  `81003,INV1,${JAN},850,kWh`,
)
const ACCOUNT = csv('Account number,From,To,Usage,Unit', `A-5501,${JAN},2400,kWh`)
const NUMBERED = csv('Account number,Bill number,From,To,Usage,Unit', `A-5501,INV1,${JAN},2400,kWh`)
const FILLS = csv(
  'Date,Vehicle,Gallons',
  '01/05/2025,V1,21.3',
  '01/15/2025,V1,20.5',
  '01/25/2025,V1,21.2',
  '01/05/2025,V2,22.1',
  '01/15/2025,V2,21.9',
  '01/25/2025,V2,22',
)
const DAY = { date: 'day' }
const FILLED = csv('Vehicle,Month,Gallons', 'V1,Jan 2025,63', 'V2,Jan 2025,66')
const BILLED = csv(
  'Invoice Number,Start Date,End Date,Usage,Units,Status',
  `I1,${JAN},1000,kWh,Billed`,
  `I2,${FEB},1100,kWh,Billed`,
)
const VOIDED = csv(
  'Invoice Number,Start Date,End Date,Usage,Units,Status',
  `I1,${JAN},1000,kWh,Canceled`,
  `I3,${JAN},980,kWh,Billed`,
  `I2,${FEB},1100,kWh,Billed`,
)
const VOID = { 'word:canceled': 'leave', voided: 'credit' }
const TWICE = csv('Delivery Date,Gallons', '01/15/2025,200', '01/15/2025,200')

const METERED = 'Meter,Bill number,From,To,kWh'
const TICKETS = csv(
  'Delivery Date,Ticket,Gallons',
  '01/15/2025,T1,200',
  '02/12/2025,T2,185.5',
  '03/03/2025,T3,210',
)
const INVOICED = [
  csv(
    'Invoice Number,Invoice Date,Gallons',
    'I91,01/15/2025,200',
    'I92,02/12/2025,185.5',
    'I93,03/03/2025,210',
  ),
  csv(
    'Invoice Number,Ticket,Delivery Date,Gallons',
    'I91,T1,01/15/2025,200',
    'I92,T2,02/12/2025,185.5',
    'I93,T3,03/03/2025,210',
  ),
  csv(
    'Invoice Number,Delivery Date,Gallons',
    'I9,01/15/2025,200',
    'I9,02/12/2025,185.5',
    'I9,03/03/2025,210',
  ),
]
const REBILLED = [
  {
    what: 'another use',
    lines: [`M1,B1,${JAN},1037`, `M1,B1K,${JAN},990`, `M1,B2,${FEB},1074`],
    total: 2_064,
  },
  { what: 'the same use', lines: [`M1,B1,${JAN},1000`, `M1,B7,${JAN},1000`], total: 1_000 },
  { what: 'a day less', lines: [`M1,B1,${JAN},1000`, 'M1,B7,2025-01-01,2025-01-30,990'], total: 990 },
]

/** Lists of the same bills in other parts: files one after the other, the answers of their user, and what is used in the end. */
const CASES: readonly Case[] = [
  {
    what: 'the meters of an account whose sum is there, left out',
    files: [{ file: ACCOUNT }, { file: METERS, asks: ['parts'], answers: { parts: 'leave' } }],
    total: 2_400,
  },
  {
    what: 'the meters of an account whose sum is there, in its place',
    files: [
      { file: ACCOUNT },
      { file: METERS, asks: ['parts'], answers: { parts: 'replace' } },
      { file: METERS, asks: [] },
    ],
    total: 2_400,
  },
  {
    what: 'the meters of an invoice whose sum is there with its number',
    files: [{ file: NUMBERED }, { file: METERS, asks: ['parts'], answers: { parts: 'replace' } }],
    total: 2_400,
  },
  {
    what: 'the sum of an account whose meters are there',
    files: [{ file: METERS }, { file: ACCOUNT, asks: ['whole'], answers: { whole: 'leave' } }],
    total: 2_400,
  },
  {
    what: 'what vehicles filled in a month, after each time',
    source: 'cars',
    files: [
      { file: FILLS, answers: DAY },
      { file: FILLED, asks: ['whole'], answers: { whole: 'leave' } },
    ],
    total: 129,
  },
  {
    what: 'each time that vehicles were filled, after the month',
    source: 'cars',
    files: [{ file: FILLED }, { file: FILLS, answers: { ...DAY, parts: 'leave' } }],
    total: 129,
  },
  {
    what: 'a bill that its portal calls canceled now',
    files: [
      { file: BILLED },
      { file: VOIDED, asks: ['word:canceled'], answers: VOID },
      { file: VOIDED, answers: VOID },
    ],
    total: 2_080,
  },
  {
    what: 'a canceled bill that stays',
    files: [
      { file: BILLED },
      {
        file: VOIDED,
        answers: { ...VOID, voided: 'leave', overlap: 'both', sameDay: 'leave', replace: 'leave' },
      },
    ],
    total: 3_080,
  },
  ...['', 'Account', 'Meter,Bill No'].map((after): Case => ({
    what: `a bill whose last day and use were corrected, in a list with ${after || 'only days'}`,
    files: [
      { file: csv('From,To,Usage,Unit', '2025-05-01,2025-05-31,560,kWh') },
      {
        file: csv(
          [...(after === '' ? [] : [after]), 'From,To,Usage,Unit'].join(','),
          `${after
            .split(',')
            .map((one) => (one === '' ? '' : `${one.charAt(0)}77,`))
            .join('')}2025-05-01,2025-05-30,600,kWh`,
        ),
        asks: ['overlap'],
        answers: { overlap: 'replace' },
      },
    ],
    total: 600,
  })),
  {
    what: 'the net of a bill and its credit',
    files: [
      { file: csv('Meter,Bill number,Start,End,kWh', `M1,B1,${JAN},1000`) },
      {
        file: csv('Meter,Bill number,Start,End,kWh', `M1,C1,${JAN},-300`),
        answers: { credits: 'subtract', lastYear: 'count' },
      },
      {
        file: csv('Meter,Bill number,Start,End,kWh', `M1,B1,${JAN},700`),
        asks: ['whole'],
        answers: { whole: 'leave' },
      },
    ],
    total: 700,
  },
  {
    what: 'one bill for two months that are there',
    files: [
      { file: csv('From,To,Usage,Unit', `${JAN},1000,kWh`, `${FEB},900,kWh`) },
      {
        file: csv('From,To,Usage,Unit', '2025-01-01,2025-02-28,1850,kWh'),
        asks: ['overlaps'],
        answers: { overlaps: 'later' },
      },
    ],
    total: 1_900,
  },
  {
    what: 'a month after some of its days',
    files: [
      { file: csv('Meter,Start,End,kWh', 'M1,2025-01-01,2025-01-01,30', 'M1,2025-01-02,2025-01-02,31') },
      {
        file: csv('Meter,Start,End,kWh', `M1,${JAN},930`),
        asks: ['overlaps'],
        answers: { overlaps: 'leave' },
      },
    ],
    total: 61,
  },
  {
    what: 'a list with the days of invoices',
    files: [
      { file: csv('Bill number,Start,End,kWh', `B1,${JAN},1000`) },
      {
        file: csv('Bill number,Start,End,kWh', 'B1,2025-02-01,2025-02-28,1000'),
        asks: ['sameNumber'],
        answers: { sameNumber: 'leave' },
      },
    ],
    total: 1_000,
  },
  {
    what: 'the meters of an account with losses',
    files: [
      { file: csv('Account number,From,To,Usage,Unit', `A1,${JAN},1120,kWh`) },
      {
        file: csv('Meter,From,To,Usage,Unit', `M1,${JAN},510,kWh`, `M2,${JAN},580,kWh`),
        asks: ['otherMeter', 'overlap'],
        answers: { otherMeter: 'leave', overlap: 'leave' },
      },
    ],
    total: 1_120,
  },
  {
    what: 'some days of a month that is there',
    files: [
      { file: csv('Meter,Start,End,kWh', `M1,${JAN},930`) },
      {
        file: csv(
          'Meter,Start,End,kWh',
          ['03', '04', '05'].map((day) => `M1,2025-01-${day},2025-01-${day},30`),
        ),
        asks: ['overlap'],
        answers: { overlap: 'leave' },
      },
    ],
    total: 930,
  },
  {
    what: 'a canceled bill with another use and last day',
    files: [
      { file: BILLED },
      {
        file: csv(
          'Invoice Number,Start Date,End Date,Usage,Units,Status',
          'I1,2025-01-01,2025-01-30,1002,kWh,Canceled',
          `I3,${JAN},980,kWh,Billed`,
          `I2,${FEB},1100,kWh,Billed`,
        ),
        answers: VOID,
      },
    ],
    total: 2_080,
  },
  {
    what: 'one bill for two months with the number of the first',
    files: [
      { file: csv('Bill number,From,To,Usage,Unit', `B1,${JAN},500,kWh`, `B2,${FEB},480,kWh`) },
      {
        file: csv('Bill number,From,To,Usage,Unit', 'B1,2025-01-01,2025-02-28,950,kWh'),
        asks: ['overlaps'],
        answers: { overlaps: 'later' },
      },
    ],
    total: 980,
  },
  {
    what: 'one bill of a meter for two months that are there without numbers',
    files: [
      { file: csv('Meter,From,To,Usage,Unit', `M1,${JAN},1000,kWh`, `M1,${FEB},900,kWh`) },
      {
        file: csv('Meter,From,To,Usage,Unit', 'M1,2025-01-01,2025-02-28,1850,kWh'),
        asks: ['overlaps'],
        answers: { overlaps: 'later' },
      },
    ],
    total: 1_900,
  },
  {
    what: 'a bill of the supplier, rounded otherwise',
    files: [
      { file: csv('Account number,Bill number,From,To,Usage,Unit', `A-5501,I1001,${JAN},1000,kWh`) },
      {
        file: csv(
          'Account ID,Invoice Number,Start Date,End Date,Usage,Usage Units',
          `CCA-7,S77,${JAN},1000.4,kWh`,
        ),
        asks: ['overlap'],
        answers: { overlap: 'leave' },
      },
    ],
    total: 1_000,
  },
  {
    what: 'two equal deliveries of a day, and then with their tickets',
    source: 'cars',
    files: [
      { file: TWICE, asks: ['repeated'], answers: { repeated: 'both' } },
      { file: TWICE, asks: [] },
      {
        file: csv('Delivery Date,Ticket,Gallons', '01/15/2025,T1,200', '01/15/2025,T2,200'),
        answers: DAY,
      },
    ],
    total: 400,
  },
  {
    what: 'a second equal delivery in a list that has the first again',
    source: 'cars',
    files: [
      { file: csv('Delivery Date,Gallons', '01/15/2025,200'), answers: DAY },
      { file: TWICE, asks: ['repeated'], answers: { repeated: 'both' } },
      { file: TWICE, asks: [] },
    ],
    total: 400,
  },
  {
    what: 'a delivery that is listed twice',
    source: 'cars',
    files: [{ file: TWICE, answers: { repeated: 'once' } }],
    total: 200,
  },
  ...INVOICED.map((file): Case => ({
    what: `deliveries by tickets, then by invoices: ${file.slice(0, file.indexOf('\n'))}`,
    source: 'cars',
    files: [
      { file: TICKETS, answers: DAY },
      { file, answers: { ...DAY, overlap: 'leave' } },
    ],
    total: 595.5,
  })),
  {
    what: 'a delivery ticket more in a growing list',
    source: 'cars',
    files: [
      { file: TICKETS, answers: DAY },
      { file: `${TICKETS}\n03/03/2025,T4,210`, answers: DAY, asks: [] },
    ],
    total: 805.5,
  },
  {
    what: 'gas in therms by the utility and in CCF by the supplier',
    source: 'gas',
    files: [
      { file: csv('Meter,Bill number,From,To,Usage,Unit', `G1,B1,${JAN},300,therms`) },
      {
        file: csv(
          'Account ID,Invoice Number,Start Date,End Date,Usage,Usage Units',
          `SUP-1,S1,${JAN},290,CCF`,
        ),
        asks: ['overlap'],
        answers: { overlap: 'leave' },
      },
    ],
    total: 300,
  },
  ...REBILLED.map(({ what, lines, total }): Case => ({
    what: `a bill and its correction under another number: ${what}`,
    files: [{ file: csv(METERED, ...lines), asks: ['twoNumbers'], answers: { twoNumbers: 'last' } }],
    total,
  })),
  {
    what: 'bills that end on the day on which the next begins, each in a file, then a list of all',
    files: [
      { file: csv('From,To,kWh', '2025-01-15,2025-02-15,900'), asks: [] },
      { file: csv('From,To,kWh', '2025-02-15,2025-03-17,950'), asks: [] },
      {
        file: csv(
          'From,To,kWh',
          '2025-01-15,2025-02-15,900',
          '2025-02-15,2025-03-17,950',
          '2025-03-17,2025-04-16,990',
        ),
        asks: [],
      },
    ],
    total: 2_840,
  },
  {
    what: 'a bill that is there, and its correction under another number beside it',
    files: [
      { file: csv(METERED, `M1,B1,${JAN},1037`) },
      {
        file: csv(METERED, `M1,B1,${JAN},1037`, `M1,B9,${JAN},990`),
        asks: ['twoNumbers'],
        answers: { twoNumbers: 'last' },
      },
      // The list again, with a month more.
      {
        file: csv(METERED, `M1,B1,${JAN},1037`, `M1,B9,${JAN},990`, `M1,B10,${FEB},900`),
        asks: [],
      },
    ],
    total: 1_890,
  },
  {
    what: 'growing lists with a bill, its correction and its credit',
    files: [
      { file: csv(METERED, `M1,B1,${JAN},1037`) },
      { file: csv(METERED, `M1,B1,${JAN},1037`, `M1,B1K,${JAN},990`), answers: { twoNumbers: 'last' } },
      {
        file: csv(
          METERED,
          `M1,B1,${JAN},1037`,
          `M1,B1K,${JAN},990`,
          `M1,C1,${JAN},-1037`,
          `M1,B2,${FEB},1074`,
        ),
        answers: { credits: 'subtract' },
      },
    ],
    total: 2_064,
  },
  {
    what: 'a credit for a bill that was replaced before',
    files: [
      { file: csv(METERED, `M1,B1,${JAN},1037`) },
      { file: csv(METERED, `M1,B1K,${JAN},990`), asks: ['overlap'], answers: { overlap: 'replace' } },
      {
        file: csv(METERED, `M1,C1,${JAN},-1037`),
        answers: { credits: 'subtract', lateCredit: 'leave' },
      },
    ],
    total: 990,
  },
  {
    what: 'a canceled bill without its use',
    files: [
      { file: BILLED },
      {
        file: csv(
          'Invoice Number,Start Date,End Date,Usage,Units,Status',
          `I1,${JAN},,kWh,Canceled`,
          `I3,${JAN},980,kWh,Billed`,
          `I2,${FEB},1100,kWh,Billed`,
        ),
        answers: VOID,
      },
    ],
    total: 2_080,
  },
]

/** The same bill with another number in each list, and what the lists have beside it. */
const NUMBERS = ['Bill number', 'Account number,Bill number', 'Meter number,Bill number'] as const
const valuesOf = (heading: string, number: string, names: string): string =>
  heading === 'Bill number' ? number : `${names},${number}`
const PAIRS: readonly Case[] = NUMBERS.flatMap((before) =>
  NUMBERS.map((after) => ({
    what: `a bill with another number: ${before}, then ${after}`,
    files: [
      { file: csv(`${before},From,To,Usage,Unit`, `${valuesOf(before, 'I1001', 'A-77')},${JAN},1037,kWh`) },
      {
        file: csv(`${after},Start,End,kWh`, `${valuesOf(after, 'S77', 'CCA-9')},${JAN},1037`),
        asks: ['overlap'],
        answers: { overlap: 'leave' },
      },
    ],
    total: 1_037,
  })),
)

test.for([...CASES, ...PAIRS])('$what', async ({ source, files, total }) => {
  const one = await importWorld(forecourt, ford, admin)
  const options = source === undefined ? {} : { sourceId: one[source] }
  for (const { file, answers = {}, asks } of files) {
    const first = await one.preview(file, options)
    const open = first.questions.filter(({ answer }) => answer === null).map(({ id }) => id)
    expect(open).toEqual(asks ?? open)
    await one.bring(file, answers, options)
  }
  const sum = (await one.records()).reduce((all, { quantity }) => all + Number(quantity), 0)
  expect(sum).toBe(total)
})

/** Files of one layout that lack a column, or have it without values, are read by their headings. */
const EMPTY = [
  ['Begin,End,Last year kWh,Usage kWh', 'Begin,End,Remark,Last year kWh,Usage kWh'],
  ['Begin,End,Ticket,Last year kWh,Usage kWh', 'Begin,End,Last year kWh,Usage kWh'],
] as const

test.for(EMPTY)('%s, then %s', async ([before, after]) => {
  const one = await importWorld(forecourt, ford, admin)
  const lineOf = (head: string, days: string, lastYear: number, use: number) =>
    csv(head, `${days},${head.includes('Remark') || head.includes('Ticket') ? ',' : ''}${lastYear},${use}`)
  const first = lineOf(before, JAN, 1_100, 1_000)
  const [asked] = (await one.preview(first)).questions.filter(({ id }) => id === 'quantity')
  const use = asked?.choices.find(({ label }) => label.includes('Usage'))?.value
  await one.bring(first, use === undefined ? {} : { quantity: use })
  const { last } = await one.bring(lineOf(after, FEB, 1_234, 900))
  expect(last.isRemembered).toBe(true)
  const uses = (await one.records()).map(({ quantity }) => Number(quantity))
  expect(uses.toSorted((a, b) => a - b)).toEqual([900, 1_000])
})

test('a routine of months with equal uses of meters asks nothing', async () => {
  const one = await importWorld(forecourt, ford, admin)
  for (const days of [JAN, FEB]) {
    const { last } = await one.bring(
      csv(
        'Meter number,Bill number,From,To,kWh',
        ...['M1', 'M2'].map((meter) => `${meter},B${meter}${days.slice(5, 7)},${days},500`),
      ),
    )
    expect(last).toMatchObject({ ready: 2, questions: [] })
  }
})

test('delivery and supply of one bill are one use, and both amounts are its cost', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const text = csv(
    'Bill,From,To,kWh,Amount,Charge type',
    ...[JAN, FEB].flatMap((days, at) => [
      `B${at},${days},${900 + at},45.10,Delivery`,
      `B${at},${days},${900 + at},72.20,Supply`,
    ]),
  )
  const answers = { 'column:charge type': 'all', 'alike:charge type': 'once' }
  const { last } = await one.bring(text, answers)
  expect(last.shown.flatMap(({ problems }) => problems.map(({ message }) => message))).toContain(
    'Its use is that of line 2 and counts once. Its amount is added there.',
  )
  const stored = async () =>
    (await one.records()).map(({ quantity, cost }) => `${quantity} ${cost}`).toSorted()
  expect(await stored()).toEqual(['900 117.3', '901 117.3'])
  // The same list again changes nothing.
  await one.bring(text, answers)
  expect(await stored()).toEqual(['900 117.3', '901 117.3'])
})
