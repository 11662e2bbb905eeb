import { ActivityInput, type ParsedActivity } from '#contract/carbon/activity/activity-schema.ts'
import type { ImportLine, ImportQuestion } from '#contract/carbon/activity/activity-imports.ts'
import {
  DATE_ORDERS,
  type FileFormat,
  IMPORT_FIELD_NAMES,
  IMPORT_FIELDS,
  type ImportField,
  type ImportMapping,
  MAX_COLUMNS,
} from '#contract/carbon/activity/import-mapping.ts'
import { CALORIFIC_BASES, readUnit } from '#contract/carbon/factors/unit-table.ts'
import { billedUnit, unitLike } from './column-roles.ts'
import { settleAlike } from './alike-lines.ts'
import { settleBlankNames, settleSections } from './blank-names.ts'
import type { Detected } from './file-format.ts'
import { unitWord } from './read-amount.ts'
import { findByLabel, findFacility, findType, normalizeName } from './find-names.ts'
import type { ImportContext, ImportSource } from './import-context.ts'
import { hasManyTimes } from './import-day.ts'
import { leaveGenerated, leaveOtherUses } from './generated-lines.ts'
import { makeQuestions, type Questions } from './import-questions.ts'
import type { Proposal } from './propose-mapping.ts'
import { withoutOtherwise } from './plain-words.ts'
import { settleMeterPlaces } from './meter-places.ts'
import { nameMeters, seriesOf } from './meters.ts'
import { settleCarrier, settleKinds, settleProducts, settleUnits } from './products.ts'
import { readPeriods } from './read-periods.ts'
import { readCost } from './read-cost.ts'
import { type Amount, readQuantity, settleNegativeCost, usedColumn } from './read-quantity.ts'
import { leave, type ReadingPlan, type ReadLine, waits, wrong } from './read-line.ts'
import type { SheetColumns, SheetLine } from './sheet-columns.ts'
import { skipLines } from './skip-lines.ts'
import { sumIntervals } from './sum-intervals.ts'
import { settleSums } from './sums-of-lines.ts'
import { settleTurnedDays } from './turned-days.ts'

/** The labels of data quality, from 1 (best) to 5. */
const QUALITY_WORDS = ['measured', 'billed', 'calculated', 'rough estimate', 'guess']
/** How utilities say that a meter was read, or that the use is estimated. */
const READ =
  /^(a|act|actual|r|read|actual read|customer read|m|measured|valid|verified|v|gemessen|abgelesen|reel|releve)$/i
const ESTIMATED =
  /^(e|est|estimated?|estimate read|estimated read|s|geschatzt|geschätzt|estime|estimé|estimée)$/i
const MEASURED_IN: ReadonlySet<string> = new Set(['', 'kg', 'kgco2e', 'kgco2'])

/** What a file says, line by line, and the questions that it leaves open. */
export type ReadFile = {
  lines: ReadLine[]
  questions: () => ImportQuestion[]
  mapping: ImportMapping
  plan: ReadingPlan
}

/**
 * Converts every line to a record. Problems are reported per cell, and what the file leaves open is asked once.
 * @param proposal what the file itself says; a mapping that differs from it is the user's.
 */
