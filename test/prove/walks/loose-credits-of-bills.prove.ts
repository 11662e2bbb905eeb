import { afterAll, beforeAll, expect, test } from 'vitest'
import { activities } from '#contract/carbon/activity/activity.ts'
import { activityImports } from '#contract/carbon/activity/activity-imports.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { csv } from '#test/factories/carbon/imported-bill.ts'
import { importWorld } from '#test/factories/carbon/import-world.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import {
  type Sent,
  type Case,
  HEAD,
  JAN,
  FEB,
  B1,
  B2,
  C1,
  SUBTRACTED,
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

const MAR = '2025-03-01,2025-03-31'
/** Two meters of a bill, their correction, and credits as one sum. */
const PAIR = [`M1,B1,${JAN},600`, `M2,B1,${JAN},437`]
const PAIR_K = [`M1,B1K,${JAN},570`, `M2,B1K,${JAN},420`]
const SUM = `,C1,${JAN},-1037`
const LATEST = { twoNumbers: 'last' }
const REPLACED: readonly Sent[] = [
  { lines: [B1], asks: [] },
  { lines: [`M1,B1K,${JAN},990`], asks: ['overlap'], answers: { overlap: 'replace' } },
]

/** Credits with another use than the bills that no longer count. */
const LOOSE: readonly Case[] = [
  ...[
    { what: 'two others', bills: [4000, 5000, 9000, 7000], asked: 9000 },
    { what: 'two equal others', bills: [4500, 4500, 9000, 7000], asked: 9000 },
    { what: 'a later one', bills: [9000, 5000, 9000, 7000], asked: 9000 },
  ].map(({ what, bills, asked }): Case => {
    const lines = bills.map((use, at) => `2025-0${at + 1}-01,2025-0${at + 1}-28,${use}`)
    const [corrected = ''] = what === 'a later one' ? lines : lines.slice(2)
    const rest = bills.reduce((sum, use) => sum + use, 0) - asked
    return {
      what: `a credit of the month in which it was written, whose use ${what} have as well, and the new bill`,
      files: [
        { head: 'From,To,kWh', lines, asks: [] },
        {
          head: 'From,To,kWh',
          lines: [
            `2025-05-01,2025-05-28,-${asked}`,
            corrected.replace(String(asked), '8200'),
            '2025-05-01,2025-05-28,6000',
          ],
          asks: what === 'a later one' ? ['credits', 'leftCredit', 'sameDay'] : ['credits'],
          answers:
            what === 'a later one' ? { ...SUBTRACTED, sameDay: 'replace', leftCredit: 'leave' } : SUBTRACTED,
        },
      ],
      total: rest + 14_200,
    }
  }),
  {
    what: 'a list of months without numbers, and its correction beside it in the next one',
    files: [
      { head: 'From,To,kWh', lines: [`${JAN},900`, `${FEB},5000`], asks: [] },
      {
        head: 'From,To,kWh',
        lines: [`${JAN},900`, `${FEB},5000`, `${FEB},5300`, '2025-03-01,2025-03-31,950'],
        asks: ['twoNumbers'],
        answers: LATEST,
      },
    ],
    total: 7_150,
  },
  ...[
    { read: { 'column:read type': 'all', ...LATEST }, asked: ['twoNumbers'] },
    {
      read: { 'column:read type': 'each', 'product:estimated': 'leave', 'product:actual': 'count' },
      asked: ['product:actual', 'product:estimated'],
    },
  ].map(({ read, asked }): Case => ({
    what: `an estimate and its bill in a list that says how they were read: ${asked.join(' and ')}`,
    files: [
      {
        head: 'From,To,Read Type,kWh',
        lines: [
          `${JAN},Actual,4000`,
          `${FEB},Estimated,5000`,
          `${FEB},Actual,5300`,
          '2025-03-01,2025-03-31,Actual,6000',
        ],
        asks: ['column:read type', ...asked],
        answers: read,
      },
    ],
    total: 15_300,
  })),
  // Two meters, or every bill corrected: only the user knows.
  ...(
    [
      { rows: 1, by: '', answer: 'last', total: 990 },
      { rows: 2, by: '', answer: 'last', total: 6_290 },
      { rows: 3, by: '', answer: 'both', total: 14_130 },
      { rows: 3, by: '', answer: 'first', total: 6_850 },
      { rows: 1, by: 'Bill number,', answer: 'last', total: 990 },
    ] as const
  ).map(({ rows, by, answer, total }): Case => ({
    what: `${rows} months with two bills each and no meter ${by}${answer}`,
    files: [
      {
        head: `${by}From,To,kWh`,
        lines: [`${JAN},900`, `${JAN},990`, `${FEB},5000`, `${FEB},5300`, `${MAR},950`, `${MAR},990`]
          .slice(0, 2 * rows)
          .map((line, at) => (by === '' ? line : `B${at},${line}`)),
        asks: ['twoNumbers'],
        answers: { twoNumbers: answer },
      },
      ...(answer === 'both'
        ? [
            {
              head: 'From,To,kWh',
              lines: ['2025-04-01,2025-04-30,0.5', '2025-04-01,2025-04-30,0.25'],
              asks: [],
            },
          ]
        : []),
    ],
    total: total + (answer === 'both' ? 0.75 : 0),
  })),
  {
    what: 'two lines a month that a column of places tells apart',
    files: [
      {
        head: 'From,To,Area,kWh',
        lines: [`${JAN},Showroom,900`, `${JAN},Workshop,990`],
        asks: [],
      },
    ],
    total: 1_890,
  },
  {
    what: 'a credit in January of a first inventory that takes back none of its bills',
    files: [
      {
        head: 'From,To,kWh',
        lines: [`${JAN},4000`, `${JAN},-3900`],
        asks: ['credits', 'lastYear'],
        answers: { ...SUBTRACTED, lastYear: 'leave' },
      },
    ],
    total: 4_000,
  },
  {
    what: 'a credit and the new bill of December that both have the days of January',
    files: [
      {
        head: 'Bill number,From,To,kWh',
        lines: [`B1,${JAN},4000`, `C0,${JAN},-3900`, `B0,${JAN},3700`],
        asks: ['credits', 'lastYear', 'billedAgain:3', 'twoNumbers'],
        answers: { ...SUBTRACTED, twoNumbers: 'both', lastYear: 'leave', 'billedAgain:3': 'line4' },
      },
    ],
    total: 4_000,
  },
  {
    what: 'a small correction in January',
    files: [
      { head: 'From,To,kWh', lines: [`${JAN},4000`, `${JAN},-120`], asks: ['credits'], answers: SUBTRACTED },
    ],
    total: 3_880,
  },
  {
    what: 'a list that has an estimate and its bill for every month',
    files: [
      {
        head: 'From,To,Read Type,kWh',
        lines: [`${JAN},Estimated,4100`, `${JAN},Actual,4000`, `${FEB},Estimated,5000`, `${FEB},Actual,5300`],
        asks: ['column:read type', 'twoNumbers'],
        answers: { 'column:read type': 'all', ...LATEST },
      },
    ],
    total: 9_300,
  },
  {
    what: 'a credit for a bill of the year before, which the file bills again',
    files: [
      { head: 'From,To,kWh', lines: [`${JAN},4000`], asks: [] },
      {
        head: 'From,To,kWh',
        lines: [`${FEB},-3900`, '2024-12-01,2024-12-31,3500', `${FEB},4100`],
        asks: ['credits', 'lastYear'],
        answers: { ...SUBTRACTED, lastYear: 'leave' },
      },
    ],
    total: 8_100,
  },
  {
    what: 'one invoice with a line for each tier',
    files: [
      {
        head: 'Bill number,From,To,Tier,kWh',
        lines: [`B1,${JAN},1,500`, `B1,${JAN},2,300`, `B1,${JAN},3,90`],
        asks: [],
      },
    ],
    total: 890,
  },
  {
    what: 'a first list of months without numbers, with a month twice',
    files: [
      {
        head: 'Month,kWh',
        lines: ['2025-01,900', '2025-02,5000', '2025-02,5300', '2025-03,950'],
        asks: ['twoNumbers'],
        answers: LATEST,
      },
    ],
    total: 7_150,
  },
  {
    what: 'bills that are stored, their credit and one bill for both, in one list',
    files: [
      { lines: [B1, B2], asks: [] },
      {
        lines: [B1, B2, 'M1,C12,2025-01-01,2025-02-28,-2111', 'M1,A12,2025-01-01,2025-02-28,1990'],
        asks: ['credits'],
        answers: SUBTRACTED,
      },
    ],
    total: 1_990,
  },
  {
    what: 'a list of a year with a bill, its correction and one credit for both meters',
    files: [
      {
        lines: [...PAIR, ...PAIR_K, SUM, B2],
        asks: ['credits'],
        answers: SUBTRACTED,
      },
    ],
    total: 2_064,
  },
  {
    what: 'a growing list with a correction of both meters and one credit',
    files: [
      { lines: PAIR, asks: [] },
      {
        lines: [...PAIR, ...PAIR_K, SUM, B2],
        asks: ['credits'],
        answers: SUBTRACTED,
      },
    ],
    total: 2_064,
  },
  {
    what: 'a correction of both meters and one credit in a later file',
    files: [
      { lines: PAIR, asks: [] },
      { lines: [...PAIR_K, SUM, B2], asks: ['credits'], answers: SUBTRACTED },
    ],
    total: 2_064,
  },
  {
    what: 'a correction of one meter, and its credit without the meter',
    files: [
      { lines: PAIR, asks: [] },
      {
        lines: [`M1,B1K,${JAN},570`, `,C1,${JAN},-600`, B2],
        asks: ['credits'],
        answers: SUBTRACTED,
      },
    ],
    total: 2_081,
  },
  {
    what: 'a credit with the days of the next bill, and then the correction',
    files: [
      { lines: [B1], asks: [] },
      { lines: [`M1,C1,${FEB},-1037`], asks: ['credits'], answers: SUBTRACTED },
      { lines: [`M1,B1K,${JAN},990`, B2], asks: [] },
    ],
    total: 2_064,
  },
  {
    what: 'one credit for two bills with the day on which it was written, and then a correction',
    files: [
      { lines: [B1, B2], asks: [] },
      { lines: ['M1,C12,2025-03-12,2025-03-12,-2111'], asks: ['credits'], answers: SUBTRACTED },
      { lines: [`M1,B1K,${JAN},990`, 'M1,B3,2025-03-01,2025-03-31,1111'], asks: [] },
    ],
    total: 2_101,
  },
  {
    what: 'a credit for two bills, of which one after the other is billed again',
    files: [
      { lines: [B1, B2], asks: [] },
      { lines: ['M1,C12,2025-01-01,2025-02-28,-2111'], asks: ['credits'], answers: SUBTRACTED },
      { lines: [`M1,B1K,${JAN},990`], asks: [] },
      { lines: [`M1,B2K,${FEB},1000`], asks: [] },
    ],
    total: 1_990,
  },
  {
    what: 'estimates of months and the bill of the quarter in one list',
    files: [
      {
        lines: [`M1,E1,${JAN},300`, `M1,E2,${FEB},300`, 'M1,A1,2025-01-01,2025-02-28,530', `M2,B1,${JAN},70`],
        asks: ['contained'],
        answers: { contained: 'long' },
      },
    ],
    total: 600,
  },
  {
    what: 'the same in a list that grows',
    files: [
      { lines: [`M1,E1,${JAN},300`, `M1,E2,${FEB},300`], asks: [] },
      {
        lines: [`M1,E1,${JAN},300`, `M1,E2,${FEB},300`, 'M1,A1,2025-01-01,2025-02-28,530'],
        asks: ['overlaps'],
        answers: { overlaps: 'leave' },
      },
    ],
    total: 600,
  },
  {
    what: 'a correction and its difference in one file',
    files: [
      { lines: [B1], asks: [] },
      {
        lines: [`M1,B1K,${JAN},990`, `M1,A1,${JAN},-47`],
        asks: ['credits', 'overlap', 'leftCredit'],
        answers: { ...OF_LEFT, overlap: 'replace' },
      },
    ],
    total: 990,
  },
  {
    what: 'a growing list with a correction of both meters, and then one credit',
    files: [
      { lines: PAIR, asks: [] },
      { lines: [...PAIR, ...PAIR_K], asks: ['twoNumbers'], answers: LATEST },
      { lines: [...PAIR, ...PAIR_K, SUM, B2], asks: ['credits', 'leftCredit'], answers: OF_LEFT },
    ],
    total: 2_064,
  },
  {
    what: 'a rolling list whose credit is for bills that are no longer in it',
    files: [
      { lines: PAIR, asks: [] },
      { lines: [...PAIR, ...PAIR_K], asks: ['twoNumbers'], answers: LATEST },
      { lines: [...PAIR_K, SUM, B2], asks: ['credits', 'leftCredit'], answers: OF_LEFT },
    ],
    total: 2_064,
  },
  {
    what: 'one credit for two months that were corrected',
    files: [
      { lines: [B1, B2], asks: [] },
      {
        lines: [B1, B2, `M1,B1K,${JAN},990`, `M1,B2K,${FEB},1000`],
        asks: ['twoNumbers'],
        answers: LATEST,
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
    what: 'a credit in two lines for a bill that was replaced',
    files: [
      ...REPLACED,
      {
        lines: ['M1,C1,2025-01-01,2025-01-15,-500', 'M1,C1,2025-01-16,2025-01-31,-537', B2],
        asks: ['credits', 'leftCredit'],
        answers: OF_LEFT,
      },
    ],
    total: 2_064,
  },
  {
    what: 'the difference that a correction made, as a credit of its own',
    files: [...REPLACED, credited(`M1,A1,${JAN},-47`, OF_LEFT, 'leftCredit')],
    total: 2_064,
  },
  {
    what: 'a goodwill credit for a month that was corrected',
    files: [...REPLACED, credited(`M1,G1,${JAN},-50`, { ...SUBTRACTED, leftCredit: 'count' }, 'leftCredit')],
    total: 2_014,
  },
  {
    what: 'one credit for a bill that was replaced and one that counts, to be split',
    files: [
      { lines: [B1, B2], asks: [] },
      { lines: [`M1,B1K,${JAN},990`], asks: ['overlap'], answers: { overlap: 'replace' } },
      {
        lines: ['M1,C12,2025-01-01,2025-02-28,-2111', `M1,B2R,${FEB},1050`],
        asks: ['credits', 'leftCredit', 'overlap'],
        answers: { ...SUBTRACTED, leftCredit: 'part', overlap: 'both' },
      },
    ],
    total: 3_114,
  },
  {
    what: 'a goodwill credit for a month that was never corrected',
    files: [
      { lines: [B1], asks: [] },
      { lines: [`M1,G1,${JAN},-50`, B2], asks: ['credits'], answers: SUBTRACTED },
    ],
    total: 2_061,
  },
]

test('a credit for a bill that was deleted by hand is asked about, and one for a bill that was entered again is not', async () => {
  for (const { again, asks, total } of [
    { again: `M1,B1K,${JAN},990`, asks: ['credits', 'leftCredit'], total: 2_064 },
    { again: B1, asks: ['credits'], total: 1_074 },
  ]) {
    // oxlint-disable-next-line no-await-in-loop -- One inventory after the other.
    const one = await importWorld(forecourt, ford, admin)
    await one.bring(csv(HEAD, B1))
    const [first] = await one.records()
    await admin.call(activities.remove, { id: first?.id ?? '', version: first?.version ?? 0 })
    await one.bring(csv(HEAD, again), { deleted: 'import' })
    const { last } = await one.bring(csv(HEAD, C1, B2), OF_LEFT)
    expect(last.questions.map(({ id }) => id).toSorted()).toEqual(asks)
    const sum = (await one.records()).reduce((all, { quantity }) => all + Number(quantity), 0)
    expect(sum).toBe(total)
  }
})

test('estimates are deleted for one bill, as an answer says, and their credit follows', async () => {
  const one = await importWorld(forecourt, ford, admin)
  await one.bring(csv(HEAD, `M1,E1,${JAN},300`, `M1,E2,${FEB},300`))
  const bill = csv(HEAD, 'M1,A1,2025-01-01,2025-02-28,530')
  await one.bring(bill, { overlaps: 'later' })
  for (const { id, version } of await one.records()) {
    // oxlint-disable-next-line no-await-in-loop -- One record after the other.
    await admin.call(activities.remove, { id, version })
  }
  await one.bring(bill)
  const { last } = await one.bring(csv(HEAD, 'M1,EC,2025-01-01,2025-02-28,-600'), OF_LEFT)
  expect(last.questions.map(({ id }) => id).toSorted()).toEqual(['credits', 'leftCredit'])
  expect((await one.records()).map(({ quantity }) => Number(quantity))).toEqual([530])
})

test('a bill that someone deleted stays out with its credit', async () => {
  const one = await importWorld(forecourt, ford, admin)
  await one.bring(csv(HEAD, B1))
  const [first] = await one.records()
  await admin.call(activities.remove, { id: first?.id ?? '', version: first?.version ?? 0 })
  const answers = { ...OF_LEFT, deleted: 'leave', twoNumbers: 'last' }
  const { last } = await one.bring(csv(HEAD, B1, C1, `M1,B1K,${JAN},990`, B2), answers)
  expect(last.open).toBe(0)
  const sum = (await one.records()).reduce((all, { quantity }) => all + Number(quantity), 0)
  expect(sum).toBe(2_064)
})

test('a bill that someone deleted stays out of lists that grow, and one of an import that was undone comes back', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const B3 = 'M1,B3,2025-03-01,2025-03-31,1111'
  const { done } = await one.bring(csv(HEAD, B1, B2))
  const second = (await one.records()).find(({ quantity }) => Number(quantity) === 1_074)
  await admin.call(activities.remove, { id: second?.id ?? '', version: second?.version ?? 0 })
  for (const [lines, asks] of [
    [[B1, B2, B3], ['deleted']],
    [[B1, B2, B3, 'M1,B4,2025-04-01,2025-04-30,900'], []],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop -- One list after the other.
    const { first } = await one.bring(csv(HEAD, ...lines), { deleted: 'leave' })
    expect(first.questions.map(({ id }) => id)).toEqual(asks)
  }
  const sum = async () => (await one.records()).reduce((all, { quantity }) => all + Number(quantity), 0)
  expect(await sum()).toBe(3_048)
  await admin.call(activityImports.undo, { id: done.import?.id ?? '' })
  const { last } = await one.bring(csv(HEAD, B1))
  expect(last.questions).toEqual([])
  expect(await sum()).toBe(3_048)
})

const NUMBERED = 'Bill number,From,To,kWh'
const REPLACES = { overlap: 'replace' }

/** Lists with numbers of bills, and without the names of meters. */
const WITHOUT_METERS: readonly Case[] = [
  {
    what: 'no meter: a second number for the days of a bill',
    files: [
      { head: NUMBERED, lines: [`B1,${JAN},1037`], asks: [] },
      { head: NUMBERED, lines: [`B1K,${JAN},990`, `B2,${FEB},1074`], asks: ['overlap'], answers: REPLACES },
    ],
    total: 2_064,
  },
  {
    what: 'no meter: a correction in the list of its bill',
    files: [
      {
        head: NUMBERED,
        lines: [`B1,${JAN},1037`, `B1K,${JAN},990`, `B2,${FEB},1074`, 'B3,2025-03-01,2025-03-31,1111'],
        asks: ['twoNumbers'],
        answers: { twoNumbers: 'last' },
      },
    ],
    total: 3_175,
  },
  {
    what: 'no meter: two bills each month',
    files: [
      {
        head: NUMBERED,
        lines: [`A1,${JAN},500`, `D1,${JAN},600`, `A2,${FEB},510`, `D2,${FEB},610`],
        asks: ['twoNumbers'],
        answers: { twoNumbers: 'both' },
      },
      { head: NUMBERED, lines: ['A3,2025-03-01,2025-03-31,520', 'D3,2025-03-01,2025-03-31,620'], asks: [] },
      { head: NUMBERED, lines: ['A4,2025-04-01,2025-04-30,530'], asks: [] },
      { head: NUMBERED, lines: ['D4,2025-04-01,2025-04-30,630'], asks: [] },
    ],
    total: 4_520,
  },
  {
    what: 'no meter: a correction of one of two bills each month',
    files: [
      {
        head: NUMBERED,
        lines: [`A1,${JAN},1037`, `C1,${JAN},424`, `A2,${FEB},1074`, `C2,${FEB},437`],
        asks: [],
      },
      {
        head: NUMBERED,
        lines: [
          `A2K,${FEB},1001`,
          'A3,2025-03-01,2025-03-31,1111',
          'A3K,2025-03-01,2025-03-31,1090',
          'C3,2025-03-01,2025-03-31,450',
        ],
        asks: ['overlap', 'twoNumbers'],
        answers: { ...REPLACES, twoNumbers: 'last' },
      },
    ],
    total: 4_439,
  },
  {
    what: 'no meter: two deliveries of a day',
    source: 'cars',
    files: [
      {
        head: 'Ticket,Date,Gallons',
        lines: ['T1,2025-01-06,50', 'T2,2025-01-06,60'],
        asks: [],
        answers: { date: 'day' },
      },
      {
        head: 'Ticket,Date,Gallons',
        lines: ['T3,2025-01-06,70', 'T4,2025-01-13,40'],
        asks: [],
        answers: { date: 'day' },
      },
    ],
    total: 220,
  },
]

test.for([...LOOSE, ...WITHOUT_METERS])('$what', async (one) => {
  expect(await importFiles({ forecourt, ford, admin }, one)).toBe(one.total)
})
