import {
  type CustomField,
  customFieldName,
  isCustomFieldName,
} from '#contract/customers/custom-fields/custom-fields.ts'
import { fieldSentences } from '#contract/field-sentences.ts'
import { prepareMapping } from '#contract/inventory/feeds/mappings/map-row.ts'
import {
  columnsOf,
  type FieldMapping,
  FeedMapping,
  type FeedSource,
  type FeedTarget,
} from '#contract/inventory/feeds/mappings/mapping.ts'
import {
  sampleResult,
  type SampleResult,
  type TriedMapping,
} from '#contract/inventory/feeds/mappings/tried-mapping.ts'
import {
  type ProviderMapping,
  NewProviderMapping,
} from '#contract/inventory/feeds/mappings/provider-mappings.ts'
import { VEHICLE_FIELDS, type VehicleFieldKind } from '#contract/inventory/vehicles/vehicle-fields.ts'
import type { Labels } from '#web/ui/record/differences.ts'

/** What the form holds. */
export type MappingValues = { name: string; provider: string | null; mapping: FeedMapping }

/** How fields are called, in the order of the form. */
export const FIELD_NAMES: Labels<MappingValues> = { name: 'Name', provider: 'Began as', mapping: 'Fields' }

export const BLANK: MappingValues = { name: '', provider: null, mapping: FeedMapping.parse({}) }

export function toValues({ name, provider, mapping }: ProviderMapping): MappingValues {
  return { name, provider, mapping }
}

/** A sentence for each field that is wrong; the contract's own. */
export function checkMapping(values: MappingValues): Record<string, string> {
  const { error } = NewProviderMapping.safeParse(values)
  return error ? fieldSentences(error) : {}
}

/** The first rows of a sample as vehicles, as the import would make them. */
export function resultsOf(
  mapping: FeedMapping,
  { rows, columns, unit, today, own }: TriedMapping,
): SampleResult[] {
  const map = prepareMapping(mapping, { unit, today, own, columns: columns.map(({ name }) => name) })
  return rows.slice(0, 5).map((row) => sampleResult(row.line, map(row)))
}

/** The columns to choose from: those of the sample, and those the mapping names besides. */
export function columnChoices(mapping: FeedMapping, sample: TriedMapping | null): string[] {
  const named = Object.values(mapping.fields).flatMap((field) =>
    field === undefined ? [] : columnsOf(field),
  )
  return [...new Set([...(sample?.columns.map(({ name }) => name) ?? []), ...named])]
}

export type SourceKind = FeedSource['kind']

export const SOURCE_NAMES: Readonly<Record<SourceKind, string>> = {
  column: 'Column',
  firstOf: 'First of columns',
  allOf: 'All of columns',
  part: 'Part of a column',
  constant: 'Always the same',
  rule: 'Rule',
}

/** A source of another kind that keeps what fits. */
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

/** A value of a vehicle as people read it: cents as money, lists by their number. */
export function showValue(
  target: FeedTarget,
  value: SampleResult['values'][string] | null | undefined,
): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value))
    return value.length === 1 ? (value[0] ?? '') : `${value.length}: ${value.slice(0, 2).join(', ')}`
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  const isMoney = target !== 'dealer' && !isCustomFieldName(target) && VEHICLE_FIELDS[target].kind === 'money'
  if (isMoney && typeof value === 'number') {
    return (value / 100).toLocaleString('en', { minimumFractionDigits: 2 })
  }
  return String(value)
}

/** `N = new`, a line each. */
export function mapToText({ map = [] }: Pick<FieldMapping, 'map'>): string {
  return map.map(({ from, to }) => `${from} = ${to}`).join('\n')
}

/** The lines that say something. */
export function textToMap(text: string): { from: string; to: string }[] {
  return text.split('\n').flatMap((line) => {
    const at = line.indexOf('=')
    const from = line.slice(0, at).trim()
    return at < 0 || from === '' ? [] : [{ from, to: line.slice(at + 1).trim() }]
  })
}

/** How the text of a target is read. */
export function kindOf(target: FeedTarget, own: readonly CustomField[]): VehicleFieldKind {
  if (target === 'dealer') return 'text'
  if (!isCustomFieldName(target)) return VEHICLE_FIELDS[target].kind
  const kind = own.find((field) => customFieldName(field) === target)?.kind
  if (kind === 'number') return 'decimal'
  return kind === 'date' ? 'date' : 'text'
}
