// @module-tag release
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { activityImports } from '#contract/carbon/activity/activity-imports.ts'
import { MAX_COLUMNS } from '#contract/carbon/activity/import-mapping.ts'
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

const linesOf = async (id: string | undefined): Promise<string> =>
  (await admin.send({ method: 'GET', url: activityImports.lines.path.replace('{id}', id ?? '') })).text
const many = (count: number) => Array.from({ length: count }, (_, at) => `Extra ${at}`)

test('every column of a bill that no field takes is named before the import, and shown at its record', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const extra = many(50)
  const marked = (line: number) => extra.map((title) => `${title} of line ${line}`)
  const file = [
    'Riverside Power & Light',
    'Account no.: 7700 123 456',
    ['From', 'To', 'Usage (kWh)', ...extra].join(','),
    ['2025-01-01', '2025-01-31', '1500', ...marked(4)].join(','),
    ['2025-02-28', '2025-02-01', '1400', ...marked(5)].join(','),
  ].join('\n')
  const { first, done } = await one.bring(file)
  expect(first.unused.map((place) => first.columns[place]?.title)).toEqual(extra)
  expect(first.shown.find(({ line }) => line === 4)?.rest).toEqual(marked(4))
  const [record] = await one.records()
  const [origin, ...more] = await admin.call(activityImports.origin, { recordId: record?.id ?? '' })
  expect(more).toEqual([])
  expect(origin).toMatchObject({ fileName: 'bills.csv', line: 4, version: 1, isUndone: false })
  expect(origin?.above).toEqual(['Riverside Power & Light', 'Account no.: 7700 123 456'])
  expect(origin?.columns.filter(({ isUnused }) => isUnused).map(({ value }) => value)).toEqual(marked(4))
  expect(origin?.columns.slice(0, 3)).toMatchObject([
    { title: 'From', value: '2025-01-01', field: 'periodStart', isUnused: false },
    { field: 'periodEnd' },
    { field: 'quantity', value: '1500' },
  ])
  const text = await linesOf(done.import?.id)
  for (const value of [...marked(4), ...marked(5)]) expect(text).toContain(value)
  expect(text).toContain(record?.id)
})

test('of a day in quarter hours, the other columns of each quarter hour stay', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const quarters = Array.from({ length: 96 }, (_, at) => {
    const time = `${String(Math.floor(at / 4)).padStart(2, '0')}:${String((at % 4) * 15).padStart(2, '0')}`
    return `2025-03-04 ${time},2.5,demand ${at}`
  })
  const { done } = await one.bring(['Interval start,Usage (kWh),Peak note', ...quarters].join('\n'))
  expect(done).toMatchObject({ saved: 1 })
  expect(done.import).toMatchObject({ saved: 1, untouched: 1 })
  const [record] = await one.records()
  expect(record?.quantity).toBe('240')
  const origins = await admin.call(activityImports.origin, { recordId: record?.id ?? '' })
  expect(origins.map(({ line }) => line)).toEqual(quarters.map((_, at) => at + 2))
  const notes = origins.flatMap(({ columns }) => columns.filter(({ isUnused }) => isUnused))
  expect(notes.map(({ value }) => value)).toEqual(quarters.map((_, at) => `demand ${at}`))
  expect(await admin.call(activityImports.undo, { id: done.import?.id ?? '' })).toEqual({
    deleted: 1,
    restored: 0,
    kept: [],
    loose: [],
  })
})

test('a sheet with more columns than are read is refused with their number', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const extra = many(MAX_COLUMNS)
  const head = `From,To,Usage (kWh),${extra.join(',')}`
  const { statusCode, message } = await one.upload(
    activityImports.read,
    `${head}\n2025-01-01,2025-01-31,1500,${extra.join(',')}\n`,
  )
  expect({ statusCode, message }).toEqual({
    statusCode: 400,
    message: expect.stringContaining('The sheet has 103 columns'),
  })
})

/** The lines of "All lines", each by its line number: its first cells, then what became of it. */
async function everyLine(id: string | undefined): Promise<string[]> {
  const [, ...lines] = (await linesOf(id)).trim().split('\r\n')
  return lines
}

