import type { CellProblem, ParsedActivity } from '#contract/carbon/activity/activity-schema.ts'
import { Figure, plain, showFigure } from '#contract/carbon/factors/figure.ts'
import { daysOf } from '#contract/days.ts'
import { writeDay } from '#contract/organizations/facilities/inclusion.ts'
import {
  type CalorificBasis,
  readUnit,
  type ReadUnit,
  type Unit,
  type UnitTable,
} from '#contract/carbon/factors/unit-table.ts'
import { findMismatch } from '#server/carbon/calculation/list-factors.ts'
import type { OverlapIndex, OverlappingRecord } from '#server/carbon/calculation/overlap-index.ts'
import { isOfScope, pickManually } from '#server/carbon/calculation/pick-factor.ts'
import { overlapSentence, sameBillSentence } from '#server/carbon/review/overlap-sentences.ts'
import { plausibilityOf } from '#server/carbon/review/plausibility.ts'
import type { ReferenceData, Terms } from '#server/carbon/calculation/calculation-line.ts'

export type SourceFacts = {
  id: string
  organizationId: string
  activity: string
  scope: string
  unit: string
  closed: boolean
  factorId: string | null
  /** Country of its facility or of a facility above it; null: unknown. */
  country: string | null
  /** The first and last day on which its facility and those above it are open; null: always. */
  openedOn: string | null
  closedOn: string | null
  /** Region of its facility; null: unknown, or not needed because no factor was chosen manually. */
  region: string | null
}
type Period = { periodStart: string; periodEnd: string }

export type RowCheck = {
  problems: CellProblem[]
  /** The values to store; null if there is an error. */
  normalized: { quantity: string | null; unit: string | null; calorificBasis: CalorificBasis | null } | null
  /** The record of the same bill, if it already exists and there is no other error. */
  knownId?: string
}

/**
 * Checks a row. Rows with errors aren't saved; warnings are fine.
 * @param source undefined if the inventory has no such source.
 * @param ownId excludes the record itself from the comparison with other records of its source.
 * @param isMatched it is known to be none of the stored bills.
 */
export function checkRow(
  record: ParsedActivity,
  {
    source,
    inventory,
    overlaps,
    ownId,
    isMatched = false,
    reference,
    terms,
    today,
  }: {
    source: SourceFacts | undefined
    inventory: Period
    overlaps: OverlapIndex
    ownId?: string | undefined
    isMatched?: boolean
    reference: ReferenceData
    terms: Terms
    today: string
  },
): RowCheck {
  if (source === undefined) return reject('sourceId', "This source isn't in the inventory.")
  if (source.closed) return reject('sourceId', "This source is closed and can't get new records.")
  const quantity = quantityOf(record)
  const unit = withUsualBasis(unitOf(record, source, reference), source, reference)
  const others =
    typeof quantity === 'string'
      ? overlapProblems(record, {
          quantity,
          unit: unit.normalized?.unit,
          overlaps,
          ownId,
          isMatched,
          units: reference.units,
        })
      : { problems: [], knownId: undefined }
  const own = [
    ...periodProblems(record, inventory, today),
    ...closedProblems(record, source),
    ...(quantity === null || typeof quantity === 'string' ? [] : [quantity]),
    ...unit.problems,
    ...preferMismatch(
      factorProblems(record, source, { reference, unit: unit.normalized }),
      mismatchProblems(record, source, { inventory, reference, terms }),
    ),
    ...kindProblems(record, reference),
  ]
  const problems = [...own, ...others.problems]
  const isWrong = own.some(({ level }) => level === 'error')
  if (!isWrong && others.knownId !== undefined) return { problems, normalized: null, knownId: others.knownId }
  if (problems.some(({ level }) => level === 'error')) return { problems, normalized: null }
  return {
    problems,
    normalized: {
      quantity: typeof quantity === 'string' ? quantity : null,
      unit: unit.normalized?.unit.code ?? null,
      calorificBasis: unit.normalized?.basis ?? null,
    },
  }
}

const error = (field: string, message: string): CellProblem => ({ field, level: 'error', message })
const warning = (field: string, message: string): CellProblem => ({ field, level: 'warning', message })
const reject = (field: string, message: string): RowCheck => ({
  problems: [error(field, message)],
  normalized: null,
})

