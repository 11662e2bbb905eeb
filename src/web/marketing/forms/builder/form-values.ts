import { formRecord } from '#contract/marketing/forms/forms.ts'
import { LEAD_FIELDS, LeadFields } from '#contract/marketing/forms/lead-fields.ts'
import { compareDefinitions } from '#contract/questions/changes.ts'
import type { Definition } from '#contract/questions/definition.ts'
import { NO_SCORING } from '#contract/questions/scores/scoring.ts'
import { textIn } from '#contract/questions/texts.ts'
import type { Content } from '#web/questions/builder/content-changes.ts'
import { mergeContent } from '#web/questions/builder/merge-content.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { mergeChanges, type Versions, type Winner } from '#web/ui/record/merge-changes.ts'
import { recordForm } from '#web/ui/record/record-form.ts'
import { showValue } from '#web/ui/record/show-record-value.ts'

/** The form of a form: its questions and settings. */
export const formForm = recordForm(formRecord)
export type FormValues = typeof formForm.blank

/** What the builder edits of it. */
export const toContent = ({ draft, leadFields }: Pick<FormValues, 'draft' | 'leadFields'>): Content => ({
  draft,
  scoring: NO_SCORING,
  named: leadFields,
})

/** Brings the changes of two users together, those of questions as their builder does. */
export function mergeFormValues({ base, mine, theirs }: Versions<FormValues>, winner: Winner): FormValues {
  const contents = { base: toContent(base), mine: toContent(mine), theirs: toContent(theirs) }
  const { draft, named } = mergeContent(contents, winner)
  return { ...mergeChanges({ base, mine, theirs }, winner), draft, leadFields: LeadFields.parse(named) }
}

/** What one user changed in the questions; null for other fields, whose texts are compared. */
export const describeField = (name: string, base: FormValues, changed: FormValues): string[] | null =>
  name === 'draft' ? compareDefinitions(base.draft, changed.draft).map(({ message }) => message) : null

/** A field's display text, for comparisons. */
export function showField(name: string, values: FormValues): string {
  if (name === 'draft') return sumUp(values.draft)
  if (name === 'translations') return Object.keys(values.translations).join(', ') || 'None'
  if (name === 'leadFields') return showLeadFields(values)
  return showValue({ ...values }[name])
}

/** "Email: Your email address, Phone: Mobile number". */
function showLeadFields({ leadFields, draft }: FormValues): string {
  const titles = new Map(
    draft.sections.flatMap(({ questions }) =>
      questions.map(({ code, title }): [string, string] => [code, textIn(title, '', draft.languages)]),
    ),
  )
  const lines = LEAD_FIELDS.flatMap(({ value, label }) => {
    const code = leadFields[value]
    return code === undefined ? [] : [`${label}: ${titles.get(code) || code}`]
  })
  return lines.join(', ') || 'None'
}

/** "5 questions in 2 steps". */
export function sumUp({ sections }: Definition): string {
  const questions = sections.reduce((sum, section) => sum + section.questions.length, 0)
  return `${count(questions, 'question', 'questions')} in ${count(sections.length, 'step', 'steps')}`
}

/** Fields on the Settings tab, where their errors are shown. */
const ON_QUESTIONS: readonly string[] = ['draft', 'leadFields']
export const isOnSettings = (path: string): boolean => !ON_QUESTIONS.includes(path.split('.')[0] ?? '')
