import { plainHeading } from './column-roles.ts'

/** Whether a cell says that the line is a credit or a correction. */
export const namesCredit = (cell: string): boolean => CREDIT.test(cell)
const CREDIT =
  /credit|correct|refund|rebill|adjust|revers|cancel|storno|gutschrift|korrektur|avoir|rectificat|abono|nota di credito|creditnota|kreditnota|korekt|koryg|dobropis|hyvitys|oprava/i

/** Whether a cell says that the line is a correction or takes the place of another one, also in short: "Corr.", "Rev". */
export const namesCorrection = (cell: string): boolean => CREDIT.test(cell) || CORRECTION.test(cell.trim())
const CORRECTION =
  /revis|amend|re-?issu|replac|supersed|updated|^(corr?|rev|adj|amd|repl|dup)\.?$|^corr[. ]|re-?bill|ersetzt|berichtigt|remplac|corrig|sustitu|sostitu|vervang/i

/** "Total", "Grand total:", "Summe 2025": the label of a line of sums. */
export const namesTotal = (cell: string): boolean => TOTAL.test(cell.trim())
/** What a line of sums is named after: "A1" of "Total A1", "Subtotal: A1" or "A1 total". Null if it isn't named like one. */
export function nameOfTotal(cell: string): string | null {
  const [, before = '', after = ''] = NAMED_TOTAL.exec(cell.trim()) ?? []
  return before || after || null
}
/** "Total January", but not the supplier of that name. */
export const startsTotal = (cell: string): boolean =>
  /^(?:grand |sub-?)?(?:totals?|summe|zwischensumme)[ :-]/i.test(cell.trim()) &&
  !/^total ?(?:energies?|access|gas|direct|fina|marketing)/i.test(cell.trim())
/** "Subtotal", which no supplier or meter is called. */
export const startsPartial = (cell: string): boolean =>
  /^(?:sub|sous|sotto|zwischen|tussen|mellan|del|grand)[ -]?/i.test(cell.trim())
const NAMED_TOTAL =
  /^(?:(.{1,80}?)[\s:-]+(?:sub-?)?totals?|(?:sub-?|sous-)?(?:totals?|summe|zwischensumme|gesamt|totale|totaal)(?: (?:for|of|f(?:ü|ue)r|de|du))?[\s:-]+(.{1,80}))$/i
const TOTAL =
  /^(grand |sub|annual |yearly |overall )?-?(totals?|sum|summe|somme|sous[- ]total|subtotaal|tussentotaal|subtotale|sottototale|subtotal parcial|delsumma|mellansumma|gesamt(summe)?|zwischensumme|total general|total général|totale|totaal|totalt|summa|suma|razem|celkem|yhteens(ä|a)|i alt|average|mean|avg|durchschnitt|moyenne|promedio|media)\b[\s:.]*(usage|use|consumption|cost|kwh|\d{4}|year|period|annuel|annual|general|général)?[\s:.]*$/i

