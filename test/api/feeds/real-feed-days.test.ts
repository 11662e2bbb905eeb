// @module-tag release
import { afterAll, beforeAll, expect, test } from 'vitest'
import { feedSources } from '#contract/feeds/sources/feed-sources.ts'
import { textsOf } from '#contract/feeds/mappings/source-row.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { feedImports } from '#test/factories/feeds/feed-imports.ts'
import {
  feedsIn,
  REAL_FEEDS,
  type RealFeed,
  readRealFeed,
  shuffled,
} from '#test/factories/feeds/real-feeds.ts'
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

const { uploadFeed, apply, undo, stockOf } = feedImports(() => forecourt)

test.runIf(REAL_FEEDS === null)(
  'Skipped: the real feeds (../shared/data/feeds) are not on this machine',
  () => {
    expect(REAL_FEEDS).toBe(null)
  },
)

/** How many rows of each feed are imported. */
const ROWS = 60
const folder = REAL_FEEDS ?? ''

type Row = RealFeed['rows'][number]

/** Rows of a feed as a CSV file; `prices` replaces the price of every third one. */
function fileOf({ columns, truth }: RealFeed, rows: readonly Row[], price: string | null) {
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`
  const lines = rows.map((row, at) =>
    columns
      .map((column) => {
        const isChanged = price !== null && at % 3 === 0 && column === truth.price
        return quote(isChanged ? price : textsOf(row, column).join('|'))
      })
      .join(','),
  )
  return { name: 'feed.csv', bytes: `${[columns.map(quote).join(','), ...lines].join('\n')}\n` }
}

test.each(REAL_FEEDS === null ? [] : feedsIn(folder))(
  'imports three days of %s, nothing the second time, and undoes them in reverse exactly',
  async (name) => {
    const feed = await readRealFeed(folder, name)
    const rows = shuffled(feed.rows, 7).slice(0, ROWS)
    const count = Math.ceil(rows.length * 0.9)
    const sourceId = (
      await admin.call(feedSources.add, { name: fresh('Source'), lotIds: [await ford.addLot()] })
    ).id
    const states = [await stockOf(ford)]
    const runs: string[] = []
    const days = [
      fileOf(feed, rows.slice(0, count), null),
      fileOf(feed, rows.slice(0, count).toReversed(), '31999'),
      fileOf(feed, shuffled(rows.slice(rows.length - count), 11), '29999'),
    ]
    for (const file of days) {
      const run = await uploadFeed(admin, { sourceId }, file)
      await apply(admin, run.id, true)
      runs.push(run.id)
      states.push(await stockOf(ford))
      const again = await uploadFeed(admin, { sourceId }, file)
      expect(again).toMatchObject({ new: 0, changed: 0 })
    }
    for (const id of runs.toReversed()) {
      expect(await stockOf(ford)).toEqual(states.pop())
      expect(await undo(admin, id)).toMatchObject({ status: 'undone', notUndone: 0 })
    }
    expect(await stockOf(ford)).toEqual(states.pop())
  },
  60_000,
)
