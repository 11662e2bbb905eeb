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
import { isDeliveryWay, isPlain, saysOtherwise, sharedWords } from './plain-words.ts'
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
  { raw, source, isOpen }: ReadLine,
  { proposal, mapping }: ReadingPlan,
): { id: string; word: string } | null {
  const own = raw.find((cell) => CREDIT_WORD.test(cell.trim()))?.trim()
  if (own !== undefined) return { id: `word:${own.toLowerCase()}`, word: own }
  const mapped = Object.values(mapping.columns)
  const { kinds, flags, others } = wordColumns(proposal.evidence)
  const cellOf = ({ place }: WordColumn) => (mapped.includes(place) ? '' : (raw[place]?.trim() ?? ''))
  const kind = kinds.find((one) => {
    const cell = cellOf(one)
    if (cell === '' || ORDINARY.test(cell) || isDeliveryWay(cell)) return false
    const product = productIn(cell, source?.activity ?? '')
    // What else was bought is asked about as such, unless it says more: "Diesel canceled", "Not delivered".
    return product === null && !isFlow(cell)
      ? true
      : !isPlain(cell, one.shared) && !isOtherProduct(cell, { product, isOpen })
  })
  if (kind !== undefined)
    return { id: `word:${cellOf(kind).toLowerCase()}`, word: `${kind.title}: ${cellOf(kind)}` }
  const other = others.find(({ place }) => {
    const isHidden = mapped.includes(place) && !MAY_SAY_MORE.some((field) => mapping.columns[field] === place)
    return !isHidden && saysOtherwise(raw[place]?.trim() ?? '')
  })
  if (other !== undefined) {
    const word = raw[other.place]?.trim() ?? ''
    return { id: `word:${word.toLowerCase()}`, word: `${other.title}: ${word}` }
  }
  const flag = flags.find((one) => {
    const cell = cellOf(one)
    if (cell === '') return false
    return NO.test(cell) ? one.holds : one.cancels || (one.corrects && YES.test(cell))
  })
  return flag === undefined
    ? null
    : { id: `word:${flag.title.toLowerCase()}`, word: `${flag.title}: ${cellOf(flag)}` }
}

/** Another fuel or charge is asked about as a product first. */
const isOtherProduct = (
  cell: string,
  { product, isOpen }: Pick<ReadLine, 'isOpen'> & { product: ReturnType<typeof productIn> },
): boolean => product === 'other' && (isOpen || (!namesCorrection(cell) && !SAYS_NO.test(cell)))
const SAYS_NO = /\b(not|void|cancel|un[a-z]+ed)/i

/** Columns that are read as something else, and may say that a bill doesn't hold. */
const MAY_SAY_MORE = ['source', 'comment', 'quality'] as const
/** Columns whose words may be names that sound like corrections. */
const NO_WORDS =
  /(^| )(meters?|tanks?|rates?|tariffs?|payment|paid|company|supplier|vendor|name|address)( |$)/

type WordColumn = {
  place: number
  title: string
  /** The words that all of its cells have. */
  shared: ReadonlySet<string>
  holds: boolean
  cancels: boolean
  corrects: boolean
}
type WordColumns = {
  kinds: readonly WordColumn[]
  flags: readonly WordColumn[]
  /** The places of other columns in which a cell says that its line doesn't hold. */
  others: readonly { place: number; title: string }[]
}
const knownWordColumns = new WeakMap<ReadingPlan['proposal']['evidence'], WordColumns>()

/** The columns that say what kind of line it is, and those that say whether it holds: once for each file. */
function wordColumns(evidence: ReadingPlan['proposal']['evidence']): WordColumns {
  const known = knownWordColumns.get(evidence)
  if (known !== undefined) return known
  const found: { kinds: WordColumn[]; flags: WordColumn[]; others: WordColumns['others'][number][] } = {
    kinds: [],
    flags: [],
    others: [],
  }
  for (const { place, title, role, unit, isDate, values, cells } of evidence) {
    const heading = plainHeading(title)
    // "Revision" may be 1 for all lines.
    const isSame = new Set(cells).size === 1 && /^\d/.test(cells[0] ?? '')
    const corrects = CORRECTED.test(heading) && !isSame
    const shared = sharedWords(values)
    const column = {
      place,
      title,
      shared,
      holds: HOLDS.test(heading),
      cancels: CANCELS.test(heading),
      corrects,
    }
    if (mayAskWords(title) && !isDate && values.some(saysOtherwise)) found.others.push({ place, title })
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

const mayAskWords = (title: string): boolean => !NO_WORDS.test(plainHeading(title))

/** Whether a cell is asked about because it says that its line doesn't hold, in whatever column. */
export const isAskedAsWord = (title: string, cell: string): boolean =>
  mayAskWords(title) && saysOtherwise(cell)

/** "Flag" may say anything: a kind of line only if all of its words do, and one names a correction. */
const saysKindHere = (heading: string, values: readonly string[]): boolean =>
  (MAY_SAY_KIND.test(heading) || CORRECTED.test(heading)) &&
  values.every((word) => isDocument(word) || namesCorrection(word)) &&
  values.some(namesCorrection)

/** Whether words of a column say what kind of line each is, so that they are asked about as such. */
export const areKinds = (title: string, values: readonly string[]): boolean =>
  saysKind(title) || saysKindHere(plainHeading(title), values)
