import { Figure, showFigure } from '#contract/carbon/factors/figure.ts'
import { roundedAway } from './bill-sums.ts'
import { nameOfTotal, namesTotal, startsPartial, startsTotal } from './bill-words.ts'
import { isDay, splitRange } from './import-day.ts'
import { isAmount, isBlank, readAmount } from './read-amount.ts'
import { leave, type ReadingPlan, type ReadLine, waits } from './read-line.ts'
import { localeOf } from './read-quantity.ts'

/**
 * Leaves out the lines that aren't bills, and says so at each of them: totals, repeated headers, and notes below the table. A line
 * without a date is a totals line too if it has the sum of the lines above it. One that is named like a total, and is none of the
 * sums, is asked about.
 */
export function skipLines(lines: readonly ReadLine[], plan: ReadingPlan): void {
  const { titles, notes } = plan.columns
  // The headings as they are in the file, and the letterhead above them, are repeated on each printed page.
  const above = new Set(notes.map(({ cells }) => cells.join('\u001F')))
  const isHeader = ({ raw }: ReadLine, filled: number): boolean =>
    above.has(raw.join('\u001F')) ||
    raw.filter((cell, at) => cell !== '' && cell === titles[at]).length >= Math.min(2, filled)
  const parsed = lines.map((read) => parse(read, plan))
  const sums = sumUp(
    parsed.filter(({ read, filled }) => filled.length === 0 || !isHeader(read, filled.length)),
  )
  let dated = 0
  for (const one of parsed) {
    const { read, filled, figure, hasDay, when } = one
    if (filled.length > 0 && isHeader(read, filled.length)) {
      leave(read, null, 'Left out: the line repeats the header.')
      continue
    }
    const label = sums.labelOf(one)
    if (label !== null && (!hasDay || sums.isTotal(one))) {
      leave(read, null, 'Left out: a totals line is no bill.')
      continue
    }
    if (label !== null) askTotal(one, label, plan)
    const isNote = !hasDay && figure === null && filled.length <= 2 && !filled.some((cell) => isAmount(cell))
    if (isNote && filled.length > 0) {
      read.isNote = true
      leave(read, null, `Left out: no bill, but “${filled.join(' ').slice(0, 120)}”.`)
      continue
    }
    if (when === undefined && dated > 1 && isSum(figure, sums.before(one))) {
      leave(read, null, 'Left out: the line has no date, and its quantity is the sum of the lines above.')
      continue
    }
    if (hasDay) dated += 1
  }
}

type Parsed = Readonly<{
  read: ReadLine
  filled: readonly string[]
  figure: Figure | null
  when: string | undefined
  hasDay: boolean
  /** Its days as the file writes them. */
  days: string
}>

function parse(read: ReadLine, plan: ReadingPlan): Parsed {
  const { cells, raw } = read
  const when = cells.periodStart ?? cells.readDate
  const hasDay =
    when !== undefined &&
    (isDay(when) || splitRange(when) !== null || (cells.year !== undefined && /^\d{1,2}$/.test(when)))
  const filled = raw.filter((cell) => !isBlank(cell))
  const days = hasDay ? `${when} ${cells.periodEnd ?? ''} ${cells.year ?? ''}` : ''
  return { read, filled, figure: figureOf(read, plan), when, hasDay, days }
}

type Sum = Readonly<{ total: Figure; parts: number }>
const NOTHING: Sum = { total: new Figure(0), parts: 0 }
const plus = ({ total, parts }: Sum, figure: Figure): Sum => ({ total: total.plus(figure), parts: parts + 1 })

