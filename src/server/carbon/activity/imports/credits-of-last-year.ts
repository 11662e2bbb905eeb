import { dayAfter } from '#contract/days.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { daysOf, nameOf } from './ask-about-bills.ts'
import {
  type Bill,
  CREDITED_WITHIN,
  figureOf,
  hasNumber,
  isBillOf,
  isNear,
  isWrittenLater,
  type LineBill,
  mayNameMeter,
  shareDays,
  splitCredits,
  type StoredBill,
  takenBack,
  togetherOf,
} from './bill-identity.ts'
import type { Matching } from './corrected-numbers.ts'
import { isBeside, listed, takesBack } from './late-credits.ts'
import { amountOf, leave, waits } from './read-line.ts'
import { readBefore } from './stored-bills.ts'

type Around = Pick<Matching, 'same' | 'plan'> &
  Readonly<{
    stored: readonly StoredBill[]
    /** Credits that were asked about already. */
    asked: ReadonlySet<LineBill>
  }>

/**
 * A credit of the first weeks of an inventory that takes back none of its bills, but one of the year before: there with its use, billed
 * again in this file, or in no inventory at all.
 */
export async function settleCreditsOfLastYear(
  db: Database,
  lines: readonly LineBill[],
  { same, stored, asked, plan }: Around,
): Promise<void> {
  const { periodStart } = plan.context
  const [bills, credits] = splitCredits(lines)
  const isOpen = (one: LineBill) => !same.has(one) && !one.read.isLeft && !one.read.isOpen
  const isEarly = ({ first }: Bill) => first >= periodStart && first <= dayAfter(periodStart, CREDITED_WITHIN)
  const [own] = splitCredits([
    ...stored,
    ...bills.filter((one) => one.first >= periodStart && !same.has(one)),
  ])
  const free = credits.filter((one) => isOpen(one) && isEarly(one) && takenBack(own, [one]).size === 0)
  const before = await readBefore(db, free, plan.context)
  for (const line of free) {
    const isFor = (one: Bill) =>
      one.sourceId === line.sourceId && mayNameMeter(one, line) && isWrittenLater(line, one)
    const earlier = before.filter(isFor)
    const there = earlier.find(({ use }) => use === line.use)
    const again = bills.find((one) => one.first < periodStart && isFor(one))
    const found = there === undefined ? togetherOf(line, earlier) : [there]
    const known = knownOf({
      found,
      again,
      isLoose: !asked.has(line) && !isThere(line, stored) && isLargeEnough(line, own, periodStart),
    })
    if (known === undefined) continue
    const answer = plan.questions.ask({
      id: 'lastYear',
      each: `${line.read.line}`,
      field: 'quantity',
      text: `${takesBack(line)} ${known} Is the credit for a bill of the year before?`,
      choices: [
        { value: 'leave', label: 'Yes: leave the credit out here, because it belongs to that year' },
        { value: 'count', label: 'No: subtract it from this inventory' },
      ],
      proposal: null,
    })
    if (answer === null)
      waits(line.read, 'quantity', 'It may be for a bill of the year before. Say whether it is.')
    if (answer !== 'leave') continue
    leave(line.read, 'quantity', 'Left out: its bill is of the year before.')
    settleBilledAgain(line, { bills: bills.filter(isOpen), own, plan })
  }
}

function knownOf({
  found,
  again,
  isLoose,
}: {
  found: readonly StoredBill[]
  again: LineBill | undefined
  isLoose: boolean
}): string | undefined {
  if (found.length > 0)
    return `In the inventory of the year before, ${listed(found.map((one) => `${inSentence(nameOf(one))} for ${daysOf(one)}`))} ${found.length === 1 ? 'has' : 'have'} this use.`
  if (again !== undefined)
    return `Line ${again.read.line} is a bill for ${daysOf(again)}, before this inventory.`
  return isLoose ? 'No bill of this inventory has this use.' : undefined
}

/** "A bill" and "The bill", but not the name of one. */
const inSentence = (name: string): string => name.replace(/^(A|The) bill/, (text) => text.toLowerCase())

const FIRST_WEEKS = 45

/** A credit that is there with another number or a rounded use. */
const isThere = (line: LineBill, stored: readonly StoredBill[]): boolean =>
  stored.some(
    (one) =>
      one.isCredit &&
      one.sourceId === line.sourceId &&
      shareDays(one, line) &&
      (hasNumber(one, line) || isNear(one, line)),
  )

/** Too large to be what was read wrong in a bill of its inventory; in its first weeks, also for a bill of a month with less use. */
function isLargeEnough(line: LineBill, own: readonly Bill[], periodStart: string): boolean {
  const share = line.first <= dayAfter(periodStart, FIRST_WEEKS) ? '0.15' : '0.5'
  const uses = own.filter((one) => isBillOf(line, one)).map(figureOf)
  return uses.every((use) => figureOf(line).gte(use.times(share)))
}

/** Of several bills for the days of a credit that belongs to the year before, one may be its new bill, and belongs there, too. */
function settleBilledAgain(
  line: LineBill,
  { bills, own, plan }: { bills: readonly LineBill[]; own: readonly Bill[] } & Pick<Around, 'plan'>,
): void {
  const isOfDays = (one: Bill) => isBeside(line, one)
  const choices = bills.filter(isOfDays)
  if (choices.length === 0 || own.filter(isOfDays).length < 2) return
  const answer = plan.questions.ask({
    id: `billedAgain:${line.read.line}`,
    field: 'quantity',
    text: `The credit of line ${line.read.line} belongs to the year before, and there are several bills for its days. Is one of them the new bill for that year?`,
    choices: [
      { value: 'none', label: 'No: all of them are bills of this inventory' },
      ...choices.slice(0, MOST_CHOICES).map(({ read, number }) => ({
        value: `line${read.line}`,
        label: `Line ${read.line}: ${amountOf(read)}${number === '' ? '' : ` as ${read.record?.reference ?? ''}`}. Leave it out here`,
      })),
    ],
    proposal: null,
  })
  for (const { read } of choices) {
    if (answer === null)
      waits(read, 'quantity', 'It may be the new bill for the year before. Say whether it is.')
    if (answer === `line${read.line}`) leave(read, 'quantity', 'Left out: it is a bill of the year before.')
  }
}
const MOST_CHOICES = 6
