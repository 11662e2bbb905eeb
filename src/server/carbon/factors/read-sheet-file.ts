import { MAX_EDITION_BYTES } from '#contract/carbon/factors/factor-editions.ts'
import type { Upload } from '#server/http/kinds.ts'
import { readSpreadsheet, wrongFile } from '#server/spreadsheets/read-spreadsheet.ts'
import type { Sheet } from '#server/spreadsheets/sheet.ts'

/**
 * The uploaded file, with its name and all of its sheets.
 * @throws Failure 400 if there is none or it can't be read; 429 while other files of the customer are being read
 */
export async function readSheetFile(
  files: Upload,
  customerId: string,
): Promise<{ name: string; tables: Sheet[] }> {
  let read: { name: string; tables: Sheet[] } | null = null
  for await (const { name, stream } of files) {
    if (read !== null) throw wrongFile('Upload one file at a time.')
    const tidy = name
      .toWellFormed()
      .replaceAll(/\p{Cc}/gu, ' ')
      .trim()
      .slice(0, 200)
    read = {
      name: tidy === '' ? 'File' : tidy,
      tables: await readSpreadsheet(stream, {
        customerId,
        maxBytes: MAX_EDITION_BYTES,
        keepsWords: true,
      }),
    }
  }
  if (read === null) throw wrongFile('Choose a file.')
  return read
}

/** The sheet with that name, or the first one that isn't empty. @throws Failure 400 if there is none, or it is too long */
export function chooseSheet(tables: readonly Sheet[], sheetName: string | null): Sheet {
  const found = sheetName === null ? tables.find(isFilled) : tables.find(({ name }) => name === sheetName)
  if (found === undefined)
    throw wrongFile(
      sheetName === null ? 'The file is empty.' : `The file doesn't have a sheet “${sheetName}”.`,
    )
  rejectTruncated(found)
  return found
}

/** @throws Failure 400 for a sheet that was cut off at the limit */
export function rejectTruncated({ name, isCut }: Sheet): void {
  if (isCut === true) throw wrongFile(`The sheet “${name}” has more than 20,000 lines. Split the file.`)
}

const isFilled = ({ lines }: Sheet): boolean => lines.some((cells) => cells.some((cell) => cell !== ''))
