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
const total = async (one: World) =>
  (await one.records()).reduce((all, { quantity }) => all + Number(quantity), 0)

/** Imports a list: what a line calls itself is a bill, and `pair` is the answer about two bills. @returns the questions */
async function bring(
  one: World,
  file: string,
  { sourceId, pair, date = 'day' }: { sourceId: string; pair: 'last' | 'first' | 'both'; date?: string },
) {
  const asked: string[] = []
  let read = await one.preview(file, { sourceId })
  const answerOf = (id: string, values: readonly string[]) => {
    if (id === 'date') return date
    if (id === 'overlap' && pair === 'last') return 'replace'
    return [pair, 'count', 'all', 'once'].find((value) => values.includes(value)) ?? values[0] ?? ''
  }
  for (let round = 0; round < 6; round += 1) {
    const isAsked = ({ id, answer }: (typeof read.questions)[number]) =>
      answer === null || (id === 'date' && answer !== date)
    const open = read.questions.filter(isAsked)
    if (open.length === 0) break
    const given = open.map(({ id, choices }) => [
      id,
      answerOf(
        id,
        choices.map(({ value }) => value),
      ),
    ])
    asked.push(...open.map(({ id }) => id))
    const answers = { ...read.mapping.answers, ...Object.fromEntries(given) }
    read = await one.preview(file, { sourceId, mapping: { ...read.mapping, answers } })
  }
  expect(read.questions.filter(({ answer }) => answer === null)).toEqual([])
  await one.add(file, confirmed(read), { sourceId })
  return asked
}

const MONTHS = [1, 2, 3, 4, 5, 6]
const dayOf = (month: number) => `2025-${String(month).padStart(2, '0')}-14`
const gallonsOf = (month: number) => 380 + ((month * 137) % 90)
type Line = Readonly<{ number: string; month: number; use: number; word: string }>
const issued = (month: number): Line => ({
  number: `${5_100 + month}`,
  month,
  use: gallonsOf(month),
  word: 'Issued',
})
const correction = (month: number, word: string, use = gallonsOf(month) - 45): Line => ({
  number: `${7_400 + month * 3}`,
  month,
  use,
  word,
})
const tickets = (lines: readonly Line[], { tank = '', heading = 'Status' } = {}) =>
  [
    `${tank === '' ? '' : 'Tank,'}Ticket,Delivery date,Gallons,${heading}`,
    ...lines.map(
      ({ number, month, use, word }) =>
        `${tank === '' ? '' : `${tank},`}${number},${dayOf(month)},${use},${word}`,
    ),
    '',
  ].join('\n')

const WORDS = [
  ['Status', 'Corrected'],
  ['State', 'Revised'],
  ['Doc type', 'Corrected invoice'],
  ['Status', 'Adjusted'],
] as const
const CORRECTED = [[2], [2, 5], MONTHS] as const
const without = (months: readonly number[], use = (month: number) => gallonsOf(month) - 45) =>
  MONTHS.reduce((all, month) => all + (months.includes(month) ? use(month) : gallonsOf(month)), 0)

test.for(
  WORDS.flatMap(([heading, word]) =>
    CORRECTED.flatMap((months) =>
      (['beside', 'end'] as const).map((where) => ({ heading, word, months, where })),
    ),
  ),
)(
  'a delivery that says that it corrects another is asked about with that of its day: $heading $word of $months ($where)',
  async ({ heading, word, months, where }) => {
    const one = await importWorld(forecourt, ford, admin)
    const its = months.map((month) => correction(month, word))
    const lines =
      where === 'end'
        ? [...MONTHS.map(issued), ...its]
        : MONTHS.flatMap((month) => [issued(month), ...its.filter((line) => line.month === month)])
    const asked = await bring(one, tickets(lines, { heading }), { sourceId: one.cars, pair: 'last' })
    expect(asked).toContain('twoNumbers')
    expect(await total(one)).toBe(without(months))
  },
)

