/** The cells of a sheet as text, by line. The first line is number 1. */
export type Sheet = {
  name: string
  lines: readonly (readonly string[])[]
  /** From a CSV file: numbers and dates are as written in the file. */
  isText?: true
  /** Of a workbook: figures that are texts, such as "1.500". Its other figures are numbers, and mean what they say. */
  texts?: ReadonlySet<string>
  /** What separates the cells of a CSV file. */
  delimiter?: string
  /** The sheet has more than `SHEET_LIMITS.lines` lines, of which only the first are included. */
  isCut?: true
}

/**
 * The limits for a file. A legitimate import has up to 20,000 lines of about 30 cells. Excel limits a cell to 32,767
 * characters. Reasons and measurements: docs/decisions/0084.
 */
export const SHEET_LIMITS = {
  /** Nonempty lines: 100 more than an import accepts, for lines above the header. */
  lines: 20_100,
  /** Lines of a sheet, including empty ones. */
  linesWithEmpty: 60_000,
  columns: 300,
  cells: 600_000,
  cellLength: 32_767,
  textLength: 30_000_000,
  /** Unpacked size of one workbook entry, and of all entries. */
  entryBytes: 60_000_000,
  unpackedBytes: 100_000_000,
  entries: 2_000,
  milliseconds: 60_000,
  heapMegabytes: 512,
} as const

/** How many lines and cells a file may have. */
export type SheetBounds = Readonly<{ lines: number; linesWithEmpty: number; cells: number }>

/** For a list of people: few cells each. */
export const LONG_LIST: SheetBounds = { lines: 100_100, linesWithEmpty: 200_000, cells: 2_500_000 }

/** What a user is told: without the lines above the header. */
export const lineLimit = ({ lines }: SheetBounds): string => figure(lines - 100)

/** A file that can't be read or exceeds the limits, with a sentence for the user. */
export class SheetRefusal extends Error {
  override name = 'SheetRefusal'
}

export const figure = (value: number): string => value.toLocaleString('en-US')
