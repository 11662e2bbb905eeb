import { Figure, plain, showFigure } from '#contract/carbon/factors/figure.ts'
import { readUnit, type UnitTable } from '#contract/carbon/factors/unit-table.ts'
import type { ImportField } from '#contract/carbon/activity/import-mapping.ts'
import type { LocaleFormat } from '#contract/parsing/locale-format.ts'
import { namesCredit } from './bill-words.ts'
import { wordOf } from './word-of-line.ts'
import { billedUnit } from './column-roles.ts'
import type { NewQuestion } from './import-questions.ts'
import { askDecided, CALLED_SO, NO_CREDIT } from './decided-lines.ts'
import { isNear, settleLower } from './lower-readings.ts'
import { isAmbiguous, isBlank, readAmount, splitAmount, isCredited } from './read-amount.ts'
import type { ImportSource } from './import-context.ts'
import { leave, type ReadingPlan, type ReadLine, waits, wrong } from './read-line.ts'

/** What was used: the use that the file states, or the difference of two readings. */
export type Amount = {
  quantity: string | null
  meterFrom: string | null
  meterTo: string | null
  /** As `readUnit` understands it; null: the unit of the source. */
  unit: string | null
}

/** The use of a line with its unit; null if it can't be read, waits for an answer, or is left out. */
export function readQuantity(read: ReadLine, source: ImportSource, plan: ReadingPlan): Amount | null {
  const own = read.cells.quantity
  const stated = own === undefined || isBlank(own) ? null : numberOf(read, 'quantity', plan)
  const sum = stated === null ? null : withAddends(read, stated, plan)
  const [from, to, times] = [
    numberOf(read, 'meterFrom', plan),
    numberOf(read, 'meterTo', plan),
    numberOf(read, 'multiplier', plan),
  ]
  if (read.problems.some(({ level }) => level === 'error')) return null
  const isChosen = plan.mapping.columns.quantity !== undefined
  // Several columns say that they are the use: the readings don't decide between them.
  if (!isChosen && plan.proposal.quantity.choices.length > 0) return askQuantity(read, plan)
  const unit = unitOf(read, source, plan)
  if (unit === undefined) return null
  const readings = from === null || to === null ? null : new Figure(to).minus(from)
  if (sum === null && readings === null) {
    const { columns } = plan.mapping
    if (
      columns.quantity !== undefined &&
      settleWord(read, new Figure(0), { readings, plan, isBlank: true }) === null
    )
      return null
    if (read.voids !== undefined) return { quantity: '0', meterFrom: null, meterTo: null, unit }
    if (columns.quantity === undefined && columns.meterTo === undefined) return askQuantity(read, plan)
    return columns.quantity === undefined
      ? wrong(read, from === null ? 'meterFrom' : 'meterTo', 'Enter both readings.')
      : wrong(read, 'quantity', 'Enter the quantity.')
  }
  const multiplier = times === null ? null : new Figure(times)
  if (from !== null && to !== null && isLower({ read, readings, stated: sum })) {
    const lower = { from, to, stated: sum, times: multiplier ?? new Figure(1) }
    const settled = settleLower(read, lower, plan)
    return settled === null ? null : { quantity: plain(settled), meterFrom: null, meterTo: null, unit }
  }
  const stands = settleReadings(read, { stated: sum, readings, times: multiplier, plan })
  const used = stands === null ? null : settleWord(read, stands, { readings, plan })
  if (used === null) return null
  if (used === 'readings') return { quantity: null, meterFrom: from, meterTo: to, unit }
  return checkCredit(read, used, plan)
    ? { quantity: plain(used), meterFrom: null, meterTo: null, unit }
    : null
}

/** The end reading is below the start reading, and the line doesn't say that it is a credit. */
const isLower = ({
  read,
  readings,
  stated,
}: {
  read: ReadLine
  readings: Figure | null
  stated: Figure | null
}): boolean =>
  readings !== null &&
  readings.isNegative() &&
  !readings.isZero() &&
  stated?.isNegative() !== true &&
  !read.raw.some(namesCredit)

function askQuantity(read: ReadLine, { proposal, questions }: ReadingPlan): null {
  const { choices } = proposal.quantity
  if (choices.length === 0) return wrong(read, 'quantity', 'Choose the column of the quantity.')
  questions.ask({
    id: 'quantity',
    field: 'quantity',
    text: 'Which column is the quantity? No heading says so clearly.',
    choices: [...choices],
    proposal: null,
  })
  return waits(read, 'quantity', 'Choose the column of the quantity.')
}

