import { afterAll, beforeAll, expect, test } from 'vitest'
import { activities } from '#contract/carbon/activity/activity.ts'
import { activityImports } from '#contract/carbon/activity/activity-imports.ts'
import { csv } from '#test/factories/carbon/imported-bill.ts'
import { importWorld } from '#test/factories/carbon/import-world.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import {
  type Case,
  METERED,
  JAN,
  FEB,
  B1,
  HEAD,
  B2,
  C1,
  SUBTRACTED,
  NOT_COUNTED,
  OF_LEFT,
  credited,
  importFiles,
} from './bill-cases.ts'

let forecourt: TestApp
let admin: Caller
let ford: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  ford = await testOrganization(forecourt, 'Northgate Ford')
})
afterAll(() => forecourt.close())

const B3 = 'M1,B3,2025-03-01,2025-03-31,1111'
const B4 = 'M1,B4,2025-04-01,2025-04-30,1148'
const C12_MAR = 'M1,C12,2025-03-01,2025-03-31,-2111'

/** A bill that was replaced or left out, and a credit for it in a later file. */
const CREDITS: readonly Case[] = [
  {
    what: 'a bill corrected with the same use, and its credit',
    files: [
      { lines: [B1], asks: [] },
      { lines: [`M1,B1K,${JAN},1037`], asks: ['overlap'], answers: { overlap: 'replace' } },
      credited(C1, NOT_COUNTED, 'lateCredit'),
    ],
    total: 2_111,
  },
  {
    what: 'the meters of an invoice, of which one is corrected, and their credits',
    files: [
      { lines: [`M1,B5,${JAN},500`, `M2,B5,${JAN},600`], asks: [] },
      {
        lines: [`M1,B5K,${JAN},500`, `M2,B5K,${JAN},580`],
        asks: ['overlap'],
        answers: { overlap: 'replace' },
      },
      {
        lines: [`M1,C5,${JAN},-500`, `M2,C5,${JAN},-600`],
        asks: ['credits', 'lateCredit'],
        answers: NOT_COUNTED,
      },
    ],
    total: 1_080,
  },
  {
    what: 'two bills of one file, of which the later holds, and the credit of the other',
    files: [
      { lines: [B1, `M1,B1K,${JAN},990`], asks: ['twoNumbers'], answers: { twoNumbers: 'last' } },
      credited(C1, OF_LEFT, 'leftCredit'),
    ],
    total: 2_064,
  },
  {
    what: 'the same, with the number of the bill',
    files: [
      { lines: [B1, `M1,B1K,${JAN},990`], asks: ['twoNumbers'], answers: { twoNumbers: 'last' } },
      credited(`M1,B1,${JAN},-1037`, OF_LEFT, 'leftCredit'),
    ],
    total: 2_064,
  },
  {
    what: 'two bills of one file, of which the earlier holds, and the credit of the other',
    files: [
      { lines: [B1, `M1,B1K,${JAN},990`], asks: ['twoNumbers'], answers: { twoNumbers: 'first' } },
      credited(`M1,CK,${JAN},-990`, OF_LEFT, 'leftCredit'),
    ],
    total: 2_111,
  },
  {
    what: 'a bill that was sent twice, left out, and its credit',
    files: [
      { lines: [B1], asks: [] },
      { lines: [`M1,B9,${JAN},1037`], asks: ['overlap'], answers: { overlap: 'leave' } },
      credited(`M1,C9,${JAN},-1037`, OF_LEFT, 'leftCredit'),
    ],
    total: 2_111,
  },
  {
    what: 'the same, and the credit is for the bill that counts',
    files: [
      { lines: [B1], asks: [] },
      { lines: [`M1,B9,${JAN},1037`], asks: ['overlap'], answers: { overlap: 'leave' } },
      credited(C1, { ...SUBTRACTED, leftCredit: 'count' }, 'leftCredit'),
    ],
    total: 1_074,
  },
  {
    what: 'the same, and the number tells it',
    files: [
      { lines: [B1], asks: [] },
      { lines: [`M1,B9,${JAN},1037`], asks: ['overlap'], answers: { overlap: 'leave' } },
      { lines: [`M1,B1,${JAN},-1037`, B2], asks: ['credits'], answers: SUBTRACTED },
    ],
    total: 1_074,
  },
  {
    what: 'a number that is there twice, and a credit with it',
    files: [
      { lines: [B1, `M1,B1,${JAN},990`], asks: ['twice'], answers: { twice: 'last' } },
      credited(`M1,B1,${JAN},-1037`, OF_LEFT, 'leftCredit'),
    ],
    total: 2_064,
  },
  {
    what: 'a credit with the day on which it was written',
    files: [
      { lines: [B1, `M1,B1K,${JAN},990`], asks: ['twoNumbers'], answers: { twoNumbers: 'last' } },
      credited(`M1,C1,${FEB},-1037`, OF_LEFT, 'leftCredit'),
    ],
    total: 2_064,
  },
  {
    what: 'growing lists, which have what was left out again',
    files: [
      { lines: [B1, `M1,B1K,${JAN},990`], asks: ['twoNumbers'], answers: { twoNumbers: 'last' } },
      { lines: [B1, `M1,B1K,${JAN},990`, B2], asks: [] },
      { lines: [B1, `M1,B1K,${JAN},990`, B2, 'M1,B3,2025-03-01,2025-03-31,1111'], asks: [] },
    ],
    total: 3_175,
  },
  {
    what: 'growing lists with a credit that was left out',
    files: [
      { lines: [B1], asks: [] },
      { lines: [`M1,B1K,${JAN},990`], asks: ['overlap'], answers: { overlap: 'replace' } },
      credited(C1, NOT_COUNTED, 'lateCredit'),
      {
        lines: [`M1,B1K,${JAN},990`, C1, B2, 'M1,B3,2025-03-01,2025-03-31,1111'],
        asks: [],
      },
    ],
    total: 3_175,
  },
  {
    what: 'growing lists with a credit and a line that is none, which are asked about once',
    files: [
      { lines: [B1], asks: [] },
      {
        lines: [B1, C1, `M1,B1K,${JAN},990`],
        asks: ['credits'],
        answers: { ...SUBTRACTED, again: 'leave' },
      },
      { lines: [B1, C1, `M1,B1K,${JAN},990`, B2], asks: [] },
      {
        lines: [B1, C1, `M1,B1K,${JAN},990`, B2, 'M1,X3,2025-03-01,2025-03-31,-5', B3],
        asks: ['credits'],
        answers: { credits: 'leave' },
      },
      { lines: [B1, C1, `M1,B1K,${JAN},990`, B2, 'M1,X3,2025-03-01,2025-03-31,-5', B3], asks: [] },
    ],
    total: 3_175,
  },
  {
    what: 'one credit for two bills, written a month later than the next bill, which are billed again one by one',
    files: [
      { lines: [B1, B2, B3], asks: [] },
      { lines: ['M1,C12,2025-04-01,2025-04-30,-2111', B4], asks: ['credits'], answers: SUBTRACTED },
      { lines: [`M1,B1K,${JAN},990`], asks: [] },
      { lines: [`M1,B2K,${FEB},1000`], asks: [] },
    ],
    total: 4_249,
  },
  {
    what: 'the same in one list, in which others have this sum, too',
    files: [
      {
        lines: [
          B1,
          B2,
          B3,
          'M1,C12,2025-04-01,2025-04-30,-2111',
          `M1,B1K,${JAN},990`,
          `M1,B2K,${FEB},1000`,
          B4,
        ],
        asks: ['credits'],
        answers: SUBTRACTED,
      },
    ],
    total: 4_249,
  },
  {
    what: 'a credit for both meters of a bill, written after two other bills, and the bill again',
    files: [
      { lines: [`M1,B1,${JAN},610`, `M2,B1,${JAN},440`, `M1,B2,${FEB},510`, `M2,B2,${FEB},340`], asks: [] },
      { lines: ['M1,B3,2025-03-01,2025-03-31,560', 'M2,B3,2025-03-01,2025-03-31,390'], asks: [] },
      { lines: [',C1,2025-04-01,2025-04-30,-1050'], asks: ['credits'], answers: SUBTRACTED },
      { lines: [`M1,B1K,${JAN},570`, `M2,B1K,${JAN},420`], asks: [] },
    ],
    total: 2_790,
  },
  {
    what: 'one credit for two bills in a growing list, and then both again',
    files: [
      { lines: [B1, B2], asks: [] },
      { lines: [B1, B2, C12_MAR], asks: ['credits'], answers: { ...SUBTRACTED, again: 'leave' } },
      { lines: [B1, B2, C12_MAR, `M1,B1K,${JAN},990`, `M1,B2K,${FEB},1000`, B3], asks: [] },
    ],
    total: 3_101,
  },
  {
    what: 'a credit for the meters of a bill without their names, and then their corrections in a growing list',
    files: [
      { lines: [`M1,B1,${JAN},600`, `M2,B1,${JAN},437`], asks: [] },
      {
        lines: [`M1,B1,${JAN},600`, `M2,B1,${JAN},437`, `,C1,${FEB},-1037`],
        asks: ['credits'],
        answers: { ...SUBTRACTED, again: 'leave' },
      },
      {
        lines: [
          `M1,B1,${JAN},600`,
          `M2,B1,${JAN},437`,
          `,C1,${FEB},-1037`,
          `M1,B1K,${JAN},570`,
          `M2,B1K,${JAN},420`,
          `M1,B2,${FEB},610`,
          `M2,B2,${FEB},440`,
        ],
        asks: [],
      },
    ],
    total: 2_040,
  },
  {
    what: 'one credit for the bills of two months that were replaced',
    files: [
      {
        lines: [B1, `M1,B1K,${JAN},990`, B2, `M1,B2K,${FEB},1000`],
        asks: ['twoNumbers'],
        answers: { twoNumbers: 'last' },
      },
      {
        lines: ['M1,C12,2025-01-01,2025-02-28,-2111', 'M1,B3,2025-03-01,2025-03-31,1111'],
        asks: ['credits', 'leftCredit'],
        answers: OF_LEFT,
      },
    ],
    total: 3_101,
  },
  {
    what: 'a credit of a rounded use',
    files: [
      {
        lines: [`M1,B1,${JAN},1037.4`, `M1,B1K,${JAN},990`],
        asks: ['twoNumbers'],
        answers: { twoNumbers: 'last' },
      },
      credited(C1, OF_LEFT, 'leftCredit'),
    ],
    total: 2_064,
  },
  {
    what: 'a bill that was left out, sent again by itself because it counts',
    files: [
      { lines: [B1], asks: [] },
      { lines: [`M1,B9,${JAN},1037`], asks: ['overlap'], answers: { overlap: 'leave' } },
      { lines: [`M1,B9,${JAN},1037`], asks: ['overlap'], answers: { overlap: 'both' } },
    ],
    total: 2_074,
  },
  {
    what: 'a bill that was listed again with another number, and a credit for it',
    files: [
      { lines: [B1], asks: [] },
      { lines: [`M1,S1,${JAN},1037`], asks: ['overlap'], answers: { overlap: 'leave' } },
      {
        lines: [C1, `M1,B1R,${JAN},990`],
        asks: ['credits', 'leftCredit'],
        answers: { ...SUBTRACTED, leftCredit: 'count' },
      },
    ],
    total: 990,
  },
  {
    what: 'the same in a growing list',
    files: [
      { lines: [B1], asks: [] },
      { lines: [`M1,S1,${JAN},1037`], asks: ['overlap'], answers: { overlap: 'leave' } },
      {
        lines: [B1, `M1,S1,${JAN},1037`, C1, B2],
        asks: ['credits', 'leftCredit'],
        answers: { ...SUBTRACTED, leftCredit: 'count', again: 'leave' },
      },
    ],
    total: 1_074,
  },
  {
    what: 'the credit for one of equal bills, of which an earlier one was left out',
    files: [
      {
        lines: [`M1,B0,${JAN},500`, `M1,B0K,${JAN},400`],
        asks: ['twoNumbers'],
        answers: { twoNumbers: 'last' },
      },
      { lines: [`M1,F2,${FEB},500`], asks: [] },
      { lines: [`M1,C2,${FEB},-500`], asks: ['credits'], answers: SUBTRACTED },
    ],
    total: 400,
  },
  {
    what: 'a credit of an account for its meters that were corrected',
    files: [
      { head: METERED, lines: [`A1,M1,B1,${JAN},600`, `A1,M2,B1,${JAN},437`], asks: [] },
      {
        head: METERED,
        lines: [`A1,M1,B1K,${JAN},570`, `A1,M2,B1K,${JAN},420`],
        asks: ['overlap'],
        answers: { overlap: 'replace' },
      },
      {
        head: METERED,
        lines: [`A1,,C1,${JAN},-1037`, `A1,M1,B2,${FEB},1074`],
        asks: ['credits', 'leftCredit'],
        answers: OF_LEFT,
      },
    ],
    total: 2_064,
  },
  {
    what: 'a partial credit, which asks nothing more',
    files: [
      { lines: [B1], asks: [] },
      { lines: [`M1,B9,${JAN},1037`], asks: ['overlap'], answers: { overlap: 'leave' } },
      { lines: [`M1,C2,${JAN},-37`], asks: ['credits'], answers: SUBTRACTED },
    ],
    total: 1_000,
  },
]

