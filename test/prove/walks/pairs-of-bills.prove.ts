import { activityImports } from '#contract/carbon/activity/activity-imports.ts'
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

const LAST = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const daysOf = (month: number) => {
  const start = `2025-${String(month).padStart(2, '0')}`
  return `${start}-01,${start}-${LAST[month - 1] ?? 30}`
}
const useOf = (month: number) => 5_000 + ((month * 377) % 900)

type Shape = Readonly<{
  column: string
  words: readonly [string, string]
  months: readonly number[]
  isNumbered: boolean
  account?: boolean
  /** The use of the second line. */
  second: (use: number) => number
}>
/** A list of a year, with a second line for some months that differs in one column of words. */
function listOf({ column, words, months, isNumbered, account = false, second }: Shape): string {
  const head = [
    isNumbered ? 'Bill no' : null,
    account ? 'Account' : null,
    'From',
    'To',
    'kWh',
    'Cost',
    column,
  ]
  let number = 700
  const line = (month: number, use: number, word: string) => {
    number += 3
    const cells = [isNumbered ? `B${number}` : null, account ? 'A-4711' : null, daysOf(month), use]
    return [...cells, (use * 0.13).toFixed(2), word].filter((cell) => cell !== null).join(',')
  }
  const lines = LAST.flatMap((_, at) => {
    const month = at + 1
    const own = line(month, useOf(month), words[0])
    return months.includes(month) ? [own, line(month, second(useOf(month)), words[1])] : [own]
  })
  return [head.filter((cell) => cell !== null).join(','), ...lines, ''].join('\n')
}
const sum = (months: readonly number[], use: (month: number) => number) =>
  months.reduce((all, month) => all + use(month), 0)
const YEAR = LAST.map((_, at) => at + 1)
const corrected = (use: number) => Math.round(use * 0.955)
const total = async (one: Awaited<ReturnType<typeof importWorld>>) =>
  (await one.records()).reduce((all, { quantity }) => all + Number(quantity), 0)

/** Imports a list; words that are asked about beside the pairs name ordinary bills. @returns what was asked */
async function bring(one: Awaited<ReturnType<typeof importWorld>>, file: string, pairs: string) {
  const asked = new Set<string>()
  let read = await one.preview(file)
  for (let round = 0; round < 5; round += 1) {
    const open = read.questions.filter(({ answer }) => answer === null)
    if (open.length === 0) break
    for (const { id } of open) asked.add(id)
    const given = open.map(({ id, choices }) => {
      const ordinary = choices.find(({ label }) => /^A bill|^Yes/.test(label))
      return [id, id === 'twoNumbers' ? pairs : ((ordinary ?? choices[0])?.value ?? '')]
    })
    const answers = { ...read.mapping.answers, ...Object.fromEntries(given) }
    read = await one.preview(file, { mapping: { ...read.mapping, answers } })
  }
  await one.add(file, confirmed(read))
  return [...asked]
}

