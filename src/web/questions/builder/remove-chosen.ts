import { count } from '#web/ui/layout/date-format.ts'
import { removeQuestion, removeSection, usesOf } from './content-changes.ts'
import { capital } from './builder-labels.ts'
import type { Builder } from './use-builder.ts'

/** Removes the chosen question or section. Undo is in the header and on Ctrl Z until the page is left. */
export function removeChosen({ content, chosen: { section, question }, apply, kit }: Builder): void {
  if (question === null) return apply(removeSection(content, section), `${capital(kit.noun)} deleted`)
  const uses = usesOf(content, question)
  const note = uses.length === 0 ? '' : `. ${count(uses.length, 'rule uses', 'rules use')} it`
  apply(removeQuestion(content, question), `${question} deleted${note}`)
}
