import { daysOf as countDays } from '#contract/days.ts'
import { daysOf } from './ask-about-bills.ts'
import {
  figureOf,
  isInside,
  isSameMeter,
  type LineBill,
  measureOf,
  type StoredBill,
  sumOf,
} from './bill-identity.ts'
import type { Questions } from './import-questions.ts'
import { amountOf, leave, waits } from './read-line.ts'

/** How much of the days of a longer bill the others have to cover. */
const MOST_DAYS = 0.8

const isOfMeter = (one: LineBill, other: LineBill): boolean =>
  one.meter === null || other.meter === null ? one.meter === other.meter : isSameMeter(one.meter, other.meter)

/**
 * A line for the days of other new lines of its meter, such as the bill of a quarter after three estimates. Parts with the same sum are asked
 * about before.
 */
export function settleContained(
  lines: readonly LineBill[],
  { same, questions }: { same: ReadonlyMap<LineBill, StoredBill>; questions: Questions },
): void {
  const bills = lines.filter(
    (line) =>
      !line.isCredit && line.first !== line.last && !same.has(line) && !line.read.isLeft && !line.read.isOpen,
  )
  const byKind = Map.groupBy(bills, (one) => `${one.sourceId} ${measureOf(one)}`)
  for (const own of byKind.values()) for (const long of longest(own)) settleOne(long, own, questions)
}

/** Those that may have several others inside. */
const longest = (own: readonly LineBill[]): LineBill[] => {
  const least = Math.min(...own.map(lengthOf))
  return own.filter((one) => lengthOf(one) >= 1.8 * least)
}
const lengthOf = ({ first, last }: LineBill): number => countDays(first, last)

function settleOne(long: LineBill, own: readonly LineBill[], questions: Questions): void {
  if (long.read.isLeft) return
  const parts = own.filter((one) => isInside(one, long) && isOfMeter(one, long) && !one.read.isLeft)
  const covered = parts.reduce((all, one) => all + lengthOf(one), 0)
  if (parts.length < 2 || covered < MOST_DAYS * lengthOf(long)) return
  if (sumOf(parts).eq(figureOf(long))) return
  const numbers = parts.map(({ read }) => read.line).join(', ')
  const answer = questions.ask({
    id: 'contained',
    each: `${long.read.line}`,
    field: 'periodStart',
    text: `Line ${long.read.line} has ${amountOf(long.read)} for ${daysOf(long)}. Lines ${numbers} are for days of it. Which of them count?`,
    choices: [
      { value: 'long', label: 'The longer one: it replaces the others' },
      { value: 'parts', label: 'The others: leave the longer one out' },
      { value: 'both', label: 'All of them' },
    ],
    proposal: null,
  })
  if (answer === null)
    for (const { read } of [long, ...parts])
      waits(read, 'periodStart', `Line ${long.read.line} is for the days of other lines. Say which count.`)
  if (answer === 'long')
    for (const { read } of parts)
      leave(read, 'periodStart', `Left out: line ${long.read.line} is for these days.`)
  if (answer === 'parts') leave(long.read, 'periodStart', 'Left out: other lines are for these days.')
}
