import type { CellProblem, ReadActivity } from '#contract/carbon/activity/activity-schema.ts'
import { Figure, plain, showFigure } from '#contract/carbon/factors/figure.ts'
import { daysOf } from '#contract/days.ts'
import { type CalorificBasis, readUnit, type ReadUnit } from '#contract/carbon/factors/unit-table.ts'
import { whyNot } from '#server/carbon/calculation/list-factors.ts'
import type { OverlapIndex } from '#server/carbon/calculation/overlap-index.ts'
import { isOfScope, pickByHand } from '#server/carbon/calculation/pick-factor.ts'
import type { ReferenceData, Terms } from '#server/carbon/calculation/calculation-line.ts'

export type SourceFacts = {
  id: string
  organizationId: string
  activity: string
  scope: string
  unit: string
  closed: boolean
  factorId: string | null
  /** Where it stands; null: not known, or nobody chose a factor by hand. */
  region: string | null
}
type Period = { periodStart: string; periodEnd: string }

export type Checked = {
  problems: CellProblem[]
  /** As it is kept; null where there is an error. */
  kept: { quantity: string | null; unit: string | null; calorificBasis: CalorificBasis | null } | null
  /** The same bill is there: nothing else is wrong with it. */
  isKnown?: true
}

/**
 * What is wrong with a row: errors keep it from being saved, warnings do not.
 * @param source undefined where the inventory has no such source.
 * @param ownId the record as it was stands beside no other of its source.
 */
export function checkRow(
  record: ReadActivity,
  {
    source,
    inventory,
    overlaps,
    ownId,
    reference,
    terms,
    today,
  }: {
    source: SourceFacts | undefined
    inventory: Period
    overlaps: OverlapIndex
    ownId?: string | undefined
    reference: ReferenceData
    terms: Terms
    today: string
  },
): Checked {
  if (source === undefined) return refuse('sourceId', 'This inventory has no such source.')
  if (source.closed) return refuse('sourceId', 'This source is closed and takes no records.')
  const quantity = quantityOf(record)
  const unit = unitOf(record, source, reference)
  const beside =
    typeof quantity === 'string'
      ? overlapProblems(record, { quantity, unit: unit.kept?.unit.code, overlaps, ownId })
      : { problems: [], isKnown: false }
  const own = [
    ...periodProblems(record, inventory, today),
    ...(quantity === null || typeof quantity === 'string' ? [] : [quantity]),
    ...unit.problems,
    ...withFit(
      factorProblems(record, source, { reference, unit: unit.kept }),
      fitProblems(record, source, { inventory, reference, terms }),
    ),
    ...kindProblems(record, reference),
  ]
  const problems = [...own, ...beside.problems]
  const isWrong = own.some(({ level }) => level === 'error')
  if (!isWrong && beside.isKnown) return { problems, kept: null, isKnown: true }
  if (problems.some(({ level }) => level === 'error')) return { problems, kept: null }
  return {
    problems,
    kept: {
      quantity: typeof quantity === 'string' ? quantity : null,
      unit: unit.kept?.unit.code ?? null,
      calorificBasis: unit.kept?.basis ?? null,
    },
  }
}

const error = (field: string, message: string): CellProblem => ({ field, level: 'error', message })
const warning = (field: string, message: string): CellProblem => ({ field, level: 'warning', message })
const refuse = (field: string, message: string): Checked => ({
  problems: [error(field, message)],
  kept: null,
})

/** The quantity of the row, null where it has none, or what is wrong with it. */
function quantityOf({ kind, quantity, meterFrom, meterTo }: ReadActivity): string | CellProblem | null {
  if (kind === 'direct') return null
  if (kind !== 'meter') {
    if (quantity === null) return error('quantity', 'Enter the quantity.')
    return quantity.startsWith('-') ? error('quantity', 'A quantity is never negative.') : quantity
  }
  if (meterFrom === null) return error('meterFrom', 'Enter the first reading.')
  if (meterTo === null) return error('meterTo', 'Enter the last reading.')
  if (meterFrom.startsWith('-')) return error('meterFrom', 'A reading is never negative.')
  const used = new Figure(meterTo).minus(meterFrom)
  if (used.isNegative())
    return error('meterTo', 'The last reading is below the first. Was the meter changed? Enter two records.')
  if (quantity !== null && !used.equals(quantity))
    return error('quantity', `The readings give ${showFigure(used, 16)}. Leave the quantity empty.`)
  return plain(used)
}

