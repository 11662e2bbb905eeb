import { type FoundText, textsOf } from '#contract/questions/check-texts.ts'
import { Definition } from '#contract/questions/definition.ts'
import { Scoring } from '#contract/questions/scores/scoring.ts'
import type { QuestionnaireContent } from './check-questionnaire.ts'

/** A text to translate. Its path starts with `scoring` or `sections`. */
export type QuestionnaireText = FoundText & Readonly<{ section: string | null; question: string | null }>

/** Every text that participants and reviewers read, in order: of the questions, then of the scoring. */
export function questionnaireTexts({ draft, scoring }: QuestionnaireContent): QuestionnaireText[] {
  const place = (text: FoundText): QuestionnaireText => {
    const [, sectionAt, , questionAt] = text.path
    const section = typeof sectionAt === 'number' ? draft.sections[sectionAt] : undefined
    const question = typeof questionAt === 'number' ? section?.questions[questionAt] : undefined
    return { ...text, section: section?.id ?? null, question: question?.code ?? null }
  }
  return [...textsOf(draft).map(place), ...scoringTexts(scoring)]
}

function scoringTexts({ bands, levels, questions }: Scoring): QuestionnaireText[] {
  const text = (
    path: FoundText['path'],
    texts: FoundText['texts'],
    noun: string,
    question: string | null = null,
  ) => ({
    path: ['scoring', ...path],
    texts,
    noun,
    isRequired: question === null,
    section: null,
    question,
  })
  return [
    ...bands.map(({ title }, at) => text(['bands', at, 'title'], title, 'name of the band')),
    ...levels.map((title, at) => text(['levels', at], title, 'name of the level')),
    ...questions.flatMap(({ action, question }, at) =>
      action === undefined ? [] : [text(['questions', at, 'action'], action, 'suggested action', question)],
    ),
  ]
}

/** Whether a text needs a translation: optional ones only once they are written in some language. */
export const needsTranslation = ({ isRequired, texts }: FoundText): boolean =>
  isRequired || Object.values(texts).some((text) => text.trim() !== '')

/** One text in one language; '' removes it. */
export type Translation = Readonly<{ path: FoundText['path']; language: string; text: string }>

/** The content with one text replaced. Null if the text is too long or the path leads nowhere. */
export const withTranslation = (
  content: QuestionnaireContent,
  path: FoundText['path'],
  language: string,
  text: string,
): QuestionnaireContent | null => withTranslations(content, [{ path, language, text }])

/** The content with texts replaced. Null if one of them is too long. */
export function withTranslations(
  { draft, scoring }: QuestionnaireContent,
  translations: readonly Translation[],
): QuestionnaireContent | null {
  const byPath = new Map<string, Translation[]>()
  for (const one of translations) {
    const key = one.path.join('.')
    byPath.set(key, [...(byPath.get(key) ?? []), one])
  }
  const changed = Definition.safeParse(replaceTexts(draft, byPath, []))
  const scored = Scoring.safeParse(replaceTexts(scoring, byPath, ['scoring']))
  return changed.success && scored.success ? { draft: changed.data, scoring: scored.data } : null
}

/** A copy with the texts at some paths changed. */
function replaceTexts(
  value: unknown,
  byPath: ReadonlyMap<string, readonly Translation[]>,
  path: readonly (string | number)[],
): unknown {
  if (Array.isArray(value)) return value.map((item: unknown, at) => replaceTexts(item, byPath, [...path, at]))
  if (typeof value !== 'object' || value === null) return value
  const found = byPath.get(path.join('.'))
  if (found !== undefined) {
    const texts = new Map<string, unknown>(Object.entries(value))
    for (const { language, text } of found) {
      if (text.trim() === '') texts.delete(language)
      else texts.set(language, text)
    }
    return Object.fromEntries(texts)
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, replaceTexts(item, byPath, [...path, name])]),
  )
}
