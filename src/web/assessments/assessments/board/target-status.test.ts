import { expect, test } from 'vitest'
import type { Target } from '#contract/assessments/targets/targets.ts'
import { sampleTarget } from '#test/factories/assessments/sample-target.ts'
import { describeTarget, stateName } from './target-status.ts'

const base = sampleTarget({
  state: 'in_progress',
  dueOn: '2026-11-15',
  questions: 34,
  ownerName: 'Ana Souza',
  submittedBy: 'Ana Souza',
})
const about = (more: Partial<Target>) =>
  describeTarget(
    { ...base, ...more },
    { today: '2026-11-25', titles: new Map([['energy', 'Energy']]), invitations: [] },
  )

test('the second line says what a target waits for', () => {
  expect(about({})).toBe('No answers yet')
  expect(about({ ownerName: null })).toBe('No one assigned')
  expect(about({ answered: 18 })).toBe('18 of 34 answered')
  expect(about({ answered: 5, isOverdue: true })).toBe('5 of 34 answered, 10 days late')
  expect(about({ state: 'submitted' })).toBe('by Ana Souza')
  expect(about({ state: 'in_review', reviewerName: 'Miguel Santos', approvals: 1 })).toBe(
    'Approved once, with Miguel Santos',
  )
  const flagged = {
    section: 'energy',
    questions: 7,
    answered: 5,
    required: 0,
    requiredAnswered: 0,
    flagged: 2,
  }
  expect(about({ state: 'changes_requested', sections: [flagged] })).toBe('2 questions in Energy')
  expect(about({ state: 'approved', reviewerName: 'Miguel Santos' })).toBe('by Miguel Santos')
})

test('submitted is named apart from in review', () => {
  expect(stateName({ state: 'submitted', isOverdue: false })).toBe('Submitted')
  expect(stateName({ state: 'in_progress', isOverdue: true })).toBe('Overdue')
})