const TICKETS = {
  head: 'Ticket,Delivery Date,Gallons',
  lines: ['LS1,01/13/2025,300', 'LS2,01/20/2025,150'],
  asks: [],
  answers: { date: 'day' },
} as const
const MID_CYCLE = ['2025-01-11,2025-02-10,1000', '2025-02-11,2025-03-10,1100', '2025-03-11,2025-04-10,1122']
const SITE = 'Bill number,From,To,kWh'

/** Lists whose days, numbers or sources are others. */
const LISTS: readonly Case[] = [
  {
    what: 'tickets, then invoices that name them',
    source: 'cars',
    files: [
      TICKETS,
      {
        head: 'Invoice Number,Ticket,Invoice Date,Gallons',
        lines: ['R1,LS1,01/15/2025,300', 'R2,LS2,01/22/2025,150', 'R3,LS3,02/15/2025,50'],
        asks: ['sameNumber'],
        answers: { date: 'day', sameNumber: 'leave' },
      },
    ],
    total: 500,
  },
  {
    what: 'invoices, then the tickets of some days before',
    source: 'cars',
    files: [
      {
        head: 'Invoice Number,Ticket,Invoice Date,Gallons',
        lines: ['R1,LS1,01/15/2025,300', 'R2,LS2,01/22/2025,150'],
        asks: [],
        answers: { date: 'day' },
      },
      { ...TICKETS, asks: ['shifted'], answers: { date: 'day', shifted: 'leave' } },
    ],
    total: 450,
  },
  {
    what: 'fuel cards by purchase, then by posting',
    source: 'cars',
    files: [
      {
        head: 'Transaction ID,Transaction Date,Gallons',
        lines: ['7001,01/05/2025,12.4', '7002,01/12/2025,14.1', '7003,01/19/2025,12.1'],
        asks: [],
        answers: { date: 'day' },
      },
      {
        head: 'Invoice,Posting Date,Gallons',
        lines: ['F1,01/06/2025,12.4', 'F1,01/13/2025,14.1', 'F1,01/20/2025,12.1'],
        asks: ['shifted'],
        answers: { date: 'day', shifted: 'leave' },
      },
    ],
    total: 38.6,
  },
  {
    what: 'deliveries of another week',
    source: 'cars',
    files: [
      {
        head: 'Ticket,Delivery Date,Gallons',
        lines: ['T1,01/05/2025,200', 'T2,01/12/2025,180', 'T3,01/19/2025,200'],
        asks: [],
        answers: { date: 'day' },
      },
      {
        head: 'Ticket,Delivery Date,Gallons',
        lines: ['T4,01/26/2025,200', 'T5,02/02/2025,210', 'T6,02/09/2025,180'],
        asks: [],
        answers: { date: 'day' },
      },
    ],
    total: 1_170,
  },
  {
    what: 'bills from the 11th to the 10th, then months',
    files: [
      { head: 'From,To,kWh', lines: MID_CYCLE, asks: [] },
      {
        head: 'Month,kWh',
        lines: ['2025-02,1040', '2025-03,1110'],
        asks: ['overlaps'],
        answers: { overlaps: 'leave' },
      },
    ],
    total: 3_222,
  },
  {
    what: 'the same bills with other days',
    files: [
      { head: 'From,To,kWh', lines: MID_CYCLE, asks: [] },
      {
        head: 'From,To,kWh',
        lines: ['2025-01-21,2025-02-20,1000', '2025-02-21,2025-03-20,1100', '2025-03-21,2025-04-20,1122'],
        asks: ['shifted'],
        answers: { shifted: 'leave' },
      },
    ],
    total: 3_222,
  },
  {
    what: 'a list of a year with 0 for the months to come',
    files: [
      { head: 'Month,kWh', lines: ['2025-01,900', '2025-02,0', '2025-03,0'], asks: [] },
      { head: 'Month,kWh', lines: ['2025-01,900', '2025-02,950', '2025-03,0'], asks: [] },
    ],
    total: 1_850,
  },
  // A column that only says whether something is so names no meter.
  ...(
    [
      ['Estimated', 'Y', 'N'],
      ['Estimate Flag', 'TRUE', 'FALSE'],
      ['Final', 'No', 'Yes'],
      ['Paid', 'no', 'yes'],
    ] as const
  ).map(([flag, first, last]): Case => ({
    what: `two lines a month that differ in ${flag}`,
    files: [
      {
        head: `From,To,${flag},kWh`,
        lines: [`${JAN},${first},5000`, `${JAN},${last},5300`, `${FEB},${first},6000`, `${FEB},${last},6200`],
        asks: ['twoNumbers'],
        answers: { twoNumbers: 'last' },
      },
    ],
    total: 11_500,
  })),
  {
    what: 'numbered bills of every month, estimated and read',
    files: [
      {
        head: 'Invoice number,From,To,Estimated,kWh',
        lines: [`I1,${JAN},Y,5000`, `I2,${JAN},N,5300`, `I3,${FEB},Y,6000`, `I4,${FEB},N,6200`],
        asks: ['twoNumbers'],
        answers: { twoNumbers: 'last' },
      },
    ],
    total: 11_500,
  },
  {
    what: 'numbered bills of three months, and then a new one for each',
    files: [
      {
        head: 'Invoice number,From,To,kWh',
        lines: [`I1,${JAN},5000`, `I2,${FEB},5100`, 'I3,2025-03-01,2025-03-31,5200'],
        asks: [],
      },
      {
        head: 'Invoice number,From,To,kWh',
        lines: [`R1,${JAN},5050`, `R2,${FEB},5150`, 'R3,2025-03-01,2025-03-31,5250'],
        asks: ['overlap'],
        answers: { overlap: 'replace' },
      },
    ],
    total: 15_450,
  },
  {
    what: 'an estimate and its bill beside a credit that nobody has explained yet',
    files: [
      {
        head: 'Invoice,From,To,Read Type,kWh',
        lines: [
          `I1,${JAN},Actual,-7470`,
          `I2,${JAN},Actual,7570`,
          `I4,${FEB},Estimated,8000`,
          `I5,${FEB},Actual,8300`,
        ],
        asks: ['column:read type', 'credits', 'lastYear', 'twoNumbers'],
        answers: { 'column:read type': 'all', ...SUBTRACTED, lastYear: 'leave', twoNumbers: 'last' },
      },
    ],
    total: 15_870,
  },
  {
    what: 'a credit in January that is half as large as the bill of its month',
    files: [
      {
        head: 'From,To,kWh',
        lines: [`${JAN},4000`, `${JAN},-1500`],
        asks: ['credits', 'lastYear'],
        answers: { ...SUBTRACTED, lastYear: 'leave' },
      },
    ],
    total: 4_000,
  },
  {
    what: 'a bill that is there for another source',
    files: [
      { head: SITE, lines: [`X9,${JAN},700`], asks: [] },
      {
        head: SITE,
        source: 'gas',
        lines: [`X9,${JAN},700`, `X10,${JAN},20`],
        asks: ['elsewhere'],
        answers: { elsewhere: 'leave' },
      },
    ],
    total: 720,
  },
]

