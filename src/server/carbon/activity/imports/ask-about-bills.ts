import { showFigure } from '#contract/carbon/factors/figure.ts'
import { joinReference, numberAndMeter } from '../records/check-row.ts'
import { isOfDays, type LineBill, type StoredBill } from './bill-identity.ts'
import type { Questions } from './import-questions.ts'
import { amountOf, leave, takeUp, waits } from './read-line.ts'

/** Questions about records: their answers hold only for the records that the user saw. */
export const RECORD_QUESTIONS = [
  'replace',
  'sameDay',
  'sameDays',
  'again',
  'sameMeter',
  'otherMeter',
  'overlap',
  'overlaps',
  'differs',
  'parts',
  'whole',
  'voided',
  'sameNumber',
  'lateCredit',
  'shifted',
  'elsewhere',
] as const
type RecordQuestion = (typeof RECORD_QUESTIONS)[number]
type OneQuestion = Parameters<Questions['ask']>[0]

/** Asks about a record. What is asked, is in `RECORD_QUESTIONS`. */
export const askOfRecord = (
  questions: Questions,
  question: OneQuestion & { id: RecordQuestion | `differs:${string}` },
): string | null => questions.ask(question)

/** What a line is of a record that it may be. */
export type Answer = 'known' | 'replace' | 'both' | 'waits'
type LineQuestion = Readonly<{ line: LineBill; questions: Questions }>

export function nameOf({ reference }: Pick<StoredBill, 'reference'>): string {
  const { number, meter } = numberAndMeter(reference ?? '')
  if (meter !== null && number === '') return `The bill of ${meter}`
  return number === '' ? 'A bill without a number' : `Bill ${shownNumber(reference ?? '')}`
}
/** "B2 of M1": the column may be that of an account, so it isn't called a meter. */
export function shownNumber(reference: string): string {
  const { number, meter } = numberAndMeter(reference)
  return [number, meter ?? ''].filter((text) => text !== '').join(' of ')
}
export const useOf = ({ quantity, unit }: Pick<StoredBill, 'quantity' | 'unit'>): string =>
  `${showFigure(quantity, 16)} ${unit}`
const nameOfLine = ({ read }: LineBill): string =>
  read.record?.reference ? ` as ${shownNumber(read.record.reference)}` : ''
export const daysOf = ({ first, last }: Pick<StoredBill, 'first' | 'last'>): string =>
  first === last ? first : `${first} to ${last}`

/** A line replaces one record. */
const REPLACES_ALL = {
  value: 'later',
  label: 'It replaces them: leave it out now. Delete the earlier bills, and import the file again',
}
const MOST_SHOWN = 4

/** Leaves a line out, or lets it wait, as the user answers. */
function settle(
  answer: string | null,
  { read }: LineBill,
  { waiting, left }: { waiting: string; left: string },
): Answer {
  const field = read.record?.reference ? 'reference' : 'periodStart'
  if (answer === null) waits(read, field, waiting)
  if (answer === 'leave') leave(read, field, left)
  if (answer === REPLACES_ALL.value)
    leave(read, field, 'Left out: delete the earlier bills, and import the file again.')
  if (answer === 'replace' || answer === 'both') return answer
  return 'waits'
}

/** Whether a bill that a credit took back was billed again: no number tells. */
export function askAgain(record: StoredBill, { line, questions }: LineQuestion): Answer {
  const answer = askOfRecord(questions, {
    id: 'again',
    each: record.id,
    field: 'reference',
    text: `${nameOf(record)} is already there for these days, with ${useOf(record)}, and a credit takes it back. The file has ${amountOf(line.read)}${nameOfLine(line)}. Was it billed again?`,
    choices: [
      { value: 'leave', label: 'No, it is the same bill. Leave the line out' },
      { value: 'both', label: 'Yes, it is a new bill and counts' },
    ],
    proposal: null,
  })
  return settle(answer, line, {
    waiting: 'A credit takes back a bill for the same days. Say whether it was billed again.',
    left: 'Left out: a credit takes this bill back.',
  })
}

/** Lists of a year have 0 for the months to come: the use of such a month replaces it, unless the user says something else. */
const ofZero = ({ quantity }: StoredBill): string | null => (Number(quantity) === 0 ? 'replace' : null)

