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
    await one.bring(fileOf(before, 'kWh', BILLS))
    expect(await total()).toBe(TOTAL)
    const again = await one.bring(fileOf(after, unit, BILLS))
    expect(again.last).toMatchObject({ ready: 0, known: BILLS.length, questions: [] })

    // Another use, exact or rounded to another unit, is never counted besides without asking.
    const near = FIRST === undefined ? [] : [{ ...FIRST, kWh: 1_854 }]
    const { ready, questions } = await one.preview(fileOf(after, unit, near))
    expect({ ready, asked: questions.map(({ id }) => id.replace(/s$/, '')) }).toEqual({
      ready: 0,
      asked: [after === 'both' || after === 'numbers' || before !== after ? expect.any(String) : 'sameDay'],
    })

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
