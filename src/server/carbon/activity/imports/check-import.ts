import { sql } from 'kysely'
import type { ImportLine, ImportPreview, ImportQuestion } from '#contract/carbon/activity/activity-imports.ts'
import type { ImportMapping } from '#contract/carbon/activity/import-mapping.ts'
import { Figure, plain, showFigure } from '#contract/carbon/factors/figure.ts'
import type { UnitTable } from '#contract/carbon/factors/unit-table.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { meterName, numberAndMeter } from '../records/check-row.ts'
import { checkRows } from '../records/save-records.ts'
import { normalizeName, nearFacilities, nearTypes } from './find-names.ts'
import type { ImportContext } from './import-context.ts'
import type { Questions } from './import-questions.ts'
import type { Proposal } from './propose-mapping.ts'
import {
  amountOf,
  leave,
  type ReadingPlan,
  type ReadLine,
  takeUse,
  usedIn,
  useKey,
  useKeyOf,
  waits,
} from './read-line.ts'
import { findSameDays } from './same-days.ts'
import { fieldAt, readLines } from './read-lines.ts'
import type { SheetColumns } from './sheet-columns.ts'

type Inventory = { id: string; periodStart: string; periodEnd: string }
export type CheckedLine = ReadLine &
  Pick<ImportLine, 'state' | 'amount'> & {
    /** The record of the same bill, if it was already imported. */
    knownId?: string
  }
export type CheckedImport = {
  lines: CheckedLine[]
  /** The rows to save: those that are ready, with the lines they come from. */
  checked: Awaited<ReturnType<typeof checkRows>>
  counts: Record<CheckedLine['state'] | 'warned', number>
  questions: ImportQuestion[]
  /** With the answers to questions about columns and formats. */
  mapping: ImportMapping
}

/** Returns what each line of a file would become, and what the file leaves open; nothing is saved. */
export async function checkImport(
  db: Database,
  actor: Pick<Member, 'may'>,
  {
    inventory,
    columns,
    mapping: given,
    context,
    proposal,
    isPreview,
  }: {
    inventory: Inventory
    columns: SheetColumns
    mapping: ImportMapping
    context: ImportContext
    proposal: Proposal
    isPreview: boolean
  },
): Promise<CheckedImport> {
  const { lines: read, questions, mapping, plan } = readLines(columns, given, { context, proposal })
  settleRepeated(read, plan.questions)
  const { replaced, apart } = await findCorrected(db, read, plan)
  const corrected = new Map([...replaced, ...(await findSameDays(db, read, plan))])
  const rows = read.flatMap(({ key, record, isLeft, isOpen }) =>
    record === null || isLeft || isOpen ? [] : [{ key, ...(corrected.get(key) ?? NEW), record }],
  )
  const checked = await checkRows(db, actor, inventory, rows, { isPreview, apart })
  const byKey = new Map(checked.results.map((one) => [one.key, one]))
  const withoutBasis = new Set(
    checked.results.filter(({ problems }) => problems.some(isBasisMissing)).map(({ key }) => key),
  )
  if (withoutBasis.size > 0) askBasis(plan.questions, withoutBasis.size)
  const stored = new Map(checked.ready.map(({ row, normalized }) => [row.key, normalized]))
  const lines = read.map((one): CheckedLine => {
    const normalized = stored.get(one.key)
    const amount =
      normalized === undefined || normalized.quantity === null || normalized.unit === null
        ? null
        : { quantity: plain(new Figure(normalized.quantity)), unit: normalized.unit }
    const checkedLine = { ...withResult(one, byKey.get(one.key), mapping), amount }
    return checkedLine.state === 'refused' && withoutBasis.has(one.key)
      ? { ...checkedLine, state: 'open' }
      : checkedLine
  })
  const left = new Set(lines.filter(({ state }) => state === 'left').map(({ key }) => key))
  const count = (state: CheckedLine['state']) => lines.filter((one) => one.state === state).length
  return {
    lines,
    checked: {
      results: checked.results.filter(({ key }) => !left.has(key)),
      ready: checked.ready.filter(({ row }) => !left.has(row.key)),
    },
    counts: {
      ready: count('ready'),
      known: count('known'),
      left: count('left'),
      open: count('open'),
      refused: count('refused'),
      warned: lines.filter(({ state, problems }) => state === 'ready' && problems.length > 0).length,
    },
    questions: questions(),
    mapping,
  }
}