/** The quantity of the row, null if it has none, or the problem with it. */
function quantityOf({
  kind,
  quantity,
  meterFrom,
  meterTo,
  comment = null,
}: ParsedActivity): string | CellProblem | null {
  if (kind === 'direct') return null
  if (kind !== 'meter') {
    if (quantity === null) return error('quantity', 'Enter the quantity.')
    return isCredit(quantity) ? creditOf(quantity, kind, comment) : quantity
  }
  if (meterFrom === null) return error('meterFrom', 'Enter the start reading.')
  if (meterTo === null) return error('meterTo', 'Enter the end reading.')
  if (meterFrom.startsWith('-')) return error('meterFrom', "A reading can't be negative.")
  const used = new Figure(meterTo).minus(meterFrom)
  if (used.isNegative())
    return error(
      'meterTo',
      'The end reading is below the start reading. If the meter was replaced, enter two records.',
    )
  if (quantity !== null && !used.equals(quantity))
    return error(
      'quantity',
      `The difference of the readings is ${showFigure(used, 16)}. Leave the quantity blank.`,
    )
  return plain(used)
}

/** A quantity below 0 is subtracted, so it has to say which bill it corrects. */
function creditOf(
  quantity: string,
  kind: ParsedActivity['kind'],
  comment: string | null,
): string | CellProblem {
  if (kind === 'estimate') return error('quantity', "The quantity can't be negative.")
  return comment === null
    ? error('quantity', 'A quantity below 0 is a credit. Enter in the note which bill it corrects.')
    : quantity
}

const isCredit = (quantity: string): boolean => quantity.startsWith('-') && Number(quantity) !== 0

function periodProblems(
  { periodStart, periodEnd }: ParsedActivity,
  inventory: Period,
  today: string,
): CellProblem[] {
  if (periodEnd < periodStart) return [error('periodEnd', 'The last day must not be before the first.')]
  if (periodEnd < inventory.periodStart || periodStart > inventory.periodEnd)
    return [
      error(
        'periodStart',
        `The period is outside the inventory: ${inventory.periodStart} to ${inventory.periodEnd}.`,
      ),
    ]
  const isCut = periodStart < inventory.periodStart || periodEnd > inventory.periodEnd
  const days = daysOf(periodStart, periodEnd)
  const counted = daysOf(
    periodStart < inventory.periodStart ? inventory.periodStart : periodStart,
    periodEnd > inventory.periodEnd ? inventory.periodEnd : periodEnd,
  )
  return [
    ...(isCut
      ? [
          warning(
            'periodStart',
            `Only ${counted} of ${days} days are in the inventory period. Only those count.`,
          ),
        ]
      : []),
    ...(days > 400 ? [warning('periodEnd', `The period has ${days} days. Is that right?`)] : []),
    ...(periodStart > today ? [warning('periodStart', 'The period is in the future.')] : []),
  ]
}

/** A bill for days on which the site was closed has no result for them: its days are wrong, or those of the site. */
function closedProblems(
  { periodStart, periodEnd }: ParsedActivity,
  { openedOn, closedOn }: Pick<SourceFacts, 'openedOn' | 'closedOn'>,
): CellProblem[] {
  const isBefore = openedOn !== null && periodStart < openedOn
  const isAfter = closedOn !== null && periodEnd > closedOn
  if (!isBefore && !isAfter) return []
  const when = isBefore ? `opened on ${writeDay(openedOn)}` : `closed on ${writeDay(closedOn ?? '')}`
  return [
    warning(
      isBefore ? 'periodStart' : 'periodEnd',
      `The site ${when}. The days on which it was closed have no result. Correct the period, or the days of the site.`,
    ),
  ]
}

function unitOf(
  { kind, unit, calorificBasis }: ParsedActivity,
  source: SourceFacts,
  reference: ReferenceData,
): { problems: CellProblem[]; normalized: ReadUnit | null } {
  if (kind === 'direct') return { problems: [], normalized: null }
  const read = readUnit(reference.units, unit === null || unit === '' ? source.unit : unit)
  if ('problem' in read) return { problems: [error('unit', read.problem)], normalized: null }
  const { dimension } = read.unit
  if (calorificBasis !== null && dimension !== 'energy')
    return {
      problems: [error('calorificBasis', 'Only energy units have a calorific value.')],
      normalized: null,
    }
  if (read.basis !== null && calorificBasis !== null && read.basis !== calorificBasis)
    return {
      problems: [
        error(
          'calorificBasis',
          `The unit is in ${read.basis} calorific value, but the row says ${calorificBasis}.`,
        ),
      ],
      normalized: null,
    }
  return { problems: [], normalized: { unit: read.unit, basis: read.basis ?? calorificBasis } }
}