test('every line of a file is accounted for: records, notes, headings, lines left out, known and rejected', async () => {
  const one = await importWorld(forecourt, ford, admin)
  await one.bring('From,To,Usage (kWh)\n2025-01-01,2025-01-31,1500\n')
  const [known] = await one.records()
  const file = `Riverside Power & Light

From,To,Usage (kWh)
yyyy-mm-dd,yyyy-mm-dd,kWh
2025-01-01,2025-01-31,1500
2025-02-01,2025-02-28,1400
2025-03-31,2025-03-01,1300
From,To,Usage (kWh)
2025-04-01,2025-04-30,-20
Total,,4220
* Estimated reads are marked E.
`
  const { done } = await one.bring(file, { credits: 'leave' })
  const added = (await one.records()).find(({ quantity }) => quantity === '1400')
  const lines = await everyLine(done.import?.id)
  const shown = lines.map((line) =>
    /,(\d+),(Note|Already imported|Imported|Rejected|Left out),(.*)$/.exec(line),
  )
  expect(shown.map((found) => `${found?.[1]} ${found?.[2]}: ${found?.[3]}`)).toEqual([
    '1 Note: ,Above the table.',
    '3 Note: ,The headings of the columns.',
    '4 Note: ,The headings of the columns.',
    `5 Already imported: ,"Quantity: This bill already exists: same source, period and quantity. If they are two bills, enter both bill numbers. It is record ${known?.id}."`,
    `6 Imported: ${added?.id},`,
    expect.stringMatching(/^7 Rejected: ,/),
    '8 Left out: ,Left out: the line repeats the header.',
    expect.stringMatching(/^9 Left out: ,"Quantity: Left out, because the quantity is below 0/),
    '10 Left out: ,Left out: a totals line is no bill.',
    expect.stringMatching(/^11 Left out: ,/),
  ])
  // The file of rejected lines has only what can be corrected.
  const { text } = await admin.send({
    method: 'GET',
    url: activityImports.refused.path.replace('{id}', done.import?.id ?? ''),
  })
  expect(text.trim().split('\r\n')).toHaveLength(2)
})

test('a table of months accounts for its headings and for lines without a value too', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const { done } = await one.bring(
    'Meter,Unit,Jan 2025,Feb 2025,Mar 2025\nMain,kWh,1000,1100,1200\nOld wing,kWh,,,\n',
  )
  const lines = await everyLine(done.import?.id)
  expect(lines).toEqual([
    'Meter,Unit,Jan 2025,Feb 2025,Mar 2025,1,Note,,The headings of the columns.',
    ...['Jan 2025,1000', 'Feb 2025,1100', 'Mar 2025,1200'].map((month) =>
      expect.stringMatching(new RegExp(`^Main,kWh,${month},,2,Imported,\\d+,$`)),
    ),
    'Old wing,kWh,,,,3,Note,,No value in any of the columns of months or times.',
  ])
})

test('of a day in hours that is rejected, every hour is accounted for', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const hours = (day: string, use: string) =>
    Array.from({ length: 24 }, (_, at) => `${day} ${String(at).padStart(2, '0')}:00,${use}`)
  const all = [...hours('2025-03-04', '1.5'), ...hours('2019-03-04', '2'), ...hours('2025-03-05', '-2')]
  const { done } = await one.bring(['Interval start,Usage (kWh)', ...all].join('\n'), {
    sentBack: 'subtract',
  })
  expect(done).toMatchObject({ saved: 1, refused: 2 })
  const lines = await everyLine(done.import?.id)
  expect(lines).toHaveLength(1 + all.length)
  expect(lines.filter((line) => line.includes(',Rejected,'))).toHaveLength(48)
})

describe('the currency of a cost', () => {
  const bill = (head: string, cost: string) =>
    `From,To,Usage (kWh),${head}\n2025-01-01,2025-01-31,1500,${cost}\n`
  const costOf = async (head: string, cost: string, answers: Record<string, string> = {}) => {
    const world = await importWorld(forecourt, ford, admin)
    await forecourt.owner.query(
      `insert into organization_profiles (customer_id, organization_id, currency)
        select customer_id, organization_id, 'USD' from carbon_inventories where id = $1
        on conflict (customer_id, organization_id) do update set currency = 'USD'`,
      [world.inventoryId],
    )
    const { first } = await world.bring(bill(head, cost), answers)
    const [record] = await world.records()
    return { asked: first.questions.filter(({ id }) => id === 'currency'), cost: record?.cost ?? null }
  }
  test('is asked about if the file does not name it, and another is not kept as ours', async () => {
    const unnamed = await costOf('Cost', '410.10')
    expect(unnamed.asked).toMatchObject([{ answer: 'USD', isProposed: true, field: 'cost' }])
    expect(Number(unnamed.cost)).toBe(410.1)
    expect((await costOf('Cost', '410.10', { currency: 'other' })).cost).toBeNull()
    expect(await costOf('Cost (€)', '410.10')).toEqual({ asked: [], cost: null })
  })
  test('is read from headings, cells and columns of its own', { tags: 'release' }, async () => {
    for (const [head, cost] of [
      ['Cost ($)', '410.10'],
      ['Cost', '$410.10'],
      ['Cost USD', '410.10'],
    ] as const)
      expect(await costOf(head, cost)).toMatchObject({ asked: [], cost: expect.stringContaining('410.1') })
    // A tax or a fee is a part of the amount.
    for (const head of ['Amount,Tax', 'Total,VAT', 'Amount,Fees', 'Tax,Amount'] as const) {
      const cost = head.startsWith('Tax') ? '5,$410.10' : '$410.10,5'
      expect([head, Number((await costOf(head, cost)).cost)]).toEqual([head, 410.1])
    }
    // A column of its own says it for each line.
    expect(await costOf('Cost,Currency', '410.10,USD')).toMatchObject({
      asked: [],
      cost: expect.stringContaining('410.1'),
    })
    for (const [head, cost] of [
      ['Cost,Currency', '410.10,EUR'],
      ['Cost,Ccy', '410.10,TRY'],
      ['Cost,In', '410.10,EUR'],
      ['Cost (€)', '410.10'],
      ['Cost', '410.10 EUR'],
    ] as const)
      expect(await costOf(head, cost)).toEqual({ asked: [], cost: null })
  })
})
