import { afterAll, beforeAll, expect, test } from 'vitest'
import { activityImports } from '#contract/carbon/activity/activity-imports.ts'
import { B1, B2, C1, HEAD, SUBTRACTED } from './bill-cases.ts'
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

const JAN = '2025-01-01,2025-01-31'
const FEB = '2025-02-01,2025-02-28'
const ACCOUNTS = 'Account,Meter,From,To,Usage,Unit'
/** Files with lines of sums that have days, too. */
const TOTALS = [
  {
    what: 'by account, named',
    lines: csv(
      ACCOUNTS,
      `A1,M1,${JAN},500,kWh`,
      `A1,M2,${JAN},600,kWh`,
      `Total A1,,${JAN},1100,kWh`,
      `A2,M3,${JAN},70,kWh`,
      `A2,M4,${JAN},90,kWh`,
      `Total A2,,${JAN},160,kWh`,
      `Grand total,,${JAN},1260,kWh`,
    ),
    total: 1_260,
  },
  {
    what: 'in the column of meters, of one meter',
    lines: csv(
      ACCOUNTS,
      `A1,M1,${JAN},500,kWh`,
      `A1,Subtotal,${JAN},500,kWh`,
      `A2,M3,${JAN},70,kWh`,
      `A2,Subtotal,${JAN},70,kWh`,
    ),
    total: 570,
  },
  {
    what: 'by meter over months',
    lines: csv(
      'Meter,From,To,Usage,Unit',
      `M1,${JAN},500,kWh`,
      `M1,${FEB},600,kWh`,
      'M1 Total,2025-01-01,2025-02-28,1100,kWh',
      `M2,${JAN},50,kWh`,
      `M2,${FEB},60,kWh`,
      'M2 Total,2025-01-01,2025-02-28,110,kWh',
    ),
    total: 1_210,
  },
  {
    what: 'the same word each time',
    lines: csv(
      'Meter,From,To,Usage,Unit',
      `M1,${JAN},500,kWh`,
      `M1,${FEB},600,kWh`,
      'Subtotal,2025-01-01,2025-02-28,1100,kWh',
      `M2,${JAN},50,kWh`,
      `M2,${FEB},60,kWh`,
      'Subtotal,2025-01-01,2025-02-28,110,kWh',
      'Total,2025-01-01,2025-02-28,1210,kWh',
    ),
    total: 1_210,
  },
  {
    what: 'by account, of two months in one file',
    lines: csv(
      ACCOUNTS,
      ...[JAN, FEB].flatMap((days) => [
        `A1,M1,${days},500,kWh`,
        `A1,M2,${days},600,kWh`,
        `Subtotal A1,,${days},1100,kWh`,
        `A2,M3,${days},70,kWh`,
        `Subtotal A2,,${days},70,kWh`,
        `Grand Total,,${days},1170,kWh`,
      ]),
    ),
    total: 2_340,
  },
  {
    what: 'by month and of the year',
    lines: csv(
      'Meter,From,To,Usage,Unit',
      `M1,${JAN},500,kWh`,
      `M2,${JAN},600,kWh`,
      `Total January,${JAN},1100,kWh`,
      `M1,${FEB},520,kWh`,
      `M2,${FEB},600,kWh`,
      `Total February,${FEB},1120,kWh`,
      'Total year,2025-01-01,2025-02-28,2220,kWh',
    ),
    total: 2_220,
  },
  {
    what: 'before their meters',
    lines: csv(
      ACCOUNTS,
      `A1,Sous-total,${JAN},1100,kWh`,
      `A1,M1,${JAN},500,kWh`,
      `A1,M2,${JAN},600,kWh`,
      `A2,Sous-total,${JAN},70,kWh`,
      `A2,M3,${JAN},70,kWh`,
    ),
    total: 1_170,
  },
]

const used = async (one: Awaited<ReturnType<typeof importWorld>>): Promise<number> =>
  (await one.records()).reduce((all, { quantity }) => all + Number(quantity), 0)

test.for(TOTALS)('totals lines with days: $what', async ({ lines, total }) => {
  const one = await importWorld(forecourt, ford, admin)
  expect((await one.preview(lines)).questions.filter(({ answer }) => answer === null)).toEqual([])
  await one.bring(lines)
  expect(await used(one)).toBe(total)
})

/** Lines that are called totals, and may be none. */
const ASKED = [
  {
    what: 'none of the sums',
    lines: csv(ACCOUNTS, `A1,M1,${JAN},500,kWh`, `A1,M2,${JAN},600,kWh`, `A1,Total,${JAN},1200,kWh`),
    answer: 'leave',
    total: 1_100,
  },
  {
    what: 'of a supplier called Total, with the use of another one',
    lines: csv('Supplier,Invoice number,From,To,kWh', `EDF,E1,${JAN},500`, `Total,T1,${JAN},500`),
    answer: 'count',
    total: 1_000,
  },
] as const

test.for(ASKED)('a line is asked about: $what', async ({ lines, answer, total }) => {
  const one = await importWorld(forecourt, ford, admin)
  const { questions } = await one.preview(lines)
  expect(questions.flatMap(({ id, answer: given }) => (given === null ? [id] : []))).toEqual(['total'])
  await one.bring(lines, { total: answer, twoNumbers: 'both' })
  expect(await used(one)).toBe(total)
})

test.for([
  { head: HEAD, bills: [B1, B2], later: [C1, `M1,B1K,${JAN},990`] },
  {
    head: 'Bill number,From,To,kWh',
    bills: [`B1,${JAN},1037`, `B2,${FEB},1074`],
    later: [`C1,${JAN},-1037`, `B1K,${JAN},990`],
  },
  { head: 'From,To,kWh', bills: [`${JAN},1037`, `${FEB},1074`], later: [`${JAN},-1037`, `${JAN},990`] },
  { head: HEAD, bills: [B1, `M1,B1K,${JAN},990`, B2], later: [C1], answers: { twoNumbers: 'both' } },
])(
  'bills come back under the credits that wait for them: $head, $later',
  async ({ head, bills, later, answers }) => {
    const one = await importWorld(forecourt, ford, admin)
    const { done } = await one.bring(csv(head, ...bills), { ...answers })
    await one.bring(csv(head, ...later), SUBTRACTED)
    const { loose } = await admin.call(activityImports.undo, { id: done.import?.id ?? '' })
    expect(loose).toHaveLength(1)
    const { last } = await one.bring(csv(head, ...bills))
    expect(last.questions).toEqual([])
    const sum = (await one.records()).reduce((all, { quantity }) => all + Number(quantity), 0)
    expect(sum).toBe(2_064)
  },
)
