import { Figure, plain, showFigure } from '#contract/carbon/factors/figure.ts'
import { leave, type ReadingPlan, type ReadLine, waits, wrong } from './read-line.ts'

type Lower = {
  from: string
  to: string
  /** The use that the line states. */
  stated: Figure | null
  /** The multiplier of the meter. */
  times: Figure
}

/**
 * The use of a line whose end reading is below its start reading: the user says whether the meter was replaced, started again at
 * zero, or whether it is a credit. What was said is added to the note of the record. Null: the line waits or is left out.
 */
export function settleLower(read: ReadLine, lower: Lower, plan: ReadingPlan): Figure | null {
  const { from, to, stated, times } = lower
  const digits = digitsOf(read, from)
  const rolled = new Figure(10).pow(digits).plus(to).minus(from).times(times)
  // The stated use says itself that the meter started again.
  if (stated !== null && isNear(stated, rolled)) return stated
  const [start, end] = [showFigure(from, 16), showFigure(to, 16)]
  const difference = new Figure(from).minus(to).times(times)
  const answer = plan.questions.ask({
    id: `meter:${read.line}`,
    field: 'meterTo',
    text: `Line ${read.line}: the end reading ${end} is below the start reading ${start}${stated === null ? '' : `, and the stated use is ${showFigure(stated, 16)}`}. What happened?`,
    choices: [
      ...(stated === null
        ? []
        : [{ value: 'use', label: `The stated use is right: ${showFigure(stated, 16)}` }]),
      { value: 'replaced', label: 'The meter was replaced' },
      {
        value: 'again',
        label: `The meter started again at zero after ${digits} digits: the use is ${showFigure(rolled, 16)}`,
      },
      { value: 'credit', label: `A credit for an earlier bill: subtract ${showFigure(difference, 16)}` },
      { value: 'leave', label: 'Leave the line out' },
    ],
    proposal: null,
  })
  switch (answer) {
    case null:
      return waits(
        read,
        'meterTo',
        `The end reading ${end} is below the start reading ${start}. Say what happened.`,
      )
    case 'leave':
      return leave(read, 'meterTo', 'Left out, because its end reading is below its start reading.')
    case 'replaced':
      return replacedUse(read, lower, plan)
    case 'again':
      note(read, `The meter started again at zero after ${digits} digits: read ${start}, then ${end}.`)
      return rolled
    case 'credit':
      note(read, `Credit for an earlier bill: read ${start}, then ${end}.`)
      return difference.neg()
    default:
      note(read, `The stated use counts, not the readings ${start} and ${end}.`)
      return stated
  }
}

/** What the old meter and the new one measured. */
function replacedUse(read: ReadLine, { from, to, times }: Lower, { questions }: ReadingPlan): Figure | null {
  const [start, end] = [showFigure(from, 16), showFigure(to, 16)]
  const answer = questions.ask({
    id: `replaced:${read.line}`,
    field: 'meterTo',
    text: `Line ${read.line}: which readings do the two meters have? The old one began at ${start}, the new one ended at ${end}.`,
    choices: [],
    inputs: ['Last reading of the old meter', 'First reading of the new meter'],
    proposal: null,
  })
  if (answer === null) return waits(read, 'meterTo', 'Enter the readings of the old and of the new meter.')
  const [last = '0', first = '0'] = answer.split('/')
  if (new Figure(last).lt(from))
    return wrong(read, 'meterTo', `The last reading of the old meter is below its first one, ${start}.`)
  if (new Figure(first).gt(to))
    return wrong(read, 'meterTo', `The first reading of the new meter is above its last one, ${end}.`)
  note(
    read,
    `The meter was replaced: read ${start} to ${showFigure(last, 16)} on the old one, and ${showFigure(first, 16)} to ${end} on the new one.`,
  )
  return new Figure(last).minus(from).plus(to).minus(first).times(times)
}

/** As many digits as the meter shows: zeros at the start count. */
function digitsOf({ cells }: ReadLine, from: string): number {
  const shown = [cells.meterFrom, cells.meterTo].map((text) =>
    /^\d+$/.test(text ?? '') ? (text ?? '').length : 0,
  )
  return Math.max(...shown, plain(new Figure(from).trunc()).length)
}

/** Meters are rounded, and so are bills. */
export const isNear = (one: Figure, other: Figure): boolean =>
  one.minus(other).abs().lte(Figure.max(one.abs(), other.abs()).times('0.005').plus(1))

/** Behind the note of the file, so that the record explains itself. */
function note(read: ReadLine, sentence: string): void {
  const { comment } = read.cells
  read.cells.comment = comment === undefined ? sentence : `${comment} (${sentence})`
}
