import type { QuestionnaireContent } from './check-questionnaire.ts'
import { MAX_TEXT, MAX_TITLE } from '#contract/questions/limits.ts'
import {
  needsTranslation,
  questionnaireTexts,
  type Translation,
  withTranslations,
} from './questionnaire-texts.ts'

/** The first columns of the table; one for each language follows. */
const KEY = 'Key'
const KIND = 'Text'

/** Cells that a spreadsheet would calculate get an apostrophe in front, which is removed when they are read. */
const FORMULA = /^[=+\-@\t\r]/
const guard = (text: string): string => (FORMULA.test(text) || text.startsWith("'") ? `'${text}` : text)
const unguard = (text: string): string => (/^'(?=[=+\-@\t\r'])/.test(text) ? text.slice(1) : text)

/** All texts in all languages, with a stable key each: `sections.site.questions.policy.title`. */
export function translationTable(content: QuestionnaireContent): string[][] {
  const { languages } = content.draft
  const rows = questionnaireTexts(content)
    .filter(needsTranslation)
    .map(({ path, texts, noun }) => [
      keyOf(content, path),
      noun,
      ...languages.map((language) => guard(Object.hasOwn(texts, language) ? (texts[language] ?? '') : '')),
    ])
  return [[KEY, KIND, ...languages], ...rows]
}

/** What a table changes. `problems` name the lines that were left out. */
export type TranslatedContent = Readonly<{
  content: QuestionnaireContent
  /** How many texts changed. */
  changed: number
  problems: readonly string[]
}>

/**
 * Puts the texts of a table into a questionnaire. Empty cells change nothing, so that a table with one language can be
 * imported. The default language is never changed: a translator doesn't correct the original by accident.
 */
export function applyTranslations(
  content: QuestionnaireContent,
  [head = [], ...lines]: readonly (readonly string[])[],
): TranslatedContent {
  const { languages } = content.draft
  const [main] = languages
  const columns = head.flatMap((cell, at) => {
    const language = languages.find((tag) => tag.toLowerCase() === cell.trim().toLowerCase())
    return language === undefined || language === main ? [] : [{ language, at }]
  })
  const keyAt = head.findIndex((cell) => cell.trim().toLowerCase() === KEY.toLowerCase())
  if (keyAt === -1 || columns.length === 0) {
    const wanted = languages.slice(1).join(', ') || 'another language'
    return { content, changed: 0, problems: [`Line 1: the columns “${KEY}” and ${wanted} are needed.`] }
  }
  const byKey = new Map(questionnaireTexts(content).map((text) => [keyOf(content, text.path), text]))
  const problems: string[] = []
  const changes: Translation[] = []
  lines.forEach((cells, at) => {
    const key = (cells[keyAt] ?? '').trim()
    if (key === '') return
    const text = byKey.get(key)
    if (text === undefined) {
      problems.push(`Line ${at + 2}: ${key} doesn't exist in this questionnaire.`)
      return
    }
    for (const { language, at: column } of columns) {
      const translation = unguard(cells[column] ?? '')
        .toWellFormed()
        .replaceAll('\0', '')
        .trim()
      const former = Object.hasOwn(text.texts, language) ? text.texts[language] : ''
      if (translation === '' || translation === former) continue
      if (translation.length > longest(text.path)) {
        problems.push(`Line ${at + 2}: the text in ${language} is too long.`)
      } else changes.push({ path: text.path, language, text: translation })
    }
  })
  const changed = changes.length === 0 ? content : withTranslations(content, changes)
  if (changed === null) return { content, changed: 0, problems: ["The table can't be imported."] }
  return { content: changed, changed: changes.length, problems }
}

/** Titles are shorter than help and descriptions. */
function longest(path: readonly (string | number)[]): number {
  return ['help', 'description', 'text', 'action'].includes(String(path.at(-1))) ? MAX_TEXT : MAX_TITLE
}

/** A path with codes and values instead of positions. */
function keyOf({ draft, scoring }: QuestionnaireContent, path: readonly (string | number)[]): string {
  let value: unknown = path[0] === 'scoring' ? { scoring } : draft
  return path
    .map((part) => {
      value = itemOf(value, part)
      return typeof part === 'string' ? part : (nameOf(value) ?? String(part))
    })
    .join('.')
}

function itemOf(value: unknown, part: string | number): unknown {
  if (Array.isArray(value)) return typeof part === 'number' ? value[part] : undefined
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === part)?.[1]
    : undefined
}

/** What identifies an item of a list. */
function nameOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null
  const entries = new Map<string, unknown>(Object.entries(value))
  for (const name of ['id', 'code', 'value', 'question', 'from']) {
    const found = entries.get(name)
    if (typeof found === 'string' && found !== '') return found
  }
  return null
}
