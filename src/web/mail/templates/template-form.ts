import { fieldSentences } from '#contract/field-sentences.ts'
import { type EmailTemplate, TemplateWords } from '#contract/mail/templates/templates.ts'
import type { Labels } from '#web/ui/record/differences.ts'

/** What the form holds. */
export type TemplateValues = { subject: string; mjml: string; text: string }

/** How fields are called, in the order of the form. */
export const FIELD_NAMES: Labels<TemplateValues> = {
  subject: 'Subject',
  mjml: 'Layout (MJML)',
  text: 'Plain text',
}

export function toValues({ subject, mjml, text }: EmailTemplate): TemplateValues {
  return { subject, mjml, text }
}

/** A sentence for each field that is wrong; the contract's own. What the words mean, the server says. */
export function checkTemplate(values: TemplateValues): Record<string, string> {
  const { error } = TemplateWords.safeParse(values)
  return error ? fieldSentences(error) : {}
}
