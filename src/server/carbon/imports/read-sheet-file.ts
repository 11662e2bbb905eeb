import type { Upload } from '#server/http/kinds.ts'
import { readTables, type Table, wrongFile } from '../editions/table.ts'

/**
 * The one file that was sent, by its name, with every sheet of it.
 * @throws Failure 400 where there is none, or one that cannot be read.
 */
export async function readSheetFile(files: Upload): Promise<{ name: string; tables: Table[] }> {
  let read: { name: string; tables: Table[] } | null = null
  for await (const { name, stream } of files) {
    if (read !== null) throw wrongFile('Send one file.')
    const tidy = name
      .toWellFormed()
      .replaceAll(/\p{Cc}/gu, ' ')
      .trim()
      .slice(0, 200)
    read = { name: tidy === '' ? 'File' : tidy, tables: await readTables(stream) }
  }
  if (read === null) throw wrongFile('Choose a file.')
  return read
}

/** The sheet of that name, or the first that holds something. @throws Failure 400 where there is none. */
export function chooseSheet(tables: readonly Table[], wanted: string | null): Table {
  const found = wanted === null ? tables.find(isFilled) : tables.find(({ name }) => name === wanted)
  if (found === undefined)
    throw wrongFile(wanted === null ? 'The file has no lines.' : `The file has no sheet “${wanted}”.`)
  return found
}

const isFilled = ({ lines }: Table): boolean => lines.some((cells) => cells.some((cell) => cell !== ''))
