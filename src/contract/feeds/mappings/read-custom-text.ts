import {
  type CustomField,
  MAX_CUSTOM_TEXT,
  readCustomValue,
} from '#contract/customers/custom-fields/custom-fields.ts'
import type { FieldMapping } from './mapping.ts'
import { readDate } from './read-feed-date.ts'
import { readNumber, isPlaceholder } from './read-feed-number.ts'
import { cutText, type ReadValue, refuse, refuseDay } from './read-vehicle-value.ts'

/** Common spellings of yes and no in feeds and spreadsheets. */
export const YES_WORDS = ['yes', 'y', 'true', 't', '1', 'x', 'on', 'oui', 'si', 'ja']
export const NO_WORDS = ['no', 'n', 'false', 'f', '0', 'off', 'non', 'nein']

/** Reads the value of a custom field from feed text. An invalid value is left blank, with the reason. */
export function readCustomText(
  field: CustomField,
  texts: readonly string[],
  { mapping, today }: { mapping: FieldMapping; today: string },
): ReadValue {
  const given = (texts.find((one) => one !== '') ?? '').trim()
  const [text, sentence] = cutText(field.name, given, { max: MAX_CUSTOM_TEXT, isLong: false })
  if (text === '' || isPlaceholder(text)) return { value: null }
  switch (field.kind) {
    case 'number': {
      const read = readNumber(text, mapping.decimal)
      const number = read === null ? null : Math.round(Number(read.digits) * 10_000) / 10_000
      return number === null ? refuse(text, "isn't a number") : checked(field, number, text)
    }
    case 'date': {
      const day = readDate(text, mapping.dates, today)
      return day === null ? refuseDay(text, mapping) : { value: day }
    }
    case 'flag': {
      const word = text.toLowerCase()
      if (YES_WORDS.includes(word)) return { value: true }
      return NO_WORDS.includes(word) ? { value: false } : refuse(text, "isn't yes or no")
    }
    default: {
      const read = checked(field, text, text)
      return sentence === undefined || read.sentence !== undefined ? read : { ...read, sentence }
    }
  }
}

function checked(field: CustomField, value: string | number, text: string): ReadValue {
  const read = readCustomValue(field, value)
  if (typeof read !== 'string') return { value: read.value }
  return refuse(
    text,
    field.kind === 'choice' ? `isn't an option of ${field.name}` : `isn't a valid value for ${field.name}`,
  )
}
