import { localeFormat } from '#contract/parsing/locale-format.ts'
import { showNumber } from '#contract/parsing/parse-number.ts'
import { ENGLISH, FRENCH, GERMAN, SPANISH } from './problem-texts.ts'

type ProblemText = keyof typeof ENGLISH
/** Why an answer is refused. */
export type ProblemCode = Exclude<ProblemText, 'emailOrPhone'>
const isProblemCode = (name: string): name is ProblemCode =>
  Object.hasOwn(ENGLISH, name) && name !== 'emailOrPhone'
export const PROBLEM_CODES: readonly ProblemCode[] = Object.keys(ENGLISH).filter(isProblemCode)

const MESSAGES = new Map<string, Readonly<Record<ProblemText, string>>>([
  ['en', ENGLISH],
  ['es', SPANISH],
  ['fr', FRENCH],
  ['de', GERMAN],
])

/** The standard message in a language (`es`, `es-MX`), otherwise in English. An author's text takes precedence. */
export function problemMessage(code: ProblemText, language: string, fill: string | number = ''): string {
  const [base = ''] = language.split('-')
  const messages = MESSAGES.get(language) ?? MESSAGES.get(base)
  const shown = show(String(fill), messages === undefined ? 'en' : language)
  return (messages ?? ENGLISH)[code].replace(/\{\w+\}/, () => shown)
}

/** A number or date as the language writes it. */
function show(fill: string, language: string): string {
  if (/^-?\d+(\.\d+)?$/.test(fill)) return showNumber(fill, localeFormat(language))
  if (!/^\d{4}-\d\d-\d\d$/.test(fill)) return fill
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })
  return format.format(Date.parse(`${fill}T00:00:00Z`))
}
