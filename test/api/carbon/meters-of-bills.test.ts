import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
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

const DAY = '2025-06-01'
const hours = (line: (time: string, hour: number) => string) =>
  Array.from({ length: 24 }, (_, hour) => line(`${String(hour).padStart(2, '0')}:00`, hour))
const csv = (head: string, ...lines: readonly (string | readonly string[])[]) =>
  [head, ...lines.flat()].join('\n')

/** What becomes of a file: the quantity of each stored record by its first day, and the questions that it asks. */
async function imported(text: string, answers: Record<string, string> = {}) {
  const one = await importWorld(forecourt, ford, admin)
  const { first, last } = await one.bring(text, answers)
  const records = await one.records()
  return {
    one,
    asked: first.questions.filter(({ answer }) => answer === null).map(({ id }) => id),
    left: last.questions.filter(({ answer }) => answer === null).map(({ id }) => id),
    says: last.shown.flatMap(({ problems }) => problems.map(({ message }) => message)).join(' '),
    stored: records
      .map(({ periodStart, quantity }) => `${periodStart} ${quantity}`)
      .toSorted((a, b) => (a < b ? -1 : 1)),
    records,
  }
}

test.each(['Meter', 'Meter number', 'Channel', 'Zählpunkt'])(
  'intervals of two meters are added, also when both measured the same (%s)',
  async (title) => {
    const lines = ['M1', 'M2'].flatMap((meter) => hours((time) => `${meter},${DAY},${time},2`))
    const { stored, asked, says } = await imported(csv(`${title},Date,Start Time,kWh`, lines))
    expect({ stored, asked }).toEqual({ stored: [`${DAY} 96`], asked: [] })
    expect(says).not.toContain('twice')
  },
)

test('an interval with two values is asked about; the same value twice counts once', async () => {
  const lines = hours((time) => `${DAY},${time},2`)
  const twice = csv('Date,Start Time,kWh', lines, `${DAY},05:00,9`)
  expect(await imported(twice)).toMatchObject({ stored: [], asked: ['intervals'] })
  expect((await imported(twice, { intervals: 'last' })).stored).toEqual([`${DAY} 55`])
  expect((await imported(twice, { intervals: 'both' })).stored).toEqual([`${DAY} 57`])
  const same = await imported(csv('Date,Start Time,kWh', lines, `${DAY},05:00,2`))
  expect(same).toMatchObject({
    stored: [`${DAY} 48`],
    asked: [],
    says: expect.stringContaining('1 interval'),
  })
})

test('energy sent back lowers no use, unless it is said to be a correction', async () => {
  const text = csv(
    'Date,Start Time,kWh',
    hours((time, hour) => `${DAY},${time},${hour < 2 ? '-3' : '1'}`),
  )
  expect(await imported(text)).toMatchObject({ stored: [], asked: ['sentBack'] })
  const back = await imported(text, { sentBack: 'leave' })
  expect(back).toMatchObject({
    stored: [`${DAY} 22`],
    says: expect.stringContaining('2 intervals were sent back to the grid'),
  })
  expect((await imported(text, { sentBack: 'subtract' })).stored).toEqual([`${DAY} 16`])
})

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

