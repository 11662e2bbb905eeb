import {
  type CustomField,
  LONGEST_CUSTOM_TEXT,
  readCustomValue,
} from '#contract/customers/custom-fields/custom-fields.ts'
import type { FieldMapping } from './mapping.ts'
import { readDate } from './read-feed-date.ts'
import { readNumber, saysNothing } from './read-feed-number.ts'
import { plainText } from './read-texts.ts'
import { type ReadValue, refuse } from './read-vehicle-value.ts'

/** What people and their sheets write for yes and for no. */
export const YES_WORDS = ['yes', 'y', 'true', 't', '1', 'x', 'on', 'oui', 'si', 'ja']
export const NO_WORDS = ['no', 'n', 'false', 'f', '0', 'off', 'non', 'nein']

/** The value of a customer's own field out of the text of a feed; what the field does not take stays empty, with why. */
export function readCustomText(
  field: CustomField,
  texts: readonly string[],
  { mapping, today }: { mapping: FieldMapping; today: string },
): ReadValue {
  const text = plainText((texts.find((one) => one !== '') ?? '').trim(), LONGEST_CUSTOM_TEXT, false)
  if (text === '' || saysNothing(text)) return { value: null }
  switch (field.kind) {
    case 'number': {
      const read = readNumber(text, mapping.decimal)
      const number = read === null ? null : Math.round(Number(read.digits) * 10_000) / 10_000
      return number === null ? refuse(text, 'is no number') : kept(field, number, text)
    }
    case 'date': {
      const day = readDate(text, mapping.dates, today)
      return day === null ? refuse(text, 'is no date') : { value: day }
    }
    case 'flag': {
      const word = text.toLowerCase()
      if (YES_WORDS.includes(word)) return { value: true }
      return NO_WORDS.includes(word) ? { value: false } : refuse(text, 'is neither yes nor no')
    }
    default:
      return kept(field, text, text)
  }
}

function kept(field: CustomField, value: string | number, text: string): ReadValue {
  const read = readCustomValue(field, value)
  if (typeof read !== 'string') return { value: read.value }
  return refuse(
    text,
    field.kind === 'choice' ? `is no choice of ${field.name}` : `is no value of ${field.name}`,
  )
}
