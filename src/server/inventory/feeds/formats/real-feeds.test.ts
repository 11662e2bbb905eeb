import { expect, test } from 'vitest'
import { feedsIn, figuresOf, REAL_FEEDS } from '#test/factories/inventory/real-feeds.ts'

/** Rejections that are the fault of the row itself. */
const JUSTIFIED =
  /deleted|No VIN or stock number|repeats the header|values for \d+ columns|quote on this line/

const folder = REAL_FEEDS ?? ''

test.runIf(REAL_FEEDS === null)(
  'Skipped: the real feeds (../shared/data/feeds) are not on this machine',
  () => {
    expect(folder).toBe('')
  },
)

test.each(REAL_FEEDS === null ? [] : feedsIn(folder))(
  'accepts at least 95% of the rows of %s, or rejects them with a justified reason, without help',
  async (file) => {
    const { rows, accepted, refused } = await figuresOf(folder, file)
    const justified = [...refused]
      .filter(([reason]) => JUSTIFIED.test(reason))
      .reduce((sum, [, count]) => sum + count, 0)
    expect(rows).toBeGreaterThan(0)
    expect(accepted).toBeGreaterThan(0)
    expect((accepted + justified) / rows).toBeGreaterThanOrEqual(0.95)
  },
)
