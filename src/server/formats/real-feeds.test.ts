import { describe, expect, test } from 'vitest'
import {
  feedsIn,
  figuresOf,
  REAL_FEEDS,
  readRealFeed,
  type RealFeed,
  shareCorrect,
  shuffled,
  withoutNames,
} from '#test/factories/feeds/real-feeds.ts'
import type { FeedRow } from '#contract/feeds/mappings/source-row.ts'
import { proposeMapping } from '#contract/feeds/mappings/presets.ts'
import { sampleRows } from '#contract/feeds/mappings/sample-rows.ts'

/** Rejections that are the fault of the row itself. */
const JUSTIFIED = /No VIN or stock number|repeats the header|values for \d+ columns|quote on this line/

const folder = REAL_FEEDS ?? ''
const TODAY = '2026-11-21'
/** Fewer rows don't show which columns belong together. */
const MIN_ROWS = 50

test.runIf(REAL_FEEDS === null)(
  'Skipped: the real feeds (../shared/data/feeds) are not on this machine',
  () => {
    expect(folder).toBe('')
  },
)

const propose = ({ format, columns }: RealFeed, rows: readonly FeedRow[], preset: null | undefined) =>
  proposeMapping({ format, columns, rows }, TODAY, preset).mapping

describe.each(REAL_FEEDS === null ? [] : feedsIn(folder))('%s', (file) => {
  test('is accepted to at least 95%, or rejected with a justified reason, without help', async () => {
    const { rows, accepted, refused } = await figuresOf(folder, file)
    const justified = [...refused]
      .filter(([reason]) => JUSTIFIED.test(reason))
      .reduce((sum, [, count]) => sum + count, 0)
    expect(rows).toBeGreaterThan(0)
    expect(accepted).toBeGreaterThan(0)
    expect((accepted + justified) / rows).toBeGreaterThanOrEqual(0.95)
  })

  test('gives at least 95% correct vehicles, also without its template and without any column name', async () => {
    const feed = await readRealFeed(folder, file)
    for (const preset of [undefined, null]) {
      const mapping = propose(feed, sampleRows(feed.rows), preset)
      expect(shareCorrect(feed, mapping)).toBeGreaterThanOrEqual(0.95)
    }
    if (feed.rows.length < MIN_ROWS) return
    const nameless = withoutNames(feed)
    const mapping = propose(nameless, sampleRows(nameless.rows), null)
    expect(shareCorrect(nameless, mapping)).toBeGreaterThanOrEqual(0.95)
  })

  test('is mapped the same if its rows are reversed, halved or shuffled', async () => {
    const feed = await readRealFeed(folder, file)
    const { rows } = feed
    const half = Math.ceil(rows.length / 2)
    const orders = [
      rows.toReversed(),
      rows.slice(0, half),
      rows.slice(half),
      shuffled(rows, 1),
      shuffled(rows, 2),
    ]
    for (const preset of [undefined, null]) {
      const mapping = propose(feed, rows.slice(0, 200), preset)
      for (const order of orders) expect(propose(feed, order.slice(0, 200), preset)).toEqual(mapping)
    }
    const nameless = withoutNames(feed)
    const mapping = propose(nameless, sampleRows(nameless.rows), null)
    for (const order of [nameless.rows.toReversed(), shuffled(nameless.rows, 3)])
      expect(propose(nameless, sampleRows(order), null)).toEqual(mapping)
  })
})
