/** What a value is sealed for, as text. */
export type SealedRow = Readonly<Record<string, string | null>>

/**
 * A column whose values the secret seals. Its domain declares it, so that a new secret finds everything that the old
 * one sealed; test/api/database/rotate-secret.test.ts compares the declarations with the tables.
 */
export type SealedColumn = {
  /** `schema.table` */
  table: string
  column: string
  /** The columns that the value is sealed for, and the context they come to. */
  contextColumns: readonly string[]
  context: (row: SealedRow) => string
}