const NEW = { version: undefined }

const isBasisMissing = ({ field, level }: { field: string | null; level: string }): boolean =>
  field === 'calorificBasis' && level === 'error'

function askBasis(questions: Questions, lines: number): void {
  questions.ask({
    id: 'calorificBasis',
    field: 'calorificBasis',
    text: 'Is the energy of the fuel in gross or net calorific value? The same gas has about 10% more kWh in gross.',
    choices: [
      { value: 'gross', label: 'Gross calorific value, as on bills in the UK and North America' },
      { value: 'net', label: 'Net calorific value' },
    ],
    proposal: null,
    lines,
  })
}

type RowResult = Awaited<ReturnType<typeof checkRows>>['results'][number]

function withResult(
  one: ReadLine,
  result: RowResult | undefined,
  { leavesWarned }: ImportMapping,
): Omit<CheckedLine, 'amount'> {
  if (one.isLeft) return { ...one, state: 'left' }
  if (result === undefined) return { ...one, state: one.isOpen ? 'open' : 'refused' }
  const found = result.problems.map(({ field, level, message }) => ({
    field: fieldAt(field),
    level,
    message,
  }))
  const problems = [...one.problems, ...found]
  if (result.knownId !== undefined) return { ...one, problems, state: 'known', knownId: result.knownId }
  if (result.state !== 'saved') return { ...one, problems, state: 'refused' }
  return { ...one, problems, state: leavesWarned && problems.length > 0 ? 'left' : 'ready' }
}

const shareDays = (one: Pick<ReadLine, 'period'>, other: Pick<ReadLine, 'period'>): boolean =>
  one.period !== null &&
  other.period !== null &&
  one.period.first <= other.period.last &&
  one.period.last >= other.period.first

/** Lines with the same bill number for the same days, but another quantity: the last may correct the others. */
function settleRepeated(lines: readonly ReadLine[], questions: Questions): void {
  const groups = Map.groupBy(
    lines.filter(({ record }) => record?.reference),
    numberOf,
  )
  for (const all of groups.values()) {
    const takenBack = findTakenBack(all)
    const own = all.filter((one) => one.record !== null && !isCredit(one.record) && !takenBack.has(one))
    for (const [at, read] of own.entries()) {
      const later = own
        .slice(at + 1)
        .findLast((one) => shareDays(one, read) && one.record?.quantity !== read.record?.quantity)
      if (later === undefined) continue
      const answer = questions.ask({
        id: 'twice',
        field: 'reference',
        text: `Bill ${read.record?.reference ?? ''} is in lines ${read.line} and ${later.line} for the same days, with ${amountOf(read)} and ${amountOf(later)}.`,
        choices: [
          { value: 'last', label: 'The later line corrects the earlier one' },
          { value: 'both', label: 'They are two parts of a bill: both count' },
        ],
        proposal: null,
      })
      if (answer === null)
        for (const one of [read, later])
          waits(one, 'reference', 'The file has this bill number twice for the same days.')
      if (answer === 'last') leave(read, 'reference', `Left out: corrected by line ${later.line}.`)
    }
  }
}

/** Bills that a line with the same number takes back completely. Both count, so they are nothing, and a later bill is a new one. */
function findTakenBack(own: readonly ReadLine[]): ReadonlySet<ReadLine> {
  const found = new Set<ReadLine>()
  for (const credit of own) {
    if (credit.record === null || !isCredit(credit.record)) continue
    const back = credit.record.quantity?.slice(1)
    const bill = own.find((one) => !found.has(one) && one.record?.quantity === back && shareDays(one, credit))
    if (bill !== undefined) found.add(bill)
  }
  return found
}