/** A number in the format of the file. "1.234" waits if nothing in the file says what it means. */
function numberOf(
  read: ReadLine,
  field: ImportField,
  plan: ReadingPlan,
  text: string | undefined = read.cells[field],
): string | null {
  if (text === undefined || isBlank(text)) return null
  if (mayBeTwo(text, plan) && askDecimal(text, field, plan) === null)
    return waits(read, field, `“${text}” may be two numbers. Say how the file writes numbers.`)
  const found = readAmount(text, localeOf(plan, text))
  return 'value' in found ? found.value : wrong(read, field, found.refusal)
}

/** A number of a workbook, which means what it says. */
const isNumber = ({ columns: { texts } }: Pick<ReadingPlan, 'columns'>, text: string): boolean =>
  texts?.has(text) === false

/** How a cell of the file writes numbers. */
export const localeOf = (plan: Pick<ReadingPlan, 'columns' | 'format'>, text: string): LocaleFormat => ({
  ...plan.format,
  ...(isNumber(plan, text) && { decimal: '.' }),
  locale: 'en',
})

/** "1.234" may be two numbers, and nothing in the file says which one. */
export const mayBeTwo = (text: string, plan: ReadingPlan): boolean =>
  plan.decimalProposal !== undefined && isAmbiguous(text) && !isNumber(plan, text)

export function askDecimal(
  text: string,
  field: ImportField,
  { questions, decimalProposal = null }: ReadingPlan,
): string | null {
  const { number } = splitAmount(text)
  const choices = (['.', ','] as const).flatMap((decimal) => {
    const read = readAmount(number, { decimal, order: 'ymd', locale: 'en' })
    return 'value' in read ? [{ value: decimal, label: showFigure(read.value, 16) }] : []
  })
  return questions.ask({
    id: 'decimal',
    field,
    text: `How much is “${number}”?`,
    choices,
    proposal: decimalProposal,
  })
}

/** The sum with the other columns of the quantity, if all are in one unit. */
function withAddends(read: ReadLine, stated: string, plan: ReadingPlan): Figure | null {
  const { mapping, proposal, context } = plan
  const unitAt = (place: number | undefined) =>
    splitAmount(read.raw[place ?? -1] ?? '').unit ??
    read.cells.unit ??
    proposal.evidence.find((one) => one.place === place)?.unit ??
    null
  const own = unitAt(mapping.columns.quantity)
  return mapping.addends.reduce<Figure | null>((sum, place) => {
    const text = read.raw[place]?.trim() ?? ''
    const more = numberOf(read, 'quantity', plan, text)
    if (sum === null || isBlank(text)) return sum
    const unit = unitAt(place)
    const title = plan.columns.titles[place] ?? ''
    if (unit !== own && !isSameUnit(context.units, unit ?? '', own ?? ''))
      return wrong(
        read,
        'quantity',
        `“${title}” is in ${unit ?? 'no unit'}, and the figure before it in ${own ?? 'no unit'}. Only figures in one unit are added.`,
      )
    const isBelow = (figure: Figure) => figure.isNegative() && !figure.isZero()
    if (isBelow(new Figure(more ?? 0)) || isBelow(new Figure(stated)))
      return wrong(
        read,
        'quantity',
        'A figure below 0 is not added to others. Import credits as lines of their own.',
      )
    return sum.plus(more ?? 0)
  }, new Figure(stated))
}

/**
 * The stated use, unless the user says that the readings are right. They agree if the use is their difference, times the
 * multiplier if there is one. `readings`: the use is exactly their difference, and both are kept.
 */
