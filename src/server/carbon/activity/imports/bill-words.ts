import { plainHeading, productIn } from './column-roles.ts'
import { isFlow } from './generated-lines.ts'
import type { ReadingPlan, ReadLine } from './read-line.ts'

/** Whether a cell says that the line is a credit or a correction. */
export const namesCredit = (cell: string): boolean => CREDIT.test(cell)
const CREDIT =
  /credit|correct|refund|rebill|adjust|revers|cancel|storno|gutschrift|korrektur|avoir|rectificat|abono|nota di credito|creditnota|kreditnota/i

/** What a whole cell says about a bill that isn't one. */
const CREDIT_WORD =
  /^(credit|credit ?(note|memo|bill|invoice)|storno|stornorechnung|gutschrift|avoir|cancell?ed|cancell?ation|reversed|reversal|refund(ed)?|return(ed)?|chargeback|erstattung|r(ü|ue)ckerstattung|remboursement|rembours(é|e)|rimborso|devoluci(ó|o)n|reembolso|terugbetaling|voided?|annul(e|é)e?|abono|not[ae]s? (di |de |d')?cr(e|é)dit(o|os)?|lettre de cr(e|é)dit|creditnota|kreditnota|creditfactuur|kreditfaktura|kreditrechnung|(factura )?rectificativ[ao]|nota credito|(facture d.)?avoir|fattura di credito|superseded|replaced|ersetzt|remplac(é|e)e?|sustituida|sostituita|vervangen)$|^(cancell?ed|voided?|storniert|annul(e|é)e?|anulad[ao]|annullat[ao]|reversed|superseded|replaced by|void)\b/i

/** What a heading says about a bill of which the cell says yes, or which bill it cancels. */
const CANCELS =
  /cancel|void|storn|annul|revers|credit|gutschrift|korrektur|rectif|avoir|abono|anulad|rimborso|gecrediteerd|supersed|replaced|ersetzt|remplace|sustituid|sostituit|vervangen|deleted|geloscht|ignore|rebilled|corrects|corrige|korrigiert|inactive|obsolete|excluded|exclude|rejected|archived|is test|test bill|duplicate|replaces|replaced by|revision of/
/** What a heading says about a bill of which the cell says no. */
const HOLDS =
  /^(is )?(latest|newest|last version|aktuell|aktuellste|derniere|valid|active|gultig|aktiv|valide|valable|valida|valido|geldig|in force|current|included?|counted|approved|confirmed|use|count)$/
const NO = /^(n|no|non|nein|nee|false|falsch|faux|falso|0|-|–|none|null|n\/?a)$/i
/** What kind of line it is: a bill or a credit, in force or not. */
const KINDS =
  /^((document|doc|bill|billing|invoice|transaction|entry|posting|beleg|rechnungs?|buchungs?) ?(type|kind|art|status|state|category|class)|type|art|kind|status|state|d c|dr cr|cr dr|debit credit|(debit credit|dr cr) indicator|indicator|sign|signe|signo|segno|vorzeichen|vorgang|belegart|rechnungsart|buchungsart|soort|tipo|genre|zustand|type de (document|facture)|tipo (de |di )?(documento|factura|fattura))$/
/** The words of ordinary bills. Every other one is asked about. */
const ORDINARY =
  /^(bill|billed|invoice|inv|original|actual|estimated?|est|a|e|normal|regular|standard|final|monthly|cycle|current|active|issued|open|paid|unpaid|posted|complete|completed|ok|valid|approved|debit|dr|d|\+|re|rg|rechnung|abrechnung|schlussrechnung|facture|fattura|factura|factuur|purchase|sale|tankung|kauf|bezug|charge|usage|consumption|verbrauch|consommation)$/i
/** Whether all that a word says is that the line is a bill, or what kind of reading it has. */
export const isOrdinary = (word: string): boolean => ORDINARY.test(word.trim())
/** The type of a document, which is no product. */
export const isDocument = (word: string): boolean =>
  ORDINARY.test(word.trim()) ||
  CREDIT_WORD.test(word.trim()) ||
  /^(c|cn|crn|gs|rebilled?|payment|corrected)$/i.test(word.trim())

/** Whether the words of a column are asked about as credits or bills that don't hold. */
export const saysKind = (title: string): boolean => {
  const heading = plainHeading(title)
  return KINDS.test(heading) || HOLDS.test(heading) || CANCELS.test(heading)
}
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
