/** The states of a target. Overdue isn't one of them: it is computed from the due date. */
export const TARGET_STATES = [
  { value: 'not_started', label: 'Not started' },
  { value: 'in_progress', label: 'In progress' },
  { value: 'submitted', label: 'Submitted' },
  { value: 'in_review', label: 'In review' },
  { value: 'changes_requested', label: 'Changes requested' },
  { value: 'approved', label: 'Approved' },
  { value: 'closed', label: 'Closed' },
] as const
export type TargetState = (typeof TARGET_STATES)[number]['value']
export const TARGET_STATE_VALUES = TARGET_STATES.map(({ value }) => value)

/** Whether answers can be changed. While changes are requested, only the flagged questions and what they make visible. */
export function isAnswerable(state: TargetState): boolean {
  return state === 'not_started' || state === 'in_progress' || state === 'changes_requested'
}

/** Whether its answers are read by reviewers now. */
export const isReviewed = ({ state }: { state: TargetState }): boolean =>
  state === 'submitted' || state === 'in_review'

/** Whether two people approved a target, so that it takes two to reopen it. `approvals`: since it was submitted last. */
export const wasApprovedByTwo = ({ state, approvals }: { state: TargetState; approvals: number }): boolean =>
  state === 'approved' && approvals >= 2

/** How many people must approve. Without a review, a submission is final. */
export const REVIEWS = [
  { value: 'none', label: 'No review' },
  { value: 'one', label: 'One reviewer' },
  { value: 'two', label: 'Two reviewers' },
] as const
export type Review = (typeof REVIEWS)[number]['value']

/** `owner` and `contributor` answer, `owner` submits. */
export const PERSON_ROLES = [
  { value: 'owner', label: 'Owner' },
  { value: 'contributor', label: 'Contributor' },
  { value: 'reader', label: 'Reader' },
  { value: 'reviewer', label: 'Reviewer' },
] as const
export type PersonRole = (typeof PERSON_ROLES)[number]['value']
