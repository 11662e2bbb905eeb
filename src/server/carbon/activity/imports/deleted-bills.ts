import { daysOf } from './ask-about-bills.ts'
import type { LineBill } from './bill-identity.ts'
import type { Matching } from './corrected-numbers.ts'
import { isSameBill } from './left-bills.ts'
import { amountOf, leave, waits } from './read-line.ts'
import type { FormerBill } from './stored-bills.ts'

/**
 * Lines with bills that someone deleted by hand: lists that grow have them again. One question for all; what stays out, stays out in later
 * lists, too.
 */
export function settleDeleted(
  lines: readonly LineBill[],
  { same, former, plan }: Omit<Matching, 'former'> & { former: readonly FormerBill[] },
): void {
  const byHand = former.filter(({ isDeletedByHand }) => isDeletedByHand)
  const deleted = lines.filter(
    (line) =>
      !same.has(line) &&
      !line.read.isLeft &&
      !line.read.isOpen &&
      byHand.some((one) => isSameBill(one, line)),
  )
  const [first] = deleted
  if (first === undefined) return
  const named =
    `${first.read.record?.reference ?? ''} for ${daysOf(first)} with ${amountOf(first.read)}`.trim()
  const what =
    deleted.length === 1
      ? `Someone deleted the bill of line ${first.read.line} before: ${named}. Import it again?`
      : `Someone deleted the bills of ${deleted.length} lines before, the first of line ${first.read.line}: ${named}. Import them again?`
  const answer = plan.questions.ask({
    id: 'deleted',
    field: 'reference',
    text: what,
    choices: [
      { value: 'leave', label: deleted.length === 1 ? 'No: leave it out' : 'No: leave them out' },
      { value: 'import', label: deleted.length === 1 ? 'Yes: it counts' : 'Yes: they count' },
    ],
    proposal: null,
  })
  for (const { read } of deleted) {
    if (answer === null) waits(read, 'reference', 'It was deleted before. Say whether it counts.')
    if (answer === 'leave') leave(read, 'reference', 'Left out: it was deleted before.')
  }
}