/** What a whole cell says about a bill that isn't one. */
export const CREDIT_WORD =
  /^(credit|credit ?(note|memo|bill|invoice)|storno|stornorechnung|gutschrift|avoir|cancell?ed|cancell?ation|reversed|reversal|refund(ed)?|return(ed)?|chargeback|erstattung|r(ü|ue)ckerstattung|remboursement|rembours(é|e)|rimborso|devoluci(ó|o)n|reembolso|terugbetaling|voided?|annul(e|é)e?|abono|not[ae]s? (di |de |d')?cr(e|é)dit(o|os)?|lettre de cr(e|é)dit|creditnota|kreditnota|creditfactuur|kreditfaktura|kreditrechnung|(factura )?rectificativ[ao]|nota credito|(facture d.)?avoir|fattura di credito|(faktura )?(korekta|koryguj(ą|a)ca)|dobropis|hyvityslasku|superseded|replaced|ersetzt|remplac(é|e)e?|sustituida|sostituita|vervangen)$|^(cancell?ed|voided?|storniert|annul(e|é)e?|anulad[ao]|annullat[ao]|reversed|superseded|replaced by|void)\b/i

/** What a heading says about a bill of which the cell says yes, or which bill it cancels. */
export const CANCELS =
  /cancel|void|storn|annul|revers|credit|gutschrift|korrektur|rectif|avoir|abono|anulad|rimborso|gecrediteerd|supersed|replaced|ersetzt|remplace|sustituid|sostituit|vervangen|deleted|geloscht|ignore|rebilled|corrects|corrige|korrigiert|inactive|obsolete|excluded|exclude|rejected|archived|is test|test bill|duplicate|replaces|replaced by|revision of/
/** What a heading says about a bill of which the cell says no. */
export const HOLDS =
  /^(is )?(latest|newest|last version|aktuell|aktuellste|derniere|valid|active|gultig|aktiv|valide|valable|valida|valido|geldig|in force|current|included?|counted|approved|confirmed|use|count)$/
export const NO = /^(n|no|non|nein|nee|false|falsch|faux|falso|0|-|–|none|null|n\/?a)$/i
/** What kind of line it is: a bill or a credit, in force or not. */
export const KINDS =
  /^((document|doc|bill|billing|invoice|ticket|tkt|bol|bill of lading|delivery ticket|delivery|order|slip|load|receipt|statement|transaction|entry|posting|beleg|rechnungs?|buchungs?) ?(type|kind|art|status|state|category|class)|(line|record|row) (status|state)|(status|state|type|kind) of (the )?(bill|invoice|ticket|tkt|delivery|order|document|slip|load|bol)|type|art|kind|status|state|d c|dr cr|cr dr|debit credit|(debit credit|dr cr) indicator|indicator|sign|signe|signo|segno|vorzeichen|vorgang|belegart|rechnungsart|buchungsart|soort|tipo|genre|zustand|type de (document|facture)|tipo (de |di )?(documento|factura|fattura))$/
/** Headings that say what kind of line it is if all words below them do. */
export const MAY_SAY_KIND =
  /^(stat|flag|(bill|invoice|ticket|line|record)? ?(flag|status code|stat|code)|note type|remark type)$/
/** Headings of a yes for lines that correct others. */
export const CORRECTED =
  /^(is )?(an? )?(corrected|corr|correction|adjusted|adjustment|revised|revision|amended|amendment|reissued|rebill|rebilled|superseding|replacement)( (bill|invoice|ticket|delivery|line))?( flag| indicator)?$/
export const YES =
  /^(y|yes|j|ja|oui|s|s[iíì]|sim|true|t|wahr|vrai|x|✓|✔|1|corrected|corr\.?|revised|adjusted)$/i
/** The words of ordinary bills. Every other one is asked about. */
export const ORDINARY =
  /^(bill|billed|invoice|inv|original|orig|actual|estimated?|est|a|e|normal|regular|standard|final|monthly|cycle|current|active|issued|delivered|received|fulfilled|shipped|geliefert|livr(é|e)e?|entregad[oa]|past due|open|paid|unpaid|posted|complete|completed|ok|valid|approved|debit|dr|d|\+|re|rg|rechnung|abrechnung|schlussrechnung|facture|fattura|factura|factuur|purchase|sale|tankung|kauf|bezug|charge|usage|consumption|verbrauch|consommation|pending|due|overdue|settled|closed|bezahlt|offen|beglichen|f(ä|ae)llig|verbucht|gebucht|pag(ad|at)[oa]|pendientes?|pendentes?|cobrad[oa]|da pagare|in attesa|betaald|openstaand|pay(é|e)e?s?|r(é|e)gl(é|e)e?s?|impay(é|e)e?s?|en attente|betald|betalt|zap[łl]acon[ao]|maksettu)\.?$/i
/** The type of a document, which is no product. */
export const isDocument = (word: string): boolean =>
  ORDINARY.test(word.trim()) ||
  CREDIT_WORD.test(word.trim()) ||
  /^(c|cn|crn|gs|payment|re-?bill(ed|ing)?|re-?issued?|(corrected|revised|adjusted|amended|original|initial|final|new)( (bill|invoice|statement))?|(bill |invoice |billing )?(correction|adjustment|revision)|true[ -]?up|supplement(al|ary)?)$/i.test(
    word.trim(),
  )

/** Whether the words of a column are asked about as credits or bills that don't hold. */
export const saysKind = (title: string): boolean => {
  const heading = plainHeading(title)
  return [KINDS, HOLDS, CANCELS, CORRECTED].some((words) => words.test(heading))
}
