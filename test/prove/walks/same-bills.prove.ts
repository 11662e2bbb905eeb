import { activityImports } from '#contract/carbon/activity/activity-imports.ts'
import { clock } from '#server/clock.ts'
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

const MONTHS = ['2025-01-01,2025-01-31', '2025-02-01,2025-02-28', '2025-03-01,2025-03-31'] as const
type Bill = Readonly<{ meter: string; number: string; days: string; kWh: number }>
const BILLS: readonly Bill[] = ['M1', 'M2'].flatMap((meter, nth) =>
  MONTHS.map((days, at) => ({
    meter,
    number: `B${nth}${at}`,
    days,
    kWh: 1_850 + 200 * nth + at,
  })),
)
const [FIRST] = BILLS
const CREDIT = { meter: 'M2', number: 'C7', days: MONTHS[1], kWh: -2_051 }
const TOTAL = BILLS.reduce((sum, { kWh }) => sum + kWh, 0)

const LISTS = { 'only days': [], meters: ['Meter'], numbers: ['Bill No'], both: ['Meter', 'Bill No'] }
type List = keyof typeof LISTS
type Unit = 'kWh' | 'MWh'
const names: readonly List[] = ['only days', 'meters', 'numbers', 'both']
const WAYS = names.flatMap((before) =>
  names.flatMap((after) => (['kWh', 'MWh'] as const).map((unit) => ({ before, after, unit }))),
)

function fileOf(list: List, unit: Unit, bills: readonly Bill[]): string {
  const columns = LISTS[list]
  return csv(
    [...columns, 'Start', 'End', unit, 'Cost'].join(','),
    bills.map(({ meter, number, days, kWh }) =>
      [
        ...columns.map((one) => (one === 'Meter' ? meter : number)),
        days,
        unit === 'MWh' ? kWh / 1_000 : kWh,
        kWh / 10,
      ].join(','),
    ),
  )
}

test.for(WAYS)(
  'bills of a list with $before are the same in one with $after in $unit, credited or not',
  async ({ before, after, unit }) => {
    const one = await importWorld(forecourt, ford, admin)
    const total = async () =>
      (await one.records()).reduce(
        (sum, record) => sum + Number(record.quantity) * (record.unit === 'MWh' ? 1_000 : 1),
        0,
      )
    await one.bring(fileOf(before, 'kWh', BILLS), { twoNumbers: 'both' })
    expect(await total()).toBe(TOTAL)
    const again = await one.bring(fileOf(after, unit, BILLS))
    expect(again.last).toMatchObject({ ready: 0, known: BILLS.length, questions: [] })

    // Another use, exact or rounded to another unit, is never counted besides without asking.
    const near = FIRST === undefined ? [] : [{ ...FIRST, kWh: 1_854 }]
    const { ready, questions } = await one.preview(fileOf(after, unit, near))
    const asked = after === 'only days' ? 'sameDays' : 'replace'
    expect({ ready, asked: questions.map(({ id }) => id) }).toEqual({ ready: 0, asked: [asked] })

    const subtract = { credits: 'subtract', again: 'leave' }
    await one.bring(fileOf(after, unit, [CREDIT]), subtract)
    const credited = TOTAL + CREDIT.kWh
    expect(await total()).toBe(credited)
    for (const [list, its] of [
      [before, 'kWh'],
      [after, unit],
    ] as const) {
      await one.bring(fileOf(list, its, [...BILLS, CREDIT]), subtract)
      expect(await total()).toBe(credited)
      await one.bring(fileOf(list, its, BILLS), subtract)
      expect(await total()).toBe(credited)
      await one.bring(fileOf(list, its, [CREDIT]), subtract)
      expect(await total()).toBe(credited)
    }
  },
)

