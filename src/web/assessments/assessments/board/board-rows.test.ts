import { expect, test } from 'vitest'
import { boardStateOf } from '#contract/assessments/targets/board-states.ts'
import { sampleTarget } from '#test/factories/assessments/sample-target.ts'
import {
  askedSections,
  cellText,
  countStates,
  explainCell,
  lookOf,
  percentOf,
  showTargets,
} from './board-rows.ts'

const section = (answered: number, questions: number, flagged = 0) => ({
  section: 'energy',
  questions,
  answered,
  required: 2,
  requiredAnswered: Math.min(answered, 2),
  flagged,
})
const person = (
  role: 'owner' | 'contributor' | 'reviewer',
  userId: string | null,
  participantId: string | null,
) => ({
  id: '1',
  role,
  userId,
  participantId,
  name: userId === null ? 'Tom Becker' : 'Ana Souza',
  email: 'person@dealer.example',
  isDelegate: false,
})
test('every target is counted once, overdue in place of the state it waits in', () => {
  const targets = [
    sampleTarget({ state: 'in_progress', isOverdue: true }),
    sampleTarget({ state: 'submitted' }),
    sampleTarget({ state: 'in_review' }),
    sampleTarget({ state: 'closed' }),
    sampleTarget({}),
  ]
  expect(targets.map(boardStateOf)).toEqual(['overdue', 'in_review', 'in_review', 'approved', 'not_started'])
  const counts = countStates(targets)
  expect(counts).toMatchObject({ overdue: 1, in_progress: 0, in_review: 2, approved: 1, not_started: 1 })
  expect(Object.values(counts).reduce((sum, one) => sum + one, 0)).toBe(targets.length)
})

test('targets are found by their name and their people, and sorted by progress, due date or owner', () => {
  const near = sampleTarget({
    id: '2',
    name: 'Auburn',
    dueOn: '2026-11-20',
    state: 'in_progress',
    answered: 2,
    ownerName: 'Ana',
  })
  const far = sampleTarget({
    id: '3',
    name: 'Fulton',
    state: 'in_progress',
    answered: 8,
    people: [person('owner', null, '7')],
  })
  const none = sampleTarget({ id: '4' })
  const shown = (given: Partial<Parameters<typeof showTargets>[1]>) =>
    showTargets([none, near, far], { search: '', state: undefined, sort: 'progress', ...given }).map(
      ({ id }) => id,
    )
  expect(shown({})).toEqual(['3', '2', '4'])
  expect(shown({ sort: 'due' })).toEqual(['2', '3', '4'])
  expect(shown({ sort: 'owner' })).toEqual(['3', '4', '2'])
  expect(shown({ search: 'becker' })).toEqual(['3'])
  expect(shown({ state: 'not_started' })).toEqual(['4'])
})

test('a cell never rounds up to complete or down to nothing', () => {
  expect(percentOf(199, 200)).toBe(99)
  expect(percentOf(1, 200)).toBe(1)
  expect([section(0, 0), section(0, 5), section(3, 7), section(5, 5), section(5, 7, 2)].map(lookOf)).toEqual([
    'none',
    'empty',
    'part',
    'all',
    'flagged',
  ])
  expect(
    [section(0, 0), section(0, 5), section(3, 7), section(5, 5), section(5, 7, 2)].map(cellText),
  ).toEqual(['–', '', '42%', '', '71%'])
})

test('the figure of a cell is explained in sentences', () => {
  expect(explainCell('Energy', section(5, 7, 2))).toBe(
    'Energy, 71%: 5 of 7 questions answered. 2 of 2 required. 2 changes requested.',
  )
  expect(explainCell('Paint', section(0, 0))).toBe('Paint: not asked here.')
})

test('a section without questions at every target is left out', () => {
  const sections = [{ id: 'energy' }, { id: 'results' }]
  const none = { ...section(0, 0), section: 'results' }
  expect(askedSections(sections, [sampleTarget({ sections: [section(1, 2), none] })])).toEqual([
    { id: 'energy' },
  ])
  expect(askedSections(sections, [sampleTarget({})])).toEqual(sections)
})
