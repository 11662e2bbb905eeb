import type { ImportRequest } from '#contract/carbon/activity/activity-imports.ts'
import type { FileFormat, ImportField, ImportMapping } from '#contract/carbon/activity/import-mapping.ts'
import { isDocument } from './bill-words.ts'
import { type ColumnRole, isDeliveryNumber, plainHeading } from './column-roles.ts'
import { type ColumnEvidence, readEvidence } from './column-evidence.ts'
import { type Detected, detectDecimal, detectOrder } from './file-format.ts'
import { areCodesOfTypes, findFacility, findType, hasLabel } from './find-names.ts'
import type { ImportContext, ImportSource } from './import-context.ts'
import {
  clockIn,
  hasManyTimes,
  isMonth,
  isMonthOnly,
  isTimeOnly,
  readImportDay,
  splitRange,
} from './import-day.ts'
import { type CostProposal, proposeCost } from './propose-cost.ts'
import { readAmount } from './read-amount.ts'
import { areApart, hasOtherUse, proposeQuantity, type QuantityProposal } from './propose-quantity.ts'
import type { SheetColumns } from './sheet-columns.ts'

type Columns = Partial<Record<ImportField, number>>
type Request = Pick<ImportRequest, 'usual' | 'sourceId'>

/** A mapping with how certain it is. What isn't certain becomes a question. */
export type Proposal = {
  mapping: ImportMapping
  quantity: QuantityProposal
  /** Several pairs of columns may be the period. */
  period: readonly { value: string; label: string }[]
  cost: CostProposal
  /** The values of the quantity only rise, as the readings of a meter do; `named`: and its heading says so. */
  rises: 'named' | 'perhaps' | null
  decimal: Detected<FileFormat['decimal']>
  /** The order of day and month in the columns that are mapped. */
  orderOf: (mapped: Columns) => ReturnType<typeof detectOrder>
  /** What the only date of a line probably is; null: the file doesn't say. */
  dateMeaning: 'read' | 'end' | 'day' | null
  evidence: readonly ColumnEvidence[]
}

/**
 * Maps columns to fields by what their headings and values say. What the file leaves open follows the user's format, or is
 * asked about. No column is taken by its position.
 */
export function proposeMapping(
  columns: SheetColumns,
  context: ImportContext,
  { usual, sourceId }: Request,
): Proposal {
  const evidence = readEvidence(columns, context)
  const open = context.sources.find(({ id }) => id === sourceId) ?? context.sources[0]
  const isOne = (of: (source: ImportSource) => string): boolean =>
    sourceId !== null || new Set(context.sources.map(of)).size === 1
  const fields: Columns = {
    ...namesIn(evidence, {
      context,
      isChosen: sourceId !== null,
      // The sites of a fuel card are gas stations.
      isOnTheRoad: (open?.activity ?? '').startsWith('mobile-combustion/'),
    }),
    ...datesIn(evidence),
    ...figuresIn(evidence),
  }
  const figures = columns.isWide ? evidence.slice(-1) : evidence
  const quantity = proposeQuantity(
    figures.filter(({ place }) => !Object.values(fields).includes(place)),
    { source: open, context },
  )
  if (quantity.column !== null) fields.quantity = quantity.column
  const cost = proposeCost(
    figures.filter(
      ({ place }) =>
        !Object.values(fields).includes(place) &&
        !quantity.choices.some(({ value }) => value === String(place)),
    ),
    {
      activity: open?.activity ?? '',
      isAmountMoney: (quantity.column !== null || quantity.choices.length > 0) && fields.unit === undefined,
      isOfSeveral:
        hasOtherUse(figures, open) ||
        figures.some((one, at) => figures.slice(at + 1).some((other) => areApart(one, other, context))),
    },
  )
  if (cost.column !== null) fields.cost = cost.column
  const others = evidence.filter(({ isDate }) => isDate).flatMap(({ values }) => values)
  const decimal = detectDecimal(figuresOf(evidence), columns, { usual: usual.decimal, dates: others })
  const orderOf = (mapped: Columns) =>
    detectOrder(pairsOf(columns, mapped), { ...columns, usual: usual.order, others })
  const format = { decimal: decimal.value, order: orderOf(fields).value }
  const used = evidence[quantity.column ?? -1]
  const days = evidence[fields.readDate ?? -1]?.values ?? []
  const rises =
    used === undefined || fields.readDate === undefined || fields.meterTo !== undefined
      ? null
      : risesOver(used, days, format)
  return {
    mapping: {
      columns: sorted(fields),
      addends: [...quantity.addends],
      format,
      answers: {},
      // With no source open, nobody said which of several it is.
      facilityId: isOne(({ facilityId }) => facilityId) ? (open?.facilityId ?? null) : null,
      sourceType: isOne(({ sourceType }) => sourceType) ? (open?.sourceType ?? null) : null,
      calorificBasis: null,
      facilities: {},
      sources: {},
      leavesWarned: false,
    },
    quantity,
    period: periodChoices(evidence, fields),
    cost,
    rises,
    decimal,
    orderOf,
    dateMeaning: meaningOf(evidence, fields),
    evidence,
  }
}