/** Whether a line replaces a bill of the same number or days, or is another one. `others`: all that it may replace. */
export function askReplaced(
  record: StoredBill,
  { line, questions, others }: LineQuestion & { others: readonly StoredBill[] },
): Answer {
  const { read } = line
  // A line without a number has only its days: of several meters, none is the one that it replaces.
  if (!read.record?.reference || read.others !== undefined)
    return askSameDays(record, { line, questions, others })
  const now = isOfDays(line, record) ? amountOf(read) : `${amountOf(read)} for ${daysOf(line)}`
  const days = isOfDays(line, record) ? 'these days' : daysOf(record)
  const answer = askOfRecord(questions, {
    id: 'replace',
    each: record.id,
    field: 'reference',
    text: `${nameOf(record)} is already there for ${days}, with ${useOf(record)}. The file has ${now}. Is it a correction?`,
    choices: [
      { value: 'replace', label: 'Replace the earlier bill. It stays in the history' },
      { value: 'both', label: 'Keep both: they are two bills' },
      { value: 'leave', label: 'Leave the line of the file out' },
    ],
    proposal: ofZero(record),
  })
  return settle(answer, line, {
    waiting: `${nameOf(record)} is already there for ${days}, with ${useOf(record)}. Say whether this one replaces it.`,
    left: 'Left out: the earlier bill stays.',
  })
}

/** Days that are already there with another use: read again, corrected, or of another meter. */
function askSameDays(
  record: StoredBill,
  { line, questions, others }: LineQuestion & { others: readonly StoredBill[] },
): Answer {
  const old = others.map(useOf).join(' and ')
  const isOne = others.length === 1
  const days = daysOf(record)
  const own = isOfDays(line, record) ? '' : ` for ${daysOf(line)}`
  const answer = askOfRecord(questions, {
    id: isOne ? 'sameDay' : 'sameDays',
    each: record.id,
    field: 'periodStart',
    text: `${days} is already there with ${old}. The file says ${amountOf(line.read)}${own}. Is it a correction?`,
    choices: [
      isOne ? { value: 'replace', label: 'Replace the earlier use. It stays in the history' } : REPLACES_ALL,
      { value: 'both', label: 'Keep both: another meter, or other hours of the day' },
      { value: 'leave', label: 'Leave these days of the file out' },
    ],
    proposal: isOne ? ofZero(record) : null,
  })
  return settle(answer, line, {
    waiting: `${days} is already there, with ${old}. Say whether this replaces it.`,
    left: 'Left out: the earlier use stays.',
  })
}

/** Whether a line with the days and the use of a record is the same bill, although a column of their files differs. */
export function askDifferent(
  record: StoredBill,
  {
    line,
    questions,
    difference,
  }: LineQuestion & { difference: { title: string; before: string; now: string } | null },
): Answer {
  if (difference === null) return 'known'
  const { title, before, now } = difference
  const answer = askOfRecord(questions, {
    id: `differs:${title.toLowerCase().slice(0, 80)}`,
    each: record.id,
    field: 'reference',
    text: `${nameOf(record)} is already there for these days, with ${useOf(record)}. Its “${title}” was ${before}, and this line has ${now}. Is it the same bill?`,
    choices: [
      { value: 'leave', label: 'Yes: leave the line out' },
      { value: 'both', label: 'No: they are two, and both count' },
    ],
    proposal: null,
  })
  if (answer === 'both' && line.read.record !== null)
    line.read.record.reference = joinReference(line.read.record.reference, `${title} ${now}`)
  return settle(answer, line, {
    waiting: `A bill with the same days and use is already there. Say whether this is the same, with another “${title}”.`,
    left: 'Left out: the same bill is already there.',
  })
}

/** Whether a line counts besides other bills of its meter for the same days. */
export function askOverlap(
  record: StoredBill,
  { line, questions, others }: LineQuestion & { others: readonly StoredBill[] },
): Answer {
  const isOne = others.length === 1
  const shown = others
    .slice(0, MOST_SHOWN)
    .map((one) => `${nameOf(one)} for ${daysOf(one)} with ${useOf(one)}`)
  const rest = others.length - shown.length
  const old = [...shown, ...(rest > 0 ? [`${rest} more`] : [])].join(', ')
  const answer = askOfRecord(questions, {
    id: isOne ? 'overlap' : 'overlaps',
    each: `${line.read.line}`,
    field: 'periodStart',
    text: `These days are already there: ${old}. The file has ${amountOf(line.read)} for ${daysOf(line)}${nameOfLine(line)}. Do both count?`,
    choices: [
      ...(isOne
        ? [{ value: 'replace', label: 'No: replace the earlier bill. It stays in the history' }]
        : [REPLACES_ALL]),
      { value: 'leave', label: 'No: leave the line of the file out' },
      { value: 'both', label: 'Yes: they are two bills' },
    ],
    proposal: null,
  })
  return settle(answer, line, {
    waiting: 'Bills are already there for some of these days. Say whether both count.',
    left: 'Left out: bills are already there for these days.',
  })
}

