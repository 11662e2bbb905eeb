import type { Sheet } from '#server/spreadsheets/sheet.ts'
import type { Cells } from './edition-line.ts'

/** Editions start with text about themselves, so the header row is searched in this many lines. */
const HEAD_WITHIN = 40

/** The header row with all `titles` titles, and the lines below it; null if the sheet has none. */
export function findHead(
  table: Sheet,
  titles: readonly RegExp[],
): { names: readonly string[]; rows: readonly Cells[] } | null {
  const at = table.lines
    .slice(0, HEAD_WITHIN)
    .findIndex((cells) => titles.every((name) => cells.some((cell) => name.test(fold(cell)))))
  const names = table.lines[at]?.map(fold)
  if (names === undefined) return null
  const places = new Map(names.map((name, place) => [name, place]))
  const rows = table.lines.slice(at + 1).flatMap((cells, below): Cells[] => {
    if (cells.every((cell) => cell === '')) return []
    const get = (...aliases: string[]) => {
      for (const name of aliases) {
        const cell = cells[places.get(name) ?? -1]
        if (cell !== undefined && cell !== '') return cell
      }
      return ''
    }
    return [{ line: at + below + 2, get }]
  })
  return { names, rows }
}

/** "GHG/Unit " and "ghg/unit" are the same title. */
const fold = (cell: string): string => cell.trim().toLowerCase().replaceAll(/\s+/g, ' ')
