// @module-tag release
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { importWorld } from '#test/factories/carbon/import-world.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let admin: Caller
let ford: TestOrganization
let world: Awaited<ReturnType<typeof importWorld>>
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  ford = await testOrganization(forecourt, 'Northgate Ford')
  world = await importWorld(forecourt, ford, admin)
})
afterAll(() => forecourt.close())

const DAY_FIRST = { decimal: '.', order: 'dmy' } as const
const bills = (head: string, ...lines: string[]) => [head, ...lines, ''].join('\n')
const HEAD = 'From,To,Usage (kWh)'

/** What a file is without an answer: its question about the order, and its periods. */
async function read(
  file: string,
  usual: { decimal: '.'; order: 'mdy' | 'dmy' } = { decimal: '.', order: 'mdy' },
) {
  const found = await world.preview(file, { usual })
  const question = found.questions.find(({ id }) => id === 'order')
  const ready = found.shown
    .filter(({ state }) => state === 'ready')
    .toSorted((one, other) => one.line - other.line)
  return {
    answer: question === undefined ? undefined : question.answer,
    question,
    open: found.open,
    periods: ready.map(({ period }) => `${period?.first} ${period?.last}`),
  }
}

describe('a file in which every date may be day-first or month-first', () => {
  test('is asked about once for the file, and nothing of it is read until then', async () => {
    const file = bills(HEAD, '03/11/2025,04/11/2025,900', '05/11/2025,06/11/2025,950')
    const found = await read(file)
    expect(found).toMatchObject({ answer: null, open: 2, periods: [] })
    expect(found.question).toMatchObject({
      field: 'periodStart',
      lines: 2,
      text: "Which day is “03/11/2025”? The file doesn't say whether the day or the month is first.",
      choices: [
        { value: 'mdy', label: 'Mar 11, 2025: the month is first' },
        { value: 'dmy', label: 'Nov 3, 2025: the day is first' },
      ],
    })
    expect(await read(file, DAY_FIRST)).toMatchObject({ answer: null, open: 2, periods: [] })
    const one = await importWorld(forecourt, ford, admin)
    const { mapping } = await one.preview(file)
    expect(await one.add(file, mapping)).toMatchObject({ saved: 0, open: 2 })
    await one.bring(file, { order: 'dmy' })
    expect((await one.records()).map(({ periodStart, periodEnd }) => `${periodStart} ${periodEnd}`)).toEqual([
      '2025-11-03 2025-11-04',
      '2025-11-05 2025-11-06',
    ])
  })

  test.each([
    [
      'dates of readings',
      bills('Read date,Usage (kWh)', '03/11/2025,900', '04/11/2025,910', '05/11/2025,920'),
    ],
    [
      'ranges in one cell',
      bills('Service period,kWh', '03/11/2025 - 04/11/2025,900', '05/11/2025 - 06/11/2025,910'),
    ],
    [
      'months of equal length in both orders',
      bills(HEAD, '03/04/2025,04/04/2025,9', '04/04/2025,05/04/2025,9', '05/04/2025,06/04/2025,9'),
    ],
    [
      'dates that contradict each other',
      bills(HEAD, '13/04/2025,14/04/2025,9', '03/04/2025,04/04/2025,9', '05/13/2025,05/14/2025,9'),
    ],
  ])('is asked about: %s', async (_name, file) => {
    expect(await read(file)).toMatchObject({ answer: null, periods: [] })
  })

  test('a column of dates that the user maps by hand is asked about too', async () => {
    const file = bills('A,B,Usage (kWh)', '03/11/2025,04/11/2025,900')
    const first = await world.preview(file)
    const found = await world.preview(file, {
      mapping: { ...first.mapping, columns: { quantity: 2, periodStart: 0, periodEnd: 1 } },
    })
    expect(found.questions).toMatchObject([{ id: 'order', answer: null }])
    expect(found).toMatchObject({ open: 1, ready: 0 })
  })
})

