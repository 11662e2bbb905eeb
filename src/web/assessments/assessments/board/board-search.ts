/** How the board can be sorted. No schemas here, because the route reads them. */
export const BOARD_SORTS = ['progress', 'due', 'owner'] as const
export type BoardSort = (typeof BOARD_SORTS)[number]
