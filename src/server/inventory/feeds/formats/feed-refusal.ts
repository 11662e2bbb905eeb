/**
 * Why a feed cannot be read any further: a sentence for people that says where. Rows that were read before it are whole.
 */
export class FeedRefusal extends Error {
  readonly line: number | null

  constructor(sentence: string, line: number | null = null) {
    super(line === null ? sentence : `Line ${line}: ${sentence}`)
    this.name = 'FeedRefusal'
    this.line = line
  }
}

/** The longest row, in characters. Longer ones are refused, and what follows them is read. */
export const LONGEST_ROW = 1_000_000
/** The most columns of a feed. */
export const MAX_COLUMNS = 2_000
/** So much of a row as it stood is kept with it, in characters. */
export const KEPT_RAW = 65_536