/** US utilities bill fuel energy by gross calorific value (HHV), and don't print that on the bill. */
const GROSS_COUNTRIES: ReadonlySet<string> = new Set(['US'])

/** A bill of a US site without a calorific basis is in gross; anywhere else the basis has to be entered. */
function withUsualBasis(
  unit: ReturnType<typeof unitOf>,
  source: SourceFacts,
  reference: ReferenceData,
): ReturnType<typeof unitOf> {
  if (unit.normalized === null || !GROSS_COUNTRIES.has(source.country ?? '')) return unit
  const needsBasis = isBasisUnclear(unit.normalized, candidatesOf(source, reference), reference)
  return needsBasis ? { ...unit, normalized: { ...unit.normalized, basis: 'gross' } } : unit
}

const candidatesOf = ({ activity, scope }: SourceFacts, reference: ReferenceData) =>
  reference.ofActivity(activity).filter((factor) => isOfScope(factor, scope))

/** The energy of the bill has no calorific basis, and every factor for energy needs one. */
function isBasisUnclear(
  { unit, basis }: ReadUnit,
  candidates: ReturnType<typeof candidatesOf>,
  reference: ReferenceData,
): boolean {
  return (
    unit.dimension === 'energy' &&
    basis === null &&
    candidates.some(({ calorificBasis }) => calorificBasis !== null) &&
    candidates.every(
      (factor) =>
        reference.units.byCode.get(factor.unit)?.dimension !== 'energy' || factor.calorificBasis !== null,
    )
  )
}

const BRIDGES: ReadonlySet<string> = new Set(['mass', 'volume', 'energy'])

/** Whether any factor can apply to the row's unit: the dimension must match, and gross isn't net. */
function factorProblems(
  record: ParsedActivity,
  source: SourceFacts,
  { reference, unit }: { reference: ReferenceData; unit: ReadUnit | null },
): CellProblem[] {
  const { kind, priceYear, periodStart } = record
  const factorId = record.factorId ?? source.factorId
  if (kind === 'own_factor' && factorId === null) return [error('factorId', 'Choose a factor.')]
  if (unit === null) return []
  const isMoney = unit.unit.dimension === 'money'
  if (isMoney && priceYear === null) return [error('priceYear', 'Enter the price year.')]
  if (factorId !== null) {
    const picked = pickManually(keyOf(record, source, unit), factorId, reference)
    if ('problem' in picked) {
      // The exchange rate or deflator can be added later.
      if (isMoney) return [warning('factorId', picked.problem)]
      const isUsable = reference.byId(factorId)?.use === 'inventory'
      return [error(isUsable ? 'unit' : 'factorId', picked.problem)]
    }
    const { factor, flags } = picked
    const isOld = flags.includes('latest') || flags.includes('before-validity')
    const until = factor.validTo ?? 'today'
    return isOld
      ? [
          warning(
            'factorId',
            `${factor.name} is valid from ${factor.validFrom} to ${until}, not on ${periodStart}.`,
          ),
        ]
      : []
  }
  const candidates = candidatesOf(source, reference)
  const dimensions = candidates.map((factor) => reference.units.byCode.get(factor.unit)?.dimension ?? '')
  const hasFuel = reference.fuels.some(({ fuel }) => fuel === source.activity.split('/').at(-1))
  const own = unit.unit.dimension
  const isReached =
    candidates.length === 0 ||
    dimensions.includes(own) ||
    (hasFuel && BRIDGES.has(own) && dimensions.some((one) => BRIDGES.has(one)))
  const usual = reference.units.byCode.get(source.unit)?.code ?? source.unit
  if (!isReached)
    return [
      error('unit', `${unit.unit.code} can't be converted to the units of this source, such as ${usual}.`),
    ]
  if (!isBasisUnclear(unit, candidates, reference)) return []
  return [
    error(
      'calorificBasis',
      `Choose gross or net calorific value for ${unit.unit.code}: they are different amounts of energy.`,
    ),
  ]
}

/** If there is an error about the factor, it is enough; otherwise a mismatch replaces the warnings. */
const preferMismatch = (problems: CellProblem[], mismatch: CellProblem[]): CellProblem[] =>
  mismatch.length === 0 || problems.some(({ level }) => level === 'error') ? problems : mismatch

