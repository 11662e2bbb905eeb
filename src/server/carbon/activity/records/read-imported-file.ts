import {
  IMPORTED_TITLES,
  type ImportedSheet,
  MAX_IMPORTED,
} from '#contract/carbon/activity/imported-totals.ts'
import type { Upload } from '#server/http/kinds.ts'
import { wrongFile } from '#server/spreadsheets/read-spreadsheet.ts'
import { chooseSheet, readSheetFile } from '../imports/read-sheet-file.ts'

/** Reports begin with words about themselves: the head is looked for in so many lines. */
const HEAD_WITHIN = 40
const KNOWN: ReadonlySet<string> = new Set(
  Object.entries(IMPORTED_TITLES).flatMap(([key, title]) => [key.toLowerCase(), title.toLowerCase()]),
)

/**
 * The cells of a file of totals, from its head on. A file without a head has its columns in the order of the screen.
 * @throws Failure 400 where there is no file, it cannot be read, or has more lines than are brought in at once.
 */
export async function readImportedFile(
  files: Upload,
  { customerId, wanted }: { customerId: string; wanted: string | null },
): Promise<ImportedSheet> {
  const { tables } = await readSheetFile(files, customerId)
  const table = chooseSheet(tables, wanted)
  const filled = table.lines.filter((cells) => cells.some((cell) => cell !== ''))
  const head = filled.slice(0, HEAD_WITHIN).findIndex((cells) => cells.filter(isTitle).length >= 2)
  const lines = filled.slice(Math.max(0, head))
  const rows = head < 0 ? lines.length : lines.length - 1
  if (rows > MAX_IMPORTED)
    throw wrongFile(
      `The sheet has ${rows.toLocaleString('en')} rows: at most ${MAX_IMPORTED.toLocaleString('en')} are imported at once. Cut the file in two.`,
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

const isTitle = (cell: string): boolean => KNOWN.has(cell.trim().toLowerCase())
