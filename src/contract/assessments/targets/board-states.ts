import type { TargetState } from './target-states.ts'

/** The states of the board, in the order of its strip. No schemas here, because the route reads them. */
export const BOARD_STATES = [
  'not_started',
  'in_progress',
  'overdue',
  'changes_requested',
  'in_review',
  'approved',
] as const
export type BoardState = (typeof BOARD_STATES)[number]

/**
 * The state a target is counted under, each under one: overdue takes the place of the state it waits in. Submitted is
 * counted as in review. Only approved targets are closed.
 */
export function boardStateOf({ state, isOverdue }: { state: TargetState; isOverdue: boolean }): BoardState {
  if (isOverdue) return 'overdue'
  if (state === 'submitted') return 'in_review'
  return state === 'closed' ? 'approved' : state
}
