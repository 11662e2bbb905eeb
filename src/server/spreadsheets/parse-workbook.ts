import { readXlsx } from 'hucre/xlsx'
import { boundSheet } from './bound-sheet.ts'
import { type Sheet, SHEET_LIMITS, SheetRefusal } from './sheet.ts'
import { unpackWorkbook } from './unpack-workbook.ts'

/** Every sheet of a workbook. @throws SheetRefusal for a broken one, and for one that holds too much */
export async function parseWorkbook(bytes: Buffer): Promise<Sheet[]> {
  const unpacked = unpackWorkbook(bytes)
  const book = await readXlsx(unpacked, { maxRows: SHEET_LIMITS.linesWithEmpty }).catch(() => {
    throw new SheetRefusal('This workbook cannot be read. Save it as XLSX or CSV again.')
  })
  return book.sheets.map(({ name, rows }) => boundSheet(name, rows))
}
