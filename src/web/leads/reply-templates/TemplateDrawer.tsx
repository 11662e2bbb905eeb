import { Button, Textarea, TextInput } from '@mantine/core'
import { useRef } from 'react'
import { flushSync } from 'react-dom'
import {
  type AnswerTemplate,
  answerTemplateRecord,
  answerTemplates,
} from '#contract/leads/reply-templates/answer-templates.ts'
import {
  ANSWER_VARIABLES,
  type AnswerValues,
  fillTemplate,
} from '#contract/leads/reply-templates/fill-template.ts'
import { send } from '#web/api/query.ts'
import { closeAfterAsking } from '#web/ui/form/unsaved.ts'
import { recordForm } from '#web/ui/record/record-form.ts'
import { RecordDrawer } from '#web/ui/record/RecordDrawer.tsx'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import { useRoutingLock } from '../routing/use-routing-settings.ts'
import { insertAt } from './answer-values.ts'

const templateForm = recordForm(answerTemplateRecord)
const addTemplate = send(answerTemplates.add)
const updateTemplate = send(answerTemplates.update)

type Props = {
  /** A template's ID, or `new`. */
  id: string
  /** Back to the list. */
  onDone: () => void
}

/** One template with its variables and what a buyer would read, or a blank form for a new one. */
export function TemplateDrawer({ id, onDone }: Props) {
  return (
    <RecordDrawer
      id={id}
      noun="template"
      about="Texts for answers to buyers, for all stores"
      size={560}
      form={templateForm}
      endpoints={answerTemplates}
      save={(input, change) => (change ? updateTemplate({ ...input, ...change }) : addTemplate(input))}
      remove={{
        endpoint: answerTemplates.remove,
        text: "Answers that were written with it stay as they are. This can't be undone.",
      }}
      nameOf={({ name }) => ({ name })}
      disabledReason={useRoutingLock()}
      onClose={closeAfterAsking(onDone)}
      closes={onDone}
    >
      {(record, template) => <TemplateFields record={record} isNew={template === null} />}
    </RecordDrawer>
  )
}

type FieldsProps = {
  record: RecordFormState<typeof templateForm.blank, AnswerTemplate>
  isNew: boolean
}

function TemplateFields({ record, isNew }: FieldsProps) {
  const { field, form, isReadOnly } = record
  const textRef = useRef<HTMLTextAreaElement>(null)
  const { text } = form.values
  const insert = (name: string) => {
    const { text: next, end } = insertAt(text, `{${name}}`, textRef.current?.selectionEnd ?? text.length)
    flushSync(() => form.setFieldValue('text', next))
    textRef.current?.focus()
    textRef.current?.setSelectionRange(end, end)
  }
  return (
    <div className="fc-form-fields">
      <TextInput
        {...field('name')}
        {...(isNew && { 'data-autofocus': true })}
        className="fc-wide"
        required
        maxLength={100}
        autoComplete="off"
      />
      <TextInput
        {...field('subject')}
        className="fc-wide"
        maxLength={150}
        autoComplete="off"
        description={<bdi>For a first email. A reply keeps the subject of the conversation.</bdi>}
      />
      <Textarea
        {...field('text')}
        ref={textRef}
        className="fc-wide"
        required
        autosize
        minRows={6}
        maxRows={18}
        maxLength={20_000}
      />
      {!isReadOnly && (
        <fieldset className="fc-wide fc-answers-variables" aria-label="Insert a variable">
          {ANSWER_VARIABLES.map(({ name, label }) => (
            <Button key={name} variant="default" size="compact-xs" onClick={() => insert(name)}>
              {label}
            </Button>
          ))}
        </fieldset>
      )}
      {text.trim() !== '' && (
        <section className="fc-wide fc-answers-example" aria-label="Example">
          <h3 className="fc-lead-part">Example</h3>
          <p className="fc-lead-text">
            <bdi>{fillTemplate(text, EXAMPLE)}</bdi>
          </p>
        </section>
      )}
    </div>
  )
}

const EXAMPLE: AnswerValues = {
  firstName: 'Marcus',
  name: 'Marcus Bell',
  vehicle: '2023 Ford F-150 XLT',
  stock: 'P41877',
  price: 'The total price of the 2023 Ford F-150 XLT is $44,180. Includes all dealer fees.',
  lot: 'Northgate Ford',
  salesperson: 'Luis Ortega',
  appointment: 'Sat, Nov 28, 10:00 AM',
}
