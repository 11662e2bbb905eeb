import {
  CANCELS,
  CORRECTED,
  CREDIT_WORD,
  HOLDS,
  isDocument,
  KINDS,
  MAY_SAY_KIND,
  namesCorrection,
  NO,
  ORDINARY,
  saysKind,
  YES,
} from './bill-words.ts'
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
    if (cell === '') return false
    return NO.test(cell) ? one.holds : one.cancels || (one.corrects && YES.test(cell))
  })
  return flag === undefined
    ? null
    : { id: `word:${flag.title.toLowerCase()}`, word: `${flag.title}: ${cellOf(flag)}` }
}

type WordColumn = {
  place: number
  title: string
  holds: boolean
  cancels: boolean
  corrects: boolean
}
type WordColumns = { kinds: readonly WordColumn[]; flags: readonly WordColumn[] }
const knownWordColumns = new WeakMap<ReadingPlan['proposal']['evidence'], WordColumns>()

/** The columns that say what kind of line it is, and those that say whether it holds: once for each file. */
function wordColumns(evidence: ReadingPlan['proposal']['evidence']): WordColumns {
  const known = knownWordColumns.get(evidence)
  if (known !== undefined) return known
  const found: { kinds: WordColumn[]; flags: WordColumn[] } = { kinds: [], flags: [] }
  for (const { place, title, role, unit, isDate, values, cells } of evidence) {
    const heading = plainHeading(title)
    // "Revision" may be 1 for all lines.
    const isSame = new Set(cells).size === 1 && /^\d/.test(cells[0] ?? '')
    const corrects = CORRECTED.test(heading) && !isSame
    const column = { place, title, holds: HOLDS.test(heading), cancels: CANCELS.test(heading), corrects }
    // "Cancelled on" has a day only for some bills.
    if (isDate) {
      if (column.cancels && !/bill|invoice|rechnung|facture/.test(heading)) found.flags.push(column)
    } else if (KINDS.test(heading) || saysKindHere(heading, values)) {
      const words = new Set(cells.filter((one) => one !== ''))
      // Corrections may be the only lines that say something.
      const isSaid = words.size > 1 || [...words].some(namesCorrection)
      if (isSaid && words.size <= MOST_KINDS) found.kinds.push(column)
    } else {
      const isFigure = FIGURE_ROLES.has(role) || unit !== null || values.some((text) => /\d[.,]\d/.test(text))
      if (!isFigure && (column.holds || column.cancels || corrects)) found.flags.push(column)
    }
  }
  knownWordColumns.set(evidence, found)
  return found
}

/** "Flag" may say anything: a kind of line only if all of its words do, and one names a correction. */
const saysKindHere = (heading: string, values: readonly string[]): boolean =>
  (MAY_SAY_KIND.test(heading) || CORRECTED.test(heading)) &&
  values.every((word) => isDocument(word) || namesCorrection(word)) &&
  values.some(namesCorrection)

/** Whether words of a column say what kind of line each is, so that they are asked about as such. */
export const areKinds = (title: string, values: readonly string[]): boolean =>
  saysKind(title) || saysKindHere(plainHeading(title), values)
