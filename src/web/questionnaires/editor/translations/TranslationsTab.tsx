import { Button, Checkbox, MultiSelect, Select, Textarea } from '@mantine/core'
import { useState } from 'react'
import {
  needsTranslation,
  type QuestionnaireText,
  questionnaireTexts,
  withTranslation,
} from '#contract/questionnaires/questionnaires/questionnaire-texts.ts'
import { MAX_LANGUAGES } from '#contract/questions/limits.ts'
import { textIn } from '#contract/questions/texts.ts'
import type { Builder } from '#web/questions/builder/use-builder.ts'
import { FormSection } from '#web/ui/form/FormSection.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { TranslationFiles } from './TranslationFiles.tsx'
import { LANGUAGE_CHOICES, nameOfLanguage } from './language-names.ts'

type Props = { builder: Builder }
const SCORING_TEXTS = 'scoring'

/** The texts side by side in the default language and another one. */
export function TranslationsTab({ builder }: Props) {
  const { languages } = builder.content.draft
  return (
    <div className="fc-form-settings">
      <LanguageFields builder={builder} />
      {languages.length > 1 && <Translations builder={builder} />}
    </div>
  )
}

function LanguageFields({ builder: { content, edit, isReadOnly } }: Props) {
  const { languages } = content.draft
  const [main = 'en'] = languages
  const others = languages.filter((tag) => !LANGUAGE_CHOICES.some(({ value }) => value === tag))
  const data = [...LANGUAGE_CHOICES, ...others.map((tag) => ({ value: tag, label: nameOfLanguage(tag) }))]
  const put = (next: readonly string[]) =>
    edit({ ...content, draft: { ...content.draft, languages: [...next] } }, 'languages')
  return (
    <FormSection
      title="Languages"
      text="Participants see their own language, or the default one. Texts of a removed language are kept until you delete them."
    >
      <Select
        label="Default language"
        data={data}
        value={main}
        allowDeselect={false}
        readOnly={isReadOnly}
        onChange={(tag) => {
          if (tag !== null) put([tag, ...languages.filter((one) => one !== tag)])
        }}
      />
      <MultiSelect
        label="Other languages"
        data={data.filter(({ value }) => value !== main)}
        value={languages.filter((tag) => tag !== main)}
        maxValues={MAX_LANGUAGES - 1}
        readOnly={isReadOnly}
        searchable
        onChange={(next) => put([main, ...next])}
      />
    </FormSection>
  )
}

function Translations({ builder }: Props) {
  const { draft, scoring } = builder.content
  const [main = 'en', ...others] = draft.languages
  const [wanted, setWanted] = useState('')
  const [chosen, setChosen] = useState('')
  const [onlyMissing, setOnlyMissing] = useState(false)
  const language = others.includes(wanted) ? wanted : (others[0] ?? main)
  const all = questionnaireTexts({ draft, scoring }).filter(needsTranslation)
  const isMissing = ({ texts }: QuestionnaireText) => textIn(texts, language, []) === ''
  const missing = all.filter(isMissing)
  const groups = [
    ...draft.sections.map(({ id, title }, at) => ({
      id,
      name: `${at + 1} ${textIn(title, main, draft.languages) || id}`,
    })),
    { id: SCORING_TEXTS, name: 'Scoring' },
  ]
  const inGroup = (id: string) => all.filter((text) => groupOf(text) === id)
  const group = groups.find(({ id }) => id === chosen) ?? groups[0]
  const shown = inGroup(group?.id ?? '').filter((text) => !onlyMissing || isMissing(text))
  const next = missing.find((text) => groupOf(text) !== group?.id)
  return (
    <section className="fc-translations" aria-label="Translations">
      <div className="fc-translation-tools">
        {others.length > 1 && (
          <Select
            label="Language"
            data={others.map((tag) => ({ value: tag, label: nameOfLanguage(tag) }))}
            value={language}
            allowDeselect={false}
            onChange={(tag) => setWanted(tag ?? '')}
          />
        )}
        <Select
          label="Texts of"
          data={groups.map(({ id, name }) => {
            const open = inGroup(id).filter(isMissing).length
            return { value: id, label: open === 0 ? name : `${name} (${open} missing)` }
          })}
          value={group?.id ?? null}
          allowDeselect={false}
          onChange={(id) => setChosen(id ?? '')}
        />
        <Checkbox
          size="sm"
          label="Only missing texts"
          checked={onlyMissing}
          onChange={({ currentTarget: { checked } }) => setOnlyMissing(checked)}
        />
        <span className="fc-grow" />
        <output className="fc-small fc-soft">
          {missing.length === 0
            ? `${nameOfLanguage(language)} is complete: ${count(all.length, 'text', 'texts')}`
            : `${missing.length} of ${count(all.length, 'text is', 'texts are')} missing in ${nameOfLanguage(language)}`}
        </output>
        <TranslationFiles builder={builder} />
        {next !== undefined && (
          <Button variant="default" onClick={() => setChosen(groupOf(next))}>
            Next question with missing texts
          </Button>
        )}
      </div>
      {shown.length === 0 ? (
        <p className="fc-small fc-soft">
          {onlyMissing ? 'Nothing is missing here.' : 'There are no texts to translate here.'}
        </p>
      ) : (
        <ul className="fc-translation-list">
          {shown.map((text) => (
            <Translation key={`${text.path.join('.')} ${language}`} {...{ builder, text, main, language }} />
          ))}
        </ul>
      )}
    </section>
  )
}

const groupOf = ({ path, section }: QuestionnaireText): string =>
  path[0] === 'scoring' ? SCORING_TEXTS : (section ?? '')

type TranslationProps = Props & { text: QuestionnaireText; main: string; language: string }

function Translation({ builder, text, main, language }: TranslationProps) {
  const { content, edit, isReadOnly } = builder
  const source = textIn(text.texts, main, [])
  const value = textIn(text.texts, language, [])
  const label = [text.question, text.noun].filter(Boolean).join(', ')
  return (
    <li>
      <span className="fc-small fc-faint">
        <bdi>{label}</bdi>
      </span>
      <p lang={main}>{source === '' ? <span className="fc-faint">Empty</span> : <bdi>{source}</bdi>}</p>
      <Textarea
        aria-label={`${nameOfLanguage(language)}: ${label}, ${source}`}
        lang={language}
        dir="auto"
        autosize
        minRows={1}
        maxRows={8}
        readOnly={isReadOnly}
        placeholder="Missing"
        value={value}
        onChange={({ currentTarget: { value: typed } }) => {
          const changed = withTranslation(content, text.path, language, typed)
          if (changed !== null) edit({ ...content, ...changed }, `${language} ${text.path.join('.')}`)
        }}
      />
    </li>
  )
}