/** A bill number however files write it: "#000123" is 123, as a spreadsheet makes it. */
const bareNumber = (reference: string): string =>
  reference
    .normalize('NFKC')
    .toUpperCase()
    .replace(/^\W*(NO|NR|INVOICE|INV|BILL|RECHNUNG|FACTURE)\b/, '')
    .replace(/\.0+$/, '')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replace(/^0+/, '')

/**
 * Whether a record and a line may be the same bill: of one number, and of one meter, as far as both have them. Where one of them has no
 * number, the days are the same.
 */
function isSameBill({ reference, first, last }: Earlier, { record }: ReadLine): boolean {
  const [stored, own] = [numberAndMeter(reference), numberAndMeter(record?.reference ?? '')]
  if (stored.meter !== null && own.meter !== null && !isSameMeter(stored.meter, own.meter)) return false
  if (stored.number !== '' && own.number !== '') return bareNumber(stored.number) === bareNumber(own.number)
  return first === record?.periodStart && last === record.periodEnd
}

/** Spreadsheets lose zeros, and files with an account beside the meter name both: "A-4711 0815-33" is 0815-33, but "Hall A 2" isn't A. */
function isSameMeter(one: string, other: string): boolean {
  if (bareNumber(one) === bareNumber(other)) return true
  const names = (long: string, short: string) =>
    /^(?=.*\d)\S{4,}$/.test(short) && long.split(/\s+/).some((part) => bareNumber(part) === bareNumber(short))
  return names(one, other) || names(other, one)
}

/** The number and the meter of a correction, or of what it corrects where its list lacks them. */
function withBoth(one: string | null | undefined, other: string): string {
  const [a, b] = [numberAndMeter(one ?? ''), numberAndMeter(other)]
  const number = a.number === '' ? b.number : a.number
  const meter = a.meter ?? b.meter
  return meter === null ? number : meterName(number === '' ? null : number, meter)
}

/** Whether two references of one bill differ only in its meter, or in a number that one of them lacks. */
function isPartOf(one: string, other: string | null | undefined): boolean {
  const [a, b] = [numberAndMeter(one), numberAndMeter(other ?? '')]
  return a.number === b.number ? a.meter !== b.meter : a.number === '' || b.number === ''
}

/** The bill number in its source. */
const numberOf = ({ record }: ReadLine): string =>
  `${record?.sourceId ?? ''} ${bareNumber(record?.reference ?? '')}`
const isCredit = ({ quantity }: { quantity?: string | null }): boolean => quantity?.startsWith('-') === true
type Earlier = {
  id: string
  version: number
  sourceId: string
  /** '' without a number or a meter. */
  reference: string
  quantity: string
  unit: string
  first: string
  last: string
}

/**
 * The records that lines correct: same source, bill number and days, but another quantity. The user says if they are replaced.
 * @returns them by the key of the line, and `apart`: records that a credit took back before their use was billed again
 */
