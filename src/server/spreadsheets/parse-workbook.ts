import { readXlsx } from 'hucre/xlsx'
import { boundSheet } from './bound-sheet.ts'
import { shownWith } from './number-words.ts'
import { type Sheet, SHEET_LIMITS, SheetRefusal } from './sheet.ts'
import { unpackWorkbook } from './unpack-workbook.ts'

/**
 * All sheets of a workbook.
 * @param keepsWords whether figures keep the words of their format: 12.5 shown as "12.5 MWh" is that.
 * @throws SheetRefusal if it is invalid or too large
 */
export async function parseWorkbook(bytes: Buffer, { keepsWords = false } = {}): Promise<Sheet[]> {
  const unpacked = unpackWorkbook(bytes)
  const readStyles = keepsWords && HAS_WORDS.test(unpacked.toString('latin1'))
  const book = await readXlsx(unpacked, { maxRows: SHEET_LIMITS.linesWithEmpty, readStyles }).catch(() => {
    throw new SheetRefusal("This workbook can't be read. Save it as XLSX or CSV again.")
  })
  return book.sheets.map(({ name, rows, cells }) => {
    if (!readStyles || cells === undefined) return boundSheet(name, rows)
    return boundSheet(
      name,
      rows.map((row, line) =>
        row.map((value, place) =>
          typeof value === 'number' ? shownWith(value, cells.get(`${line},${place}`)?.style?.numFmt) : value,
        ),
      ),
    )
  })
}

/** A format with words or a currency. Most workbooks have none, and reading styles takes memory. */
const HAS_WORDS =
  /formatCode="[^"]*(&quot;[^"]*[^\s&"()-]+&quot;|\[\$[^\]-]|\u00e2\u0082\u00ac|\u00c2[\u00a3\u00a5])/
