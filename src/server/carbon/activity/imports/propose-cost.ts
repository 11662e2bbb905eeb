import type { ColumnEvidence } from './column-evidence.ts'
import { carrierIn, plainHeading } from './column-roles.ts'
import { choiceOf, findTotal } from './propose-quantity.ts'
import { figuresOf, FORMATS } from './read-amount.ts'

/** `choices`: several columns may be what the bill cost. */
export type CostProposal = { column: number | null; choices: readonly { value: string; label: string }[] }

/** Money of other bills: what was owed before, and what was paid. */
const BALANCE =
  /(previous|prior|last|past|opening|forward|beginning|outstanding)\W*(balance|due|amount|bill)|past due|carried forward|balance forward|payments?( |$)|\bpaid\b|vorheriger? saldo|anzahlung|abschlag|(solde|saldo|montant|importe|importo) (anterieur|precedente?|anterior|reporte)|ancien solde|report( |$)|saldo vorig/i
const DUE =
  /\bdue\b|payable|balance|a payer|zu zahlen|zahlbetrag|a pagar|da pagare|te betalen|\bsolde\b|\bsaldo\b/i
/** A part of every bill. */
const PART = /vat|\btax(es)?\b|tax amount|mwst|\bust\b|tva|iva|btw|moms|\bfees?\b|surcharge|\bnet\b|netto/i
/** Charged beside the energy. A bill has a cost of its own. */
const PIECE =
  /standing|(customer|service|delivery|supply|distribution|transmission|connection|meter|basic|fixed|capacity|demand|network) (charge|fee)|^(vat|tax|taxes|fees?)\b|grundpreis|grundgeb|abonnement|netzentgelt/i
const WHOLE = /total|\bincl?\b|including|gross|gesamt|brutto|ttc|totaal|totale/i
/** What is taken off a bill, or added because it was late. */
const REDUCTION =
  /discount|rebate|rabatt|remise|descuento|sconto|korting|\bcredits?\b|interest|zinsen|late (fee|charge)/
/** Money that nobody was charged, or not yet. */
const NO_COST =
  /savings?|\bscale|multiplier|\bsaved\b|avoid(ed|ance)|budget|forecast|target|einsparung|ahorro|economies|risparmio|deposit/
const OLD =
  /(^| )(previous|prior|past due|arrears|deposit|old|vormonat|ruckstand|arriere|pendiente|arretrati)( |$)/
const TAX = /(^| )(vat|tax|taxes|mwst|ust|tva|iva|btw|moms|gst|hst|pst)( |$)/
const NET = /\b(net|netto)\b/
const ONLY_NET = /^(net|netto|gross|brutto|total)$/i
/** The first that one column matches alone decides. */
const RANKS: readonly RegExp[] = [
  /\b(current|new|this (month|period|bill)|courante?|actuelle?|aktuelle\w*|corriente|attuale)\b/i,
  WHOLE,
  /billed|invoiced|factur|rechnung|fattura|\bbill\b/i,
  DUE,
]

/**
 * Which column is what the bill cost: the sum of all other money of a line, or the only one that says so. Never what was owed
 * before, nor a tax. Several that may be it are asked about.
 * @param activity of the source: the cost of the gas is none of the electricity.
 * @param isAmountMoney whether "Amount" can't be the quantity.
 * @param isOfSeveral the lines have the uses of several energies.
 */