/** The sums that lines named like totals may be: of all lines, of a name, of some days, and of the lines around them. */
function sumUp(parsed: readonly Parsed[]) {
  const words = new Set(parsed.flatMap(({ filled }) => filled.map(keyOf)))
  /** What a line is called, if that names a total: "Total", "Total January", or "A1 total" in a file that has A1. */
  const labelOf = ({ filled }: Parsed): string | null =>
    filled.find((cell) => namesTotal(cell) || startsTotal(cell) || words.has(keyOf(nameOfTotal(cell)))) ??
    null
  const labels = new Map(parsed.map((one) => [one, labelOf(one)]))
  const dated = parsed.filter(({ hasDay, figure }) => hasDay && figure !== null)
  // A word of every other line, such as a supplier's name, is no label.
  const areLabels = dated.filter((one) => labels.get(one) !== null).length * 2 <= dated.length
  const isLabeled = (one: Parsed) => labels.get(one) !== null && (areLabels || !one.hasDay)
  const by = new Map<string, Sum>()
  const add = (key: string, figure: Figure) => by.set(key, plus(by.get(key) ?? NOTHING, figure))
  const blocks: Sum[] = [NOTHING]
  /** What is before each line: the sum of all lines, and the place of its block. */
  const before = new Map<Parsed, Sum & { block: number }>()
  // Most files have no line that is named like a total.
  const hasLabels = parsed.some(isLabeled)
  let sum = NOTHING
  for (const one of parsed) {
    const { filled, figure, days } = one
    before.set(one, { ...sum, block: blocks.length - 1 })
    if (isLabeled(one)) blocks.push(NOTHING)
    else if (figure !== null) {
      sum = plus(sum, figure)
      blocks[blocks.length - 1] = plus(blocks.at(-1) ?? NOTHING, figure)
      for (const name of hasLabels ? ['', ...new Set(filled.map(keyOf))] : [])
        for (const when of ['', days]) add(`${name}\u001F${when}`, figure)
    }
  }
  return {
    labelOf: (one: Parsed): string | null => (isLabeled(one) ? (labels.get(one) ?? null) : null),
    before: (one: Parsed): Figure => before.get(one)?.total ?? sum.total,
    isTotal: (one: Parsed): boolean => {
      const { filled, figure, days } = one
      const isPartial = startsPartial(labels.get(one) ?? '')
      const { block, ...above } = before.get(one) ?? { ...NOTHING, block: 0 }
      const names = ['', ...filled.flatMap((cell) => [keyOf(cell), keyOf(nameOfTotal(cell))])]
      const some = [
        blocks[block],
        blocks[block + 1],
        above,
        ...names.flatMap((name) => ['', days].map((when) => by.get(`${name}\u001F${when}`))),
      ]
      return some.some(
        (own) =>
          own !== undefined &&
          // A supplier or a meter may be called that, and have the use of another one.
          (own.parts > 1 || isPartial) &&
          own.parts > 0 &&
          figure !== null &&
          !own.total.isZero() &&
          figure.minus(own.total).abs().lte(roundedAway(own.total.abs(), own.parts)),
      )
    },
  }
}

function askTotal({ read, figure }: Parsed, label: string, { questions }: ReadingPlan): void {
  const answer = questions.ask({
    id: 'total',
    each: `${read.line}`,
    field: 'quantity',
    text: `Line ${read.line} is called “${label.trim().slice(0, 80)}”${figure === null ? '' : ` and has ${showFigure(figure, 16)}`}. Does it count?`,
    choices: [
      { value: 'leave', label: 'No: it is a total of other lines. Leave it out' },
      { value: 'count', label: 'Yes: it is a bill' },
    ],
    proposal: null,
  })
  if (answer === 'leave') leave(read, null, 'Left out: a totals line is no bill.')
  if (answer === null) waits(read, 'quantity', 'It is called like a total. Say whether it counts.')
}

const keyOf = (text: string | null): string => (text ?? '').trim().toLowerCase()

const isSum = (figure: Figure | null, sum: Figure): boolean =>
  figure !== null && !sum.isZero() && figure.minus(sum).abs().lte(sum.abs().times('0.001').plus('0.01'))

function figureOf({ cells, raw }: ReadLine, plan: ReadingPlan): Figure | null {
  const text = cells.quantity ?? raw[plan.mapping.columns.meterTo ?? -1] ?? ''
  const read = readAmount(text, localeOf(plan, text))
  return 'value' in read ? new Figure(read.value) : null
}