/** A factor chosen for one row must match its region and days. One chosen for a whole source may be an approximation, which is only flagged. */
function mismatchProblems(
  { factorId, periodStart, kind }: ParsedActivity,
  { region }: SourceFacts,
  { inventory, ...on }: { inventory: Period; reference: ReferenceData; terms: Terms },
): CellProblem[] {
  const factor = factorId === null || kind === 'direct' ? undefined : on.reference.byId(factorId)
  if (factor === undefined || region === null) return []
  const day = periodStart < inventory.periodStart ? inventory.periodStart : periodStart
  const against = findMismatch(factor, { region, day }, on)
  return against === null ? [] : [error('factorId', `${factor.name} doesn't match. ${against}`)]
}

function keyOf(
  { periodStart, priceYear, moneyRate, moneyDeflator }: ParsedActivity,
  { activity, scope }: SourceFacts,
  { unit, basis }: ReadUnit,
) {
  return {
    key: '',
    inventoryId: '',
    activity,
    scope,
    region: null,
    unit: unit.code,
    basis,
    manualFactorId: null,
    priceYear,
    moneyRate,
    moneyDeflator,
    direct: null,
    day: periodStart,
    purchaseOf: null,
  }
}

function kindProblems(
  { kind, direct, estimateMethod, moneyRate, moneyDeflator }: ParsedActivity,
  reference: ReferenceData,
): CellProblem[] {
  if (kind === 'estimate' && estimateMethod === null)
    return [error('estimateMethod', 'Choose how it was estimated.')]
  if (moneyRate !== null && !(Number(moneyRate) > 0))
    return [error('moneyRate', 'The exchange rate must be above 0.')]
  if (moneyDeflator !== null && !(Number(moneyDeflator) > 0))
    return [error('moneyDeflator', 'The deflator must be above 0.')]
  if (kind !== 'direct') return []
  if (direct === null) return [error('direct', 'Enter the measured emissions.')]
  const known = new Set(reference.gwps.map(({ gas }) => gas))
  const unknown = direct.find(({ gas, basis }) => basis === 'gas' && !known.has(gas))
  if (unknown !== undefined)
    return [error('direct', `There is no GWP for “${unknown.gas}”. Enter it in kg CO2e.`)]
  const names = direct.map(({ gas, isBiogenic }) => `${gas} ${isBiogenic}`)
  if (new Set(names).size < names.length) return [error('direct', 'A gas is listed twice.')]
  const isTwice =
    direct.some(({ gas }) => gas === 'CO2e') &&
    direct.some(({ gas, basis }) => gas !== 'CO2e' && basis === 'gas')
  return isTwice ? [error('direct', 'With a CO2e total, the individual gases would count twice.')] : []
}

/** The number of a bill with its meter, which may share the number with others; of a bill without a number, only the meter. */
export const meterName = (reference: string | null | undefined, meter: string): string =>
  joinReference(reference, `${METER}${meter.replaceAll(`, ${METER}`, ' ')}`)
/** The number of a bill with what tells it from another of that number. */
export const joinReference = (reference: string | null | undefined, name: string): string =>
  [...(reference == null ? [] : [reference]), name].join(', ').slice(0, MOST_LETTERS)
/** What a `meterName` was made of. "B2, Meter M1" is the number B2 of the meter M1. */
export const numberAndMeter = (reference: string): { number: string; meter: string | null } => {
  const at = reference.startsWith(METER) ? 0 : reference.lastIndexOf(`, ${METER}`)
  if (at === -1) return { number: reference, meter: null }
  return { number: reference.slice(0, at), meter: reference.slice(at).replace(/^, /, '').slice(METER.length) }
}
/** Each bill of a meter has the same. */
const isMeterName = (reference: string | null): boolean => reference?.startsWith(METER) === true
const METER = 'Meter '
/** Of a bill number. */
const MOST_LETTERS = 100

export const ALREADY_THERE =
  'This bill already exists: same source, period and quantity. If they are two bills, enter both bill numbers.'

