// @module-tag release
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

const HEAD = 'From,To,Start reading (kWh),End reading (kWh)'
const file = (...lines: string[]) => [HEAD, ...lines, ''].join('\n')
const LOWER = file('2025-01-01,2025-01-31,98000,99950', '2025-02-01,2025-02-28,99950,120')

/** A file with answers: the lower line of its preview, and its record with its note. */
async function answered(text: string, answers: Record<string, string>) {
  const one = await importWorld(forecourt, ford, admin)
  const { last, done } = await one.bring(text, answers)
  const record = (await one.records()).find(({ periodStart }) => periodStart === '2025-02-01')
  return {
    one,
    last,
    done,
    shown: last.shown.find(({ line }) => line === 3),
    record: record === undefined ? null : [record.quantity, record.comment],
  }
}

test('an end reading below the start reading is asked about, with what each answer would mean', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const { questions, open, ready } = await one.preview(LOWER)
  expect({ open, ready }).toEqual({ open: 1, ready: 1 })
  expect(questions).toMatchObject([
    {
      id: 'meter:3',
      field: 'meterTo',
      answer: null,
      text: 'Line 3: the end reading 120 is below the start reading 99,950. What happened?',
      choices: [
        { value: 'replaced', label: 'The meter was replaced' },
        { value: 'again', label: 'The meter started again at zero after 5 digits: the use is 170' },
        { value: 'credit', label: 'A credit for an earlier bill: subtract 99,830' },
        { value: 'leave', label: 'Leave the line out' },
      ],
    },
  ])
})

test('a meter that started again at zero: the use is shown before the import, and the record says why', async () => {
  const { shown, record } = await answered(LOWER, { 'meter:3': 'again' })
  expect(shown).toMatchObject({ state: 'ready', amount: { quantity: '170', unit: 'kWh' } })
  expect(record).toEqual(['170', 'The meter started again at zero after 5 digits: read 99,950, then 120.'])
})

test('a meter that was replaced: its readings are asked for, and the record keeps them', async () => {
  const waiting = await answered(LOWER, { 'meter:3': 'replaced' })
  expect(waiting.last.questions[0]).toMatchObject({
    id: 'replaced:3',
    answer: null,
    choices: [],
    inputs: ['Last reading of the old meter', 'First reading of the new meter'],
  })
  expect(waiting).toMatchObject({ shown: { state: 'open' }, record: null })
  const { shown, record } = await answered(LOWER, { 'meter:3': 'replaced', 'replaced:3': '99990/5' })
  expect(shown).toMatchObject({ state: 'ready', amount: { quantity: '155', unit: 'kWh' } })
  expect(record).toEqual([
    '155',
    'The meter was replaced: read 99,950 to 99,990 on the old one, and 5 to 120 on the new one.',
  ])
  for (const [readings, message] of [
    ['99900/5', 'The last reading of the old meter is below its first one, 99,950.'],
    ['99990/130', 'The first reading of the new meter is above its last one, 120.'],
  ] as const) {
    const found = await answered(LOWER, { 'meter:3': 'replaced', 'replaced:3': readings })
    expect(found.shown).toMatchObject({ state: 'refused', problems: [{ message }] })
  }
  // Anything else isn't an answer.
  expect((await answered(LOWER, { 'meter:3': 'replaced', 'replaced:3': '1e3/5' })).shown).toMatchObject({
    state: 'open',
  })
})

test('a credit and a line that is left out', async () => {
  expect((await answered(LOWER, { 'meter:3': 'credit', lastYear: 'count' })).record).toEqual([
    '-99830',
    'Credit for an earlier bill: read 99,950, then 120.',
  ])
  expect((await answered(LOWER, { 'meter:3': 'leave' })).shown).toMatchObject({ state: 'left' })
})

test('the multiplier, the zeros that a meter shows, and one reading a line', async () => {
  const times = `${HEAD},Multiplier,Note\n2025-01-01,2025-01-31,000900,000990,40,\n2025-02-01,2025-02-28,999990,000010,40,read by Pat\n`
  const found = await answered(times, { 'meter:3': 'again' })
  expect(found.record).toEqual([
    '800',
    'read by Pat (The meter started again at zero after 6 digits: read 999,990, then 10.)',
  ])
  const series = 'Read date,Meter reading (kWh)\n2025-01-01,99800\n2025-02-01,99950\n2025-03-01,120\n'
  const one = await importWorld(forecourt, ford, admin)
  const { last } = await one.bring(series, { 'meter:4': 'replaced', 'replaced:4': '99960/0' })
  expect(last.shown.find(({ line }) => line === 4)).toMatchObject({
    state: 'ready',
    amount: { quantity: '130' },
  })
  // The answer was about that bill only.
  const next = await one.preview(series.replaceAll('2025', '2026').replace('120', '130'))
  expect(next.questions.find(({ id }) => id === 'meter:4')).toMatchObject({ answer: null })
})

test("a stated use that agrees with a meter that started again isn't asked about; another one is", async () => {
  const stated = (use: string) =>
    `${HEAD},Usage (kWh)\n2025-01-01,2025-01-31,98000,99950,1950\n2025-02-01,2025-02-28,99950,120,${use}\n`
  const agrees = await answered(stated('170'), {})
  expect(agrees.last.questions.filter(({ id }) => id.startsWith('meter'))).toEqual([])
  expect(agrees.record?.[0]).toBe('170')
  const other = await answered(stated('155'), { 'meter:3': 'use' })
  expect(other.record).toEqual(['155', 'The stated use counts, not the readings 99,950 and 120.'])
})
