import type { FeedTarget, FieldMapping } from './mapping.ts'

/** How a field could be filled. `confidence` from 0 to 1. */
export type Match = { target: FeedTarget; mapping: FieldMapping; confidence: number; reason: string }
