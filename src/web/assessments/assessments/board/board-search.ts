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

export const BOARD_SORTS = ['progress', 'due', 'owner'] as const
export type BoardSort = (typeof BOARD_SORTS)[number]
