import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { billImporter, csv, DAY, hours } from '#test/factories/carbon/imported-bill.ts'
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

const imported = billImporter(() => ({ forecourt, ford, admin }))

test('a column that says when an interval ended is read as intervals: midnight ends the day before', async () => {
  const ends = [15, 16].flatMap((day) =>
    Array.from({ length: 24 }, (_, at) => {
      const end = new Date(Date.UTC(2025, 5, day, at + 1)).toISOString()
      return `${end.slice(0, 10)} ${end.slice(11, 16)},${day === 15 ? '1' : '2'}`
    }),
  )
  const { stored, asked } = await imported(csv('Interval End,kWh', ends))
  expect({ stored, asked }).toEqual({ stored: ['2025-06-15 24', '2025-06-16 48'], asked: [] })
})

/** Lines of one hour, or a part of it, from the first to the last number. */
const numbersFrom = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at)

test.for([
  ['Date,Hour,kWh', 24, (at: number) => `,${at}`],
  ['Date,Time,kWh', 24, (at: number) => `,${at}:00`],
  ['Date,Hour,kWh', 24, (at: number) => `,${String(at).padStart(2, '0')}00`],
  ['Date,Hour,kWh', 24, (at: number) => `,${at}h`],
  ['Date,Hour,kWh', 24, (at: number) => `,${at} Uhr`],
  ['Date,Hour,kWh', 24, (at: number) => `,${String(at).padStart(2, '0')}-`],
  ['Date,Hour,kWh', 24, (at: number) => `,${String(at).padStart(2, '0')}.00`],
  ['Timestamp,kWh', 24, (at: number) => ` ${String(at).padStart(2, '0')}:00`],
  ['Date,Time,kWh', 96, (at: number) => `,${Math.floor(at / 4)}:${String((at % 4) * 15).padStart(2, '0')}`],
] as const)('a day with both 0:00 and 24:00 (%s, %s a day) has no hour more', async ([head, count, time]) => {
  const days = ['2025-03-05', '2025-03-06'].map((day, index) =>
    numbersFrom(0, count).map((at) => `${day}${time(at)},${index + 1}`),
  )
  // The two values of the midnight between the days differ.
  const { stored, asked } = await imported(csv(head, ...days.flat()))
  expect({ stored, asked }).toEqual({ stored: [], asked: ['midnight', 'intervals'] })
  const same = csv(head, ...days.flat().map((line) => line.replace(/[12]$/, '1')))
  expect((await imported(same, { midnight: 'end' })).stored).toEqual([
    '2025-03-04 1',
    `2025-03-05 ${count}`,
    `2025-03-06 ${count}`,
  ])
  expect((await imported(same, { midnight: 'start' })).stored).toEqual([
    `2025-03-05 ${count}`,
    `2025-03-06 ${count}`,
    '2025-03-07 1',
  ])
})

test('an interval that is missing is said, but the hour that a day in spring lacks is not', async () => {
  const day = (date: string, without: readonly number[]) =>
    numbersFrom(0, 23)
      .filter((hour) => !without.includes(hour))
      .map((hour) => `${date} ${String(hour).padStart(2, '0')}:00,1`)
  const says = async (...lines: string[][]) => (await imported(csv('Timestamp,kWh', ...lines))).says
  expect(await says(day('2025-06-11', []), day('2025-06-12', [9]), day('2025-06-13', []))).toContain(
    'Only 23 of 24 intervals of this day',
  )
  expect(await says(day('2025-06-12', [9, 10, 11]))).toContain('Only 21 of 24 intervals')
  expect(await says(day('2025-03-08', []), day('2025-03-09', [2]), day('2025-03-10', []))).toBe('')
})

test('two files with the halves of a day are added, also by numbers of hours', async () => {
  const half = (from: number) =>
    csv(
      'Date,Hour,kWh',
      numbersFrom(from, from + 11).map((hour) => `2025-09-02,${hour},1`),
    )
  const { one } = await imported(half(0))
  const { done } = await one.bring(half(12))
  expect(done).toMatchObject({ saved: 1, known: 0 })
  expect(await one.preview(half(12))).toMatchObject({ ready: 0, known: 1 })
})

