import type { ParsedActivity } from '#contract/carbon/activity/activity-schema.ts'
import { Figure, plain, showFigure } from '#contract/carbon/factors/figure.ts'
import { readUnit, type UnitTable } from '#contract/carbon/factors/unit-table.ts'
import type { ImportLine } from '#contract/carbon/activity/activity-imports.ts'
import type { FileFormat, ImportField, ImportMapping } from '#contract/carbon/activity/import-mapping.ts'
import type { ImportContext, ImportSource } from './import-context.ts'
import type { Questions } from './import-questions.ts'
import type { Proposal } from './propose-mapping.ts'
import type { SheetColumns } from './sheet-columns.ts'

type Problem = ImportLine['problems'][number]

/** A line of the file; `record` is null if it can't be read. */
export type ReadLine = {
  /** Its line number and its place in the line. */
  key: string
  line: number
  place: number
  cells: ImportLine['cells']
  /** The cells as they are in the file. */
  raw: readonly string[]
  /** The other lines that it sums up: the intervals of a day. */
  others?: readonly Pick<ReadLine, 'line' | 'place' | 'raw'>[]
  period: ImportLine['period']
  problems: Problem[]
  record: ParsedActivity | null
  /** Names that match nothing. */
  unknown: { facility?: string; source?: string }
  source: ImportSource | null
  /** It isn't a bill, or the user leaves it out. */
  isLeft: boolean
  /** A credit whose line has no signs: its quantity and its cost are subtracted. */
  isCredit?: boolean
  /** It is left out because it calls its bill no longer valid: the word. Its quantity is below 0, as a credit that takes the bill back. */
  voids?: string
  /** What it calls itself, such as "Status: Corrected", if the user said that it is a bill. */
  word?: string
  /** It waits for the answer to a question. */
  isOpen: boolean
  /** It is text beside the bills. */
  isNote?: true
}

/** What is read in all lines of a file. */
export type ReadingPlan = {
  columns: SheetColumns
  /** With the answers applied. */
  mapping: ImportMapping
  context: ImportContext
  proposal: Proposal
  questions: Questions
  format: FileFormat
  /** What the file suggests for "1.234" and for 05/07/2025, and null if only the user knows. Undefined: they are clear. */
  decimalProposal: FileFormat['decimal'] | null | undefined
  orderProposal: FileFormat['order'] | null | undefined
  /** A date that isn't clear. */
  orderExample: string
  /** The heading of the quantities, if it may name a unit that isn't known; '' otherwise. */
  strangeHeading: string
  /** Units that lines beside the table name, with their codes. */
  unitsBeside: readonly Readonly<{ word: string; code: string }>[]
  /** The file has a line for each hour or quarter of an hour. */
  isInterval: boolean
}

export const wrong = (read: ReadLine, field: ImportField | null, message: string): null => {
  read.problems.push({ field, level: 'error', message })
  return null
}

/** The line waits for an answer. */
export const waits = (read: ReadLine, field: ImportField | null, message: string): null => {
  read.isOpen = true
  return wrong(read, field, message)
}

/** The line is left out, and says why. */
export const leave = (read: ReadLine, field: ImportField | null, message: string): null => {
  read.isLeft = true
  read.problems.push({ field, level: 'warning', message })
  return null
}

/** A line that was left out counts after all. */
export function takeUp(read: ReadLine): void {
  read.isLeft = false
  read.problems = read.problems.filter(({ level }) => level === 'error')
}

/** The use that a line says, in its unit. */
export const usedIn = ({ record }: ReadLine): Figure =>
  record?.kind === 'meter'
    ? new Figure(record.meterTo ?? 0).minus(record.meterFrom ?? 0)
    : new Figure(record?.quantity ?? 0)

/** A use in the base unit of what it measures, so that 1.001 MWh is 1,001 kWh: a text to compare it by. */
export function useKey(units: UnitTable, quantity: string | Figure, unit: string): string {
  const read = readUnit(units, unit)
  const figure = new Figure(quantity)
  return 'unit' in read
    ? `${read.unit.dimension} ${plain(figure.times(read.unit.toBase))}`
    : `${unit} ${plain(figure)}`
}

/** "1,200 kWh". */
export const amountOf = (read: ReadLine): string =>
  `${showFigure(usedIn(read).toFixed(), 16)} ${read.record?.unit ?? read.source?.unit ?? ''}`.trim()
