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
    expect(questions.find(({ id }) => id === 'stamp')).toMatchObject({ answer: 'end', isProposed: true })
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
  const { records } = await imported(text, { [id]: answer })
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

test('bills of the same use of another meter in the next file are other bills', async () => {
  const bills = (meter: string) =>
    csv(
      'Meter number,From,To,kWh',
      `${meter},2025-05-01,2025-05-31,1000`,
      `${meter},2025-06-01,2025-06-30,900`,
    )
  const { one, says } = await imported(bills('11'))
  expect(says).not.toContain('already exists')
  await one.bring(bills('12'))
  expect(
    (await one.records()).map(({ quantity }) => quantity).toSorted((a, b) => Number(a) - Number(b)),
  ).toEqual(['900', '900', '1000', '1000'])
})

test.each(['Register (kWh)', 'Total Import (kWh)', 'kWh'])(
  'values that only rise are readings: %s',
  async (title) => {
    const text = csv(
      `Read date,${title}`,
      ...[1, 2, 3, 4, 5, 6].map((month) => `2025-0${month}-01,${50_000 + month * 1_000}`),
    )
    const { records, one } = await imported(text)
    expect(records.reduce((sum, { quantity }) => sum + Number(quantity), 0)).toBe(5_000)
    const { questions } = await one.preview(text)
    expect(questions.find(({ id }) => id === 'register')).toMatchObject({
      answer: 'readings',
      isProposed: true,
    })
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
