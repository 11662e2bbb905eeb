import { z } from 'zod'
import { MAX_LANGUAGES } from '#contract/questions/limits.ts'

const text = (max: number) => z.string().trim().max(max, `A text may have at most ${max} characters.`)

/** The texts of a form besides its questions, in one language. Absent or empty: as in the first language. */
const FormTexts = z.strictObject({
  name: text(100).optional(),
  thankYouTitle: text(120).optional(),
  thankYouText: text(2_000).optional(),
  replySubject: text(150).optional(),
  replyText: text(4_000).optional(),
})
export type FormTexts = z.infer<typeof FormTexts>

/** By language tag, without the first language. */
export const FormTranslations = z
  .record(z.string().max(35), FormTexts)
  .refine((texts) => Object.keys(texts).length < MAX_LANGUAGES, `At most ${MAX_LANGUAGES} languages.`)
export type FormTranslations = z.infer<typeof FormTranslations>

type Named = Readonly<{ name: string; translations: FormTranslations }>
type Translated = Named &
  Readonly<{
    thankYouTitle: string
    thankYouText: string
    replySubject: string | null
    replyText: string | null
  }>

const ownTexts = ({ translations }: Named, language: string): FormTexts | undefined =>
  Object.hasOwn(translations, language) ? translations[language] : undefined

/** The name of a form in a language, otherwise in its first. */
export const formName = (form: Named, language: string): string => ownTexts(form, language)?.name || form.name

/** The texts of a form in a language. The thank-you page and the reply are translated as a whole or not at all. */
export function formTexts(form: Translated, language: string) {
  const own = ownTexts(form, language)
  const hasThanks = Boolean(own?.thankYouTitle && own.thankYouText)
  const hasReply = Boolean(own?.replySubject && own.replyText)
  return {
    name: formName(form, language),
    thankYou: {
      isTranslated: hasThanks,
      title: (hasThanks ? own?.thankYouTitle : undefined) ?? form.thankYouTitle,
      text: (hasThanks ? own?.thankYouText : undefined) ?? form.thankYouText,
    },
    reply: {
      subject: (hasReply ? own?.replySubject : undefined) ?? form.replySubject,
      text: (hasReply ? own?.replyText : undefined) ?? form.replyText,
    },
  }
}