test('a question about midnight holds the days beside it too', async () => {
  const whole = (date: string, first: number) =>
    numbersFrom(first, first + 23).map((hour) => `${date},${hour},1`)
  const text = csv('Date,Hour,kWh', whole('2025-05-01', 1), whole('2025-05-02', 0))
  expect((await imported(text)).stored).toEqual([])
  expect((await imported(text, { midnight: 'start' })).stored).toEqual(['2025-05-01 23', '2025-05-02 24'])
})

test.for([' - ', ' to ', '/'])(
  'an interval with its start and end in one cell (%s) is of the day on which it starts',
  async (between) => {
    const at = (hour: number) =>
      new Date(Date.UTC(2025, 2, 5, hour)).toISOString().slice(0, 16).replace('T', ' ')
    const ranges = numbersFrom(0, 23).map((hour) => `${at(hour)}${between}${at(hour + 1)},1`)
    const { stored, says } = await imported(csv('Period,kWh', ranges))
    expect({ stored, says }).toEqual({ stored: ['2025-03-05 24'], says: '' })
  },
)

test.for([
  ['2025-10-05', 25],
  ['2025-10-26', 25],
  ['2025-11-02', 26],
] as const)('%s has no hours 1 to %i in Los Angeles', async ([day, last]) => {
  const lines = numbersFrom(1, last).map((hour) => `${day},${hour},1`)
  const { stored, says } = await imported(csv('Date,Hour,kWh', lines))
  expect({ stored, says }).toEqual({ stored: [], says: expect.stringContaining('more than a day has') })
})

test('a range whose end has no date is no time in another zone', async () => {
  const clock = (hour: number) => `${String(hour % 24).padStart(2, '0')}:00`
  const ranges = numbersFrom(0, 23).map((hour) => `2025-03-05 ${clock(hour)}-${clock(hour + 1)},1`)
  const { stored, says } = await imported(csv('Period,kWh', ranges))
  expect({ stored, says }).toEqual({ stored: ['2025-03-05 24'], says: '' })
})

test('a day in spring has 46 half hours', async () => {
  const lines = numbersFrom(0, 47)
    .filter((half) => half !== 4 && half !== 5)
    .map(
      (half) =>
        `2025-03-09 ${String(Math.floor(half / 2)).padStart(2, '0')}:${half % 2 === 0 ? '00' : '30'},1`,
    )
  expect(await imported(csv('Timestamp,kWh', lines))).toMatchObject({ stored: ['2025-03-09 46'], says: '' })
})

test('times are in UTC if their heading says so', async () => {
  const at = (hour: number) =>
    new Date(Date.UTC(2025, 6, 1, hour)).toISOString().slice(0, 16).replace('T', ' ')
  const { stored } = await imported(
    csv(
      'Timestamp (UTC),kWh',
      numbersFrom(0, 23).map((hour) => `${at(hour)},1`),
    ),
  )
  expect(stored).toEqual(['2025-06-30 7', '2025-07-01 17'])
})

test('a day that a file of intervals does not have is said', async () => {
  const day = (date: string) =>
    numbersFrom(0, 23).map((hour) => `${date} ${String(hour).padStart(2, '0')}:00,1`)
  const { says } = await imported(
    csv(
      'Timestamp,kWh',
      ['01', '02', '04'].flatMap((date) => day(`2025-04-${date}`)),
    ),
  )
  expect(says).toBe('The file has no intervals of 2025-04-03.')
})

test('a day that lacks hours at its end says so, if it is the only one', async () => {
  const lines = numbersFrom(0, 19).map((hour) => `2025-06-11 ${String(hour).padStart(2, '0')}:00,1`)
  expect((await imported(csv('Timestamp,kWh', lines))).says).toContain('Only 20 of 24 intervals')
})

