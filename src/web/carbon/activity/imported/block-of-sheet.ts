import type { ImportedSheet } from '#contract/carbon/activity/imported-totals.ts'
import type { LocaleFormat } from '#contract/parsing/locale-format.ts'
import { writeBlock } from '#web/ui/grid/clipboard-block.ts'

const DECIMAL = /^-?\d+\.\d+$/

/**
 * The cells of a file as pasteable text. Workbook numbers always have a decimal point; it is replaced by the user's
 * decimal separator.
 */
export function blockOf(
  { lines, isWorkbook }: Pick<ImportedSheet, 'lines' | 'isWorkbook'>,
  format: LocaleFormat,
): string {
  const written = (cell: string) =>
    isWorkbook && DECIMAL.test(cell) ? cell.replace('.', format.decimal) : cell
  return writeBlock(lines.map((cells) => cells.map(written)))
}
