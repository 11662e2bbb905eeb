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

/** The lists of two companies, month by month: each with its own lines, growing, or one for each company. */
const WAYS = ['month by month', 'growing', 'by company'] as const
async function follow(
  one: World,
  {
    way,
    pairs,
    step = 1,
    head = 'Account,Company,Invoice,From,To,kWh',
    shape = ['2600-114,PECO,', 'NRG-48213,NRG,'],
  }: {
    way: (typeof WAYS)[number]
    pairs: readonly (readonly [delivery: number, supply: number | null])[]
    step?: number
    head?: string
    shape?: readonly [string, string]
  },
  answer: 'first' | 'both' = 'first',
) {
  const asked: string[][] = []
  const linesOf = ([delivery, supply]: (typeof pairs)[number], at: number) => [
    `${shape[0]}${88_100 + at},${daysOf(at + 1)},${delivery}`,
    ...(supply === null ? [] : [`${shape[1]}${5_500 + at},${daysOf(at + 1)},${supply}`]),
  ]
  const months = pairs.map(linesOf)
  for (let at = 0; at < months.length; at += step) {
    const own = months.slice(way === 'growing' ? 0 : at, at + step).flat()
    const lists = way === 'by company' ? own.map((line) => [line]) : [own]
    for (const lines of lists)
      // oxlint-disable-next-line no-await-in-loop -- One file after another.
      asked.push(await bring(one, [head, ...lines, ''].join('\n'), answer))
  }
  return asked
}
const ofDelivery = (pairs: readonly (readonly [number, number | null])[]) =>
  pairs.reduce((all, [delivery]) => all + delivery, 0)

test.for(WAYS.flatMap((way) => [0.003, 0.01, 0.09].map((share) => ({ way, share }))))(
  'accounts that were said to have one use are asked about again, $way, if a later month differs by a share of $share',
  async ({ way, share }) => {
    const pairs = [1, 2, 3, 4, 5].map((month) => {
      const use = useOf(month)
      return [use, month === 3 ? Math.round(use * (1 + share)) : use] as const
    })
    const accounts = { head: 'Account,Invoice,From,To,kWh', shape: ['2600-114,', 'NRG-48213,'] as const }
    const one = await importWorld(forecourt, ford, admin)
    const asked = await follow(one, { way, pairs, ...(share === 0.01 ? accounts : {}) })
    expect(asked.filter((ids) => ids.length > 0)).toHaveLength(5)
    expect(await total(one)).toBe(ofDelivery(pairs))
  },
)

test('small uses that differ a little are asked about, and so is a supplier that starts later or lists first', async () => {
  for (const pairs of [
    [
      [800, 800],
      [700, 700],
      [900, 903],
    ],
    [
      [9_100, null],
      [8_300, null],
      [10_000, 10_000],
      [8_700, 8_700],
      [11_000, 11_220],
    ],
  ] as const) {
    for (const way of WAYS) {
      // oxlint-disable-next-line no-await-in-loop -- One history after another.
      const one = await importWorld(forecourt, ford, admin)
      // oxlint-disable-next-line no-await-in-loop -- One history after another.
      await follow(one, { way, pairs })
      // oxlint-disable-next-line no-await-in-loop -- One history after another.
      expect({ way, total: await total(one) }).toEqual({ way, total: ofDelivery(pairs) })
    }
  }
})

test.for<[what: string, step: number, pairs: readonly (readonly [number, number | null])[]]>([
  [
    'two months, one of them equal',
    2,
    [
      [6_325, 6_325],
      [16_579, 16_910],
    ],
  ],
  [
    'two months of each file',
    2,
    [
      [6_636, 6_636],
      [14_065, 14_065],
      [12_605, 12_605],
      [7_698, 7_698],
      [9_900, 9_999],
      [5_992, 5_992],
    ],
  ],
  [
    'two months that differ',
    2,
    [
      [6_636, 6_636],
      [14_065, 14_065],
      [12_605, 12_605],
      [14_545, 14_690],
      [9_900, 9_999],
      [5_992, 5_992],
    ],
  ],
  [
    'quarters, of which two months differ',
    3,
    [
      [9_000, 9_000],
      [8_000, 8_000],
      [9_100, 9_100],
      [8_200, 8_282],
      [7_900, 7_979],
      [8_800, 8_800],
    ],
  ],
  [
    'the first month differs by 1%',
    1,
    [
      [9_000, 9_090],
      [12_000, 12_000],
      [10_000, 10_000],
    ],
  ],
  [
    'every month differs by half a percent',
    1,
    [
      [9_000, 9_045],
      [12_000, 12_060],
      [10_000, 9_950],
      [11_000, 11_055],
    ],
  ],
  ...[1.013, 1.03, 1.05].map((share): [string, number, (readonly [number, number])[]] => [
    `every month differs by a share of ${share}`,
    12,
    YEAR.map((month) => [useOf(month), Math.round(useOf(month) * share)] as const),
  ]),
  [
    'every month of a year',
    12,
    YEAR.map((month) => [useOf(month), Math.round(useOf(month) * (1.005 + (month % 6) / 1_000))] as const),
  ],
])('bills of two accounts that are near are asked about: %s', async ([, step, pairs]) => {
  for (const way of ['month by month', 'growing'] as const) {
    const one = await importWorld(forecourt, ford, admin)
    const asked = await follow(one, { way, pairs, step })
    expect(asked.every((ids) => ids.includes('twoNumbers'))).toBe(true)
    expect(await total(one)).toBe(ofDelivery(pairs))
  }
})

test('one month of two accounts with the same or nearly the same use is asked about, and both count if the user says so', async () => {
  for (const off of [0, 60]) {
    const one = await importWorld(forecourt, ford, admin)
    const pairs = YEAR.map((month) => [useOf(month), month === 4 ? useOf(4) + off : other(month)] as const)
    expect(await follow(one, { way: 'growing', pairs, step: 12 }, 'both')).toEqual([['twoNumbers']])
    expect(await total(one)).toBe(
      sum(YEAR) + sum(YEAR, (month) => (month === 4 ? useOf(4) + off : other(month))),
    )
  }
})
