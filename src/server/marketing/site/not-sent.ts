import type { FastifyRequest } from 'fastify'
import { CAMPAIGN_PARAMETERS, FIELD_NAMES } from '#contract/marketing/forms/form-body.ts'
import { acceptedLanguage } from '#contract/questions/texts.ts'
import type { NotSent } from '#public/away-page.ts'
import { PAGE_LANGUAGES } from '#public/page-texts.ts'

type Sent = Readonly<{ fields: URLSearchParams; hasFiles: boolean }>

const sentWith = new WeakMap<FastifyRequest, Sent>()

/** Remembers the fields of a form until its answer, in case it can't be stored. */
export function noteSent(request: FastifyRequest, sent: Sent): void {
  sentWith.set(request, sent)
}

/** The fields of a form that a request sent; null if they weren't read. */
export function sentFieldsOf(request: FastifyRequest): URLSearchParams | null {
  const { body } = request
  return sentWith.get(request)?.fields ?? (body instanceof URLSearchParams ? body : null)
}

/** What a visitor sent and will lose if the answer doesn't contain it; null if nothing. */
export function notSentOf(request: FastifyRequest): NotSent | null {
  const fields = sentFieldsOf(request)
  if (request.method !== 'POST' || fields === null) return null
  return notSent(request.url, { fields, hasFiles: sentWith.get(request)?.hasFiles ?? false })
}

export const notSent = (url: string, { fields, hasFiles }: Sent): NotSent => ({
  path: url.split('?')[0] ?? '/',
  fields: [...fields],
  typed: typedLines(fields),
  hasFiles,
})

const OWN_FIELDS: ReadonlySet<string> = new Set([...Object.values(FIELD_NAMES), ...CAMPAIGN_PARAMETERS])

/** What the visitor typed, without the fields that the page added. */
export function typedLines(body: URLSearchParams): string[] {
  return [...body].flatMap(([name, value]) => {
    const [field = ''] = name.split('.')
    return !OWN_FIELDS.has(field) && value.trim() !== '' ? [value] : []
  })
}

/** The language for the texts of pages that belong to no form, or whose form can't be read. */
export function visitorLanguage({ headers }: FastifyRequest, fields: URLSearchParams | null = null): string {
  const chosen = fields?.get(FIELD_NAMES.language) ?? ''
  return acceptedLanguage(
    PAGE_LANGUAGES,
    [chosen, headers['accept-language']].filter((one) => one !== undefined && one !== '').join(','),
  )
}
