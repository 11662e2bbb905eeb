import { ActivityInput, type ParsedActivity } from '#contract/carbon/activity/activity-schema.ts'
import type { ImportLine } from '#contract/carbon/activity/activity-imports.ts'
import {
  IMPORT_FIELD_NAMES,
  IMPORT_FIELDS,
  type ImportField,
  type ImportMapping,
} from '#contract/carbon/activity/import-mapping.ts'
import { readUnit } from '#contract/carbon/factors/unit-table.ts'
import type { LocaleFormat } from '#contract/parsing/locale-format.ts'
import { type ParseResult, parseNumber } from '#contract/parsing/parse-number.ts'
import { findByLabel, findFacility, findType, normalizeName } from './find-names.ts'
import type { ImportContext, ImportSource } from './import-context.ts'
import { isMonth, readImportDay } from './import-day.ts'
import { type SheetColumns, unitIn } from './sheet-columns.ts'

type Problem = ImportLine['problems'][number]
/** A line of the file; `record` is null if it can't be read. */
export type ReadLine = {
  line: number
  cells: ImportLine['cells']
  /** The cells as they are in the file. */
  raw: readonly string[]
  period: ImportLine['period']
  problems: Problem[]
  record: ParsedActivity | null
  /** Names that match nothing. */
  unknown: { facility?: string; source?: string }
}

/** The labels of data quality, from 1 (best) to 5. */
const QUALITY_WORDS = ['measured', 'billed', 'calculated', 'rough estimate', 'guess']
const MEASURED_IN: ReadonlySet<string> = new Set(['', 'kg', 'kgco2e', 'kgco2'])

/** Converts every line to a record. Problems are reported per cell. */
export function readLines(
  { titles, lines }: SheetColumns,
  mapping: ImportMapping,
  context: ImportContext,
): ReadLine[] {
  const format: LocaleFormat = { ...mapping.format, locale: 'en' }
  const bySource = new Map(context.sources.map((one) => [`${one.facilityId}/${one.sourceType}`, one]))
  const usualUnit = unitOfTitle(titles[mapping.columns.quantity ?? -1], context)
  return lines.map(({ line, cells: raw }) => {
    const cells: ImportLine['cells'] = {}
    for (const field of IMPORT_FIELDS) {
      const text = raw[mapping.columns[field] ?? -1]?.trim() ?? ''
      if (text !== '') cells[field] = text
    }
    const read: ReadLine = { line, cells, raw, period: null, problems: [], record: null, unknown: {} }
    const source = sourceOf(read, { mapping, context, bySource })
    const values = readValues(read, { mapping, format, context, source })
    if (source !== null && values !== null)
      read.record = recordOf(read, {
        source,
        usualUnit,
        values: { ...values, basis: values.basis ?? mapping.calorificBasis },
        context,
      })
    return read
  })
}

const wrong = (read: ReadLine, field: ImportField | null, message: string): null => {
  read.problems.push({ field, level: 'error', message })
  return null
}

function sourceOf(
  read: ReadLine,
  {
    mapping,
    context,
    bySource,
  }: { mapping: ImportMapping; context: ImportContext; bySource: ReadonlyMap<string, ImportSource> },
): ImportSource | null {
  const { facility, source } = read.cells
  const facilityId =
    facility === undefined
      ? mapping.facilityId
      : (mapping.facilities[normalizeName(facility)] ?? findFacility(facility, context.facilities))
  const type =
    source === undefined
      ? mapping.sourceType
      : (mapping.sources[normalizeName(source)] ??
        findType(source, context.types) ??
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
  quantity: string | null
  meterFrom: string | null
  meterTo: string | null
  periodStart: string
  periodEnd: string
  basis: 'gross' | 'net' | null
  priceYear: number | null
  quality: number | null
  factorId: string | null
}

function readValues(
  read: ReadLine,
  {
    mapping,
    format,
    context,
    source,
  }: { mapping: ImportMapping; format: LocaleFormat; context: ImportContext; source: ImportSource | null },
): Values | null {
  const { cells } = read
  const take = (field: ImportField, of: ParseResult): string | null =>
    'value' in of ? of.value : wrong(read, field, of.refusal)
  const number = (field: 'quantity' | 'meterFrom' | 'meterTo') => {
    const text = cells[field]
    return text === undefined ? null : take(field, parseNumber(text, format))
  }
  const from = cells.periodStart
  // A month covers both its first and its last day.
  const to = cells.periodEnd ?? (from !== undefined && isMonth(from) ? from : undefined)
  const values: Values = {
    quantity: number('quantity'),
    meterFrom: number('meterFrom'),
    meterTo: number('meterTo'),
    periodStart:
      (from === undefined
        ? wrong(read, 'periodStart', 'Enter the first day.')
        : take('periodStart', readImportDay(from, mapping.format, 'first'))) ?? '',
    periodEnd:
      (to === undefined
        ? wrong(read, 'periodEnd', 'Enter the last day.')
        : take('periodEnd', readImportDay(to, mapping.format, 'last'))) ?? '',
    basis: basisOf(read),
    priceYear: wholeOf(read, 'priceYear', {
      from: 1990,
      to: 2100,
      otherwise: 'Enter the price year in four digits.',
    }),
    quality: qualityOf(read),
    factorId: source === null ? null : factorOf(read, source, context),
  }
  const { periodStart, periodEnd } = values
  if (periodStart !== '' && periodEnd !== '') read.period = { first: periodStart, last: periodEnd }
  return read.problems.length > 0 ? null : values
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
    usualUnit,
    values: { quantity, meterFrom, meterTo, basis, ...values },
    context,
  }: { source: ImportSource; usualUnit: string | null; values: Values; context: ImportContext },
): ParsedActivity | null {
  const { cells } = read
  const isMeter = meterFrom !== null || meterTo !== null
  const isDirect = source.method === 'direct'
  const unit = cells.unit ?? usualUnit
  if (isDirect && !MEASURED_IN.has((unit ?? '').toLowerCase().replaceAll(/\s/g, '')))
    return wrong(read, 'unit', 'Emissions of this source are measured. Enter them in kg CO2e.')
  const parsed = ActivityInput.safeParse({
    ...values,
    sourceId: source.id,
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

/** "Usage (kWh)": the unit of lines without one. */
function unitOfTitle(title: string | undefined, { units }: ImportContext): string | null {
  if (title === undefined) return null
  const text = unitIn(title)
  return 'unit' in readUnit(units, text) ? text : null
}

/** The import field for a field of a record. */
export function fieldAt(field: PropertyKey | undefined): ImportField | null {
  if (field === 'factorId') return 'factor'
  if (field === 'sourceId') return 'source'
  return IMPORT_FIELDS.find((one) => one === field) ?? null
}

/** "From: Enter the first day.", for the file of rejected lines. */
export const describeProblem = ({ field, message }: Problem): string =>
  field === null ? message : `${IMPORT_FIELD_NAMES[field]}: ${message}`
