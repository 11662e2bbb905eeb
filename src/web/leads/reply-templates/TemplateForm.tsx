import { Button, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
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
import { Action } from '#web/ui/controls/Action.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { FormFooter } from '#web/ui/form/FormFooter.tsx'
import { ask, showError } from '#web/ui/overlay/dialogs.tsx'
import { recordForm } from '#web/ui/record/record-form.ts'
import { RecordForm } from '#web/ui/record/RecordForm.tsx'
import { showValue } from '#web/ui/record/show-record-value.ts'
import { StaleDialog } from '#web/ui/record/StaleDialog.tsx'
import { useRecordForm } from '#web/ui/record/use-record-form.ts'
import { useRoutingLock } from '../routing/use-routing-settings.ts'
import { insertAt } from './answer-values.ts'

const templateForm = recordForm(answerTemplateRecord)
const addTemplate = send(answerTemplates.add)
const updateTemplate = send(answerTemplates.update)
const removeTemplate = send(answerTemplates.remove)

type Props = {
  /** Null for a new one. */
  template: AnswerTemplate | null
  /** Called after saving or reloading. */
  onKept?: (template: AnswerTemplate) => void
  onDone: () => void
}

/** One template with its variables and what a buyer would read. */
export function TemplateForm({ template, onKept, onDone }: Props) {
  const lock = useRoutingLock()
  const endpoint = template ? answerTemplates.update : answerTemplates.add
  const record = useRecordForm<typeof templateForm.blank, AnswerTemplate>({
    ...templateForm,
    record: template,
    endpoint,
    isLocked: lock !== null,
    save: (values, version) => {
      const input = templateForm.toInput(values)
      return template ? updateTemplate({ ...input, id: template.id, version }) : addTemplate(input)
    },
    keep: (kept) => onKept?.(kept),
    onSaved: (saved) => {
      toast(template ? 'Template saved' : 'Template added', saved.name)
      onDone()
    },
  })
  const remove = useMutation({
    mutationFn: removeTemplate,
    onSuccess: () => {
      record.release()
      toast('Template deleted', template?.name ?? '')
      onDone()
    },
    onError: (failure) => showError(failure),
  })
  const confirmRemoval = async ({ id, name }: AnswerTemplate) => {
    const isSure = await ask({
      title: `Delete ${name}?`,
      text: 'Answers that were written with it stay as they are.',
      confirm: 'Delete template',
      isDestructive: true,
    })
    if (isSure) remove.mutate({ id })
  }
  return (
    <RecordForm record={record} isBusy={remove.isPending} className="fc-form">
      <TemplateFields record={record} isNew={template === null} />
      <FormFooter
        record={record}
        for={endpoint}
        save={template ? 'Save template' : 'Add template'}
        lock={lock}
        onCancel={onDone}
      >
        {template && (
          <Action
            for={answerTemplates.remove}
            lock={lock}
            variant="subtle"
            className="fc-quiet-danger"
            disabled={remove.isPending || record.isSaving}
            onClick={() => void confirmRemoval(template)}
          >
            Delete
          </Action>
        )}
      </FormFooter>
      <StaleDialog
        record={record}
        thing="this template"
        show={(name, values) => showValue({ ...values }[name])}
      />
    </RecordForm>
  )
}

type FieldsProps = {
  record: ReturnType<typeof useRecordForm<typeof templateForm.blank, AnswerTemplate>>
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
