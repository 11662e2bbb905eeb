/** The cells of one sheet as text, line by line; the first line is 1. */
export type Sheet = {
  name: string
  lines: readonly (readonly string[])[]
  /** From a CSV file: numbers and dates are as a person wrote them. */
  isText?: true
  /** It has more than `SHEET_LIMITS.lines` lines: only the first ones are here. */
  isCut?: true
}

/**
 * What a file may hold. A legitimate import has 20,000 lines of some 30 cells; Excel itself ends a cell after 32,767
 * characters. Reasons and measurements: docs/decisions/0084.
 */
export const SHEET_LIMITS = {
  /** Lines that hold something; 100 more than an import takes, for what stands above its head. */
  lines: 20_100,
  /** Lines of a sheet with the empty ones. */
  linesWithEmpty: 60_000,
  columns: 300,
  cells: 600_000,
  cellLength: 32_767,
  textLength: 30_000_000,
  /** Of one entry of a workbook, and of all of them. */
  entryBytes: 60_000_000,
  unpackedBytes: 100_000_000,
  entries: 2_000,
  milliseconds: 60_000,
  heapMegabytes: 512,
} as const

/** A file that cannot be read or holds too much, with a sentence for the user. */
export class SheetRefusal extends Error {
  override name = 'SheetRefusal'
}

export const figure = (value: number): string => value.toLocaleString('en-US')
