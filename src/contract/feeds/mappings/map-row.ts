import { compileFormula } from '#contract/expressions/evaluate.ts'
import { readFormula } from '#contract/expressions/read.ts'
import {
  type CustomField,
  type CustomFieldName,
  customFieldName,
  isCustomFieldName,
} from '#contract/customers/custom-fields/custom-fields.ts'
import { VEHICLE_FIELDS, type VehicleFieldName } from '#contract/vehicles/vehicles/vehicle-fields.ts'
import type { AnyFieldName } from '#contract/vehicles/vehicles/vehicle-input.ts'
import { compileSource, type IsUsable, type ReadTexts } from './compile-source.ts'
import { type FeedRow, textOf } from './source-row.ts'
import { columnsOf, type FeedMapping, type FeedTarget, type FieldMapping, targetsWith } from './mapping.ts'
import { type FeedStatus, readStatusOf, strictestOf } from './feed-status.ts'
import { isUnclearDay } from './read-feed-date.ts'
import { isDateField } from './with-date-forms.ts'
import { columnCurrency } from './read-feed-number.ts'
import { readCustomText } from './read-custom-text.ts'
import {
  type FieldValue,
  isUsableText,
  type ReadOptions,
  readVehicleValue,
  refuse,
} from './read-vehicle-value.ts'
import { namedIn, ruleColumns, ruleValues, ruleVariables } from './rule-columns.ts'

export type MapOptions = ReadOptions &
  Readonly<{
    columns: readonly string[]
    /** XML and JSON: rows have no elements for values that are blank. */
    leavesOutBlank?: boolean
  }>

/** A mapped row. It is rejected if `refusals` is not empty; `warnings` don't prevent its import. */
export type MappedRow = {
  values: Partial<Record<AnyFieldName, FieldValue>>
  /** Mapped fields that the row leaves blank: zero, "Call" or unreadable. If the feed gave a value before, it takes it away. */
  blank: AnyFieldName[]
  /** The provider's ID of the lot. */
  dealer: string | null
  /** The status that the feed gives the vehicle; null if it gives none. */
  status: FeedStatus | null
  /** Why the feed itself leaves the row out; null for a row to import. Such a row is neither rejected nor a warning. */
  leftOut: string | null
  warnings: { target: FeedTarget | null; sentence: string }[]
  refusals: string[]
  /** Values that match none of our standard values, for the data mapping. */
  unmapped: { field: VehicleFieldName; value: string }[]
  /** What only a person knows: words of the status column that aren't known, and dates that may be two days. */
  asks: { target: FeedTarget; value: string }[]
}

/** `feedPrice` comes last, because it often shares a column with the price, which should report the warnings. */
const targetOrder = (own: readonly CustomField[]): FeedTarget[] => [
  ...targetsWith(own).filter((one) => one !== 'feedPrice'),
  'feedPrice',
]

type Compiled = {
  target: FeedTarget
  mapping: FieldMapping
  read: ReadTexts
  from: string
  /** Of a status: each of its columns by itself. */
  parts: readonly { column: string; read: ReadTexts }[]
  /** The file can give a value: it has one of the columns. */
  isInFile: boolean
}

/**
 * Compiles a mapping for the rows of one file with these columns. Pure, so that the preview and the import always agree.
 */
export function prepareMapping(
  { fields, skipRule }: FeedMapping,
  options: MapOptions,
): (row: FeedRow) => MappedRow {
  const columns = ruleColumns(options.columns)
  const compiled = targetOrder(options.own ?? []).flatMap((target): Compiled[] => {
    const mapping = fields[target]
    if (mapping === undefined) return []
    const isUsable = (text: string) =>
      target === 'dealer' || target === 'status' || isCustomFieldName(target) || isUsableText(target, text)
    const read = compileSource(mapping.source, columns, isUsable)
    const from = JSON.stringify(mapping.source)
    const parts = target === 'status' ? statusParts(mapping, { columns, read, isUsable }) : []
    return [{ target, mapping, read, from, parts, isInFile: isInFile(mapping, options) }]
  })
  const isLeftOut = skipRule === null ? () => false : compileCondition(skipRule.rule, columns)

  return (row) => {
    const mapped: MappedRow = {
      values: {},
      blank: [],
      dealer: null,
      status: null,
      leftOut: null,
      warnings: [],
      refusals: [],
      unmapped: [],
      asks: [],
    }
    for (const { kind, sentence } of row.problems) {
      if (kind === 'leftOut') return { ...mapped, leftOut: sentence }
      if (kind === 'refusal') mapped.refusals.push(sentence)
      else mapped.warnings.push({ target: null, sentence })
    }
    if (mapped.refusals.length > 0) return mapped
    if (skipRule !== null && isLeftOut(row)) return { ...mapped, leftOut: skipRule.reason }
    const reported = new Set<string>()
    for (const one of compiled) readField(one, row, { mapped, options, reported })
    refuseRow(row, mapped, fields)
    return mapped
  }
}

