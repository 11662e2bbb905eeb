import { afterAll, beforeAll, expect, test } from 'vitest'
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
    kept: [],
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