describe('a file that proves the order of its dates is not asked about', () => {
  test.each([
    [
      'a day above 12 in the last line',
      bills(HEAD, '03/02/2025,04/02/2025,9', '13/02/2025,14/02/2025,9'),
      ['2025-02-03 2025-02-04', '2025-02-13 2025-02-14'],
    ],
    [
      'another column of dates',
      bills(`Invoice date,${HEAD}`, '21/11/2025,03/11/2025,04/11/2025,9'),
      ['2025-11-03 2025-11-04'],
    ],
    [
      'a heading',
      bills('From (dd/mm/yyyy),To (dd/mm/yyyy),Usage (kWh)', '03/11/2025,04/11/2025,9'),
      ['2025-11-03 2025-11-04'],
    ],
    [
      'a line above the table',
      bills('Dates: DD.MM.YYYY', HEAD, '03.11.2025,04.11.2025,9'),
      ['2025-11-03 2025-11-04'],
    ],
    [
      'dates that are the same in both orders',
      bills(HEAD, '03/03/2025,04/04/2025,9'),
      ['2025-03-03 2025-04-04'],
    ],
    ['ISO dates', bills(HEAD, '2025-11-03,2025-11-04,9'), ['2025-11-03 2025-11-04']],
  ])('%s', async (_name, file, periods) => {
    expect(await read(file)).toMatchObject({ answer: undefined, periods })
  })

  test("periods that only one order makes possible or regular: said if it is not the user's own order", async () => {
    const backward = bills(HEAD, '03/11/2025,04/10/2025,9', '04/11/2025,05/10/2025,9')
    const periods = ['2025-03-11 2025-04-10', '2025-04-11 2025-05-10']
    expect(await read(backward)).toMatchObject({ answer: undefined, periods })
    expect(await read(backward, DAY_FIRST)).toMatchObject({
      answer: 'mdy',
      question: { isProposed: true },
      periods,
    })
    const turn = bills(
      'Read date,Usage (kWh)',
      '10/05/2025,9',
      '11/05/2025,8',
      '12/05/2025,9',
      '01/05/2026,9',
    )
    expect(await read(turn)).toMatchObject({
      answer: undefined,
      periods: ['2025-10-05 2025-11-04', '2025-11-05 2025-12-04', '2025-12-05 2026-01-04'],
    })
  })

  test("the first days of months are only a suggestion, and none against the user's own order", async () => {
    const file = bills('Read date,Usage (kWh)', '01/01/2025,9', '02/01/2025,9', '03/01/2025,9')
    expect(await read(file)).toMatchObject({ answer: 'mdy', question: { isProposed: true } })
    expect(await read(file, DAY_FIRST)).toMatchObject({ answer: null, periods: [] })
  })
})

/** Headings that are confirmed, and so are those of one provider. */
const OWN = 'From,To,Energy used on site (kWh)'

test('an answer is remembered for files with the same columns, unless one proves the contrary', async () => {
  const one = await importWorld(forecourt, ford, admin)
  await one.bring(bills(OWN, '03/02/2025,04/02/2025,900'), { order: 'dmy' })
  const again = await one.preview(bills(OWN, '05/02/2025,06/02/2025,910'))
  expect(again).toMatchObject({ isRemembered: true, ready: 1, mapping: { answers: { order: 'dmy' } } })
  expect(again.questions).toMatchObject([{ id: 'order', answer: 'dmy', isProposed: false }])
  const other = await one.preview(bills(OWN, '05/02/2025,05/20/2025,910'))
  expect(other.questions).toEqual([])
  expect(other.shown).toMatchObject([{ period: { first: '2025-05-02', last: '2025-05-20' } }])
  // A file that was clear says nothing about the next one.
  const clear = await importWorld(forecourt, ford, admin)
  await clear.bring(bills(OWN, '05/02/2025,05/20/2025,910'))
  const next = await clear.preview(bills(OWN, '03/04/2025,04/04/2025,920'), { usual: DAY_FIRST })
  expect(next).toMatchObject({ isRemembered: true, ready: 0, open: 1 })
})
