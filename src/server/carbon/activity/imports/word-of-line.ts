import { CANCELS, CREDIT_WORD, HOLDS, KINDS, NO, ORDINARY } from './bill-words.ts'
import { plainHeading, productIn } from './column-roles.ts'
import { isFlow } from './generated-lines.ts'
import type { ReadingPlan, ReadLine } from './read-line.ts'

const MOST_KINDS = 8
const FIGURE_ROLES: ReadonlySet<string | null> = new Set([
  'cost',
  'price',
  'amount',
  'use',
  'multiplier',
  'other',
])

/**
 * What a line calls itself: a cell that is such a word, one that is no ordinary word below "Document type" or "D/C", or one below
 * "Cancelled" that doesn't say no.
 */
export function wordOf(
  { raw, source }: ReadLine,
  { proposal, mapping }: ReadingPlan,
): { id: string; word: string } | null {
  const own = raw.find((cell) => CREDIT_WORD.test(cell.trim()))?.trim()
  if (own !== undefined) return { id: `word:${own.toLowerCase()}`, word: own }
  const mapped = Object.values(mapping.columns)
  const { kinds, flags } = wordColumns(proposal.evidence)
  const cellOf = ({ place }: WordColumn) => (mapped.includes(place) ? '' : (raw[place]?.trim() ?? ''))
  const kind = kinds.find((one) => {
    const cell = cellOf(one)
    if (cell === '' || ORDINARY.test(cell)) return false
    return productIn(cell, source?.activity ?? '') === null && !isFlow(cell)
  })
  if (kind !== undefined)
    return { id: `word:${cellOf(kind).toLowerCase()}`, word: `${kind.title}: ${cellOf(kind)}` }
  const flag = flags.find((one) => {
    const cell = cellOf(one)
    return cell !== '' && (NO.test(cell) ? one.holds : one.cancels)
  })
  return flag === undefined
    ? null
    : { id: `word:${flag.title.toLowerCase()}`, word: `${flag.title}: ${cellOf(flag)}` }
}

type WordColumn = { place: number; title: string; holds: boolean; cancels: boolean }
type WordColumns = { kinds: readonly WordColumn[]; flags: readonly WordColumn[] }
const knownWordColumns = new WeakMap<ReadingPlan['proposal']['evidence'], WordColumns>()

/** The columns that say what kind of line it is, and those that say whether it holds: once for each file. */
function wordColumns(evidence: ReadingPlan['proposal']['evidence']): WordColumns {
  const known = knownWordColumns.get(evidence)
  if (known !== undefined) return known
  const found: { kinds: WordColumn[]; flags: WordColumn[] } = { kinds: [], flags: [] }
  for (const { place, title, role, unit, isDate, values, cells } of evidence) {
    const heading = plainHeading(title)
    const column = { place, title, holds: HOLDS.test(heading), cancels: CANCELS.test(heading) }
    // "Cancelled on" has a day only for some bills.
    if (isDate) {
      if (column.cancels && !/bill|invoice|rechnung|facture/.test(heading)) found.flags.push(column)
    } else if (KINDS.test(heading)) {
      const { size } = new Set(cells.filter((one) => one !== ''))
      if (size >= 2 && size <= MOST_KINDS) found.kinds.push(column)
    } else {
      const isFigure = FIGURE_ROLES.has(role) || unit !== null || values.some((text) => /\d[.,]\d/.test(text))
      if (!isFigure && (column.holds || column.cancels)) found.flags.push(column)
    }
  }
  knownWordColumns.set(evidence, found)
  return found
}
