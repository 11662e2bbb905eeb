import type { Kysely } from 'kysely'
import type { TemplateKey, TemplateTexts } from '#contract/mail/templates/templates.ts'
import type { DB } from '#server/database/schema.ts'
import { BUILT_IN_TEMPLATES } from './built-in-templates.ts'
import type { MailSecrets, Renderer } from './render-template.ts'

export type CurrentTemplate = TemplateTexts & {
  version: number
  isBuiltIn: boolean
  updatedAt: string | null
  updatedBy: string | null
}

/** The current version of a template: the customer's newest one, or the built-in one. */
export async function readCurrentTemplate(
  db: Kysely<DB>,
  customerId: string,
  key: TemplateKey,
): Promise<CurrentTemplate> {
  const row = await db
    .selectFrom('emailTemplates')
    .select(['version', 'isBuiltIn', 'subject', 'mjml', 'plainText as text', 'createdAt', 'createdBy'])
    .where('customerId', '=', customerId)
    .where('key', '=', key)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  const own = BUILT_IN_TEMPLATES[key].words
  if (row === undefined) return { ...own, version: 1, isBuiltIn: true, updatedAt: null, updatedBy: null }
  const { createdAt: updatedAt, createdBy: updatedBy, isBuiltIn, version, ...words } = row
  return { ...(isBuiltIn ? own : words), version, isBuiltIn, updatedAt, updatedBy }
}

export type Mail = {
  customerId: string
  key: TemplateKey
  variables: Readonly<Record<string, string>>
  /** The recipient's language, if the built-in template has it; otherwise English. */
  language?: string | undefined
} & MailSecrets

/**
 * Composes an email from the customer's template. A broken template must not lock a user out of their account: it falls back
 * to the built-in template, or if nothing can be rendered, to its plain text alone.
 */
export async function composeMail(
  db: Kysely<DB>,
  renderer: Renderer,
  { customerId, key, variables, language, link, code }: Mail,
): Promise<{ subject: string; text: string; html?: string }> {
  const current = await readCurrentTemplate(db, customerId, key)
  const own = builtInTemplate(key, language)
  for (const { subject, mjml, text, language: written } of current.isBuiltIn
    ? [own]
    : [{ ...current, language: 'en' }, own]) {
    const made = await renderer.render(
      { subject, mjml, text, language: written },
      variables,
      { link, code },
      { customerId, userId: null },
    )
    if (made.problems.length === 0) return { subject: made.subject, text: made.text, html: made.html }
  }
  const filled: Readonly<Record<string, string | undefined>> = { ...variables, link, code }
  const fill = (words: string): string =>
    words.replace(/\{%.*?%\}/g, '').replace(/\{\{ (\w+) \}\}/g, (_, name: string) => filled[name] ?? '')
  return { subject: fill(own.subject), text: fill(own.text) }
}

function builtInTemplate(key: TemplateKey, language = 'en'): TemplateTexts & { language: string } {
  const { words, translations } = BUILT_IN_TEMPLATES[key]
  if (translations !== undefined && (language === 'es' || language === 'fr' || language === 'de'))
    return { ...translations[language], language }
  return { ...words, language: 'en' }
}