test.for<[string, (hour: number) => string]>([
  ['25', (hour) => `${hour}`],
  ['36', (hour) => `${hour}`],
  ['48', (hour) => `${hour}`],
  ['26', (hour) => `${hour}`],
  ['25', (hour) => `${hour}h`],
  ['25', (hour) => `${hour}.00`],
  ['25', (hour) => `${String(hour).padStart(2, '0')}00`],
])('a day without a change of clocks has no hours from 1 to %s', async ([last, written]) => {
  const day = (date: string, to: number) => numbersFrom(1, to).map((hour) => `${date},${written(hour)},1`)
  const text = csv('Date,Hour,kWh', day('2025-05-01', Number(last)), day('2025-05-02', 24))
  const { stored, says } = await imported(text)
  expect({ stored, says }).toEqual({
    stored: ['2025-05-02 24'],
    says: expect.stringContaining('intervals of this day, more than a day has'),
  })
})

test('the hour that a day in autumn has twice counts twice, also by its number', async () => {
  for (const [hour, last] of [
    [1, 23],
    [2, 24],
  ] as const) {
    const lines = [...numbersFrom(last - 23, last), hour].map((number) => `2025-11-02,${number},1`)
    expect((await imported(csv('Date,Hour,kWh', lines))).stored).toEqual(['2025-11-02 25'])
  }
})

test('the day in autumn on which clocks go back has the hours 0 to 24', async () => {
  const lines = numbersFrom(0, 24).map((hour) => `2025-11-02,${hour},1`)
  const { stored, asked } = await imported(csv('Date,Hour,kWh', lines))
  expect({ stored, asked }).toEqual({ stored: ['2025-11-02 25'], asked: [] })
})

test('intervals in UTC count for the days of the organization, or as they are written', async () => {
  const utc = Array.from(
    { length: 24 },
    (_, hour) => `${new Date(Date.UTC(2025, 6, 1, hour)).toISOString().slice(0, 19)}Z,1`,
  )
  const text = csv('Interval start,kWh', utc)
  // The organization is in Los Angeles, seven hours behind.
  const local = await imported(text)
  expect(local.stored).toEqual(['2025-06-30 7', '2025-07-01 17'])
  const [question] = (await local.one.preview(text)).questions.filter(({ id }) => id === 'utc')
  expect(question).toMatchObject({ answer: 'local', isProposed: true })
  expect((await imported(text, { utc: 'utc' })).stored).toEqual(['2025-07-01 24'])
})

test('times that end at midnight are ends of intervals, in a column Time with the day too', async () => {
  const ends = Array.from({ length: 48 }, (_, at) => {
    const end = new Date(Date.UTC(2025, 5, 15, at + 1)).toISOString()
    return `${end.slice(0, 10)} ${end.slice(11, 16)},1`
  })
  for (const title of ['Timestamp', 'Time']) {
    const { stored, one } = await imported(csv(`${title},kWh`, ends))
    expect(stored).toEqual(['2025-06-15 24', '2025-06-16 24'])
    const { questions } = await one.preview(csv(`${title},kWh`, ends))
    expect(questions.find(({ id }) => id === 'stamp')).toMatchObject({ answer: 'end' })
  }
  expect((await imported(csv('Timestamp,kWh', ends), { stamp: 'start' })).stored).toEqual([
    '2025-06-15 23',
    '2025-06-16 24',
    '2025-06-17 1',
  ])
})

test('a file with what was used and what was sent back stores what was used', async () => {
  const lines = ['Consumption', 'Surplus Generation'].flatMap((way) =>
    hours((time, hour) => `${way},${DAY},${time},${way === 'Consumption' || hour === 12 ? '1' : '0.5'}`),
  )
  expect(await imported(csv('CONSUMPTION_SURPLUSGENERATION,Date,Start Time,kWh', lines))).toMatchObject({
    stored: [`${DAY} 24`],
    asked: [],
  })
})