/** Overlapping days, duplicate bills, and unusual quantities. */
function overlapProblems(
  record: ParsedActivity,
  {
    quantity,
    unit,
    overlaps,
    ownId,
    isMatched,
    units,
  }: {
    quantity: string
    unit: Unit | undefined
    overlaps: OverlapIndex
    ownId: string | undefined
    isMatched: boolean
    units: UnitTable
  },
): { problems: CellProblem[]; knownId: string | undefined } {
  const { kind, sourceId, periodStart, periodEnd, reference = null } = record
  const {
    duplicate,
    isNumberTaken,
    overlaps: shared,
    isCovered,
    usual,
  } = overlaps.compare({
    id: ownId,
    isMatched,
    sourceId,
    kind,
    quantity,
    unit: unit?.code ?? null,
    isMeasured: unit?.dimension === 'energy',
    periodStart,
    periodEnd,
    reference,
  })
  if (duplicate !== undefined)
    return {
      knownId: duplicate.id,
      problems: [
        error(
          'quantity',
          duplicate.id === undefined
            ? 'Duplicate of a bill above: same source, period and quantity. If they are two bills, enter both bill numbers.'
            : ALREADY_THERE,
        ),
      ],
    }
  if (kind === 'estimate' && isCovered) {
    const message = 'A bill already covers this period, so no estimate is needed.'
    return { knownId: undefined, problems: [error('periodStart', message)] }
  }
  const perDay = new Figure(quantity).div(daysOf(periodStart, periodEnd)).toNumber()
  // A credit is for the days of the bill that it corrects.
  const isPeriod = kind !== 'estimate' && unit?.dimension !== 'money' && !isCredit(quantity)
  const sameBill = shared.find((one) => isSameBill({ ...record, quantity, unit }, one, units))
  const problems = [
    ...(isNumberTaken && !isMeterName(reference)
      ? [warning('reference', 'A bill with this number already exists.')]
      : []),
    ...(isPeriod ? sharedDayProblems(shared, sameBill) : []),
    ...(kind === 'estimate' && shared.length > 0 ? [warning('periodStart', SHRUNK_ESTIMATE)] : []),
    ...quantityProblems(Math.abs(perDay), { unit, usual: isCredit(quantity) ? null : usual }),
    ...(new Figure(quantity).isZero() ? [warning('quantity', 'The quantity is 0. Is that right?')] : []),
  ]
  return { problems, knownId: undefined }
}

const SHRUNK_ESTIMATE = 'Bills cover some of these days. The estimate counts only for the others.'

/** @param sameBill the record among them that is the same bill in another unit. */
function sharedDayProblems(
  [overlap]: readonly OverlappingRecord[],
  sameBill: OverlappingRecord | undefined,
): CellProblem[] {
  if (sameBill !== undefined) {
    const quantity = plain(new Figure(sameBill.quantity ?? 0))
    return [warning('periodStart', sameBillSentence({ quantity, unit: sameBill.unit ?? '' }))]
  }
  return overlap === undefined ? [] : [warning('periodStart', overlapSentence(overlap))]
}

/** A daily quantity that no site uses, or that is far from the other bills of the source. */
function quantityProblems(
  perDay: number,
  { unit, usual }: { unit: Unit | undefined; usual: number | null },
): CellProblem[] {
  const unlikely = unit === undefined ? null : plausibilityOf(unit.dimension, perDay * Number(unit.toBase))
  const isFar = usual !== null && (perDay > usual * 10 || perDay < usual / 10)
  return [
    ...(unlikely === null ? [] : [warning('quantity', unlikely)]),
    ...(isFar
      ? [
          warning(
            'quantity',
            `This is ${showFigure(String(perDay / usual), 2)} times the usual quantity for this source. Check the unit.`,
          ),
        ]
      : []),
  ]
}

/** The same period and, within half a percent, the same quantity in another unit. */
function isSameBill(
  one: Pick<ParsedActivity, 'periodStart' | 'periodEnd'> & { quantity: string; unit: Unit | undefined },
  other: OverlappingRecord,
  units: UnitTable,
): boolean {
  const unit = units.byCode.get(other.unit ?? '')
  if (one.unit === undefined || unit === undefined || other.quantity === null) return false
  if (unit.code === one.unit.code || unit.dimension !== one.unit.dimension) return false
  if (one.periodStart !== other.periodStart || one.periodEnd !== other.periodEnd) return false
  const [mine, theirs] = [
    new Figure(one.quantity).times(one.unit.toBase),
    new Figure(other.quantity).times(unit.toBase),
  ]
  return mine.minus(theirs).abs().lte(mine.times('0.005'))
}
