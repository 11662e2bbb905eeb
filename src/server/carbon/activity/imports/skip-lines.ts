import { Figure } from '#contract/carbon/factors/figure.ts'
import { nameOfTotal, namesTotal } from './bill-words.ts'
import { isDay, splitRange } from './import-day.ts'
import { isAmount, isBlank, readAmount } from './read-amount.ts'
import { leave, type ReadingPlan, type ReadLine } from './read-line.ts'
import { localeOf } from './read-quantity.ts'

/**
 * Leaves out the lines that aren't bills, and says so at each of them: totals, repeated headers, and notes below the table. A line
 * without a date is a totals line too if it has the sum of the lines above it.
 */
export function skipLines(lines: readonly ReadLine[], plan: ReadingPlan): void {
  const { titles, notes } = plan.columns
  // The headings as they are in the file, and the letterhead above them, are repeated on each printed page.
  const above = new Set(notes.map(({ cells }) => cells.join('\u001F')))
  let sum = new Figure(0)
  /** The same since the last totals line, and of the lines with the same text in a cell. */
  let block = sum
  const named = new Map<string, Figure>()
  let dated = 0
  for (const read of lines) {
    const { cells, raw } = read
    const filled = raw.filter((cell) => !isBlank(cell))
    const when = cells.periodStart ?? cells.readDate
    const hasDay =
      when !== undefined &&
      (isDay(when) || splitRange(when) !== null || (cells.year !== undefined && /^\d{1,2}$/.test(when)))
    const figure = figureOf(read, plan)
    if (
      filled.length > 0 &&
      (above.has(raw.join('\u001F')) ||
        raw.filter((cell, at) => cell !== '' && cell === titles[at]).length >= Math.min(2, filled.length))
    ) {
      leave(read, null, 'Left out: the line repeats the header.')
      continue
    }
    const totals = filled.flatMap((cell) =>
      namesTotal(cell) ? [null] : (named.get(keyOf(nameOfTotal(cell))) ?? []),
    )
    if (
      totals.some((own) =>
        own === null ? !hasDay || isSum(figure, sum) || isSum(figure, block) : isSum(figure, own),
      )
    ) {
      leave(read, null, 'Left out: a totals line is no bill.')
      block = new Figure(0)
      continue
    }
    const isNote = !hasDay && figure === null && filled.length <= 2 && !filled.some((cell) => isAmount(cell))
    if (isNote && filled.length > 0) {
      read.isNote = true
      leave(read, null, `Left out: no bill, but “${filled.join(' ').slice(0, 120)}”.`)
      continue
    }
    if (when === undefined && dated > 1 && isSum(figure, sum)) {
      leave(read, null, 'Left out: the line has no date, and its quantity is the sum of the lines above.')
      continue
    }
    if (hasDay) dated += 1
    if (figure === null) continue
    sum = sum.plus(figure)
    block = block.plus(figure)
    for (const name of new Set(filled.map(keyOf)))
      named.set(name, (named.get(name) ?? new Figure(0)).plus(figure))
  }
}

const keyOf = (text: string | null): string => (text ?? '').trim().toLowerCase()

const isSum = (figure: Figure | null, sum: Figure): boolean =>
  figure !== null && !sum.isZero() && figure.minus(sum).abs().lte(sum.abs().times('0.001').plus('0.01'))

function figureOf({ cells, raw }: ReadLine, plan: ReadingPlan): Figure | null {
  const text = cells.quantity ?? raw[plan.mapping.columns.meterTo ?? -1] ?? ''
  const read = readAmount(text, localeOf(plan, text))
  return 'value' in read ? new Figure(read.value) : null
}
