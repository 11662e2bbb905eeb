import { compileFormula } from '#contract/expressions/evaluate.ts'
import { readFormula } from '#contract/expressions/read.ts'
import {
  type CustomField,
  type CustomFieldName,
  customFieldName,
  isCustomFieldName,
} from '#contract/customers/custom-fields/custom-fields.ts'
import type { VehicleFieldName } from '#contract/inventory/vehicles/vehicle-fields.ts'
import type { AnyFieldName } from '#contract/inventory/vehicles/vehicle-input.ts'
import { compileSource, type ReadTexts } from './compile-source.ts'
import { type FeedRow, textOf } from './source-row.ts'
import { columnsOf, type FeedMapping, type FeedTarget, type FieldMapping, targetsWith } from './mapping.ts'
import { readCustomText } from './read-custom-text.ts'
import { type FieldValue, type ReadOptions, readVehicleValue } from './read-vehicle-value.ts'
import { namedIn, ruleColumns, ruleValues, ruleVariables } from './rule-columns.ts'

export type MapOptions = ReadOptions & Readonly<{ columns: readonly string[] }>

/** What a row becomes. It is refused when `refusals` has a sentence; everything else is a warning. */
export type MappedRow = {
  values: Partial<Record<AnyFieldName, FieldValue>>
  /** The lot, as the provider numbers it. */
  dealer: string | null
  warnings: { target: FeedTarget | null; sentence: string }[]
  refusals: string[]
  /** Values the product has no word for: what the data mapping is asked. */
  unmapped: { field: VehicleFieldName; value: string }[]
}

/** Of two fields with one column the later is told nothing new: the price speaks first. */
const inOrder = (own: readonly CustomField[]): FeedTarget[] => [
  ...targetsWith(own).filter((one) => one !== 'feedPrice'),
  'feedPrice',
]

type Compiled = { target: FeedTarget; mapping: FieldMapping; read: ReadTexts; from: string }

/**
 * Prepares a mapping for the rows of one file with these columns. Pure: the screen and the import make the same of the
 * same row.
 */
export function prepareMapping(
  { fields, leaveOut }: FeedMapping,
  options: MapOptions,
): (row: FeedRow) => MappedRow {
  const columns = ruleColumns(options.columns)
  const compiled = inOrder(options.own ?? []).flatMap((target): Compiled[] => {
    const mapping = fields[target]
    if (mapping === undefined) return []
    return [
      { target, mapping, read: compileSource(mapping.source, columns), from: JSON.stringify(mapping.source) },
    ]
  })
  const isLeftOut = leaveOut === null ? () => false : compileCondition(leaveOut.rule, columns)

  return (row) => {
    const mapped: MappedRow = { values: {}, dealer: null, warnings: [], refusals: [], unmapped: [] }
    for (const { kind, sentence } of row.problems) {
      if (kind === 'refusal') mapped.refusals.push(sentence)
      else mapped.warnings.push({ target: null, sentence })
    }
    if (mapped.refusals.length > 0) return mapped
    if (leaveOut !== null && isLeftOut(row)) return { ...mapped, refusals: [leaveOut.reason] }
    const said = new Set<string>()
    for (const one of compiled) takeField(one, row, { mapped, options, said })
    refuseRow(row, mapped)
    return mapped
  }
}

/** One row by a mapping that is not prepared. */
export function mapRow(mapping: FeedMapping, row: FeedRow, options: MapOptions): MappedRow {
  return prepareMapping(mapping, options)(row)
}

function takeField(
  { target, mapping, read, from }: Compiled,
  row: FeedRow,
  { mapped, options, said }: { mapped: MappedRow; options: MapOptions; said: Set<string> },
): void {
  const texts = translate(read(row), mapping)
  if (target === 'dealer') {
    mapped.dealer = texts.find((text) => text !== '')?.slice(0, 100) ?? null
    return
  }
  const unitText = mapping.unitColumn === undefined ? '' : textOf(row, mapping.unitColumn)
  if (isCustomFieldName(target)) {
    takeCustom(target, texts, { mapped, mapping, options })
    return
  }
  const { value, sentence, isUnmapped } = readVehicleValue(target, texts, { mapping, options, unitText })
  if (value !== null) mapped.values[target] = value
  // Two fields of the same column are told of it once.
  if (sentence !== undefined && !said.has(from + sentence)) {
    said.add(from + sentence)
    mapped.warnings.push({ target, sentence })
  }
  const text = texts.find((one) => one !== '')
  if (isUnmapped === true && text !== undefined) mapped.unmapped.push({ field: target, value: text })
}

/** A value of the customer's own field. */
function takeCustom(
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
    const wanted = text.trim().toLowerCase()
    return map.find(({ from }) => from.trim().toLowerCase() === wanted)?.to ?? text
  })
}

/** The true reasons to refuse a row: nobody could find its vehicle again, or its values stand in wrong columns. */
function refuseRow(row: FeedRow, { values, warnings, refusals }: MappedRow): void {
  const isShort = row.problems.some(({ kind }) => kind === 'count')
  const wrong = warnings.find(
    ({ target }) => (target === 'vin' || target === 'year') && values[target] === undefined,
  )
  if (isShort && wrong !== undefined) {
    refusals.push(`The values stand in the wrong columns: ${wrong.sentence}`)
    return
  }
  if (values.vin !== undefined || values.stock !== undefined) return
  const why = warnings.find(({ target }) => target === 'vin')
  refusals.push(`Neither a VIN nor a stock number.${why === undefined ? '' : ` ${why.sentence}`}`)
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

/** What is wrong with a mapping for a file with these columns, a sentence for each target; `leaveOut` is one too. */
export function mappingProblems(
  { fields, leaveOut }: FeedMapping,
  columns: readonly string[],
  own: readonly CustomField[] = [],
): Partial<Record<FeedTarget | 'leaveOut', string>> {
  const problems: Partial<Record<FeedTarget | 'leaveOut', string>> = {}
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
  if (leaveOut !== null) {
    const read = readFormula(leaveOut.rule, variables)
    if (!read.ok) problems.leaveOut = read.problem.message
    else if (read.made.type !== 'condition') problems.leaveOut = 'This is neither yes nor no.'
  }
  return problems
}
