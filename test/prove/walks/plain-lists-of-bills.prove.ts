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

const YEAR = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
const LAST = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const daysOf = (month: number) => {
  const start = `2025-${String(month).padStart(2, '0')}`
  return `${start}-01,${start}-${LAST[month - 1] ?? 30}`
}
const useOf = (month: number, nth = 0) => 5_000 + ((month * 377 + nth * 1_913) % 3_900)

type List = Readonly<{
  column: string
  words: readonly string[]
  /** Whether each word has a line in each month; otherwise the words take turns. */
  isTwice?: boolean
  /** The months with a second line. */
  months?: readonly number[]
  isOneNumber?: boolean
  isNumbered?: boolean
}>
function listOf({
  column,
  words,
  isTwice = false,
  months = YEAR,
  isOneNumber,
  isNumbered = true,
}: List): string {
  const lines = YEAR.flatMap((month) => {
    const turn = isTwice
      ? words.filter((_, at) => at === 0 || months.includes(month))
      : [words[month % words.length] ?? '']
    return turn.map((word, at) => {
      const number = 700 + month * 20 + (isOneNumber === true ? 0 : at * 7)
      return [...(isNumbered ? [`B${number}`] : []), daysOf(month), useOf(month, at), word].join(',')
    })
  })
  return [`${isNumbered ? 'Bill no,' : ''}From,To,kWh,${column}`, ...lines, ''].join('\n')
}
const open = async (file: string, sourceId?: string) => {
  const one = await importWorld(forecourt, ford, admin)
  const { questions, ready } = await one.preview(file, {
    sourceId: sourceId === undefined ? one.power : one.cars,
  })
  return { open: questions.filter(({ answer }) => answer === null).map(({ id }) => id), ready }
}

test.for<List>([
  { column: 'Charge', words: ['Energy peak', 'Energy off-peak'], isTwice: true, months: [6, 7, 8, 9] },
  { column: 'Charge type', words: ['Peak energy', 'Off-peak energy'], isTwice: true },
  { column: 'Line item', words: ['On-peak kWh', 'Off-peak kWh'], isTwice: true },
  {
    column: 'Line description',
    words: ['On-peak energy', 'Off-peak energy'],
    isTwice: true,
    isOneNumber: true,
  },
  { column: 'Usage type', words: ['Peak', 'Off peak'], isTwice: true, isNumbered: false },
  { column: 'Energy type', words: ['On-Peak', 'Off-Peak'], isTwice: true, isNumbered: false },
  { column: 'Block', words: ['First 2000 kWh', 'Over 2000 kWh'], isTwice: true },
  { column: 'Tarief', words: ['Normaal', 'Dal'], isTwice: true },
  { column: 'Zählwerk', words: ['Tag', 'Nacht'], isTwice: true, isNumbered: false },
  { column: 'Meter location', words: ['Front', 'Rear'], isTwice: true, isOneNumber: true },
  { column: 'Nickname', words: ['Main store', 'Used cars'], isTwice: true },
  { column: 'Area', words: ['Lot', 'Store'], isTwice: true },
  { column: 'Status', words: ['bezahlt', 'offen'] },
  { column: 'Status', words: ['Paid', 'Pending'] },
  { column: 'Status', words: ['Betaald', 'Open'] },
  { column: 'Statut', words: ['Payée', 'En attente'] },
  { column: 'Estado', words: ['Pagada', 'Pendiente'] },
  { column: 'Approved by', words: ['Ann', 'Bo'] },
  { column: 'Batch', words: ['B010', 'B020', 'B100', 'B110', 'B120'] },
  { column: 'Batch', words: ['E10', 'E20', 'E85', 'E15', 'E40', 'E50'] },
])('an ordinary list with $column $words asks nothing', async (list) => {
  expect(await open(listOf(list))).toEqual({
    open: [],
    ready: list.isTwice === true ? 12 + (list.months ?? YEAR).length : 12,
  })
})

test.for([
  ['North tank', 'South tank'],
  ['A', 'B'],
  ['Shop tank', 'Yard tank'],
])('deliveries to tanks %s below "Delivered" ask nothing', async (tanks) => {
  const lines = YEAR.flatMap((month) =>
    tanks.map(
      (tank, at) =>
        `${tank},${800 + month * 3 + at},2025-${String(month).padStart(2, '0')}-14,${300 + month + 40 * at}`,
    ),
  )
  const file = ['Tank,Ticket,Delivered,Gallons', ...lines, ''].join('\n')
  expect(await open(file, 'cars')).toEqual({ open: [], ready: 24 })
})

test.for([
  ['Delivery type', 'Keep full', 'Will call'],
  ['Ticket status', 'Delivered', 'Delivered & billed'],
  ['Status', 'Delivered', 'Partial delivery'],
  ['Delivered by', 'Tom', 'Ann'],
  ['Delivered to', 'Shop tank', 'Yard tank'],
])('how fuel is delivered asks nothing: %s %s %s', async ([heading, ...words]) => {
  const lines = YEAR.map(
    (month) =>
      `${800 + month * 3},2025-${String(month).padStart(2, '0')}-14,${300 + ((month * 37) % 90)},${words[month % 2] ?? ''}`,
  )
  const file = [`Ticket,Delivery date,Gallons,${heading}`, ...lines, ''].join('\n')
  expect(await open(file, 'cars')).toEqual({ open: [], ready: 12 })
})

test('other fuels, taxes and corrections are still asked about below these headings', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const asks = async (file: string, sourceId = one.power) =>
    (await one.preview(file, { sourceId })).questions
      .filter(({ answer }) => answer === null)
      .map(({ id }) => id)
  expect(await asks(listOf({ column: 'Status', words: ['bezahlt', 'korrigiert'] }))).toEqual([
    'word:korrigiert',
  ])
  expect(await asks(listOf({ column: 'Estado', words: ['Pagada', 'Anulada'] }))).not.toEqual([])
  expect(await asks(listOf({ column: 'Line item', words: ['Peak kWh', 'Electricity tax'] }))).toContain(
    'product:electricity tax',
  )
  const fuels = ['Gasoline tank', 'Diesel tank', 'DEF tank'].map(
    (tank, at) => `${tank},${800 + at},2025-0${at + 1}-14,${300 + at}`,
  )
  expect(await asks(['Tank,Ticket,Delivery date,Gallons', ...fuels, ''].join('\n'), one.cars)).toEqual(
    expect.arrayContaining(['product:diesel tank', 'product:def tank']),
  )
  const blends = ['E10', 'B20', 'E85'].map((fuel, at) => `${fuel},${800 + at},2025-0${at + 1}-14,${300 + at}`)
  expect(await asks(['Fuel,Ticket,Delivery date,Gallons', ...blends, ''].join('\n'), one.cars)).toContain(
    'product:e85',
  )
})
