import { askOfRecord, daysOf, nameOf, useOf } from './ask-about-bills.ts'
import {
  type Bill,
  hasNumber,
  isBillOf,
  isNear,
  isOfDays,
  isWrittenLater,
  type LineBill,
  shareDays,
  splitCredits,
  type StoredBill,
  takenBack,
  togetherOf,
} from './bill-identity.ts'
import type { Matching } from './corrected-numbers.ts'
import { type LeftBill, standsFor } from './left-bills.ts'
import { amountOf, leave, waits } from './read-line.ts'

type Around = Matching & Readonly<{ stored: readonly StoredBill[]; left: readonly LeftBill[] }>

/**
 * A new credit for a bill that no longer counts: a correction replaced it, an answer left it out, or it was deleted. If the bill is in the file, too, and
 * left out, so is its credit; otherwise it is asked about, unless its number says which bill it takes back.
 * @returns the credits that were asked about
 */
export function settleLateCredits(lines: readonly LineBill[], around: Around): ReadonlySet<LineBill> {
  const asked = new Set<LineBill>()
  const { same, former, stored } = around
  const [leftBills, leftCredits] = splitCredits(around.left)
  const credited = takenBack(leftBills, leftCredits)
  const countsNow = (one: LeftBill) =>
    stored.some((now) => now.use === one.use && isOfDays(now, one) && hasNumber(now, one))
  const left = leftBills.filter((one) => !credited.has(one) && !countsNow(one))
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
      asked.add(line)
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
        ? togetherOf(
            line,
            [...left, ...former].filter((bill) => !settled.has(bill)),
          )
        : [one]
    const loose = out.length > 0 || counting.length > 0 ? [] : findOfDays(line, { lines, left, around })
    for (const bill of out) settled.add(bill)
    if (out.length === 0 && loose.length === 0) continue
    asked.add(line)
    settle(line, askLeft(line, { out: out.length > 0 ? out : loose, isExact: out.length > 0, lines, around }))
  }
  return asked
}

function settle(line: LineBill, answer: string | null): void {
  if (answer === 'leave') leave(line.read, 'quantity', 'Left out: its bill no longer counts.')
  if (answer === 'part')
    leave(line.read, 'quantity', 'Left out: split the line in the file, and import it again.')
  if (answer === null)
    waits(line.read, 'quantity', 'Its bill may no longer count. Say whether the credit does.')
}

type Gone = Bill & Readonly<{ reference: string | null }>

/**
 * The bills of the days and the meter of a credit that no longer count, whatever their use: the credit may be for some of them, for a part of
 * one, or for what a correction already changed.
 */
function findOfDays(
  line: LineBill,
  { lines, left, around }: { lines: readonly LineBill[]; left: readonly LeftBill[]; around: Around },
): Gone[] {
  const counting = [...around.stored, ...lines.filter(({ read }) => !read.isLeft)]
  // The same bill again, such as that of a portal: nothing was corrected.
  const isDuplicate = (gone: Bill) =>
    counting.some((one) => one.use === gone.use && !one.isCredit && isBeside(gone, one))
  const inFile = lines.flatMap((one) =>
    one.read.isLeft ? [{ ...one, reference: one.read.record?.reference ?? null }] : [],
  )
  // A record whose note was changed still has its use.
  const changed = around.former.filter(
    (one) => !around.stored.some(({ id, use }) => id === one.id && use === one.use),
  )
  const gone = [...changed, ...left, ...inFile].filter((one) => isBeside(line, one) && !isDuplicate(one))
  const byBill = new Map(gone.map((one) => [[one.first, one.last, one.meter, one.use].join(' '), one]))
  return [...byBill.values()]
}

export const isBeside = (line: Bill, one: Bill): boolean => isBillOf(line, one) && shareDays(one, line)

