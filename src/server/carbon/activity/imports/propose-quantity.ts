import { Figure } from '#contract/carbon/factors/figure.ts'
import { readUnit } from '#contract/carbon/factors/unit-table.ts'
import { carrierIn, isPart, isTotal, plainHeading, saysOnlyUnit } from './column-roles.ts'
import type { ColumnEvidence } from './column-evidence.ts'
import type { ImportContext, ImportSource } from './import-context.ts'
import { figuresOf, FORMATS } from './read-amount.ts'
import { maySayTheSame } from './same-use.ts'

/** `column`: the use is there, together with `addends`. `choices`: the file doesn't say which of them it is. */
export type QuantityProposal = {
  column: number | null
  addends: readonly number[]
  choices: readonly { value: string; label: string }[]
}

/** Roles of columns that are never the use, whatever their values look like. */
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
  'calorificBasis',
  'meterFrom',
  'meterTo',
  'multiplier',
  'cost',
  'price',
  'priceYear',
  'factor',
  'quality',
  'reference',
  'comment',
  'identifier',
  'days',
  'demand',
  'generation',
  'other',
])
/** Money, numbers of accounts and the like, even with a unit in the heading: "Cost per kWh". */
const LEAST = 30
/** Candidates whose scores are closer than this compete. */
const CLOSE = 10

/**
 * Which column is the use: the one whose heading says so, by its words and its unit. Identifiers, money, dates, readings and
 * figures about other periods never are. Several columns that say so are one total and its parts, or the user is asked.
 */
export function proposeQuantity(
  columns: readonly ColumnEvidence[],
  { source, context }: { source: ImportSource | undefined; context: ImportContext },
): QuantityProposal {
  const hasUnits = columns.some(({ role }) => role === 'unit')
  const figures = columns.filter(isFigure)
  // A truck is weighed full and empty.
  const hasTare = columns.some(({ title, isNumeric }) => isNumeric && TARE.test(plainHeading(title)))
  const nets = figures.filter(({ title }) => hasTare && NET_WEIGHT.test(plainHeading(title)))
  if (hasTare && nets.length === 0) return { ...NOTHING, choices: figures.map(choiceOf) }
  // Beside a period, an average is no use of it.
  const hasPeriod = columns.some(({ role }) => role === 'periodEnd' || role === 'period' || role === 'days')
  const energyOf = ({ title }: ColumnEvidence) =>
    source === undefined ? null : carrierIn(title, source.activity)
  // Beside "Electricity kWh", "Gas kWh" is none of it.
  const hasOwn = figures.some((one) => energyOf(one) === 'own')
  const possible = (hasTare ? nets : figures).filter(
    (one) => (!hasPeriod || !AVERAGE.test(plainHeading(one.title))) && !(hasOwn && energyOf(one) === 'other'),
  )
  const scored = possible
    .map((one) => ({ ...one, score: scoreOf(one, { source, context, hasUnits }) }))
    .filter(({ score }) => score >= LEAST)
    .toSorted((one, other) => other.score - one.score || one.place - other.place)
  const [best] = scored
  if (best === undefined) {
    const hasReadings = columns.some(({ role, isNumeric }) => role === 'meterTo' && isNumeric)
    return hasReadings ? NOTHING : { ...NOTHING, choices: choicesOf([...unreadable(columns), ...possible]) }
  }
  if (source?.activity.includes('refrigerant') && RECOVERED.test(plainHeading(best.title)))
    return { ...NOTHING, choices: choicesOf(possible) }
  // "Green kWh" and "Building kWh" say as little about the use as each other, and less than "Usage".
  const isCertain = best.role === 'use' || isExact(best)
  const isPower = source?.activity.startsWith('electricity') === true
  const unnamed = isPower
    ? []
    : possible.filter((one) => isOfFuel(one) && !scored.some((own) => own.place === one.place))
  const rivals = [...scored, ...unnamed.map((one) => ({ ...one, score: 0 }))].filter((one) => {
    const { score, unit, role } = one
    return (
      best.score - score < CLOSE ||
      (best.role !== 'use' && best.unit !== null && unit === best.unit) ||
      (!isCertain && role === 'use') ||
      (areApart(best, one, context) && !(isPower && isOtherThanPower(one)))
    )
  })
  if (rivals.length === 1) return { ...NOTHING, column: best.place }
  return settle(rivals)
}

/** Numbers that may be a use. */
const isFigure = ({ isNumeric, role }: ColumnEvidence): boolean => isNumeric && !NEVER.has(role ?? '')

/** Electricity is billed in kWh and its multiples; beside them, therms and CCF are of gas. */
const isOtherThanPower = ({ unit }: ColumnEvidence): boolean => !/^[kMG]?Wh$/i.test(unit ?? '')

