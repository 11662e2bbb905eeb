import type { ImportLine, ImportPreview, ImportQuestion } from '#contract/carbon/activity/activity-imports.ts'
import type { ImportMapping } from '#contract/carbon/activity/import-mapping.ts'
import { Figure, plain } from '#contract/carbon/factors/figure.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { ALREADY_THERE } from '../records/check-row.ts'
import { checkRows } from '../records/save-records.ts'
import { hasNumber, type LineBill, shareDays, splitCredits, takenBack } from './bill-identity.ts'
import { normalizeName, nearFacilities, nearTypes, typesOfUnits } from './find-names.ts'
import { unitWord } from './read-amount.ts'
import type { ImportContext } from './import-context.ts'
import type { Questions } from './import-questions.ts'
import { nameOf } from './ask-about-bills.ts'
import { type KeptBill, keptBill } from './left-bills.ts'
import { readMeterPlaces } from './meter-places.ts'
import { lineBill, matchBills } from './match-bills.ts'
import { tellApart } from './apart-bills.ts'
import { isTariff } from './other-columns.ts'
import type { Proposal } from './propose-mapping.ts'
import { readStored } from './stored-bills.ts'
import { amountOf, leave, type ReadingPlan, type ReadLine, waits } from './read-line.ts'
import { fieldAt, readLines } from './read-lines.ts'
import type { SheetColumns } from './sheet-columns.ts'

type Inventory = { id: string; periodStart: string; periodEnd: string }
export type CheckedLine = ReadLine &
  Pick<ImportLine, 'state' | 'amount'> & {
    /** The record of the same bill, if it was already imported. */
    knownId?: string
    /** An answer left it out, because another bill holds. */
    leftBill?: KeptBill
  }
export type CheckedImport = {
  lines: CheckedLine[]
  /** The rows to save: those that are ready, with the lines they come from. */
  checked: Awaited<ReturnType<typeof checkRows>>
  counts: Record<CheckedLine['state'] | 'warned', number>
  questions: ImportQuestion[]
  /** With the answers to questions about columns and formats. */
  mapping: ImportMapping
  /** A record that is asked about changed after the user saw it. */
  isStale: boolean
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
  const first = readLines(columns, given, { context, proposal })
  const meterPlaces = await readMeterPlaces(db, first.lines, first.plan)
  const {
    lines: read,
    questions,
    mapping,
    plan,
  } = meterPlaces.size === 0
    ? first
    : readLines(columns, given, { context: { ...context, meterPlaces }, proposal })
  const open = new Set(read.filter(({ isLeft }) => !isLeft))
  await settleRepeated(db, read, plan)
  const { known, replaced, leftAgain, isStale } = await matchBills(db, read, plan)
  const rows = read.flatMap(({ key, record, isLeft, isOpen }) =>
    record === null || isLeft || isOpen || known.has(key)
      ? []
      : [{ key, ...(replaced.get(key) ?? NEW), record }],
  )
  const checked = await checkRows(db, actor, inventory, rows, { isPreview, isMatched: true })
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
    const leftBill = one.isLeft && open.has(one) && !leftAgain.has(one) ? keptBill(one) : null
    const checkedLine = {
      ...withResult(one, { result: byKey.get(one.key), knownId: known.get(one.key) }, mapping),
      amount,
      ...(leftBill && { leftBill }),
    }
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
    isStale,
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
  { result, knownId }: { result: RowResult | undefined; knownId: string | undefined },
  { leavesWarned }: ImportMapping,
): Omit<CheckedLine, 'amount'> {
  if (one.isLeft) return { ...one, state: 'left' }
  if (knownId !== undefined && !one.isOpen) {
    const problem = { field: fieldAt('quantity'), level: 'error' as const, message: ALREADY_THERE }
    return { ...one, problems: [...one.problems, problem], state: 'known', knownId }
  }
  if (result === undefined) return { ...one, state: one.isOpen ? 'open' : 'refused' }
  const found = result.problems.map(({ field, level, message }) => ({
    field: fieldAt(field),
    level,
    message,
  }))
  const problems = [...one.problems, ...found]
  if (result.state !== 'saved') return { ...one, problems, state: 'refused' }
  return { ...one, problems, state: leavesWarned && problems.length > 0 ? 'left' : 'ready' }
}

