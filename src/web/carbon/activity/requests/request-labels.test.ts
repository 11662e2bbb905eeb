import { expect, test } from 'vitest'
import type { RequestCell } from '#contract/carbon/activity/data-requests.ts'
import { newIdempotencyKey, requestStatus, requestTitle } from './request-labels.ts'

const NOW = new Date('2026-12-12T12:00:00Z')
const ASKED = {
  requestId: '1',
  dataOwnerName: 'Priya Raman',
  requestedAt: '2026-12-09T10:00:00Z',
  requestedBy: 'Nadia Rahman',
  message: null,
  reminders: 0,
  remindedAt: null,
  answeredAt: null,
  mailState: 'sent',
  isQuiet: false,
} as const
const CELL: RequestCell = {
  sourceId: '1',
  facilityId: '2',
  facilityName: 'Showroom',
  sourceType: 'electricity',
  sourceName: null,
  sourceLabel: null,
  dataOwnerId: '3',
  dataOwnerName: 'Priya Raman',
  dueOn: '2026-12-12',
  problem: null,
  hasData: false,
  asked: ASKED,
}
const status = (asked: Partial<NonNullable<RequestCell['asked']>>) =>
  requestStatus({ ...CELL, asked: { ...ASKED, ...asked } }, NOW)

test('a cell shows when data was requested, reminded and answered, and when an email failed', () => {
  expect([
    status({}),
    status({ remindedAt: '2026-12-11T11:00:00Z' }),
    status({ answeredAt: '2026-12-10T11:00:00Z' }),
    status({ mailState: 'failed' }),
  ]).toEqual([
    'Requested 3 days ago, not answered yet',
    'Reminded yesterday, not answered yet',
    'Answered 2 days ago',
    'Requested 3 days ago, email failed',
  ])
})

test('a cell without a request shows only whether data cannot be requested', () => {
  const unasked = { ...CELL, asked: null }
  expect(requestStatus(unasked)).toBeNull()
  expect(requestStatus({ ...unasked, problem: "Priya Raman can't sign in." })).toBe("Can't request data")
  // The cell already shows that it has no data owner.
  expect(requestStatus({ ...unasked, dataOwnerId: null, problem: 'No data owner.' })).toBeNull()
})

test('the title of a request shows the number of sources and the earliest due date', () => {
  const cell = {
    sourceId: '1',
    facilityName: 'Showroom',
    sourceType: 'water',
    sourceName: null,
    sourceLabel: null,
    answeredAt: null,
  }
  const request = {
    id: '1',
    inventoryId: '1',
    kind: 'request' as const,
    dataOwnerName: 'Priya Raman',
    isMine: true,
    requestedAt: '2026-12-09T10:00:00Z',
    requestedBy: null,
    message: null,
    cells: [
      { ...cell, dueOn: '2026-12-20' },
      { ...cell, dueOn: '2026-12-12' },
    ],
  }
  expect(requestTitle(request)).toBe('Requested from you: 2 sources, due Dec 12, 2026')
  expect(requestTitle({ ...request, isMine: false, cells: [{ ...cell, dueOn: null }] })).toBe(
    'Requested from Priya Raman: 1 source',
  )
})

test('every request batch has its own key', () => {
  expect(newIdempotencyKey()).toMatch(/^[0-9a-f]{32}$/)
  expect(newIdempotencyKey()).not.toBe(newIdempotencyKey())
})
