import { expect, test } from 'vitest'
import type { RequestCell } from '#contract/carbon/activity/data-requests.ts'
import { askedWords, newBatchKey, requestTitle } from './request-labels.ts'

const NOW = new Date('2026-12-12T12:00:00Z')
const ASKED = {
  requestId: '1',
  personName: 'Priya Raman',
  askedAt: '2026-12-09T10:00:00Z',
  askedBy: 'Nadia Rahman',
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
  personId: '3',
  personName: 'Priya Raman',
  dueOn: '2026-12-12',
  problem: null,
  hasData: false,
  asked: ASKED,
}
const words = (asked: Partial<NonNullable<RequestCell['asked']>>) =>
  askedWords({ ...CELL, asked: { ...ASKED, ...asked } }, NOW)

test('a cell says when it was asked, reminded and answered, and that a mail failed', () => {
  expect([
    words({}),
    words({ remindedAt: '2026-12-11T11:00:00Z' }),
    words({ answeredAt: '2026-12-10T11:00:00Z' }),
    words({ mailState: 'failed' }),
  ]).toEqual([
    'Asked 3 days ago, no data yet',
    'Reminded yesterday, no data yet',
    'Answered 2 days ago',
    'Asked 3 days ago, its mail failed',
  ])
})

test('a cell nobody was asked about says only that nobody can be', () => {
  const silent = { ...CELL, asked: null }
  expect(askedWords(silent)).toBeNull()
  expect(askedWords({ ...silent, problem: 'Priya Raman may not sign in.' })).toBe('Cannot be asked')
  // The cell says already that nobody is assigned.
  expect(askedWords({ ...silent, personId: null, problem: 'Nobody is assigned.' })).toBeNull()
})

test('the title of a request counts its sources and names the first day that one is due', () => {
  const cell = { sourceId: '1', facilityName: 'Showroom', sourceType: 'water', answeredAt: null }
  const request = {
    id: '1',
    inventoryId: '1',
    kind: 'request' as const,
    personName: 'Priya Raman',
    isMine: true,
    askedAt: '2026-12-09T10:00:00Z',
    askedBy: null,
    message: null,
    cells: [
      { ...cell, dueOn: '2026-12-20' },
      { ...cell, dueOn: '2026-12-12' },
    ],
  }
  expect(requestTitle(request)).toBe('Asked of you: 2 sources, due 12 Dec 2026')
  expect(requestTitle({ ...request, isMine: false, cells: [{ ...cell, dueOn: null }] })).toBe(
    'Asked of Priya Raman: 1 source',
  )
})

test('no two presses have the same name', () => {
  expect(newBatchKey()).toMatch(/^[0-9a-f]{32}$/)
  expect(newBatchKey()).not.toBe(newBatchKey())
})