const COLUMNS: readonly (readonly [column: string, first: string, second: string])[] = [
  ['Status', 'Issued', 'Reissued'],
  ['Payment state', 'Paid', 'Open'],
  ['Bill state', 'First', 'Second'],
  ['Reading', 'Customer', 'Utility'],
  ['Source', 'Portal', 'Email'],
  ['Entered by', 'Anna', 'Berta'],
  ['Vendor', 'PECO', 'Constellation'],
  ['Condition', 'Old', 'New'],
]
const RUNS = [
  [4, 5, 6],
  [3, 4, 5, 6],
  [1, 2, 3],
  [10, 11, 12],
  [2, 5, 8],
  [2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
  YEAR,
]

test.for(
  COLUMNS.flatMap(([column, ...words]) =>
    RUNS.flatMap((months) =>
      [true, false].map((isNumbered) => ({ column, words, months, isNumbered, second: corrected })),
    ),
  ),
)(
  'corrections of $months that differ in $column ($isNumbered) are all asked about at once',
  async (shape) => {
    const one = await importWorld(forecourt, ford, admin)
    expect(await bring(one, listOf(shape), 'last')).toContain('twoNumbers')
    const { months } = shape
    expect(await total(one)).toBe(
      sum(YEAR, (month) => (months.includes(month) ? corrected(useOf(month)) : useOf(month))),
    )
  },
)

test.for(
  [
    ['Supplier', 'PECO', 'Direct Energy'],
    ['Provider', 'ConEdison', 'Constellation'],
    ['Company', 'Eversource', 'Engie'],
    ['Component', 'Energy', 'Transport'],
    ['Payment state', 'Open', 'Paid'],
  ].flatMap(([column = '', one = '', other = '']) =>
    [YEAR, [1, 2, 3], [4]].flatMap((months) =>
      [true, false].map((account) => ({ column, words: [one, other] as const, months, account })),
    ),
  ),
)('the same use twice, which differs in $column (account: $account, $months), counts once', async (shape) => {
  const one = await importWorld(forecourt, ford, admin)
  const file = listOf({ ...shape, isNumbered: true, second: (use) => use })
  expect(await bring(one, file, 'first')).toContain('twoNumbers')
  expect(await total(one)).toBe(sum(YEAR, useOf))
})

/** A list of a year or a part of it, with two lines for each month. */
const pairs = (
  head: string,
  months: readonly number[],
  linesOf: (days: string, use: number, at: number) => readonly [string, string],
) => [head, ...months.flatMap((month, at) => linesOf(daysOf(month), useOf(month), at)), ''].join('\n')
const far = (use: number) => Math.round(use * 0.42)

test.for<[what: string, file: string, answer: 'first' | 'last', expected: number]>([
  ...(['Account number', 'Meter', 'MPRN', 'Zählernummer'] as const).flatMap(
    (name): [string, string, 'last', number][] => [
      [
        `${name}, every month corrected`,
        pairs(`${name},Invoice,From,To,kWh,Status`, [1, 2, 3, 4], (days, use, at) => [
          `44-1,I${at},${days},${use},Issued`,
          `44-1,K${at},${days},${corrected(use)},Corrected`,
        ]),
        'last',
        sum([1, 2, 3, 4], (month) => corrected(useOf(month))),
      ],
    ],
  ),
  ...(['Rate', 'Rate per kWh', 'Unit rate', 'Tariff', 'Rate code'] as const).flatMap(
    (name): [string, string, 'last', number][] => [
      [
        `another ${name}`,
        pairs(`Invoice,From,To,kWh,${name},Total,Status`, [1, 2, 3, 4], (days, use, at) => {
          const rates = name === 'Rate code' ? ['E-19', 'E-20'] : ['0.1312', '0.1288']
          return [
            `I${at},${days},${use},${rates[0]},${use},Issued`,
            `K${at},${days},${corrected(use)},${rates[1]},${use},Corrected`,
          ]
        }),
        'last',
        sum([1, 2, 3, 4], (month) => corrected(useOf(month))),
      ],
    ],
  ),
  ...[[1], [1, 2, 3], YEAR].map((months): [string, string, 'first', number] => [
    `two accounts with the same use in ${months.length} months`,
    pairs('Account,Bill no,Company,From,To,kWh,Total', months, (days, use, at) => [
      `77-4410-2,E${at},Eversource,${days},${use},744`,
      `NRG-88213,N${at},NRG,${days},${use},1116`,
    ]),
    'first',
    sum(months, useOf),
  ]),
  [
    'line items',
    pairs('Invoice,Line item,From,To,kWh', [1, 2, 3], (days, use, at) => [
      `I${at},Distribution,${days},${use}`,
      `K${at},Commodity,${days},${use}`,
    ]),
    'first',
    sum([1, 2, 3], useOf),
  ],
  [
    'the same use with two rates',
    pairs('Invoice,Company,From,To,kWh,Rate', [1, 2, 3], (days, use, at) => [
      `I${at},PECO,${days},${use},0.06`,
      `K${at},NRG,${days},${use},0.09`,
    ]),
    'first',
    sum([1, 2, 3], useOf),
  ],
])('a bill that is there twice counts once: %s', async ([, file, answer, expected]) => {
  const one = await importWorld(forecourt, ford, admin)
  expect(await bring(one, file, answer)).toContain('twoNumbers')
  expect(await total(one)).toBe(expected)
})

test.for<[what: string, file: string]>([
  [
    'prices of day and night',
    pairs('Invoice,From,To,kWh,Rate', YEAR, (days, use, at) => [
      `I${at},${days},${use},0.21`,
      `K${at},${days},${corrected(use)},0.09`,
    ]),
  ],
  [
    'an account with two unlike bills every month',
    pairs('Account,Invoice,From,To,kWh', YEAR, (days, use, at) => [
      `44-1,I${at},${days},${use}`,
      `44-1,K${at},${days},${far(use)}`,
    ]),
  ],
  [
    'two meters that always use the same',
    pairs('Meter,Bill,From,To,kWh', YEAR, (days, _use, at) => [
      `L1,I${at},${days},350`,
      `L2,K${at},${days},350`,
    ]),
  ],
  ...['Suite', 'Panel', 'Bldg', 'Service ID', 'Cost center', 'Circuit'].map((name): [string, string] => [
    name,
    pairs(`Bill,${name},From,To,kWh`, YEAR, (days, use, at) => [
      `I${at},101,${days},${use}`,
      `K${at},102,${days},${corrected(use)}`,
    ]),
  ]),
])('bills of several meters or tariffs count without a question about pairs: %s', async ([, file]) => {
  const one = await importWorld(forecourt, ford, admin)
  expect(await bring(one, file, 'last')).not.toContain('twoNumbers')
})

test.for([
  ['Time of use', 'On-Peak', 'Off-Peak'],
  ['Part', 'Peak', 'Off-Peak'],
  ['Kind', 'HT', 'NT'],
  ['Building', 'Showroom', 'Workshop'],
  ['Location', 'North', 'South'],
] as const)('tariffs and places in %s count without a question about pairs', async ([column, ...words]) => {
  const one = await importWorld(forecourt, ford, admin)
  const file = listOf({ column, words, months: YEAR, isNumbered: true, second: corrected })
  expect(await bring(one, file, 'last')).not.toContain('twoNumbers')
})

test.for([
  ['Electric,Gas', 'Bill total'],
  ['Electricity,Gas', 'Total Cost'],
  ['Elec,Gas', 'Cost'],
  ['Electric Usage,Gas Usage', 'Cost'],
  ['Electricity kWh,Gas kWh', 'Cost'],
] as const)('one cost beside %s (%s) is of none of them', async ([uses, cost]) => {
  const one = await importWorld(forecourt, ford, admin)
  const power = await one.addSource({
    activity: 'electricity/grid',
    scope: '2',
    unit: 'kWh',
    facilityId: await one.addFacility({ gridRegion: 'CAMX' }),
  })
  const lines = [1, 2, 3].map((month) => `${daysOf(month)},${useOf(month)},${300 - month},1200.10`)
  const file = [`From,To,${uses},${cost}`, ...lines, ''].join('\n')
  for (const [at, sourceId] of [power, one.gas].entries()) {
    const { columns } = (await one.preview(file, { sourceId })).mapping
    expect(columns.cost ?? null).toBeNull()
    expect(columns.quantity === 2 + at || !uses.includes('kWh')).toBe(true)
  }
})

test('a list that grows asks once about a credit and the new bill beside it, whatever that is called', async () => {
  for (const word of ['Rebill', 'Corrected invoice', 'Reissued', 'Adjustment']) {
    const one = await importWorld(forecourt, ford, admin)
    const lines = [1, 2, 3].map((month) => `B${month},${daysOf(month)},${useOf(month)},Bill`)
    const grow = [
      [...lines, `C2,${daysOf(2)},-${useOf(2)},Credit`, `R2,${daysOf(2)},${useOf(2) - 444},${word}`],
    ]
    grow.push([...(grow[0] ?? []), `B4,${daysOf(4)},${useOf(4)},Bill`])
    const asked: string[][] = []
    for (const all of [lines, ...grow])
      asked.push(await bring(one, ['Bill no,From,To,kWh,Type', ...all, ''].join('\n'), 'last'))
    expect(asked[0]).toEqual([])
    expect(asked[1]?.filter((id) => /^(again|product)/.test(id))).toEqual([])
    expect(asked[1]?.length).toBeLessThanOrEqual(2)
    expect(asked[2]).toEqual([])
    expect(await total(one)).toBe(sum([1, 2, 3, 4], useOf) - 444)
  }
})

test('an undo names the later import that changed a bill, and past imports name what they are of', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const file = (use: number) => `From,To,kWh,Bill\n${daysOf(1)},${use},B-1\n`
  const { done } = await one.bring(file(1_500))
  await one.bring(file(1_600), { replace: 'replace' }, { file: 'corrected.csv' })
  const { inventoryId } = one
  const [last] = await admin.call(activityImports.list, { inventoryId })
  expect(last).toMatchObject({
    fileName: 'corrected.csv',
    sourceCount: 1,
    sources: [{ sourceType: 'electricity' }],
  })
  const undone = await admin.call(activityImports.undo, { id: done.import?.id ?? '' })
  expect(undone).toMatchObject({
    deleted: 0,
    kept: [{ message: 'The import of corrected.csv has changed it since. Undo that one first.' }],
  })
})
