import { dayAfter } from '#contract/days.ts'
import { askOfRecord, daysOf, useOf } from './ask-about-bills.ts'
import {
  type Bill,
  hasNumber,
  type LineBill,
  mayBeOfMeter,
  shareDays,
  splitCredits,
  type StoredBill,
  takenBack,
} from './bill-identity.ts'
import { CREDITED_WITHIN, type FormerBill, type Matching } from './corrected-numbers.ts'
import type { LeftBill } from './left-bills.ts'
import { leave, waits } from './read-line.ts'

type Around = Matching & Readonly<{ stored: readonly StoredBill[]; left: readonly LeftBill[] }>

/**
 * A new credit for a bill that no longer counts: a correction replaced it, or an answer left it out. If the bill is in the file, too, and
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
    const besides = lines.find((one) => one.read.isLeft && isOf(one))
    if (besides !== undefined) {
      settled.add(besides)
      leave(
        line.read,
        'quantity',
        `Left out: line ${besides.read.line}, which it takes back, is left out, too.`,
      )
      continue
    }
    const counting = [...stored, ...lines.filter(({ read }) => !read.isLeft)].filter(isOf)
    if (counting.some((one) => hasNumber(one, line))) continue
    const before = former.find(isOf)
    const now = before && stored.find(({ id }) => id === before.id)
    const out = left.find(isOf)
    const [gone, answer] =
      before !== undefined && now !== undefined
        ? [before, askReplaced(line, { before, now, around })]
        : [out, out && askLeft(line, out, around)]
    if (gone === undefined) continue
    settled.add(gone)
    if (answer === 'leave') leave(line.read, 'quantity', 'Left out: its bill no longer counts.')
    if (answer === null)
      waits(line.read, 'quantity', 'Its bill may no longer count. Say whether the credit does.')
  }
}

/** The use of a bill of its meter, for some of its days, or for earlier ones: some credits have the day on which they were written. */
const isCreditOf = (line: LineBill, one: Bill): boolean =>
  one.sourceId === line.sourceId &&
  !one.isCredit &&
  one.use === line.use &&
  mayBeOfMeter(one, line) &&
  (shareDays(one, line) || (line.first > one.last && line.first <= dayAfter(one.last, CREDITED_WITHIN)))

type Replaced = Readonly<{ before: FormerBill; now: StoredBill; around: Around }>

function askReplaced({ read }: LineBill, { before, now, around }: Replaced): string | null {
  const counts = `now counts with ${useOf(now)}${now.reference === null ? '' : ` as ${now.reference}`}`
  return askOfRecord(around.plan.questions, {
    id: 'lateCredit',
    each: now.id,
    field: 'quantity',
    text: `Line ${read.line} takes back ${useOf(before)} for ${daysOf(before)}. That bill was replaced before, and ${counts}. Does the credit count, too?`,
    choices: [
      { value: 'leave', label: 'No: the replaced bill no longer counts. Leave the credit out' },
      { value: 'count', label: 'Yes: subtract it' },
    ],
    proposal: null,
  })
}

function askLeft({ read }: LineBill, out: LeftBill, { plan }: Around): string | null {
  const number = out.reference === '' ? '' : `, ${out.reference},`
  return plan.questions.ask({
    id: 'leftCredit',
    each: `${read.line}`,
    field: 'quantity',
    text: `Line ${read.line} takes back ${useOf(out)} for ${daysOf(out)}. A bill with this use${number} was left out of “${out.fileName}”. Is the credit for it?`,
    choices: [
      { value: 'leave', label: 'Yes: that bill doesn’t count. Leave the credit out, too' },
      { value: 'count', label: 'No: it takes back a bill that counts. Subtract it' },
    ],
    proposal: null,
  })
}
