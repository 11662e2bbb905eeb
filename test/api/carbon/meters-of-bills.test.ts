// @module-tag release
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

// More kinds of files: test/prove/walks/meters-of-bills.prove.ts.
const imported = billImporter(() => ({ forecourt, ford, admin }))

test.each(['Meter', 'Zählpunkt'])(
  'intervals of two meters are added, also when both measured the same (%s)',
  async (title) => {
    const lines = ['M1', 'M2'].flatMap((meter) => hours((time) => `${meter},${DAY},${time},2`))
    const { stored, asked, says } = await imported(csv(`${title},Date,Start Time,kWh`, lines))
    expect({ stored, asked }).toEqual({ stored: [`${DAY} 96`], asked: [] })
    expect(says).not.toContain('twice')
  },
)

test('meters that follow each other in a file of hours are added, and one of another file is asked about by its name', async () => {
  const days = Array.from({ length: 30 }, (_, at) => `2025-04-${String(at + 1).padStart(2, '0')}`)
  const linesOf = (meter: string, use: (hour: number) => number) =>
    days.flatMap((day) => hours((time, hour) => `${meter},${day} ${time},${use(hour)}`))
  const [first, second] = [linesOf('E-1', (hour) => 2 + hour), linesOf('E-2', (hour) => 2 + (hour % 2))]
  const head = 'Meter ID,Interval start,kWh'
  const { stored, asked, says } = await imported(csv(head, first, second))
  expect({ asked, stored: stored.slice(0, 2) }).toEqual({
    asked: [],
    stored: ['2025-04-01 384', '2025-04-02 384'],
  })
  expect(says).not.toContain('twice')
  const { one, stored: own } = await imported(csv(head, first))
  expect(own).toHaveLength(30)
  // A meter may have been given another name, which is asked once.
  const { questions } = await one.preview(csv(head, second))
  const open = questions.filter(({ answer }) => answer === null)
  expect(open.map(({ id, lines: count }) => [id, count])).toEqual([['otherMeter', 30]])
})

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

test(
  'a day that is already there is asked about, and two halves of a day are both kept',
  { tags: 'release' },
  async () => {
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
    expect(open.questions).toMatchObject([{ id: 'unit:of kWh' }, { id: 'sameDay', answer: null }].slice(-1))
    await whole.one.bring(revised, { sameDay: 'replace' })
    expect((await whole.one.records()).map(({ quantity }) => quantity)).toEqual(['36'])
    // Days without hours too.
    const daily = await imported(csv('From,To,kWh', `${DAY},${DAY},50`))
    expect(await daily.one.preview(csv('From,To,kWh', `${DAY},${DAY},51`))).toMatchObject({
      questions: [{ id: 'sameDay', answer: null }],
    })
  },
)

test(
  'what was answered for one file is not applied to other days of the next',
  { tags: 'release' },
  async () => {
    const head = 'Meter,Timestamp,kWh used'
    const day = (date: string, from: number, to: number, use: string) =>
      csv(head, hours((time) => `7,${date} ${time},${use}`).slice(from, to))
    const { one } = await imported(day('2025-06-03', 0, 24, '1'))
    await one.bring(day('2025-06-03', 0, 24, '2'), { sameDay: 'replace' })
    await one.bring(day('2025-07-03', 0, 12, '1'))
    const { questions } = await one.preview(day('2025-07-03', 6, 24, '2'))
    expect(questions.find(({ id }) => id === 'sameDay')).toMatchObject({ answer: null })
  },
)

test(
  'a total beside the hours or months of a line is counted for none of them',
  { tags: 'release' },
  async () => {
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
  },
)

test('a bill, its cancellation and its replacement leave the replacement', { tags: 'release' }, async () => {
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

test('what is due with an unpaid balance is not the cost of the bill', { tags: 'release' }, async () => {
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

test('costs with three decimals are asked about as quantities are', { tags: 'release' }, async () => {
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
