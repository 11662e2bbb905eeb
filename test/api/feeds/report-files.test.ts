// @module-tag release
import { writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { feedSources } from '#contract/feeds/sources/feed-sources.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { feedImports } from '#test/factories/feeds/feed-imports.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let ford: TestOrganization
let admin: Caller
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
})
afterAll(() => forecourt.close())
const { uploadFeed, apply, onLot, forgetVins } = feedImports(() => forecourt)
beforeEach(() =>
  forgetVins('1FMCU9GD8LU110007', '1FMCU9GD5LU110014', '1FMCU9GD2LU110021', '1FMCU9GD5LU110028'),
)

async function source() {
  const lotId = await ford.addLot()
  const { id: sourceId } = await admin.call(feedSources.add, { name: fresh('Report'), lotIds: [lotId] })
  return { lotId, sourceId }
}
const VINS = ['1FMCU9GD8LU110007', '1FMCU9GD5LU110014', '1FMCU9GD2LU110021', '1FMCU9GD5LU110028']
/** A report: a title, the day, group headings, the header, rows, a section in between and a total. */
const REPORT: (string | number)[][] = [
  ['Maple Motors Inventory', '', '', '', '', '', '', '', ''],
  ['Printed 11/26/2026', '', '', '', '', '', '', '', ''],
  ['', '', '', '', '', '', '', '', ''],
  ['Unit', '', 'Vehicle', '', '', '', 'Pricing', '', 'Web'],
  ['Stk#', 'VIN #', 'Yr', 'Make', 'Model', 'Color', 'MSRP', 'Internet $', 'Miles Reading'],
  ...VINS.slice(0, 2).map((vin, at) => [
    `M${at}`,
    vin,
    2020,
    'Ford',
    'Escape',
    'Blue',
    26_000,
    23_900 + at,
    40_000 + at,
  ]),
  ['Trade-ins of this month', '', '', '', '', '', '', '', ''],
  ...VINS.slice(2).map((vin, at) => [
    `M${at + 2}`,
    vin,
    2020,
    'Ford',
    'Escape',
    'Blue',
    26_000,
    23_902 + at,
    40_002 + at,
  ]),
  ['Total 4 units', '', '', '', '', '', 104_000, 95_606, ''],
]
const asText = (rows: (string | number)[][]) => `${rows.map((cells) => cells.join(',')).join('\n')}\n`

test.for([
  ['CSV', () => Promise.resolve(asText(REPORT))],
  [
    'an Excel workbook',
    async () =>
      Buffer.from(
        await writeXlsx({
          sheets: [
            { name: 'Notes', rows: [['Ask Pat']] },
            { name: 'Stock', rows: REPORT },
          ],
        }),
      ),
  ],
] as const)('a report as %s is read from its header on, without its titles and totals', async ([, make]) => {
  const { lotId, sourceId } = await source()
  const run = await uploadFeed(admin, { sourceId }, { name: 'report', bytes: await make() })
  expect(run).toMatchObject({
    status: 'ready',
    new: 4,
    refused: 0,
    leftOut: 2,
    columns: { known: 9, total: 9 },
  })
  expect(run.notes).toEqual([expect.stringMatching(/^The header is on line 5\./)])
  await apply(admin, run.id)
  expect((await onLot(lotId)).map(({ price_cents: cents, mileage }) => [cents, mileage])).toEqual(
    VINS.map((_, at) => [String(2_390_000 + at * 100), 40_000 + at]),
  )
  const again = await uploadFeed(admin, { sourceId }, { name: 'report', bytes: await make() })
  expect(again).toMatchObject({ new: 0, changed: 0, refused: 0 })
})

test('a workbook with vehicles on several sheets is refused with their names', async () => {
  const { sourceId } = await source()
  const sheet = (name: string) => ({ name, rows: REPORT })
  const bytes = Buffer.from(await writeXlsx({ sheets: [sheet('New'), sheet('Used')] }))
  await expect(uploadFeed(admin, { sourceId }, { name: 'report.xlsx', bytes })).rejects.toThrow(
    '400 The workbook has vehicles on several sheets: New, Used. Save each sheet as a file of its own.',
  )
})