export function readLines(
  columns: SheetColumns,
  asked: ImportMapping,
  { context, proposal }: { context: ImportContext; proposal: Proposal },
): ReadFile {
  const given = withPeriod(asked, proposal)
  const order = proposal.orderOf(given.columns)
  const questions = makeQuestions(given.answers)
  const mapped = applyAnswers(given, { proposal, order: order.value })
  const mapping = asReadings(mapped, proposal, questions)
  const plan: ReadingPlan = {
    columns,
    mapping,
    context,
    proposal,
    questions,
    format: mapping.format,
    decimalProposal: proposalOf(proposal.decimal, mapping.format.decimal, mapping.answers.decimal),
    // The order in the mapping is that of the file, unless the user said another one.
    orderProposal: proposalOf(order, order.value, mapping.answers.order),
    orderExample: order.example,
    strangeHeading: unitLike(columns.titles[usedColumn(mapping) ?? -1] ?? ''),
    unitsBeside: columns.unitsBeside.flatMap((word) => {
      const code = billedUnit(context.units, word)?.unit.code
      return code === undefined ? [] : [{ word, code }]
    }),
    isInterval: hasIntervals(columns, mapping),
  }
  const bySource = new Map(context.sources.map((one) => [`${one.facilityId}/${one.sourceType}`, one]))
  const lineOf = ({ line, place, cells: raw }: SheetLine): ReadLine => {
    const cells: ImportLine['cells'] = {}
    for (const field of IMPORT_FIELDS) {
      const text = raw[mapping.columns[field] ?? -1]?.trim() ?? ''
      if (text !== '') cells[field] = text
    }
    const key = `${line}/${place}`
    const empty = {
      period: null,
      problems: [],
      record: null,
      unknown: {},
      source: null,
      isLeft: false,
      isOpen: false,
    }
    return { ...empty, key, line, place, cells, raw, problems: [] }
  }
  const lines = columns.lines.map(lineOf)
  skipLines(lines, plan)
  leaveGenerated(lines, plan)
  settleSections(lines, plan)
  settleBlankNames(lines, plan)
  for (const read of lines) if (!read.isLeft) read.source = sourceOf(read, { plan, bySource })
  settleMeterPlaces(lines, plan)
  settleCarrier(lines, plan)
  settleUnits(lines, plan)
  const asksWords = settleProducts(lines, plan)
  settleTurnedDays(lines, plan)
  readPeriods(lines, plan)
  if (!plan.isInterval) settleKinds(lines, plan, asksWords)
  if (mapping.columns.meterFrom === undefined) fillReadings(lines, plan)
  for (const read of lines) if (!read.isLeft) read.record = readRecord(read, plan)
  if (!plan.isInterval) leaveOtherUses(lines, plan)
  if (questions.list().some(({ id, answer }) => id === 'register' && answer === null))
    for (const read of lines)
      if (!read.isLeft) waits(read, 'quantity', 'Say whether the quantities are uses or readings of a meter.')
  if (!plan.isInterval) {
    nameMeters(lines, plan)
    settleAlike(lines, plan)
    settleSums(lines, plan)
  }
  const all = plan.isInterval ? sumIntervals(lines, plan) : lines
  const others = columns.others.map(({ head, ...one }) => {
    const read = { ...lineOf(one), cells: {} }
    if (one.line === head) leave(read, null, 'Left out: the headings of another table.')
    else
      wrong(
        read,
        null,
        `Line ${head} starts another table with other headings. Import it as a file of its own.`,
      )
    return read
  })
  return { lines: [...all, ...others], questions: plan.questions.list, mapping: mapped, plan }
}

/** A quantity that only rises may be the reading of a meter: the use is what was added since the line before. */
function asReadings(
  mapping: ImportMapping,
  { rises, quantity: { column } }: Proposal,
  questions: Questions,
): ImportMapping {
  const { quantity, ...others } = mapping.columns
  if (rises === null || quantity === undefined || quantity !== column) return mapping
  const answer = questions.ask({
    id: 'register',
    field: 'quantity',
    text: 'The quantities only rise from date to date. Are they readings of a meter?',
    choices: [
      { value: 'readings', label: 'Readings: the use is the difference to the line before' },
      { value: 'uses', label: 'Uses: each line is what was used' },
    ],
    // Uses of four bills rise as well.
    proposal: rises === 'named' ? 'readings' : null,
  })
  return answer === 'readings' ? { ...mapping, columns: { ...others, meterTo: quantity } } : mapping
}