const sorted = (fields: Columns): Columns => {
  const { quantity, ...others } = fields
  return quantity === undefined ? others : { ...others, quantity }
}

const first = (
  evidence: readonly ColumnEvidence[],
  role: ColumnRole,
  is: (one: ColumnEvidence) => boolean = () => true,
) => evidence.find((one) => one.role === role && one.values.length > 0 && is(one))?.place

const put = (field: ImportField, place: number | undefined): Columns =>
  place === undefined ? {} : { [field]: place }

/**
 * The columns that name the facility and the source of a line. With a source that the user has open, a column with one word
 * that means none of the sources is only a description: the choice counts.
 */
function namesIn(
  evidence: readonly ColumnEvidence[],
  { context, isChosen, isOnTheRoad }: { context: ImportContext; isChosen: boolean; isOnTheRoad: boolean },
): Columns {
  const isFacility = (text: string) => findFacility(text, context.facilities) !== null
  const isSource = (text: string) => findType(text, context.types) !== null || hasLabel(text, context.sources)
  const take = (role: 'facility' | 'source', is: (text: string) => boolean): number | undefined => {
    const known = evidence.find(
      ({ values, role: own }) =>
        values.length > 0 &&
        own !== 'comment' &&
        own !== 'reference' &&
        values.filter(is).length >= values.length * 0.8,
    )
    // The type of a document is no source.
    const titled = evidence.filter(
      (one) => one.role === role && one.values.length > 0 && !one.values.every(isDocument),
    )
    const partly = titled.find(
      ({ values }) => values.some(is) || (role === 'source' && areCodesOfTypes(values)),
    )
    if (known !== undefined || partly !== undefined) return (known ?? partly)?.place
    // With a source that is open, its words are asked about one by one (`products.ts`).
    const isNamed = role === 'facility' && !isOnTheRoad
    return titled.find(({ values }) => !isChosen || (isNamed && new Set(values).size > 1))?.place
  }
  return { ...put('facility', take('facility', isFacility)), ...put('source', take('source', isSource)) }
}

/** Values that rise by little from day to day: those of a register. Uses vary, or begin small. */
function risesOver(
  { title, values }: ColumnEvidence,
  days: readonly string[],
  written: FileFormat,
): Proposal['rises'] {
  const readings = figuresLike(values)
  if (readings === undefined || readings.length < 4) return null
  const [start, end] = [days[0], days.at(-1)].map((text) => readImportDay(text ?? '', written, 'last'))
  const isLatestFirst =
    start !== undefined && 'value' in start && end !== undefined && 'value' in end && start.value > end.value
  const steps = readings.slice(1).map((value, at) => value - (readings[at] ?? 0))
  const isOneWay = steps.every((step) => (isLatestFirst ? step <= 0 : step >= 0))
  const [least, most] = [Math.min(...readings), Math.max(...readings)]
  if (!isOneWay || most <= least) return null
  if (/register|counter|totali[sz]er|cumulative|total import|odometer/i.test(title))
    return least > 0 ? 'named' : null
  return least > 5 * (most - least) ? 'perhaps' : null
}

/** The values as figures, by whichever decimal separator all of them can be read with. */
const figuresLike = (values: readonly string[]): number[] | undefined =>
  (['.', ','] as const)
    .map((decimal) =>
      values.map((text) => {
        const read = readAmount(text, { decimal, order: 'ymd', locale: 'en' })
        return 'value' in read ? Number(read.value) : Number.NaN
      }),
    )
    .find((figures) => figures.every((value) => !Number.isNaN(value)))