/** Whether a column says that it is of something else, such as "Gas" beside "Electric": a cost may be of both. */
export const hasOtherUse = (columns: readonly ColumnEvidence[], source: ImportSource | undefined): boolean =>
  source !== undefined &&
  columns.some(
    (one) =>
      isFigure(one) &&
      carrierIn(one.title, source.activity) === 'other' &&
      one.values.some((value) => /[1-9]/.test(value)),
  )

/** Whether a column has another energy than the one that is used: with another unit, or the name of another. */
export const isOtherUse = (
  one: ColumnEvidence,
  { used, source }: { used: ColumnEvidence; source: ImportSource | undefined },
): boolean =>
  isFigure(one) &&
  ((one.unit !== null && one.unit.toLowerCase() !== (used.unit ?? '').toLowerCase()) ||
    (one.role === 'use' && source !== undefined && carrierIn(one.title, source.activity) === 'other'))

/** "Gas Usage", "Volume": an amount of fuel without a unit. */
const isOfFuel = (one: ColumnEvidence): boolean =>
  isFigure(one) &&
  one.unit === null &&
  (one.role === 'use' ||
    carrierIn(one.title, 'combustion/natural-gas') === 'own' ||
    VOLUME.test(plainHeading(one.title)))
const VOLUME = /(^| )(volumen?|volumes|cubic)( |$)/

/**
 * Two columns that say nothing but a unit, such as kWh and CCF, or a unit and an amount of fuel, and don't measure the same: from line to
 * line, one has another share of the other, or one that no fuel has.
 */
export function areApart(
  one: ColumnEvidence,
  other: ColumnEvidence,
  { units: table }: Pick<ImportContext, 'units'>,
): boolean {
  const units = [one, other].map((column) => {
    const { title, unit } = column
    return unit !== null && isFigure(column) && saysOnlyUnit(title, unit) ? unit.toLowerCase() : ''
  })
  if (units[0] === units[1] || ![one, other].every((own, at) => units[at] !== '' || isOfFuel(own)))
    return false
  return FORMATS.some((format) => {
    const shares = figuresOf([one, other], format).flatMap(([a, b]) =>
      a === undefined || b === undefined || !a.gt(0) || !b.gt(0) ? [] : [a.div(b).toNumber()],
    )
    const [a, b] = [one, other].map(({ unit }) => readUnit(table, unit ?? ''))
    const isOther = (share: number) =>
      a !== undefined &&
      b !== undefined &&
      'unit' in a &&
      'unit' in b &&
      maySayTheSame(a.unit, b.unit, share) === false
    return (
      shares.some(isOther) || (shares.length > 1 && Math.max(...shares) > MOST_SHARE * Math.min(...shares))
    )
  })
}
/** The energy of a cubic meter of gas differs by less. */
const MOST_SHARE = 1.15

const AVERAGE =
  /(^| )(daily|diari[oa]|journaliere?|quotidien(ne)?|dagelijkse?|hourly|medi[oa]|mittel|mittlerer?|o|max|maximum|min|minimum|saved|savings|avoided|avoidance)( |$)|tagesverbrauch|tagesmittel|stundenverbrauch|durchschnitt|einsparung/
/** What was taken out of a system is no leak. */
const RECOVERED =
  /(^| )(recover(ed|y)?|reclaim(ed)?|recycled?|removed|evacuated|extracted|retire|zuruckgewonnen|ruckgewonnen|abgesaugt|entnommen|recupere|recuperado|recuperato|teruggewonnen)( |$)/
const TARE = /(^| )(tare?|tara|taragewicht|leergewicht|poids a vide|empty)( |$)/
const NET_WEIGHT = /(^| )(net|nets|netto\w*|neto|nette?)( |$)/

/** "kWh", "Total kWh": nothing but the unit. */
const isExact = ({ title, unit }: ColumnEvidence): boolean =>
  unit !== null && /^\W*(total|energy|used|consumed|gesamt)?\W*$/i.test(title.replace(unit, ' '))

/** Headings of a use above figures that can't be read, such as "1 lb 4 oz": chosen, each line says what is wrong. */
const unreadable = (columns: readonly ColumnEvidence[]): ColumnEvidence[] =>
  columns.filter(
    ({ role, unit, isNumeric, isDate, values }) =>
      // A "Meter" is a device, not a length.
      (role === 'use' || (unit !== null && role !== 'identifier')) &&
      !isNumeric &&
      !isDate &&
      values.some((text) => /\d/.test(text)),
  )

const NOTHING: QuantityProposal = { column: null, addends: [], choices: [] }
export const choiceOf = ({ place, title, values }: ColumnEvidence) => ({
  value: String(place),
  label: values.length === 0 ? title : `${title}: ${values.slice(0, 3).join(', ')}`,
})

