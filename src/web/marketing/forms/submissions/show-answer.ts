import type { Question } from '#contract/questions/definition.ts'
import { textIn } from '#contract/questions/texts.ts'
import { isRecord } from '#web/api/read-json.ts'

type Language = { language: string; languages: readonly string[] }

/**
 * An answer in words, in the language of the form that its sender saw: titles of choices instead of their values, and an
 * empty text if there is none.
 */
export function showAnswer(question: Question, answer: unknown, { language, languages }: Language): string {
  if (isRecord(answer) && typeof answer['refused'] === 'string') return `Refused: ${answer['refused']}`
  if (isRecord(answer) && answer['notApplicable'] === true) return 'Not applicable'
  const titleOf = (value: unknown): string => {
    if (isRecord(value) && typeof value['other'] === 'string') return value['other']
    if (typeof value !== 'string') return ''
    if (question.type !== 'single' && question.type !== 'multiple') return value
    const choice = question.choices.find((one) => one.value === value)
    return textIn(choice?.title, language, languages) || value
  }
  if (typeof answer === 'boolean') return answer ? 'Yes' : 'No'
  if (question.type === 'rating' && typeof answer === 'number') return `${answer} of ${question.max}`
  if (question.type === 'number' && typeof answer === 'string') {
    return [grouped(answer), question.unit].filter(Boolean).join(' ')
  }
  if (question.type === 'date' && typeof answer === 'string') return showDay(answer)
  if (Array.isArray(answer)) return answer.map(titleOf).filter(Boolean).join(', ')
  if (typeof answer === 'number') return String(answer)
  return titleOf(answer)
}

/** Digits in groups, without rounding: "48,200.5". */
function grouped(digits: string): string {
  const [, sign = '', whole = '', rest = ''] = /^(-?)(\d+)(\.\d+)?$/.exec(digits) ?? []
  return whole === '' ? digits : `${sign}${BigInt(whole).toLocaleString()}${rest}`
}

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })

/** "Nov 28, 2026": a calendar day, which has no time zone. */
function showDay(text: string): string {
  const date = new Date(`${text}T00:00:00Z`)
  return Number.isNaN(date.getTime()) ? text : day.format(date)
}
