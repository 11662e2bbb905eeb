import { fieldSentences } from '#contract/field-sentences.ts'
import { MAKE_NAMES } from '#contract/inventory/feeds/mappings/canonical.ts'
import { BUILT_IN_WORDS } from '#contract/inventory/values/built-in-words.ts'
import { fieldTitle, type MappedField, MAPPED_FIELDS } from '#contract/inventory/values/mapped-fields.ts'
import { NewValueMapping, type ValueMapping } from '#contract/inventory/values/value-mappings.ts'
import { showValue } from '#web/ui/record/show-record-value.ts'

/** What the form holds. */
export type ValueValues = {
  field: MappedField
  raw: string
  isPassedOver: boolean
  canonical: string
  providerMappingId: string
}

export const FIELD_NAMES: Record<keyof ValueValues, string> = {
  field: 'Field',
  raw: 'Value in feeds',
  isPassedOver: 'Pass over',
  canonical: 'Becomes',
  providerMappingId: 'Only from',
}

export const BLANK: ValueValues = {
  field: 'body',
  raw: '',
  isPassedOver: false,
  canonical: '',
  providerMappingId: '',
}

export function toValues({ field, raw, canonical, providerMappingId }: ValueMapping): ValueValues {
  return {
    field,
    raw,
    isPassedOver: canonical === null,
    canonical: canonical ?? '',
    providerMappingId: providerMappingId ?? '',
  }
}

/** As the contract takes it. */
export function toInput({
  field,
  raw,
  isPassedOver,
  canonical,
  providerMappingId,
}: ValueValues): NewValueMapping {
  return {
    field,
    raw,
    canonical: isPassedOver ? null : canonical,
    providerMappingId: providerMappingId === '' ? null : providerMappingId,
  }
}

/** A sentence for each field that is wrong; the contract's own. */
export function checkValue(values: ValueValues): Record<string, string> {
  const { error } = NewValueMapping.safeParse(toInput(values))
  return error ? fieldSentences(error) : {}
}

/** The words to choose from; others may be typed where the field takes any. */
export function wordsOf(field: MappedField): string[] {
  return field === 'make' ? [...MAKE_NAMES] : BUILT_IN_WORDS[field].map(({ word }) => word)
}

/** A field of the form as words, for the comparison. */
export function showField(name: string, values: ValueValues): string {
  return name === 'field' ? fieldTitle(values.field) : showValue({ ...values }[name])
}

export const FIELDS = MAPPED_FIELDS.map((value) => ({ value, label: fieldTitle(value) }))