async function findCorrected(
  db: Database,
  lines: readonly ReadLine[],
  { questions, context: { units } }: Pick<ReadingPlan, 'questions' | 'context'>,
): Promise<{ replaced: Map<string, { id: string; version: number }>; apart: ReadonlySet<string> }> {
  const replaced = new Map<string, { id: string; version: number }>()
  const apart = new Set<string>()
  const named = lines.filter(({ record, isLeft }) => record?.reference && !isLeft)
  if (named.length === 0) return { replaced, apart }
  const sources = [...new Set(named.map(({ record }) => record?.sourceId ?? ''))]
  const days = named.flatMap(({ record }) => [record?.periodStart ?? '', record?.periodEnd ?? '']).toSorted()
  const { rows } = await sql<Earlier>`
    select r.id::text, r.version, r.source_id::text, coalesce(r.reference, '') as reference, trim_scale(r.quantity)::text as quantity, r.unit,
      r.period_start::text as first, r.period_end::text as last from activity_records r
    where r.source_id = any(${sources}::bigint[]) and (r.reference is not null or r.kind <> 'estimate') and r.replaced_at is null and r.unit is not null
      and r.period_start <= ${days.at(-1)}::date and r.period_end >= ${days[0]}::date order by r.id`.execute(
    db,
  )
  const byNumber = Map.groupBy(
    rows,
    ({ sourceId, reference }) => `${sourceId} ${bareNumber(numberAndMeter(reference).number)}`,
  )
  const byDays = Map.groupBy(rows, ({ sourceId, first, last }) => `${sourceId} ${first} ${last}`)
  const credited = findCredited(rows, lines, units)
  const candidates = named.map((read): Candidate => {
    const { sourceId = '', periodStart = '', periodEnd = '', reference = null } = read.record ?? {}
    const { number } = numberAndMeter(reference ?? '')
    const isCreditLine = read.record !== null && isCredit(read.record)
    const own = [
      ...new Set([
        ...(byNumber.get(`${sourceId} ${bareNumber(number)}`) ?? []),
        ...(byDays.get(`${sourceId} ${periodStart} ${periodEnd}`) ?? []),
      ]),
    ].filter(
      (one) =>
        isSameBill(one, read) &&
        shareDays({ period: one }, read) &&
        isCredit(one) === isCreditLine &&
        // Days of intervals without a number are compared as days.
        (one.reference !== '' || read.others === undefined),
    )
    return {
      read,
      alike: own.filter(
        (one) => !credited.before.has(one) || credited.here.has(one) || isSameNumber(one, number),
      ),
      again: own.filter((one) => credited.before.has(one)),
      earlier: own.filter((one) => !credited.before.has(one) && !credited.here.has(one)),
    }
  })
  const same = matchSame(candidates, units)
  const taken = new Set(same.values())
  for (const { read, earlier, again } of candidates) {
    const alike = same.get(read)
    if (alike !== undefined) takeUse(read, alike)
    else {
      const back = again.find(
        (one) => !taken.has(one) && useKey(units, one.quantity, one.unit) === useKeyOf(units, read),
      )
      if (back !== undefined) {
        taken.add(back)
        askAgain(back, read, questions)
        apart.add(back.id)
        continue
      }
    }
    // The same line is known by its content, also if this file names its number or its meter and the other one didn't.
    if (alike !== undefined && alike.reference === '') continue
    if (alike !== undefined && read.record !== null && isPartOf(alike.reference, read.record.reference))
      read.record.reference = alike.reference
    if (read.record !== null && isCredit(read.record)) continue
    const before =
      alike ??
      findNearest(
        read,
        earlier.filter((one) => !taken.has(one)),
        units,
      )
    if (before === undefined || alike?.reference === read.record?.reference) continue
    taken.add(before)
    const answer = askReplaced(before, { read, isSame: alike !== undefined, questions })
    const old = `${showFigure(before.quantity, 16)} ${before.unit}`
    if (answer === null)
      waits(
        read,
        'reference',
        `${billOf(before.reference)} is already there for these days, with ${old}. Say whether this one replaces it.`,
      )
    if (answer === 'leave') leave(read, 'reference', 'Left out: the earlier bill stays.')
    if (answer === 'replace') {
      replaced.set(read.key, { id: before.id, version: before.version })
      if (read.record !== null) read.record.reference = withBoth(read.record.reference, before.reference)
    }
  }
  return { replaced, apart }
}

/**
 * A line with the records that it may repeat (`alike`), those that it may correct (`earlier`), and those that a credit took back before
 * (`again`): with the same number or with its credit in the file, it is the old one; otherwise it may have been billed again.
 */