/** Lines with the same bill number for the same days, but another quantity: the last may correct the others. */
async function settleRepeated(db: Database, lines: readonly ReadLine[], plan: ReadingPlan): Promise<void> {
  const {
    questions,
    context: { units },
  } = plan
  const tariffs = plan.proposal.evidence.filter(isTariff)
  const areApart = tellApart(plan)
  const all = lines.flatMap((read) => lineBill(read, units))
  const [bills, credits] = splitCredits(all)
  // Both count, so they are nothing, and a later bill is a new one.
  const gone = takenBack(bills, credits)
  const numbered = bills.filter((one) => one.number !== '' && !gone.has(one))
  const groups = Map.groupBy(
    numbered,
    ({ sourceId, number, meter }) => `${sourceId} ${number} ${meter ?? ''}`,
  )
  const several = [...groups.values()].filter(({ length }) => length > 1)
  const stored = several.length === 0 ? [] : await readStored(db, several.flat(), units)
  const isThere = (one: LineBill) =>
    stored.some(
      (record) => record.use === one.use && hasNumber(record, one) && record.sourceId === one.sourceId,
    )
  for (const own of several)
    for (const [at, one] of own.entries()) {
      // "Peak" and "Off-peak" are parts of a bill, and so are its buildings.
      const isPart = (other: LineBill) =>
        tariffs.some(({ place }) => (one.read.raw[place] ?? '') !== (other.read.raw[place] ?? '')) ||
        areApart(one, other)
      const later = own
        .slice(at + 1)
        .findLast((other) => shareDays(one, other) && other.use !== one.use && !isPart(other))
      // What is there, was answered before.
      if (later !== undefined && !(isThere(one) && isThere(later))) askTwice(one.read, later.read, questions)
    }
}

function askTwice(read: ReadLine, later: ReadLine, questions: Questions): void {
  const answer = questions.ask({
    id: 'twice',
    each: `${read.line}`,
    field: 'reference',
    text: `${nameOf({ reference: read.record?.reference ?? null })} is in lines ${read.line} and ${later.line} for the same days, with ${amountOf(read)} and ${amountOf(later)}.`,
    choices: [
      { value: 'last', label: 'The later line corrects the earlier one' },
      { value: 'first', label: 'Only the earlier line holds' },
      { value: 'both', label: 'They are two parts of a bill: both count' },
    ],
    proposal: null,
  })
  if (answer === null)
    for (const one of [read, later])
      waits(one, 'reference', 'The file has this bill number twice for the same days.')
  if (answer === 'last') leave(read, 'reference', `Left out: corrected by line ${later.line}.`)
  if (answer === 'first') leave(later, 'reference', `Left out: line ${read.line} holds.`)
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
  { facilities, types, sources }: ImportContext,
): Pick<ImportPreview, 'unknownFacilities' | 'unknownSources'> {
  const of = (
    which: 'facility' | 'source',
    near: (text: string, own: readonly CheckedLine[]) => string[],
  ) => {
    const named = lines.filter(({ unknown }) => unknown[which] !== undefined)
    const groups = Map.groupBy(named, ({ unknown }) => normalizeName(unknown[which] ?? ''))
    return [...groups.values()].slice(0, MOST_UNKNOWN).map((own) => {
      const text = own[0]?.unknown[which] ?? ''
      return { text: text.slice(0, 200), lines: own.length, near: near(text, own) }
    })
  }
  const nearSources = (text: string, own: readonly CheckedLine[]) => [
    ...new Set([
      ...nearTypes(text, types),
      ...typesOfUnits(
        own.map(({ cells }) => unitWord(cells)),
        sources,
      ),
    ]),
  ]
  return {
    unknownFacilities: of('facility', (text) => nearFacilities(text, facilities)),
    unknownSources: of('source', nearSources),
  }
}

/** With more unknown names than this, the wrong column is mapped. */
const MOST_UNKNOWN = 30
