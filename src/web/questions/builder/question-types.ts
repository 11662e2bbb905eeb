import type { Question, QuestionType } from '#contract/questions/definition.ts'
import { canBeOneOf } from '#contract/questions/one-of.ts'

const TITLES: Readonly<Record<QuestionType, string>> = {
  text: 'Short text',
  longText: 'Long text',
  email: 'Email',
  phone: 'Phone',
  url: 'Web address',
  vin: 'VIN',
  postalCode: 'ZIP or postal code',
  number: 'Number',
  date: 'Date',
  boolean: 'Yes or no',
  single: 'One choice',
  multiple: 'Several choices',
  rating: 'Rating',
  consent: 'Consent',
  note: 'Text without an answer',
  computed: 'Calculated value',
  matrix: 'Matrix',
  table: 'Table',
  file: 'Files',
  address: 'Address',
  person: 'Person',
  facility: 'Facility',
}

const isType = (name: string): name is QuestionType => Object.hasOwn(TITLES, name)

/** All types with their titles, in menu order. */
export const QUESTION_TYPES = Object.entries(TITLES).flatMap(([value, label]) =>
  isType(value) ? [{ value, label }] : [],
)

/** The title of a type. */
export const titleOfType = (type: QuestionType): string => TITLES[type]

/** A type of question by its name, from a Select. */
export const readType = (name: string | null): QuestionType | null =>
  name !== null && isType(name) ? name : null

/** A new question of a type. Its English title says what it asks, until the author replaces it. */
export function blankQuestion(type: QuestionType, code: string, language = 'en'): Question {
  const en = (text: string) => ({ [language]: text })
  const base = { code, title: en(FIRST_TITLES[type] ?? titleOfType(type)) }
  const choices = [
    { value: 'choice1', title: en('Choice 1') },
    { value: 'choice2', title: en('Choice 2') },
  ]
  switch (type) {
    case 'single':
    case 'multiple':
      return { type, ...base, choices }
    case 'matrix':
      return { type, ...base, rows: [{ code: 'row1', title: en('Row 1') }], choices }
    case 'table':
      return { type, ...base, columns: [{ type: 'text', code: 'column1', title: en('Column 1') }] }
    case 'rating':
      return { type, ...base, max: 5 }
    case 'computed':
      return { type, ...base, calculate: '', result: 'number', isHidden: true }
    case 'note':
      return { type, ...base, text: en('Text') }
    case 'consent':
      return {
        type,
        ...base,
        text: en('{seller} may send me offers by email. I can unsubscribe at any time.'),
        version: 1,
        purpose: 'marketing',
        channels: ['email'],
      }
    default:
      return { type, ...base }
  }
}

const FIRST_TITLES: Partial<Record<QuestionType, string>> = {
  text: 'New question',
  longText: 'Message',
  boolean: 'New question',
  single: 'New question',
  multiple: 'New question',
  rating: 'How satisfied are you?',
  consent: 'Offers by email',
  note: 'Please note',
}

/** The same question with another type: what both types have stays. */
export function withType(question: Question, type: QuestionType): Question {
  const { code, title, help, visibleIf, isHidden, prefill, oneOf } = question
  const blank = blankQuestion(type, code, Object.keys(title)[0])
  const isAnswered = type !== 'note' && type !== 'computed'
  return {
    ...blank,
    ...(hasChoices(question) && hasChoices(blank) && { choices: question.choices }),
    title,
    ...(help !== undefined && { help }),
    ...(visibleIf !== undefined && { visibleIf }),
    ...(isAnswered && question.obligation !== undefined && { obligation: question.obligation }),
    ...(oneOf !== undefined && canBeOneOf({ type, isHidden }) && { oneOf }),
    ...(isHidden === true && type !== 'note' && type !== 'consent' && { isHidden }),
    ...(prefill !== undefined && isAnswered && type !== 'consent' && { prefill }),
  }
}

const hasChoices = (question: Question): question is Extract<Question, { type: 'single' | 'multiple' }> =>
  question.type === 'single' || question.type === 'multiple'
