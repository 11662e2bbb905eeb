import { CELL, ITEM } from './line-marks.ts'
import { knownLabel, labelWords } from './mail-labels.ts'

/** In lines: a numbered name is followed by how to reach them. */
const LABEL = /^\s*(?:[*•·\-–>]+\s*)?([^\s:=|][^:=|\n]{0,60}?)\s*[:=]/
const NUMBERED = /^\s*(?:\(?\d{1,3}[.)]|#\d{1,3}[.:)]?)\s+(\S.{0,120})$/
/** "Lead 2", "**** Lead #2 of 3 ****". */
const HEADING =
  /^\W{0,20}(?:new )?(?:lead|inquiry|enquiry|request|prospect|customer|anfrage|kontakt|demande|contacto|consulta|cliente)\s?(?:#|no\.?|number|nr\.?)?\s?\d{1,3}(?:\s?(?:of|von|de|sur|\/)\s?\d{1,3})?\W{0,20}$/i
const PERSON_NAME = /^\p{Lu}[\p{L}\p{N}'’.-]*(?: [\p{L}\p{N}'’.,-]+){0,4}$/u

/** Lines whose lists are made plain: rows with bars between their cells become cells, and entries begin with `ITEM`. */
export function listLines(lines: readonly string[]): string[] {
  return withItems(withCells(lines))
}

/** "Name | Email | Message" above rows of as many cells, as people type tables. */
function withCells(lines: readonly string[]): string[] {
  const made: string[] = []
  let columns = 0
  for (const [at, line] of lines.entries()) {
    const cells = cellsOf(line)
    if (columns === 0 && isHead(cells) && cellsOf(lines[at + 1] ?? '').length === cells.length)
      columns = cells.length
    if (columns > 0 && cells.length !== columns) columns = 0
    if (columns === 0) made.push(line)
    else if (/[\p{L}\p{N}]/u.test(line)) made.push(cells.join(CELL))
  }
  return made
}

const cellsOf = (line: string): string[] =>
  line.includes('|') && !line.includes(CELL)
    ? line
        .trim()
        .replaceAll(/^\||\|$/g, '')
        .split('|')
        .map((cell) => cell.trim())
    : []

const isHead = (cells: readonly string[]): boolean =>
  cells.length > 2 &&
  cells.every((cell) => cell !== '' && cell.length <= 60 && !cell.includes(':')) &&
  cells.filter((cell) => knownLabel(cell, null) !== null).length > cells.length / 2

function withItems(lines: readonly string[]): string[] {
  return lines.map((line, at) => {
    if (HEADING.test(line)) return kindOf(nextOf(lines, at)) === null ? line : `${ITEM}${line}`
    const rest = NUMBERED.exec(line)?.[1]?.trim()
    if (rest === undefined) return line
    const below = nextOf(lines, at)
    if (NUMBERED.test(below)) return line
    const next = kindOf(below)
    if (kindOf(rest) === 'name' || kindOf(rest) === 'firstName')
      return next === null ? line : `${ITEM}${rest}`
    const isName = PERSON_NAME.test(rest) && (next === 'email' || next === 'phone')
    return isName ? `${ITEM}Name: ${rest}` : line
  })
}

const nextOf = (lines: readonly string[], at: number): string =>
  lines.slice(at + 1, at + 4).find((line) => line.trim() !== '') ?? ''

/** What the label at the start of a line means. */
function kindOf(line: string): string | null {
  const label = LABEL.exec(line)?.[1] ?? line.split(CELL)[0] ?? ''
  return label.length > 60 || labelWords(label) === '' ? null : (knownLabel(label, null)?.kind ?? null)
}