type Candidate = Readonly<{ read: ReadLine }> &
  Readonly<Record<'alike' | 'earlier' | 'again', readonly Earlier[]>>

const isSameNumber = ({ reference }: Earlier, number: string): boolean =>
  number !== '' && bareNumber(numberAndMeter(reference).number) === bareNumber(number)

/** Whether a bill that a credit took back was billed again: the file has the same use for the same days, and no number tells. */
function askAgain({ reference, quantity, unit }: Earlier, read: ReadLine, questions: Questions): void {
  const answer = questions.ask({
    id: 'again',
    field: 'reference',
    text: `${billOf(reference)} is already there for these days, with ${showFigure(quantity, 16)} ${unit}, and a credit took it back. The file has ${amountOf(read)} as ${read.record?.reference ?? ''}. Was it billed again?`,
    choices: [
      { value: 'leave', label: 'No, it is the same bill. Leave the line out' },
      { value: 'both', label: 'Yes, it is a new bill and counts' },
    ],
    proposal: null,
  })
  if (answer === null)
    waits(
      read,
      'reference',
      `A credit took back the same use for the same days. Say whether it was billed again.`,
    )
  if (answer === 'leave') leave(read, 'reference', 'Left out: a credit took this bill back.')
}

/**
 * Bills whose whole use a credit of their source, days and meter takes back, each credit one bill: a stored credit (`before`), or one of
 * the file (`here`). Credits often have numbers of their own.
 */
function findCredited(
  stored: readonly Earlier[],
  lines: readonly ReadLine[],
  units: UnitTable,
): Record<'before' | 'here', ReadonlySet<Earlier>> {
  const keyOf = ({ sourceId, quantity, unit }: Pick<Earlier, 'sourceId' | 'quantity' | 'unit'>) =>
    `${sourceId} ${useKey(units, quantity.replace('-', ''), unit)}`
  const bills = Map.groupBy(
    stored.filter((one) => !isCredit(one)),
    keyOf,
  )
  const takenBackBy = (credits: readonly Omit<Earlier, 'id' | 'version'>[]) => {
    const found = new Set<Earlier>()
    for (const one of credits) {
      const { first, last } = one
      const credit = numberAndMeter(one.reference)
      const isOf = ({ reference }: Earlier) => {
        const { meter } = numberAndMeter(reference)
        return meter === null || credit.meter === null || isSameMeter(meter, credit.meter)
      }
      const free = (bills.get(keyOf(one)) ?? []).filter(
        (bill) => !found.has(bill) && bill.first <= last && bill.last >= first && isOf(bill),
      )
      const credited =
        free.find(
          (bill) => bareNumber(numberAndMeter(bill.reference).number) === bareNumber(credit.number),
        ) ?? free[0]
      if (credited !== undefined) found.add(credited)
    }
    return found
  }
  const here = lines.flatMap((read) => {
    const { record, isLeft, period } = read
    if (record === null || isLeft || period === null || !isCredit(record)) return []
    const { sourceId, reference } = record
    const unit = record.unit ?? read.source?.unit ?? ''
    return [{ sourceId, reference: reference ?? '', quantity: plain(usedIn(read)), unit, ...period }]
  })
  return { before: takenBackBy(stored.filter(isCredit)), here: takenBackBy(here) }
}

/** The record with the reference of a line, or the one with the nearest use. */
function findNearest(read: ReadLine, free: readonly Earlier[], units: UnitTable): Earlier | undefined {
  const figureOf = (key: string) => new Figure(key.split(' ').at(-1) ?? 0)
  const own = figureOf(useKeyOf(units, read))
  const distance = ({ quantity, unit }: Earlier) =>
    figureOf(useKey(units, quantity, unit))
      .minus(own)
      .abs()
  return (
    free.find(({ reference }) => reference === read.record?.reference) ??
    free.toSorted((a, b) => distance(a).comparedTo(distance(b)))[0]
  )
}

