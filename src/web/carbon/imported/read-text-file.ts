import { parseCsv } from 'hucre/csv'
import { writeBlock } from '#web/ui/grid/clipboard-block.ts'

/** A CSV file (comma, semicolon or tab; UTF-8, else Windows) as a block that can be pasted into a grid. */
export async function readTextFile(file: Blob): Promise<string> {
  const text = decode(await file.arrayBuffer())
  const head = text.slice(0, 4_000)
  const delimiter =
    [',', ';', '\t'].toSorted((one, other) => countOf(head, other) - countOf(head, one))[0] ?? ','
  const rows = parseCsv(text, { typeInference: false, delimiter })
  return writeBlock(rows.map((cells) => cells.map((cell) => (cell === null ? '' : String(cell)).trim())))
}

const countOf = (text: string, sign: string): number => text.split(sign).length - 1

function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