function scoreOf(
  { title, role, unit }: ColumnEvidence,
  {
    source,
    context,
    hasUnits,
  }: { source: ImportSource | undefined; context: ImportContext; hasUnits: boolean },
): number {
  const carrier = source === undefined ? null : carrierIn(title, source.activity)
  const read = unit === null ? null : readUnit(context.units, unit)
  // "Tons" is a unit, but nobody knows which.
  const isVague = read !== null && 'problem' in read && read.suggestions.length > 1
  const own = source === undefined ? undefined : context.units.byCode.get(source.unit)
  const named = read !== null && 'unit' in read ? read.unit : null
  const isFuelUnit = (dimension: string) => ['mass', 'volume', 'gas_volume_std', 'energy'].includes(dimension)
  const isElectric = source?.activity.startsWith('electricity') === true
  // Electricity is never sold by the gallon, and gas not always by its energy.
  const fits =
    named === null ||
    own === undefined ||
    named.dimension === own.dimension ||
    (!isElectric && isFuelUnit(named.dimension) && isFuelUnit(own.dimension))
  const isBare = saysOnlyUnit(title, unit)
  return (
    (named === null && !isVague ? 0 : 45) +
    (role === 'use' ? 40 : 0) +
    (role === 'amount' ? 10 : 0) +
    (role === 'amount' && hasUnits && named === null ? 25 : 0) +
    (named !== null && named.code === own?.code && (isBare || role === 'use') ? 12 : 0) +
    // A bill of gas says what was measured, in words, and beside it only "kWh".
    (named !== null && role !== 'use' && isBare && named.dimension === own?.dimension ? 35 : 0) +
    (fits ? 0 : -70) +
    (carrier === 'own' ? 15 : 0) +
    (carrier === 'other' ? -60 : 0)
  )
}

/** The column that is the sum of all others in every line; undefined if there is none. Sums are rounded. */
export function findTotal(columns: readonly ColumnEvidence[]): ColumnEvidence | undefined {
  for (const format of FORMATS) {
    const lines = figuresOf(columns, format)
    if (lines.length === 0) continue
    const total = columns.find(
      ({ title }, at) =>
        // In one line, a register may be the sum of the others by chance.
        (lines.length > 1 || isTotal(title) || !columns.every((one) => isPart(one.title))) &&
        lines.every((line) => {
          const own = line[at] ?? new Figure(0)
          const others = line
            .filter((_other, place) => place !== at)
            .reduce((sum, one) => sum.plus(one), new Figure(0))
          return own.minus(others).abs().lte(own.abs().times('0.001').plus('0.05'))
        }),
    )
    if (total !== undefined) return total
  }
  return undefined
}

/** "Supply kWh" and "Total kWh" may be of others; "Import kWh" and "Import total kWh" are one thing. */
const isNamedAlike = (part: string, total: string): boolean => {
  const rest = (title: string) =>
    plainHeading(title)
      .split(' ')
      .filter((one) => !isTotal(one) && !/^\d+$/.test(one))
  const words = rest(total)
  return isTotal(total) && rest(part).length > 0 && rest(part).join(' ') === words.join(' ')
}

/** A total beside its parts, or the same use twice; otherwise the user is asked. */
function settle(rivals: readonly ColumnEvidence[]): QuantityProposal {
  const sum = findTotal(rivals)
  // A + B = C are also two readings and a use, or the use of others: only parts of a day or named totals are added.
  const isOfParts =
    sum !== undefined &&
    rivals.every((one) => one === sum || isPart(one.title) || isNamedAlike(one.title, sum.title))
  const twice = isTwice(rivals) ? rivals[0] : undefined
  const total = isOfParts ? sum : twice
  if (total !== undefined) return { ...NOTHING, column: total.place }
  return { ...NOTHING, choices: choicesOf(rivals) }
}

/** Each of the columns, and the sums that may be the use: of the parts of a day, and of registers with names of their own. */
function choicesOf(columns: readonly ColumnEvidence[]): QuantityProposal['choices'] {
  const parts = columns.filter(({ title }) => isPart(title) && !isTotal(title))
  // "Day", "Night", "Weekend".
  const others = columns.filter(({ title }) => !isTotal(title))
  const isAlike = new Set(columns.map(({ unit }) => unit)).size === 1 && others.length > parts.length
  const isNamed = parts.length > 1 || columns.some(({ unit, role }) => unit !== null || role === 'use')
  return [...addedOf(parts), ...(isAlike && isNamed ? addedOf(others) : []), ...columns.map(choiceOf)]
}

function addedOf(parts: readonly ColumnEvidence[]): QuantityProposal['choices'] {
  const titles = parts.map(({ title }) => title).join(' + ')
  return parts.length > 1
    ? [{ value: parts.map(({ place }) => place).join('+'), label: `All added: ${titles}` }]
    : []
}

/** Every line has the same value in all columns. */
const isTwice = (columns: readonly ColumnEvidence[]): boolean =>
  FORMATS.some((format) => {
    const lines = figuresOf(columns, format)
    return lines.length > 0 && lines.every((line) => line.every((one) => one.equals(line[0] ?? 0)))
  })