/** A credit beside bills that its own file replaces, or with the use of one and later days: it may be about them, and be in their correction already. */
export function settleCreditsBesides(
  lines: readonly LineBill[],
  { replaced, ...around }: Around & { replaced: readonly StoredBill[] },
): void {
  if (replaced.length === 0) return
  const isReplaced = new Set(replaced)
  const bills = around.stored.filter((one) => !isReplaced.has(one))
  for (const line of lines) {
    if (!line.isCredit || around.same.has(line) || line.read.isLeft || line.read.isOpen) continue
    const isLater = (one: Bill) => one.use === line.use && isCreditOf(line, one) && !shareDays(one, line)
    const out = replaced.filter((one) => isBeside(line, one) || isLater(one))
    const isOfAnother = (one: Bill) => one.use === line.use && isBeside(line, one)
    if (
      out.length === 0 ||
      bills.some(isOfAnother) ||
      lines.some((one) => !one.read.isLeft && isOfAnother(one))
    )
      continue
    const isExact = out.every(isLater)
    settle(line, askLeft(line, { out, isExact, lines, around: { ...around, stored: bills } }))
  }
}

/** The use of a bill of its meter, which may be rounded, for some of its days, or for earlier ones: some credits have the day on which they were written. */
const isCreditOf = (line: LineBill, one: Bill): boolean =>
  isBillOf(line, one) && isNear(one, line) && (shareDays(one, line) || isWrittenLater(line, one))

type Replaced = Readonly<{ before: StoredBill; now: StoredBill; around: Around }>

export const takesBack = ({ read, ...days }: LineBill): string =>
  `Line ${read.line} takes back ${amountOf(read).replace('-', '')} for ${daysOf(days)}.`
const counts = (one: StoredBill): string => `${nameOf(one)} for ${daysOf(one)} counts with ${useOf(one)}.`
const STILL_COUNTS = [
  { value: 'leave', label: 'Yes: leave the credit out' },
  { value: 'count', label: 'No: subtract the credit' },
]
const ONLY_IN_PART = { value: 'part', label: 'Only a part: leave the credit out until I split its line' }

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

type Left = Readonly<{
  out: readonly Gone[]
  /** They have the use of the credit, together. */
  isExact: boolean
  lines: readonly LineBill[]
  around: Around
}>

function askLeft(
  line: LineBill,
  { out, isExact, lines, around: { plan, stored, same } }: Left,
): string | null {
  const which = listed(out.map((one) => `${one.reference ? `${one.reference} ` : ''}for ${daysOf(one)}`))
  const [a, many] = isExact
    ? ['A bill with this use', 'Bills with this use together']
    : ['A bill of these days', 'Bills of these days']
  const what = out.length === 1 ? `${a} was` : `${many} were`
  const stands = (one: Bill) =>
    isBeside(line, one) || (!one.isCredit && out.some((gone) => standsFor(one, gone)))
  const inFile = lines.filter((one) => !one.read.isLeft && !same.has(one) && stands(one))
  const now = [
    ...stored.filter(stands).map((one) => `${nameOf(one)} for ${daysOf(one)} (${useOf(one)})`),
    ...inFile.map(({ read, ...days }) => `line ${read.line} for ${daysOf(days)} (${amountOf(read)})`),
  ]
  const counted =
    now.length === 0
      ? 'Nothing counts in its place. Is that what the credit takes back?'
      : `Now counts: ${listed(now)}. Does that count in full, without this credit?`
  return plan.questions.ask({
    id: 'leftCredit',
    each: `${line.read.line}`,
    field: 'quantity',
    text: `${takesBack(line)} ${what} left out, replaced or deleted before: ${which}. ${counted}`,
    choices: [...STILL_COUNTS, ONLY_IN_PART],
    proposal: null,
  })
}
const MOST_NAMED = 6

export const listed = (all: readonly string[]): string =>
  [...all.slice(0, MOST_NAMED), ...(all.length > MOST_NAMED ? [`${all.length - MOST_NAMED} more`] : [])].join(
    ', ',
  )
