import {
  type CustomField,
  customFieldName,
  isCustomFieldName,
} from '#contract/customers/custom-fields/custom-fields.ts'
import { fieldSentences } from '#contract/field-sentences.ts'
import { prepareMapping } from '#contract/feeds/mappings/map-row.ts'
import { withDateForms } from '#contract/feeds/mappings/with-date-forms.ts'
import {
  columnsOf,
  type FieldMapping,
  FeedMapping,
  type FeedSource,
  type FeedTarget,
} from '#contract/feeds/mappings/mapping.ts'
import { sampleResult, type SampleResult, type TriedMapping } from '#contract/feeds/mappings/tried-mapping.ts'
import { type ProviderMapping, NewProviderMapping } from '#contract/feeds/mappings/provider-mappings.ts'
import {
  VEHICLE_FIELDS,
  type VehicleFieldKind,
  type VehicleFieldName,
} from '#contract/vehicles/vehicles/vehicle-fields.ts'
import { VEHICLE_LIST } from '#contract/vehicles/vehicles/vehicle-list.ts'
import type { Labels } from '#web/ui/record/differences.ts'

/** The form values. */
export type MappingValues = { name: string; provider: string | null; mapping: FeedMapping }

/** Field labels, in form order. */
export const FIELD_NAMES: Labels<MappingValues> = { name: 'Name', provider: 'Template', mapping: 'Fields' }

export const BLANK: MappingValues = { name: '', provider: null, mapping: FeedMapping.parse({}) }

export function toValues({ name, provider, mapping }: ProviderMapping): MappingValues {
  return { name, provider, mapping }
}

/** A message for each invalid field. */
export function checkMapping(values: MappingValues): Record<string, string> {
  const { error } = NewProviderMapping.safeParse(values)
  return error ? fieldSentences(error) : {}
}

/** The first rows of a sample as vehicles, exactly as an import would read them. */
export function resultsOf(
  mapping: FeedMapping,
  { rows, columns, unit, today, own }: TriedMapping,
): SampleResult[] {
  const names = columns.map(({ name }) => name)
  const map = prepareMapping(withDateForms(mapping, { columns: names, rows, own }), {
    unit,
    today,
    own,
    columns: names,
  })
  return rows.slice(0, 5).map((row) => sampleResult(row.line, map(row)))
}

/** The columns to choose from: those of the sample and those the mapping already uses. */
export function columnChoices(mapping: FeedMapping, sample: TriedMapping | null): string[] {
  const named = Object.values(mapping.fields).flatMap((field) =>
    field === undefined ? [] : columnsOf(field),
  )
  return [...new Set([...(sample?.columns.map(({ name }) => name) ?? []), ...named])]
}

export type SourceKind = FeedSource['kind']

export const SOURCE_NAMES: Readonly<Record<SourceKind, string>> = {
  column: 'Column',
  firstOf: 'First non-empty column',
  allOf: 'All columns combined',
  part: 'Part of a column',
  constant: 'Fixed value',
  rule: 'Rule',
}

/** Changes the kind of a source and keeps its columns where possible. */
export function changeKind(kind: SourceKind, before: FeedSource | undefined, first: string): FeedSource {
  const columns = before === undefined ? [first] : columnsOf({ source: before })
  const [column = first] = columns
  switch (kind) {
    case 'column':
      return { kind, column }
    case 'firstOf':
    case 'allOf':
      return { kind, columns: columns.length === 0 ? [first] : columns }
    case 'part':
      return { kind, column, separators: ',', part: 1 }
    case 'constant':
      return { kind, value: '' }
    default:
      return { kind, rule: '' }
  }
}

/** A vehicle value for display: cents as money, lists as a count and the first items. */
export function showValue(
  target: FeedTarget,
  value: SampleResult['values'][string] | null | undefined,
): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value))
    return value.length === 1 ? (value[0] ?? '') : `${value.length}: ${value.slice(0, 2).join(', ')}`
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  const isMoney = isVehicleTarget(target) && VEHICLE_FIELDS[target].kind === 'money'
  if (isMoney && typeof value === 'number') {
    return (value / 100).toLocaleString('en', { minimumFractionDigits: 2 })
  }
  return String(value)
}

/** One `N = new` per line. */
export function mapToText({ map = [] }: Pick<FieldMapping, 'map'>): string {
  return map.map(({ from, to }) => `${from} = ${to}`).join('\n')
}

/** Reads lines like `N = new` and skips others. */
export function textToMap(text: string): { from: string; to: string }[] {
  return text.split('\n').flatMap((line) => {
    const at = line.indexOf('=')
    const from = line.slice(0, at).trim()
    return at < 0 || from === '' ? [] : [{ from, to: line.slice(at + 1).trim() }]
  })
}

/** The value of a target in a sample vehicle. A status is shown as the statuses of vehicles are. */
export function resultOf(
  target: FeedTarget,
  result: SampleResult | undefined,
): SampleResult['values'][string] | null | undefined {
  if (target === 'dealer') return result?.dealer
  if (target === 'status') return result?.status == null ? null : statusLabel(result.status)
  return result?.values[target]
}

const statusLabel = (status: string): string =>
  VEHICLE_LIST.fields.status.choices?.find(({ value }) => value === status)?.label ?? status

const isVehicleTarget = (target: FeedTarget): target is VehicleFieldName =>
  target !== 'dealer' && target !== 'status' && !isCustomFieldName(target)

/** The kind that determines how a target's text is read. */
export function kindOf(target: FeedTarget, own: readonly CustomField[]): VehicleFieldKind {
  if (isVehicleTarget(target)) return VEHICLE_FIELDS[target].kind
  const kind = own.find((field) => customFieldName(field) === target)?.kind
  if (kind === 'number') return 'decimal'
  return kind === 'date' ? 'date' : 'text'
}
