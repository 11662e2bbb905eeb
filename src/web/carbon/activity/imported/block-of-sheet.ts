import type { ImportedSheet } from '#contract/carbon/activity/imported-totals.ts'
import type { PersonFormat } from '#contract/entries/person-format.ts'
import { writeBlock } from '#web/ui/grid/clipboard-block.ts'

const DECIMAL = /^-?\d+\.\d+$/

/**
 * The cells of a file as a block that can be pasted: numbers of a workbook with the mark before decimals that the
 * person writes.
 */
export function blockOf(
  { lines, isWorkbook }: Pick<ImportedSheet, 'lines' | 'isWorkbook'>,
  format: PersonFormat,
): string {
  const written = (cell: string) =>
    isWorkbook && DECIMAL.test(cell) ? cell.replace('.', format.decimal) : cell
  return writeBlock(lines.map((cells) => cells.map(written)))
}
