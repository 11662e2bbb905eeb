import { setTimeout as wait } from 'node:timers/promises'
import { beforeEach } from 'vitest'

const HOUR = 3_600_000
/** Longer than tests take. */
const LONGEST = 20_000

/**
 * Days, months, years and summer time begin on the hour, here or in the zone of somebody else. A test that compares what
 * it arranged with what the product makes of it must not begin in the one and end in the other.
 */
beforeEach(async () => {
  const left = HOUR - (Date.now() % HOUR)
  if (left <= LONGEST) await wait(left + 50)
})