/** A mapping with the columns of the period that the user chose. */
function withPeriod(mapping: ImportMapping, { period }: Proposal): ImportMapping {
  const chosen = period.find(({ value }) => value === mapping.answers.period)
  const [periodStart, periodEnd] = chosen?.value.split('+').map(Number) ?? []
  return periodStart === undefined || periodEnd === undefined
    ? mapping
    : { ...mapping, columns: { ...mapping.columns, periodStart, periodEnd } }
}

/** A mapping with the answers that decide about its columns and formats. Answers to other questions are used line by line. */
function applyAnswers(
  mapping: ImportMapping,
  {
    proposal,
    order: detected,
  }: { proposal: Pick<Proposal, 'quantity' | 'cost'>; order: FileFormat['order'] },
): ImportMapping {
  const { decimal, order, quantity, cost } = mapping.answers
  const format = {
    decimal: decimal === '.' || decimal === ',' ? decimal : mapping.format.decimal,
    order: DATE_ORDERS.find((one) => one === order) ?? detected,
  }
  if (proposal.cost.choices.some(({ value }) => value === cost))
    mapping = { ...mapping, columns: { ...mapping.columns, cost: Number(cost) } }
  const isChoice = proposal.quantity.choices.some(({ value }) => value === quantity)
  const [column, ...addends] = isChoice ? (quantity ?? '').split('+').map(Number) : []
  if (column === undefined || column >= MAX_COLUMNS) return { ...mapping, format }
  const { quantity: _former, ...others } = mapping.columns
  const free = Object.fromEntries(Object.entries(others).filter(([, place]) => place !== column))
  return { ...mapping, format, columns: { ...free, quantity: column }, addends }
}

/** A format that differs from the detected one is the user's, so there is nothing to ask. */
function proposalOf<T extends string>(
  { value, certainty }: Detected<T>,
  used: T,
  answer: string | undefined,
): T | null | undefined {
  if (certainty === 'sure' || (answer === undefined && used !== value)) return undefined
  return certainty === 'open' ? null : value
}

/** A time of day in each line, at many times: a meter that is read every hour or quarter of an hour. */
function hasIntervals({ lines }: SheetColumns, { columns }: ImportMapping): boolean {
  if (columns.periodStart === undefined) return false
  if (columns.time !== undefined) return true
  return hasManyTimes(lines.slice(0, 400).map(({ cells }) => cells[columns.periodStart ?? -1] ?? ''))
}

/** One reading a line: each starts where the one before ended. */
function fillReadings(lines: readonly ReadLine[], plan: ReadingPlan): void {
  if (plan.mapping.columns.meterTo === undefined) return
  for (const own of seriesOf(lines, plan)) {
    const sorted = own.toSorted((one, other) =>
      (one.period?.last ?? '') < (other.period?.last ?? '') ? -1 : 1,
    )
    for (const [at, read] of sorted.entries()) {
      const before = sorted[at - 1]?.cells.meterTo
      if (before !== undefined) read.cells.meterFrom = before
    }
  }
}

function sourceOf(
  read: ReadLine,
  { plan, bySource }: { plan: ReadingPlan; bySource: ReadonlyMap<string, ImportSource> },
): ImportSource | null {
  const { mapping, context } = plan
  const { facility, source } = read.cells
  const facilityId =
    facility === undefined
      ? mapping.facilityId
      : (mapping.facilities[normalizeName(facility)] ?? findFacility(facility, context.facilities))
  const type =
    source === undefined
      ? mapping.sourceType
      : (mapping.sources[normalizeName(source)] ??
        findType(withoutOtherwise(source), context.types, unitWord(read.cells)) ??
        findByLabel(source, facilityId, context.sources)?.sourceType)
  const place = context.facilities.find(({ id }) => id === facilityId)
  if (place === undefined) {
    if (facility !== undefined) read.unknown.facility = facility
    wrong(
      read,
      'facility',
      facility === undefined ? 'Choose a facility.' : `The inventory doesn't have a facility “${facility}”.`,
    )
  }
  const title = context.types.find(({ id }) => id === type)?.title
  if (title === undefined) {
    if (source !== undefined) read.unknown.source = source
    wrong(
      read,
      'source',
      source === undefined ? 'Choose a source.' : `The inventory doesn't have a source “${source}”.`,
    )
  }
  if (place === undefined || title === undefined) return null
  const found = bySource.get(`${place.id}/${type ?? ''}`)
  return found ?? wrong(read, 'source', `${title} isn't assigned at ${place.name}.`)
}

