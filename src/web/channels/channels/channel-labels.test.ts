import { expect, test } from 'vitest'
import { describeFollowing, describeInclusion, describeRun } from './channel-labels.ts'

const run = {
  id: '1',
  state: 'sent' as const,
  requestedBy: null,
  startedAt: '2026-11-21T09:00:00Z',
  endedAt: '2026-11-21T09:00:01Z',
  changedAt: null,
  listed: 412,
  excluded: 9,
  bytes: 1,
  reasons: { notForSale: 4, noPrice: 6 },
  message: null,
}

test('describes what a run sent and excluded, the most frequent reason first', () => {
  expect(describeRun(run)).toBe('412 vehicles sent, 9 excluded: no price (6), not for sale (4)')
  expect(describeRun({ ...run, state: 'available' })).toMatch(/^412 vehicles ready to download, 9 excluded/)
  expect(describeRun({ ...run, state: 'failed', listed: 1, excluded: 0, reasons: {} })).toBe(
    '1 vehicle ready, none excluded',
  )
})

test('says how long a file took to follow a sale, only if it was delivered', () => {
  const after = { ...run, changedAt: '2026-11-21T08:57:57Z' }
  expect(describeFollowing(after)).toBe('2 min 4 s after a sale, hold or new price')
  expect(describeFollowing(run)).toBeNull()
  expect(describeFollowing({ ...after, state: 'failed' })).toBeNull()
  expect(describeFollowing({ ...after, state: 'unchanged' })).toBeNull()
})

test('says whether the receiver has a vehicle; a channel that is off includes nothing', () => {
  const one = { channelId: '1', name: 'Auction house', kind: 'csv' as const, isActive: true, nextRunAt: null }
  const listed = { ...one, listedSince: '2026-11-21T09:00:00Z' }
  const absent = { ...one, listedSince: null }
  expect(describeInclusion({ ...listed, reasons: [] })).toMatchObject({
    label: 'Included',
    tone: 'good',
    about: '',
  })
  expect(describeInclusion({ ...absent, reasons: [] })).toMatchObject({ label: 'In the next file' })
  expect(describeInclusion({ ...listed, reasons: ['notForSale'] })).toMatchObject({
    label: 'Still listed',
    about: expect.stringMatching(/^: Not for sale\. Listed since /),
  })
  expect(describeInclusion({ ...listed, isActive: false, reasons: [] })).toMatchObject({
    label: 'Still listed',
    about: expect.stringMatching(/^: the channel is off\. Listed since /),
  })
  expect(describeInclusion({ ...absent, reasons: ['noPrice'] })).toMatchObject({
    label: 'Excluded',
    tone: 'warn',
    about: ': No price',
  })
  const off = { ...absent, isActive: false }
  expect(describeInclusion({ ...off, reasons: [] })).toMatchObject({
    label: 'Off',
    tone: 'mute',
    about: ': would be included',
  })
  expect(describeInclusion({ ...off, reasons: ['noPrice'] })).toMatchObject({
    label: 'Off',
    about: ': would be excluded (No price)',
  })
})
