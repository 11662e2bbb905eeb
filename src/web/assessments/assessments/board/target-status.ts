import { type BoardState, boardStateOf } from '#contract/assessments/targets/board-states.ts'
import type { Invitation } from '#contract/participants/invitations/participants.ts'
import { TARGET_STATES } from '#contract/assessments/targets/target-states.ts'
import type { Target } from '#contract/assessments/targets/targets.ts'
import { labelOf } from '#contract/record.ts'
import { count, formatAgo } from '#web/ui/layout/date-format.ts'
import { daysBetween } from '../assessment-labels.ts'

export const STATE_LOOKS = {
  not_started: { tone: 'mute', mark: 'wait' },
  in_progress: { tone: 'info', mark: 'half' },
  overdue: { tone: 'bad', mark: 'alert' },
  changes_requested: { tone: 'warn', mark: 'alert' },
  in_review: { tone: 'info', mark: 'quarter' },
  approved: { tone: 'good', mark: 'check' },
} as const

export const STATE_NAMES: Record<BoardState, string> = {
  not_started: 'Not started',
  in_progress: 'In progress',
  overdue: 'Overdue',
  changes_requested: 'Changes requested',
  in_review: 'In review',
  approved: 'Approved',
}

/** The state in words: overdue first, otherwise exactly the state of the target. */
export function stateName(target: Pick<Target, 'state' | 'isOverdue'>): string {
  return target.isOverdue ? STATE_NAMES.overdue : labelOf(TARGET_STATES, target.state)
}

type Context = {
  today: string
  /** The titles of the sections, by ID. */
  titles: ReadonlyMap<string, string>
  /** Of people without an account; empty if the user may not see them. */
  invitations: readonly Invitation[]
}

/** The second line of the status: what the target waits for. */
export function describeTarget(target: Target, context: Context): string {
  switch (boardStateOf(target)) {
    case 'approved':
      return target.reviewerName === null ? 'Submitted without a review' : `by ${target.reviewerName}`
    case 'in_review':
      return describeReview(target)
    case 'changes_requested':
      return describeFlags(target, context.titles)
    case 'overdue':
      return `${describeAnswers({ ...target, answeredAt: null }, context)}, ${count(daysBetween(target.dueOn, context.today), 'day', 'days')} late`
    default:
      return describeAnswers(target, context)
  }
}

function describeReview({ state, reviewerName, submittedBy, approvals }: Target): string {
  const first = approvals > 0 ? 'Approved once, ' : ''
  if (state === 'in_review' && reviewerName !== null) return `${first}with ${reviewerName}`
  return submittedBy === null ? '' : `${first}by ${submittedBy}`
}

function describeFlags({ sections }: Target, titles: ReadonlyMap<string, string>): string {
  const flagged = sections.filter((section) => section.flagged > 0)
  const questions = flagged.reduce((sum, section) => sum + section.flagged, 0)
  const [first] = flagged
  if (first === undefined) return 'All requested changes were made'
  const where =
    flagged.length === 1 ? (titles.get(first.section) ?? first.section) : `${flagged.length} sections`
  return `${count(questions, 'question', 'questions')} in ${where}`
}

function describeAnswers(target: Target, { invitations }: Context): string {
  const { answered, questions, ownerName, people, answeredAt } = target
  if (answered > 0) {
    const last = answeredAt === null ? '' : `, last ${formatAgo(answeredAt)}`
    return `${answered.toLocaleString()} of ${questions.toLocaleString()} answered${last}`
  }
  const own = invitations.filter(({ targetId }) => targetId === target.id)
  if (own.some(({ state }) => state === 'bounced')) return 'Email bounced'
  if (own.some(({ state }) => state === 'expired')) return 'Invitation expired'
  if (own.length > 0 && own.every(({ state }) => state === 'created')) return 'Invitation not sent'
  if (own.length > 0 && own.every(({ state }) => state === 'sent')) return 'Invitation not opened'
  if (ownerName === null && people.length === 0) return 'No one assigned'
  return ownerName === null ? 'No owner' : 'No answers yet'
}