/** Whether a meter that is new in its source is one of those before, by another name. */
export function askOtherMeter(record: StoredBill, { line, questions }: LineQuestion): Answer {
  const [before, now] = [record.meter, line.meter ?? '']
  const { number } = numberAndMeter(record.reference ?? '')
  const isSame = record.use === line.use
  const answer = askOfRecord(questions, {
    id: isSame ? 'sameMeter' : 'otherMeter',
    each: record.id,
    field: 'reference',
    text: `${number === '' ? 'A bill' : `Bill ${number}`} of ${before} is already there for these days, with ${useOf(record)}. The file has ${amountOf(line.read)} of ${now}. Is ${now} another name for ${before}, such as its account?`,
    choices: isSame
      ? [
          { value: 'leave', label: 'Yes: it is the same bill. Leave the line out' },
          { value: 'both', label: 'No: it is another meter, and both count' },
        ]
      : [
          { value: 'replace', label: 'Yes: replace the earlier bill. It stays in the history' },
          { value: 'leave', label: 'Yes, but keep the earlier bill. Leave the line out' },
          { value: 'both', label: 'No: it is another meter, and both count' },
        ],
    proposal: null,
  })
  return settle(answer, line, {
    waiting: `This bill is already there with another meter, ${before}. Say whether it is the same.`,
    left: `Left out: the bill of ${before} stays.`,
  })
}

/** Whether lines that together have the use of a record are its parts. */
export function askParts(
  record: StoredBill,
  { line, questions, parts }: LineQuestion & { parts: readonly LineBill[] },
): Answer {
  const numbers = parts.map(({ read }) => read.line)
  const shown = numbers.length > 4 ? [...numbers.slice(0, 3), `${numbers.length - 3} more`] : numbers
  const answer = askOfRecord(questions, {
    id: 'parts',
    each: record.id,
    field: 'periodStart',
    text: `Lines ${shown.slice(0, -1).join(', ')} and ${shown.at(-1)} have ${useOf(record)} together, as ${nameOf(record)} for ${daysOf(record)}, which is already there. Are they its parts?`,
    choices: [
      { value: 'leave', label: 'Yes: leave these lines out' },
      { value: 'replace', label: 'Yes: replace the earlier bill by these lines. It stays in the history' },
      { value: 'both', label: 'No: they are other bills, and all count' },
    ],
    proposal: null,
  })
  return settle(answer, line, {
    waiting: `Together with other lines it is what ${nameOf(record)} has. Say whether they are its parts.`,
    left: `Left out: a part of ${nameOf(record)}.`,
  })
}

/** Whether a line that has the use of several records together counts besides them. */
export function askWhole(records: readonly StoredBill[], { line, questions }: LineQuestion): Answer {
  const [first] = records
  const last = records.at(-1)
  const days = first && last ? daysOf({ first: first.first, last: last.last }) : ''
  const answer = askOfRecord(questions, {
    id: 'whole',
    each: `${line.read.line}`,
    field: 'periodStart',
    text: `Line ${line.read.line} has ${amountOf(line.read)} for ${daysOf(line)}, as ${records.length} bills have together that are already there for ${days}. Does it count, too?`,
    choices: [
      { value: 'leave', label: 'No: they are its parts. Leave the line out' },
      { value: 'both', label: 'Yes: it is another bill' },
    ],
    proposal: null,
  })
  return settle(answer, line, {
    waiting: 'Bills that are already there have the same use together. Say whether this one counts, too.',
    left: 'Left out: the sum of bills that are already there.',
  })
}

