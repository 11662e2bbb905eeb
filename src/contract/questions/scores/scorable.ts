import type { Question } from '../definition.ts'
import type { QuestionScore } from './scoring.ts'

/** How a question can get points; null if it can't. */
export function scoreKindOf(question: Question): QuestionScore['kind'] | null {
  switch (question.type) {
    case 'single':
    case 'multiple':
    case 'boolean':
    case 'matrix':
      return 'choices'
    case 'number':
    case 'rating':
      return 'ranges'
    case 'computed':
      if (question.result === 'text') return null
      return question.result === 'boolean' ? 'choices' : 'ranges'
    default:
      return null
  }
}

/** Whether a question can get points in this way. */
export function isScorable(question: Question, kind: QuestionScore['kind']): boolean {
  return scoreKindOf(question) === kind
}