const [JAN] = MONTHS
const BILL = { meter: 'M1', number: 'B1', days: JAN, kWh: 873 }
const SUBTRACT = { credits: 'subtract' }
/** Which question is asked about a bill that may be corrected. */
const REPLACED = { both: 'replace', numbers: 'replace', meters: 'replace', 'only days': 'sameDay' }
/** Files that are sent one after the other, with the answers to their questions, and what the source has used in the end. */
const SEQUENCES: readonly Readonly<{ what: string; files: readonly Sent[]; total: number }>[] = [
  {
    what: 'a credit in another unit, rounded',
    files: [
      ['both', 'kWh', [BILL]],
      ['both', 'kWh', [{ ...BILL, number: 'C1', kWh: -873 }], SUBTRACT],
      ['both', 'MWh', [{ ...BILL, number: 'C1', kWh: -870 }], { ...SUBTRACT, replace: 'leave' }],
    ],
    total: 0,
  },
  {
    what: 'a correction with numbers of a bill without',
    files: [
      ['only days', 'kWh', [BILL]],
      ['both', 'kWh', [{ ...BILL, kWh: 850 }], { replace: 'replace' }],
      ['both', 'MWh', [{ ...BILL, kWh: 850 }]],
    ],
    total: 850,
  },
  {
    what: 'a bill, its credit with a number of its own, and the bill again with another use, in one file',
    files: [
      [
        'numbers',
        'kWh',
        [
          { ...BILL, kWh: 1_280 },
          { ...BILL, number: 'C1', kWh: -1_280 },
          { ...BILL, kWh: 1_243 },
        ],
        SUBTRACT,
      ],
    ],
    total: 1_243,
  },
  {
    what: 'two bills of equal days and use, one with its number and one with both',
    files: [
      ['numbers', 'kWh', [{ ...BILL, number: 'B2' }]],
      ['both', 'kWh', [BILL], { overlap: 'both' }],
      ['meters', 'kWh', [BILL, { ...BILL, meter: 'M2' }]],
    ],
    total: 1_746,
  },
  {
    what: 'a bill that was replaced, after its correction was credited',
    files: [
      ['both', 'kWh', [{ ...BILL, kWh: 1_000 }]],
      ['both', 'kWh', [{ ...BILL, kWh: 1_100 }], { replace: 'replace' }],
      ['both', 'kWh', [{ ...BILL, number: 'C1', kWh: -1_100 }], SUBTRACT],
      ['both', 'kWh', [{ ...BILL, kWh: 1_000 }], { again: 'leave' }],
    ],
    total: 0,
  },
  {
    what: 'a bill with the number of its account in place of that of its meter',
    files: [
      ['both', 'kWh', [BILL, { ...BILL, meter: 'M2', number: 'B2', kWh: 500 }]],
      ['both', 'MWh', [{ ...BILL, meter: 'A-1001' }], { sameMeter: 'leave' }],
      ['meters', 'kWh', [{ ...BILL, meter: 'A-1001' }], { sameMeter: 'leave' }],
      ['both', 'kWh', [{ ...BILL, meter: 'A-1001', kWh: 880 }], { otherMeter: 'replace' }],
      ['both', 'kWh', [{ ...BILL, kWh: 880 }]],
      ['meters', 'kWh', [{ ...BILL, meter: 'A-1001', kWh: 870 }], { otherMeter: 'leave' }],
    ],
    total: 1_380,
  },
  {
    what: 'the same number billed again after its credit',
    files: [
      ['both', 'kWh', [BILL]],
      ['both', 'kWh', [{ ...BILL, number: 'C1', kWh: -873 }], SUBTRACT],
      ['both', 'kWh', [{ ...BILL, kWh: 860 }], { again: 'both' }],
      ['both', 'MWh', [{ ...BILL, kWh: 860 }]],
    ],
    total: 860,
  },
  {
    what: 'a bill under its account beside one that is known with both',
    files: [
      ['meters', 'kWh', [BILL, { ...BILL, meter: 'M2', kWh: 805 }]],
      ['both', 'kWh', [{ ...BILL, meter: 'A-1002 M1', number: 'B3', days: MONTHS[1], kWh: 676 }]],
      [
        'both',
        'MWh',
        [
          { ...BILL, meter: 'A-1002' },
          { ...BILL, meter: 'A-1002', number: 'B3', days: MONTHS[1], kWh: 676 },
          { ...BILL, meter: 'A-1001', number: 'B2', kWh: 805 },
        ],
        { sameMeter: 'leave' },
      ],
    ],
    total: 2_354,
  },
  {
    what: 'a credited bill under its account',
    files: [
      ['meters', 'kWh', [BILL]],
      ['meters', 'kWh', [{ ...BILL, kWh: -873 }], SUBTRACT],
      [
        'meters',
        'kWh',
        [
          { ...BILL, meter: 'A-1002' },
          { ...BILL, meter: 'A-1002', kWh: -873 },
        ],
        { ...SUBTRACT, sameMeter: 'leave' },
      ],
      ['meters', 'kWh', [{ ...BILL, meter: 'A-1002' }], { sameMeter: 'leave' }],
    ],
    total: 0,
  },
  {
    what: 'a bill under its account with a last day that differs',
    files: [
      ['meters', 'kWh', [{ ...BILL, meter: 'A-1001' }]],
      ['meters', 'kWh', [{ ...BILL, days: '2025-01-01,2025-02-01' }], { endDay: 'this', sameMeter: 'leave' }],
    ],
    total: 873,
  },
  {
    what: 'a corrected bill under its account, without numbers',
    files: [
      ['meters', 'kWh', [BILL]],
      ['meters', 'kWh', [{ ...BILL, meter: 'A-1001', kWh: 850 }], { otherMeter: 'replace' }],
    ],
    total: 850,
  },
  ...(['both', 'numbers', 'meters', 'only days'] as const).map((list) => ({
    what: `a bill of a list with ${list}, with corrected days`,
    files: [
      [list, 'kWh', [BILL]],
      [list, 'kWh', [{ ...BILL, days: '2025-01-02,2025-01-31' }], { [REPLACED[list]]: 'leave' }],
      [list, 'MWh', [{ ...BILL, days: '2025-01-01,2025-02-02' }], { [REPLACED[list]]: 'replace' }],
    ] satisfies Sent[],
    total: 873,
  })),
  ...(['leave', 'replace'] as const).map((answer) => ({
    what: `an invoice as a sum, then its meters, which are answered with ${answer}`,
    files: [
      ['numbers', 'kWh', [{ ...BILL, kWh: 1_700 }]],
      [
        'both',
        'kWh',
        [
          { ...BILL, kWh: 500 },
          { ...BILL, meter: 'M2', kWh: 500 },
          { ...BILL, meter: 'M3', kWh: 700 },
        ],
        { parts: answer },
      ],
    ] satisfies Sent[],
    total: 1_700,
  })),
  {
    what: 'a quarter on top of its months',
    files: [
      ['both', 'kWh', [BILL, { ...BILL, number: 'B2', days: MONTHS[1] }]],
      [
        'both',
        'kWh',
        [{ ...BILL, number: 'Q1', days: '2025-01-01,2025-02-28', kWh: 1_746 }],
        { whole: 'leave' },
      ],
    ],
    total: 1_746,
  },
  {
    what: 'another bill of a meter for the same days',
    files: [
      ['both', 'kWh', [BILL]],
      ['both', 'kWh', [{ ...BILL, number: 'B1R', kWh: 860 }], { overlap: 'replace' }],
    ],
    total: 860,
  },
  {
    what: 'a credit and the same use billed again, over a bill without a number',
    files: [
      ['only days', 'kWh', [BILL]],
      [
        'both',
        'kWh',
        [
          { ...BILL, number: 'C1', kWh: -873 },
          { ...BILL, number: 'B1R' },
        ],
        { ...SUBTRACT, again: 'both' },
      ],
    ],
    total: 873,
  },
]
type Sent = readonly [List, Unit, readonly Bill[], Readonly<Record<string, string>>?]

