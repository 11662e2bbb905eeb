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

/** The language to show: the wanted one, otherwise the same without its region (`es` for `es-MX`), otherwise the default. */
export function pickLanguage(languages: readonly string[], wanted: string): string {
  const baseOf = (tag: string) => tag.split('-')[0]?.toLowerCase()
  const found = languages.find((one) => one === wanted) ?? languages.find((one) => one === baseOf(wanted))
  return found ?? languages.find((one) => baseOf(one) === baseOf(wanted)) ?? languages[0] ?? 'en'
}
