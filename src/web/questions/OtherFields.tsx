import { ActionIcon, Checkbox, FileButton, Button, Select } from '@mantine/core'
import { IconPaperclip, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { localeFormat } from '#contract/parsing/locale-format.ts'
import { showNumber } from '#contract/parsing/parse-number.ts'
import type { FileAnswer } from '#contract/questions/answers.ts'
import { consentText } from '#contract/questions/evaluate.ts'
import { acceptedTypes } from '#contract/questions/reading/read-parts.ts'
import { partsOf, textOf } from './draft-answers.ts'
import { type FieldProps, inputProps, ownProblem, shownText } from './field-props.ts'
import { QuestionGroup } from './QuestionGroup.tsx'

/** A box to agree to the exact text of a version. */
export function ConsentField(props: FieldProps<'consent'>) {
  const { question, draft, onChange, onLeave, context, isRequired } = props
  const { error } = inputProps(props)
  const { language, text } = consentText(question, context.languages, {
    language: context.language,
    ...(context.seller !== undefined && { seller: context.seller }),
  })
  return (
    <Checkbox
      label={
        <span lang={language} className="fc-question-text">
          {text}
          {isRequired && (
            <span className="fc-question-asterisk" aria-hidden="true">
              {'\u00a0*'}
            </span>
          )}
        </span>
      }
      error={error}
      aria-required={isRequired}
      checked={partsOf(draft).isGiven === true}
      onChange={(event) => onChange({ isGiven: event.currentTarget.checked, version: question.version })}
      onBlur={onLeave}
    />
  )
}

/** Text without an answer. */
export function NoteField({ question, context }: FieldProps<'note'>) {
  const title = shownText(question.title, context)
  return (
    <div className="fc-question-note">
      {title !== '' && <p className="fc-question-title">{title}</p>}
      <p className="fc-question-text">{shownText(question.text, context)}</p>
    </div>
  )
}

/** A value that follows from other answers; a dash while it can't be calculated. */
export function ComputedField({ question, problems, context }: FieldProps<'computed'>) {
  const value = context.evaluation.computed[question.code] ?? null
  const unit = question.unit === undefined ? '' : `\u2009${question.unit}`
  return (
    <div className="fc-question-computed">
      <p className="fc-question-title">{shownText(question.title, context)}</p>
      <output>{value === null ? '\u2013' : `${showComputed(value, question, context)}${unit}`}</output>
      {problems[0] !== undefined && <p className="fc-question-error">{problems[0].message}</p>}
    </div>
  )
}

function showComputed(
  value: string | boolean,
  { result }: FieldProps<'computed'>['question'],
  { language, text }: FieldProps<'computed'>['context'],
): string {
  if (typeof value === 'boolean') return text(value ? 'yes' : 'no')
  return result === 'number' ? showNumber(value, localeFormat(language)) : value
}

/** One of the facilities that the form offers. */
export function FacilityField(props: FieldProps<'facility'>) {
  const { draft, onChange, onLeave, context } = props
  return (
    <Select
      {...inputProps(props)}
      data={context.facilities ?? []}
      value={textOf(draft) === '' ? null : textOf(draft)}
      onChange={(value) => onChange(value ?? '')}
      onBlur={onLeave}
      placeholder={context.text('choose')}
      searchable
      clearable
    />
  )
}

/** Files, stored as they are added. */
export function FileField(props: FieldProps<'file'>) {
  const { question, draft, onChange, onLeave, problems, context } = props
  const { text, upload } = context
  const [failed, setFailed] = useState<string | null>(null)
  const files: readonly unknown[] = Array.isArray(draft) ? draft : []
  const error = ownProblem(problems) ?? (failed === null ? undefined : text('uploadFailed', failed))

  async function add(chosen: readonly File[]) {
    if (upload === undefined) return
    setFailed(null)
    const stored: FileAnswer[] = []
    for (const file of chosen) {
      try {
        const one = await upload(file)
        if (one !== null) stored.push(one)
      } catch {
        setFailed(file.name)
      }
    }
    if (stored.length === 0) return
    onChange([...files, ...stored])
    onLeave()
  }

  return (
    <QuestionGroup {...props} {...(error !== undefined && { error })}>
      {files.length > 0 && (
        <ul className="fc-question-files">
          {files.map((file, at) => {
            const name = textOf(partsOf(file).name)
            return (
              <li key={textOf(partsOf(file).id)} className="fc-row">
                <bdi className="fc-grow">{name}</bdi>
                <ActionIcon
                  aria-label={text('removeFile', name)}
                  onClick={() => onChange(files.toSpliced(at, 1))}
                >
                  <IconTrash size={16} aria-hidden="true" />
                </ActionIcon>
              </li>
            )
          })}
        </ul>
      )}
      <div>
        <FileButton
          multiple
          accept={acceptedTypes(question).join(',')}
          onChange={(chosen) => void add(chosen)}
        >
          {(button) => (
            <Button
              {...button}
              variant="default"
              leftSection={<IconPaperclip size={16} aria-hidden="true" />}
              disabled={upload === undefined}
            >
              {text('addFiles')}
            </Button>
          )}
        </FileButton>
      </div>
      {upload === undefined && <p className="fc-small fc-soft">{text('filesLater')}</p>}
    </QuestionGroup>
  )
}