/** The records with the use of a line, each for one line: the one with its reference, or another one. */
function matchSame(candidates: readonly Candidate[], units: UnitTable): Map<ReadLine, Earlier> {
  const found = new Map<ReadLine, Earlier>()
  const taken = new Set<Earlier>()
  for (const isExact of [true, false])
    for (const { read, alike } of candidates) {
      const one = alike.find(
        (record) =>
          !taken.has(record) &&
          (!isExact || record.reference === read.record?.reference) &&
          useKey(units, record.quantity, record.unit) === useKeyOf(units, read),
      )
      if (found.has(read) || one === undefined) continue
      found.set(read, one)
      taken.add(one)
    }
  return found
}

const billOf = (reference: string): string =>
  reference === '' ? 'A bill without a number' : `Bill ${reference}`

/** Whether a line replaces a bill of the same number and days, or is another one. `isSame`: with the same use. */
function askReplaced(
  { reference, quantity, unit }: Earlier,
  { read, isSame, questions }: { read: ReadLine; isSame: boolean; questions: Questions },
): string | null {
  const old = `${showFigure(quantity, 16)} ${unit}`
  const now = isSame ? `it as ${read.record?.reference ?? ''}` : amountOf(read)
  return questions.ask({
    id: 'replace',
    field: 'reference',
    text: `${billOf(reference)} is already there for these days, with ${old}. The file has ${now}. Is it a correction?`,
    choices: [
      { value: 'replace', label: 'Replace the earlier bill. It stays in the history' },
      { value: 'both', label: 'Keep both: they are two bills' },
      { value: 'leave', label: 'Leave the line of the file out' },
    ],
    proposal: null,
  })
}

/** "12 lines: 11 valid, 1 rejected." Summed intervals: "192 lines, summed to 2 days: 2 valid." */
export function sentenceOf(
  { lines, counts }: Pick<CheckedImport, 'lines' | 'counts'>,
  count = lines.length,
): string {
  const { ready, known, left, open, refused } = counts
  const all = lines.length
  if (all === 0) return 'The sheet has no lines below its header.'
  if (known === all)
    return all === 1 ? 'The line was already imported.' : `All ${all} lines were already imported.`
  const unusual = lines.filter(({ state, isLeft }) => state === 'left' && !isLeft).length
  const words = [
    `${ready} valid`,
    ...(known > 0 ? [`${known} already imported`] : []),
    ...(unusual > 0 ? [`${unusual} left out as unusual`] : []),
    ...(left > unusual ? [`${left - unusual} left out`] : []),
    ...(open > 0 ? [`${open} waiting for an answer`] : []),
    ...(refused > 0 ? [`${refused} rejected`] : []),
  ]
  const what =
    count > all
      ? `${count.toLocaleString('en')} lines, summed to ${all} ${all === 1 ? 'day' : 'days'}`
      : `${all} ${all === 1 ? 'line' : 'lines'}`
  return `${what}: ${words.join(', ')}.`
}

/** Names in the file that match nothing, each once, with suggestions. */
export function findUnknown(
  lines: readonly CheckedLine[],
  { facilities, types }: ImportContext,
): Pick<ImportPreview, 'unknownFacilities' | 'unknownSources'> {
  const of = (which: 'facility' | 'source', near: (text: string) => string[]) => {
    const groups = Map.groupBy(
      lines.flatMap(({ unknown }) => unknown[which] ?? []),
      normalizeName,
    )
    return [...groups].slice(0, MOST_UNKNOWN).map(([, [text = '', ...more]]) => ({
      text: text.slice(0, 200),
      lines: more.length + 1,
      near: near(text),
    }))
  }
  return {
    unknownFacilities: of('facility', (text) => nearFacilities(text, facilities)),
    unknownSources: of('source', (text) => nearTypes(text, types)),
  }
}

/** With more unknown names than this, the wrong column is mapped. */
const MOST_UNKNOWN = 30