function periodProblems(
  { periodStart, periodEnd }: ReadActivity,
  inventory: Period,
  today: string,
): CellProblem[] {
  if (periodEnd < periodStart) return [error('periodEnd', 'The last day is before the first.')]
  if (periodEnd < inventory.periodStart || periodStart > inventory.periodEnd)
    return [
      error(
        'periodStart',
        `The period lies outside the inventory, ${inventory.periodStart} to ${inventory.periodEnd}.`,
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
      ? [warning('periodStart', `${counted} of ${days} days lie in the inventory: only they count.`)]
      : []),
    ...(days > 400 ? [warning('periodEnd', `The period has ${days} days. Is that right?`)] : []),
    ...(periodStart > today ? [warning('periodStart', 'The period has not begun yet.')] : []),
  ]
}

function unitOf(
  { kind, unit, calorificBasis }: ReadActivity,
  source: SourceFacts,
  reference: ReferenceData,
): { problems: CellProblem[]; kept: ReadUnit | null } {
  if (kind === 'direct') return { problems: [], kept: null }
  const read = readUnit(reference.units, unit === null || unit === '' ? source.unit : unit)
  if ('problem' in read) return { problems: [error('unit', read.problem)], kept: null }
  const { dimension } = read.unit
  if (calorificBasis !== null && dimension !== 'energy')
    return { problems: [error('calorificBasis', 'Only energy has a calorific value.')], kept: null }
  if (read.basis !== null && calorificBasis !== null && read.basis !== calorificBasis)
    return {
      problems: [
        error('calorificBasis', `The unit says ${read.basis} calorific value, the row ${calorificBasis}.`),
      ],
      kept: null,
    }
  return { problems: [], kept: { unit: read.unit, basis: read.basis ?? calorificBasis } }
}

const BRIDGES: ReadonlySet<string> = new Set(['mass', 'volume', 'energy'])

/** Whether a factor could ever take the row's unit: another dimension is refused, gross is not net. */
function factorProblems(
  record: ReadActivity,
  source: SourceFacts,
  { reference, unit }: { reference: ReferenceData; unit: ReadUnit | null },
): CellProblem[] {
  const { kind, priceYear, periodStart } = record
  const factorId = record.factorId ?? source.factorId
  if (kind === 'own_factor' && factorId === null) return [error('factorId', 'Choose the factor.')]
  if (unit === null) return []
  const isMoney = unit.unit.dimension === 'money'
  if (isMoney && priceYear === null) return [error('priceYear', 'Money needs the year of its prices.')]
  if (factorId !== null) {
    const picked = pickByHand(keyOf(record, source, unit), factorId, reference)
    if ('problem' in picked) {
      // A rate or a deflator may come later.
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
  const candidates = reference.ofActivity(source.activity).filter((factor) => isOfScope(factor, source.scope))
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
      error(
        'unit',
        `${unit.unit.code} cannot be converted to what this source is measured in, ${usual} for instance.`,
      ),
    ]
  const isUnclear =
    own === 'energy' &&
    unit.basis === null &&
    candidates.some(({ calorificBasis }) => calorificBasis !== null) &&
    candidates.every(
      (factor) =>
        reference.units.byCode.get(factor.unit)?.dimension !== 'energy' || factor.calorificBasis !== null,
    )
  if (!isUnclear) return []
  return [
    error(
      'calorificBasis',
      `Say whether the ${unit.unit.code} are gross or net calorific value: they are different amounts of energy.`,
    ),
  ]
}

/** One error says enough of a factor, and more than a warning. */
const withFit = (problems: CellProblem[], fit: CellProblem[]): CellProblem[] =>
  fit.length === 0 || problems.some(({ level }) => level === 'error') ? problems : fit

/** A factor chosen for one row fits its place and days: one for the whole source may be an approximation, which is said. */
function fitProblems(
  { factorId, periodStart, kind }: ReadActivity,
  { region }: SourceFacts,
  { inventory, ...on }: { inventory: Period; reference: ReferenceData; terms: Terms },
): CellProblem[] {
  const factor = factorId === null || kind === 'direct' ? undefined : on.reference.byId(factorId)
  if (factor === undefined || region === null) return []
  const day = periodStart < inventory.periodStart ? inventory.periodStart : periodStart
  const against = whyNot(factor, { region, day }, on)
  return against === null ? [] : [error('factorId', `${factor.name} does not fit. ${against}`)]
}

function keyOf(
  { periodStart, priceYear, moneyRate, moneyDeflator }: ReadActivity,
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
    handFactorId: null,
    priceYear,
    moneyRate,
    moneyDeflator,
    direct: null,
    day: periodStart,
    purchaseOf: null,
  }
}

