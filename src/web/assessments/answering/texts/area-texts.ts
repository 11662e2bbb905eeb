import {
  PARTICIPANT_LANGUAGES,
  type ParticipantLanguage,
} from '#contract/participants/invitations/participants.ts'
import { ENGLISH, type Texts } from './area-texts-en.ts'
import { FRENCH } from './area-texts-fr.ts'
import { GERMAN } from './area-texts-de.ts'
import { SPANISH } from './area-texts-es.ts'

const TEXTS: Readonly<Record<ParticipantLanguage, Texts>> = {
  en: ENGLISH,
  es: SPANISH,
  fr: FRENCH,
  de: GERMAN,
}

/** The names of the languages, each in itself. */
export const LANGUAGE_NAMES: Readonly<Record<ParticipantLanguage, string>> = {
  en: 'English',
  es: 'Español',
  fr: 'Français',
  de: 'Deutsch',
}

/** A text of the participants' pages; `fill` replaces what is in braces. */
export type AreaText = (key: keyof Texts, fill?: Readonly<Record<string, string | number>>) => string

/** The texts of the participants' pages in a language. */
export function areaTexts(language: ParticipantLanguage): AreaText {
  return (key, fill = {}) =>
    TEXTS[language][key].replace(/\{(\w+)\}/g, (_, name: string) => String(fill[name] ?? ''))
}

/** The first language of the browser that these pages have. */
export function browserLanguage(languages: readonly string[]): ParticipantLanguage {
  for (const tag of languages) {
    const found = PARTICIPANT_LANGUAGES.find((one) => one === tag.split('-')[0]?.toLowerCase())
    if (found !== undefined) return found
  }
  return 'en'
}