type Values = {
  basis: 'gross' | 'net' | null
  priceYear: number | null
  quality: number | null
  factorId: string | null
}

/** The record of a line whose period has been read. */
function readRecord(read: ReadLine, plan: ReadingPlan): ParsedActivity | null {
  const { source } = read
  const values: Values = {
    basis:
      basisOf(read) ?? plan.mapping.calorificBasis ?? basisInHeading(plan) ?? answeredBasis(plan.mapping),
    priceYear: wholeOf(read, 'priceYear', {
      from: 1990,
      to: 2100,
      otherwise: 'Enter the price year in four digits.',
    }),
    quality: qualityOf(read),
    factorId: source === null ? null : factorOf(read, source, plan.context),
  }
  const isWrong = () => read.problems.some(({ level }) => level === 'error')
  // A line shows all that is wrong with it, so its quantity is read even if its period can't be.
  const before = read.problems.splice(0)
  const stated = source === null ? null : readQuantity(read, source, plan)
  const cost = readCost(read, plan)
  const amount = stated === null ? null : settleNegativeCost(read, stated, { cost, plan })
  read.problems.unshift(...before)
  if (source === null || amount === null || read.period === null || isWrong()) return null
  return recordOf(read, { source, period: read.period, amount, cost, values, context: plan.context })
}

function wholeOf(
  read: ReadLine,
  field: ImportField,
  { from, to, otherwise }: { from: number; to: number; otherwise: string },
): number | null {
  const text = read.cells[field]
  if (text === undefined) return null
  const whole = Number(text)
  return Number.isInteger(whole) && whole >= from && whole <= to ? whole : wrong(read, field, otherwise)
}

function qualityOf(read: ReadLine): number | null {
  const at = QUALITY_WORDS.indexOf((read.cells.quality ?? '').toLowerCase().replace(/^[1-5]\W*/, ''))
  if (at >= 0) return at + 1
  const text = read.cells.quality?.trim() ?? ''
  if (READ.test(text)) return 1
  if (ESTIMATED.test(text)) return 4
  if (/\p{L}/u.test(text)) {
    read.problems.push({
      field: 'quality',
      level: 'warning',
      message: `“${text.slice(0, 60)}” is no quality from 1 (measured) to 5 (guess), so it was left out.`,
    })
    return null
  }
  return wholeOf(read, 'quality', {
    from: 1,
    to: 5,
    otherwise: 'Enter a quality from 1 (measured) to 5 (guess).',
  })
}

function basisOf(read: ReadLine): Values['basis'] {
  const text = read.cells.calorificBasis
  if (text === undefined) return null
  if (/^(gross|higher|hhv|gcv|ho)\b/i.test(text)) return 'gross'
  if (/^(net|lower|lhv|ncv|hu)\b/i.test(text)) return 'net'
  return wrong(read, 'calorificBasis', 'Enter gross or net.')
}

const answeredBasis = ({ answers }: ImportMapping): Values['basis'] =>
  CALORIFIC_BASES.find((one) => one === answers['calorificBasis']) ?? null

/** "kWh (Hi)", "MWh Hu", "kWh (NCV)". */
function basisInHeading({ mapping, columns }: ReadingPlan): Values['basis'] {
  const title = columns.titles[mapping.columns.quantity ?? -1] ?? ''
  const is = (words: string) => new RegExp(`(^|[^\\p{L}])(${words})([^\\p{L}]|$)`, 'iu').test(title)
  if (is('hi|hu|ncv|lhv|pci|net cv|net calorific|heizwert')) return 'net'
  return is('hs|ho|gcv|hhv|pcs|gross cv|gross calorific|brennwert') ? 'gross' : null
}

