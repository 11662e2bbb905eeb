import { expect, test } from 'vitest'
import { feedsIn, figuresOf, REAL_FEEDS } from '#test/factories/inventory/real-feeds.ts'

/** A reason that says what is wrong with the row itself. */
const TRUE =
  /deleted|Neither a VIN nor a stock number|repeats the header|values where there are|quote on this line/

const folder = REAL_FEEDS ?? ''

test.runIf(REAL_FEEDS === null)(
  'Skipped: the real feeds (../shared/data/feeds) are not on this machine',
  () => {
    expect(folder).toBe('')
  },
)

test.each(REAL_FEEDS === null ? [] : feedsIn(folder))(
  'of %s at least 95 % of the rows are accepted, or refused with a true reason, by nobody',
  async (file) => {
    const { rows, accepted, refused } = await figuresOf(folder, file)
    const told = [...refused]
      .filter(([reason]) => TRUE.test(reason))
      .reduce((sum, [, count]) => sum + count, 0)
    expect(rows).toBeGreaterThan(0)
    expect(accepted).toBeGreaterThan(0)
    expect((accepted + told) / rows).toBeGreaterThanOrEqual(0.95)
  },
)