test.each([
  ['Document type', 'Invoice', 'Credit note', 'subtract', [1000, -1000, 1100]],
  ['Belegart', 'Rechnung', 'Storno', 'subtract', [1000, -1000, 1100]],
  ['Status', 'Issued', 'Cancelled', 'leave', [1000, 1100]],
  ['Type', 'Facture', 'Avoir', 'subtract', [1000, -1000, 1100]],
])('a line that %s calls a credit or canceled is asked about', async (title, bill, word, answer, uses) => {
  const days = '2025-03-01,2025-03-31'
  const text = csv(
    `${title},From,To,kWh`,
    `${bill},${days},1000`,
    `${word},${days},1000`,
    `${bill},${days},1100`,
  )
  const id = `word:${word.toLowerCase()}`
  expect((await imported(text)).asked).toEqual([id])
  const { records } = await imported(text, { [id]: answer, twoNumbers: 'both' })
  expect(records.map(({ quantity }) => Number(quantity)).toSorted((a, b) => a - b)).toEqual(
    uses.toSorted((a, b) => a - b),
  )
})

test.each([
  ['HT kWh,NT kWh', '1000.5,400.5', { quantity: '1401', cost: null }, { quantity: '3+4' }],
  ['kWh x 1000', '1.5', { quantity: '1.5', unit: 'MWh' }, {}],
  ['kWh (x1000)', '1.5', { quantity: '1.5', unit: 'MWh' }, {}],
  ["kWh '000", '1.5', { quantity: '1.5', unit: 'MWh' }, {}],
])('the heading %s is read as it is meant', async (head, values, expected, answers) => {
  const { records } = await imported(
    csv(`Zähler,Von,Bis,${head}`, `7,2025-03-01,2025-03-31,${values}`),
    answers,
  )
  expect(records).toMatchObject([expected])
})

test('bills of the same use of another meter in the next file are other bills, or it has another name', async () => {
  const bills = (meter: string) =>
    csv(
      'Meter number,From,To,kWh',
      `${meter},2025-05-01,2025-05-31,1000`,
      `${meter},2025-06-01,2025-06-30,900`,
    )
  const { one, says } = await imported(bills('11'))
  expect(says).not.toContain('already exists')
  await one.bring(bills('12'), { sameMeter: 'both' })
  expect(
    (await one.records()).map(({ quantity }) => quantity).toSorted((a, b) => Number(a) - Number(b)),
  ).toEqual(['900', '900', '1000', '1000'])
})

test.each(['Register (kWh)', 'Total Import (kWh)', 'kWh', 'Consumption (kWh)'])(
  'values that only rise may be readings: %s',
  async (title) => {
    const isNamed = title.startsWith('Register') || title.startsWith('Total')
    const text = csv(
      `Read date,${title}`,
      ...[1, 2, 3, 4, 5, 6].map((month) => `2025-0${month}-01,${50_000 + month * 1_000}`),
    )
    const { records, one } = await imported(text, isNamed ? {} : { register: 'readings' })
    expect(records.reduce((sum, { quantity }) => sum + Number(quantity), 0)).toBe(5_000)
    // "kWh" is a clear heading of many providers: nothing is remembered of how one writes.
    const { questions } = await one.preview(text)
    const isPlain = title === 'kWh' || title === 'Consumption (kWh)'
    expect(questions.find(({ id }) => id === 'register')).toMatchObject({
      answer: isPlain ? null : 'readings',
    })
    // Nobody has said that they are uses either.
    const unanswered = await imported(text)
    expect(unanswered.stored).toHaveLength(isNamed ? 5 : 0)
    const growing = await imported(
      csv(
        'From,To,kWh',
        ...['100', '110', '130', '160'].map((use, at) => `2025-0${at + 1}-01,2025-0${at + 1}-28,${use}`),
      ),
    )
    expect(growing.records.reduce((sum, { quantity }) => sum + Number(quantity), 0)).toBe(500)
  },
)

test('monthly readings at many times of day are no intervals', async () => {
  const { stored } = await imported(
    csv(
      'Read date,kWh',
      '2025-01-02 10:14,0',
      '2025-02-03 09:32,310',
      '2025-03-04 16:05,280',
      '2025-04-02 11:47,290',
    ),
  )
  expect(stored).toEqual(['2025-01-02 310', '2025-02-03 280', '2025-03-04 290'])
})

