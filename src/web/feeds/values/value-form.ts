import { fieldSentences } from '#contract/field-sentences.ts'
import { MAKE_NAMES } from '#contract/vehicles/vin/canonical.ts'
import { BUILT_IN_VALUES } from '#contract/feeds/values/built-in-values.ts'
import { fieldTitle, type MappedField, MAPPED_FIELDS } from '#contract/feeds/values/mapped-fields.ts'
import { NewValueMapping, ValueMapping } from '#contract/feeds/values/value-mappings.ts'
import { showValue } from '#web/ui/record/show-record-value.ts'

/** The values of the form. */
export type ValueValues = {
  field: MappedField
  raw: string
  isIgnored: boolean
  canonical: string
  providerMappingId: string
}

const FIELD_NAMES: Record<keyof ValueValues, string> = {
  field: 'Field',
  raw: 'Feed value',
  isIgnored: 'Ignore this value',
  canonical: 'Becomes',
  providerMappingId: 'Provider',
}

const BLANK: ValueValues = {
  field: 'body',
  raw: '',
  isIgnored: false,
  canonical: '',
  providerMappingId: '',
}

function toValues({ field, raw, canonical, providerMappingId }: ValueMapping): ValueValues {
  return {
    field,
    raw,
    isIgnored: canonical === null,
    canonical: canonical ?? '',
    providerMappingId: providerMappingId ?? '',
  }
}

/** The input for the API. */
function toInput({ field, raw, isIgnored, canonical, providerMappingId }: ValueValues): NewValueMapping {
  return {
    field,
    raw,
    canonical: isIgnored ? null : canonical,
    providerMappingId: providerMappingId === '' ? null : providerMappingId,
  }
}

/** The contract's error messages by field. */
function checkValue(values: ValueValues): Record<string, string> {
  const { error } = NewValueMapping.safeParse(toInput(values))
  return error ? fieldSentences(error) : {}
}

/** Suggested values; fields without a fixed list also accept other text. */
export function standardValues(field: MappedField): string[] {
  return field === 'make' ? [...MAKE_NAMES] : BUILT_IN_VALUES[field].map(({ value }) => value)
}

/** A form field as text, for the comparison after a conflict. */
export function showField(name: string, values: ValueValues): string {
  return name === 'field' ? fieldTitle(values.field) : showValue({ ...values }[name])
}

export const FIELDS = MAPPED_FIELDS.map((value) => ({ value, label: fieldTitle(value) }))

/** Everything the drawer needs to know. */
export const valueForm = {
  schema: ValueMapping,
  labels: FIELD_NAMES,
  blank: BLANK,
  toValues,
  toInput,
  check: checkValue,
}
