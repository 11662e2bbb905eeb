import { MAX_EDITION_BYTES } from '#contract/carbon/factors/factor-editions.ts'
import type { Upload } from '#server/http/kinds.ts'
import { readSpreadsheet, wrongFile } from '#server/spreadsheets/read-spreadsheet.ts'
import type { Sheet } from '#server/spreadsheets/sheet.ts'

/**
 * The one file that was sent, by its name, with every sheet of it.
 * @throws Failure 400 where there is none, or one that cannot be read; 429 while the customer's others are read
 */
export async function readSheetFile(
  files: Upload,
  customerId: string,
): Promise<{ name: string; tables: Sheet[] }> {
  let read: { name: string; tables: Sheet[] } | null = null
  for await (const { name, stream } of files) {
    if (read !== null) throw wrongFile('Send one file.')
    const tidy = name
      .toWellFormed()
      .replaceAll(/\p{Cc}/gu, ' ')
      .trim()
      .slice(0, 200)
    read = {
      name: tidy === '' ? 'File' : tidy,
      tables: await readSpreadsheet(stream, { customerId, maxBytes: MAX_EDITION_BYTES }),
    }
  }
  if (read === null) throw wrongFile('Choose a file.')
  return read
}

/** The sheet of that name, or the first that holds something. @throws Failure 400 where there is none, or it is too long */
export function chooseSheet(tables: readonly Sheet[], wanted: string | null): Sheet {
  const found = wanted === null ? tables.find(isFilled) : tables.find(({ name }) => name === wanted)
  if (found === undefined)
    throw wrongFile(wanted === null ? 'The file has no lines.' : `The file has no sheet “${wanted}”.`)
  refuseCut(found)
  return found
}

/** @throws Failure 400 for a sheet of which only the first lines were read */
export function refuseCut({ name, isCut }: Sheet): void {
  if (isCut === true)
    throw wrongFile(
      `The sheet “${name}” has more than 20,000 lines: at most 20,000 are read. Split the file.`,
    )
}

const isFilled = ({ lines }: Sheet): boolean => lines.some((cells) => cells.some((cell) => cell !== ''))
