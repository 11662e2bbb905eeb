import { shownNumber } from './ask-about-bills.ts'
import {
  type Bill,
  figureOf,
  hasOtherNumber,
  isOfDays,
  type LineBill,
  mayBeOfMeter,
  splitCredits,
  type StoredBill,
  takenBack,
} from './bill-identity.ts'
import type { BilledTwice } from './billed-twice-before.ts'
import { correctedDeliveries } from './corrected-deliveries.ts'
import { firstPairs } from './first-pairs.ts'
import { tellApart } from './apart-bills.ts'
import { likelyCorrections } from './likely-corrections.ts'
import { otherAccounts } from './listed-again.ts'
import { amountOf, leave, type ReadingPlan, waits } from './read-line.ts'
import { twiceBilled } from './twice-billed.ts'

export type Matching = Readonly<{
  /** The records that lines repeat. */
  same: ReadonlyMap<LineBill, StoredBill>
  former: readonly StoredBill[]
  plan: Pick<ReadingPlan, 'questions' | 'proposal' | 'context'>
}>

/**
 * A bill and its correction have numbers of their own in many lists, or none, and both are in them: the later line of a meter, or of a
 * list without meters that has one bill for most days, may correct the earlier one. What a correction replaced before, and the file has beside it, is left out without a question.
 * @param isRepeated whether the file has the line again. @param isUnclear nobody has said yet which lines below 0 are credits: they may take one of the two back.
 * @returns the records that lines replace.
 */
export function settleNumbers(
  lines: readonly LineBill[],
  {
    same,
    former,
    stored,
    plan,
    isUnclear,
    isRepeated,
    wereTwice,
  }: Matching & {
    stored: readonly StoredBill[]
    isUnclear: boolean
    wereTwice: BilledTwice
    isRepeated: (line: LineBill) => boolean
  },
): ReadonlyMap<LineBill, StoredBill> {
  const current = new Set([...same.values()].map(({ id }) => id))
  const isReplaced = (line: LineBill): boolean =>
    !same.has(line) &&
    former.some(
      (one) =>
        one.sourceId === line.sourceId &&
        one.number === line.number &&
        one.use === line.use &&
        one.isCredit === line.isCredit &&
        isOfDays(one, line) &&
        mayBeOfMeter(one, line) &&
        current.has(one.id),
    )
  for (const line of lines)
    if (isReplaced(line))
      leave(line.read, 'reference', 'Left out: a correction in this file replaced it before.')
  const areApart = tellApart(plan)
  const [bills, credits] = splitCredits(lines)
  // Both count, so they are nothing.
  const gone = takenBack(bills, credits)
  const counting = bills.filter((one) => !one.read.isLeft && !gone.has(one))
  const open = counting.filter(({ first, last }) => first !== last)
  const repeated = new Set(same.values())
  const others = stored.filter((one) => !repeated.has(one))
  const before = Map.groupBy(others, meterOf)
  const replaces = new Map<LineBill, StoredBill>()
  const asked = new Set<string>()
  const ask = (one: LineBill, later: LineBill): void => {
    const key = `${one.read.key} ${later.read.key}`
    if (asked.has(key)) return
    asked.add(key)
    if (one.read.isLeft || later.read.isLeft || (same.has(one) && same.has(later))) return
    if (isUnclear) {
      for (const { read } of [one, later])
        waits(read, 'reference', 'Say first which lines are credits, or no longer valid.')
      return
    }
    const kept = askTwoNumbers(one, later, plan.questions)
    const dropped = kept === one ? later : one
    const record = same.get(dropped)
    if (kept !== null && record !== undefined && !same.has(kept)) replaces.set(kept, record)
  }
  for (const [key, own] of Map.groupBy(open, meterOf)) {
    const corrections = likelyCorrections(before.get(key) ?? [], own, {
      hasMeter: own[0]?.meter !== null,
      isKnown: (line) => same.has(line),
      isEstimate: (one) => ('read' in one ? isCalledEstimate(one) : null),
    })
    const [{ meter = null, sourceId = '' } = {}] = own
    const hasMeter = meter !== null
    const ofMeter = stored.filter((one) => (hasMeter ? meterOf(one) === key : one.sourceId === sourceId))
    const first = firstPairs(own, { stored: ofMeter, hasMeter, areApart })
    const mayCorrect = (other: LineBill, one: LineBill) =>
      corrections.get(other)?.has(one) === true ||
      first.get(other)?.has(one) === true ||
      (hasMeter && isSameUse(one, other))
    for (const [at, one] of own.entries()) {
      const later = own.slice(at + 1).findLast((other) => mayCorrect(other, one) && !areApart(one, other))
      if (later !== undefined) ask(one, later)
    }
  }
  for (const [one, later] of correctedDeliveries(counting)) if (!areApart(one, later)) ask(one, later)
  for (const pair of ofCompanies(open, { around: others, isRepeated, wereTwice, plan })) ask(...pair)
  return replaces
}

