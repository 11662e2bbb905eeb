import { formRecord } from '#contract/marketing/forms/forms.ts'
import type { Definition } from '#contract/questions/definition.ts'
import { isRecord } from '#web/api/read-json.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { recordForm } from '#web/ui/record/record-form.ts'
import { showValue } from '#web/ui/record/show-record-value.ts'

/** The form of a form: its questions and settings. */
export const formForm = recordForm(formRecord)
export type FormValues = typeof formForm.blank

/** A field's display text, for comparisons. */
export function showField(name: string, values: FormValues): string {
  if (name === 'draft') return sumUp(values.draft)
  if (name === 'translations') return Object.keys(values.translations).join(', ') || 'None'
  const value: unknown = { ...values }[name]
  if (isRecord(value)) {
    return (
      Object.entries(value)
        .map(([field, code]) => `${field}: ${String(code)}`)
        .join(', ') || 'None'
    )
  }
  return showValue(value)
}

/** "5 questions in 2 steps". */
export function sumUp({ sections }: Definition): string {
  const questions = sections.reduce((sum, section) => sum + section.questions.length, 0)
  return `${count(questions, 'question', 'questions')} in ${count(sections.length, 'step', 'steps')}`
}

/** Fields on the Settings tab, where their errors are shown. */
const ON_QUESTIONS: readonly string[] = ['draft', 'leadFields']
export const isOnSettings = (path: string): boolean => !ON_QUESTIONS.includes(path.split('.')[0] ?? '')