/** First and last days, or whatever else says when. */
function datesIn(evidence: readonly ColumnEvidence[]): Columns {
  const isDated = ({ isDate }: ColumnEvidence) => isDate
  // A range of days in one cell is a period, whatever its heading says.
  const dated = evidence.filter(
    (one) => one.isDate && !one.isNumeric && (one.role === null || isPeriods(one)),
  )
  const [read, later] = evidence.filter(({ role, isDate }) => role === 'readDate' && isDate)
  // Two dates of reading: from one to the other.
  const start = first(evidence, 'periodStart', isDated) ?? (later === undefined ? undefined : read?.place)
  const end =
    first(evidence, 'periodEnd', isDated) ?? (start === undefined ? undefined : (later ?? read)?.place)
  const year = first(evidence, 'year')
  const period =
    // "202501" is a figure anywhere else.
    first(evidence, 'period', (one) => one.isDate || one.values.every(isMonth)) ??
    (year === undefined ? undefined : first(evidence, 'period', ({ values }) => values.every(isMonthNumber)))
  const time = put(
    'time',
    first(evidence, 'time', (one) => isTimes(one) && !one.isDate),
  )
  if (start !== undefined && end !== undefined)
    return { ...put('periodStart', start), ...put('periodEnd', end), ...time }
  const days = unexplainedDays(evidence)
  const [early, late, ...more] = days
  // "Reading month: Jan 2025", whatever else its heading says.
  const month =
    period ??
    evidence.find((one) => one.isDate && MAY_BE_MONTH.has(one.role) && one.values.every(isMonth))?.place
  // Beside the month of a bill, two days that nothing else explains are its first and last one; of more, the user says which.
  if (more.length > 0) return time
  if (month !== undefined && early !== undefined && late !== undefined)
    return { ...put('periodStart', early.place), ...put('periodEnd', late.place), ...time }
  const months = period ?? (start === undefined ? month : undefined)
  if (months !== undefined) return { ...put('periodStart', months), ...yearFor(evidence, months) }
  // A column "Time" may have the day, too.
  const date =
    first(evidence, 'date', isDated) ??
    first(evidence, 'time', isDated) ??
    // Whatever its heading says: "Zeitpunkt", "timestamp (UTC)".
    dated.find(({ values }) => hasManyTimes(values))?.place
  if (date !== undefined && (time.time !== undefined || hasManyTimes(evidence[date]?.values ?? [])))
    return { ...put('periodStart', date), ...time }
  if (start === undefined && read !== undefined && hasManyTimes(read.values))
    return put('periodStart', read.place)
  // Each line says only when its interval ended.
  if (start === undefined && end !== undefined && hasManyTimes(evidence[end]?.values ?? []))
    return put('periodStart', end)
  if (start !== undefined) {
    const other = dated.find(({ place }) => place > start)?.place
    return { ...put('periodStart', start), ...put('periodEnd', other), ...yearFor(evidence, start), ...time }
  }
  const only = read?.place ?? end ?? first(evidence, 'deliveryDate', isDated)
  if (only !== undefined) return put('readDate', only)
  const [one, other] = dated
  if (one !== undefined && date === undefined)
    return isPeriods(one) || other !== undefined
      ? { ...put('periodStart', one.place), ...put('periodEnd', other?.place) }
      : put('readDate', one.place)
  // The day of the bill says more than the day until which it is paid.
  const isIssued = (day: ColumnEvidence) => isDated(day) && !DUE.test(plainHeading(day.title))
  return put(
    'readDate',
    date ?? first(evidence, 'billDate', isIssued) ?? first(evidence, 'billDate', isDated),
  )
}

const DUE = /(^| )(due|payment|vencimiento|vencimento|scadenza|echeance|falligkeit\w*|pago|vervaldatum)( |$)/
const MAY_BE_MONTH: ReadonlySet<ColumnRole | null> = new Set([
  null,
  'date',
  'readDate',
  'periodEnd',
  'deliveryDate',
])

/** Columns of days whose headings say nothing that is known. */
const unexplainedDays = (evidence: readonly ColumnEvidence[]): ColumnEvidence[] =>
  evidence.filter((one) => {
    const isDays = one.isDate && !one.isNumeric && one.role === null
    return isDays && !isPeriods(one) && !one.values.every(isMonth) && !hasManyTimes(one.values)
  })

/** Pairs of columns that may be the first and the last day, if there are more than two. */
function periodChoices(evidence: readonly ColumnEvidence[], fields: Columns): Proposal['period'] {
  const days = unexplainedDays(evidence)
  if (fields.periodStart !== undefined || fields.readDate !== undefined || days.length < 3) return []
  return days.flatMap((from, at) =>
    days
      .slice(at + 1)
      .map((to) => ({ value: `${from.place}+${to.place}`, label: `${from.title} to ${to.title}` })),
  )
}

