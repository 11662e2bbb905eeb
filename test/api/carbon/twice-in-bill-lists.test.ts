import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { confirmed, importWorld } from '#test/factories/carbon/import-world.ts'
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

type World = Awaited<ReturnType<typeof importWorld>>
type Options = Readonly<{ sourceId: string; answers: Readonly<Record<string, string>> }>
/** Imports a file with these answers. @returns the questions that were open, in the order in which they were asked */
async function bring(one: World, file: string, { sourceId, answers }: Options) {
  const asked: string[] = []
  let read = await one.preview(file, { sourceId })
  for (let round = 0; round < 3; round += 1) {
    const open = read.questions.filter(({ answer }) => answer === null).map(({ id }) => id)
    asked.push(...open)
    const given = Object.fromEntries(open.map((id) => [id, answers[id] ?? '']))
    const mapping = { ...read.mapping, answers: { ...read.mapping.answers, ...given } }
    if (open.length > 0) read = await one.preview(file, { sourceId, mapping })
  }
  await one.add(file, confirmed(read), { sourceId })
  return asked
}
const uses = async (one: World) =>
  (await one.records()).map(({ quantity }) => Number(quantity)).toSorted((a, b) => a - b)

/** The bills of the company that delivers energy, and of the one that sells it. March was rounded. */
const BOTH = [
  ['PECO,2600-114,88101,2025-01-01,2025-01-31,12410', 'NRG,NRG-48213,5501,2025-01-01,2025-01-31,12410'],
  ['PECO,2600-114,88102,2025-02-01,2025-02-28,11280', 'NRG,NRG-48213,5502,2025-02-01,2025-02-28,11492'],
  ['PECO,2600-114,88103,2025-03-01,2025-03-31,10950', 'NRG,NRG-48213,5503,2025-03-01,2025-03-31,10951'],
  ['PECO,2600-114,88104,2025-04-01,2025-04-30,9870', 'NRG,NRG-48213,5504,2025-04-01,2025-04-30,9870'],
] as const
const list = (lines: readonly string[]) => ['Vendor,Account,Invoice,From,To,kWh', ...lines, ''].join('\n')

test('one use that two companies bill counts once, also if a month differs, and a longer list asks about new bills', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const options = { sourceId: one.power, answers: { twoNumbers: 'first' } }
  const asked = await bring(one, list(BOTH.slice(0, 3).flat()), options)
  expect(asked).toEqual(['twoNumbers'])
  expect(await uses(one)).toEqual([10_950, 11_280, 12_410])
  const { questions } = await one.preview(list(BOTH.flat()))
  expect(questions).toMatchObject([{ id: 'twoNumbers', lines: 1, answer: null }])
  const later = await importWorld(forecourt, ford, admin)
  await bring(later, list(BOTH.map(([own]) => own)), options)
  await bring(later, list(BOTH.map(([, its]) => its)), { ...options, answers: { overlap: 'leave' } })
  expect(await uses(later)).toEqual([9_870, 10_950, 11_280, 12_410])
})

test('one month of two companies that differs a little is asked about, too', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const lines = ['PPL,4763,0266,2025-04-01,2025-04-30,4775', 'Shipley,S-88,0273,2025-04-01,2025-04-30,4778']
  const asked = await bring(one, list(lines), { sourceId: one.power, answers: { twoNumbers: 'first' } })
  expect(asked).toEqual(['twoNumbers'])
  expect(await uses(one)).toEqual([4_775])
})

test('a delivery whose ticket is called corrected is asked about like a bill', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const lines = [
    '5102,2025-02-14,455,Original',
    '5103,2025-02-14,405,Corrected',
    '5104,2025-03-14,390,Original',
  ]
  const file = ['Ticket,Delivery date,Gallons,Ticket status', ...lines, ''].join('\n')
  const answers = { 'word:corrected': 'count', twoNumbers: 'last' }
  expect(await bring(one, file, { sourceId: one.cars, answers })).toEqual(['word:corrected', 'twoNumbers'])
  expect(await uses(one)).toEqual([390, 405])
})

test('a correction under another account of the same meter is asked about', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const lines = [
    'Z-187120,A-77001,9001,2025-01-01,2025-01-31,7200',
    'Z-187120,B-90335,9501,2025-01-01,2025-01-31,6100',
  ]
  const file = ['Meter,Account,Invoice,From,To,kWh', ...lines, ''].join('\n')
  const asked = await bring(one, file, { sourceId: one.power, answers: { twoNumbers: 'last' } })
  expect(asked).toEqual(['twoNumbers'])
  expect(await uses(one)).toEqual([6_100])
})

test('a delivery that says that it corrects another is asked about with that of its day', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const lines = ['5101,2025-01-14,420,Issued', '5102,2025-02-14,455,Issued', '5103,2025-02-14,405,Corrected']
  const file = ['Ticket,Delivery date,Gallons,Status', ...lines, ''].join('\n')
  const answers = { 'word:corrected': 'count', twoNumbers: 'last' }
  expect(await bring(one, file, { sourceId: one.cars, answers })).toEqual(['word:corrected', 'twoNumbers'])
  expect(await uses(one)).toEqual([405, 420])
})

test('a correction in a list with dates of readings is asked about, and ordinary words are not', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const lines = ['101,2025-01-28,5072,bezahlt', '102,2025-02-28,7787,bezahlt', '103,2025-02-28,7100,offen']
  const file = ['Bill,Meter read date,kWh,Status', ...lines, ''].join('\n')
  const asked = await bring(one, file, { sourceId: one.power, answers: { twoNumbers: 'last' } })
  expect(asked).toEqual(['twoNumbers'])
  expect(await uses(one)).toEqual([7_100])
})