function settleReadings(
  read: ReadLine,
  {
    stated,
    readings,
    times,
    plan,
  }: { stated: Figure | null; readings: Figure | null; times: Figure | null; plan: ReadingPlan },
): Figure | 'readings' | null {
  const multiplier = times ?? new Figure(1)
  if (readings === null) return stated
  if (stated === null) return multiplier.equals(1) ? 'readings' : readings.times(multiplier)
  if (stated.equals(readings) && multiplier.equals(1)) return 'readings'
  if (isNear(stated, readings.times(multiplier))) return stated
  const ratio = readings.isZero() ? null : stated.div(readings)
  const isWhole = ratio !== null && isNear(ratio.round().times(readings), stated) && ratio.round().gt(1)
  const guessed = isWhole ? ratio.round() : null
  const offered = times !== null && !times.equals(1) ? times : guessed
  const [use, difference] = [showFigure(stated, 16), showFigure(readings, 16)]
  const answer = plan.questions.ask({
    id: 'readings',
    field: 'quantity',
    text: `Line ${read.line} states a use of ${use}, but its readings differ by ${difference}. Which one counts?`,
    choices: [
      { value: 'use', label: `The stated use: ${use}` },
      { value: 'readings', label: `The difference of the readings: ${difference}` },
      ...(offered === null
        ? []
        : [
            {
              value: `times:${offered.toFixed()}`,
              label: `The readings times ${offered.toFixed()}: ${showFigure(readings.times(offered), 16)}`,
            },
          ]),
    ],
    proposal: times === null && isSteady(plan) ? 'use' : null,
  })
  if (answer === null)
    return waits(
      read,
      'quantity',
      `The stated use is ${use}, but the readings differ by ${difference}${offered === null ? '' : `, which times ${offered.toFixed()} is ${showFigure(readings.times(offered), 16)}`}.`,
    )
  if (answer === 'use') return stated
  return answer === 'readings' ? readings : readings.times(answer.slice('times:'.length))
}

/** The use is the same multiple of the readings in all lines: the meter has a multiplier that the file doesn't name. */
function isSteady(plan: ReadingPlan): boolean {
  const { columns } = plan.mapping
  const value = (cells: readonly string[], field: 'quantity' | 'meterFrom' | 'meterTo') => {
    const cell = cells[columns[field] ?? -1] ?? ''
    const found = readAmount(cell, localeOf(plan, cell))
    return 'value' in found ? new Figure(found.value) : null
  }
  const ratios = plan.columns.lines.slice(0, 400).flatMap(({ cells }) => {
    const [use, from, to] = [value(cells, 'quantity'), value(cells, 'meterFrom'), value(cells, 'meterTo')]
    if (use === null || from === null || to === null || use.isZero() || to.equals(from)) return []
    return [use.div(to.minus(from))]
  })
  const [first] = ratios
  return (
    first !== undefined &&
    ratios.length > 1 &&
    ratios.every((one) => one.minus(first).abs().lte(first.abs().times('0.01')))
  )
}

/** A line that is called a credit or canceled, with a quantity above 0: what it is, is asked once for each word. */
function settleWord(
  read: ReadLine,
  used: Figure | 'readings',
  {
    readings,
    plan,
    isBlank: lacksUse = false,
  }: { readings: Figure | null; plan: ReadingPlan; isBlank?: boolean },
): Figure | 'readings' | null {
  const quantity = used === 'readings' ? (readings ?? new Figure(0)) : used
  const found = plan.isInterval ? null : wordOf(read, plan)
  if (found === null || quantity.isNegative() || (quantity.isZero() && !lacksUse)) return used
  const { id, word } = found
  const question: NewQuestion = {
    id,
    field: 'quantity',
    text: `Line ${read.line} is called “${word}” and has ${lacksUse ? 'no quantity' : showFigure(quantity, 16)}. What is it?`,
    choices: [
      { value: 'subtract', label: 'A credit: subtract it' },
      { value: 'leave', label: 'No longer valid: leave it out' },
      { value: 'count', label: 'A bill: it counts. If another one has its days, you say next which holds' },
    ],
    proposal: null,
  }
  const answer = askDecided(read, question, { questions: plan.questions, decided: plan.context.decided })
  if (answer === 'count') {
    read.word = word
    return used
  }
  if (answer === null) return waits(read, 'quantity', `The line is called “${word}”. Say whether it counts.`)
  read.cells.comment ??= word
  read.isCredit = true
  if (answer === 'leave' || lacksUse) {
    leave(read, 'quantity', `${CALLED_SO} “${word}”.`)
    // Its bill may be stored: see `voided-lines.ts`.
    read.voids = word
  }
  return quantity.neg()
}

/** A quantity below 0 is a credit if the line says so. It may also be energy that was sent back, which nobody used. */
function checkCredit(
  read: ReadLine,
  quantity: Figure,
  { questions, isInterval, context: { decided } }: ReadingPlan,
): boolean {
  if (!quantity.isNegative() || quantity.isZero() || isInterval || read.isCredit === true) return true
  const words = read.raw.find(namesCredit)
  const question: NewQuestion = {
    id: 'credits',
    each: `${read.line}`,
    field: 'quantity',
    text: `Line ${read.line} is below 0: ${showFigure(quantity, 16)}. What is it?`,
    choices: [
      { value: 'subtract', label: 'A credit for an earlier bill: subtract it' },
      { value: 'leave', label: 'Energy sent back to the grid, or something else: leave it out' },
    ],
    proposal: null,
  }
  const answer = words === undefined ? askDecided(read, question, { questions, decided }) : 'subtract'
  if (answer === 'subtract') {
    read.cells.comment ??= words ?? 'Credit for an earlier bill'
    return true
  }
  if (answer === null)
    waits(
      read,
      'quantity',
      'The quantity is below 0. Say whether it is a credit or energy that was sent back.',
    )
  else leave(read, 'quantity', NO_CREDIT)
  return false
}