/** What numbers a delivery if no bill does. "Load" may be power, but not "Load #". */
const deliveryNumber = (evidence: readonly ColumnEvidence[]): number | undefined =>
  evidence.find(
    ({ title, role, isDate, values }) =>
      !isDate &&
      (role === null || MAY_NUMBER.has(role)) &&
      isDeliveryNumber(plainHeading(title)) &&
      values.every((text) => /\d/.test(text)),
  )?.place
const MAY_NUMBER: ReadonlySet<ColumnRole> = new Set(['identifier', 'demand'])

/** Times of day, or the numbers of the hours or half hours. */
const isTimes = ({ isTime, values }: ColumnEvidence): boolean =>
  isTime || values.every((text) => /^\D*([0-4]?\d|50)\D*$/.test(text) || clockIn(text) !== null)

/** A month without its year, beside a column of years. */
const yearFor = (evidence: readonly ColumnEvidence[], month: number): Columns =>
  (evidence[month]?.values ?? []).some((text) => isMonthOnly(text) || isMonthNumber(text))
    ? put('year', first(evidence, 'year'))
    : {}

const isMonthNumber = (text: string): boolean => /^(0?[1-9]|1[0-2])$/.test(text)

const isPeriods = ({ values }: ColumnEvidence): boolean => values.some((text) => splitRange(text) !== null)

function figuresIn(evidence: readonly ColumnEvidence[]): Columns {
  const isNumeric = (one: ColumnEvidence) => one.isNumeric
  const hasTwoRegisters = (['meterFrom', 'meterTo'] as const).some(
    (role) =>
      evidence.filter((one) => one.role === role && one.isNumeric && one.values.length > 0).length > 1,
  )
  const unit =
    first(evidence, 'unit', ({ values }) => values.some((text) => /\p{L}/u.test(text))) ??
    // A column of words such as "kWh", without a heading that says so.
    evidence.find(
      ({ isUnits, role }) => isUnits && (role === null || role === 'source' || role === 'identifier'),
    )?.place
  return {
    ...put('unit', unit),
    ...put(
      'calorificBasis',
      first(evidence, 'calorificBasis', ({ isNumeric: is }) => !is),
    ),
    // The readings of two registers aren't those of one.
    ...(hasTwoRegisters
      ? {}
      : {
          ...put('meterFrom', first(evidence, 'meterFrom', isNumeric)),
          ...put('meterTo', first(evidence, 'meterTo', isNumeric)),
        }),
    ...put('multiplier', first(evidence, 'multiplier', isNumeric)),
    ...put('priceYear', first(evidence, 'priceYear')),
    ...put('factor', first(evidence, 'factor')),
    ...put('quality', first(evidence, 'quality')),
    ...put('reference', first(evidence, 'reference') ?? deliveryNumber(evidence)),
    ...put('comment', first(evidence, 'comment')),
  }
}

/** Every value of a column of figures: uses, costs and readings show how a file writes numbers. */
const FIGURES: ReadonlySet<string> = new Set([
  'use',
  'amount',
  'cost',
  'price',
  'meterFrom',
  'meterTo',
  'demand',
  'generation',
  'other',
])
const figuresOf = (evidence: readonly ColumnEvidence[]): string[] =>
  evidence
    .filter(
      ({ isNumeric, isDate, role, unit }) =>
        // "1342.5" could be a day.
        isNumeric && (!isDate || unit !== null) && (role === null || unit !== null || FIGURES.has(role)),
    )
    .flatMap(({ values }) => values)

function pairsOf({ lines }: SheetColumns, fields: Columns): (readonly [string, string | null])[] {
  return lines.flatMap(({ cells }) => {
    const text = cells[fields.periodStart ?? fields.readDate ?? -1]?.trim() ?? ''
    const [start, end] = splitRange(text) ?? [text, cells[fields.periodEnd ?? -1]?.trim() ?? null]
    return start === '' || isTimeOnly(start) ? [] : [[start, end === '' ? null : end] as const]
  })
}

/** A column of read dates says what its dates are; a column "Date" doesn't. */
function meaningOf(evidence: readonly ColumnEvidence[], { readDate }: Columns): Proposal['dateMeaning'] {
  const role = readDate === undefined ? null : (evidence[readDate]?.role ?? null)
  if (role === 'readDate') return 'read'
  if (role === 'deliveryDate') return 'day'
  return role === 'periodEnd' ? 'end' : null
}
