/** The columns of a row that are part of a value's encryption context, as text. */
export type SealedRow = Readonly<Record<string, string | null>>

/**
 * A column that is encrypted with the secret. Its domain declares it, so that a rotation finds everything to re-encrypt.
 * test/api/database/rotate-secret.test.ts compares the declarations with the tables.
 */
export type SealedColumn = {
  /** `schema.table` */
  table: string
  column: string
  /** The columns for the encryption context, and the context built from them. */
  contextColumns: readonly string[]
  context: (row: SealedRow) => string
}