/** "All figures in thousands". */
const saysScale = (text: string): boolean =>
  /thousands?|tsd|tausend|milliers?|miles de|migliaia|duizend|mill?ions?|millionen|milh[oõ](es|ao)|millones|milioni|miljoen|\b(mio|mln|lakhs?|lacs?|crores?|cr)\b|[x×*] ?1[.,' ]?0{3}|1[.,' ]?000 |['’`]0{3}/i.test(
    text,
  )

/** The column of the use, or of the readings that it is made of. */
export const usedColumn = ({ columns }: ReadingPlan['mapping']): number | undefined =>
  columns.quantity ?? columns.meterTo ?? columns.meterFrom

/** The question about the unit of a source where the file names none. */
export const DEFAULT_UNIT = 'unit:of '

/** The unit of a line; null: that of the source; undefined: not known. A unit that isn't understood is never replaced. */
function unitOf(read: ReadLine, source: ImportSource, plan: ReadingPlan): string | null | undefined {
  const { context, mapping, questions, proposal } = plan
  const used = usedColumn(mapping)
  const heading = proposal.evidence.find(({ place }) => place === used)?.unit ?? plan.columns.unit
  const behind = splitAmount(read.cells.quantity ?? '').unit
  const text = read.cells.unit ?? behind ?? heading
  if (source.method === 'direct') return text
  if (text !== null && !isBlank(text)) {
    const found = readUnit(context.units, text)
    const isOther = heading !== null && text !== heading && !isSameUnit(context.units, heading, text)
    if (isOther && read.cells.unit !== undefined)
      return askUnit(read, {
        word: `${plan.columns.titles[used ?? -1] ?? ''} or ${text}`,
        problem: `The heading names ${heading}, and the line ${text}.`,
        suggestions: [heading, text].flatMap((one) => codeOf(context.units, one) ?? []),
        source,
        plan,
      })
    const isAnyGallon = 'unit' in found && found.unit.code === 'gallon' && !/\bus\b|american/i.test(text)
    const country = context.facilities.find(({ id }) => id === source.facilityId)?.country ?? 'US'
    if (isAnyGallon && country !== 'US')
      return askUnit(read, {
        word: text,
        problem: 'A gallon of the United States is a sixth smaller than an imperial one.',
        suggestions: ['imperial gallon', 'gallon'],
        source,
        plan,
      })
    if ('unit' in found) return asVolume(found.unit.code, source, plan) ?? text
    return askUnit(read, { word: text, problem: found.problem, suggestions: found.suggestions, source, plan })
  }
  if (mapping.columns.unit !== undefined)
    return askUnit(read, {
      word: '',
      problem: 'The line has no unit.',
      suggestions: [source.unit],
      source,
      plan,
    })
  const named = plan.strangeHeading
  if (named !== '')
    return askUnit(read, {
      word: named,
      problem: `The heading “${named.slice(0, 80)}” may name a unit that isn't known.`,
      suggestions: [source.unit],
      source,
      plan,
    })
  const beside = plan.unitsBeside.find(({ code }) => code !== source.unit)
  if (beside !== undefined)
    return askUnit(read, {
      word: beside.word,
      problem: `The columns name no unit, and a line beside the table says ${beside.word}.`,
      suggestions: [beside.code, source.unit],
      source,
      plan,
    })
  const answer = questions.ask({
    // A site of another country has another unit.
    id: `${DEFAULT_UNIT}${source.unit}`,
    field: 'unit',
    text: `The file doesn't name a unit. Its quantities are read in ${source.unit}, the unit of the source.`,
    choices: unitChoices(source, [source.unit], plan),
    // Meters of gas and water measure volumes, and a coefficient changes the unit.
    proposal: isMeasuredOtherwise(source, mapping) || plan.columns.above.some(saysScale) ? null : source.unit,
  })
  if (answer !== null) return answer
  waits(read, 'unit', "The file doesn't name the unit of its readings.")
  return undefined
}

