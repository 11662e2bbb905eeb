/** One text per language, by language tag: `{ en: 'Your name', es: 'Su nombre' }`. */
export type Texts = Readonly<Record<string, string>>

/** The text in a language, otherwise in the first of `languages` that has one; '' if there is none. */
export function textIn(texts: Texts | undefined, language: string, languages: readonly string[]): string {
  if (texts === undefined) return ''
  for (const tag of [language, ...languages]) {
    const text = Object.hasOwn(texts, tag) ? texts[tag] : undefined
    if (text !== undefined && text.trim() !== '') return text
  }
  return ''
}