test('a corrected delivery with the same gallons, of a tank, by its number, or in a later list is asked about', async () => {
  const lists: (readonly (readonly Line[])[])[] = [
    [[...MONTHS.map(issued), correction(3, 'Corrected', gallonsOf(3))]],
    [MONTHS.map(issued), [correction(3, 'Corrected', gallonsOf(3)), issued(6)]],
    [[...MONTHS.map(issued), { ...correction(3, 'Issued', gallonsOf(3)), number: '5103C' }]],
  ]
  for (const [at, files] of lists.entries()) {
    for (const tank of ['', 'T-203']) {
      const one = await importWorld(forecourt, ford, admin)
      const asked: string[] = []
      for (const lines of files)
        asked.push(...(await bring(one, tickets(lines, { tank }), { sourceId: one.cars, pair: 'last' })))
      expect({ at, tank, asked }).toMatchObject({
        asked: expect.arrayContaining([at === 1 ? 'overlap' : 'twoNumbers']),
      })
      expect(await total(one)).toBe(without([]))
    }
  }
})

test('a corrected delivery is not asked about with that of another tank, and deliveries of a day count', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const lines = MONTHS.map((month) => `T-1,${5_100 + month},${dayOf(month)},${gallonsOf(month)},Issued`)
  const file = [
    'Tank,Ticket,Delivery date,Gallons,Status',
    ...lines,
    `T-2,7409,${dayOf(3)},405,Corrected`,
    '',
  ].join('\n')
  expect(await bring(one, file, { sourceId: one.cars, pair: 'last' })).toEqual(['word:corrected'])
  expect(await total(one)).toBe(without([]) + 405)
  const two = await importWorld(forecourt, ford, admin)
  const twice = [...MONTHS.map(issued), ...MONTHS.map((month) => correction(month, 'Issued'))]
  expect(await bring(two, tickets(twice), { sourceId: two.cars, pair: 'last' })).toEqual([])
  expect(await total(two)).toBe(2 * without([]) - 6 * 45)
})

const DATES = [
  ['Bill date', 'end'],
  ['Bill date', 'month'],
  ['Meter read date', 'read'],
] as const
test.for(
  DATES.flatMap(([heading, date]) =>
    [true, false].flatMap((hasWord) =>
      [[3], [3, 4], [2, 3, 4, 5, 6]].map((months) => ({ heading, date, hasWord, months })),
    ),
  ),
)(
  'a correction in a list with one date is asked about: $heading as $date ($hasWord), $months',
  async ({ heading, date, hasWord, months }) => {
    const one = await importWorld(forecourt, ford, admin)
    const kWh = (month: number) => 10 * gallonsOf(month)
    const line = (number: number, month: number, use: number, word: string) =>
      [number, dayOf(month), use, (use * 0.13).toFixed(2), ...(hasWord ? [word] : [])].join(',')
    const lines = MONTHS.flatMap((month) => [
      line(100 + month, month, kWh(month), 'Issued'),
      ...(months.includes(month) ? [line(200 + month, month, kWh(month) - 99, 'Corrected')] : []),
    ])
    const file = [`Invoice,${heading},kWh,Total${hasWord ? ',Status' : ''}`, ...lines, ''].join('\n')
    expect(await bring(one, file, { sourceId: one.power, pair: 'last', date })).toContain('twoNumbers')
    // The first date has no days before it.
    const first = date === 'month' ? 0 : kWh(1)
    expect(await total(one)).toBe(
      MONTHS.reduce((all, month) => all + kWh(month) - (months.includes(month) ? 99 : 0), 0) - first,
    )
  },
)

/** What originals and corrections say, and below which headings. */
const SAID: readonly (readonly [heading: string, original: string, corrected: string])[] = [
  ['Ticket status', '', 'Corrected'],
  ['Status', '', 'Revised'],
  ['Invoice status', '', 'Corrected'],
  ['Ticket type', '', 'Correction'],
  ['Revised', '', 'Revised'],
  ['Ticket status', 'Orig.', 'Corr.'],
  ['Status', 'ORIG', 'CORR'],
  ['Ticket status', 'O', 'C'],
  ['Ticket status', 'First', 'Second'],
  ['BOL status', 'Original', 'Corrected'],
  ['BOL status', 'Orig.', 'Corr.'],
  ['Status of ticket', 'Valid', 'Superseding'],
  ['Tkt status', 'Original', 'Corrected'],
  ['Status code', 'Original', 'Corrected'],
  ['Stat', 'Original', 'Corrected'],
  ['Flag', 'Original', 'Corrected'],
  ['Corrected?', 'No', 'Yes'],
  ['Corrected', 'N', 'Y'],
  ['Adjustment', 'N', 'Y'],
]
test.for(SAID)(
  'a corrected delivery is asked about beside the one of its day, and in the next list: %s %s %s',
  async ([heading, original, corrected]) => {
    const called = (month: number): Line => ({ ...issued(month), word: original })
    const its = correction(5, corrected)
    for (const files of [
      [[...MONTHS.map(called), its]],
      [MONTHS.slice(0, 5).map(called), [its, called(6)]],
    ]) {
      const one = await importWorld(forecourt, ford, admin)
      const asked: string[] = []
      for (const lines of files)
        asked.push(...(await bring(one, tickets(lines, { heading }), { sourceId: one.cars, pair: 'last' })))
      expect(asked).toContain(files.length === 1 ? 'twoNumbers' : 'overlap')
      expect(asked.filter((id) => /^(column|product)/.test(id))).toEqual([])
      expect(await total(one)).toBe(without([5]))
    }
  },
)