/** Maps a single row without compiling the mapping first. */
export function mapRow(mapping: FeedMapping, row: FeedRow, options: MapOptions): MappedRow {
  return prepareMapping(mapping, options)(row)
}

/**
 * Whether a file can give a value for a field. Files with elements leave out those without a value; a CSV file without a column
 * takes nothing away.
 */
function isInFile(mapping: FieldMapping, { columns, leavesOutBlank = false }: MapOptions): boolean {
  const { source } = mapping
  if (source.kind === 'constant') return false
  if (leavesOutBlank) return true
  const named =
    source.kind === 'rule'
      ? namedIn(source.rule, ruleColumns(columns)).map(({ column }) => column)
      : columnsOf({ source })
  return named.some((column) => columns.includes(column))
}

/** A status may be in several columns, such as "Status" and "Sold": each is read by itself. */
function statusParts(
  { source }: FieldMapping,
  {
    columns,
    read,
    isUsable,
  }: { columns: ReturnType<typeof ruleColumns>; read: ReadTexts; isUsable: IsUsable },
): Compiled['parts'] {
  if (source.kind === 'column') return [{ column: source.column, read }]
  if (source.kind !== 'allOf') return [{ column: '', read }]
  return source.columns.map((column) => ({
    column,
    read: compileSource({ kind: 'column', column }, columns, isUsable),
  }))
}

function readField(
  { target, mapping, read, from, parts, isInFile: canGive }: Compiled,
  row: FeedRow,
  { mapped, options, reported }: { mapped: MappedRow; options: MapOptions; reported: Set<string> },
): void {
  if (target === 'status') {
    for (const part of parts) readStatus(part.column, translate(part.read(row), mapping), mapped)
    return
  }
  const texts = translate(read(row), mapping)
  if (target === 'dealer') {
    mapped.dealer = texts.find((text) => text !== '')?.slice(0, 100) ?? null
    return
  }
  if (target === 'price' && texts.every((text) => text === '') && hasFormerPrice(row, mapping)) return
  askForDates(target, texts, { mapped, mapping, options })
  const unitText = mapping.unitColumn === undefined ? '' : textOf(row, mapping.unitColumn)
  if (isCustomFieldName(target)) {
    readCustomField(target, texts, { mapped, mapping, options })
    if (canGive && mapped.values[target] === undefined) mapped.blank.push(target)
    return
  }
  const [first] = columnsOf({ source: mapping.source })
  const currencyText =
    mapping.currencyColumn === undefined
      ? (columnCurrency(first ?? '')?.currency ?? '')
      : textOf(row, mapping.currencyColumn)
  const { value, sentence, isUnmapped, isIgnored, isLost } = readVehicleValue(target, texts, {
    mapping,
    options,
    unitText,
    currencyText,
  })
  if (isLost === true && sentence !== undefined) {
    mapped.refusals.push(`${VEHICLE_FIELDS[target].title}: ${sentence}`)
    return
  }
  if (value !== null) mapped.values[target] = value
  else if (canGive && isUnmapped !== true && isIgnored !== true) mapped.blank.push(target)
  // Two fields that read the same column report the same warning only once.
  if (sentence !== undefined && !reported.has(from + sentence)) {
    reported.add(from + sentence)
    mapped.warnings.push({ target, sentence })
  }
  const text = texts.find((one) => one !== '')
  if (isUnmapped === true && text !== undefined) mapped.unmapped.push({ field: target, value: text })
}

const FORMER_PRICE =
  /^(?:old|previous|prev|former|was|current|present|before)\s*(?:selling|internet|sale|list)?\s*price$|^(?:price )?(?:was|before)$/i

/** Whether a row has the price before: a list of changes leaves the new price blank where it doesn't change. */
const hasFormerPrice = ({ cells }: FeedRow, mapping: FieldMapping): boolean =>
  Object.entries(cells).some(
    ([column, cell]) =>
      FORMER_PRICE.test(column.replaceAll(/[_\s-]+/g, ' ').trim()) &&
      !columnsOf(mapping).includes(column) &&
      typeof cell === 'string' &&
      /[1-9]/.test(cell),
  )

/** What a warning says about a word in the status column. */
export const UNKNOWN_STATUS = "isn't a known status"

/** The strictest status of all columns counts. A word that isn't known is asked about before anything is applied. */
function readStatus(column: string, texts: readonly string[], mapped: MappedRow): void {
  const text = texts.find((one) => one !== '')
  if (text === undefined) return
  const read = readStatusOf(column, text)
  if (read === 'blank') return
  if (read !== null) {
    mapped.status = strictestOf(mapped.status, read)
    return
  }
  mapped.asks.push({ target: 'status', value: text })
  const { sentence } = refuse(text, UNKNOWN_STATUS)
  if (sentence !== undefined) mapped.warnings.push({ target: 'status', sentence })
}

