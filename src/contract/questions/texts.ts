import { trimmed } from '#contract/trimmed.ts'
/** One text per language, by language tag: `{ en: 'Your name', es: 'Su nombre' }`. */
export type Texts = Readonly<Record<string, string>>

/** The text in a language, otherwise in the first of `languages` that has one; '' if there is none. */
export function textIn(texts: Texts | undefined, language: string, languages: readonly string[]): string {
  if (texts === undefined) return ''
  for (const tag of [language, ...languages]) {
    const text = Object.hasOwn(texts, tag) ? texts[tag] : undefined
    if (text !== undefined && trimmed(text) !== '') return text
  }
  return ''
}

const baseOf = (tag: string) => tag.split('-')[0]?.toLowerCase()

/** The language of a list that a visitor's browser prefers (`Accept-Language`: `es-MX,es;q=0.9,en;q=0.5`), otherwise the first. */
export function acceptedLanguage(languages: readonly string[], header: string | undefined): string {
  const wanted = (header ?? '')
    .slice(0, 500)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((one) => one.trim())
      const quality = parameters.find((one) => one.startsWith('q='))?.slice(2)
      return { tag, quality: quality === undefined ? 1 : Number(quality) }
    })
  for (const { tag } of wanted
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality)) {
    const found = pickLanguage(languages, tag)
    if (baseOf(found) === baseOf(tag)) return found
  }
  return pickLanguage(languages, '')
}

/** The language to show: the wanted one, otherwise the same without its region (`es` for `es-MX`), otherwise the default. */
export function pickLanguage(languages: readonly string[], wanted: string): string {
  const found = languages.find((one) => one === wanted) ?? languages.find((one) => one === baseOf(wanted))
  return found ?? languages.find((one) => baseOf(one) === baseOf(wanted)) ?? languages[0] ?? 'en'
}
