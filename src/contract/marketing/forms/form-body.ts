import type { CompiledDefinition } from '#contract/questions/compile.ts'
import { readFormEntries } from '#contract/questions/reading/form-entries.ts'

/** The fields of a query string or a form's body; `URLSearchParams` is one. */
export type SentFields = Readonly<{
  get: (name: string) => string | null
  getAll: (name: string) => string[]
}>

/** What a form without a script sends: the fields of its page, in text. */
export const FIELD_NAMES = {
  token: 'fc-token',
  step: 'fc-step',
  vehicle: 'fc-vehicle',
  page: 'fc-page',
  language: 'fc-language',
  referrer: 'fc-referrer',
  /** The signature of a test link: sent by the dealer's own people, to try the form. */
  test: 'fc-test',
  /** Shown in a frame of another site. */
  frame: 'fc-frame',
  /** The page said that the dealer may follow up if the form isn't finished. */
  followUp: 'fc-follow-up',
  /** A solved proof of work. */
  proof: 'fc-proof',
  /** The browser can't solve one: it runs no scripts, or the page isn't encrypted. */
  noScript: 'fc-noscript',
  /** The code of a table to show with more rows. Nothing is stored then. */
  more: 'fc-more',
  /** Before the code of a question that is asked only sometimes, and was. `shownName` makes it. */
  shown: 'fc-shown',
  /** People don't see it. */
  trap: 'company-website',
} as const

/** The field that says that a question was on the page, because its rule was true. */
export const shownName = (code: string): string => `${FIELD_NAMES.shown}.${code}`

/** Campaign parameters that are kept with a submission. */
export const CAMPAIGN_PARAMETERS = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'gclid',
  'fbclid',
  'msclkid',
  /** The key of the short URL that led to the page. */
  'short_url',
] as const
const MAX_PARAMETER = 200

/**
 * The answers in a form's body, by question, as they were typed. Only questions of `sections` are read, so that a step can't
 * empty the answers of another one; fields that no question has are ignored.
 */
export function answersOf(
  body: Iterable<readonly [name: string, value: string]>,
  compiled: CompiledDefinition,
  { sections, language }: { sections: ReadonlySet<string>; language: string },
): Record<string, unknown> {
  const isAsked = (name: string): boolean => {
    const [code = ''] = name.split('.')
    const found = compiled.byCode.get(code)
    const isComputed = found?.question.type === 'computed'
    return found !== undefined && !isComputed && sections.has(found.section.id)
  }
  const entries = [...body].filter(([name]) => isAsked(name))
  return readFormEntries(compiled, entries, language)
}

/** The campaign parameters of a query string. */
export function campaignOf(query: SentFields): Record<string, string> {
  return Object.fromEntries(
    CAMPAIGN_PARAMETERS.flatMap((name) => {
      const value = lineOf(query.get(name))
      return value === null ? [] : [[name, value]]
    }),
  )
}

/** One line of text of a limited length, or null. */
export function lineOf(text: string | null, most = MAX_PARAMETER): string | null {
  const line = (text ?? '')
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u2028\u2029\uFFFE\uFFFF]/gu, ' ')
    .trim()
    .slice(0, most)
  return line === '' ? null : line
}