test('two meters with the same use in the same month are two bills, and known when they are sent again', async () => {
  const text = csv(
    'Meter,From,To,Usage (kWh)',
    'M1,2025-03-01,2025-03-31,500',
    'M2,2025-03-01,2025-03-31,500',
  )
  const { stored, records, one } = await imported(text)
  expect(stored).toEqual(['2025-03-01 500', '2025-03-01 500'])
  expect(new Set(records.map(({ reference }) => reference))).toEqual(new Set(['Meter M1', 'Meter M2']))
  expect(await one.preview(text)).toMatchObject({ known: 2 })
  const numbered = await imported(
    csv('Bill no,Meter,From,To,kWh', 'B-1,M1,2025-03-01,2025-03-31,500', 'B-1,M2,2025-03-01,2025-03-31,400'),
  )
  expect(numbered).toMatchObject({ asked: [], stored: ['2025-03-01 400', '2025-03-01 500'] })
  // A line number is no meter.
  const same = await imported(
    csv('No,From,To,kWh', '1,2025-03-01,2025-03-31,500', '2,2025-03-01,2025-03-31,500'),
  )
  expect(same.stored).toEqual(['2025-03-01 500'])
})

test.each([
  ['Net Amount,Tax,Gross Amount', '100.00,19.00,119.00', '119'],
  ['Energy Charge,Demand Charge,Tax,Total', '70.00,30.00,19.00,119.00', '119'],
  ['Supply Charge,Delivery Charge,Bill Amount', '100.00,50.00,150.00', '150'],
  ['Total Due,New Charges,Previous Balance', '260.00,140.00,120.00', '140'],
  ['Late Fee,Amount', '5.00,130.00', '130'],
  ['Tax Amount,Total Amount', '19.00,119.00', '119'],
])('of several columns of money, %s, the cost is that of the whole bill', async (head, money, cost) => {
  const { asked, records } = await imported(csv(`From,To,kWh,${head}`, `2025-03-01,2025-03-31,900,${money}`))
  expect({ asked, costs: records.map((record) => record.cost) }).toEqual({ asked: [], costs: [cost] })
})

test('columns of money that are parts of a bill are asked about, and none of them is taken for the whole', async () => {
  const text = csv(
    'From,To,kWh,Supply Charges,Delivery Charges,Taxes',
    '2025-03-01,2025-03-31,900,100.00,50.00,9.00',
  )
  const parts = await imported(text)
  expect(parts.records.map(({ cost }) => cost)).toEqual([null])
  const [question] = (await parts.one.preview(text)).questions.filter(({ id }) => id === 'cost')
  expect(question).toMatchObject({ answer: 'none', isProposed: true })
  const chosen = question?.choices.find(({ label }) => label.startsWith('Delivery'))?.value ?? ''
  expect((await imported(text, { cost: chosen })).records.map(({ cost }) => cost)).toEqual(['50'])
})

const SP = Array.from({ length: 48 }, (_, at) => `2000001,${DAY},${at + 1},0.5`)