function kindProblems(
  { kind, direct, estimateMethod, moneyRate, moneyDeflator }: ReadActivity,
  reference: ReferenceData,
): CellProblem[] {
  if (kind === 'estimate' && estimateMethod === null)
    return [error('estimateMethod', 'Say how it was estimated.')]
  if (moneyRate !== null && !(Number(moneyRate) > 0))
    return [error('moneyRate', 'A rate is more than nothing.')]
  if (moneyDeflator !== null && !(Number(moneyDeflator) > 0))
    return [error('moneyDeflator', 'A deflator is more than nothing.')]
  if (kind !== 'direct') return []
  if (direct === null) return [error('direct', 'Enter what was measured.')]
  const known = new Set(reference.gwps.map(({ gas }) => gas))
  const unknown = direct.find(({ gas, basis }) => basis === 'gas' && !known.has(gas))
  if (unknown !== undefined)
    return [error('direct', `There is no warming potential of “${unknown.gas}”. Enter it in kg CO2e.`)]
  const names = direct.map(({ gas, isBiogenic }) => `${gas} ${isBiogenic}`)
  if (new Set(names).size < names.length) return [error('direct', 'A gas is there twice.')]
  const isTwice =
    direct.some(({ gas }) => gas === 'CO2e') &&
    direct.some(({ gas, basis }) => gas !== 'CO2e' && basis === 'gas')
  return isTwice ? [error('direct', 'Beside a total in CO2e its gases would count twice.')] : []
}

/** Days in common, bills that are there already, and quantities far from the usual. */
function overlapProblems(
  record: ReadActivity,
  {
    quantity,
    unit,
    overlaps,
    ownId,
  }: { quantity: string; unit: string | undefined; overlaps: OverlapIndex; ownId: string | undefined },
): { problems: CellProblem[]; isKnown: boolean } {
  const { kind, sourceId, periodStart, periodEnd, reference = null } = record
  const { twin, isNumberTaken, overlap, isCovered, usual } = overlaps.beside({
    id: ownId,
    sourceId,
    kind,
    quantity,
    unit: unit ?? null,
    periodStart,
    periodEnd,
    reference,
  })
  if (twin !== undefined)
    return {
      isKnown: twin.id !== undefined,
      problems: [
        error(
          'quantity',
          twin.id === undefined
            ? 'This bill is there already, further up: same source, period and quantity. Give both their numbers if they are two.'
            : 'This bill is there already: same source, period and quantity. Give both their numbers if they are two.',
        ),
      ],
    }
  if (kind === 'estimate' && isCovered) {
    const there = 'The bill of this period is there already: it needs no estimate.'
    return { isKnown: false, problems: [error('periodStart', there)] }
  }
  const own = new Figure(quantity).div(daysOf(periodStart, periodEnd)).toNumber()
  const isFar = usual !== null && (own > usual * 10 || own < usual / 10)
  const problems = [
    ...(isNumberTaken ? [warning('reference', 'A bill with this number is there already.')] : []),
    ...(overlap !== undefined && kind !== 'estimate'
      ? [
          warning(
            'periodStart',
            `Another record of this source has days of this period: ${overlap.periodStart} to ${overlap.periodEnd}.`,
          ),
        ]
      : []),
    ...(isFar
      ? [
          warning(
            'quantity',
            `That is ${showFigure(String(own / usual), 2)} times the usual of this source. Is the unit right?`,
          ),
        ]
      : []),
    ...(new Figure(quantity).isZero() ? [warning('quantity', 'Nothing was used. Is that right?')] : []),
  ]
  return { problems, isKnown: false }
}
