import { writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import {
  activityImports,
  type ImportRequest,
  ImportPreview,
} from '#contract/carbon/activity/activity-imports.ts'
import { activities } from '#contract/carbon/activity/activity.ts'
import type { ImportMapping } from '#contract/carbon/activity/import-mapping.ts'
import { refusalOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { customSources } from '#contract/carbon/inventories/custom-sources.ts'
import { confirmed } from '#test/factories/carbon/import-world.ts'
import { ledgerWorld } from '#test/factories/carbon/ledger-world.ts'
import { multipart } from '#test/harness/multipart.ts'
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

type InOne = { inventoryId: string }
type Bytes = string | Uint8Array
const Added = activityImports.add.output
type ImportOptions = Partial<ImportRequest> & { file?: string; by?: Caller }

async function upload(
  endpoint: { path: string },
  inventoryId: string,
  bytes: Bytes,
  { file = 'bills.csv', by = admin, ...asked }: ImportOptions = {},
): Promise<{ data: unknown; message: string; statusCode: number; fields?: unknown }> {
  const whole = {
    sheet: null,
    mapping: null,
    usual: { decimal: '.', order: 'mdy' },
    sourceId: null,
    ...asked,
  }
  const { payload, headers } = multipart({ inventoryId, asked: JSON.stringify(whole) }, [
    { name: file, bytes: Buffer.from(bytes) },
  ])
  const { body, statusCode } = await forecourt.app.inject({
    method: 'POST',
    url: endpoint.path,
    payload,
    headers: { ...headers, authorization: `Bearer ${by.token}` },
  })
  return { ...JSON.parse(body), statusCode }
}
const preview = async (one: InOne, bytes: Bytes, options: ImportOptions = {}) =>
  ImportPreview.parse((await upload(activityImports.read, one.inventoryId, bytes, options)).data)
const importFile = async (
  one: InOne,
  bytes: Bytes,
  mapping: ImportMapping,
  options: ImportOptions = {},
): Promise<z.infer<typeof Added>> => {
  const checked = confirmed(await preview(one, bytes, { ...options, mapping }))
  const asked = { ...options, mapping: checked }
  return Added.parse((await upload(activityImports.add, one.inventoryId, bytes, asked)).data)
}
const records = async (one: InOne) =>
  (await admin.call(activities.list, { inventoryId: one.inventoryId, pageSize: 2_000 })).results

const GAS = { activity: 'combustion/natural-gas', scope: '1', unit: 'therm' }

/** Gas and electricity at two sites, with codes that files can contain. */
async function prepare() {
  const one = await ledgerWorld(forecourt, ford, admin)
  const [north, south] = [await one.addFacility(), await one.addFacility()]
  const rename = (id: string, code: string, name: string) =>
    forecourt.owner.query('update facilities set code = $2, name = $3 where id = $1', [id, code, name])
  await rename(north, 'NORTH', 'North showroom')
  await rename(south, 'SOUTH', 'South workshop')
  const sources = {
    gas: await one.addSource({ ...GAS, facilityId: north }),
    otherGas: await one.addSource({ ...GAS, facilityId: south }),
    power: await one.addSource({ activity: 'electricity/grid', scope: '2', unit: 'kWh', facilityId: north }),
  }
  const type = (id: string, name: string) =>
    forecourt.owner.query('update emission_sources set source_type = $2, name = null where id = $1', [
      id,
      name,
    ])
  await type(sources.gas, 'natural_gas')
  await type(sources.otherGas, 'natural_gas')
  await type(sources.power, 'electricity')
  return { ...one, ...sources, north, south }
}

const day = (month: number, date: number) => `${month}/${date}/2025`
const lastOf = (month: number) => new Date(Date.UTC(2025, month, 0)).getUTCDate()
const TWELVE = `Site,Fuel,Service from,Service to,Usage (therm),Calorific value,Invoice no.
${Array.from({ length: 12 }, (_, at) => `NORTH,Gas,${day(at + 1, 1)},${day(at + 1, lastOf(at + 1))},"1,${String(at).padStart(3, '0')}.5",gross,G-${at}`).join('\n')}
`

describe('importing a file of bills', () => {
  test('maps columns by title, previews without saving, and adds records with results', async () => {
    const one = await prepare()
    const found = await preview(one, TWELVE)
    expect(found.mapping.columns).toEqual({
      facility: 0,
      source: 1,
      periodStart: 2,
      periodEnd: 3,
      quantity: 4,
      calorificBasis: 5,
      reference: 6,
    })
    expect(found).toMatchObject({ lines: 12, ready: 12, refused: 0, isRemembered: false })
    expect(await records(one)).toEqual([])

    const done = await importFile(one, TWELVE, found.mapping)
    expect(done).toMatchObject({ saved: 12, import: { fileName: 'bills.csv', untouched: 12 } })
    const all = await records(one)
    expect(all.map(({ quantity, unit, reference }) => [quantity, unit, reference])[11]).toEqual([
      '1011.5',
      'therm',
      'G-11',
    ])
    expect(all.every(({ result, sourceId }) => result?.kg !== null && sourceId === one.gas)).toBe(true)
  })

  test('several sources of one type at a facility are told apart by name and by meter', async () => {
    const one = await prepare()
    const boiler = { inventoryId: one.inventoryId, ...GAS, facilityIds: [one.north] }
    const [first, second] = [`Boiler A ${one.inventoryId}`, `Boiler B ${one.inventoryId}`]
    await admin.call(customSources.add, { ...boiler, name: first })
    await admin.call(customSources.add, { ...boiler, name: second, label: 'M-4711' })
    const file = `Site,Fuel,Service from,Service to,Usage (therm),Calorific value,Invoice no.
NORTH,${first},1/1/2025,1/31/2025,10,gross,A-1
NORTH,m-4711,1/1/2025,1/31/2025,20,gross,B-1
SOUTH,M-4711,1/1/2025,1/31/2025,30,gross,C-1
`
    const found = await preview(one, file)
    expect(found).toMatchObject({ lines: 3, ready: 2, refused: 1 })
    await importFile(one, file, found.mapping)
    expect((await records(one)).map(({ sourceName, quantity }) => [sourceName, quantity])).toEqual(
      expect.arrayContaining([
        [first, '10'],
        [second, '20'],
      ]),
    )
  })

  test('skips lines that were already imported, even by a concurrent import', async () => {
    const one = await prepare()
    const { mapping } = await preview(one, TWELVE)
    const both = await Promise.all([importFile(one, TWELVE, mapping), importFile(one, TWELVE, mapping)])
    expect(both.map(({ saved }) => saved).toSorted((a, b) => a - b)).toEqual([0, 12])
    expect(both.find(({ saved }) => saved === 0)).toMatchObject({
      import: null,
      known: 12,
      sentence: 'All 12 lines were already imported.',
    })
    const again = await preview(one, TWELVE)
    expect(again).toMatchObject({
      known: 12,
      ready: 0,
      sentence: 'All 12 lines were already imported.',
      isRemembered: true,
    })
    expect(await records(one)).toHaveLength(12)
    expect(await admin.call(activityImports.list, { inventoryId: one.inventoryId })).toHaveLength(1)
  })

  test('reports problems per cell and returns rejected lines as a file with the reasons', async () => {
    const one = await prepare()
    const table = `Site,Source,From,To,Quantity,Unit,CV,Bill
NORTH,natural_gas,2025-01-01,2025-01-31,100,therm,gross,A
NORTH,natural_gas,2025-02-01,2025-02-28,100,m2,,B
NROTH,natural_gas,2025-03-01,2025-03-31,100,therm,gross,C
NORTH,Steam pipes,2025-04-01,2025-04-30,100,therm,gross,D
NORTH,natural_gas,2025-05-01,2025-05-31,-5,therm,gross,E
NORTH,natural_gas,2025-06-31,2025-06-30,5,therm,gross,=F
SOUTH,electricity,2025-07-01,2025-07-31,5,kWh,,G
NORTH,natural_gas,2019-01-01,2019-01-31,5,therm,gross,H
NORTH,natural_gas,2025-12-16,2026-01-14,300,therm,gross,I
NORTH,natural_gas,2025-01-01,2025-01-31,100,therm,gross,A
`
    const found = await preview(one, table)
    const at = new Map(found.shown.map(({ line, problems }) => [line, problems]))
    const error = (line: number) => at.get(line)?.find(({ level }) => level === 'error')
    expect(error(3)).toMatchObject({ field: 'unit', message: expect.stringContaining("can't be converted") })
    expect(error(4)).toMatchObject({ field: 'facility' })
    expect(error(5)).toMatchObject({ field: 'source' })
    expect(error(6)).toMatchObject({
      field: 'quantity',
      message: 'The quantity is below 0. Say whether it is a credit or energy that was sent back.',
    })
    expect(error(7)).toMatchObject({ field: 'periodStart' })
    expect(error(8)).toMatchObject({
      field: 'source',
      message: "Electricity isn't assigned at South workshop.",
    })
    expect(error(9)).toMatchObject({ field: 'periodStart', message: expect.stringContaining('outside') })
    expect(at.get(10)).toMatchObject([
      { level: 'warning', message: 'Only 16 of 30 days are in the inventory period. Only those count.' },
    ])
    expect(error(11)).toMatchObject({ field: 'quantity', message: expect.stringContaining('bill above') })
    expect(found.unknownFacilities).toEqual([{ text: 'NROTH', lines: 1, near: [one.north] }])
    expect(found.unknownSources).toMatchObject([{ text: 'Steam pipes', lines: 1 }])

    const mapping = { ...found.mapping, facilities: { nroth: one.north }, leavesWarned: true }
    const done = await importFile(one, table, mapping)
    expect(done).toMatchObject({ lines: 10, saved: 2, left: 1, open: 1, refused: 6 })
    const { text: body } = await admin.send({
      method: 'GET',
      url: `/api/carbon/get-refused-activity/${done.import?.id}`,
    })
    const lines = body.split('\r\n')
    expect(lines).toHaveLength(9)
    expect(lines[0]).toContain('Site,Source,From,To,Quantity,Unit,CV,Bill,Line,Reason')
    expect(lines[1]).toMatch(/^NORTH,natural_gas,2025-02-01,2025-02-28,100,m2,,B,3,/)
    expect(body).not.toMatch(/,=F,/)
  })

  test('reads local number, date and month formats, and workbooks with several sheets', async () => {
    const one = await prepare()
    const german = `Standort;Von;Bis;Menge;Einheit
NORTH;01.02.2025;28.02.2025;1.234,56;kWh
NORTH;13.03.2025;31.03.2025;2.000,00;kWh
`
    const found = await preview(one, german, { sourceId: one.power })
    expect(found.mapping.format).toEqual({ decimal: ',', order: 'dmy' })
    await importFile(one, german, found.mapping)
    const book = await writeXlsx({
      sheets: [
        {
          name: 'Cover',
          rows: [
            ['Our bills', '2025'],
            ['Prepared by', 'Pat'],
            ['Sheets', 'Bills'],
          ],
        },
        {
          name: 'Bills',
          rows: [
            ['Month', 'kWh'],
            [new Date('2025-05-01T00:00:00Z'), 123.456],
            ['Jun 2025', 7],
          ],
        },
      ],
    })
    // The cover has no table, so the other sheet is read.
    const sheets = await preview(one, book, { sourceId: one.power, file: 'bills.xlsx' })
    expect(sheets.sheet).toBe('Bills')
    expect(sheets.sheets.map(({ name }) => name)).toEqual(['Cover', 'Bills'])
    // A month typed into Excel is the first day of it.
    expect(sheets.shown.map(({ state }) => state)).toEqual(['ready', 'ready'])
    await importFile(one, book, sheets.mapping, { sheet: 'Bills', file: 'bills.xlsx' })
    const all = await records(one)
    expect(all.map(({ quantity, periodStart, periodEnd }) => [quantity, periodStart, periodEnd])).toEqual([
      ['1234.56', '2025-02-01', '2025-02-28'],
      ['2000', '2025-03-13', '2025-03-31'],
      ['123.456', '2025-05-01', '2025-05-31'],
      ['7', '2025-06-01', '2025-06-30'],
    ])
  })

  test.each([
    ['', 'The file is empty.'],
    ['\0\u0001', 'byte 1 is zero'],
    ['PK\u0003\u0004 nothing', "This workbook can't be read."],
  ])('rejects an invalid file with a sentence (%#)', async (bytes, words) => {
    const one = await prepare()
    const answer = await upload(activityImports.read, one.inventoryId, bytes)
    expect(answer).toMatchObject({ statusCode: 400, message: expect.stringContaining(words) })
  })
})

describe('undoing an import', () => {
  test('keeps records that have changed since, and restores estimates', async () => {
    const one = await prepare()
    await one.save(one.gas, {
      kind: 'estimate',
      estimateMethod: 'average',
      quantity: '900',
      unit: 'therm',
      calorificBasis: 'gross',
      periodStart: '2025-03-01',
      periodEnd: '2025-03-31',
    })
    const { mapping } = await preview(one, TWELVE)
    const { import: made } = await importFile(one, TWELVE, mapping)
    const [first, second] = await records(one)
    if (!first || !second) throw new Error('There are no records.')
    await admin.call(activities.submit, {
      inventoryId: one.inventoryId,
      records: [{ id: second.id, version: 1 }],
    })
    await admin.call(activities.save, {
      inventoryId: one.inventoryId,
      rows: [
        {
          key: '1',
          id: first.id,
          version: 1,
          record: {
            sourceId: one.gas,
            quantity: '5',
            unit: 'therm',
            calorificBasis: 'gross',
            periodStart: first.periodStart,
            periodEnd: first.periodEnd,
          },
        },
      ],
    })
    const id = made?.id ?? ''
    const done = await admin.call(activityImports.undo, { id })
    expect(done.deleted).toBe(10)
    expect(done.kept).toEqual([
      { line: 2, message: expect.stringContaining('has changed it since.') },
      { line: 3, message: 'It is in review.' },
    ])
    const left = await records(one)
    expect(left.map(({ kind, periodStart }) => [kind, periodStart])).toEqual([
      ['calculated', '2025-01-01'],
      ['calculated', '2025-02-01'],
      ['estimate', '2025-03-01'],
    ])
    expect(await refusalOf(admin.call(activityImports.undo, { id }))).toMatchObject({ status: 409 })
  })

  test('names the credits of other imports whose bills it deletes', async () => {
    const one = await prepare()
    const bill = 'Bill number,From,To,kWh\nB1,2025-01-01,2025-01-31,4000\nB2,2025-02-01,2025-02-28,4100\n'
    const { mapping } = await preview(one, bill, { sourceId: one.power })
    const { import: made } = await importFile(one, bill, mapping)
    const credit = 'Bill number,From,To,kWh\nC1,2025-01-01,2025-01-31,-4000\n'
    const found = await preview(one, credit, { sourceId: one.power })
    await importFile(one, credit, {
      ...found.mapping,
      answers: { ...found.mapping.answers, credits: 'subtract' },
    })
    const done = await admin.call(activityImports.undo, { id: made?.id ?? '' })
    expect(done).toMatchObject({
      deleted: 2,
      loose: [expect.stringMatching(/^Bill C1 for .*: .?4,000 kWh$/)],
    })
  })

  test('is rejected for a locked inventory, like an import', async () => {
    const one = await prepare()
    const { mapping } = await preview(one, TWELVE)
    const { import: made } = await importFile(one, TWELVE, mapping)
    await forecourt.owner.query(`update carbon_inventories set status = 'locked' where id = $1`, [
      one.inventoryId,
    ])
    await expect(admin.call(activityImports.undo, { id: made?.id ?? '' })).toRefuse(409)
    expect(await upload(activityImports.add, one.inventoryId, TWELVE, { mapping })).toMatchObject({
      statusCode: 409,
    })
    expect(await upload(activityImports.read, one.inventoryId, TWELVE)).toMatchObject({ statusCode: 409 })
    expect(await records(one)).toHaveLength(12)
  })
})

test(
  'imports and undoes thousands of lines at once, and rejects more than 20,000',
  { tags: 'release', timeout: 120_000 },
  async () => {
    const one = await prepare()
    const line = (at: number) => {
      const date = new Date(Date.UTC(2025, 0, 1 + (at % 365))).toISOString().slice(0, 10)
      return `${date},${date},${1000 + (at % 37)},kWh,B-${at}`
    }
    const table = (count: number) =>
      `From,To,Quantity,Unit,Bill\n${Array.from({ length: count }, (_, at) => line(at)).join('\n')}\n`
    const few = await preview(one, table(10), { sourceId: one.power })
    const done = await importFile(one, table(5_000), few.mapping)
    expect(done).toMatchObject({ saved: 5_000, refused: 0 })
    expect(await admin.call(activityImports.undo, { id: done.import?.id ?? '' })).toEqual({
      deleted: 5_000,
      restored: 0,
      kept: [],
      loose: [],
    })
    expect(await upload(activityImports.read, one.inventoryId, table(20_001))).toMatchObject({
      statusCode: 400,
      message: expect.stringContaining('20,001 lines'),
    })
  },
)
