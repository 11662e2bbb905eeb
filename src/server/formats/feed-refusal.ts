/**
 * Why a feed can't be read any further: a message for users that gives the line. Rows read before it are complete.
 */
export class FeedRefusal extends Error {
  readonly line: number | null

  constructor(sentence: string, line: number | null = null) {
    super(line === null ? sentence : `Line ${line}: ${sentence}`)
    this.name = 'FeedRefusal'
    this.line = line
  }
}

/** The maximum length of a row, in characters. Longer rows are rejected; the rows after them are read. */
export const MAX_ROW_LENGTH = 1_000_000
/** The most columns of a feed. */
export const MAX_COLUMNS = 2_000
/** How much of a row's original text is stored, in characters. */
export const MAX_RAW_LENGTH = 65_536
