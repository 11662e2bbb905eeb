import {
  IMPORTED_TITLES,
  type ImportedSheet,
  MAX_IMPORTED,
} from '#contract/carbon/activity/imported-totals.ts'
import type { Upload } from '#server/http/kinds.ts'
import { wrongFile } from '#server/spreadsheets/read-spreadsheet.ts'
import { chooseSheet, readSheetFile } from '../../factors/read-sheet-file.ts'

/** Reports start with text about themselves, so the header row is searched in this many lines. */
const HEAD_WITHIN = 40
const KNOWN_TITLES: ReadonlySet<string> = new Set(
  Object.entries(IMPORTED_TITLES).flatMap(([key, title]) => [key.toLowerCase(), title.toLowerCase()]),
)

/**
 * The cells of a file of totals, from the header row on. Without a header row, the columns are in the order of the screen.
 * @throws Failure 400 if there is no file, it can't be read, or it has too many rows.
 */
export async function readImportedFile(
  files: Upload,
  { customerId, sheetName }: { customerId: string; sheetName: string | null },
): Promise<ImportedSheet> {
  const { tables } = await readSheetFile(files, customerId)
  const table = chooseSheet(tables, sheetName)
  const filled = table.lines.filter((cells) => cells.some((cell) => cell !== ''))
  const head = filled.slice(0, HEAD_WITHIN).findIndex((cells) => cells.filter(isTitle).length >= 2)
  const lines = filled.slice(Math.max(0, head))
  const rows = head < 0 ? lines.length : lines.length - 1
  if (rows > MAX_IMPORTED)
    throw wrongFile(
      `The sheet has ${rows.toLocaleString('en')} rows. At most ${MAX_IMPORTED.toLocaleString('en')} can be imported at a time. Split the file.`,
    )
  return {
    sheets: tables.map(({ name, lines: all }) => ({
      name,
      lines: all.filter((cells) => cells.some((cell) => cell !== '')).length,
    })),
    sheet: table.name,
    lines: lines.map((cells) => [...cells]),
    isWorkbook: table.isText !== true,
  }
}

const isTitle = (cell: string): boolean => KNOWN_TITLES.has(cell.trim().toLowerCase())