/** Whether a line with the number and the use of a record for other days is its bill. */
export function askSameNumber(record: StoredBill, { line, questions }: LineQuestion): Answer {
  const answer = askOfRecord(questions, {
    id: 'sameNumber',
    each: record.id,
    field: 'reference',
    text: `${nameOf(record)} is already there for ${daysOf(record)}, with ${useOf(record)}. The file has it for ${daysOf(line)}, with ${amountOf(line.read)}. Is it the same bill?`,
    choices: [
      { value: 'leave', label: 'Yes: leave the line out' },
      { value: 'replace', label: 'Yes, with the right days: replace the earlier bill' },
      { value: 'both', label: 'No: they are two, and both count' },
    ],
    proposal: null,
  })
  return settle(answer, line, {
    waiting:
      'A bill with the same number and use is already there for other days. Say whether it is the same.',
    left: 'Left out: the same bill is already there for other days.',
  })
}

/** Whether the bill of a line is stored for another source, which `name` tells. */
export function askElsewhere(
  { record, name }: Readonly<{ record: StoredBill; name: string }>,
  { line, questions }: LineQuestion,
): Answer {
  const answer = askOfRecord(questions, {
    id: 'elsewhere',
    each: record.id,
    field: 'source',
    text: `${nameOf(record)} for ${daysOf(record)} with ${useOf(record)} is already there, for ${name}. Is line ${line.read.line} the same bill?`,
    choices: [
      { value: 'leave', label: 'Yes: leave the line out' },
      { value: 'both', label: 'No: both have this use, and both count' },
    ],
    proposal: null,
  })
  return settle(answer, line, {
    waiting: `This bill is already there, for ${name}. Say whether it is the same.`,
    left: `Left out: the same bill is already there, for ${name}.`,
  })
}

/** Whether lines with the uses of records for other days are the same list, such as by the day of posting. `count`: of these lines. */
export function askShifted(
  record: StoredBill,
  { line, questions, count }: LineQuestion & { count: number },
): Answer {
  const answer = askOfRecord(questions, {
    id: 'shifted',
    each: record.id,
    field: 'periodStart',
    text: `${count} new lines have the use of bills that are already there for other days, such as line ${line.read.line} with ${amountOf(line.read)} for ${daysOf(line)}, which is there for ${daysOf(record)}. Are they the same bills?`,
    choices: [
      { value: 'leave', label: 'Yes, with another day, such as that of posting: leave these lines out' },
      { value: 'both', label: 'No: they are other bills, and all count' },
    ],
    proposal: null,
  })
  return settle(answer, line, {
    waiting: 'A bill with the same use is already there for other days. Say whether it is the same.',
    left: 'Left out: the same bill is already there for other days.',
  })
}

/** Whether a bill that a line calls no longer valid, and that is stored, is taken back. */
export function askVoided(record: StoredBill, { read }: LineBill, questions: Questions): void {
  const word = read.voids ?? ''
  const answer = askOfRecord(questions, {
    id: 'voided',
    each: record.id,
    field: 'quantity',
    text: `Line ${read.line} is called “${word}”, and ${nameOf(record)} for ${daysOf(record)} is already there with ${useOf(record)}. Is the stored bill no longer valid, too?`,
    choices: [
      { value: 'credit', label: 'Yes: take it back with a credit' },
      { value: 'leave', label: 'No: it stays' },
    ],
    proposal: null,
  })
  if (answer === 'leave') return
  takeUp(read)
  // The credit is for what is stored, whatever the line says now.
  if (read.record !== null)
    read.record = {
      ...read.record,
      quantity: `-${record.quantity}`,
      unit: record.unit,
      periodStart: record.first,
      periodEnd: record.last,
    }
  if (answer === null)
    waits(read, 'quantity', `It calls a bill that is there “${word}”. Say whether that one is taken back.`)
}

/** Whether a line that a file has several times, without a number, counts as often. @returns whether it does; null: not said. */
export function askRepeated(line: LineBill, more: readonly LineBill[], questions: Questions): boolean | null {
  const answer = questions.ask({
    id: 'repeated',
    each: `${line.read.line}`,
    field: 'quantity',
    text: `Lines ${[line, ...more].map(({ read }) => read.line).join(', ')} are the same: ${amountOf(line.read)} for ${daysOf(line)}. Do all count?`,
    choices: [
      { value: 'both', label: 'Yes: there were as many bills or deliveries' },
      { value: 'once', label: 'No: the same is listed again. Count it once' },
    ],
    proposal: null,
  })
  return answer === null ? null : answer === 'both'
}
