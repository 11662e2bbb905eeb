import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { VEHICLE_LIST } from '#contract/inventory/vehicles/vehicle-list.ts'
import { reports } from '#contract/reports/reports.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { feedImports } from '#test/factories/inventory/feed-imports.ts'
import { placeOf, type Place } from '#test/factories/places.ts'
import { feedsIn, REAL_FEEDS } from '#test/factories/inventory/real-feeds.ts'

let forecourt: TestApp
let ford: Place
let admin: Caller
beforeAll(async () => {
  forecourt = await testApp()
  ford = await placeOf(forecourt, 'Northgate Ford')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
})
afterAll(() => forecourt.close())

const { bring, apply, undo, stockOf, onLot } = feedImports(() => forecourt)

/** The export of all vehicles with every column, as its person gets it. */
async function exported(): Promise<Buffer> {
  const { status, bytes, text } = await admin.send({
    method: 'POST',
    url: reports.exportList.path,
    payload: { list: 'vehicles', columns: Object.keys(VEHICLE_LIST.fields), sort: 'stock', format: 'csv' },
  })
  if (status !== 200) throw new Error(text)
  return bytes
}

test.runIf(REAL_FEEDS === null)(
  'Skipped: the real feeds (../shared/data/feeds) are not on this machine',
  () => {
    expect(REAL_FEEDS).toBe(null)
  },
)

/** A reason that says what is wrong with the row itself. */
const TRUE =
  /deleted|Neither a VIN nor a stock number|repeats the header|values where there are|quote on this line|has the same/
const folder = REAL_FEEDS ?? ''

test.each(REAL_FEEDS === null ? [] : feedsIn(folder))(
  '%s is imported, changes nothing the second time and is undone, so that the export of all vehicles is the same to the byte',
  async (file) => {
    const lotId = await ford.addLot()
    const before = await stockOf(ford)
    const exportedBefore = await exported()
    const bytes = readFileSync(join(folder, file))
    const run = await bring(admin, { lotId }, { name: file, bytes })
    expect(run.status).toBe('ready')
    const { owner } = forecourt
    const { rows } = await owner.query<{ reasons: string }>(
      `select array_to_string(reasons, ' ') as reasons from feed_run_rows where run_id = $1 and kind = 'refused'`,
      [run.id],
    )
    const told = rows.filter(({ reasons }) => TRUE.test(reasons)).length
    expect(run.new).toBeGreaterThan(0)
    expect((run.new + told) / run.rows).toBeGreaterThanOrEqual(0.95)
    await apply(admin, run.id)
    expect(await onLot(lotId)).toHaveLength(run.new)
    expect((await exported()).equals(exportedBefore)).toBe(false)
    const again = await bring(admin, { lotId }, { name: file, bytes })
    expect(again).toMatchObject({ new: 0, changed: 0, missing: 0, unchanged: run.new, refused: run.refused })
    await undo(admin, run.id)
    expect(await stockOf(ford)).toEqual(before)
    expect((await exported()).equals(exportedBefore)).toBe(true)
  },
  120_000,
)
