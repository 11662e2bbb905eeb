import type { ColumnEvidence } from './column-evidence.ts'
import { carrierIn } from './column-roles.ts'
import { choiceOf, findTotal } from './propose-quantity.ts'

/** `choices`: several columns may be what the bill cost. */
export type CostProposal = { column: number | null; choices: readonly { value: string; label: string }[] }

/** Money of other bills: what was owed before, and what was paid. */
const BALANCE =
  /(previous|prior|last|past|opening|forward|beginning|outstanding)\W*(balance|due|amount|bill)|past due|carried forward|balance forward|payments?( |$)|\bpaid\b|vorheriger? saldo|anzahlung|abschlag/i
const DUE = /\bdue\b|payable|balance/i
/** A part of every bill. */
const PART = /vat|\btax(es)?\b|tax amount|mwst|\bust\b|tva|iva|btw|moms|\bfees?\b|surcharge|\bnet\b|netto/i
const WHOLE = /total|incl|gross|gesamt|brutto|ttc|totaal|totale/i
/** The first that one column matches alone decides. */
const RANKS: readonly RegExp[] = [/\b(current|new|this (month|period|bill))\b/i, WHOLE, DUE]

/**
 * Which column is what the bill cost: the sum of all other money of a line, or the only one that says so. Never what was owed
 * before, nor a tax. Several that may be it are asked about.
 * @param activity of the source: the cost of the gas is none of the electricity.
 * @param isAmountMoney whether "Amount" can't be the quantity.
 */
export function proposeCost(
  columns: readonly ColumnEvidence[],
  { activity, isAmountMoney }: { activity: string; isAmountMoney: boolean },
): CostProposal {
  const all = columns.filter(
    ({ role, title, isNumeric, unit }) =>
      isNumeric &&
      carrierIn(title, activity) !== 'other' &&
      (role === 'cost' || (role === 'amount' && unit === null && isAmountMoney)),
  )
  const hasBalance = all.some(({ title }) => BALANCE.test(title))
  // What is due includes what was not paid before.
  const money = all.filter(({ title }) => !BALANCE.test(title) && !(hasBalance && DUE.test(title)))
  const [only, ...others] = money
  if (only === undefined) return { column: null, choices: [] }
  if (others.length === 0) return { column: only.place, choices: [] }
  const total = findTotal(money)
  if (total !== undefined) return { column: total.place, choices: [] }
  const costs = money.filter(({ title }) => !PART.test(title) || WHOLE.test(title))
  for (const rank of RANKS) {
    const [found, ...more] = costs.filter(({ title }) => rank.test(title))
    if (found !== undefined && more.length === 0) return { column: found.place, choices: [] }
  }
  const [one, ...rivals] = costs
  if (one !== undefined && rivals.length === 0) return { column: one.place, choices: [] }
  return { column: null, choices: (costs.length === 0 ? money : costs).map(choiceOf) }
}