/** By ID or name, among the factors of the source's activity. */
function factorOf(read: ReadLine, source: ImportSource, { factors }: ImportContext): string | null {
  const text = read.cells.factor
  if (text === undefined) return null
  const own = factors.filter(({ activity }) => activity === source.activity)
  const byId = own.find(({ id }) => id === text)
  if (byId !== undefined) return byId.id
  const named = own.filter(({ name }) => normalizeName(name) === normalizeName(text))
  const [only] = named
  if (only !== undefined && named.length === 1) return only.id
  return wrong(
    read,
    'factor',
    only === undefined
      ? `This source has no factor “${text}”. Leave it blank to use the inventory's rules.`
      : `${named.length} factors of this source have this name. Enter the ID of one of them: ${named
          .slice(0, 5)
          .map(({ id }) => id)
          .join(', ')}.`,
  )
}

function recordOf(
  read: ReadLine,
  {
    source,
    period,
    amount: { quantity, meterFrom, meterTo, unit },
    cost,
    values: { basis, ...values },
    context,
  }: {
    source: ImportSource
    period: { first: string; last: string }
    amount: Amount
    cost: string | null
    values: Values
    context: ImportContext
  },
): ParsedActivity | null {
  const { cells } = read
  const isMeter = meterTo !== null
  const isDirect = source.method === 'direct'
  if (isDirect && !MEASURED_IN.has((unit ?? '').toLowerCase().replaceAll(/\s/g, '')))
    return wrong(read, 'unit', 'Emissions of this source are measured. Enter them in kg CO2e.')
  const parsed = ActivityInput.safeParse({
    ...values,
    sourceId: source.id,
    periodStart: period.first,
    periodEnd: period.last,
    kind: kindOf(source, { isMeter, isDirect, factorId: values.factorId }),
    quantity: isMeter || isDirect ? null : quantity,
    meterFrom: isMeter ? meterFrom : null,
    meterTo: isMeter ? meterTo : null,
    direct:
      isDirect && quantity !== null
        ? [{ gas: 'CO2e', isBiogenic: false, basis: 'co2e', kg: quantity }]
        : null,
    unit: isDirect ? null : unit,
    calorificBasis: needsBasis(unit ?? source.unit, context) ? basis : null,
    estimateMethod: source.method === 'estimate' ? 'other' : null,
    reference: cells.reference ?? null,
    comment: cells.comment ?? null,
    cost,
  })
  if (parsed.success) return parsed.data
  for (const { path, message } of parsed.error.issues) wrong(read, fieldAt(path[0]), message)
  return null
}

function kindOf(
  { method, factorId: own }: ImportSource,
  { isMeter, isDirect, factorId }: { isMeter: boolean; isDirect: boolean; factorId: string | null },
): ParsedActivity['kind'] {
  if (isDirect) return 'direct'
  if (isMeter) return 'meter'
  if (method === 'estimate') return 'estimate'
  return method === 'own_factor' && (factorId ?? own) !== null ? 'own_factor' : 'calculated'
}

/** Only for energy, and only if the unit doesn't include the basis. */
function needsBasis(unit: string, { units }: ImportContext): boolean {
  const read = readUnit(units, unit)
  return 'unit' in read && read.unit.dimension === 'energy' && read.basis === null
}

/** The import field for a field of a record. */
export function fieldAt(field: PropertyKey | undefined): ImportField | null {
  if (field === 'factorId') return 'factor'
  if (field === 'sourceId') return 'source'
  return IMPORT_FIELDS.find((one) => one === field) ?? null
}

/** "From: Enter the first day.", for the file of rejected lines. */
export const describeProblem = ({ field, message }: ImportLine['problems'][number]): string =>
  field === null ? message : `${IMPORT_FIELD_NAMES[field]}: ${message}`
