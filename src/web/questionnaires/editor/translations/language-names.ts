/** Languages that are offered. Others come with an import. */
const TAGS = [
  'en',
  'es',
  'fr',
  'de',
  'fr-CA',
  'pt-BR',
  'it',
  'nl',
  'pl',
  'ja',
  'ko',
  'zh-Hans',
  'vi',
  'ar',
] as const

const names = new Intl.DisplayNames(['en'], { type: 'language' })

/** "Spanish" for `es`; the tag itself if it isn't one. */
export function nameOfLanguage(tag: string): string {
  try {
    return names.of(tag) ?? tag
  } catch {
    return tag
  }
}

export const LANGUAGE_CHOICES = TAGS.map((value) => ({ value, label: nameOfLanguage(value) }))
