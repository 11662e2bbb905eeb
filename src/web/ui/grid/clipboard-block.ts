/**
 * Parses a block from a spreadsheet's clipboard: separated by tabs and line breaks, with double quotes around cells
 * that contain one of these or a quote. A final line break adds no row.
 */
export function readBlock(text: string): string[][] {
  const rows: string[][] = [[]]
  let cell = ''
  let isQuoted = false
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at)
    if (isQuoted) {
      if (sign !== '"') cell += sign
      else if (text.charAt(at + 1) === '"') {
        cell += '"'
        at += 1
      } else isQuoted = false
    } else if (sign === '"' && cell === '' && closes(text, at)) isQuoted = true
    else if (sign === '\t') {
      rows.at(-1)?.push(cell)
      cell = ''
    } else if (sign === '\n' || sign === '\r') {
      if (sign === '\r' && text.charAt(at + 1) === '\n') at += 1
      rows.at(-1)?.push(cell)
      cell = ''
      if (at < text.length - 1) rows.push([])
    } else cell += sign
  }
  if (cell !== '' || !/[\r\n]$/.test(text)) rows.at(-1)?.push(cell)
  return rows
}

/** A quote that opens a cell must be closed before a tab, line break or the end; otherwise it means inches. */
function closes(text: string, from: number): boolean {
  for (let at = from + 1; at < text.length; at += 1) {
    if (text.charAt(at) !== '"') continue
    if (text.charAt(at + 1) !== '"') return /^[\t\r\n]?$/.test(text.charAt(at + 1))
    at += 1
  }
  return false
}

/** Writes a block for the clipboard, in the format spreadsheets read. */
export function writeBlock(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => cells.map(quote).join('\t')).join('\r\n')
}

const quote = (cell: string) =>
  /[\t\r\n]/.test(cell) || cell.startsWith('"') ? `"${cell.replaceAll('"', '""')}"` : cell
