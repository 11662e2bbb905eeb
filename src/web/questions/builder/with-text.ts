import type { Texts } from '#contract/questions/texts.ts'

/** The texts with one language changed. An empty text is removed. */
export function withText(texts: Texts | undefined, language: string, text: string): Record<string, string> {
  const { [language]: _former, ...rest } = texts ?? {}
  return text === '' ? rest : { ...rest, [language]: text }
}
