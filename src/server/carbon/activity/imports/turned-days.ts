import { leave, type ReadingPlan, type ReadLine, waits } from './read-line.ts'

const FIELDS = ['periodStart', 'periodEnd', 'readDate'] as const
/** A day as a workbook stores it. */
const STORED = /^(\d{4})-(\d\d)-(\d\d)$/
/** A day that the spreadsheet didn't understand, so that it stayed a text. */
const TYPED = /^(\d{1,2})[/.-](\d{1,2})[/.-]\d{4}$/

/**
 * A spreadsheet that opens "01/02/2025" and "13/02/2025" of another country makes the second of January of the first, and leaves the
 * second a text. In a workbook with both, the days that it understood may be turned: the user says so.
 */
export function settleTurnedDays(lines: readonly ReadLine[], plan: ReadingPlan): void {
  if (plan.columns.delimiter !== null) return
  const open = lines.filter(({ isLeft }) => !isLeft)
  const texts = open.flatMap(({ cells }) => FIELDS.flatMap((field) => cells[field] ?? []))
  const foreign = texts.find((text) => {
    const [, first, second] = TYPED.exec(text) ?? []
    return first !== undefined && Number(first) > 12 !== Number(second) > 12
  })
  if (foreign === undefined) return
  for (const read of open) {
    const turned = FIELDS.filter((field) => isTurnable(read.cells[field] ?? ''))
    const [one] = turned
    if (one === undefined) continue
    const text = read.cells[one] ?? ''
    const answer = plan.questions.ask({
      id: 'turned',
      field: one,
      text: `Some days of this workbook are texts such as ${foreign}, others are dates such as ${text}. The spreadsheet may have turned day and month of the dates. Which day is it?`,
      choices: [
        { value: 'turned', label: `${turn(text)}: day and month were turned` },
        { value: 'right', label: `${text}: the dates are right` },
        { value: 'leave', label: 'Leave these lines out' },
      ],
      proposal: null,
    })
    if (answer === null) waits(read, one, `Day and month of ${text} may be turned. Say which day it is.`)
    if (answer === 'leave') leave(read, one, 'Left out, because day and month may be turned.')
    if (answer === 'turned') for (const field of turned) read.cells[field] = turn(read.cells[field] ?? '')
  }
}

const isTurnable = (text: string): boolean => {
  const [, , month, day] = STORED.exec(text) ?? []
  return day !== undefined && Number(day) <= 12 && day !== month
}
const turn = (text: string): string => text.replace(STORED, '$1-$3-$2')
