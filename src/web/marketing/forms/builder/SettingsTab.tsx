import { Button, Checkbox, MultiSelect, Select, Textarea, TextInput } from '@mantine/core'
import type { Form } from '#contract/marketing/forms/forms.ts'
import { LEAD_FIELDS, type LeadFields } from '#contract/marketing/forms/lead-fields.ts'
import { textIn } from '#contract/questions/texts.ts'
import { FormSection } from '#web/ui/form/FormSection.tsx'
import { useLotNames } from '#web/ui/form/use-lot-names.ts'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import { questionsIn } from '#web/questions/builder/content-changes.ts'
import type { FormValues } from './form-values.ts'
import { proposeLeadFields } from './propose-lead-fields.ts'
import { SafetySettings } from './SafetySettings.tsx'
import { TranslatedTexts } from './TranslatedTexts.tsx'
import type { Builder } from '#web/questions/builder/use-builder.ts'
import { CONTACT } from './form-problems.ts'

type Props = { record: RecordFormState<FormValues, Form>; builder: Builder; form: Form }

/** Everything about a form besides its questions. */
export function SettingsTab({ record, builder }: Props) {
  const { field } = record
  return (
    <div className="fc-form-settings">
      <GeneralSettings record={record} />
      <ContactSettings builder={builder} />
      <LanguageSettings builder={builder} />
      <FormSection
        title="Thank-you page"
        text="Shown after the form is sent, with a link back to the vehicle that the visitor asked about."
      >
        <TextInput {...field('thankYouTitle')} label="Title" className="fc-wide" required maxLength={120} />
        <Textarea {...field('thankYouText')} label="Text" className="fc-wide" required autosize minRows={3} />
      </FormSection>
      <FormSection
        title="Automatic reply"
        text="Sent to the email address in the form. Leave both empty to send none. It doesn't count as your response."
      >
        <TextInput {...field('replySubject')} label="Subject" className="fc-wide" maxLength={150} />
        <Textarea {...field('replyText')} label="Text" className="fc-wide" autosize minRows={4} />
      </FormSection>
      {otherLanguages(builder).map((language) => (
        <TranslatedTexts key={language.value} record={record} language={language} />
      ))}
      <SafetySettings record={record} />
    </div>
  )
}

function GeneralSettings({ record }: Pick<Props, 'record'>) {
  const { field, form, isReadOnly } = record
  const { choices } = useLotNames()
  return (
    <FormSection title="Form" text="The name is the title of the page that visitors see.">
      <TextInput {...field('name')} required maxLength={100} autoComplete="off" />
      <TextInput
        {...field('key')}
        required
        maxLength={60}
        autoComplete="off"
        description={
          <bdi>{`The page of the form: /f/${form.values.key}. Links to the old address stop working.`}</bdi>
        }
      />
      <Select
        {...field('lotId')}
        value={form.values.lotId || null}
        onChange={(lotId) => form.setFieldValue('lotId', lotId ?? '')}
        data={choices}
        searchable
        clearable
        placeholder="All organizations"
        description="Receives what visitors send, unless they ask about a vehicle: then its lot does."
      />
      <Checkbox
        {...form.getInputProps('isOnVehiclePages', { type: 'checkbox' })}
        size="sm"
        label="Show on vehicle pages"
        description="Visitors fill it in below the vehicle."
        disabled={isReadOnly}
      />
      <Checkbox
        {...form.getInputProps('isInMenu', { type: 'checkbox' })}
        size="sm"
        label="Show in the menu of the site"
        description="Its name is a link on every page, and beside the price of each vehicle."
        disabled={isReadOnly}
      />
    </FormSection>
  )
}

/** Which question is the sender's email address and so on. */
function ContactSettings({ builder }: Pick<Props, 'builder'>) {
  const { content, edit, language, isReadOnly, problems } = builder
  const { draft } = content
  const leadFields: LeadFields = content.named
  const questions = questionsIn(content)
    .filter(({ type }) => type !== 'note' && type !== 'consent' && type !== 'computed')
    .map(({ code, title }) => ({ value: code, label: textIn(title, language, draft.languages) || code }))
  const problem = problems.find(({ about }) => about === CONTACT)
  const proposed = proposeLeadFields(draft, leadFields)
  const isSame = Object.keys(proposed).length === Object.keys(leadFields).length
  const put = (field: keyof LeadFields, code: string | null) => {
    const { [field]: _former, ...rest } = content.named
    edit({ ...content, named: code === null ? rest : { ...rest, [field]: code } }, `lead ${field}`)
  }
  return (
    <FormSection
      title="Contact details"
      text="Identifies the sender. Submissions show these answers, and the automatic reply needs the email address."
    >
      {problem !== undefined && (
        <p className="fc-rows-error fc-wide" role="alert">
          {problem.message}
        </p>
      )}
      {!isSame && !isReadOnly && (
        <Button
          variant="default"
          className="fc-wide fc-fit"
          onClick={() => edit({ ...content, named: proposed }, 'proposed leads')}
        >
          Fill in from the questions
        </Button>
      )}
      <div className="fc-lead-fields fc-wide">
        {LEAD_FIELDS.map(({ value, label }) => (
          <Select
            key={value}
            label={label}
            data={questions}
            value={leadFields[value] ?? null}
            placeholder="No question"
            clearable
            searchable
            readOnly={isReadOnly}
            onChange={(code) => put(value, code)}
          />
        ))}
      </div>
    </FormSection>
  )
}

const LANGUAGES = [
  { value: 'en', label: 'English' },
  { value: 'es', label: 'Spanish' },
  { value: 'fr', label: 'French' },
  { value: 'de', label: 'German' },
]

/** The languages of the questions after the first one. */
const otherLanguages = ({ content }: Builder) =>
  content.draft.languages
    .slice(1)
    .map((tag) => LANGUAGES.find(({ value }) => value === tag) ?? { value: tag, label: tag })

function LanguageSettings({ builder: { content, edit, isReadOnly } }: Pick<Props, 'builder'>) {
  const { languages } = content.draft
  const [main = 'en'] = languages
  const known = LANGUAGES.map(({ value }) => value)
  const others = languages.filter((tag) => !known.includes(tag)).map((tag) => ({ value: tag, label: tag }))
  return (
    <FormSection
      title="Languages"
      text="Visitors see the form in their language, or in the first one. Missing texts are hints on the Questions tab."
    >
      <MultiSelect
        label="Languages"
        data={[...LANGUAGES, ...others]}
        value={languages}
        readOnly={isReadOnly}
        onChange={(next) =>
          edit(
            {
              ...content,
              draft: { ...content.draft, languages: [main, ...next.filter((tag) => tag !== main)] },
            },
            'languages',
          )
        }
      />
    </FormSection>
  )
}
