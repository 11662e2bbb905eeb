import { checkDefinition } from '#contract/questions/check-definition.ts'
import type { DefinitionFault } from '#contract/questions/definition-fault.ts'
import type { Definition, Question } from '#contract/questions/definition.ts'
import { MAX_LINE, MAX_LONG_TEXT } from '#contract/questions/limits.ts'
import { questionPriceFaults } from './form-prices.ts'
import type { Form } from './forms.ts'

/** What a form can't publish, by field of the form. Empty if it can be published. */
export function checkForm({ draft, leadFields }: Pick<Form, 'draft' | 'leadFields'>): Record<string, string> {
  const errors: Record<string, string> = {}
  const questions = draft.sections.flatMap((section) => section.questions)
  if (questions.filter(isAnswered).length === 0) errors['draft'] = 'Add at least one question.'
  const fault = formFaults(draft).find(({ severity }) => severity === 'error')
  if (fault !== undefined) {
    errors['draft'] = fault.question === null ? fault.message : `${fault.question}: ${fault.message}`
  }
  const unsupported = questions.find(({ type }) => UNSUPPORTED_TYPES.has(type))
  if (unsupported !== undefined) {
    errors['draft'] = `Forms can't include questions like "${unsupported.code}". Change its type.`
  }
  const characters = questions.reduce((sum, question) => sum + mostCharacters(question), 0)
  if (characters > MAX_FORM_TEXT) {
    errors['draft'] =
      `The texts of this form may have ${characters.toLocaleString('en-US')} characters together. Forms take ${MAX_FORM_TEXT.toLocaleString('en-US')}: lower the maximum characters of long texts.`
  }
  const codes = new Set(questions.map(({ code }) => code))
  const missing = Object.values(leadFields).find((code) => !codes.has(code))
  if (missing !== undefined) errors['leadFields'] = `The form has no question "${missing}".`
  else if (leadFields.email === undefined && leadFields.phone === undefined) {
    errors['leadFields'] =
      'Choose the question for the email address or the phone number. Without it, no one could reply.'
  }
  return errors
}

/** Characters that all text questions of a form may allow together: what one sends. */
const MAX_FORM_TEXT = 250_000

function mostCharacters(question: Question): number {
  if (question.type === 'text') return question.maxLength ?? MAX_LINE
  return question.type === 'longText' ? (question.maxLength ?? MAX_LONG_TEXT) : 0
}

/** What is wrong with the questions of a form. The title of an only step isn't needed: visitors see that of the form. */
export function formFaults(draft: Definition): readonly DefinitionFault[] {
  const isOneStep = draft.sections.length === 1
  const faults = checkDefinition(draft).faults.filter(
    ({ path }) => !(isOneStep && path[0] === 'sections' && path[2] === 'title'),
  )
  return [...faults, ...questionPriceFaults(draft)]
}

const isAnswered = ({ type, isHidden }: Question): boolean =>
  type !== 'note' && type !== 'computed' && isHidden !== true

/** Types that make no sense for visitors: they can't know the facilities of the dealer. */
export const UNSUPPORTED_TYPES: ReadonlySet<string> = new Set(['facility'])