test('words of a status that say nothing about corrections ask nothing', async () => {
  for (const [heading, words] of [
    ['Flag', ['High', 'Low']],
    ['Status', ['', 'Delivered']],
    ['Adjustment', ['N', 'N']],
    ['Ticket status', ['Orig.', 'Original']],
    ['Adjustments', ['0.00', '-12.40']],
  ] as const) {
    const one = await importWorld(forecourt, ford, admin)
    const lines = MONTHS.map((month) => ({ ...issued(month), word: words[month % 2] ?? '' }))
    expect(await bring(one, tickets(lines, { heading }), { sourceId: one.cars, pair: 'last' })).toEqual([])
  }
})

/** What deliveries say that no longer hold, or that correct others, and what says nothing more than "delivered". */
const UNLIKE: readonly (readonly [heading: string, ordinary: string, other: readonly string[]])[] = [
  [
    'Ticket type',
    'Delivery',
    [
      'Corrected delivery',
      'Delivery correction',
      'Adjusted delivery',
      'Rebilled delivery',
      'Revised delivery',
      'Replacement delivery',
      'Corr. delivery',
      'Delivery estimate',
      'Scheduled delivery',
      'Delivery credit',
      'Returned delivery',
    ],
  ],
  [
    'Status',
    'Delivered',
    [
      'Delivery canceled',
      'Delivered - corrected',
      'Delivered (void)',
      'Delivery reversed',
      'Not delivered',
      'Undelivered',
      'Delivery failed',
      'Delivery rejected',
      'Delivery pending',
      'To be delivered',
      'Delivered in error',
      'Duplicate delivery',
    ],
  ],
  ['Status', '', ['Delivery attempt', 'Corrected delivery']],
  ['Order status', 'Delivered', ['Delivery scheduled']],
  ['Type', 'Gasoline', ['Gasoline canceled', 'Void gasoline ticket']],
  ['Type', 'Fuel delivery', ['Corrected fuel delivery', 'Fuel return']],
  ['Order type', 'Gasoline delivery', ['Gasoline delivery corrected']],
  ['Charge type', 'Fuel', ['Fuel correction']],
  ['Product', 'Gasoline', ['Gasoline (corrected)', 'Gasoline - VOID']],
]
test.for(UNLIKE)(
  'a delivery that says more than that it was delivered is asked about: %s %s %s',
  async ([heading, ordinary, others]) => {
    const one = await importWorld(forecourt, ford, admin)
    const lines = MONTHS.map((month) => ({ ...issued(month), word: ordinary }))
    for (const other of others) {
      const { questions } = await one.preview(tickets([...lines, correction(3, other)], { heading }), {
        sourceId: one.cars,
      })
      const open = questions.filter(({ answer }) => answer === null).map(({ id }) => id)
      expect({ other, open }).toEqual({ other, open: [`word:${other.toLowerCase()}`] })
    }
  },
)

test('a corrected delivery replaces that of its day, in one list and in the next', async () => {
  for (const [heading, ordinary, corrected] of [
    ['Ticket type', 'Delivery', 'Corrected delivery'],
    ['Charge type', 'Fuel', 'Fuel correction'],
  ] as const) {
    const called = (month: number): Line => ({ ...issued(month), word: ordinary })
    const its = correction(5, corrected)
    for (const files of [
      [[...MONTHS.map(called), its]],
      [MONTHS.slice(0, 5).map(called), [its, called(6)]],
    ]) {
      const one = await importWorld(forecourt, ford, admin)
      for (const lines of files)
        await bring(one, tickets(lines, { heading }), { sourceId: one.cars, pair: 'last' })
      expect(await total(one)).toBe(without([5]))
    }
  }
})
