import { trimmed } from '#contract/trimmed.ts'
import type { Definition, Question } from './definition.ts'
import type { Faults, Path } from './definition-fault.ts'
import type { Texts } from './texts.ts'

/** How many texts a language has, of those that need a translation. */
export type Completeness = Readonly<{ language: string; translated: number; total: number }>

/** A text of a definition that respondents read, in all languages. */
export type FoundText = Readonly<{
  path: Path
  texts: Texts
  /** Must exist in the default language; others only need the languages of one another. */
  isRequired: boolean
  /** "title", "help text". */
  noun: string
}>

/**
 * Reports missing texts: an error if a required one is missing in the default language, and one warning per language
 * for the others, with their count. @returns the completeness of each language.
 */
export function checkTexts(definition: Definition, faults: Faults): Completeness[] {
  const { languages } = definition
  const [main = ''] = languages
  const texts = textsOf(definition)
  for (const { path, texts: found, isRequired, noun } of texts) {
    if (isRequired && !hasText(found, main)) {
      faults.error([...path, main], `Enter the ${noun} in the default language (${main}).`)
    }
  }
  const needed = texts.filter(
    ({ texts: found, isRequired }) => isRequired || Object.values(found).some(isWritten),
  )
  const completeness = languages.map((language) => {
    return {
      language,
      translated: needed.filter((one) => hasText(one.texts, language)).length,
      total: needed.length,
    }
  })
  for (const { language, translated, total } of completeness) {
    const missing = total - translated
    const isError = language === main && needed.every((one) => one.isRequired || hasText(one.texts, main))
    if (missing > 0 && !isError) {
      const what = missing === 1 ? '1 text is' : `${missing} texts are`
      faults.warn(['languages', languages.indexOf(language)], `${what} missing in ${language}.`)
    }
  }
  return completeness
}

const isWritten = (text: string) => trimmed(text) !== ''
const hasText = (texts: Texts, language: string) =>
  Object.hasOwn(texts, language) && isWritten(texts[language] ?? '')

/** All texts of a definition that respondents read. */
export function textsOf(definition: Definition): FoundText[] {
  const editions = (definition.editions ?? []).map(({ title }, at): FoundText => ({
    path: ['editions', at, 'title'],
    texts: title,
    isRequired: true,
    noun: 'name of the edition',
  }))
  const sections = definition.sections.flatMap((section, at) => {
    const path = ['sections', at]
    return [
      { path: [...path, 'title'], texts: section.title, isRequired: true, noun: 'title of the section' },
      ...optional(section.description, [...path, 'description'], 'description'),
      ...section.questions.flatMap((question, number) =>
        textsOfQuestion(question, [...path, 'questions', number]),
      ),
    ]
  })
  return [...editions, ...sections]
}

function optional(texts: Texts | undefined, path: Path, noun: string): FoundText[] {
  return texts === undefined ? [] : [{ path, texts, isRequired: false, noun }]
}

function textsOfQuestion(question: Question, path: Path): FoundText[] {
  const required = (texts: Texts, noun: string, ...rest: (string | number)[]): FoundText => {
    return { path: [...path, ...rest], texts, isRequired: true, noun }
  }
  const own = [
    required(question.title, 'title', 'title'),
    ...optional(question.help, [...path, 'help'], 'help text'),
    ...optional(question.messages?.check, [...path, 'messages', 'check'], 'message'),
    ...optional(question.messages?.required, [...path, 'messages', 'required'], 'message'),
  ]
  // Respondents never see a hidden field.
  if (question.isHidden === true) return []
  const choices = (list: readonly { title: Texts }[], ...at: (string | number)[]) =>
    list.map(({ title }, number) => required(title, 'title of the choice', ...at, 'choices', number, 'title'))
  switch (question.type) {
    case 'single':
    case 'multiple':
      return [...own, ...choices(question.choices)]
    case 'matrix':
      return [
        ...own,
        ...question.rows.map(({ title }, at) => required(title, 'title of the row', 'rows', at, 'title')),
        ...choices(question.choices),
      ]
    case 'table':
      return [
        ...own,
        ...question.columns.flatMap((column, at) => [
          required(column.title, 'title of the column', 'columns', at, 'title'),
          ...(column.type === 'single' ? choices(column.choices, 'columns', at) : []),
        ]),
      ]
    case 'rating':
      return [
        ...own,
        ...optional(question.lowest, [...path, 'lowest'], 'label'),
        ...optional(question.highest, [...path, 'highest'], 'label'),
      ]
    case 'note':
    case 'consent':
      return [...own, required(question.text, 'text', 'text')]
    default:
      return own
  }
}