/** Remembers a date that may be two days. */
function askForDates(
  target: FeedTarget,
  texts: readonly string[],
  { mapped, mapping, options }: { mapped: MappedRow; mapping: FieldMapping; options: MapOptions },
): void {
  const text = texts.find((one) => one !== '')
  if (text === undefined || !isDateField(target, options.own ?? [])) return
  if (isUnclearDay(text.trim(), mapping.dates)) mapped.asks.push({ target, value: text.trim() })
}

/** Reads the value of a custom field. */
function readCustomField(
  target: CustomFieldName,
  texts: readonly string[],
  { mapped, mapping, options }: { mapped: MappedRow; mapping: FieldMapping; options: MapOptions },
): void {
  const field = options.own?.find((one) => customFieldName(one) === target)
  if (field === undefined) return
  const { value, sentence } = readCustomText(field, texts, { mapping, today: options.today })
  if (value !== null) mapped.values[target] = value
  if (sentence !== undefined) mapped.warnings.push({ target, sentence })
}

function translate(texts: readonly string[], { map }: FieldMapping): readonly string[] {
  if (map === undefined || map.length === 0) return texts
  return texts.map((text) => {
    const key = wordOf(text)
    return map.find(({ from }) => wordOf(from) === key)?.to ?? text
  })
}

const wordOf = (text: string): string => text.trim().toLowerCase().replaceAll(/\s+/g, ' ')

/** Rejects a row whose vehicle could not be identified, or whose values are in the wrong columns. */
function refuseRow(
  row: FeedRow,
  { values, warnings, refusals }: MappedRow,
  fields: FeedMapping['fields'],
): void {
  const isShort = row.problems.some(({ kind }) => kind === 'count')
  const wrong = warnings.find(
    ({ target }) => (target === 'vin' || target === 'year') && values[target] === undefined,
  )
  if (isShort && wrong !== undefined) {
    refusals.push(`The values are in the wrong columns: ${wrong.sentence}`)
    return
  }
  if (values.vin !== undefined || values.stock !== undefined || hasFingerprint(values)) return
  if (fields.vin === undefined && fields.stock === undefined) {
    refusals.push('The mapping has no column for the VIN or the stock number.')
    return
  }
  const why = warnings.find(({ target }) => target === 'vin')
  refusals.push(`${NO_NUMBER}${why === undefined ? '' : ` ${why.sentence}`}`)
}

/** Why a row is rejected that identifies no vehicle. */
export const NO_NUMBER = 'No VIN or stock number.'

/**
 * Whether a vehicle without VIN and stock number can be recognized in the next file: by its page, or by its mileage and color.
 */
export function hasFingerprint({
  year,
  make,
  model,
  pageUrl,
  mileage,
  color,
}: Readonly<Record<string, unknown>>): boolean {
  const isDescribed = [year, make, model].every((value) => (value ?? null) !== null)
  const isUnique = (pageUrl ?? null) !== null || ((mileage ?? null) !== null && (color ?? null) !== null)
  return isDescribed && isUnique
}

function compileCondition(
  rule: string,
  columns: ReturnType<typeof ruleColumns>,
): (row: Pick<FeedRow, 'cells'>) => boolean {
  const read = readFormula(rule, ruleVariables(columns))
  if (!read.ok || read.made.type !== 'condition') return () => false
  const holds = compileFormula(read.made)
  const named = namedIn(rule, columns)
  return (row) => holds(ruleValues(row, named)) === 'true'
}

/** The errors of a mapping for a file with these columns, one message for each target, including `skipRule`. */
export function mappingProblems(
  { fields, skipRule }: FeedMapping,
  columns: readonly string[],
  own: readonly CustomField[] = [],
): Partial<Record<FeedTarget | 'skipRule', string>> {
  const problems: Partial<Record<FeedTarget | 'skipRule', string>> = {}
  const variables = ruleVariables(ruleColumns(columns))
  for (const target of targetsWith(own)) {
    const mapping = fields[target]
    if (mapping === undefined) continue
    const missing = columnsOf(mapping).find((column) => !columns.includes(column))
    if (missing !== undefined) problems[target] = `The file has no column ${missing}.`
    if (mapping.source.kind !== 'rule') continue
    const read = readFormula(mapping.source.rule, variables)
    if (!read.ok) problems[target] = read.problem.message
  }
  if (skipRule !== null) {
    const read = readFormula(skipRule.rule, variables)
    if (!read.ok) problems.skipRule = read.problem.message
    else if (read.made.type !== 'condition') problems.skipRule = 'The rule must be true or false.'
  }
  return problems
}
