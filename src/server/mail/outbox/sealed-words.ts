/** A mail's row as far as its words are sealed for it. */
export type SealedRow = { customerId: string; toEmail: string; textSealed: string }
/** @throws Error when the words do not open. */
export type OpenWords = (row: SealedRow) => string

/** Why words do not open: FORECOURT_SECRET lost the key they were sealed with, or somebody changed the row. */
export const UNREADABLE = 'The words of this mail cannot be opened: they were sealed with another secret.'

/** The words of a row, null when they do not open. */
export function wordsOf({ open }: { open: OpenWords }, row: SealedRow): string | null {
  try {
    return open(row)
  } catch {
    return null
  }
}