test.for(SEQUENCES)('$what', async ({ files, total }) => {
  const world = await importWorld(forecourt, ford, admin)
  for (const [list, unit, bills, answers = {}] of files) {
    const { last } = await world.bring(fileOf(list, unit, bills), { ...answers })
    // Exactly the questions that are answered here.
    expect(last.questions.map(({ id }) => id).filter((id) => id !== 'credits')).toEqual(
      Object.keys(answers).filter((id) => id !== 'credits'),
    )
    expect(last.questions.every(({ answer }) => answer !== null)).toBe(true)
  }
  const sum = (await world.records()).reduce(
    (all, { quantity, unit }) => all + Number(quantity) * (unit === 'MWh' ? 1_000 : 1),
    0,
  )
  expect(sum).toBe(total)
})

test('the same bill with the readings of its meter in another unit is known', async () => {
  const world = await importWorld(forecourt, ford, admin)
  await world.bring(fileOf('both', 'kWh', [{ ...BILL, kWh: 1_057 }]))
  const { last } = await world.bring(
    csv(
      'Meter,Bill No,Start,End,Previous reading,Current reading,Multiplier,Usage,Unit',
      `M1,B1,${JAN},10200,10201.057,1,1.057,MWh`,
    ),
  )
  expect(last).toMatchObject({ ready: 0, known: 1, questions: [] })
})

