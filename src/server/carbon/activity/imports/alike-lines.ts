import { Figure, plain } from '#contract/carbon/factors/figure.ts'
import { joinReference, meterName } from '../records/check-row.ts'
import { IS_COUNTER } from './other-columns.ts'
import { amountOf, leave, type ReadingPlan, type ReadLine, waits } from './read-line.ts'

/** What a line can't be told apart by: its own days and amounts, and its place. */
const NEVER: ReadonlySet<string> = new Set([
  'facility',
  'source',
  'periodStart',
  'periodEnd',
  'period',
  'readDate',
  'billDate',
  'date',
  'year',
  'time',
  'timeEnd',
  'unit',
  'currency',
])

/**
 * Lines of the same source, days, number and quantity that differ in another column: two tariffs, two tanks, or the same bill listed
 * twice. The user says which. If both count, what tells them apart becomes their number.
 */
export function settleAlike(lines: readonly ReadLine[], { proposal, questions }: ReadingPlan): void {
  const open = lines.filter(({ record, isLeft, isOpen }) => record !== null && !isLeft && !isOpen)
  const groups = Map.groupBy(open, ({ record, source }) =>
    [
      record?.sourceId,
      record?.periodStart,
      record?.periodEnd,
      record?.reference,
      record?.quantity ?? `${record?.meterFrom} ${record?.meterTo}`,
      record?.unit ?? source?.unit,
    ].join('\u001F'),
  )
  const columns = proposal.evidence.filter(
    ({ role, title, isNumeric, isDate }) =>
      !isDate &&
      !NEVER.has(role ?? '') &&
      (!isNumeric || (role === 'identifier' && !IS_COUNTER.test(title.trim()))),
  )
  for (const own of groups.values()) {
    const [first, second] = own
    if (first === undefined || second === undefined) continue
    const column = columns.find(
      ({ place }) => new Set(own.map(({ raw }) => raw[place] ?? '')).size === own.length,
    )
    if (column === undefined) continue
    const nameOf = ({ raw }: ReadLine) => `${column.title} ${raw[column.place]?.trim() ?? ''}`.trim()
    const isBilledInParts = haveOtherCosts(own)
    const answer = questions.ask({
      id: `alike:${column.title.toLowerCase().slice(0, 80)}`,
      field: 'quantity',
      text: `Lines ${first.line} and ${second.line} have the same days and ${amountOf(first)}, and differ in “${column.title}”. Do both count?`,
      choices: [
        { value: 'both', label: 'Yes: they are two' },
        {
          value: 'once',
          label: isBilledInParts
            ? 'No: it is one use. Count it once, and add up the amounts'
            : 'No: the same is listed twice. Count it once',
        },
      ],
      proposal: null,
      lines: own.length,
    })
    if (answer === 'once' && isBilledInParts) addCosts(first, own)
    for (const read of answer === 'once' ? own.slice(1) : own) {
      if (answer === null)
        waits(read, 'quantity', `Another line has the same days and quantity. Say whether both count.`)
      else if (answer === 'once')
        leave(
          read,
          'quantity',
          isBilledInParts
            ? `Its use is that of line ${first.line} and counts once. Its amount is added there.`
            : `Left out: the same as line ${first.line}.`,
        )
      else if (read.record !== null) {
        const { reference } = read.record
        // A code tells places apart, as a meter does; a word, such as a tariff, is part of the number.
        read.record.reference = own.every((one) => /\d/.test(one.raw[column.place] ?? ''))
          ? meterName(reference, nameOf(read))
          : joinReference(reference, nameOf(read))
      }
    }
  }
}

const costsOf = (lines: readonly ReadLine[]): string[] => lines.flatMap(({ record }) => record?.cost ?? [])

/** Delivery and supply of one bill are charged by the same use, each with its amount. Amounts in other currencies are no costs. */
const haveOtherCosts = (lines: readonly ReadLine[]): boolean =>
  new Set(costsOf(lines).map((cost) => plain(new Figure(cost)))).size > 1

function addCosts(read: ReadLine, lines: readonly ReadLine[]): void {
  if (read.record === null) return
  const cost = plain(costsOf(lines).reduce((sum, one) => sum.plus(one), new Figure(0)))
  read.cells.cost = cost
  read.record = { ...read.record, cost }
}
