import type { Definition, Question } from '#contract/questions/definition.ts'

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
  /** People don't see it. */
  trap: 'company-website',
} as const

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
] as const
const MAX_PARAMETER = 200

/** The value of the choice "Other", whose text is in a field of its own. */
export const OTHER_VALUE = 'fc-other'

/** The name of a question's field. */
export const fieldName = (code: string): string => `q-${code}`
/** The name of the field for the text of the choice "Other". */
export const otherName = (code: string): string => `q-${code}-other`

/**
 * The answers in a form's body, by question, in the shape that the engine reads. Only questions of `sections` are read, so
 * that a step can't empty the answers of another one. Text isn't checked here.
 */
export function answersOf(
  body: SentFields,
  definition: Definition,
  sections: ReadonlySet<string>,
): Record<string, unknown> {
  const questions = definition.sections.flatMap((section) =>
    sections.has(section.id) ? section.questions : [],
  )
  return Object.fromEntries(
    questions.flatMap((question): [string, unknown][] => {
      const answer = answerOf(body, question)
      return answer === undefined ? [] : [[question.code, answer]]
    }),
  )
}

function answerOf(body: SentFields, question: Question): unknown {
  const name = fieldName(question.code)
  const text = body.get(name)
  switch (question.type) {
    case 'note':
    case 'computed':
      return undefined
    case 'boolean':
      return text === 'yes' || text === 'no' ? text === 'yes' : undefined
    case 'number':
      return text === null ? undefined : plainNumber(text)
    case 'rating':
      return text === null || text === '' ? undefined : Number(text)
    case 'single':
      return text === OTHER_VALUE ? otherOf(body, question.code) : (text ?? undefined)
    case 'multiple':
      return body
        .getAll(name)
        .flatMap((value): unknown[] =>
          value === OTHER_VALUE ? [otherOf(body, question.code) ?? []].flat() : [value],
        )
    case 'consent':
      // The version of the text that was shown is the one of the pinned definition.
      return { isGiven: text === String(question.version), version: question.version }
    default:
      return text ?? undefined
  }
}

function otherOf(body: SentFields, code: string): { other: string } | undefined {
  const other = body.get(otherName(code)) ?? ''
  return other.trim() === '' ? undefined : { other }
}

/** People type amounts with currency signs and separators. What isn't a number stays as it was typed. */
function plainNumber(text: string): string {
  const plain = text
    .trim()
    .replaceAll(/[$€£\s]/g, '')
    .replaceAll(/,(?=\d{3}(\D|$))/g, '')
  return /^-?\d+(\.\d+)?$/.test(plain) ? plain : text
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

/** The values of hidden questions that a page's address fills in. */
export function prefillOf(query: SentFields, definition: Definition): Record<string, string> {
  return Object.fromEntries(
    definition.sections.flatMap(({ questions }) =>
      questions.flatMap(({ code, prefill }): [string, string][] => {
        const value = prefill === undefined ? null : lineOf(query.get(prefill), 500)
        return value === null ? [] : [[code, value]]
      }),
    ),
  )
}

/** The fields of a form filled in with stored answers: what `answersOf` would read again. */
export function fieldsOfAnswers(
  answers: Readonly<Record<string, unknown>>,
  definition: Definition,
): [name: string, value: string][] {
  const fields: [string, string][] = []
  for (const question of definition.sections.flatMap(({ questions }) => questions)) {
    const answer = answers[question.code]
    if (answer === undefined || answer === null) continue
    const name = fieldName(question.code)
    for (const one of Array.isArray(answer) ? answer : [answer]) {
      const text: unknown = one
      if (typeof text === 'boolean') fields.push([name, text ? 'yes' : 'no'])
      else if (typeof text === 'string' || typeof text === 'number') fields.push([name, String(text)])
      else if (isOther(text)) {
        fields.push([name, OTHER_VALUE])
        fields.push([otherName(question.code), text.other])
      } else if (isGiven(text)) fields.push([name, String(text.version)])
    }
  }
  return fields
}

function isOther(value: unknown): value is { other: string } {
  return typeof value === 'object' && value !== null && 'other' in value && typeof value.other === 'string'
}

function isGiven(value: unknown): value is { isGiven: true; version: number } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'isGiven' in value &&
    value.isGiven === true &&
    'version' in value
  )
}
