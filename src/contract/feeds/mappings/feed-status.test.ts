import { expect, test } from 'vitest'
import { VEHICLE_LIST } from '#contract/vehicles/vehicles/vehicle-list.ts'
import { GONE_STATUSES, readFeedStatus } from './feed-status.ts'

test.for(VEHICLE_LIST.fields.status.choices ?? [])(
  'the status $label of our own exports is read as itself, and puts nothing else on sale',
  ({ value, label }) => {
    const read = readFeedStatus(label)
    const isGone = ['sold', 'archived', 'wholesale', 'removed'].includes(value)
    expect(read).toBe(value === 'removed' ? 'archived' : value)
    expect(read === 'live').toBe(value === 'live')
    expect(read !== null && GONE_STATUSES.includes(read)).toBe(isGone)
  },
)
