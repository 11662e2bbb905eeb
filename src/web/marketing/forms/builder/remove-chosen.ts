import { count } from '#web/ui/layout/date-format.ts'
import { removeQuestion, removeSection, usesOf } from './form-builder.ts'
import type { Builder } from './use-builder.ts'

/** Removes the chosen question or step. Undo is in the header and on Ctrl Z until the page is left. */
export function removeChosen({ content, chosen: { section, question }, apply }: Builder): void {
  if (question === null) return apply(removeSection(content, section), 'Step deleted')
  const uses = usesOf(content, question)
  const note = uses.length === 0 ? '' : `. ${count(uses.length, 'rule uses', 'rules use')} it`
  apply(removeQuestion(content, question), `${question} deleted${note}`)
}