test.each([
  [
    'energy called Net beside what was generated is no cost',
    csv('From,To,Import kWh,Export kWh,Net', '2025-03-01,2025-03-31,1500,500,1000'),
    {},
    [{ quantity: '1500', cost: null }],
  ],
  [
    'high and low tariffs with a unit column',
    csv('Zähler;Von;Bis;Verbrauch HT;Verbrauch NT;Einheit', '7;01.03.2025;31.03.2025;1200,5;400,5;kWh'),
    { quantity: '3+4' },
    [{ quantity: '1601', cost: null }],
  ],
  [
    'the sum of three tariffs',
    csv('Du;Au;HP kWh;HC kWh;Pointe kWh', '01/03/2025;31/03/2025;1000,5;500;100'),
    { quantity: '2+3+4' },
    [{ quantity: '1600.5' }],
  ],
  [
    'a credit without signs takes its cost back too',
    csv(
      'Type,Invoice No,From,To,kWh,Net',
      'Invoice,1,2025-03-01,2025-03-31,1600,400',
      'Credit Note,2,2025-03-01,2025-03-31,1600,400',
    ),
    { 'word:credit note': 'subtract' },
    [
      { quantity: '1600', cost: '400' },
      { quantity: '-1600', cost: '-400' },
    ],
  ],
  [
    'a column of old and one of new dates of reading',
    csv(
      'Zähler;Ablesedatum alt;Ablesedatum neu;Verbrauch kWh',
      '7;31.12.2024;31.01.2025;3000',
      '7;31.01.2025;28.02.2025;2000',
    ),
    { endDay: 'next' },
    [
      { quantity: '3000', periodStart: '2024-12-31', periodEnd: '2025-01-30' },
      { quantity: '2000', periodStart: '2025-01-31', periodEnd: '2025-02-27' },
    ],
  ],
  [
    'half hours by their numbers',
    csv('MPAN,Settlement Date,Settlement Period,Consumption kWh', ...SP),
    {},
    [{ quantity: '24', periodStart: DAY }],
  ],
  [
    'hours as Hydro-Québec writes them',
    csv('Contrat;Date et heure;kWh', ...hours((time) => `9;${DAY} ${time}:00;1,5`)),
    {},
    [{ quantity: '36' }],
  ],
  [
    'times in columns from and to',
    csv(
      'Datum;von;bis;Verbrauch [kWh]',
      ...hours((time, hour) => `${DAY};${time};${String(hour + 1).padStart(2, '0')}:00;2`),
    ),
    {},
    [{ quantity: '48' }],
  ],
  [
    'times in a column with a name of its own',
    csv('Zeitpunkt;Wirkenergie Bezug [kWh]', ...hours((time) => `${DAY} ${time};2`)),
    {},
    [{ quantity: '48' }],
  ],
  [
    'registers by OBIS codes',
    csv(
      'Meter,Obis,Timestamp,kWh',
      ...hours((time) => `7,1.8.0,${DAY} ${time},10`),
      ...hours((time) => `7,2.8.0,${DAY} ${time},3`),
    ),
    {},
    [{ quantity: '240' }],
  ],
  [
    'registers by letters',
    csv('Meter,Register,From,To,kWh', '7,A+,2025-03-01,2025-03-31,1000', '7,A-,2025-03-01,2025-03-31,300'),
    {},
    [{ quantity: '1000' }],
  ],
  [
    'a start and a number of days',
    csv('Start,Days,kWh', '2025-03-01,31,1000'),
    {},
    [{ quantity: '1000', periodStart: '2025-03-01', periodEnd: '2025-03-31' }],
  ],
  [
    'the first bill by its days before the date of reading',
    csv('Read Date,Billing Days,kWh', '2025-03-31,31,1000', '2025-04-30,30,900'),
    {},
    [
      { quantity: '1000', periodStart: '2025-02-28', periodEnd: '2025-03-30' },
      { quantity: '900', periodStart: '2025-03-31', periodEnd: '2025-04-29' },
    ],
  ],
  ...[
    'Date facture;Début période;Fin période',
    'Data de emissão;Período de;Período até',
    'Date de facture;Date de début de consommation;Date de fin de consommation',
    'Fecha factura;Fecha inicio;Fecha fin',
  ].map((titles): [string, string, Record<string, string>, object[]] => [
    `the period of a bill with its own date: ${titles}`,
    csv(`${titles};kWh`, '15/04/2025;01/03/2025;31/03/2025;1000,5', '15/05/2025;01/04/2025;30/04/2025;900,5'),
    {},
    [
      { quantity: '1000.5', periodStart: '2025-03-01', periodEnd: '2025-03-31' },
      { quantity: '900.5', periodStart: '2025-04-01', periodEnd: '2025-04-30' },
    ],
  ]),
  [
    'letters for read and estimated',
    csv('From,To,kWh,Quality', '2025-03-01,2025-03-31,1000,A', '2025-04-01,2025-04-30,900,E'),
    {},
    [
      { quantity: '1000', quality: 1 },
      { quantity: '900', quality: 4 },
    ],
  ],
  [
    'a standing charge is no cost, and pence are no dollars',
    csv(
      'Consumption (kwh),Estimated Cost Inc. Tax (p),Standing Charge Inc. Tax (p),Start,End',
      ...hours((time, hour) => `1,12.5,50,${DAY}T${time}:00,${DAY}T${String(hour).padStart(2, '0')}:59:00`),
    ),
    {},
    [{ quantity: '24', cost: null }],
  ],
])('%s', async (_what, text, answers, expected) => {
  const { records, left, says } = await imported(text, answers)
  expect({ left, says, records }).toMatchObject({
    left: [],
    records: expected.map((one) => expect.objectContaining(one)),
  })
})

