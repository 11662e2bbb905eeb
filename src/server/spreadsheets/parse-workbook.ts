import { readXlsx } from 'hucre/xlsx'
import { boundSheet } from './bound-sheet.ts'
import { type Sheet, SHEET_LIMITS, SheetRefusal } from './sheet.ts'
import { unpackWorkbook } from './unpack-workbook.ts'

/** All sheets of a workbook. @throws SheetRefusal if it is invalid or too large */
export async function parseWorkbook(bytes: Buffer): Promise<Sheet[]> {
  const unpacked = unpackWorkbook(bytes)
  const book = await readXlsx(unpacked, { maxRows: SHEET_LIMITS.linesWithEmpty }).catch(() => {
    throw new SheetRefusal("This workbook can't be read. Save it as XLSX or CSV again.")
  })
  return book.sheets.map(({ name, rows }) => boundSheet(name, rows))
}