test('an account and a meter are one name in any order', async () => {
  const world = await importWorld(forecourt, ford, admin)
  await world.bring(csv('Account number,Meter number,Start,End,kWh', `A-1001,55002,${JAN},1081`))
  const turned = csv('Meter number,Account number,Start,End,kWh', `55002,A-1001,${JAN},1081`)
  expect(await world.preview(turned)).toMatchObject({ ready: 0, known: 1, questions: [] })
})

test('an unknown column tells two bills apart, if the user says so', async () => {
  const world = await importWorld(forecourt, ford, admin)
  const file = (...codes: string[]) =>
    csv('Abnahmestelle,Start,End,kWh', ...codes.map((code) => `${code},${JAN},500`))
  await world.bring(file('77001'))
  const { questions, known } = await world.preview(file('77002'))
  expect([known, questions.map(({ id }) => id)]).toEqual([0, ['differs:abnahmestelle']])
  await world.bring(file('77002'), { 'differs:abnahmestelle': 'both' })
  expect(await world.preview(file('77002'))).toMatchObject({ ready: 0, known: 1, questions: [] })
  expect(await world.preview(file('77001'))).toMatchObject({ ready: 0, known: 1, questions: [] })
})

test('bills of customers that a file lists are those that are there with numbers', async () => {
  const world = await importWorld(forecourt, ford, admin)
  await world.bring(csv('Bill number,Start,End,kWh', `B1,${JAN},531`, `B2,${JAN},531`), {
    twoNumbers: 'both',
  })
  const listed = csv('Numer klienta,Start,End,kWh', `A1,${JAN},531`, `A2,${JAN},531`)
  const { last } = await world.bring(listed, { 'alike:numer klienta': 'both' })
  expect(last).toMatchObject({ ready: 0, known: 2 })
})

test('peak and off-peak of one bill are its parts', async () => {
  const world = await importWorld(forecourt, ford, admin)
  const file = csv(
    'Meter,Bill number,Rate,Start,End,kWh',
    `M1,B1,Peak,${JAN},531`,
    `M1,B1,Off-peak,${JAN},400`,
  )
  const { last } = await world.bring(file)
  expect(last).toMatchObject({ ready: 2, questions: [] })
  expect(await world.preview(file)).toMatchObject({ ready: 0, known: 2, questions: [] })
})

test('several bills that are already there may be answered one by one', async () => {
  const world = await importWorld(forecourt, ford, admin)
  const other = { meter: 'M2', number: 'B2', days: JAN, kWh: 300 }
  await world.bring(fileOf('both', 'kWh', [{ ...BILL, kWh: 220 }, other]))
  const file = fileOf('both', 'kWh', [
    { ...BILL, kWh: 200 },
    { ...other, kWh: 330 },
  ])
  const first = await world.preview(file)
  expect(first.questions).toMatchObject([
    { id: 'replace', lines: 2, choices: [{}, {}, {}, { value: 'each' }] },
  ])
  const asked = { ...first.mapping, answers: { ...first.mapping.answers, replace: 'each' } }
  const { questions } = await world.preview(file, { mapping: asked })
  const [, a, b] = questions.toSorted((x, y) => x.id.length - y.id.length || x.text.localeCompare(y.text))
  expect([a?.text, b?.text]).toEqual([
    expect.stringContaining('Bill B1 of M1'),
    expect.stringContaining('Bill B2 of M2'),
  ])
  await world.bring(file, { replace: 'each', [a?.id ?? '']: 'leave', [b?.id ?? '']: 'replace' })
  const uses = (await world.records()).map(({ quantity }) => Number(quantity))
  expect(uses.toSorted((x, y) => x - y)).toEqual([220, 330])
})

test('an answer holds only for the records that were seen', async () => {
  const world = await importWorld(forecourt, ford, admin)
  await world.bring(fileOf('both', 'kWh', [{ ...BILL, kWh: 1_000 }]))
  const file = fileOf('both', 'kWh', [{ ...BILL, kWh: 1_100 }])
  const seen = await world.preview(file)
  const answered = { ...seen.mapping, answers: { ...seen.mapping.answers, replace: 'replace' } }
  const { layout } = await world.preview(file, { mapping: answered })
  const mapping = { ...answered, answers: { ...answered.answers, layout: layout.key } }
  clock.advance(1_000)
  await world.bring(fileOf('both', 'kWh', [{ ...BILL, kWh: 1_500 }]), { replace: 'replace' })
  expect(await world.upload(activityImports.add, file, { mapping })).toMatchObject({ statusCode: 409 })
  const [again] = (await world.preview(file, { mapping })).questions
  expect(again).toMatchObject({ id: 'replace', answer: null, text: expect.stringContaining('1,500 kWh') })
})

