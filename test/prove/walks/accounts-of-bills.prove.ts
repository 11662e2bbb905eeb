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
const YEAR = LAST.map((_, at) => at + 1)
const daysOf = (month: number) => {
  const start = `2025-${String(month).padStart(2, '0')}`
  return `${start}-01,${start}-${LAST[month - 1] ?? 30}`
}
const useOf = (month: number) => 10_000 + ((month * 3_771) % 4_900)
const sum = (months: readonly number[], use: (month: number) => number = useOf) =>
  months.reduce((all, month) => all + use(month), 0)

type World = Awaited<ReturnType<typeof importWorld>>
const total = async (one: World) =>
  (await one.records()).reduce((all, { quantity }) => all + Number(quantity), 0)

/** Imports a list, and answers what is asked about bills that may be there twice. @returns the open questions, by ID */
async function bring(one: World, file: string, answer: 'first' | 'last' | 'both') {
  const asked: string[] = []
  let read = await one.preview(file)
  for (let round = 0; round < 5; round += 1) {
    const open = read.questions.filter((question) => question.answer === null)
    if (open.length === 0) break
    const given = open.map(({ id, choices }) => {
      asked.push(id)
      const values = choices.map(({ value }) => value)
      if (id.startsWith('repeated')) return [id, answer === 'both' ? 'both' : 'once']
      const wanted = values.includes(answer) ? answer : undefined
      return [id, wanted ?? (answer === 'last' && values.includes('replace') ? 'replace' : 'leave')]
    })
    const answers = { ...read.mapping.answers, ...Object.fromEntries(given) }
    read = await one.preview(file, { mapping: { ...read.mapping, answers } })
  }
  expect(read.questions.filter((question) => question.answer === null)).toEqual([])
  await one.add(file, confirmed(read))
  return asked
}

type Company = 'delivery' | 'supply'
/** The cells that tell the two companies apart. */
type Shape = Readonly<{ head: string; delivery: string; supply: string; isNumbered?: boolean }>
const WITH: Readonly<Record<string, Shape>> = {
  'vendors and accounts': { head: 'Vendor,Account,', delivery: 'PECO,2600-114,', supply: 'NRG,NRG-48213,' },
  accounts: { head: 'Account,', delivery: '2600-114,', supply: 'NRG-48213,' },
  'accounts of one meter': {
    head: 'Meter,Account,',
    delivery: 'M-447190,2600-114,',
    supply: 'M-447190,NRG-48213,',
  },
  'accounts of one service point': {
    head: 'Service point,Vendor,Account,',
    delivery: 'SP-90021,PECO,2600-114,',
    supply: 'SP-90021,NRG,NRG-48213,',
  },
  'names of one meter': { head: 'Meter,', delivery: '2600-114,', supply: 'NRG-48213,' },
  rates: { head: 'Rate,', delivery: '0.06,', supply: '0.09,' },
  'rates without numbers': { head: 'Rate,', delivery: '0.06,', supply: '0.09,', isNumbered: false },
}
function lineOf({ isNumbered = true, ...shape }: Shape, company: Company, month: number, use: number) {
  const number = isNumbered ? `${company === 'delivery' ? 88_100 + month : 5_500 + month},` : ''
  return `${shape[company]}${number}${daysOf(month)},${use}`
}
const listOf = (shape: Shape, lines: readonly string[]) =>
  [`${shape.head}${shape.isNumbered === false ? '' : 'Invoice,'}From,To,kWh`, ...lines, ''].join('\n')
const both = (
  shape: Shape,
  months: readonly number[],
  supply: (use: number, month: number) => number | null,
) =>
  listOf(
    shape,
    months.flatMap((month) => {
      const its = supply(useOf(month), month)
      return [
        lineOf(shape, 'delivery', month, useOf(month)),
        ...(its === null ? [] : [lineOf(shape, 'supply', month, its)]),
      ]
    }),
  )

const OFF: readonly (readonly [
  what: string,
  months: readonly number[],
  supply: (use: number, month: number) => number | null,
])[] = [
  ['one month is rounded', [1, 2, 3, 4], (use, month) => use + Number(month === 3)],
  ['one month of a year is rounded', YEAR, (use, month) => use + Number(month === 12)],
  ['one month has 212 more', YEAR, (use, month) => use + (month === 5 ? 212 : 0)],
  ['one month of three has 212 more', [1, 2, 3], (use, month) => use + (month === 2 ? 212 : 0)],
  ['two months differ', YEAR, (use, month) => use - (month % 7 === 4 ? 333 : 0)],
  ['all months are rounded', YEAR, (use) => use + 1],
  ['the supplier starts in February', YEAR, (use, month) => (month === 1 ? null : use + Number(month === 6))],
  ['all are equal', YEAR, (use) => use],
]

