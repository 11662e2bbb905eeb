/** What a document may have at most, so that the parser needs little time and memory for any document. */
export const ADF_BOUNDS = {
  /** Larger documents are rejected while they are received. */
  bytes: 1_000_000,
  references: 20_000,
  tags: 20_000,
  depth: 32,
  /** Of all comments together, in characters. */
  comments: 100_000,
} as const
