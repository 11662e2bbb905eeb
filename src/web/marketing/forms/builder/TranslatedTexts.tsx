import { Textarea, TextInput } from '@mantine/core'
import type { Form } from '#contract/marketing/forms/forms.ts'
import type { FormTexts, FormTranslations } from '#contract/marketing/forms/form-texts.ts'
import { FormSection } from '#web/ui/form/FormSection.tsx'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import type { FormValues } from './form-values.ts'

type Props = {
  record: RecordFormState<FormValues, Form>
  language: { value: string; label: string }
}

/** The form's texts besides its questions in one of its other languages. What is empty is shown in the first language. */
export function TranslatedTexts({ record, language: { value: tag, label } }: Props) {
  const { form, isReadOnly, change } = record
  const translations: FormTranslations = form.values.translations
  const texts: FormTexts = translations[tag] ?? {}
  const field = (name: keyof FormTexts, title: string, maxLength: number) => ({
    label: title,
    className: 'fc-wide',
    lang: tag,
    maxLength,
    readOnly: isReadOnly,
    placeholder: form.values[name] ?? '',
    value: texts[name] ?? '',
    error: form.errors[`translations.${tag}.${name}`],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      change({ translations: { ...translations, [tag]: { ...texts, [name]: value } } }),
  })
  return (
    <FormSection
      title={`Texts in ${label}`}
      text="The thank-you page and the automatic reply need both of their texts. Otherwise visitors get them in the first language."
    >
      <TextInput {...field('name', 'Name', 100)} />
      <TextInput {...field('thankYouTitle', 'Title of the thank-you page', 120)} />
      <Textarea {...field('thankYouText', 'Text of the thank-you page', 2_000)} autosize minRows={2} />
      <TextInput {...field('replySubject', 'Subject of the automatic reply', 150)} />
      <Textarea {...field('replyText', 'Text of the automatic reply', 4_000)} autosize minRows={3} />
    </FormSection>
  )
}
