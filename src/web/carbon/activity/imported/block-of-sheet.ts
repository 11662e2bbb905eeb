import type { ImportedSheet } from '#contract/carbon/activity/imported-totals.ts'
import { dateOrderOf, needsDateOrder } from '#contract/parsing/date-order.ts'
import { parseDate } from '#contract/parsing/parse-date.ts'
import type { LocaleFormat } from '#contract/parsing/locale-format.ts'
import { writeBlock } from '#web/ui/grid/clipboard-block.ts'

const DECIMAL = /^-?\d+\.\d+$/

/**
 * The cells of a file as pasteable text. Workbook numbers always have a decimal point; it is replaced by the user's
 * decimal separator. Dates are in ISO format, read in the order of the file.
 */
export function blockOf(
  { lines, isWorkbook }: Pick<ImportedSheet, 'lines' | 'isWorkbook'>,
  format: LocaleFormat,
  order: 'dmy' | 'mdy',
): string {
  const written = (cell: string) => {
    if (needsDateOrder(cell)) {
      const day = parseDate(cell, { ...format, order })
      return 'value' in day ? day.value : cell
    }
    return isWorkbook && DECIMAL.test(cell) ? cell.replace('.', format.decimal) : cell
  }
  return writeBlock(lines.map((cells) => cells.map(written)))
}

/** The order of day and month in a file, or a date that may be two days if nothing in the file proves the order. */
export function orderOfSheet({
  lines,
}: Pick<ImportedSheet, 'lines'>): { order: 'dmy' | 'mdy' } | { unclear: string } {
  const { order, ambiguous } = dateOrderOf(lines.flat())
  return order === null && ambiguous !== null ? { unclear: ambiguous } : { order: order ?? 'mdy' }
}