test.for(
  Object.keys(WITH).flatMap((name) =>
    OFF.flatMap(([what, months, supply]) =>
      // Without accounts, only bills with the same use tell that two companies bill it.
      name.startsWith('rates') && what === 'all months are rounded' ? [] : [{ name, what, months, supply }],
    ),
  ),
)('bills of two companies ($name) are all asked about, and count once: $what', async (one) => {
  const shape = WITH[one.name]
  if (shape === undefined) throw new Error(one.name)
  const world = await importWorld(forecourt, ford, admin)
  expect(await bring(world, both(shape, one.months, one.supply), 'first')).not.toEqual([])
  expect(await total(world)).toBe(sum(one.months))
})

test.for(OFF.map(([what, months, supply]) => ({ what, months, supply })))(
  'a list of the supplier after that of the company that delivers is asked about whole: $what',
  async ({ months, supply }) => {
    const shape = WITH['vendors and accounts']
    if (shape === undefined) throw new Error('shape')
    const world = await importWorld(forecourt, ford, admin)
    const listFrom = (company: Company) =>
      listOf(
        shape,
        months.flatMap((month) => {
          const use = company === 'delivery' ? useOf(month) : supply(useOf(month), month)
          return use === null ? [] : [lineOf(shape, company, month, use)]
        }),
      )
    expect(await bring(world, listFrom('delivery'), 'first')).toEqual([])
    expect(await bring(world, listFrom('supply'), 'first')).not.toEqual([])
    expect(await total(world)).toBe(sum(months))
  },
)

test('bills of two companies are asked about if one of them counts from another day on', async () => {
  const world = await importWorld(forecourt, ford, admin)
  const lines = [1, 2, 3, 4].flatMap((month) => [
    `2600-114,88${month},2025-0${month}-01,2025-0${month}-28,${useOf(month)}`,
    `NRG-48213,55${month},2025-0${month}-02,2025-0${month}-28,${useOf(month) + (month === 2 ? 150 : 0)}`,
  ])
  const file = ['Account,Invoice,From,To,kWh', ...lines, ''].join('\n')
  expect(await bring(world, file, 'first')).toContain('twoNumbers')
  expect(await total(world)).toBe(sum([1, 2, 3, 4]))
})

test('a correction of one of two companies is asked about with the bills of both', async () => {
  const shape = WITH['vendors and accounts']
  if (shape === undefined) throw new Error('shape')
  const world = await importWorld(forecourt, ford, admin)
  const file = listOf(
    shape,
    [1, 2, 3, 4].flatMap((month) => [
      lineOf(shape, 'delivery', month, useOf(month)),
      lineOf(shape, 'supply', month, useOf(month)),
      ...(month === 3 ? [`NRG,NRG-48213,5599,${daysOf(3)},${useOf(3) - 200}`] : []),
    ]),
  )
  expect(await bring(world, file, 'first')).toContain('twoNumbers')
  expect(await total(world)).toBe(sum([1, 2, 3, 4]))
})

test.for([
  ['three months', [4, 5, 6], (use: number) => Math.round(use * 0.95)],
  ['every month', YEAR, (use: number) => Math.round(use * 0.93)],
  ['one month', [7], (use: number) => use - 800],
] as const)(
  'a correction under another account of the same meter is asked about: %s',
  async ([, months, corrected]) => {
    const world = await importWorld(forecourt, ford, admin)
    const lines = YEAR.flatMap((month) => [
      `Z-187120,A-77001,${9_000 + month},${daysOf(month)},${useOf(month)}`,
      ...(months.some((one) => one === month)
        ? [`Z-187120,B-90335,${9_500 + month},${daysOf(month)},${corrected(useOf(month))}`]
        : []),
    ])
    const file = ['Meter,Account,Invoice,From,To,kWh', ...lines, ''].join('\n')
    expect(await bring(world, file, 'last')).toContain('twoNumbers')
    const isCorrected = (month: number) => months.some((one) => one === month)
    expect(await total(world)).toBe(
      sum(YEAR, (month) => (isCorrected(month) ? corrected(useOf(month)) : useOf(month))),
    )
  },
)

test('a growing list with two companies asks only about its new bills', async () => {
  const shape = WITH['vendors and accounts']
  if (shape === undefined) throw new Error('shape')
  for (const answer of ['first', 'both'] as const) {
    const world = await importWorld(forecourt, ford, admin)
    for (const month of [1, 2, 3, 4]) {
      const file = both(shape, YEAR.slice(0, month), (use) => use)
      const read = await world.preview(file)
      expect(read.questions.find(({ id }) => id === 'twoNumbers')?.lines).toBe(1)
      expect(await bring(world, file, answer)).toEqual(['twoNumbers'])
    }
    const again = await world.preview(both(shape, [1, 2, 3, 4], (use) => use))
    expect(again.questions.filter((question) => question.answer === null)).toEqual([])
    expect(await total(world)).toBe(sum([1, 2, 3, 4]) * (answer === 'both' ? 2 : 1))
  }
})

