import { afterAll, beforeAll, expect, test } from 'vitest'
import { reports } from '#contract/reports/reports.ts'
import { pricingRules } from '#contract/pricing/rules/pricing-rules.ts'
import { VEHICLE_LIST } from '#contract/vehicles/vehicles/vehicle-list.ts'
import { VEHICLE_STATUSES } from '#contract/vehicles/vehicles/vehicle-choices.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { feedImports } from '#test/factories/feeds/feed-imports.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let ford: TestOrganization
let admin: Caller
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
})
afterAll(() => forecourt.close())
const { uploadFeed, onLot, rowsOf } = feedImports(() => forecourt)

const STATUSES = VEHICLE_STATUSES

test.for(['csv', 'xlsx'] as const)(
  'an inventory list exported as %s and read back changes nothing, whatever the status of its vehicles',
  async (format) => {
    const lotId = await ford.addLot()
    for (const [at, status] of STATUSES.entries()) {
      await admin.call(vehicles.add, {
        lotId,
        stock: `OE-00${at}${format}`,
        year: 2020,
        make: 'Ford',
        model: 'Escape',
        trim: 'SE, "Sport"',
        color: '-Ice | White',
        mileage: 12_345 + at,
        priceCents: at === 0 ? null : 2_000_000 + at,
        msrpCents: 2_600_000,
        inStockOn: '2026-03-04',
        status,
      })
    }
    const before = await onLot(lotId)
    const columns = Object.entries(VEHICLE_LIST.fields).flatMap(([name, field]) =>
      'isColumn' in field ? [] : [name],
    )
    const file = await admin.send({
      method: 'POST',
      url: reports.exportList.path,
      payload: { list: 'vehicles', format, columns, filter: `lotId == ${lotId}`, sort: 'stock' },
    })
    expect(file.status).toBe(200)
    const run = await uploadFeed(admin, { lotId }, { name: `inventory.${format}`, bytes: file.bytes })
    const rows = await rowsOf(admin, run.id)
    expect(
      rows.flatMap(({ changes, toStatus }) => [...changes, ...(toStatus === null ? [] : [toStatus])]),
    ).toEqual([])
    expect(run).toMatchObject({ new: 0, changed: 0, refused: 0, leftOut: 0, questions: [] })
    await admin.call(feedRuns.cancel, { id: run.id })
    expect(await onLot(lotId)).toEqual(before)
  },
)

test.for([
  ['the columns that the list shows', []],
  ['the selling price beside them', ['sellingPrice']],
] as const)('a file with %s changes no price: totals have fees and rules in them', async ([, more]) => {
  const lotId = await ford.addLot()
  for (const at of [1, 2, 3])
    await admin.call(vehicles.add, {
      lotId,
      stock: `TP-${more.length}${at}`,
      year: 2021,
      make: 'Ford',
      model: 'Escape',
      priceCents: 2_000_000 + at * 100_000,
      mileage: 20_000 + at,
      inStockOn: '2026-03-04',
      status: 'live',
      condition: 'used',
    })
  const { id: ruleId } = await admin.call(pricingRules.add, {
    name: `Off ${more.length}`,
    kind: 'discount',
    cents: 50_000,
    lotIds: [lotId],
  })
  const before = await onLot(lotId)
  const shown = Object.entries(VEHICLE_LIST.fields).flatMap(([name, field]) =>
    'isColumn' in field || 'isHidden' in field ? [] : [name],
  )
  const file = await admin.send({
    method: 'POST',
    url: reports.exportList.path,
    payload: { list: 'vehicles', format: 'csv', columns: [...shown, ...more], filter: `lotId == ${lotId}` },
  })
  expect(file.text).toContain('Total price')
  const run = await uploadFeed(admin, { lotId }, { name: 'inventory.csv', bytes: file.bytes })
  expect((await rowsOf(admin, run.id)).flatMap(({ changes }) => changes)).toEqual([])
  await admin.call(feedRuns.cancel, { id: run.id })
  expect(await onLot(lotId)).toEqual(before)
  await admin.call(pricingRules.remove, { id: ruleId })
})