test('one bill without a number is one of two equal bills of two meters', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const equal = ['M1', 'M2'].map((meter) => ({ meter, number: `B${meter}`, days: MONTHS[0], kWh: 500 }))
  await one.bring(fileOf('only days', 'kWh', equal.slice(0, 1)))
  for (const unit of ['MWh', 'kWh'] as const) {
    const { ready, known } = await one.preview(fileOf('both', unit, equal))
    expect({ ready, known }).toEqual({ ready: 1, known: 1 })
  }
  await one.bring(fileOf('both', 'MWh', equal))
  expect(await one.preview(fileOf('meters', 'kWh', equal))).toMatchObject({ ready: 0, known: 2 })
})

test('a bill without a number that was credited and billed again under a number counts again', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const bill = { meter: 'M1', number: 'B1', days: MONTHS[0], kWh: 500 }
  const credit = { ...bill, number: 'C1', kWh: -500 }
  const subtract = { credits: 'subtract' }
  await one.bring(fileOf('only days', 'kWh', [bill]))
  await one.bring(fileOf('only days', 'kWh', [credit]), subtract)
  const { last } = await one.bring(fileOf('both', 'kWh', [{ ...bill, number: 'B2' }]), { again: 'both' })
  expect(last).toMatchObject({ ready: 1, known: 0 })
  expect(await one.preview(fileOf('both', 'kWh', [{ ...bill, number: 'B2' }]))).toMatchObject({ known: 1 })
})

const USES = [1870, 1640, 1510, 1390, 1720, 2105]
const DAYS_OF = ['31', '28', '31', '30', '31', '30'].map(
  (last, at) => `2025-0${at + 1}-01,2025-0${at + 1}-${last}`,
)
const billOf = (month: number) => `A${month},${DAYS_OF[month - 1]},${USES[month - 1]}`
const rebillOf = (month: number) => `R${month},${DAYS_OF[month - 1]},${(USES[month - 1] ?? 0) - 100}`
const each = (from: number, to: number, write: (month: number) => string) =>
  Array.from({ length: to - from + 1 }, (_, at) => write(from + at))
const both = (month: number) => `${billOf(month)}\n${rebillOf(month)}`
const sumTo = (last: number, rebilled: number) =>
  USES.slice(0, last).reduce((sum, use) => sum + use, 0) - 100 * rebilled

test.for([
  { what: 'three months within', files: [each(1, 6, billOf), each(2, 4, both)], total: sumTo(6, 3) },
  { what: 'the first months', files: [each(1, 6, billOf), each(1, 3, both)], total: sumTo(6, 3) },
  { what: 'the last months', files: [each(1, 6, billOf), each(4, 6, both)], total: sumTo(6, 3) },
  { what: 'all months', files: [each(1, 6, billOf), each(1, 6, both)], total: sumTo(6, 6) },
  { what: 'new months', files: [each(1, 3, billOf), each(4, 6, both)], total: sumTo(6, 3) },
  {
    what: 'months whose new bills are at the end',
    files: [each(1, 6, billOf), [...each(2, 4, billOf), ...each(2, 4, rebillOf)]],
    total: sumTo(6, 3),
  },
  { what: 'a quarter', files: [each(1, 3, billOf), each(1, 3, both)], total: sumTo(3, 3) },
  { what: 'all months of a first file', files: [each(1, 6, both)], total: sumTo(6, 6) },
])(
  'in a list without meters, $what with two numbers are asked about, and each follows the answer',
  async ({ files, total }) => {
    const one = await importWorld(forecourt, ford, admin)
    for (const [at, lines] of files.entries()) {
      // oxlint-disable-next-line no-await-in-loop -- One file after the other.
      const { first, last } = await one.bring(csv('Bill number,From,To,kWh', ...lines), {
        twoNumbers: 'last',
      })
      const open = first.questions.filter(({ answer }) => answer === null).map(({ id }) => id)
      expect([open, last.open]).toEqual([at === files.length - 1 ? ['twoNumbers'] : [], 0])
    }
    const sum = (await one.records()).reduce((all, { quantity }) => all + Number(quantity), 0)
    expect(sum).toBe(total)
  },
)