test('a day that is already there is asked about, and two halves of a day are both kept', async () => {
  const day = (from: number, to: number, use = '1') =>
    csv('Date,Start Time,kWh', hours((time) => `${DAY},${time},${use}`).slice(from, to))
  const { one, stored } = await imported(day(0, 12))
  expect(stored).toEqual([`${DAY} 12`])
  // The same hours again are known; the others are equally much, and another record.
  expect(await one.preview(day(0, 12))).toMatchObject({ known: 1 })
  await one.bring(day(12, 24), { sameDay: 'both' })
  const uses = async () =>
    (await one.records()).map(({ quantity }) => Number(quantity)).toSorted((a, b) => a - b)
  expect(await uses()).toEqual([12, 12])

  const whole = await imported(day(0, 24))
  const revised = day(0, 24, '1.5')
  const open = await whole.one.preview(revised)
  expect(open.questions).toMatchObject([{ id: 'unit' }, { id: 'sameDay', answer: null }].slice(-1))
  await whole.one.bring(revised, { sameDay: 'replace' })
  expect((await whole.one.records()).map(({ quantity }) => quantity)).toEqual(['36'])
  // Days without hours too.
  const daily = await imported(csv('From,To,kWh', `${DAY},${DAY},50`))
  expect(await daily.one.preview(csv('From,To,kWh', `${DAY},${DAY},51`))).toMatchObject({
    questions: [{ id: 'sameDay', answer: null }],
  })
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

test('what was answered for one file is not applied to other days of the next', async () => {
  const head = 'Meter,Timestamp,kWh used'
  const day = (date: string, from: number, to: number, use: string) =>
    csv(head, hours((time) => `7,${date} ${time},${use}`).slice(from, to))
  const { one } = await imported(day('2025-06-03', 0, 24, '1'))
  await one.bring(day('2025-06-03', 0, 24, '2'), { sameDay: 'replace' })
  await one.bring(day('2025-07-03', 0, 12, '1'))
  const { questions } = await one.preview(day('2025-07-03', 12, 24, '2'))
  expect(questions.find(({ id }) => id === 'sameDay')).toMatchObject({ answer: null })
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

test('a total beside the hours or months of a line is counted for none of them', async () => {
  const head = Array.from({ length: 24 }, (_, hour) => `HE${hour + 1}`).join(',')
  const ones = Array.from({ length: 24 }, () => '1').join(',')
  for (const [title, value] of [
    ['Total kWh', '24'],
    ['Total', '24'],
    ['Cost', '12'],
  ] as const) {
    const { records } = await imported(csv(`Date,${head},${title}`, `${DAY},${ones},${value}`))
    expect(records.map(({ quantity, cost }) => [quantity, cost])).toEqual([['24', null]])
  }
  const { records } = await imported(csv('Year,Jan,Feb,Mar,Total', '2025,900,850,950,2700'))
  expect(records.map(({ cost }) => cost)).toEqual([null, null, null])
  expect(records.reduce((sum, { quantity }) => sum + Number(quantity), 0)).toBe(2700)
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

test('a bill, its cancellation and its replacement leave the replacement', async () => {
  const head = 'Bill no,From,To,kWh'
  const bill = (quantity: string) => `A-1,2025-03-01,2025-03-31,${quantity}`
  const whole = await imported(csv(head, bill('3000'), bill('-3000'), bill('2800')), { credits: 'subtract' })
  expect(whole.left).toEqual([])
  expect(whole.records.reduce((sum, { quantity }) => sum + Number(quantity), 0)).toBe(2800)
  // In two files too.
  const { one } = await imported(csv(head, bill('3000')))
  const { last } = await one.bring(csv(head, bill('-3000'), bill('2800')), { credits: 'subtract' })
  expect(last.questions.map(({ id }) => id)).not.toContain('replace')
  expect((await one.records()).reduce((sum, { quantity }) => sum + Number(quantity), 0)).toBe(2800)
})

test('what is due with an unpaid balance is not the cost of the bill', async () => {
  const costs = async (head: string, line: string) =>
    (await imported(csv(head, line))).records.map(({ cost }) => cost)
  expect(
    await costs(
      'From,To,kWh,Previous Balance,Payments,Current Charges ($),Amount Due ($)',
      '2025-03-01,2025-03-31,900,120.00,0.00,130.00,250.00',
    ),
  ).toEqual(['130'])
  expect(
    await costs('From,To,kWh,Previous Balance,Amount Due ($)', '2025-03-01,2025-03-31,900,120.00,250.00'),
  ).toEqual([null])
  expect(await costs('From,To,kWh,Tax ($),Amount Due ($)', '2025-03-01,2025-03-31,900,12.00,130.00')).toEqual(
    ['130'],
  )
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

test('costs with three decimals are asked about as quantities are', async () => {
  const text = csv(
    'From,To,kWh,Cost ($)',
    '2025-01-01,2025-01-31,1000,104.250',
    '2025-02-01,2025-02-28,900,98.125',
  )
  const open = await imported(text)
  expect(open).toMatchObject({ asked: ['decimal'], stored: [] })
  const { records } = await imported(text, { decimal: '.' })
  expect(new Set(records.map(({ cost }) => cost))).toEqual(new Set(['104.25', '98.125']))
})
