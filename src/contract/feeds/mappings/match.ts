import type { FeedTarget, FieldMapping } from './mapping.ts'

/** A proposed mapping of a field. `confidence` is from 0 to 1. */
export type Match = { target: FeedTarget; mapping: FieldMapping; confidence: number; reason: string }
