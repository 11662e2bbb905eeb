import { fieldSentences } from '#contract/field-sentences.ts'
import { type EmailTemplate, TemplateTexts } from '#contract/mail/templates/templates.ts'
import type { Labels } from '#web/ui/record/differences.ts'

export type TemplateValues = { subject: string; mjml: string; text: string }

/** Field labels, in form order. */
export const FIELD_NAMES: Labels<TemplateValues> = {
  subject: 'Subject',
  mjml: 'Layout (MJML)',
  text: 'Plain text',
}

export function toValues({ subject, mjml, text }: EmailTemplate): TemplateValues {
  return { subject, mjml, text }
}

/** The contract's error message for each invalid field. The server checks the template itself. */
export function checkTemplate(values: TemplateValues): Record<string, string> {
  const { error } = TemplateTexts.safeParse(values)
  return error ? fieldSentences(error) : {}
}