export function proposeCost(
  columns: readonly ColumnEvidence[],
  {
    activity,
    isAmountMoney,
    isOfSeveral,
  }: { activity: string; isAmountMoney: boolean; isOfSeveral: boolean },
): CostProposal {
  // Beside what was sent back to the grid, "Net" is energy.
  const hasGeneration = columns.some(({ role, isNumeric }) => role === 'generation' && isNumeric)
  const all = columns.filter(
    ({ role, title, isNumeric, unit }) =>
      isNumeric &&
      // "Full charge (lb)" is no money.
      unit === null &&
      // "Cost / kWh" is a rate.
      !/\/\s*(\p{L}{1,3}wh|kw|therm|ccf|mcf|gal|m3|m³|gj|mj|l|unit|day|month)/iu.test(title) &&
      !(hasGeneration && ONLY_NET.test(title.trim())) &&
      carrierIn(title, activity) !== 'other' &&
      !NO_COST.test(plainHeading(title)) &&
      (role === 'cost' || (role === 'amount' && isAmountMoney)),
  )
  // Beside the costs or uses of other energy, a total is of all of them.
  const isOther = ({ role, title, isNumeric, unit }: ColumnEvidence) =>
    isNumeric && (role === 'cost' || unit !== null) && carrierIn(title, activity) === 'other'
  const hasOthers = isOfSeveral || columns.some(isOther)
  if (hasOthers) {
    const own = all.filter(({ title }) => carrierIn(title, activity) === 'own')
    const [cost, ...more] = own
    return cost !== undefined && more.length === 0
      ? { column: cost.place, choices: [] }
      : { column: null, choices: (own.length === 0 ? all : own).map(choiceOf) }
  }
  const is =
    (pattern: RegExp) =>
    ({ title }: ColumnEvidence) =>
      pattern.test(plainHeading(title))
  const hasBalance = all.some(is(BALANCE))
  // What is due includes what was not paid before.
  const bills = all.filter((one) => !is(BALANCE)(one) && !is(REDUCTION)(one) && !(hasBalance && is(DUE)(one)))
  const [net, ...nets] = bills.filter(is(NET))
  // Beside a discount, the net amount is what was paid.
  const isReduced = columns.some((one) => one.isNumeric && is(REDUCTION)(one))
  if (isReduced && net !== undefined && nets.length === 0) return { column: net.place, choices: [] }
  // With an old balance, a total is more than this bill.
  const hasDebt = columns.some(
    (one) => one.isNumeric && (is(BALANCE)(one) || OLD.test(plainHeading(one.title))),
  )
  const total = bills.length > 2 && !hasDebt ? findTotal(bills) : undefined
  if (total !== undefined) return { column: total.place, choices: [] }
  const money = bills.filter((one) => !is(PIECE)(one))
  const [only, ...others] = money
  if (only === undefined) return { column: null, choices: bills.map(choiceOf) }
  // A tax alone is no cost of a bill.
  if (others.length === 0) return settled(only, bills, hasDebt)
  const costs = money.filter((one) => !is(PART)(one) || is(WHOLE)(one))
  for (const rank of RANKS) {
    const [found, ...more] = costs.filter(is(rank))
    if (found !== undefined && more.length === 0) return settled(found, bills, hasDebt)
  }
  const [one, ...rivals] = costs
  if (one !== undefined && rivals.length === 0) return settled(one, bills, hasDebt)
  return { column: null, choices: (costs.length === 0 ? money : costs).map(choiceOf) }
}

/** The column, unless it is a tax, a balance beside other money, or less than another one in every line: then the user is asked. */
function settled(column: ColumnEvidence, bills: readonly ColumnEvidence[], hasDebt: boolean): CostProposal {
  const plain = plainHeading(column.title)
  const isTax = TAX.test(plain) && !WHOLE.test(plain)
  const isBalance = /balance|saldo|solde/.test(plain) && bills.length > 1
  // What is due may include what was not paid before.
  const others = bills.filter((one) => one !== column && !DUE.test(plainHeading(one.title)))
  const isLess = others.some((other) =>
    FORMATS.some((format) => {
      const lines = figuresOf([column, other], format)
      return (
        lines.length > 0 &&
        lines.every(([own, more]) => own !== undefined && more !== undefined && own.lt(more))
      )
    }),
  )
  const isWithDebt = hasDebt && WHOLE.test(plain) && bills.length > 1
  return isTax || isBalance || isLess || isWithDebt
    ? { column: null, choices: bills.map(choiceOf) }
    : { column: column.place, choices: [] }
}