const codeOf = (units: UnitTable, text: string): string | null => {
  const found = readUnit(units, text)
  return 'unit' in found ? found.unit.code : null
}

/** Units that mean the same, or one that isn't known. */
const isSameUnit = (units: UnitTable, one: string, other: string): boolean => {
  const [first, second] = [codeOf(units, one), codeOf(units, other)]
  return (
    first === null || second === null || first === second || (first in VOLUMES && VOLUMES[first] === second)
  )
}

const isMeasuredOtherwise = ({ activity }: ImportSource, { columns }: ReadingPlan['mapping']): boolean =>
  columns.quantity === undefined && columns.multiplier !== undefined && !activity.startsWith('electricity')

/** Of water, cubic feet are no standard cubic feet of gas: its CCF is a hundred of them. */
function asVolume(code: string, source: ImportSource, { context: { units } }: ReadingPlan): string | null {
  const isVolume = units.byCode.get(source.unit)?.dimension === 'volume'
  return isVolume && !source.activity.startsWith('combustion/') ? (VOLUMES[code] ?? null) : null
}
const VOLUMES: Readonly<Record<string, string>> = { scf: 'ft3', ccf: 'hundred ft3' }

function askUnit(
  read: ReadLine,
  {
    word,
    problem,
    suggestions,
    source,
    plan,
  }: {
    word: string
    problem: string
    suggestions: readonly string[]
    source: ImportSource
    plan: ReadingPlan
  },
): string | undefined {
  const normalized = word.toLowerCase().replaceAll(/\s+/g, ' ').trim().slice(0, 200)
  const answer = plan.questions.ask({
    id: `unit:${normalized}`,
    field: 'unit',
    text: word === '' ? 'Some lines have no unit. Which one is it?' : `Which unit is “${word.slice(0, 80)}”?`,
    choices: [...unitChoices(source, suggestions, plan), { value: 'leave', label: 'Leave these lines out' }],
    proposal: null,
  })
  if (answer === null) waits(read, 'unit', problem)
  else if (answer === 'leave') leave(read, 'unit', 'Left out, because its unit is unknown.')
  return answer === null || answer === 'leave' ? undefined : answer
}

/** Units that can be converted to that of the source, the most probable ones first. */
function unitChoices(
  source: ImportSource,
  suggestions: readonly string[],
  { context: { units } }: ReadingPlan,
): { value: string; label: string }[] {
  const own = units.byCode.get(source.unit)
  const isFuel = own !== undefined && source.activity.startsWith('combustion/')
  const dimensions = isFuel ? ['energy', 'gas_volume_std', 'volume', 'mass'] : [own?.dimension ?? '']
  const all = [...units.byCode.values()].filter(
    ({ code, dimension }) =>
      dimensions.includes(dimension) && (billedUnit(units, code) !== null || own?.code === code),
  )
  const first = suggestions.flatMap((code) => units.byCode.get(code) ?? [])
  return [...new Set([...first, ...(own === undefined ? [] : [own]), ...all])].map(({ code, name }) => ({
    value: code,
    label: name === code ? code : `${code}: ${name}`,
  }))
}

/** A cost below 0 beside a use may take back the use, too: the file says only one of them. */
export function settleNegativeCost(
  read: ReadLine,
  amount: Amount,
  { cost, plan }: { cost: string | null; plan: ReadingPlan },
): Amount | null {
  const isBelow = cost?.startsWith('-') === true || isCredited(read.cells.cost)
  const isTakenBack = isBelow && read.isCredit !== true && !plan.isInterval
  if (!isTakenBack || amount.quantity === null || !new Figure(amount.quantity).gt(0)) return amount
  const answer = plan.questions.ask({
    id: 'negativeCost',
    each: `${read.line}`,
    field: 'cost',
    text: `Line ${read.line} has a cost of ${cost ?? read.cells.cost ?? ''} and a use of ${showFigure(amount.quantity, 16)}. What is it?`,
    choices: [
      { value: 'subtract', label: 'It takes a bill back: subtract the use, too' },
      { value: 'count', label: 'The energy was used. Only the amount is a credit' },
      { value: 'leave', label: 'Leave the line out' },
    ],
    proposal: null,
  })
  if (answer === 'count') return amount
  if (answer === null)
    return waits(read, 'cost', 'The cost is below 0. Say whether the use is taken back, too.')
  if (answer === 'leave') return leave(read, 'cost', 'Left out, because its cost is below 0.')
  read.cells.comment ??= 'Takes a bill back'
  return { ...amount, quantity: plain(new Figure(amount.quantity).neg()) }
}
