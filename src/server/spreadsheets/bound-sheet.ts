import { capitalize } from '#contract/capitalize.ts'
import { figure, type Sheet, SHEET_LIMITS, type SheetBounds, SheetRefusal } from './sheet.ts'

/**
 * Converts a sheet's values to text, without trailing empty cells and lines.
 * @throws SheetRefusal if there are too many columns or cells, or too much text
 */
export function boundSheet(
  name: string,
  rows: readonly (readonly unknown[])[],
  bounds: SheetBounds = SHEET_LIMITS,
): Sheet {
  const lines: string[][] = []
  let [filled, cells, characters] = [0, 0, 0]
  for (const [place, row] of rows.entries()) {
    if (filled === bounds.lines || place === bounds.linesWithEmpty)
      return rows.slice(place).some((rest) => rest.some((cell) => showCell(cell) !== ''))
        ? { name, lines: withoutEmptyEnd(lines), isCut: true }
        : { name, lines: withoutEmptyEnd(lines) }
    const width = row.findLastIndex((cell) => cell !== null && cell !== undefined && cell !== '') + 1
    const where = `${name === 'CSV' ? '' : `Sheet “${name.slice(0, 60)}”, `}line ${figure(place + 1)}`
    if (width > SHEET_LIMITS.columns)
      throw new SheetRefusal(
        `${capitalize(where)} has ${figure(width)} columns. The limit is ${figure(SHEET_LIMITS.columns)}. Remove those you don't need.`,
      )
    // CSV lines keep trailing empty cells, because a form may recognize its columns by them.
    const line = row.slice(0, Math.max(width, Math.min(row.length, SHEET_LIMITS.columns))).map(showCell)
    for (const cell of line) {
      characters += cell.length
      if (cell.length > SHEET_LIMITS.cellLength)
        throw new SheetRefusal(
          `${capitalize(where)} has a cell with more than ${figure(SHEET_LIMITS.cellLength)} characters.`,
        )
    }
    cells += line.length
    if (width > 0) filled += 1
    if (cells > bounds.cells || characters > SHEET_LIMITS.textLength)
      throw new SheetRefusal(
        `${name === 'CSV' ? 'The file' : `Sheet “${name.slice(0, 60)}”`} has more than ${cells > bounds.cells ? `${figure(bounds.cells)} cells` : `${figure(SHEET_LIMITS.textLength)} characters`} up to line ${figure(place + 1)}. Split it, or remove columns you don't need.`,
      )
    lines.push(line)
  }
  return { name, lines }
}

const withoutEmptyEnd = (lines: readonly string[][]): string[][] =>
  lines.slice(0, lines.findLastIndex((cells) => cells.some((cell) => cell !== '')) + 1)

/** A cell as text. Later, figures are parsed as decimals. */
function showCell(cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  if (cell instanceof Date) {
    const text = cell.toISOString()
    return text.slice(11, 16) === '00:00' ? text.slice(0, 10) : `${text.slice(0, 10)} ${text.slice(11, 16)}`
  }
  return typeof cell === 'string' || typeof cell === 'number' || typeof cell === 'boolean'
    ? String(cell).trim()
    : ''
}
