import type { SectionNoun } from './content-changes.ts'
import { titleOfType } from './question-types.ts'
import type { QuestionType } from '#contract/questions/definition.ts'

/** "Step", at the start of a sentence. */
export const capital = (noun: SectionNoun): string => (noun === 'step' ? 'Step' : 'Section')

/** What a section without a title is called. */
export const untitled = (noun: SectionNoun): string => `Untitled ${noun}`

/** "short text", in the middle of a sentence; VIN and ZIP stay as they are. */
export const typeInSentence = (type: QuestionType): string => {
  const title = titleOfType(type)
  return /^[A-Z]{2}/.test(title) ? title : title.charAt(0).toLowerCase() + title.slice(1)
}
