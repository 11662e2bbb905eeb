import type { Variable, Variables } from '../expressions/variables.ts'
import type { Definition, Question, QuestionChoice } from './definition.ts'
import { textIn } from './texts.ts'

/** The value of an answer that isn't in the list of choices, in rules. */
export const OTHER = 'other'

/** All questions of a definition, in order. */
export function questionsOf(definition: Definition): Question[] {
  return definition.sections.flatMap(({ questions }) => questions)
}

/** The names that rules of a definition can use: the questions with a single value, and totals of tables. */
export function ruleVariables(definition: Definition): Variables {
  const [language = 'en'] = definition.languages
  const title = (texts: Question['title']) => textIn(texts, language, definition.languages)
  const labeled = (choices: readonly QuestionChoice[]) =>
    choices.map((choice) => ({ value: choice.value, label: title(choice.title) }))
  const entries = questionsOf(definition).flatMap((question): [string, Variable][] => {
    const kind = kindOf(question)
    if (question.type === 'table') {
      return question.columns.flatMap((column): [string, Variable][] =>
        column.type === 'number' && column.total !== undefined
          ? [[column.total, { title: title(column.title), kind: 'decimal' }]]
          : [],
      )
    }
    if (kind === null) return []
    const variable = { title: title(question.title), kind }
    if (question.type !== 'single' && question.type !== 'multiple') return [[question.code, variable]]
    const other = question.allowOther === true ? [{ value: OTHER, label: 'Other' }] : []
    return [[question.code, { ...variable, choices: [...labeled(question.choices), ...other] }]]
  })
  return Object.fromEntries(entries)
}

/** The kind of a question's answer in rules; null if rules can't use it. */
function kindOf(question: Question): Variable['kind'] | null {
  switch (question.type) {
    case 'text':
    case 'longText':
    case 'email':
    case 'phone':
    case 'url':
    case 'vin':
    case 'postalCode':
      return 'text'
    case 'number':
      return 'decimal'
    case 'rating':
      return 'integer'
    case 'date':
      return 'date'
    case 'boolean':
    case 'consent':
      return 'flag'
    case 'single':
      return 'choice'
    case 'multiple':
      return 'texts'
    case 'computed':
      return COMPUTED[question.result]
    default:
      return null
  }
}

const COMPUTED = { number: 'decimal', text: 'text', boolean: 'flag' } as const
