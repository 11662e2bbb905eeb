import {
  type CustomField,
  customFieldName,
  type CustomValue,
} from '#contract/customers/custom-fields/custom-fields.ts'
import { typedNumber, typeNumber } from '#contract/parsing/typed-number.ts'
import type { Vehicle } from '#contract/vehicles/vehicles/vehicles.ts'
import { formatDate } from '#web/ui/layout/date-format.ts'

/** A custom field value as display text; null without a value. */
export function describeCustom(field: CustomField, { custom }: Pick<Vehicle, 'custom'>): string | null {
  const value = custom[customFieldName(field)]
  return value === undefined ? null : formatValue(field, value)
}

function formatValue({ kind, unit }: CustomField, value: CustomValue): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number') return `${value.toLocaleString()}${unit === null ? '' : `\u00a0${unit}`}`
  return kind === 'date' ? formatDate(value) : value
}

/** A custom field value as form input: numbers as the user's language writes them, "yes" and "no". */
export function typeCustom(value: CustomValue | undefined): string {
  if (value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'number' ? typeNumber(value) : value
}

/** Parses form input for the API. An invalid number stays text, so that the contract reports the error. */
export function readTyped({ kind }: CustomField, text: string): CustomValue | null {
  const typed = text.trim()
  if (typed === '') return null
  if (kind === 'flag') return typed === 'yes'
  if (kind !== 'number') return typed
  const number = typedNumber(typed)
  return Number.isNaN(number) ? typed : number
}
