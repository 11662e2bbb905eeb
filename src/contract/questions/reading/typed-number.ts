import type { LocaleFormat } from '#contract/parsing/locale-format.ts'
import { parseNumber } from '#contract/parsing/parse-number.ts'
import { MAX_LINE } from '../limits.ts'

/**
 * The plain digits of a number as people type it: as the language writes it, with a currency sign if they like. What can't be read
 * stays as typed, so that it is refused. Browser and server read the same.
 */
export function readTypedNumber(text: string, format: LocaleFormat): string {
  if (text.length > MAX_LINE) return text
  const amount = text.trim().replace(/^[$€£]\s*|\s*[$€£]$/, '')
  const parsed = parseNumber(amount, format)
  return 'value' in parsed ? parsed.value : text
}
