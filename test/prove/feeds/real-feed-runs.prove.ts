import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { VEHICLE_LIST } from '#contract/vehicles/vehicles/vehicle-list.ts'
import { reports } from '#contract/reports/reports.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { feedImports } from '#test/factories/feeds/feed-imports.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { feedsIn, REAL_FEEDS } from '#test/factories/feeds/real-feeds.ts'

let forecourt: TestApp
let ford: TestOrganization
let admin: Caller
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
})
afterAll(() => forecourt.close())

const { uploadFeed, apply, undo, stockOf, onLot } = feedImports(() => forecourt)

/** The CSV export of all vehicles with every column. */
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

/** Rows that are not vehicles for sale: rejected for a fault of the row itself, or left out because the feed says so. */
const JUSTIFIED =
  /deleted|No VIN or stock number|repeats the header|values for \d+ columns|quote on this line|has the same/
const folder = REAL_FEEDS ?? ''

test.each(REAL_FEEDS === null ? [] : feedsIn(folder))(
  'imports %s, changes nothing the second time, and restores the same export to the byte when undone',
  async (file) => {
    const lotId = await ford.addLot()
    const before = await stockOf(ford)
    const exportedBefore = await exported()
    const bytes = readFileSync(join(folder, file))
    const run = await uploadFeed(admin, { lotId }, { name: file, bytes })
    expect(run.status).toBe('ready')
    const { owner } = forecourt
    const { rows } = await owner.query<{ reasons: string }>(
      `select array_to_string(reasons, ' ') as reasons from feed_run_rows where run_id = $1 and kind in ('refused', 'leftOut')`,
      [run.id],
    )
    const justified = rows.filter(({ reasons }) => JUSTIFIED.test(reasons)).length
    expect(run.new).toBeGreaterThan(0)
    expect((run.new + justified) / run.rows).toBeGreaterThanOrEqual(0.95)
    await apply(admin, run.id)
    expect(await onLot(lotId)).toHaveLength(run.new)
    expect((await exported()).equals(exportedBefore)).toBe(false)
    const again = await uploadFeed(admin, { lotId }, { name: file, bytes })
    expect(again).toMatchObject({ new: 0, changed: 0, missing: 0, unchanged: run.new, refused: run.refused })
    await undo(admin, run.id)
    expect(await stockOf(ford)).toEqual(before)
    expect((await exported()).equals(exportedBefore)).toBe(true)
  },
  120_000,
)