test('a list that is imported again after the import of its first bills was undone has them again', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const head = 'Account,From,To,kWh'
  const [jan, feb] = [`A1,${JAN},12492`, `A1,${FEB},12292`]
  const { done } = await one.bring(csv(head, jan, feb))
  const list = csv(head, jan, feb, `A1,2025-01-01,2025-02-28,-24784`, `A1,${JAN},12192`, `A1,${FEB},12290`)
  const answers = { credits: 'subtract', again: 'leave', twoNumbers: 'both', lastYear: 'count' }
  await one.bring(list, answers)
  const total = async () => (await one.records()).reduce((sum, { quantity }) => sum + Number(quantity), 0)
  expect(await total()).toBe(24_482)
  const undone = await admin.call(activityImports.undo, { id: done.import?.id ?? '' })
  expect(undone.loose).toHaveLength(1)
  await one.bring(list, { ...answers, again: 'both' })
  expect(await total()).toBe(24_482)
})

test.for([...CREDITS, ...LISTS])('$what', async (one) => {
  expect(await importFiles({ forecourt, ford, admin }, one)).toBe(one.total)
})

test.for(['estimate', 'Waiting for the bill', 'Estimated by Kim, Feb 2025'])(
  'a bill that a person entered as “%s” before it came is asked about when it comes',
  async (reference) => {
    const one = await importWorld(forecourt, ford, admin)
    await one.bring(csv(HEAD, B1))
    const [start = '', end = ''] = FEB.split(',')
    const days = { periodStart: start, periodEnd: end }
    const record = { ...days, sourceId: one.power, quantity: '1000', unit: 'kWh', reference }
    await admin.call(activities.save, { inventoryId: one.inventoryId, rows: [{ key: '1', record }] })
    const { first } = await one.bring(csv(HEAD, B1, B2), { replace: 'replace' })
    expect(first.questions.map(({ id }) => id)).toEqual(['replace'])
    const sum = (await one.records()).reduce((all, { quantity }) => all + Number(quantity), 0)
    expect(sum).toBe(2_111)
  },
)