test('lines that differ only in their tariff are two, or the same bill, as the user says', async () => {
  const text = csv(
    'From,To,Tariff,kWh',
    '2025-03-01,2025-03-31,Peak,400',
    '2025-03-01,2025-03-31,Off-peak,400',
    '2025-03-01,2025-03-31,Shoulder,300',
  )
  expect((await imported(text)).asked).toEqual(['alike:tariff'])
  const both = await imported(text, { 'alike:tariff': 'both' })
  expect(both.records.map(({ quantity, reference }) => `${reference} ${quantity}`).toSorted()).toEqual([
    'Tariff Off-peak 400',
    'Tariff Peak 400',
    'null 300',
  ])
  // The same file again adds nothing.
  await both.one.bring(text, { 'alike:tariff': 'both' })
  expect(await both.one.records()).toHaveLength(3)
  expect((await imported(text, { 'alike:tariff': 'once' })).stored).toEqual([
    '2025-03-01 300',
    '2025-03-01 400',
  ])
})

test.each([
  ['Cancelled?', 'Y', 'N'],
  ['Void', 'Yes', 'No'],
  ['Storniert', 'ja', 'nein'],
  ['Annulée', 'oui', 'non'],
  ['Reversed', 'TRUE', 'FALSE'],
  ['Cancelled', 'X', ''],
  ['Storno zu', 'R1', ''],
  ['Superseded?', 'Yes', 'No'],
  ['Valid', 'N', 'Y'],
  ['Gültig', 'nein', 'ja'],
  ['Remplacée', 'oui', 'non'],
])('a line below %s with %s is asked about', async (title, yes, no) => {
  const text = csv(
    `Bill,From,To,kWh,Cost ($),${title}`,
    `B1,2025-03-01,2025-03-31,1000,100,${yes}`,
    `B2,2025-04-01,2025-04-30,900,90,${no}`,
  )
  const id = `word:${title.toLowerCase()}`
  expect((await imported(text)).asked).toEqual([id])
  expect((await imported(text, { [id]: 'leave' })).stored).toEqual(['2025-04-01 900'])
  expect((await imported(text, { [id]: 'count' })).stored).toEqual(['2025-03-01 1000', '2025-04-01 900'])
})

test.each([
  ['Solde antérieur;Facture courante;Montant à payer', '50;250;300', '250'],
  ['Montant facturé ($);Solde à payer ($)', '250,20;300,30', '250.2'],
  ['Estimated Cost ($);Customer Charge ($)', '24,10;15,00', '24.1'],
])('of %s, the cost is that of the bill', async (titles, values, cost) => {
  const { records } = await imported(csv(`Du;Au;kWh;${titles}`, `2025-03-01;2025-03-31;1000,5;${values}`))
  expect(records).toMatchObject([{ quantity: '1000.5', cost }])
})

test.each([
  csv('From,To,Day kWh,Night kWh,Weekend kWh', '2025-03-01,2025-03-31,700,200,100'),
  csv('Von;Bis;Hochtarif;Niedertarif;Einheit', '01.03.2025;31.03.2025;700,5;200,5;kWh'),
])('registers with names of their own can be added', async (text) => {
  const { one } = await imported(text)
  const [question] = (await one.preview(text)).questions.filter(({ id }) => id === 'quantity')
  expect(question?.choices[0]?.value).toMatch(/^2\+3(\+4)?$/)
})

test('reactive energy and power in the lines of a meter are no use', async () => {
  const text = csv(
    'Meter,From,To,Channel,Usage',
    ...['kWh,1000', 'kVARh,400', 'kW,40'].map((line) => `7,2025-03-01,2025-03-31,${line}`),
  )
  expect((await imported(text)).asked).toEqual(['unit:kvarh', 'unit:kw'])
  expect((await imported(text, { 'unit:kvarh': 'leave', 'unit:kw': 'leave' })).stored).toEqual([
    '2025-03-01 1000',
  ])
})