const other = (month: number) => 9_000 + ((month * 2_113) % 5_200)
test.for<[what: string, head: string, linesOf: (month: number) => readonly string[]]>([
  [
    'two accounts',
    'Account,Invoice,From,To,kWh',
    (month) => [
      `A-1001,${100 + month},${daysOf(month)},${useOf(month)}`,
      `B-2002,${500 + month},${daysOf(month)},${other(month)}`,
    ],
  ],
  [
    'two accounts with one equal month',
    'Vendor,Account,Invoice,From,To,kWh',
    (month) => [
      `PECO,A-1001,${100 + month},${daysOf(month)},${useOf(month)}`,
      `NRG,B-2002,${500 + month},${daysOf(month)},${month === 4 ? useOf(4) : other(month)}`,
    ],
  ],
  [
    'small uses in summer',
    'Vendor,Account,Invoice,From,To,kWh',
    (month) => {
      const isSmall = month > 3 && month < 11
      return [
        `PECO,A-1001,${100 + month},${daysOf(month)},${isSmall ? 3 + (month % 2) : useOf(month)}`,
        `NRG,B-2002,${500 + month},${daysOf(month)},${isSmall ? 3 + (month % 2) : other(month)}`,
      ]
    },
  ],
  [
    'meters of two accounts with the same short names',
    'Meter,Account,Invoice,From,To,kWh',
    (month) => [
      `1,A-1001,${100 + month},${daysOf(month)},${useOf(month)}`,
      `1,B-2002,${500 + month},${daysOf(month)},${other(month)}`,
    ],
  ],
  [
    'lamps of two accounts',
    'Account,Invoice,From,To,kWh',
    (month) => [`A-1001,${100 + month},${daysOf(month)},350`, `B-2002,${500 + month},${daysOf(month)},350`],
  ],
  [
    'registers of a meter',
    'Meter,Register,Invoice,From,To,kWh',
    (month) => [
      `Z-187120,1.8.1,${100 + month},${daysOf(month)},${useOf(month)}`,
      `Z-187120,1.8.2,${500 + month},${daysOf(month)},${other(month)}`,
    ],
  ],
])('bills of two uses are not asked about: %s', async ([, head, linesOf]) => {
  const world = await importWorld(forecourt, ford, admin)
  const file = [head, ...YEAR.flatMap(linesOf), ''].join('\n')
  const questions = (await world.preview(file)).questions.filter((question) => question.answer === null)
  expect(questions.map(({ id }) => id)).toEqual([])
})

/** Month by month: what one company rounded, estimated or read otherwise, in shares of the use. */
test.for([0.0001, 0.00024, 0.0006, 0.0009, 0.0018])(
  'bills of two companies that come month by month are asked about if they differ by a share of %s',
  async (share) => {
    const one = await importWorld(forecourt, ford, admin)
    const shape = WITH['vendors and accounts']
    if (shape === undefined) throw new Error('There is no such list.')
    const off = (month: number) => useOf(month) + (month === 4 ? Math.ceil(useOf(4) * share) : 0)
    for (const month of [1, 2, 3, 4, 5]) {
      const lines = [
        `${shape.delivery}88${month},${daysOf(month)},${useOf(month)}`,
        `${shape.supply}55${month},${daysOf(month)},${off(month)}`,
      ]
      // oxlint-disable-next-line no-await-in-loop -- One file after another.
      expect(
        await bring(one, [`${shape.head}Invoice,From,To,kWh`, ...lines, ''].join('\n'), 'first'),
      ).not.toEqual([])
    }
    expect(await total(one)).toBe(sum([1, 2, 3, 4, 5]))
  },
)

test('two accounts of other uses that come month by month ask nothing', async () => {
  const one = await importWorld(forecourt, ford, admin)
  for (const month of YEAR) {
    const lines = [
      `PECO,2600-114,88${month},${daysOf(month)},${useOf(month)}`,
      `PECO,2600-115,89${month},${daysOf(month)},${Math.round(useOf(month) * (0.31 + month / 100))}`,
    ]
    // oxlint-disable-next-line no-await-in-loop -- One file after another.
    expect(
      await bring(one, ['Vendor,Account,Invoice,From,To,kWh', ...lines, ''].join('\n'), 'first'),
    ).toEqual([])
  }
})
