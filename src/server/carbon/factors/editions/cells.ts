import type { Sheet } from '#server/spreadsheets/sheet.ts'
import type { Cells } from './figure-line.ts'

/** Editions begin with words about themselves: the head is looked for in so many lines. */
const HEAD_WITHIN = 40

/** A head with all of `wanted`, and the lines below it; null where the table has none. */
export function findHead(
  table: Sheet,
  wanted: readonly RegExp[],
): { names: readonly string[]; rows: readonly Cells[] } | null {
  const at = table.lines
    .slice(0, HEAD_WITHIN)
    .findIndex((cells) => wanted.every((name) => cells.some((cell) => name.test(fold(cell)))))
  const names = table.lines[at]?.map(fold)
  if (names === undefined) return null
  const places = new Map(names.map((name, place) => [name, place]))
  const rows = table.lines.slice(at + 1).flatMap((cells, below): Cells[] => {
    if (cells.every((cell) => cell === '')) return []
    const get = (...wantedNames: string[]) => {
      for (const name of wantedNames) {
        const cell = cells[places.get(name) ?? -1]
        if (cell !== undefined && cell !== '') return cell
      }
      return ''
    }
    return [{ line: at + below + 2, get }]
  })
  return { names, rows }
}

/** "GHG/Unit " and "ghg/unit" are one name. */
const fold = (cell: string): string => cell.trim().toLowerCase().replaceAll(/\s+/g, ' ')
