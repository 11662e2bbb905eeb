/** The columns that an email's encrypted text is bound to. */
export type SealedRow = { customerId: string; toEmail: string; textSealed: string }
/** @throws Error if the text can't be decrypted. */
export type DecryptText = (row: SealedRow) => string

/** FORECOURT_SECRET no longer contains the key, or the row was modified. */
export const UNREADABLE = "This email can't be decrypted. It was encrypted with a different secret."

/** The decrypted text of a row; null if it can't be decrypted. */
export function decryptText({ open }: { open: DecryptText }, row: SealedRow): string | null {
  try {
    return open(row)
  } catch {
    return null
  }
}