/**
 * The bills that two companies or accounts have of one use, in the order of the file.
 * @param around what is there shows if two accounts have the same use in most months
 */
function ofCompanies(
  open: readonly LineBill[],
  {
    around,
    isRepeated,
    wereTwice,
    plan,
  }: {
    around: readonly StoredBill[]
    isRepeated: (line: LineBill) => boolean
    wereTwice: BilledTwice
    plan: Matching['plan']
  },
): [LineBill, LineBill][] {
  const areApart = tellApart(plan, { isOfCompanies: true })
  const { areDevices, inFile } = otherAccounts(plan)
  const named = around.filter(({ isCredit, meter }) => !isCredit && meter !== null)
  const twice = twiceBilled<StoredBill | LineBill>([...named, ...open], {
    isRepeated: (one) => 'read' in one && isRepeated(one),
    areDevices,
    wereTwice,
  }).flatMap(([one, later]): [LineBill, LineBill][] =>
    'read' in one && 'read' in later ? [[one, later]] : [],
  )
  return [...twice, ...inFile(open)].toSorted(byLines).filter((pair) => !areApart(...pair))
}

/** A bill of a meter with another number, as two companies bill the same use, or one lists it again when it is paid. */
const isSameUse = (one: LineBill, other: LineBill): boolean =>
  one.use === other.use && hasOtherNumber(one, other) && isOfDays(one, other) && !figureOf(one).isZero()

/** Whether a line says that its meter was read, or that its use was estimated. */
function isCalledEstimate({ read: { raw } }: LineBill): boolean | null {
  if (raw.some((cell) => ESTIMATE.test(cell.trim()))) return true
  return raw.some((cell) => READ.test(cell.trim())) ? false : null
}
const ESTIMATE = /^(e|est\.?|estimated?|estimated? read(ing)?|geschätzt|estimée?|estimad[oa]|stimat[oa])$/i
const READ = /^(a|act\.?|actual|actual read(ing)?|read|measured|gemessen|abgelesen|réelle?|real)$/i

const byLines = (
  [a, later]: readonly [LineBill, LineBill],
  [b, last]: readonly [LineBill, LineBill],
): number => a.read.line - b.read.line || later.read.line - last.read.line

const meterOf = ({ sourceId, meter }: Bill): string => `${sourceId} ${meter ?? ''}`

/** "1,037 kWh as B1". */
const amountAs = ({ read, number }: LineBill): string =>
  number === '' ? amountOf(read) : `${amountOf(read)} as ${shownNumber(read.record?.reference ?? '')}`

/** @returns the line that holds; null if both do, or it isn't known. */
function askTwoNumbers(one: LineBill, later: LineBill, questions: ReadingPlan['questions']): LineBill | null {
  const [read, next] = [one.read, later.read]
  const answer = questions.ask({
    id: 'twoNumbers',
    each: `${read.line}`,
    field: 'reference',
    text: `Lines ${read.line} and ${next.line} have the same ${one.meter === null || one.meter !== later.meter ? '' : 'meter and '}days, with ${amountAs(one)} and ${amountAs(later)}. Do both count?`,
    choices: [
      { value: 'last', label: 'No: the later line corrects the earlier one' },
      {
        value: 'first',
        label: 'No: only the earlier line holds, such as of one use that two companies bill',
      },
      { value: 'both', label: 'Yes: they are two bills' },
    ],
    proposal: null,
  })
  if (answer === null)
    for (const each of [read, next]) waits(each, 'reference', 'The file has two bills for the same days.')
  if (answer === 'last') leave(read, 'reference', `Left out: corrected by line ${next.line}.`)
  if (answer === 'first') leave(next, 'reference', `Left out: line ${read.line} holds.`)
  if (answer === 'last') return later
  return answer === 'first' ? one : null
}
