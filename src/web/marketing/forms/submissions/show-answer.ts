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
    return [answer, question.unit].filter(Boolean).join(' ')
  }
  if (Array.isArray(answer)) return answer.map(titleOf).filter(Boolean).join(', ')
  if (typeof answer === 'number') return String(answer)
  return titleOf(answer)
}
