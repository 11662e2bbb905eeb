import { Figure } from '#contract/carbon/factors/figure.ts'
import { dayAfter } from '#contract/days.ts'
import { askOfRecord, daysOf, nameOf, useOf } from './ask-about-bills.ts'
import {
  type Bill,
  figureOf,
  hasNumber,
  isNear,
  isOfDays,
  type LineBill,
  mayNameMeter,
  measureOf,
  shareDays,
  splitCredits,
  type StoredBill,
  takenBack,
} from './bill-identity.ts'
import type { Matching } from './corrected-numbers.ts'
import { type LeftBill, standsFor } from './left-bills.ts'
import { amountOf, leave, waits } from './read-line.ts'
import { CREDITED_WITHIN } from './stored-bills.ts'

type Around = Matching & Readonly<{ stored: readonly StoredBill[]; left: readonly LeftBill[] }>

/**
 * A new credit for a bill that no longer counts: a correction replaced it, an answer left it out, or it was deleted. If the bill is in the file, too, and
 * left out, so is its credit; otherwise it is asked about, unless its number says which bill it takes back.
 */
export function settleLateCredits(lines: readonly LineBill[], around: Around): void {
  const { same, former, stored } = around
  const [leftBills, leftCredits] = splitCredits(around.left)
  const credited = takenBack(leftBills, leftCredits)
  const left = leftBills.filter((one) => !credited.has(one))
  const settled = new Set<Bill>()
  for (const line of lines) {
    if (!line.isCredit || same.has(line) || line.read.isLeft || line.read.isOpen) continue
    const isOf = (one: Bill) => isCreditOf(line, one) && !settled.has(one)
    const besides = lines.find((one) => one.read.isLeft && isOf(one) && one.use === line.use)
    const counting = [...stored, ...lines.filter(({ read }) => !read.isLeft)].filter(isOf)
    if (counting.some((one) => hasNumber(one, line))) continue
    // With a bill of the same use that counts, the one that was left out may be the same.
    if (besides !== undefined && !counting.some(({ use }) => use === line.use)) {
      settled.add(besides)
      leave(
        line.read,
        'quantity',
        `Left out: line ${besides.read.line}, which it takes back, is left out, too.`,
      )
      continue
    }
    const isExact = (one: Bill) => isOf(one) && one.use === line.use && isOfDays(one, line)
    const isOfGone = counting.some(isExact) ? isExact : isOf
    const before = former.find(isOfGone)
    const now = before && stored.find(({ id }) => id === before.id)
    if (before !== undefined && now !== undefined) {
      settled.add(before)
      settle(line, askReplaced(line, { before, now, around }))
      continue
    }
    // A deleted bill may have been entered again.
    const deleted = counting.some(({ use }) => use === line.use) ? undefined : before
    const one =
      left.find(isOfGone) ??
      deleted ??
      (besides && { ...besides, reference: besides.read.record?.reference ?? null })
    const out =
      one === undefined
        ? findTogether(
            line,
            [...left, ...former].filter((bill) => !settled.has(bill)),
          )
        : [one]
    if (out.length === 0) continue
    for (const bill of out) settled.add(bill)
    settle(line, askLeft(line, out, around))
  }
}

function settle(line: LineBill, answer: string | null): void {
  if (answer === 'leave') leave(line.read, 'quantity', 'Left out: its bill no longer counts.')
  if (answer === null)
    waits(line.read, 'quantity', 'Its bill may no longer count. Say whether the credit does.')
}

type Gone = Bill & Readonly<{ reference: string | null }>

/** The bills within the days of a credit that together have its use: it takes back several. */
function findTogether(line: LineBill, gone: readonly Gone[]): Gone[] {
  const own = gone.filter(
    (one) =>
      one.sourceId === line.sourceId &&
      !one.isCredit &&
      one.first >= line.first &&
      one.last <= line.last &&
      measureOf(one) === measureOf(line) &&
      mayNameMeter(one, line),
  )
  const sum = own.reduce((all, one) => all.plus(figureOf(one)), new Figure(0))
  return own.length > 1 && sum.eq(figureOf(line)) ? own : []
}

/** The use of a bill of its meter, which may be rounded, for some of its days, or for earlier ones: some credits have the day on which they were written. */
const isCreditOf = (line: LineBill, one: Bill): boolean =>
  one.sourceId === line.sourceId &&
  !one.isCredit &&
  measureOf(one) === measureOf(line) &&
  isNear(one, line) &&
  mayNameMeter(one, line) &&
  (shareDays(one, line) || (line.first > one.last && line.first <= dayAfter(one.last, CREDITED_WITHIN)))

type Replaced = Readonly<{ before: StoredBill; now: StoredBill; around: Around }>

const takesBack = ({ read, ...days }: LineBill): string =>
  `Line ${read.line} takes back ${amountOf(read).replace('-', '')} for ${daysOf(days)}.`
const counts = (one: StoredBill): string => `${nameOf(one)} for ${daysOf(one)} counts with ${useOf(one)}.`
const STILL_COUNTS = [
  { value: 'leave', label: 'Yes, in full: leave the credit out' },
  { value: 'count', label: 'No: subtract the credit' },
]

function askReplaced(line: LineBill, { before, now, around }: Replaced): string | null {
  return askOfRecord(around.plan.questions, {
    id: 'lateCredit',
    each: now.id,
    field: 'quantity',
    text: `${takesBack(line)} The bill with ${useOf(before)} for ${daysOf(before)} was replaced before. ${counts(now)} Does that still count?`,
    choices: STILL_COUNTS,
    proposal: null,
  })
}

function askLeft(line: LineBill, out: readonly Gone[], { plan, stored }: Around): string | null {
  const bills = out.map((one) => `${one.reference ? `${one.reference} ` : ''}for ${daysOf(one)}`).join(', ')
  const what =
    out.length === 1
      ? `A bill with this use was left out, replaced or deleted before: ${bills}.`
      : `Bills with this use together were left out, replaced or deleted before: ${bills}.`
  const holding = stored.filter((one) => !one.isCredit && out.some((gone) => standsFor(one, gone)))
  const now = holding.slice(0, MOST_NAMED).map(counts).join(' ')
  return plan.questions.ask({
    id: 'leftCredit',
    each: `${line.read.line}`,
    field: 'quantity',
    text: `${takesBack(line)} ${what} ${now} Does what is there still count?`,
    choices: STILL_COUNTS,
    proposal: null,
  })
}
const MOST_NAMED = 2
